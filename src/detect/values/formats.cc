// What is shown makes sense as what it looks like: a time of day has an hour below 24, before AM and PM one
// from 1 to 12, a date a month up to 12, a number of things is not negative, a result is rounded, there is no
// page 3 of 2, and no text says null. Only where the same value made sense before is the contrary surprising (a stop-watch may well
// show 75:30), except for texts that make no sense anywhere. What a test typed itself is left alone. An hour
// that is written with one digit at some time ("3:15"), or with seconds ("1:03:00"), is a number of hours,
// and so are several beyond a day; and what is whole is counted: an amount may be owed. An equation, and what is
// put together digit by digit, may come to anything.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr std::string_view not_negative = "a number that is not negative";
constexpr std::string_view time_of_day = "a time of day", some_hours = "a number of hours";
constexpr std::size_t long_fraction = 5;  ///< digits after the point that nobody means to show

constexpr std::size_t lengths_of_time = 3;  ///< different hours beyond a day: not one of them is a mistake

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Runs of digits with what stands between them: "24:00" is 24, ':' , 00.
struct Runs {
  std::vector<std::string_view> digits;
  std::vector<std::string_view> between;  ///< between[i] is before digits[i]
};

Runs runs_of(std::string_view text) {
  Runs out;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == i) {
      ++i;
      continue;
    }
    out.between.push_back(text.substr(from, i - from)), out.digits.push_back(text.substr(i, end - i));
    from = i = end;
  }
  return out;
}

/// The text goes on with AM or PM after these digits of it.
bool halves_the_day(std::string_view text, std::string_view digits) {
  std::string_view rest = text.substr(static_cast<std::size_t>(digits.data() + digits.size() - text.data()));
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::string half = in_small_letters(rest.substr(0, 2));
  return (half == "am" || half == "pm") && (rest.size() == 2 || !letter(rest[2]));
}

int number(std::string_view digits) { return std::atoi(std::string(digits.substr(0, 6)).c_str()); }

struct Check {
  std::string_view name;
  bool sense = true;
  int hour = 0;  ///< of a time of day
};

/// What a text claims to be, and whether it can be that.
std::vector<Check> checks(std::string_view text) {
  std::vector<Check> out;
  const Runs runs = runs_of(text);
  for (std::size_t i = 0; i < runs.digits.size(); ++i) {
    const auto after = [&](std::size_t k, std::string_view sign) {
      return i + k < runs.digits.size() && runs.between[i + k] == sign;
    };
    const std::string_view now = runs.digits[i];
    if (after(1, ":") && after(2, ":")) out.push_back({some_hours, true});
    if (after(1, ":") && runs.digits[i + 1].size() == 2 && now.size() <= 2 && !after(2, ":"))
      out.push_back({now.size() == 1 ? some_hours : time_of_day,
                     number(now) < 24 && number(runs.digits[i + 1]) < 60, number(now)});
    if (after(1, "-") && after(2, "-") && now.size() == 4)
      out.push_back({"a date", number(runs.digits[i + 1]) >= 1 && number(runs.digits[i + 1]) <= 12 &&
                                   number(runs.digits[i + 2]) >= 1 && number(runs.digits[i + 2]) <= 31});
    if (after(1, ".")) out.push_back({"a rounded number", runs.digits[i + 1].size() < long_fraction});
  }
  if (const auto numbers = numbers_in(text); numbers.size() == 1 && runs.digits.size() == 1)
    out.push_back({not_negative, numbers[0] >= 0});
  return out;
}

/// Before AM and PM there are twelve hours, from 1 on.
bool has_no_such_hour(std::string_view text) {
  const Runs runs = runs_of(text);
  for (std::size_t i = 1; i < runs.digits.size(); ++i)
    if (runs.between[i] == ":" && halves_the_day(text, runs.digits[i]) &&
        (number(runs.digits[i - 1]) < 1 || number(runs.digits[i - 1]) > 12))
      return true;
  return false;
}

/// A page on which numbers are put together digit by digit: what stands there was entered, or comes of it.
bool is_keypad(const Screen& screen) {
  std::set<std::string_view> digits;
  for (const Widget& w : screen.widgets)
    if (w.text.size() == 1 && is_digit(w.text[0]) && (accepted_by(w) & accepts_tap) != 0)
      digits.insert(w.text);
  return digits.size() == 10;
}

/// "Page 3 of 2", "Step 4 of 3": true where it is so, false where it is not; nothing: it says no such thing.
std::optional<bool> is_beyond_the_last(std::string_view text) {
  const std::string small = in_small_letters(text);
  for (const std::string_view word : {"page ", "step "}) {
    const std::size_t at = small.find(word);
    if (at == std::string::npos || (at > 0 && letter(small[at - 1]))) continue;
    const Runs runs = runs_of(std::string_view(small).substr(at + word.size()));
    if (runs.digits.size() >= 2 && runs.between[0].empty() &&
        (runs.between[1] == " of " || runs.between[1] == "/" || runs.between[1] == " / "))
      return number(runs.digits[0]) > number(runs.digits[1]);
  }
  return std::nullopt;
}

/// It says by how much something changed: "+5 pieces".
bool says_more_or_less(std::string_view text) {
  for (std::size_t at = text.find('+'); at != std::string_view::npos; at = text.find('+', at + 1))
    if (at + 1 < text.size() && is_digit(text[at + 1])) return true;
  return false;
}

/// What only a program that went wrong shows.
std::string_view nonsense_in(std::string_view text) {
  if (has_no_such_hour(text)) return "an hour that a half of the day does not have";
  static constexpr std::array<std::string_view, 7> words{"null",      "nil",      "NaN", "nan",
                                                         "undefined", "Infinity", "inf"};
  for (const std::string_view word : words)
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !letter(text[at - 1])) && (end == text.size() || !letter(text[end]))) return word;
    }
  return {};
}

class Formats final : public Expectation {
 public:
  Formats(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "formats"; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& here = data_.of(node);
    keypad_ = is_keypad(tree_.screen(node));
    for (const ShownValue& v : here.values) look_at(node, here.page, v, out);
    for (const ShownTable& t : here.tables)
      for (const ShownRow& row : t.rows)
        for (const ShownValue& cell : row.cells)
          look_at(node, Hasher().add(here.page).add(t.name).finish(), cell, out);
  }

 private:
  void look_at(NodeId node, std::uint64_t where, const ShownValue& v, std::vector<Case>& out) {
    if (v.kind != ShownValue::Kind::text || v.text.find('=') != std::string::npos || keypad_) return;
    const std::uint64_t slot = Hasher().add(where).add(v.name).finish();
    const std::string_view word = nonsense_in(v.text);
    if (!was_typed(word, node, v))
      out.push_back({Hasher().add("nonsense").add(slot).finish(), word.empty(), Hasher().add(v.text).finish(),
                     word.empty() ? slot : Hasher().add(word).finish(),
                     word.empty() ? "" : fmt::format("\"{}\" says {}", printable(v.text), word)});
    if (const auto beyond = is_beyond_the_last(v.text); beyond && !norn::was_typed(tree_, node, v.text))
      out.push_back(
          {Hasher().add("beyond").add(slot).finish(), !*beyond, contents_of(data_.of(node)), slot,
           *beyond ? fmt::format("\"{}\" says that it is beyond the last", printable(v.text)) : ""});
    const auto all = checks(v.text);
    if (std::ranges::find(all, some_hours, &Check::name) != all.end()) hours_.insert(slot);
    for (const Check& check : all)
      if (check.name == time_of_day && !check.sense && odd_[slot].insert(check.hour).second &&
          odd_[slot].size() >= lengths_of_time)
        hours_.insert(slot);
    if (says_more_or_less(v.text)) signed_.insert(slot);
    for (const Check& check : all)
      if (check.name == not_negative && signed_.contains(slot))
        continue;
      else if (check.name != time_of_day || !hours_.contains(slot))
        note(node, slot, v, check, out);
  }
  void note(NodeId node, std::uint64_t slot, const ShownValue& v, const Check& check,
            std::vector<Case>& out) const {
    if (check.sense ||
        (!norn::was_typed(tree_, node, check.name == not_negative ? "-" : v.text) && new_here(node, v.text)))
      out.push_back(
          {Hasher().add(check.name).add(slot).finish(), check.sense, Hasher().add(v.text).finish(), slot,
           check.sense
               ? ""
               : fmt::format("\"{}\" is elsewhere {}, and is none here", printable(v.text), check.name)});
  }
  /// Nothing on the way said so before: else it is carried on from there.
  bool new_here(NodeId node, std::string_view text) const {
    for (NodeId n = node; n != tree_.root();)
      if (n = tree_.parent(n); data_.of(n).says(text)) return false;
    return true;
  }
  bool was_typed(std::string_view word, NodeId node, const ShownValue& v) const {
    return !word.empty() && norn::was_typed(tree_, node, v.text);
  }

  const History& tree_;
  DataCache& data_;
  bool keypad_ = false;                         ///< the page that is looked at has one
  std::set<std::uint64_t> hours_;               ///< values that are no time of day
  std::map<std::uint64_t, std::set<int>> odd_;  ///< hours of a value that no day has
  std::set<std::uint64_t> signed_;              ///< values that say by how much something changed: "+5", "-1"
};

}  // namespace

std::unique_ptr<Expectation> expect_formats(const History& tree, DataCache& data) {
  return std::make_unique<Formats>(tree, data);
}

}  // namespace norn

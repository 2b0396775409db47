// One way of writing at a time: two pages, one opened from the other, show amounts in the same currency,
// times with the same clock, dates in the same order, and weights, lengths, temperatures and volumes in the
// same system. Learnt over the whole app, from at least two ways: whoever chooses another one sees it on
// every page. Nor does a page write what stands beside its list otherwise than the list.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr bool small_letter(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool capital(char c) { return c >= 'A' && c <= 'Z'; }

/// What stands right after a number, up to the next space: "kg", "am".
std::string_view word_after(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == ' ') ++at;
  std::size_t end = at;
  while (end < text.size() && (small_letter(text[end]) || capital(text[end]) || (text[end] & 0x80) != 0))
    ++end;
  return text.substr(at, end - at);
}

struct Unit {
  std::string_view word, kind, way;
};
constexpr std::array<Unit, 16> units{{{"kg", "weight", "kg"},
                                      {"g", "weight", "kg"},
                                      {"lb", "weight", "lb"},
                                      {"lbs", "weight", "lb"},
                                      {"oz", "weight", "lb"},
                                      {"km", "length", "km"},
                                      {"m", "length", "km"},
                                      {"cm", "length", "km"},
                                      {"mi", "length", "miles"},
                                      {"ft", "length", "miles"},
                                      {"in", "length", "miles"},
                                      {"°C", "temperature", "Celsius"},
                                      {"°F", "temperature", "Fahrenheit"},
                                      {"ml", "volume", "litres"},
                                      {"l", "volume", "litres"},
                                      {"gal", "volume", "gallons"}}};

/// The way of writing of each kind of thing; empty: there are several.
using Ways = std::map<std::string_view, std::string_view>;

void add(Ways& ways, std::string_view kind, std::string_view way) {
  const auto [at, fresh] = ways.try_emplace(kind, way);
  if (!fresh && at->second != way) at->second = {};
}

/// "6.4 l/100 km", "18 km/l": neither a volume nor a length.
bool is_rate(std::string_view text, std::size_t from, std::string_view word) {
  const auto behind = static_cast<std::size_t>(word.data() - text.data()) + word.size();
  return (from > 0 && text[from - 1] == '/') || (behind < text.size() && text[behind] == '/');
}

/// A run of digits with its signs: "2024-03-01", "9:05", "12.5".
void add_number(Ways& ways, std::string_view text, std::size_t from, std::size_t end) {
  const std::string_view run = text.substr(from, end - from), word = word_after(text, end);
  const auto count = [&](char c) { return std::ranges::count(run, c); };
  if (count(':') == 1) {
    const bool half = word == "am" || word == "pm" || word == "AM" || word == "PM";
    if (half || run.size() == 5)
      add(ways, "clock", half ? "twelve hours" : "24 hours");  // "3:15" may be a length
  } else if (count('-') == 2) {
    add(ways, "date", run.find('-') == 4 ? "the year first" : "the day or month first");
  } else if (count('/') == 2 || count('.') == 2) {
    add(ways, "date", count('/') == 2 ? "slashes" : "points");
  } else if (const auto unit = std::ranges::find(units, word, &Unit::word);
             unit != units.end() && !is_rate(text, from, word)) {
    add(ways, unit->kind, unit->way);
  }
}

void add_text(Ways& ways, std::string_view text) {
  const auto part = [](char c) {
    return is_digit(c) || std::string_view(":-/.,").find(c) != std::string_view::npos;
  };
  bool number = false;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && part(text[end])) ++end;
    while (!is_digit(text[end - 1])) --end;  // "on 3:15."
    add_number(ways, text, i, end);
    number = true, i = end;
  }
  if (const std::string_view sign = sign_of_money(text); number && !sign.empty()) add(ways, "money", sign);
}

class Signs final : public Expectation {
 public:
  Signs(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "signs"; }
  Learnt learnt() const override { return {.least = 2, .failing = 0.25}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || tree_.screen(node).kind != Screen::Kind::app) return;
    const PageWays& here = ways_of(node);
    for (const auto& [kind, way] : here.all)
      if (!way.empty()) said_[kind][now.page].insert(way);
    for (const auto& [kind, way] : here.values)
      if (const auto rows = here.rows.find(kind); rows != here.rows.end())
        mixed(now, kind, way, rows->second, out);
    if (node == tree_.root()) return;
    NodeId before = tree_.parent(node);
    while (data_.of(before).popup && before != tree_.root()) before = tree_.parent(before);  // through a menu
    if (data_.of(before).page == now.page || data_.of(before).popup) return;
    const Ways& last = ways_of(before).all;
    for (const auto& [kind, way] : here.all)
      if (const auto there = last.find(kind); there != last.end())
        compare(data_.of(before), now, kind, there->second, way, out);
  }

 private:
  /// Of what stands beside the lists of a page, of its lists, and of both.
  struct PageWays {
    Ways values, rows, all;
  };
  const PageWays& ways_of(NodeId node) {
    const ScreenData& d = data_.of(node);
    const auto [at, fresh] = known_.try_emplace(&d);
    PageWays& out = at->second;
    if (!fresh) return out;
    const auto add_value = [](Ways& ways, const ShownValue& v) {
      if (v.kind == ShownValue::Kind::text) add_text(ways, v.text);
    };
    for (const ShownValue& v : d.values) add_value(out.values, v);
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows)
        for (const ShownValue& cell : row.cells) add_value(out.rows, cell);
    out.all = out.values;
    for (const auto& [kind, way] : out.rows) add(out.all, kind, way);
    return out;
  }

  void compare(const ScreenData& was, const ScreenData& now, std::string_view kind, std::string_view there,
               std::string_view here, std::vector<Case>& out) {
    if (there.empty() || here.empty()) return;
    const bool held = there == here;
    const std::uint64_t at_fault = held ? 0 : stuck(kind, was.page, now.page);
    out.push_back(
        {.group = Hasher().add("signs").add(kind).finish(),
         .held = held,
         .value = Hasher().add(was.page).add(now.page).add(there).add(here).finish(),
         .wrong = Hasher().add(kind).add(at_fault != 0 ? at_fault : std::min(was.page, now.page)).finish(),
         .words = held ? "" : fmt::format("{} in {} on one page and in {} on the next", kind, there, here),
         .sort = hash_bytes(here),
         .cause = at_fault});
  }
  /// Of two pages that disagree, the one that never says it otherwise, where the other does: it disagrees
  /// with all pages then, for one reason. 0: neither, or both.
  std::uint64_t stuck(std::string_view kind, std::uint64_t a, std::uint64_t b) {
    const bool changes = said_[kind][a].size() > 1, other_changes = said_[kind][b].size() > 1;
    return changes == other_changes ? 0 : changes ? b : a;
  }
  static void mixed(const ScreenData& now, std::string_view kind, std::string_view beside,
                    std::string_view rows, std::vector<Case>& out) {
    if (beside.empty() || rows.empty()) return;
    const bool held = beside == rows;
    out.push_back(
        {.group = Hasher().add("mixed").add(kind).add(now.page).finish(),
         .held = held,
         .value = Hasher().add(beside).add(rows).add(content(now)).finish(),
         .wrong = Hasher().add("mixed").add(kind).add(now.page).finish(),
         .words = held ? "" : fmt::format("{} in {} in the list and in {} beside it", kind, rows, beside)});
  }
  static std::uint64_t content(const ScreenData& d) {
    Hasher out;
    for (const ShownTable& t : d.tables) out.add(t.content());
    return out.finish();
  }

  const History& tree_;
  DataCache& data_;
  std::map<const ScreenData*, PageWays> known_;
  std::map<std::string_view, std::map<std::uint64_t, std::set<std::string_view>>>
      said_;  ///< ways, by kind and page
};

}  // namespace

std::unique_ptr<Expectation> expect_signs(const History& tree, DataCache& data) {
  return std::make_unique<Signs>(tree, data);
}

}  // namespace norn

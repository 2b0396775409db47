// Numbers on a page that say something about the rest of it: how many rows a list has, how many of them are
// marked, what a column adds up to, the sum of two other numbers. Which number says what is not known; every
// equation that could be is tried, and those that hold for several different numbers and seldom fail are what
// the app means (Daikon's way). What else a number says ("less 10 %") makes it another number. Where a choice
// beside the list has it show a part, a number that says what it said of all of them is about all; and where one
// number says what the part comes to, another one may be.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/aggregates.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr double telling_sum = 10;  ///< smaller ones are the sum of two others by chance

class Equations final : public Expectation {
 public:
  Equations(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "counts"; }

  Learnt learnt() const override {
    return {.least = 4, .failing = 0.3, .least_if_merged = 8, .rivals = true};
  }  // four equal numbers are no chance

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& here = data_.of(node);
    if (here.popup || here.filtered()) return;
    auto numbers = numbers_of(here);
    std::erase_if(numbers, [&](const Number& n) { return somebody_typed(tree_, node, n.shown->text); });
    for (const Number& n : numbers)
      if (last_digit(n.shown->text) < 1) broken_.insert(n.name);
    const bool part = first_chosen_.try_emplace(here.page, here.chosen).first->second != here.chosen;
    for (const ShownTable& t : here.tables)
      if (t.whole)
        for (const Aggregate& a : aggregates_of(t, marks_.of(here, t))) {
          const bool told =
              part && std::ranges::any_of(numbers, [&](const Number& n) { return same_number(a.is, n.is); });
          for (const Number& n : numbers)
            if (same_number(a.is, n.is) || (!told && !(part && is_about_all(node, t, n))))
              compare(here, t, a, n, out);
        }
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (std::size_t j = i + 1; j < numbers.size(); ++j)
        for (std::size_t k = 0; k < numbers.size(); ++k)
          if (k != i && k != j) combine(here, numbers[i], numbers[j], numbers[k], numbers.size(), out);
    if (data_.chose_what_is_shown(node)) std::erase_if(out, [](const Case& c) { return !c.held; });
  }

 private:
  /// It says what it said on this visit when the list was not made to show a part yet, and showed more.
  bool is_about_all(NodeId node, const ShownTable& t, const Number& n) {
    const ScreenData& here = data_.of(node);
    for (const NodeId opened = data_.opened(node); node != opened;) {
      node = tree_.parent(node);
      const ScreenData& was = data_.of(node);
      if (was.page != here.page || was.chosen != first_chosen_.at(here.page)) continue;
      const ShownTable* all = was.table(t.name);
      const ShownValue* said = was.value(n.name);
      return all && all->rows.size() > t.rows.size() && said && said->text == n.shown->text;
    }
    return false;
  }
  void compare(const ScreenData& here, const ShownTable& t, const Aggregate& a, const Number& n,
               std::vector<Case>& out) const {
    const bool held = same_number(a.is, n.is);
    const double rounded = is_rounded(n) ? 0.5 * static_cast<double>(t.rows.size() + 1) : 0;
    if (!held && std::abs(a.is - n.is) <= a.slack + rounded + 1e-9) return;
    const std::uint64_t numbers =
        Hasher().add(std::bit_cast<std::uint64_t>(a.is)).add(std::bit_cast<std::uint64_t>(n.is)).finish();
    out.push_back({Hasher()
                       .add(here.page)
                       .add(t.name)
                       .add(a.name)
                       .add(n.name)
                       .add(words_beside_numbers(n.shown->text))
                       .finish(),
                   held, Hasher().add(t.content()).add(numbers).finish(),
                   Hasher().add(here.page).add(n.name).finish(),
                   held || !a.expected || says_left_out(n.shown->text)
                       ? ""
                       : fmt::format("\"{}\", but {} {:g}", printable(n.shown->text), a.words, a.is),
                   here.mode, numbers});
  }

  /// c = a + b, on a page with so many numbers: one more may be added up as well. Noughts fit everywhere and
  /// tell nothing.
  void combine(const ScreenData& here, const Number& a, const Number& b, const Number& c, std::size_t numbers,
               std::vector<Case>& out) const {
    if (a.shown == c.shown || b.shown == c.shown) return;
    if (a.is == 0 || b.is == 0 || a.time || b.time || c.time) return;
    const bool held = same_number(a.is + b.is, c.is);
    if (!held && std::abs(a.is + b.is - c.is) <= rounding({&a, &b, &c}) + 1e-9) return;
    out.push_back(
        {Hasher().add(here.page).add("sum").add(a.name).add(b.name).add(c.name).add(numbers).finish(), held,
         Hasher().add(std::bit_cast<std::uint64_t>(a.is)).add(std::bit_cast<std::uint64_t>(b.is)).finish(),
         Hasher().add(here.page).add(c.name).finish(),
         held ? ""
              : fmt::format("\"{}\", where {:g} + {:g} is {:g}", printable(c.shown->text), a.is, b.is,
                            a.is + b.is),
         here.mode, c.is < telling_sum ? 1U : 0U});
  }

  /// By how much they may be off together: each was rounded to its last digit, what is whole too, where
  /// others are not.
  double rounding(std::initializer_list<const Number*> numbers) const {
    double out = 0;
    bool broken = false;
    for (const Number* n : numbers) {
      out += last_digit(n->shown->text) / 2;
      broken = broken || broken_.contains(n->name);
    }
    return broken ? out : 0;
  }
  /// It is whole here, and has been seen with cents.
  bool is_rounded(const Number& n) const {
    return last_digit(n.shown->text) >= 1 && broken_.contains(n.name);
  }

  const History& tree_;
  DataCache& data_;
  Marks marks_;
  std::map<std::uint64_t, std::uint64_t> first_chosen_;  ///< by page: what its choices said at first
  std::set<std::uint64_t> broken_;                       ///< numbers that were shown with a fraction
};

}  // namespace

std::unique_ptr<Expectation> expect_counts(const History& tree, DataCache& data) {
  return std::make_unique<Equations>(tree, data);
}

}  // namespace norn

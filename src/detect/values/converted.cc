// Another unit is another unit for everything. Between two visits of a page nothing was typed, its rows have
// the same names in the same order, and numbers that had one unit have another now ("g", "oz"): then the new
// ones are the old ones times one factor, each rounded as it is shown. Asked where the factor shows in most
// of them; whoever kept the old unit, or has another factor, was forgotten. Nor is a row forgotten when one
// touch makes all numbers of a column larger or smaller by one factor (twice as many servings): one that
// stays as it is, while two thirds have that factor to the last digit, was.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr std::size_t longest_way_round = 8;  ///< events between the two visits: through a page of settings
constexpr std::size_t few_numbers = 3;        ///< fewer have a factor by chance

/// A text with one number, in both visits.
struct Amount {
  const ShownValue *was, *is;
  double before, after;
  double factor() const { return after / before; }
  /// How far the new number may be off: both are rounded to their last digit.
  double slack() const { return last_digit(is->text) + std::abs(factor()) * last_digit(was->text); }
};

class Converted final : public Expectation {
 public:
  Converted(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "converted"; }
  Learnt learnt() const override {
    return {.least = 0, .failing = 1, .fewest = 2, .chance = 1};
  }  // stands by itself

  void look(NodeId node, std::vector<Case>& out) override {
    const NodeId before = data_.last_visit(node, longest_way_round);
    if (!before || data_.of(node).popup || !only_touched(before, node)) return;
    const ScreenData &was = data_.of(before), &now = data_.of(node);
    std::map<std::string_view, std::vector<Amount>> units;
    for (const ShownValue& v : now.values)
      if (const ShownValue* old = was.value(v.name)) add(*old, v, units);
    for (const ShownTable& t : now.tables) {
      const ShownTable* old = was.table(t.name);
      if (!old || !std::ranges::equal(old->rows, t.rows, {}, &ShownRow::title, &ShownRow::title)) return;
      for (std::size_t r = 0; r < t.rows.size(); ++r)
        for (const ShownValue& cell : t.rows[r].cells)
          if (const ShownValue* then = old->rows[r].cell(cell.name)) add(*then, cell, units);
    }
    for (const auto& [unit, amounts] : units) compare(now, unit, amounts, out);
    if (before == tree_.parent(node)) scaled(was, now, out);
  }

 private:
  bool only_touched(NodeId before, NodeId node) {
    for (; node != before; node = tree_.parent(node))
      if (const Event& e = tree_.event(tree_.event_id(node));
          !std::holds_alternative<Tap>(e) && !std::holds_alternative<Key>(e))
        return false;
    return true;
  }
  static void add(const ShownValue& was, const ShownValue& is,
                  std::map<std::string_view, std::vector<Amount>>& units) {
    const auto before = numbers_in(was.text), after = numbers_in(is.text);
    if (was.kind != ShownValue::Kind::text || before.size() != 1 || after.size() != 1 || before[0] == 0 ||
        was.text.find(':') != std::string::npos)  // half a day is no unit
      return;
    if (const std::string_view unit = unit_of(was.text); !unit.empty() && unit.size() < was.text.size())
      units[unit].push_back({&was, &is, before[0], after[0]});
  }

  /// REQUIRES: the tables of both have rows of the same names.
  void scaled(const ScreenData& was, const ScreenData& now, std::vector<Case>& out) {
    for (const ShownTable& t : now.tables) {
      std::map<std::uint64_t, std::vector<Amount>> columns;
      const ShownTable& old = *was.table(t.name);
      for (std::size_t r = 0; r < t.rows.size(); ++r)
        for (const ShownValue& cell : t.rows[r].cells)
          if (const ShownValue* then = old.rows[r].cell(cell.name))
            add_amount(*then, cell, columns[cell.name]);
      for (const auto& [name, amounts] : columns) compare_column(now, t, name, amounts, out);
    }
  }
  static void add_amount(const ShownValue& was, const ShownValue& is, std::vector<Amount>& out) {
    const auto before = numbers_in(was.text), after = numbers_in(is.text);
    if (was.kind == ShownValue::Kind::text && before.size() == 1 && after.size() == 1 &&
        before[0] * after[0] != 0)
      out.push_back({&was, &is, before[0], after[0]});
  }
  void compare_column(const ScreenData& now, const ShownTable& t, std::uint64_t name,
                      const std::vector<Amount>& amounts, std::vector<Case>& out) {
    const auto changed = [](const Amount& a) { return std::abs(a.after - a.before) > a.slack(); };
    const auto rule = std::ranges::find_if(amounts, changed);
    if (amounts.size() < few_numbers || rule == amounts.end()) return;
    const auto same_factor = [&](const Amount& a) {
      return std::abs(a.after - a.before * rule->factor()) <=
             last_digit(a.is->text) + last_digit(rule->is->text) * std::abs(a.before / rule->before);
    };
    const auto like =
        std::ranges::count_if(amounts, [&](const Amount& a) { return changed(a) && same_factor(a); });
    const auto other = std::ranges::find_if_not(amounts, same_factor);
    const bool held = other == amounts.end();
    if (3 * like < 2 * std::ssize(amounts) || (!held && other->before != other->after)) return;
    out.push_back(
        {.group = Hasher().add("scaled").add(now.page).add(t.name).add(name).finish(),
         .held = held,
         .value = t.content(),
         .wrong = Hasher().add("scaled").add(now.page).add(t.name).finish(),
         .words = held ? ""
                       : fmt::format("\"{}\" has become \"{}\", and \"{}\" stays", printable(rule->was->text),
                                     printable(rule->is->text), printable(other->was->text))});
  }

  void compare(const ScreenData& now, std::string_view unit, const std::vector<Amount>& amounts,
               std::vector<Case>& out) {
    if (amounts.size() < few_numbers) return;
    const Amount& rule = *std::ranges::max_element(amounts, {}, [&](const Amount& a) {
      return std::ranges::count_if(amounts, [&](const Amount& b) { return agrees(b, a); });
    });
    const auto like = std::ranges::count_if(amounts, [&](const Amount& a) { return agrees(a, rule); });
    if (unit_of(rule.is->text) == unit || 3 * like < 2 * static_cast<std::ptrdiff_t>(amounts.size())) return;
    const auto other = std::ranges::find_if(amounts, [&](const Amount& a) { return !agrees(a, rule); });
    const bool held = other == amounts.end();
    out.push_back({Hasher().add(now.page).add(unit).add(unit_of(rule.is->text)).finish(), held,
                   Hasher().add(rule.is->text).finish(), Hasher().add("converted").add(now.page).finish(),
                   held ? ""
                        : fmt::format("\"{}\" has become \"{}\", and \"{}\" \"{}\"",
                                      printable(rule.was->text), printable(rule.is->text),
                                      printable(other->was->text), printable(other->is->text))});
  }
  /// The same unit, and the same factor as far as the digits tell.
  static bool agrees(const Amount& a, const Amount& rule) {
    const double slack = a.slack() + rule.slack() * std::abs(a.before / rule.before);
    return unit_of(a.is->text) == unit_of(rule.is->text) &&
           std::abs(a.after - a.before * rule.factor()) <= slack;
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_converted(const History& tree, DataCache& data) {
  return std::make_unique<Converted>(tree, data);
}

}  // namespace norn

#include "detect/reading/aggregates.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/typed.h"

namespace norn {
namespace {

constexpr std::size_t numbers_of_a_page = 8;  ///< more make equations by chance

}  // namespace

bool same_number(double a, double b) { return std::abs(a - b) < 0.005; }

std::vector<Number> numbers_of(const ScreenData& data) {
  std::vector<Number> out;
  for (const ShownValue& v : data.values) {
    if (v.kind == ShownValue::Kind::check) continue;
    std::uint64_t k = 0;
    const bool time = amounts_in(v.text).empty();
    for (const double n : numbers_in(v.text))
      if (out.size() < numbers_of_a_page)
        out.push_back({Hasher().add(v.name).add(k++).finish(), n, &v, time});
  }
  return out;
}

bool numbers_differ(const ScreenData& was, const ScreenData& now) {
  for (const Number& n : numbers_of(now))
    for (const Number& m : numbers_of(was))
      if (n.name == m.name && !same_number(n.is, m.is)) return true;
  return false;
}

std::vector<Aggregate> aggregates_of(const ShownTable& table, const std::set<std::uint64_t>& marks) {
  std::vector<Aggregate> out{
      {Hasher().add("rows").finish(), static_cast<double>(table.rows.size()), "the rows are", 0}};
  std::map<std::uint64_t, std::size_t> counted;
  std::set<std::uint64_t>
      uneven;  // cells that hold more numbers in some rows: there is no telling which are meant
  std::map<std::uint64_t, double> sums, further, counted_in, rounding, largest, smallest, having, on;
  for (const std::uint64_t name : marks) having[name] = 0;
  for (const ShownRow& row : table.rows) {
    const bool left_out =
        std::ranges::any_of(row.cells, [](const ShownValue& cell) { return says_left_out(cell.text); });
    for (const ShownValue& cell : row.cells) {
      having[cell.name] += 1;
      if (cell.kind == ShownValue::Kind::check) on[cell.name] += cell.text == "on";
      const auto n = numbers_in(cell.text);
      if (counted.try_emplace(cell.name, n.size()).first->second != n.size()) uneven.insert(cell.name);
      for (std::size_t k = 1; k < n.size(); ++k) further[Hasher().add(cell.name).add(k).finish()] += n[k];
      if (!n.empty()) {
        sums[cell.name] += n[0];
        counted_in[cell.name] += left_out ? 0 : n[0];
        largest[cell.name] = std::max(largest.try_emplace(cell.name, n[0]).first->second, n[0]);
        smallest[cell.name] = std::min(smallest.try_emplace(cell.name, n[0]).first->second, n[0]);
        if (const double digit = last_digit(cell.text); digit < 1) rounding[cell.name] += digit / 2;
      }
    }
  }
  std::map<std::uint64_t, double> off, lacking;
  for (const auto& [name, n] : on) off[name] = having[name] - n;
  for (const auto& [name, n] : having) lacking[name] = static_cast<double>(table.rows.size()) - n;
  const auto add = [&](std::string_view what, const std::map<std::uint64_t, double>& all, const char* words) {
    for (const auto& [name, is] : all) out.push_back({Hasher().add(what).add(name).finish(), is, words, 0});
  };
  for (const auto& [name, is] : sums)
    if (!uneven.contains(name))
      out.push_back({Hasher().add("sum").add(name).finish(), is, "the rows add up to", rounding[name]});
  add("further", further, ""), add("counted in", counted_in, ""), add("largest", largest, ""),
      add("smallest", smallest, "");
  for (Aggregate& a : out) a.expected = !a.words.empty();
  add("on", on, "the checked rows are"), add("having", having, "the rows with such a mark are"),
      add("off", off, "the unchecked rows are"), add("lacking", lacking, "the rows without such a mark are");
  for (Aggregate& a : out)  // a list of boxes says nothing about a list of things
    a.expected = a.expected && !table.mixed, a.name = Hasher().add(a.name).add(table.row_kind).finish();
  return out;
}

bool somebody_typed(const History& tree, NodeId node, std::string_view text) {
  const auto shown = numbers_in(text);
  const double digit = last_digit(text);
  for (; node != tree.root(); node = tree.parent(node)) {
    const std::string* t = typed_text(tree.event(tree.event_id(node)));
    if (t && text.find(*t) != std::string_view::npos) return true;
    if (const auto typed = t ? to_double(*t) : std::nullopt)
      if (std::ranges::any_of(shown, [&](double n) { return std::abs(n - *typed) <= digit; })) return true;
  }
  return false;
}

const std::set<std::uint64_t>& Marks::of(const ScreenData& here, const ShownTable& table) {
  auto& known = known_[Hasher().add(here.page).add(table.name).finish()];
  for (const ShownRow& row : table.rows)
    for (const ShownValue& cell : row.cells) known.insert(cell.name);
  return known;
}

}  // namespace norn

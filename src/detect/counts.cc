// Numbers on a page that say something about the rest of it: how many rows a list has, how many of them are marked, what a column adds
// up to, the sum of two other numbers. Which number says what is not known; every equation that could be is tried, and those that
// hold for several different numbers and seldom fail are what the app means (Daikon's way).
#include <fmt/core.h>

#include <cmath>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

constexpr std::size_t numbers_of_a_page = 8;  ///< more make equations by chance

struct Number {
  std::uint64_t name = 0;
  double is = 0;
  const ShownValue* shown = nullptr;
};

struct Aggregate {
  std::uint64_t name = 0;
  double is = 0;
  std::string words;
};

bool equal(double a, double b) { return std::abs(a - b) < 0.005; }

std::vector<Number> numbers_of(const ScreenData& data) {
  std::vector<Number> out;
  for (const ShownValue& v : data.values) {
    if (v.kind == ShownValue::Kind::check) continue;
    std::uint64_t k = 0;
    for (const double n : numbers_in(v.text))
      if (out.size() < numbers_of_a_page) out.push_back({Hasher().add(v.name).add(k++).finish(), n, &v});
  }
  return out;
}

/// What can be said about a table's rows in one number.
/// `marks`: names of cells that rows of this table have had.
std::vector<Aggregate> aggregates_of(const ShownTable& table, const std::set<std::uint64_t>& marks) {
  std::vector<Aggregate> out{
      {Hasher().add("rows").finish(), static_cast<double>(table.rows.size()), "the rows are"}};
  std::map<std::uint64_t, double> sums, having, on;
  for (const std::uint64_t name : marks) having[name] = 0;
  for (const ShownRow& row : table.rows)
    for (const ShownValue& cell : row.cells) {
      having[cell.name] += 1;
      if (cell.kind == ShownValue::Kind::check) on[cell.name] += cell.text == "on";
      if (const auto n = numbers_in(cell.text); !n.empty()) sums[cell.name] += n[0];
    }
  std::map<std::uint64_t, double> off, lacking;
  for (const auto& [name, n] : on) off[name] = having[name] - n;
  for (const auto& [name, n] : having) lacking[name] = static_cast<double>(table.rows.size()) - n;
  const auto add = [&](std::string_view what, const std::map<std::uint64_t, double>& all, const char* words) {
    for (const auto& [name, is] : all) out.push_back({Hasher().add(what).add(name).finish(), is, words});
  };
  add("sum", sums, "the rows add up to"), add("on", on, "the checked rows are"),
      add("having", having, "the rows with such a mark are"), add("off", off, "the unchecked rows are"),
      add("lacking", lacking, "the rows without such a mark are");
  return out;
}

class Equations final : public Expectation {
 public:
  Equations(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "counts"; }

  Learnt learnt() const override {
    return {.least = 4, .failing = 0.34, .rivals = true};
  }  // four equal numbers are no chance

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& here = data_.of(node);
    if (here.popup || here.filtered()) return;
    auto numbers = numbers_of(here);
    std::erase_if(numbers, [&](const Number& n) { return typed(node, n.shown->text); });
    for (const ShownTable& t : here.tables)
      if (t.whole)
        for (const Aggregate& a : aggregates_of(t, marks(here, t)))
          for (const Number& n : numbers) compare(here, t, a, n, out);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (std::size_t j = i + 1; j < numbers.size(); ++j)
        for (std::size_t k = 0; k < numbers.size(); ++k)
          if (k != i && k != j) combine(here, numbers[i], numbers[j], numbers[k], out);
  }

 private:
  /// A number that somebody typed as a name is none.
  bool typed(NodeId node, std::string_view text) const {
    for (; node != tree_.root(); node = tree_.parent(node))
      if (const std::string* t = typed_text(tree_.event(tree_.event_id(node)));
          t && text.find(*t) != std::string_view::npos)
        return true;
    return false;
  }
  const std::set<std::uint64_t>& marks(const ScreenData& here, const ShownTable& t) {
    auto& known = marks_[Hasher().add(here.page).add(t.name).finish()];
    for (const ShownRow& row : t.rows)
      for (const ShownValue& cell : row.cells) known.insert(cell.name);
    return known;
  }
  static void compare(const ScreenData& here, const ShownTable& t, const Aggregate& a, const Number& n,
                      std::vector<Case>& out) {
    const bool held = equal(a.is, n.is);
    const std::uint64_t numbers =
        Hasher().add(std::bit_cast<std::uint64_t>(a.is)).add(std::bit_cast<std::uint64_t>(n.is)).finish();
    out.push_back({Hasher().add(here.page).add(t.name).add(a.name).add(n.name).finish(), held,
                   Hasher().add(t.content()).add(numbers).finish(),
                   Hasher().add(here.page).add(n.shown->name).finish(),
                   held ? "" : fmt::format("\"{}\", but {} {:g}", printable(n.shown->text), a.words, a.is),
                   here.mode, numbers});
  }

  /// c = a + b. Noughts fit everywhere and tell nothing.
  static void combine(const ScreenData& here, const Number& a, const Number& b, const Number& c,
                      std::vector<Case>& out) {
    if (a.shown == c.shown || b.shown == c.shown) return;
    if (a.is == 0 || b.is == 0) return;
    const bool held = equal(a.is + b.is, c.is);
    out.push_back(
        {Hasher().add(here.page).add("sum").add(a.name).add(b.name).add(c.name).finish(), held,
         Hasher().add(std::bit_cast<std::uint64_t>(a.is)).add(std::bit_cast<std::uint64_t>(b.is)).finish(),
         Hasher().add(here.page).add(c.shown->name).finish(),
         held ? ""
              : fmt::format("\"{}\", where {:g} + {:g} is {:g}", printable(c.shown->text), a.is, b.is,
                            a.is + b.is),
         here.mode});
  }

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, std::set<std::uint64_t>> marks_;  ///< cells by table
};

}  // namespace

std::unique_ptr<Expectation> expect_counts(const History& tree, DataCache& data) {
  return std::make_unique<Equations>(tree, data);
}

}  // namespace norn

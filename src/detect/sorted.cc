// A list stays in its order: where a column was sorted whenever this page listed it, whatever was listed, it is so now. Which column and which
// way is not known; every one is tried, and those that held for many different lists and hardly ever failed are the list's order.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

constexpr std::size_t shortest_column = 4;  ///< shorter ones are in order by chance too often

/// Ways to put texts in order. By number only where each has one.
enum class Order : std::uint8_t { exact, letters, number };

struct SortKey {
  double number = 0;
  std::string words;
  auto operator<=>(const SortKey&) const = default;
};

std::optional<SortKey> sort_key(const std::string& text, Order order) {
  if (order == Order::exact) return SortKey{0, text};
  if (order == Order::number) {
    const auto numbers = numbers_in(text);
    return numbers.size() == 1 ? std::optional(SortKey{numbers[0], {}}) : std::nullopt;
  }
  SortKey out{0, text};
  std::ranges::transform(out.words, out.words.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

class Sorted final : public Expectation {
 public:
  Sorted(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "sorted"; }
  Learnt learnt() const override { return {.least = 8, .failing = 0.1, .rivals = true}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& here = data_.of(node);
    if (here.popup || tree_.screen(node).kind != Screen::Kind::app) return;
    for (const ShownTable& t : here.tables)
      if (t.rows.size() >= shortest_column)
        for (const ShownValue& cell : t.rows.front().cells)
          if (cell.kind == ShownValue::Kind::text) column(node, t, cell.name, out);
  }

 private:
  void column(NodeId node, const ShownTable& t, std::uint64_t name, std::vector<Case>& out) {
    std::vector<std::string> texts;
    for (const ShownRow& row : t.rows) {
      const auto cell = std::ranges::find(row.cells, name, &ShownValue::name);
      if (cell == row.cells.end()) return;
      texts.push_back(cell->text);
    }
    if (std::ranges::adjacent_find(texts, std::ranges::not_equal_to{}) == texts.end())
      return;  // all the same
    const std::uint64_t list =
        Hasher().add(data_.of(node).page).add(data_.told(node)).add(t.name).add(name).finish();
    for (const Order order : {Order::exact, Order::letters, Order::number})
      for (const bool up : {true, false}) {
        const auto wrong = out_of_order(texts, order, up);
        if (!wrong) continue;
        const bool held = *wrong == texts.size();
        out.push_back({Hasher().add(list).add(up).add(static_cast<std::uint64_t>(order)).finish(), held,
                       t.content(), list,
                       held ? ""
                            : fmt::format("the list is not in order: \"{}\" stands at the wrong place",
                                          printable(texts[*wrong])),
                       data_.of(node).mode});
      }
  }
  /// The first that stands wrong, their number if none does; nothing where they have no such order.
  static std::optional<std::size_t> out_of_order(const std::vector<std::string>& texts, Order order,
                                                 bool up) {
    std::vector<SortKey> keys;
    for (const std::string& text : texts)
      if (auto key = sort_key(text, order))
        keys.push_back(*std::move(key));
      else
        return std::nullopt;
    const auto at =
        up ? std::ranges::is_sorted_until(keys) : std::ranges::is_sorted_until(keys, std::greater{});
    return static_cast<std::size_t>(at - keys.begin());
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_sorted(const History& tree, DataCache& data) {
  return std::make_unique<Sorted>(tree, data);
}

}  // namespace norn

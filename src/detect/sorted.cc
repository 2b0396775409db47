// A list stays in its order: where a column was sorted whenever this page listed it, whatever was listed, it is so now. Which column and which
// way is not known; every one is tried, and those that held for many different lists and hardly ever failed are the list's order.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

constexpr std::size_t shortest_column = 4;  ///< shorter ones are in order by chance too often

/// Lower case, and numbers before words as numbers.
struct SortKey {
  double number = 0;
  std::string words;
  auto operator<=>(const SortKey&) const = default;
};

SortKey sort_key(std::string_view text) {
  const auto numbers = numbers_in(text);
  const bool leads = !text.empty() && text.front() >= '0' && text.front() <= '9';
  SortKey out{leads && !numbers.empty() ? numbers.front() : 1e300, std::string(text)};
  std::ranges::transform(out.words, out.words.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

class Sorted final : public Expectation {
 public:
  Sorted(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "sorted"; }
  Learnt learnt() const override { return {.least = 8, .failing = 0.1}; }

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
    std::vector<SortKey> keys;
    Hasher content;
    for (const ShownRow& row : t.rows) {
      const auto cell = std::ranges::find(row.cells, name, &ShownValue::name);
      if (cell == row.cells.end()) return;
      keys.push_back(sort_key(cell->text)), content.add(cell->text);
    }
    if (std::ranges::adjacent_find(keys, std::ranges::not_equal_to{}) == keys.end()) return;  // all the same
    const std::uint64_t list =
        Hasher().add(data_.of(node).page).add(data_.told(node)).add(t.name).add(name).finish();
    const std::uint64_t value = content.finish();
    for (const bool up : {true, false}) {
      if (!up) std::ranges::reverse(keys);
      const auto at = std::ranges::is_sorted_until(keys);
      out.push_back({Hasher().add(list).add(up).finish(), at == keys.end(), value, list,
                     at == keys.end()
                         ? ""
                         : fmt::format("the list is not in order: \"{}\" stands at the wrong place",
                                       printable(at->words)),
                     data_.of(node).mode});
    }
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_sorted(const History& tree, DataCache& data) {
  return std::make_unique<Sorted>(tree, data);
}

}  // namespace norn

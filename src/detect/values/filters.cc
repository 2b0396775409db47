// A list shows what its filter says: where a text beside a list ("Food", a tab, a title) is said by every row
// as a rule, it is said by every row here. A tab that is not the selected one says nothing. Which text filters which list is learnt for each text apart; "All"
// is said by none.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr std::size_t shortest_filter = 3;

class Filters final : public Expectation {
 public:
  Filters(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "filters"; }
  Learnt learnt() const override { return {.least = 4, .failing = 0.25, .fewest = 2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || tree_.screen(node).kind != Screen::Kind::app) return;
    for (const ShownValue& v : now.values)
      if (v.kind == ShownValue::Kind::text && v.text.size() >= shortest_filter &&
          numbers_in(v.text).empty() && !is_of_unselected(tree_.screen(node), v.widget))
        for (const ShownTable& t : now.tables) look_at(now, v, t, out);
  }

 private:
  static const ShownValue* saying(const ShownRow& row, std::string_view text) {
    const auto at =
        std::ranges::find_if(row.cells, [&](const ShownValue& c) { return says_word(c.text, text); });
    return at == row.cells.end() ? nullptr : &*at;
  }
  static void look_at(const ScreenData& now, const ShownValue& v, const ShownTable& t,
                      std::vector<Case>& out) {
    const ShownRow* first = nullptr;
    const ShownValue* where = nullptr;
    for (const ShownRow& row : t.rows)
      if (const ShownValue* cell = first ? nullptr : saying(row, v.text)) first = &row, where = cell;
    if (!first) return;
    const auto says_otherwise = [&](const ShownRow& row) {  // one that is cut off says nothing
      return !saying(row, v.text) && row.cell(where->name);
    };
    const auto other = std::ranges::find_if(t.rows, says_otherwise);
    const bool held = other == t.rows.end();
    const std::uint64_t list = Hasher().add(now.page).add(t.name).add(v.name).finish();
    out.push_back({.group = Hasher().add(list).add(v.text).finish(),
                   .held = held,
                   .value = t.content(),
                   .wrong = list,
                   .words = held ? ""
                                 : fmt::format("row \"{}\" does not say \"{}\", as the others do",
                                               printable(other->title()), printable(v.text))});
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_filters(const History& tree, DataCache& data) {
  return std::make_unique<Filters>(tree, data);
}

}  // namespace norn

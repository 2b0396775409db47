// What is moved takes with it what it says: where touching a part of a row (Up, Down) moves that row in its
// list, each row still has the ticks it had. Ticks that stay where they were belong to other rows now. It stands
// by itself; a list in which nothing tells the rows apart says nothing.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

/// The ticks of each row, by its title; empty: two rows have the same title, or none has a tick.
using Ticks = std::map<std::string_view, std::string>;
Ticks ticks_of(const ShownTable& table) {
  Ticks out;
  bool any = false;
  for (const ShownRow& row : table.rows) {
    std::string ticks;
    for (const ShownValue& cell : row.cells)
      if (cell.kind == ShownValue::Kind::check) ticks += cell.text + " ";
    any = any || !ticks.empty();
    if (row.title().empty() || !out.emplace(row.title(), std::move(ticks)).second) return {};
  }
  return any ? out : Ticks{};
}

bool same_titles_in_another_order(const ShownTable& a, const ShownTable& b) {
  const auto titles = [](const ShownTable& t) {
    std::vector<std::string_view> out;
    for (const ShownRow& row : t.rows) out.push_back(row.title());
    return out;
  };
  auto was = titles(a), is = titles(b);
  if (was == is) return false;
  std::ranges::sort(was), std::ranges::sort(is);
  return was == is;
}

class MovedWhole final : public Expectation {
 public:
  MovedWhole(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "moved_whole"; }
  Learnt learnt() const override {
    return {.least = 0, .failing = 1, .failing_least = 0.34, .fewest = 2, .chance = 1};
  }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const NodeId before = tree_.parent(node);
    const ScreenData &was = data_.of(before), &is = data_.of(node);
    const auto i = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(before));
    const RowPlace place = i && was.page == is.page ? row_of(was, *i) : RowPlace{};
    if (!place.row || place.row->widget == *i || tree_.screen(before).widgets[*i].is(Flag::checkable)) return;
    const ShownTable* now = is.table(place.table->name);
    if (!now || !same_titles_in_another_order(*place.table, *now)) return;
    const Ticks had = ticks_of(*place.table), has = ticks_of(*now);
    if (had.empty() || has.empty() || std::ranges::all_of(had, [&](const auto& t) {
          return t.second == had.begin()->second;  // whose they are could not be seen
        }))
      return;
    const auto other = std::ranges::find_if(had, [&](const auto& t) { return has.at(t.first) != t.second; });
    const bool held = other == had.end();
    const std::uint64_t list = Hasher().add(was.page).add(place.table->name).add(data_.deed(node)).finish();
    out.push_back({.group = Hasher().add("moved whole").add(list).finish(),
                   .held = held,
                   .value = Hasher().add(place.table->content()).add(place.row->title()).finish(),
                   .wrong = list,
                   .words = held ? ""
                                 : fmt::format("row \"{}\" was moved, and the tick of row \"{}\" has changed",
                                               printable(place.row->title()), printable(other->first)),
                   .row = hash_bytes(place.row->title())});
  }

 private:
  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_moved_whole(const History& tree, DataCache& data) {
  return std::make_unique<MovedWhole>(tree, data);
}

}  // namespace norn

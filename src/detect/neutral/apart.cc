// What is done to one thing is done to that thing. Two rows of a list lead to pages of one kind; a step on
// the page of the one leaves the other's page as it was: who sets the speed of one show does not set that
// of all. So does a step on a tab of that page, seen from the same tab of the other's. Some steps are
// about all things (which of them is played, a total that all share), so this is expected where most kinds
// of steps on such pages keep to it, and a page that says something else whenever it is opened is left
// alone.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/list_steps.h"
#include "detect/offers/places.h"
#include "detect/reading/other_texts.h"
#include "detect/reading/remembered.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_deed = 3;   ///< the same kind of step on pages of one kind
constexpr std::size_t longest_deed = 6;      ///< events of a step: through menus, questions and a form
constexpr std::size_t others_of_a_row = 2;   ///< rows whose pages are looked at
constexpr std::uint32_t deepest_thing = 60;  ///< events before it: longer ones cost much

class Things {
 public:
  explicit Things(const History& tree) : tree_(tree), data_(tree) {}

  std::vector<Pair> all() {
    std::vector<NodeId> order;
    for (std::uint32_t n = 1; n < tree_.size(); ++n)
      if (tree_.depth({n}) <= deepest_thing && undisturbed(tree_, {n})) order.push_back({n});
    std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree_.depth(n); });
    std::map<std::uint64_t, std::vector<Pair>> by_deed;
    std::set<std::uint64_t> seen;
    for (const NodeId after : order) {
      const NodeId opened = changed_since(after);
      if (!opened) continue;
      const std::uint64_t deed = Hasher().add(data_.of(opened).page).add(data_.deed(after)).finish();
      if (auto& pairs = by_deed[deed];
          pairs.size() < pairs_of_a_deed &&
          seen.insert(Hasher().add(deed).add(tree_.key(tree_.parent(opened))).finish()).second)
        looked_at(opened, after, deed, pairs);
    }
    return in_rounds(std::move(by_deed));
  }

 private:
  bool stands(NodeId n) const { return stands_upright(tree_.screen(n)) && !tree_.crash(n); }
  /// The node at which the page of this one was opened by touching a row, if it has been changed by one step
  /// since then or since it was turned to a tab, and the step ends here.
  NodeId changed_since(NodeId after) {
    if (!stands(after) || data_.of(after).popup) return {};
    const NodeId opened = data_.opened(after);
    if (opened == after || opened == tree_.root() ||
        tree_.depth(after) - tree_.depth(opened) > longest_deed || !stands(opened))
      return {};
    const NodeId turned = turned_to_tab(opened, after);
    if (turned == after || same_in_any_order(data_.of(turned), data_.of(after))) return {};
    for (NodeId n = tree_.parent(after); n != turned; n = tree_.parent(n))
      if (!asks(data_.of(n))) return {};
    if (runs_between(opened, after)) return {};
    const NodeId list = tree_.parent(opened);
    return stands(list) && !data_.of(list).popup && touched(opened).row ? opened : NodeId{};
  }
  /// The first node on the way from one to the other, if a touch turned the page to other lists there; else the
  /// page as it was opened.
  NodeId turned_to_tab(NodeId opened, NodeId after) {
    NodeId first = after;
    while (tree_.parent(first) != opened) first = tree_.parent(first);
    const ScreenData &was = data_.of(opened), &is = data_.of(first);
    const auto i = receiver_of(tree_.event(tree_.event_id(first)), tree_.screen(opened));
    const bool turns =
        i && !row_of(was, *i).row && was.page == is.page && !is.popup && !is.tables.empty() &&
        std::ranges::none_of(is.tables, [&](const ShownTable& t) { return was.table(t.name); });
    return turns ? first : opened;
  }
  /// Something was started or stopped, which other pages may say, or undone: that is what was done before,
  /// wherever it was.
  bool runs_between(NodeId opened, NodeId after) {
    for (; after != opened; after = tree_.parent(after)) {
      const Screen& before = tree_.screen(tree_.parent(after));
      if (const auto i = receiver_of(tree_.event(tree_.event_id(after)), before);
          i && (says_running(before, *i) || says_undoing(before, *i)))
        return true;
    }
    return false;
  }
  RowPlace touched(NodeId opened) {
    const NodeId list = tree_.parent(opened);
    const auto i = receiver_of(tree_.event(tree_.event_id(opened)), tree_.screen(list));
    return i ? row_of(data_.of(list), *i) : RowPlace{};
  }
  /// Rows of the list after which this row's page was opened, by the same part of them.
  void looked_at(NodeId opened, NodeId after, std::uint64_t deed, std::vector<Pair>& out) {
    const NodeId list = tree_.parent(opened);
    const std::vector<Event> there = events_between(tree_, list, after);
    const std::vector<Event> turning = events_between(tree_, opened, turned_to_tab(opened, after));
    std::vector<std::vector<Event>> others = with_other_rows(tree_, opened, others_of_a_row);
    for (const auto& other : others) {
      const std::vector<Event> open = joined({other.back()}, turning);
      Pair p{.family = "apart",
             .name = "what is done to one thing changes another",
             .group = deed,
             .base = list,
             .plain = open,
             .other = joined(joined(there, {Key{key::back}}), open),
             .agree = {}};
      p.agree = {{p.plain.size(), p.other.size()}};
      out.push_back(std::move(p));
    }
  }

  const History& tree_;
  DataCache data_;
};

/// Something that was touched on the way is on the other page, too, and is not there as it was: it belongs to
/// both.
bool is_shared(const Pair& cut, const ScreenData& a, const ScreenData& b) {
  std::set<std::string_view> changed;
  for (const ShownTable& t : a.tables)
    if (const ShownTable* now = b.table(t.name))
      for (const ShownRow* row : rows_missing(t, *now)) changed.insert(row->title());
  return std::ranges::any_of(cut.other, [&](const Event& event) {
    const Target* target = target_of(event);
    return target && changed.contains(target->label);
  });
}

/// The last rows that were touched on both ways are called otherwise: the list was put in another order, and the
/// same touch meets another thing.
bool meet_other_rows(const History& tree, DataCache& data, const Pair& cut, NodeId plain, NodeId other) {
  const auto met = [&](NodeId end) -> std::string {
    for (std::size_t k = 1; k < cut.plain.size(); ++k)
      end = tree.parent(end);  // to the page as it was opened
    const NodeId list = tree.parent(end);
    const auto i = receiver_of(tree.event(tree.event_id(end)), tree.screen(list));
    const RowPlace place = i ? row_of(data.of(list), *i) : RowPlace{};
    return place.row ? std::string(place.row->title()) : std::string();
  };
  return met(plain) != met(other);
}

/// A menu was told to show a part: that may be said of all such pages.
bool shows_a_part(DataCache& data, NodeId plain, NodeId other) {
  if (data.chose_what_is_shown(plain) || !data.chose_what_is_shown(other)) return false;
  const auto all = rows_shown(data.of(plain)), part = rows_shown(data.of(other));
  return all != part && std::ranges::includes(all, part);
}

}  // namespace

Status try_apart(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs pairs(c, "neutral");
  struct Kinds {
    std::set<std::uint64_t> kept, changed;  ///< kinds of steps
  };
  std::map<std::uint64_t, Kinds> pages;
  DataCache data(tree);
  pairs.on_compared([&](const Pair& p, NodeId plain, NodeId other) {
    if (data.of(plain).page != data.of(other).page) return;
    Kinds& page = pages[data.of(plain).page];
    (same_in_any_order(data.of(plain), data.of(other)) ? page.kept : page.changed).insert(p.group);
  });
  NORN_CHECK(in_batches(c, Things(tree).all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData &a = data.of(plain), &b = data.of(other);
    if (a.page != b.page || !says_otherwise(a, b) || only_a_place_moves(a, b) || is_shared(cut, a, b) ||
        shows_a_part(data, plain, other) || meet_other_rows(tree, data, cut, plain, other))
      return false;
    const Kinds& page = pages[a.page];
    return page.kept.size() >= 2 * page.changed.size() && pairs.tally(cut.group).failed >= 2 &&
           pairs.tally(cut.group).failed >= pairs.tally(cut.group).held;
  });
}

}  // namespace norn

// What somebody entered, ticked, chose or selected on a page is still so when the device is turned and back,
// and what survives that survives the process's death: both make the page anew from what it had saved. Apps
// differ in how much they keep, but each is of one mind: where most choices of an app survive, a change that
// does not was forgotten. (That stored data survive says nothing, nor that fields do, whose texts the system
// keeps.)
//
// Everything that can be changed on a page is changed (page_changes.h), and its lists are put in order: after
// turning they still are. (That an order goes with the process may be meant.) Some further step shows what was
// forgotten behind the screen; that is `system`'s (neutral.cc).
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/places.h"
#include "detect/reading/remembered.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t pages_kept_on = 2;  ///< from which a page that was opened in one way is tried
constexpr std::size_t changes_of_a_kind = 2;
constexpr std::size_t further_of_a_page = 4;  ///< tabs and the like, from which more can be changed
constexpr std::uint32_t deepest_choice = 80;  ///< events before it: longer ones cost much
const std::vector<Event> turn{Rotate{1}, Rotate{0}}, die{System{"kill", {}}, Launch{}};

Pair made_anew(NodeId changed, const std::vector<Event>& how, bool telling, const std::string& family,
               std::string name) {
  return {.family = family,
          .name = std::move(name),
          .group = Hasher().add(family).finish(),
          .base = changed,
          .plain = {},
          .other = how,
          .agree = {{0, how.size()}},
          .any_order = true,
          .telling = telling};
}

/// What it says and what of it is checked, whatever the order.
std::multiset<std::tuple<std::string, std::string, bool, bool>> texts_of(const Screen& screen) {
  std::multiset<std::tuple<std::string, std::string, bool, bool>> out;
  for (const Widget& w : screen.widgets) out.emplace(w.id, w.text, w.is(Flag::checked), w.is(Flag::selected));
  return out;
}

class Keeping {
 public:
  explicit Keeping(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_), views_(c, data_) {
    const auto chosen = choices();
    for (const NodeId page : opened_pages(tree_, data_, pages_kept_on)) {
      std::size_t further = 0;
      for (const PageChange& change : changes(page))
        if (shows_more(page, change.end) && further++ < further_of_a_page) changes(change.end);
    }
    for (const NodeId page : untouched_lists(tree_, data_)) orders(page);
    for (const auto& [kind, nodes] : chosen) note(kind, nodes), chosen_.insert(nodes.begin(), nodes.end());
    std::ranges::stable_sort(changed_, {}, [&](NodeId n) { return tree_.depth(n); });
  }

  std::vector<Pair> turned() {
    std::vector<Pair> out;
    for (const NodeId n : changed_) {
      out.push_back(made_anew(n, turn, chosen_.contains(n), "turned",
                              "rotating and back loses what was chosen or entered"));
      out.back().any_order = !in_order_.contains(n);
    }
    return out;
  }
  /// Of those that turning keeps.
  std::vector<Pair> died(const std::set<NodeId>& kept) {
    std::vector<Pair> out;
    for (const NodeId n : changed_)
      if (kept.contains(n) && !in_order_.contains(n) &&
          !brings_controls(n))  // a selection may end with the process
        out.push_back(made_anew(n, die, chosen_.contains(n), "died",
                                "what was changed survives rotating, but is lost when the process dies"));
    return out;
  }
  /// Both show this page, and something that both have differs; the same in another order was shuffled.
  bool lost(NodeId plain, NodeId other) {
    return data_.of(plain).page == data_.of(other).page &&
           texts_of(tree_.screen(plain)) != texts_of(tree_.screen(other)) &&
           (choices_differ(tree_.screen(plain), tree_.screen(other)) ||
            says_otherwise(data_.of(plain), data_.of(other)));
  }
  /// The list that was put in order stands as it did before.
  bool order_lost(NodeId changed, NodeId other) {
    const auto at = in_order_.find(changed);
    return at != in_order_.end() && data_.of(changed).page == data_.of(other).page &&
           contents_of(data_.of(other)) == contents_of(data_.of(at->second));
  }
  /// Something is hidden again that was shown: a password.
  bool hides(NodeId plain, NodeId other) {
    return std::ranges::any_of(data_.of(plain).values, [&](const ShownValue& v) {
      const ShownValue* is = data_.of(other).value(v.name);
      return is && is->text != v.text && is_masked(is->text);
    });
  }
  /// Something was started or stopped: a song does not go on in a dead process.
  bool goes_by_itself(NodeId changed) {
    const NodeId before = tree_.parent(changed);
    const auto i = receiver_of(tree_.event(tree_.event_id(changed)), tree_.screen(before));
    return i && says_running(tree_.screen(before), *i);
  }
  /// The page says what it said right after the change: what came of that by itself (a download) was not there
  /// yet.
  bool was_still_to_come(NodeId changed, NodeId other) {
    return same_in_any_order(data_.of(changed), data_.of(other));
  }
  /// The page is as it was before the change: what had come up with something to touch (the message that is
  /// answered) is gone.
  bool all_lost(NodeId changed, NodeId other) {
    return brings_controls(changed) && same_in_any_order(data_.of(before_.at(changed)), data_.of(other));
  }
  /// Something was entered, chosen or selected, not merely a button pressed.
  bool somebodys(NodeId changed) {
    const Event& last = tree_.event(tree_.event_id(changed));
    const auto* tap = std::get_if<Tap>(&last);
    const bool shown =
        tap && data_.of(tree_.parent(changed)).popup && data_.of(changed).says(tap->target.label);
    return chosen_.contains(changed) || brings_controls(changed) || std::holds_alternative<Key>(last) ||
           shown;
  }
  /// The page keeps at least as many kinds of changes as it loses: one that is loaded anew, or begins anew,
  /// keeps nothing. Whatever the label: "Remove Milk" and "Remove Eggs" are of one kind.
  bool keeps_more(NodeId changed, const std::set<NodeId>& kept) {
    std::set<std::uint64_t> held, lost;
    for (const NodeId n : changed_)
      if (data_.of(n).page == data_.of(changed).page)
        (kept.contains(n) ? held : lost).insert(kind_of_change(n));
    return held.size() >= lost.size();
  }
  /// The app does it to its first page without any change: that may count how often it was started.
  bool comes_anyway(const Pair& cut, NodeId plain, NodeId other) {
    const NodeId end = ends_of(c_, tree_.root(), {cut.other}).front();
    return end && std::ranges::includes(kinds_that_differ(tree_.screen(tree_.root()), tree_.screen(end)),
                                        kinds_that_differ(tree_.screen(plain), tree_.screen(other)));
  }
  /// With the change something came up that can be touched: the bar of a selection, or of what is edited now.
  bool brings_controls(NodeId changed) {
    const auto at = before_.find(changed);
    return at != before_.end() && !came_up(tree_.screen(at->second), tree_.screen(changed)).empty();
  }

 private:
  std::uint64_t kind_of_change(NodeId n) const {
    const auto role = role_of(tree_.event(tree_.event_id(n)), tree_.screen(tree_.parent(n)));
    return role ? role->general : 0;
  }
  std::vector<PageChange> changes(NodeId page) {
    auto out = c_.left() ? page_changes(c_, data_, page) : std::vector<PageChange>{};
    for (const PageChange& change : out) {
      note(change.what, {change.end});
      before_.try_emplace(change.end, page);
      if (choices_differ(tree_.screen(page), tree_.screen(change.end))) chosen_.insert(change.end);
    }
    return out;
  }
  /// Views of the page's lists that show the same rows otherwise.
  void orders(NodeId page) {
    const auto rows = rows_by_texts(data_.of(page));
    for (const ListView& view : c_.left() ? views_.of(page) : std::vector<ListView>{}) {
      if (rows_by_texts(data_.of(view.shown)) != rows) continue;
      note(Hasher().add("order").add(data_.of(page).page).add(describe(view.there.back())).finish(),
           {view.shown});
      before_.try_emplace(view.shown, page), in_order_.try_emplace(view.shown, page);
    }
  }
  void note(std::uint64_t kind, const std::vector<NodeId>& nodes) {
    for (const NodeId n : nodes)
      if (known_[kind]++ < changes_of_a_kind) changed_.push_back(n);
  }
  /// Another tab, or a field that came up: what can be changed there is another matter.
  bool shows_more(NodeId page, NodeId end) {
    const ScreenData &was = data_.of(page), &now = data_.of(end);
    return std::ranges::any_of(now.values, [&](const ShownValue& v) { return !was.value(v.name); }) ||
           std::ranges::any_of(now.tables, [&](const ShownTable& t) { return !was.table(t.name); });
  }
  /// What walks chose on a page that is still there, by kind, shallow ones first.
  std::map<std::uint64_t, std::vector<NodeId>> choices() {
    std::map<std::uint64_t, std::vector<NodeId>> out;
    for (std::uint32_t k = 1; k < tree_.size(); ++k) {
      const NodeId n{k}, before = tree_.parent(n);
      if (tree_.depth(n) <= deepest_choice && !tree_.crash(n) && stands_upright(tree_.screen(n)) &&
          tree_.screen(before).rotation == 0 && !data_.of(n).popup &&
          data_.of(before).page == data_.of(n).page &&
          choices_differ(tree_.screen(before), tree_.screen(n)) && !swiped(tree_, n))
        out[Hasher().add(data_.of(n).page).add(data_.deed(n)).finish()].push_back(n);
    }
    for (auto& [kind, nodes] : out)
      std::ranges::stable_sort(nodes, {}, [&](NodeId n) { return tree_.depth(n); });
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  ListViews views_;
  std::map<NodeId, NodeId> in_order_;           ///< the page before its list was put in order
  std::map<std::uint64_t, std::size_t> known_;  ///< changes of a kind
  std::vector<NodeId> changed_;
  std::map<NodeId, NodeId> before_;  ///< the page before what was changed on it
  std::set<NodeId> chosen_;          ///< of them, those where something was ticked, chosen or selected
};

}  // namespace

Status try_kept(OracleContext& c) {
  const History& tree = c.replay.history();
  OracleContext looking = c.part(looking_share);
  Keeping keeping(looking);
  Pairs turned(c, "neutral"), died(c, "neutral");
  std::set<NodeId> kept;
  turned.on_compared([&](const Pair& p, NodeId plain, NodeId other) {
    if (alike(tree.screen(plain), tree.screen(other))) kept.insert(p.base);
  });
  NORN_CHECK(in_batches(c, keeping.turned(),
                        [&](std::vector<Pair> batch) { return turned.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, keeping.died(kept),
                        [&](std::vector<Pair> batch) { return died.attempt(std::move(batch)); }));
  NORN_CHECK(turned.report(Habit::held_mostly, [&](const Pair& p, NodeId plain, NodeId other) {
    if (!p.any_order) return keeping.order_lost(p.base, other) && !keeping.comes_anyway(p, plain, other);
    return (keeping.lost(plain, other) || keeping.all_lost(p.base, other)) &&
           (keeping.somebodys(p.base) || keeping.keeps_more(p.base, kept)) && !keeping.hides(plain, other) &&
           !keeping.comes_anyway(p, plain, other);
  }));
  return died.report(Habit::held_mostly, [&](const Pair& p, NodeId plain, NodeId other) {
    return keeping.lost(plain, other) &&  // what is offered for a while may go with the process
           !keeping.goes_by_itself(p.base) && !keeping.was_still_to_come(p.base, other) &&
           !keeping.hides(plain, other) && !keeping.comes_anyway(p, plain, other);
  });
}

}  // namespace norn

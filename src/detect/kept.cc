// What somebody entered, ticked, chose or selected on a page is still so when the device is turned and back, and what survives that survives the process's death: both make the page anew
// from what it had saved. Apps differ in how much they keep, but each is of one mind: where most kinds of changes of an app survive, one that does not was forgotten.
//
// Everything that can be changed on a page is changed (page_changes.h). Some further step shows what was forgotten behind the screen; that is `system`'s (neutral.cc).
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral.h"
#include "detect/page_changes.h"
#include "detect/places.h"
#include "detect/remembered.h"

namespace norn {
namespace {

constexpr std::size_t pages_of_a_kind = 2;    ///< from which a page that was opened in one way is tried
constexpr std::size_t pairs_of_a_change = 2;  ///< the same kind of change
const std::vector<Event> turn{Rotate{1}, Rotate{0}}, die{System{"kill", {}}, Launch{}};

Pair made_anew(NodeId changed, const std::vector<Event>& how, std::string family, std::string name) {
  return {.family = family,
          .name = std::move(name),
          .group = Hasher().add(family).finish(),
          .base = changed,
          .plain = {},
          .other = how,
          .agree = {{0, how.size()}},
          .any_order = true};
}

class Keeping {
 public:
  explicit Keeping(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {
    std::map<std::uint64_t, std::vector<PageChange>> by_kind;
    for (const NodeId page : opened_pages(tree_, data_, pages_of_a_kind)) {
      if (!c_.left()) break;
      for (PageChange& change : page_changes(c_, data_, page))
        if (auto& known = by_kind[change.what]; known.size() < pairs_of_a_change)
          known.push_back(std::move(change));
    }
    for (auto& [kind, changes] : by_kind)
      for (PageChange& change : changes) changes_.push_back(std::move(change));
    std::ranges::stable_sort(changes_, {}, [&](const PageChange& p) { return tree_.depth(p.end); });
  }

  std::vector<Pair> turned() {
    std::vector<Pair> out;
    for (const PageChange& change : changes_)
      out.push_back(
          made_anew(change.end, turn, "turned", "turning the device and back loses what was changed"));
    return out;
  }
  /// Of those that turning keeps.
  std::vector<Pair> died(const std::set<NodeId>& kept) {
    std::vector<Pair> out;
    for (const PageChange& change : changes_)
      if (kept.contains(change.end))
        out.push_back(made_anew(change.end, die, "died",
                                "what was changed survives turning the device, but not the process's death"));
    return out;
  }
  /// Both show this page, and something that both have differs.
  bool lost(NodeId plain, NodeId other) {
    return data_.of(plain).page == data_.of(other).page &&
           (choices_differ(tree_.screen(plain), tree_.screen(other)) ||
            says_otherwise(data_.of(plain), data_.of(other)));
  }

 private:
  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::vector<PageChange> changes_;
};

}  // namespace

Status try_kept(OracleContext& c) {
  const History& tree = c.replay.history();
  Keeping keeping(c);
  Pairs turned(c, "neutral"), died(c, "neutral");
  std::set<NodeId> kept;
  turned.on_compared([&](const Pair& p, NodeId plain, NodeId other) {
    if (alike(tree.screen(plain), tree.screen(other))) kept.insert(p.base);
  });
  NORN_CHECK(in_batches(c, keeping.turned(),
                        [&](std::vector<Pair> batch) { return turned.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, keeping.died(kept),
                        [&](std::vector<Pair> batch) { return died.attempt(std::move(batch)); }));
  const auto stands = [&](const Pair&, NodeId plain, NodeId other) { return keeping.lost(plain, other); };
  NORN_CHECK(turned.report(Habit::held_mostly, stands));
  return died.report(Habit::held_mostly, stands);
}

}  // namespace norn

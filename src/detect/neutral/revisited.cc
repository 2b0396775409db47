// What was done on a page is still done when another page was opened from it, or the next step of several, and
// left again: the chosen day, the filter, the order, the row that was ticked. Lost is what is altogether as it
// was before the step, or ticks of which none is left. Some things are meant to end so (a selection, a message),
// so this is expected where most kinds of steps of the app survive.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_steps.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"
#include "detect/reading/remembered.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t visits_of_a_step = 2;   ///< the same kind of step on the same page
constexpr std::size_t pages_visited = 2;      ///< opened after it and left again
constexpr std::size_t longest_kept_step = 4;  ///< events of a step: through menus and questions
constexpr const char *to_a_page = "revisited", *onward = "one step back";  ///< families of pairs
constexpr std::uint32_t deepest_kept = 80;  ///< events before it: longer ones cost much

class Revisits {
 public:
  explicit Revisits(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    std::vector<NodeId> order;
    for (std::uint32_t n = 1; n < tree_.size(); ++n)
      if (before({n})) order.push_back({n});
    std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree_.depth(n); });
    std::map<std::uint64_t, std::vector<Pair>> by_step;
    std::map<std::uint64_t, std::size_t> tried;
    for (const NodeId n : order) {
      const std::uint64_t step = Hasher().add(kind(n)).add(checked_on(tree_.screen(n))).finish();
      if (tried[step] >= visits_of_a_step) continue;
      auto& pairs = by_step[step];
      const std::size_t had = pairs.size();
      const LayoutId layout = c_.groups.layout_of(n);
      const auto add = [&](const std::vector<Event>& opening, const char* family) {
        for (std::size_t k = 0, added = 0; k < opening.size() && added < pages_visited; ++k)
          if (!came_with_step(n, opening[k])) pairs.push_back(there_and_back(n, opening[k], family)), ++added;
      };
      add(known_events(c_, layout, n, true), to_a_page);
      add(events_onward(c_, layout, n), onward);
      tried[step] += pairs.size() > had;
    }
    return in_rounds(std::move(by_step));
  }

  enum class Became : std::uint8_t { kept, undone, other };
  /// What became of the step to the base of a pair.
  Became became(const Pair& pair, NodeId revisited) {
    const NodeId base = pair.base;
    const ScreenData &was = data_.of(before(base)), &now = data_.of(base), &then = data_.of(revisited);
    const auto is_gone = [&](const ShownValue& v) {
      return v.kind != ShownValue::Kind::text && !then.value(v.name);
    };
    if (pair.family == onward &&
        (std::ranges::any_of(now.tables, [&](const ShownTable& t) { return !then.table(t.name); }) ||
         std::ranges::any_of(now.values, is_gone)))
      return Became::other;  // it is not the same step
    if (then.page == now.page && chooses(before(base), base))
      return !chooses(base, revisited)                                            ? Became::kept
             : !chooses(before(base), revisited) || nothing_is_checked(revisited) ? Became::undone
                                                                                  : Became::other;
    const auto done = slots_in_both_that_differ(was, now), still = slots_in_both_that_differ(was, then),
               lost = slots_in_both_that_differ(now, then);
    if (then.page != now.page || done.empty()) return Became::other;
    const auto among = [](const std::set<std::uint64_t>& a, const std::set<std::uint64_t>& b) {
      return std::ranges::count_if(a, [&](std::uint64_t name) { return b.contains(name); });
    };
    if (among(done, lost) == 0) return Became::kept;
    return among(done, lost) == std::ssize(done) && among(done, still) == 0 ? Became::undone : Became::other;
  }
  /// All that differs is the row that was opened meanwhile: who has seen it has read it.
  bool only_opened_row_differs(const Pair& cut, NodeId plain, NodeId other) {
    const auto i = receiver_of(cut.other.front(), tree_.screen(cut.base));
    const ShownRow* opened = i ? row_of(data_.of(cut.base), *i).row : nullptr;
    if (!opened) return false;
    const auto others = [&](NodeId n) {
      ScreenData d = data_.of(n);
      for (ShownTable& t : d.tables)
        std::erase_if(t.rows, [&](const ShownRow& r) { return r.title() == opened->title(); });
      return d;
    };
    return same_in_any_order(others(plain), others(other));
  }
  /// The page and what was done on it.
  std::uint64_t kind(NodeId node) { return Hasher().add(data_.of(node).page).add(data_.deed(node)).finish(); }

 private:
  bool nothing_is_checked(NodeId n) const { return checked_on(tree_.screen(n)) == 0; }
  /// How many things are checked, as far as that may decide whether one may go on: some forms want two.
  static std::uint64_t checked_on(const Screen& screen) {
    const auto is_checked = [](const Widget& w) { return w.is(Flag::checked); };
    return static_cast<std::uint64_t>(
        std::min<std::ptrdiff_t>(std::ranges::count_if(screen.widgets, is_checked), 2));
  }
  /// It touches what the step changed or brought up, or starts something: the buttons of a selection end it, and
  /// who opens what was marked as new has seen it.
  bool came_with_step(NodeId node, const Event& open) {
    const Screen &was = tree_.screen(before(node)), &now = tree_.screen(node);
    const auto i = receiver_of(open, now);
    if (!i) return false;
    if (says_running(now, *i)) return true;  // who plays something does it
    if (const RowPlace place = row_of(data_.of(node), *i); place.row) {
      const ShownTable* old = data_.of(before(node)).table(place.table->name);
      const auto same = [&](const ShownRow& r) { return r.title() == place.row->title(); };
      return old && std::ranges::any_of(old->rows, same) &&
             !rows_shown(data_.of(before(node))).contains(place.row->content);
    }
    const auto fresh = came_up(was, now);
    return std::ranges::find(fresh, *i) != fresh.end();
  }
  bool chooses(NodeId a, NodeId b) { return choices_differ(tree_.screen(a), tree_.screen(b)); }
  bool stands(NodeId n) { return stands_upright(tree_.screen(n)) && !tree_.crash(n) && !data_.of(n).popup; }
  /// The page before the step that led to this node, if that changed something that was there before; none.
  NodeId before(NodeId node) {
    if (tree_.depth(node) > deepest_kept || !stands(node) || !undisturbed(tree_, node)) return {};
    const NodeId last = data_.last_visit(node, longest_kept_step);
    return last && stands(last) && data_.opened(last) == data_.opened(node) &&
                   only_asked_between(last, node) &&
                   (chooses(last, node) || !slots_in_both_that_differ(data_.of(last), data_.of(node)).empty())
               ? last
               : NodeId{};
  }
  /// No other page lies between: one that led here may have opened this page anew, on top of itself.
  bool only_asked_between(NodeId last, NodeId node) {
    for (NodeId n = tree_.parent(node); n != last; n = tree_.parent(n))
      if (!data_.of(n).popup && !asks(data_.of(n))) return false;
    return true;
  }
  static Pair there_and_back(NodeId node, const Event& open, const char* family) {
    return {.family = family,
            .name = "opening a page and coming back undoes what was done before",
            .group = Hasher().add("revisited").finish(),
            .base = node,
            .plain = {},
            .other = {open, Key{key::back}},
            .agree = {{0, 2}}};
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
};

}  // namespace

Status try_revisited(OracleContext& c) {
  Revisits revisits(c);
  Pairs pairs(c, "neutral");
  struct Kinds {
    std::set<std::uint64_t> kept, undone;  ///< kinds of steps
  };
  std::map<std::string, Kinds> families;
  pairs.on_compared([&](const Pair& p, NodeId, NodeId other) {
    const auto what = revisits.became(p, other);
    if (what == Revisits::Became::kept) families[p.family].kept.insert(revisits.kind(p.base));
    if (what == Revisits::Became::undone) families[p.family].undone.insert(revisits.kind(p.base));
  });
  NORN_CHECK(in_batches(c, revisits.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    const auto& [kept, undone] = families[cut.family];
    // Few pages have several steps: of which something is kept, and others not, something was forgotten.
    const bool is_habit = cut.family == onward ? !kept.empty() : kept.size() > 2 * undone.size();
    return !revisits.only_opened_row_differs(cut, plain, other) && is_habit &&
           !kept.contains(revisits.kind(cut.base)) && revisits.became(cut, other) == Revisits::Became::undone;
  });
}

}  // namespace norn

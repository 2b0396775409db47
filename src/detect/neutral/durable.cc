// What a page shows when it is opened again was kept somewhere.
//
//   stays    what was changed on a page is as it was left when the page is left and opened again: a row that
//            was removed does not come back. A page may begin anew with its filters, so this is expected of
//            changes to one of its rows while nothing else on it changed, and where at least half of the
//            kinds of steps on that page keep to it.
//   durable  a page that was just opened shows nothing that only the page knows. If it shows something else
//            after its process died and came back, that was not stored, or was not brought up to date: a
//            setting that is forgotten, a page that obeys a setting only when the app is started anew. So
//            pages are opened after a step on them, and after each setting that lies beside them. Expected
//            where most pages of the app keep to it.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/list_steps.h"
#include "detect/offers/openings.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"
#include "detect/reading/remembered.h"
#include "detect/reading/typed.h"
#include "gui/difference.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_change = 2;  ///< the same kind of step on the same page
constexpr std::size_t pairs_of_an_opened_page = 8;
constexpr std::size_t pages_of_a_setting = 6;  ///< opened after it was changed
constexpr std::size_t longest_change = 5;      ///< events of a step: through menus and questions
constexpr std::uint32_t deepest_step = 120;    ///< events before it: longer ones cost much
constexpr std::array confirming{"save", "done", "apply", "confirm"};
const std::vector<Event> die_and_return{System{"kill", {}}, Launch{}};

/// A page as it is, that stands still and can be left.
bool plain_page(const History& tree, DataCache& data, NodeId node) {
  return stands_upright(tree.screen(node)) && !tree.crash(node) && !data.of(node).popup &&
         tree.depth(node) <= deepest_step && !swiped(tree, node);
}

bool checkable(const Widget& w) { return w.is(Flag::checkable); }

class Changes {
 public:
  explicit Changes(const History& tree) : tree_(tree), data_(tree), openings_(tree, data_) {
    for (std::uint32_t n = 0; n < tree_.size(); ++n)
      if (plain_page(tree_, data_, {n})) order_.push_back({n});
    std::ranges::stable_sort(order_, {}, [&](NodeId n) { return tree_.depth(n); });
    for (const NodeId n : order_)
      if (n != tree_.root() && hands_on(n)) hands_on_.insert(data_.of(tree_.parent(n)).page);
  }

  /// The page before the step that led to this node; none: it changed nothing here.
  NodeId before(NodeId node) {
    const NodeId last = data_.last_visit(node, longest_change);
    return last && !same_in_any_order(data_.of(last), data_.of(node)) ? last : NodeId{};
  }

  std::vector<Pair> stays() {
    return of_each_change([&](NodeId node, const std::vector<Event>& again) {
      return Pair{.family = "stays",
                  .name = "what was changed on a page is undone by leaving it and opening it again",
                  .group = data_.of(node).page,
                  .base = node,
                  .plain = {},
                  .other = again,
                  .agree = {{0, again.size()}},
                  .any_order = true};
    });
  }
  std::vector<Pair> durable() {
    auto out =
        of_each_change([&](NodeId node, const std::vector<Event>& again) { return dying(node, again); });
    std::ranges::move(just_opened(), std::back_inserter(out));
    std::ranges::move(after_settings(), std::back_inserter(out));
    return out;
  }
  /// Something beside the lists confirms what was done here, or left this page at some time and added rows to
  /// the one below: who leaves the page in another way has given it up.
  bool is_to_be_confirmed(NodeId node) {
    const Screen& screen = tree_.screen(node);
    for (std::size_t i = 0; i < screen.widgets.size(); ++i)
      if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && !row_of(data_.of(node), i).row &&
          std::ranges::any_of(confirming, [&](const char* word) { return calls_itself(screen, i, word); }))
        return true;
    return hands_on_.contains(data_.of(node).page);
  }
  /// Something that can be checked was touched in the step to this node, or a menu that has such: it may have
  /// been a filter.
  bool by_a_check(NodeId node) {
    for (NodeId n = node; n != before(node); n = tree_.parent(n)) {
      const NodeId at = tree_.parent(n);
      const Screen& screen = tree_.screen(at);
      const auto i = receiver_of(tree_.event(tree_.event_id(n)), screen);
      if ((i && checkable(screen.widgets[*i])) ||
          (data_.of(at).popup && std::ranges::any_of(screen.widgets, checkable)))
        return true;
    }
    return false;
  }
  /// What a pair of `durable` opens, left and opened once more: it must be the same page each time, not one
  /// that is dealt anew.
  std::vector<Event> opened_twice(const Pair& pair) {
    std::vector<Event> once(pair.plain.begin(), pair.plain.end() - 1);  // without the wait
    return joined(joined(once, once.empty() ? openings_.leave_and_open(pair.base) : once),
                  {pair.plain.back()});
  }
  DataCache& data() { return data_; }

 private:
  bool hands_on(NodeId node) {
    const NodeId left = tree_.parent(node), opened = data_.opened(left);
    const auto touched = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(left));
    if (!touched || row_of(data_.of(left), *touched).row || opened == tree_.root() ||
        leads_up(tree_.screen(left).widgets[*touched]) || says_undoing(tree_.screen(left), *touched))
      return false;
    const ScreenData &below = data_.of(openings_.from(opened)), &now = data_.of(node);
    return now.page == below.page && now.page != data_.of(left).page &&
           std::ranges::any_of(now.tables, [&](const ShownTable& t) {
             const ShownTable* was = below.table(t.name);
             return was && t.rows.size() > was->rows.size();
           });
  }
  /// What the system does, and waiting and going back, are no steps on a page.
  static bool is_a_touch(const Event& event) {
    return std::holds_alternative<Tap>(event) || std::holds_alternative<LongPress>(event) ||
           std::holds_alternative<Swipe>(event) || std::holds_alternative<Type>(event);
  }
  template <class Make>
  std::vector<Pair> of_each_change(Make make) {
    std::map<std::uint64_t, std::vector<Pair>> by_step;
    for (const NodeId n : order_) {
      if (n == tree_.root() || !is_a_touch(tree_.event(tree_.event_id(n))) || !before(n)) continue;
      auto& pairs = by_step[Hasher().add(data_.of(n).page).add(data_.deed(n)).finish()];
      if (pairs.size() >= pairs_of_a_change) continue;
      if (const auto again = openings_.leave_and_open(n); !again.empty()) pairs.push_back(make(n, again));
    }
    return in_rounds(std::move(by_step));
  }
  Pair dying(NodeId node, const std::vector<Event>& again) {
    const std::size_t k = again.size();
    return {.family = "durable",
            .name = "what a page shows when it is opened is lost when the process dies",
            .group = Hasher().add("durable").finish(),
            .base = node,
            .plain = again,
            .other = joined(again, die_and_return),
            .agree = {{k, k + 2}},
            .any_order = true};
  }
  /// Pages as they were opened, in each of the ways they say something beside their numbers.
  std::vector<Pair> just_opened() {
    std::map<std::uint64_t, std::vector<Pair>> by_page;
    std::set<std::uint64_t> told;
    for (const NodeId n : order_) {
      if (data_.opened(n) != n) continue;
      Hasher says;
      says.add(data_.of(n).page);
      for (const ShownValue& v : data_.of(n).values) says.add(words_beside_numbers(v.text));
      auto& pairs = by_page[data_.of(n).page];
      if (pairs.size() < pairs_of_an_opened_page && told.insert(says.finish()).second)
        pairs.push_back(dying(n, {}));
    }
    return in_rounds(std::move(by_page));
  }

  /// A switch or choice of a page is set; then the page is left and the others are opened that can be from
  /// where one is.
  std::vector<Pair> after_settings() {
    const auto ways = openings_.ways_to_pages(order_);  // shallow ones first
    std::map<std::uint64_t, std::vector<Pair>> by_setting;
    for (const NodeId n : order_) {
      if (n == tree_.root() || tree_.parent(n) != before(n) || !by_a_check(n)) continue;
      auto& pairs = by_setting[Hasher().add(data_.of(n).page).add(data_.deed(n)).finish()];
      const NodeId opened = data_.opened(n);
      if (!pairs.empty() || opened == tree_.root()) continue;
      const auto from = ways.find(data_.of(openings_.from(opened)).page);
      if (from == ways.end()) continue;
      for (const auto& [page, way] : from->second)
        if (page != data_.of(n).page && pairs.size() < pages_of_a_setting)
          pairs.push_back(dying(n, joined({Key{key::back}}, way)));
    }
    return in_rounds(std::move(by_setting));
  }

  const History& tree_;
  DataCache data_;
  Openings openings_;
  std::vector<NodeId> order_;
  std::set<std::uint64_t> hands_on_;  ///< pages that were left by a button which added rows to the one below
};

/// One row was changed, added or removed: who does that means that row; more at once may be another view of
/// all.
bool one_row_changed(const ScreenData& was, const ScreenData& now) {
  const auto before = rows_shown(was), after = rows_shown(now);
  std::vector<std::uint64_t> gone, come;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  std::ranges::set_difference(after, before, std::back_inserter(come));
  return gone.size() <= 1 && come.size() <= 1 && gone.size() + come.size() > 0;
}

/// A row is gone that nobody entered: it was loaded, and would have to be loaded again.
bool was_loaded(const History& tree, NodeId node, const ScreenData& alive, const ScreenData& afresh) {
  std::vector<std::string_view> typed;
  for (NodeId n = node; n != tree.root(); n = tree.parent(n))
    if (const std::string* text = typed_text(tree.event(tree.event_id(n)))) typed.push_back(*text);
  return std::ranges::any_of(alive.tables, [&](const ShownTable& t) {
    return std::ranges::any_of(t.rows, [&](const ShownRow& row) {
      return !afresh.says(row.title()) && std::ranges::none_of(typed, [&](std::string_view text) {
        return !text.empty() && row.says(text);
      });
    });
  });
}

}  // namespace

Status try_durable(OracleContext& c) {
  const History& tree = c.replay.history();
  Changes changes(tree);
  Pairs stays(c, "neutral"), durable(c, "neutral");
  struct Kept {
    std::set<std::uint64_t> kept, lost;  ///< kinds of steps
  };
  std::map<std::uint64_t, Kept> pages;
  stays.on_compared([&](const Pair& p, NodeId left, NodeId again) {
    const auto was = rows_shown(changes.data().of(changes.before(p.base)));
    const auto now = rows_shown(changes.data().of(left)), then = rows_shown(changes.data().of(again));
    if (was == now) return;
    if (now == then) pages[p.group].kept.insert(changes.data().deed(p.base));
    if (was == then) pages[p.group].lost.insert(changes.data().deed(p.base));
  });
  NORN_CHECK(in_batches(c, changes.stays(),
                        [&](std::vector<Pair> batch) { return stays.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, changes.durable(),
                        [&](std::vector<Pair> batch) { return durable.attempt(std::move(batch)); }));
  NORN_CHECK(stays.report(Habit::none, [&](const Pair& cut, NodeId left, NodeId again) {
    const ScreenData &was = changes.data().of(changes.before(cut.base)), &now = changes.data().of(left),
                     &then = changes.data().of(again);
    const Kept& page = pages[cut.group];
    return !changes.by_a_check(cut.base) && !changes.is_to_be_confirmed(cut.base) &&
           only_data_differs(was, now) && only_data_differs(now, then) && one_row_changed(was, now) &&
           rows_shown(was) == rows_shown(then) && page.kept.size() >= page.lost.size();
  }));
  return durable.report(Habit::held_mostly, [&](const Pair& cut, NodeId alive, NodeId afresh) {
    const ScreenData &a = changes.data().of(alive), &b = changes.data().of(afresh);
    if (a.page != b.page || !says_otherwise(a, b) || was_loaded(tree, cut.base, a, b) ||
        touched_between(tree, tree.root(), alive, says_running))  // a song does not go on in a dead process
      return false;
    const auto twice = changes.opened_twice(cut);
    const Outcome again = c.replay.ask({.from = cut.base, .events = c.replay.intern(twice)}, c.stop);
    return again.verdict == Verdict::yes && same_in_any_order(changes.data().of(again.end), a);
  });
}

}  // namespace norn

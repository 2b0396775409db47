// How a list is shown decides nothing about what is done to a row of it. Sorted, filtered or searched, what is done to a row does what it does without, and when the list is
// shown as before, it looks as if it had never been shown otherwise. A row that is found again by its place does not: the place is that of the other order.
//
// A view is an entry of a menu or of a choice that can be checked, or a text in a field beside the list, with the way back; only those are used that change nothing by themselves.
// An action begins by touching a row and may go on through menus and questions; the tree knows them. Of the rows those are tried that stand at another place
// in the view. Reported is what needs no habit: in the view, the action does to this row what without the view it does to another one.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/forms.h"
#include "detect/neutral.h"
#include "detect/other_texts.h"
#include "detect/places.h"
#include "detect/remembered.h"
#include "gui/difference.h"
#include "gui/popup.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::uint32_t deepest_list = 60;  ///< events before it: longer ones cost much
constexpr std::size_t lists_of_a_page =
    2;  ///< inputs from which the rows of a page are touched that was opened in one way
constexpr std::size_t longest_action = 4;  ///< events: a row, a menu, a question
constexpr std::size_t actions_of_a_page = 8, views_of_a_page = 8;
constexpr std::size_t rows_of_a_view = 2;  ///< touched by each action
constexpr std::size_t rows_compared = 8;   ///< which the touched one may have been taken for
constexpr std::size_t query_letters = 4;

struct View {
  std::vector<Event> there, back;
};
struct Action {
  std::vector<Event> events;          ///< the first one touches a row
  std::uint64_t table = 0, kind = 0;  ///< of what it touches: the list, and what in a row
  std::size_t inside = 0;             ///< where in the row that is
  bool stays = false;                 ///< on the page
  int rank = 0;                       ///< what removes a row first, then what opens another page
};

bool touches_something(const Event& event) {
  return std::holds_alternative<Tap>(event) || std::holds_alternative<LongPress>(event) ||
         std::holds_alternative<Swipe>(event);
}

std::uint64_t kind_of_widget(const Widget& w) { return Hasher().add(w.cls).add(w.id).finish(); }

/// No other row of the list bears its label.
bool named_alone(const Screen& screen, const ShownTable& table, const ShownRow& row) {
  return std::ranges::count_if(table.rows, [&](const ShownRow& r) {
           return label(screen, r.widget) == label(screen, row.widget);
         }) == 1;
}

/// The same done to this row; nothing: it has no such part.
std::optional<std::vector<Event>> done_to(const Action& action, const Screen& screen, const ShownRow& row) {
  const std::size_t widget = row.widget + action.inside;
  if (widget >= row.end || kind_of_widget(screen.widgets[widget]) != action.kind) return std::nullopt;
  std::vector<Event> out = action.events;
  std::visit(
      [&](auto& e) {
        if constexpr (requires { e.target.label; }) e.target = make_target(screen, widget);
        if constexpr (requires { e.at.x; }) e.at = screen.widgets[widget].bounds.center();
      },
      out.front());
  return out;
}

class Viewing {
 public:
  explicit Viewing(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {
    for (std::uint32_t n = 0; n < tree_.size(); ++n)
      if (!tree_.crash(NodeId{n}) && tree_.depth({n}) <= deepest_list && calm({n})) order_.push_back({n});
    std::ranges::stable_sort(order_, {}, [&](NodeId n) { return tree_.depth(n); });
    for (const NodeId n : order_) learn_actions(n);
    for (std::uint32_t n = 1; n < tree_.size(); ++n) learn_menus({n});
    for (auto& [page, all] : actions_) {
      std::ranges::stable_sort(all, {}, [](const Action& a) { return std::pair(a.rank, a.events.size()); });
      if (all.size() > actions_of_a_page) all.erase(all.begin() + actions_of_a_page, all.end());
    }
  }

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::size_t> tried;
    for (const NodeId n : order_) {
      const auto known = actions_.find(data_.of(n).page);
      if (known == actions_.end() || data_.of(n).popup || !c_.left()) continue;
      const bool listed =
          std::ranges::any_of(data_.of(n).tables, [](const ShownTable& t) { return t.rows.size() >= 2; });
      if (!listed || !seen_.insert(Hasher().add("list").add(tree_.key(n)).finish()).second ||
          tried[Hasher().add(data_.of(n).page).add(data_.opener(n)).finish()]++ >= lists_of_a_page)
        continue;
      for (const auto& [view, shown] : views(n)) in_view(n, view, shown, known->second);
    }
    return in_rounds(std::move(by_situation_));
  }

  /// In the view, the action did to the row what it does to another one without it.
  bool took_another(const Pair& cut, NodeId other_end) {
    const auto at =
        made_.find(Hasher().add(cut.base.value).add(describe(cut.plain.front())).add(cut.group).finish());
    const std::uint64_t what = Hasher().add(data_.of(cut.base).page).add(data_.of(other_end).page).finish();
    if (at == made_.end() || told_.contains(what)) return false;
    const Screen& screen = tree_.screen(cut.base);
    std::vector<Request> requests;
    for (const ShownRow& row : data_.of(cut.base).table(at->second.table)->rows)
      if (const auto way = done_to(at->second, screen, row);
          way && describe(way->front()) != describe(cut.plain.front()) && requests.size() < rows_compared)
        requests.push_back({.from = cut.base, .events = c_.replay.intern(joined(*way, {cut.plain.back()}))});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    const bool another = std::ranges::any_of(outcomes, [&](const Outcome& o) {
      return o.verdict == Verdict::yes && (alike(tree_.screen(o.end), tree_.screen(other_end)) ||
                                           same_in_any_order(data_.of(o.end), data_.of(other_end)));
    });
    if (another) told_.insert(what);
    return another;
  }

 private:
  bool calm(NodeId node) {
    const Screen& screen = tree_.screen(node);
    return screen.kind == Screen::Kind::app && screen.rotation == 0 && !screen.keyboard &&
           !swiped(tree_, node);
  }

  /// The input that ends here may have begun by touching a row, and gone on through menus and questions or on the same page.
  void learn_actions(NodeId end) {
    if (data_.of(end).popup) return;
    std::set<std::uint64_t> between;  // pages
    NodeId n = end;
    for (std::size_t k = 0; k < longest_action && n != tree_.root(); ++k) {
      const Event& event = tree_.event(tree_.event_id(n));
      n = tree_.parent(n);
      if (!touches_something(event)) return;
      const auto touched = receiver_of(event, tree_.screen(n));
      const ScreenData& page = data_.of(n);
      const RowPlace place = touched && !page.popup ? row_of(page, *touched) : RowPlace{};
      if (place.row && (between.empty() || between == std::set{page.page}))
        learn_action(n, end, place, *touched);
      if (place.row) return;
      if (!page.popup) between.insert(page.page);
    }
  }
  void learn_action(NodeId from, NodeId end, const RowPlace& place, std::size_t touched) {
    const std::uint64_t page = data_.of(from).page;
    Action out{{},
               place.table->name,
               kind_of_widget(tree_.screen(from).widgets[touched]),
               touched - place.row->widget,
               page == data_.of(end).page,
               0};
    if (out.stays && same_in_any_order(data_.of(from), data_.of(end))) return;  // it did nothing
    Hasher signature;
    signature.add(page).add(data_.of(end).page);
    std::vector<NodeId> way;
    for (NodeId n = end; n != from; n = tree_.parent(n)) way.push_back(n);
    for (const NodeId n : way) signature.add(data_.deed(n));
    auto& known = actions_[page];
    if (!seen_.insert(signature.finish()).second) return;
    auto events = tree_.events_to(end);
    out.events.assign(events.begin() + tree_.depth(from), events.end());
    const auto rows = [&](NodeId n) { return rows_shown(data_.of(n)).size(); };
    out.rank = !out.stays ? 1 : rows(from) == rows(end) ? 2 : 0;
    known.push_back(std::move(out));
  }

  /// What opens a menu or a choice with entries that can be checked.
  void learn_menus(NodeId menu) {
    const NodeId page = tree_.parent(menu);
    if (tree_.crash(menu) || !data_.of(menu).popup || data_.of(page).popup || !calm(page)) return;
    if (std::ranges::none_of(tree_.screen(menu).widgets,
                             [](const Widget& w) { return w.is(Flag::checkable); }))
      return;
    const Event& open = tree_.event(tree_.event_id(menu));
    const auto touched = receiver_of(open, tree_.screen(page));
    if (touched && row_of(data_.of(page), *touched).row) return;
    if (seen_.insert(Hasher().add(data_.of(page).page).add(data_.deed(menu)).finish()).second)
      menus_[data_.of(page).page].push_back(open);
  }

  /// The views of this list that change nothing by themselves, with where each leads.
  std::vector<std::pair<View, NodeId>> views(NodeId base) {
    std::vector<View> all = checked_views(base);
    std::ranges::move(searches(base), std::back_inserter(all));
    std::vector<Request> requests;
    for (const View& v : all) {
      requests.push_back({.from = base, .events = c_.replay.intern(v.there)});
      requests.push_back({.from = base, .events = c_.replay.intern(joined(v.there, v.back))});
    }
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    std::vector<std::pair<View, NodeId>> out;
    std::set<std::uint64_t> looks;
    for (std::size_t k = 0; k < all.size() && out.size() < views_of_a_page; ++k) {
      const Outcome &there = outcomes[2 * k], &back = outcomes[2 * k + 1];
      if (there.verdict == Verdict::yes && back.verdict == Verdict::yes && calm(there.end) &&
          data_.of(there.end).page == data_.of(base).page &&
          alike(tree_.screen(back.end), tree_.screen(base)) && looks.insert(tree_.key(there.end)).second)
        out.emplace_back(std::move(all[k]), there.end);
    }
    return out;
  }
  std::vector<View> checked_views(NodeId base) {
    std::vector<View> out;
    for (const Event& open : menus_[data_.of(base).page]) {
      const Outcome o =
          c_.replay.ask({.from = base, .events = c_.replay.intern(std::vector<Event>{open})}, c_.stop);
      if (o.verdict != Verdict::yes || !data_.of(o.end).popup) continue;
      const Screen& menu = tree_.screen(o.end);
      std::optional<Event> was;
      for (std::size_t i = 0; i < menu.widgets.size(); ++i)
        if (menu.widgets[i].is(Flag::checkable) && menu.widgets[i].is(Flag::checked)) was = tap_on(menu, i);
      for (std::size_t i = 0; i < menu.widgets.size(); ++i) {
        if (!menu.widgets[i].is(Flag::checkable) || menu.widgets[i].is(Flag::checked)) continue;
        const Event entry = tap_on(menu, i);
        out.push_back({{open, entry}, {open, entry}});
        if (was) out.push_back({{open, entry}, {open, *was}});
      }
    }
    return out;
  }
  /// A field beside the list, with the beginning of the name of a row that is not the first.
  std::vector<View> searches(NodeId base) {
    std::vector<View> out;
    const Screen& screen = tree_.screen(base);
    for (const ShownValue& v : data_.of(base).values) {
      if (v.kind != ShownValue::Kind::field || (accepted_by(screen.widgets[v.widget]) & accepts_text) == 0)
        continue;
      const auto type = [&](std::string text) {
        return std::vector<Event>{
            Type{make_target(screen, v.widget), screen.widgets[v.widget].bounds.center(), std::move(text)},
            Key{key::back}};  // closes the keyboard
      };
      for (const ShownTable& t : data_.of(base).tables)
        for (std::size_t k = 1; k < t.rows.size() && k <= rows_of_a_view; ++k)
          out.push_back({type(std::string(t.rows[k].title().substr(0, query_letters))), type(v.text)});
    }
    return out;
  }

  void in_view(NodeId base, const View& view, NodeId shown, const std::vector<Action>& actions) {
    const Screen& screen = tree_.screen(base);
    for (const Action& action : actions) {
      const ShownTable *before = data_.of(base).table(action.table),
                       *now = data_.of(shown).table(action.table);
      std::size_t rows = 0;
      for (std::size_t k = 0; before && now && k < before->rows.size() && rows < rows_of_a_view; ++k) {
        const auto at = std::ranges::find(now->rows, before->rows[k].title(), &ShownRow::title);
        if (at == now->rows.end() || static_cast<std::size_t>(at - now->rows.begin()) == k ||
            !named_alone(screen, *before, before->rows[k]))
          continue;
        if (const auto way = done_to(action, screen, before->rows[k])) add(base, view, action, *way), ++rows;
      }
    }
  }
  void add(NodeId base, const View& view, const Action& action, const std::vector<Event>& way) {
    Pair out{.family = "viewed",
             .name = "what is done to a row depends on how its list is shown: it is done to another one",
             .group = Hasher()
                          .add(data_.of(base).page)
                          .add(describe(way.back()))
                          .add(way.size())
                          .add(action.kind)
                          .finish(),
             .base = base,
             .plain = way,
             .other = joined(view.there, way),
             .agree = {},
             .any_order = true,
             .one_report = true};
    if (action.stays) out.other = joined(std::move(out.other), view.back);
    out.agree = {{out.plain.size(), out.other.size()}};
    made_.try_emplace(Hasher().add(base.value).add(describe(way.front())).add(out.group).finish(), action);
    by_situation_[Hasher().add(out.group).add(describe(view.there.back())).finish()].push_back(
        std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::vector<NodeId> order_;
  std::set<std::uint64_t> seen_;
  std::map<std::uint64_t, std::vector<Action>> actions_;  ///< by page
  std::map<std::uint64_t, std::vector<Event>> menus_;     ///< by page
  std::set<std::uint64_t> told_;          ///< pages from and to which a report was made: one is enough
  std::map<std::uint64_t, Action> made_;  ///< by base, touched row and group
  std::map<std::uint64_t, std::vector<Pair>> by_situation_;
};

}  // namespace

Status try_viewed(OracleContext& c) {
  Pairs pairs(c, "neutral");
  Viewing viewing(c);
  NORN_CHECK(
      in_batches(c, viewing.all(), [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(
      Habit::none, [&](const Pair& cut, NodeId, NodeId other) { return viewing.took_another(cut, other); });
}

}  // namespace norn

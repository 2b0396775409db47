#include "detect/offers/row_actions.h"

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "detect/offers/forms.h"
#include "detect/reading/remembered.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t tables_of_a_page = 2;  ///< with rows to be touched
constexpr std::size_t kinds_of_rows = 2;     ///< of each, tried on the first of the kind
constexpr std::size_t parts_of_a_row = 4;    ///< touched by themselves
constexpr std::size_t entries_of_a_row = 8, buttons_that_come_up = 4, answers = 2;
constexpr std::size_t buttons_behind_a_row = 12;  ///< on its own page

std::uint64_t kind_of_part(const Widget& w) { return Hasher().add(w.cls).add(w.id).finish(); }

/// Doing it, step by step: what is not done yet is tried with every next event.
class Trying {
 public:
  Trying(OracleContext& c, DataCache& data, NodeId page, Showing showing)
      : c_(c), tree_(c.replay.history()), data_(data), page_(page), showing_(showing) {}

  std::vector<RowAction> all(std::size_t least) {
    std::vector<RowAction> begun;
    std::size_t tables = 0;
    for (const ShownTable& t : data_.of(page_).tables)
      if (t.rows.size() >= least && tables++ < tables_of_a_page) touches(t, begun);
    for (std::size_t step = 0; step < longest && !begun.empty() && c_.left(); ++step) begun = go_on(begun);
    std::ranges::stable_partition(done_, &RowAction::stays);
    return std::move(done_);
  }
  std::vector<RowAction> behind(std::size_t least) {
    std::vector<RowAction> begun;
    for (const ShownTable& t : data_.of(page_).tables)
      if (t.rows.size() >= least && begun.empty()) touches(t, begun);
    std::erase_if(begun, [](const RowAction& a) { return a.inside > 0 || !is_tap(a.events.front()); });
    behind_ = true;
    for (std::size_t step = 0; step <= longest && !begun.empty() && c_.left(); ++step) begun = go_on(begun);
    std::erase_if(done_, [&](const RowAction& a) {
      return showing_ == Showing::here ? !a.stays : a.events.size() < 2;
    });
    return std::move(done_);
  }

 private:
  static constexpr std::size_t longest = 3;  ///< a row, a menu, a question

  static bool is_tap(const Event& event) { return std::holds_alternative<Tap>(event); }

  void touches(const ShownTable& table, std::vector<RowAction>& out) {
    const Screen& screen = tree_.screen(page_);
    std::set<std::uint64_t> kinds;  // of rows: what can be done to a heading is seldom all
    for (const ShownRow& row : table.rows)
      if (kinds.size() < kinds_of_rows && named_alone(screen, table, row) &&
          kinds.insert(kind_of_part(screen.widgets[row.widget])).second)
        touches(table, row, out);
  }
  void touches(const ShownTable& table, const ShownRow& row, std::vector<RowAction>& out) {
    const Screen& screen = tree_.screen(page_);
    std::size_t parts = 0;
    for (std::size_t i = row.widget; i < row.end; ++i) {
      const Widget& w = screen.widgets[i];
      const bool whole = i == row.widget;
      if (!whole && (accepted_by(w) & accepts_tap) == 0) continue;
      if (!whole && parts++ >= parts_of_a_row) break;
      const Target target = make_target(screen, i);
      const Point at = w.bounds.center();
      const RowAction begun{{}, table.name, kind_of_part(w), i - row.widget, false};
      const auto add = [&](const Event& event) { out.push_back(begun), out.back().events = {event}; };
      add(Tap{target, at});
      if (!whole) continue;
      add(LongPress{target, at});
      add(Swipe{target, Direction::left, at, {at.x - swipe_length, at.y}});
      add(Swipe{target, Direction::right, at, {at.x + swipe_length, at.y}});
    }
  }

  /// Runs them; what is done is kept, the others come back with each event that may be next.
  std::vector<RowAction> go_on(const std::vector<RowAction>& begun) {
    std::vector<Request> requests;
    for (const RowAction& a : begun)
      requests.push_back({.from = page_, .events = c_.replay.intern(a.events)});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    std::vector<RowAction> next;
    for (std::size_t k = 0; k < begun.size(); ++k)
      if (outcomes[k].verdict == Verdict::yes) look(begun[k], outcomes[k].end, next);
    return next;
  }
  void look(const RowAction& action, NodeId end, std::vector<RowAction>& next) {
    const Screen& screen = tree_.screen(end);
    const ScreenData &now = data_.of(end), &was = data_.of(page_);
    if (tree_.crash(end) || screen.kind != Screen::Kind::app) return;
    if (now.popup) {
      if (!now.has_field())
        for (Event& entry :
             entries_of(screen, action.events.size() > (behind_ ? 2U : 1U) ? answers : entries_of_a_row))
          then(action, std::move(entry), next);
      return;
    }
    const bool stays = now.page == was.page;
    if (stays && same_in_any_order(was, now) && showing_ == Showing::here) return;  // it did nothing
    done_.push_back(action);
    done_.back().stays = stays;
    if (stays && !behind_) what_came_up(action, end, next);
    if (!stays && behind_ && action.events.size() == 1) what_its_page_has(action, end, next);
  }
  void what_its_page_has(const RowAction& action, NodeId end, std::vector<RowAction>& next) {
    const Screen& now = tree_.screen(end);
    std::size_t buttons = 0;
    for (std::size_t i = 0; i < now.widgets.size() && buttons < buttons_behind_a_row; ++i)
      if ((accepted_by(now.widgets[i]) & (accepts_tap | accepts_text)) == accepts_tap &&
          !row_of(data_.of(end), i).row && !leads_up(now.widgets[i]) && !now.widgets[i].is(Flag::checkable))
        then(action, tap_on(now, i), next), ++buttons;
  }
  /// The buttons that a page has when a row is selected; where the row can be seen to be selected, also those
  /// that it has always.
  void what_came_up(const RowAction& action, NodeId end, std::vector<RowAction>& next) {
    const Screen& now = tree_.screen(end);
    std::set<std::uint64_t> before;
    for (const Widget& w : tree_.screen(page_).widgets) before.insert(kind_of_part(w));
    const bool selects = action.events.size() == 1 && choices_differ(tree_.screen(page_), now);
    std::size_t buttons = 0;
    for (std::size_t i = 0; i < now.widgets.size() && buttons < buttons_that_come_up; ++i) {
      const Widget& w = now.widgets[i];
      if ((accepted_by(w) & accepts_tap) == 0 || (before.contains(kind_of_part(w)) && !selects) ||
          w.id.empty() || row_of(data_.of(end), i).row || says_undoing(now, i) ||
          calls_itself(now, i, "cancel"))
        continue;
      then(action, tap_on(now, i), next), ++buttons;
    }
  }
  static void then(const RowAction& action, Event event, std::vector<RowAction>& next) {
    next.push_back(action);
    next.back().events.push_back(std::move(event));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache& data_;
  NodeId page_;
  Showing showing_;
  bool behind_ = false;  ///< asked for what can be done on the page of a row
  std::vector<RowAction> done_;
};

}  // namespace

std::string RowAction::what() const {
  std::string out(kind_name(events.front()));
  if (const auto* swipe = std::get_if<Swipe>(&events.front()))
    out += swipe->direction == Direction::left ? " left" : " right";
  for (std::size_t k = 1; k < events.size(); ++k) out += ", " + describe(events[k]);
  return out;
}

std::vector<RowAction> row_actions(OracleContext& c, DataCache& data, NodeId page, std::size_t least,
                                   Showing showing) {
  return Trying(c, data, page, showing).all(least);
}

std::vector<RowAction> actions_behind_rows(OracleContext& c, DataCache& data, NodeId page, std::size_t least,
                                           Showing showing) {
  return Trying(c, data, page, showing).behind(least);
}

bool named_alone(const Screen& screen, const ShownTable& table, const ShownRow& row) {
  return std::ranges::count_if(table.rows, [&](const ShownRow& r) {
           return label(screen, r.widget) == label(screen, row.widget);
         }) == 1;
}

std::optional<std::vector<Event>> done_to(const RowAction& action, const Screen& screen,
                                          const ShownRow& row) {
  const std::size_t widget = row.widget + action.inside;
  if (widget >= row.end || kind_of_part(screen.widgets[widget]) != action.kind) return std::nullopt;
  std::vector<Event> out = action.events;
  std::visit(
      [&](auto& e) {
        if constexpr (requires { e.target.label; }) e.target = make_target(screen, widget);
        if constexpr (requires { e.at.x; }) e.at = screen.widgets[widget].bounds.center();
        if constexpr (requires { e.direction; }) {
          const std::int32_t by = e.to.x - e.from.x;
          e.from = screen.widgets[widget].bounds.center(), e.to = {e.from.x + by, e.from.y};
        }
      },
      out.front());
  return out;
}

}  // namespace norn

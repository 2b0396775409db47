// There and back in a row. What a touch of a row changes on its list (a star, a tick, a state that goes round),
// or an entry of its menu, the same again or something else that can be done to it takes back: the list is as
// it was. Then the page of that row and the other pages are so, too. A best result that one tick raised and that
// stays when it is taken back is not, nor is a stock from which was taken. Pages that count or list what was done
// differ after most touches of an app that keeps a log; so this is expected where most such pages keep to it.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

constexpr std::size_t longest_cycle = 4;   ///< times the same is done
constexpr std::size_t actions_tried = 12;  ///< of a list, each after each
constexpr std::size_t rounds_of_a_list = 6;
constexpr std::size_t rows_begun_with = 2;  ///< to find out what takes back what
constexpr std::size_t rows_toggled = 6;     ///< of a list, each in the same way
constexpr std::size_t rows_that_fail = 2;   ///< where it is not taken back, for all
constexpr std::size_t pages_seen = 5;       ///< beside the row's own

class Toggling {
 public:
  explicit Toggling(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      std::vector<RowAction> actions = row_actions(c_, data_, page, 2, Showing::anywhere);
      std::erase_if(actions, [](const RowAction& a) { return !a.stays; });
      if (actions.size() > actions_tried) actions.resize(actions_tried);
      std::vector<Lookout> places;
      for (const Round& round : rounds(page, actions)) on_each_row(page, round, places);
    }
    return in_rounds(std::move(by_look_));
  }
  DataCache& data() { return data_; }

 private:
  /// What is done to a row, one after the other, until its list is as it was.
  using Round = std::vector<const RowAction*>;
  /// A row of that name with what was done to it so far, and where that ends.
  struct Doing {
    std::string title;
    Round round;
    std::vector<Event> way;
    NodeId end;
  };

  bool is_back(NodeId page, NodeId end) { return end && same_in_any_order(data_.of(end), data_.of(page)); }

  /// Each of them with one action more, done to the row as it stands there. What cannot be done is left out, and
  /// what leads to another page.
  std::vector<Doing> go_on(NodeId page, const std::vector<std::pair<const Doing*, const RowAction*>>& next) {
    std::vector<Doing> out;
    for (const auto& [doing, action] : next) {
      const ShownTable* table = data_.of(doing->end).table(action->table);
      if (!table) continue;
      const auto row = std::ranges::find_if(table->rows, [&](const ShownRow& r) {
        return without_signs(r.title()) == without_signs(doing->title);
      });
      const auto way =
          row != table->rows.end() ? done_to(*action, tree_.screen(doing->end), *row) : std::nullopt;
      if (!way) continue;
      out.push_back(*doing);
      out.back().round.push_back(action), out.back().way = joined(doing->way, *way);
    }
    std::vector<std::vector<Event>> ways;
    for (const Doing& doing : out) ways.push_back(doing.way);
    const auto ends = ends_of(c_, page, ways);
    for (std::size_t k = 0; k < out.size(); ++k) out[k].end = ends[k];
    std::erase_if(out, [&](const Doing& d) { return !d.end || data_.of(d.end).page != data_.of(page).page; });
    return out;
  }

  /// Rows of the list that no other is called like, nothing done to them yet.
  std::vector<Doing> rows_of(NodeId page, std::uint64_t table, std::size_t most) {
    std::vector<Doing> out;
    if (const ShownTable* t = data_.of(page).table(table))
      for (const ShownRow& row : t->rows)
        if (out.size() < most && named_alone(tree_.screen(page), *t, row))
          out.push_back({std::string(row.title()), {}, {}, page});
    return out;
  }

  /// Found out with the first rows: the same again and again, else something else after it.
  std::vector<Round> rounds(NodeId page, const std::vector<RowAction>& actions) {
    std::vector<Doing> rows;
    for (const RowAction& a : actions)
      if (rows.empty()) rows = rows_of(page, a.table, rows_begun_with);
    std::vector<std::pair<const Doing*, const RowAction*>> next;
    for (const Doing& row : rows)
      for (const RowAction& a : actions) next.emplace_back(&row, &a);
    std::vector<Doing> once = go_on(page, next);
    std::erase_if(once, [&](const Doing& d) { return is_back(page, d.end); });  // it does nothing to that row
    next.clear();
    for (const Doing& doing : once)
      for (const RowAction& a : actions) next.emplace_back(&doing, &a);
    std::vector<Doing> done = go_on(page, next);
    std::ranges::stable_partition(done, [](const Doing& d) { return d.round[0] == d.round[1]; });
    std::vector<Round> out;
    const auto known = [&](const RowAction* first) {
      return std::ranges::any_of(out, [&](const Round& r) { return r.front() == first; });
    };
    for (const Doing& d : done)
      if (is_back(page, d.end) && !known(d.round.front())) out.push_back(d.round);
    for (Doing& d : done)
      if (d.round[0] == d.round[1] && d.round[0]->events.size() == 1 && !known(d.round.front()) && c_.left())
        if (Round cycle = cycle_of(page, std::move(d)); !cycle.empty()) out.push_back(std::move(cycle));
    if (out.size() > rounds_of_a_list) out.resize(rounds_of_a_list);
    return out;
  }
  Round cycle_of(NodeId page, Doing doing) {
    while (doing.round.size() < longest_cycle) {
      auto further = go_on(page, {{&doing, doing.round.front()}});
      if (further.empty()) return {};
      doing = std::move(further.front());
      if (is_back(page, doing.end)) return doing.round;
    }
    return {};
  }

  void on_each_row(NodeId page, const Round& how, std::vector<Lookout>& places) {
    const RowAction& action = *how.front();
    std::vector<Doing> rows = rows_of(page, action.table, rows_toggled);
    for (const RowAction* step : how) {
      std::vector<std::pair<const Doing*, const RowAction*>> next;
      for (const Doing& row : rows) next.emplace_back(&row, step);
      rows = go_on(page, next);
    }
    std::erase_if(rows, [&](const Doing& d) { return !is_back(page, d.end); });
    if (places.empty() && !rows.empty()) places = lookouts(c_, data_, page);
    for (const Doing& row : rows) {
      const ShownTable& table = *data_.of(page).table(action.table);
      const auto shown = std::ranges::find(table.rows, row.title, &ShownRow::title);
      if (const Event open = tap_on(tree_.screen(page), shown->widget);
          describe(open) != describe(row.way.front()))
        add(page, how, row.way, {open}, "its own");
      std::size_t pages = 0;
      for (const Lookout& place : places)
        if (!place.way.empty() && !data_.of(place.end).popup && pages++ < pages_seen)
          add(page, how, row.way, place.way, describe(place.way.back()));
    }
  }
  void add(NodeId page, const Round& how, const std::vector<Event>& round, const std::vector<Event>& look,
           const std::string& where) {
    Pair out{.family = "toggled",
             .name = "what was changed on a row and taken back has changed another page",
             .group = Hasher().add(data_.of(page).page).add(where).finish(),
             .base = page,
             .plain = look,
             .other = joined(round, look),
             .agree = {{look.size(), round.size() + look.size()}},
             .any_order = true,
             .one_report = true};
    Hasher look_after;
    look_after.add(out.group);
    for (const RowAction* step : how) look_after.add(step->what()).add(step->kind);
    by_look_[look_after.finish()].push_back(std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::vector<Pair>> by_look_;
};

/// What differs are rows that say when they were changed.
bool only_records_differ(const ScreenData& a, const ScreenData& b) {
  const auto rest = [](ScreenData d) {
    for (ShownTable& t : d.tables) std::erase_if(t.rows, is_dated);
    return d;
  };
  return same_in_any_order(rest(a), rest(b));
}

}  // namespace

Status try_toggled(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  Toggling toggling(looking);
  std::set<std::uint64_t> kept, changed;  // pages, as they are looked at
  pairs.on_compared([&](const Pair& p, NodeId plain, NodeId other) {
    const bool same = !says_otherwise(toggling.data().of(plain), toggling.data().of(other));
    (same ? kept : changed).insert(p.group);
  });
  NORN_CHECK(in_batches(c, toggling.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair&, NodeId plain, NodeId other) {
    const ScreenData &a = toggling.data().of(plain), &b = toggling.data().of(other);
    return kept.size() > changed.size() && a.page == b.page && a.mode == b.mode && says_otherwise(a, b) &&
           same_names(a, b) && !only_records_differ(a, b);
  });
}

}  // namespace norn

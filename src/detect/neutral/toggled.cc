// There and back in a row. What one touch of a row changes on its list (a star, a tick, a state that goes
// round) some further touches take back, until the list is as it was: then the page of that row and the other
// pages are so, too. A best result that one tick raised and that stays when it is taken back is not. Pages
// that count or list what was done differ after most touches of an app that keeps a log; so this is expected
// where most such pages keep to it.
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

constexpr std::size_t longest_cycle = 4;   ///< touches
constexpr std::size_t rows_toggled = 6;    ///< of a list, each in the same way
constexpr std::size_t rows_that_fail = 2;  ///< where it is not taken back, for all
constexpr std::size_t pages_seen = 5;      ///< beside the row's own

class Toggling {
 public:
  explicit Toggling(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      std::vector<Lookout> places;
      for (const RowAction& action : row_actions(c_, data_, page))
        if (action.stays && action.events.size() == 1) on_each_row(page, action, places);
    }
    return in_rounds(std::move(by_look_));
  }
  DataCache& data() { return data_; }

 private:
  /// Touches the row, as it stands after each touch, until the list is as it was; empty: it is not, after
  /// some touches.
  std::vector<Event> round_trip(NodeId page, const RowAction& action, std::string_view title) {
    std::vector<Event> out;
    for (NodeId at = page; out.size() < longest_cycle;) {
      const ShownTable* table = data_.of(at).table(action.table);
      if (!table) return {};
      const auto row = std::ranges::find(table->rows, title, &ShownRow::title);
      const auto touch = row != table->rows.end() ? done_to(action, tree_.screen(at), *row) : std::nullopt;
      if (!touch) return {};
      out.push_back(touch->front());
      at = ends_of(c_, page, {out}).front();
      if (!at || data_.of(at).page != data_.of(page).page) return {};
      if (same_in_any_order(data_.of(at), data_.of(page))) return out.size() < 2 ? std::vector<Event>{} : out;
    }
    return {};
  }
  void on_each_row(NodeId page, const RowAction& action, std::vector<Lookout>& places) {
    const Screen& screen = tree_.screen(page);
    const ShownTable* table = data_.of(page).table(action.table);
    std::size_t rows = 0, failed = 0;
    for (const ShownRow& row : table ? table->rows : std::vector<ShownRow>{}) {
      if (!named_alone(screen, *table, row) || rows >= rows_toggled || failed >= rows_that_fail) continue;
      const auto round = round_trip(page, action, row.title());
      if (round.empty()) {
        ++failed;
        continue;
      }
      ++rows;
      if (places.empty()) places = lookouts(c_, data_, page);
      if (const Event open = tap_on(screen, row.widget); describe(open) != describe(round.front()))
        add(page, action, round, {open}, "its own");
      std::size_t pages = 0;
      for (const Lookout& place : places)
        if (!place.way.empty() && !data_.of(place.end).popup && pages++ < pages_seen)
          add(page, action, round, place.way, describe(place.way.back()));
    }
  }
  void add(NodeId page, const RowAction& action, const std::vector<Event>& round,
           const std::vector<Event>& look, const std::string& where) {
    Pair out{.family = "toggled",
             .name = "what was changed on a row and taken back has changed another page",
             .group = Hasher().add(data_.of(page).page).add(where).finish(),
             .base = page,
             .plain = look,
             .other = joined(round, look),
             .agree = {{look.size(), round.size() + look.size()}},
             .any_order = true,
             .one_report = true};
    by_look_[Hasher().add(out.group).add(action.what()).add(action.kind).finish()].push_back(std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::vector<Pair>> by_look_;
};

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
           same_names(a, b);
  });
}

}  // namespace norn

// What was put away and brought back is as it was. Something is deleted or archived, some other page lists it
// now, and offers a way to bring it back: then the list, the thing's own page and other pages say what they
// said before, and that page lists it no more. And what is deleted for good from such a page was deleted
// before: no other page says anything else than when it was merely put away, or it still counted there. That
// is asked where what was done, or the page, calls itself deleting or a bin: what is archived may well count.
//
// All are found by trying: what can be done to a row (row_actions.h), where one can look then (lookouts.h),
// and what can be done to the row there.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t rows_put_away = 4;  ///< of a list, each in the same way
constexpr std::size_t pages_seen = 6;     ///< after it

const ShownRow* row_called(const ScreenData& data, std::string_view title) {
  for (const ShownTable& t : data.tables)
    for (const ShownRow& row : t.rows)
      if (row.title() == title) return &row;
  return nullptr;
}

/// Something between two nodes, or the page that lists what was put away, calls itself deleting or a bin.
bool is_deletion(const History& tree, NodeId from, NodeId to) {
  for (; to != from; to = tree.parent(to)) {
    const Screen& before = tree.screen(tree.parent(to));
    const auto i = receiver_of(tree.event(tree.event_id(to)), before);
    if (!i) continue;
    const std::string says = in_small_letters(label(before, *i));
    if (says_deleting(before, *i) || says_word(says, "bin") || says_word(says, "trash")) return true;
  }
  return false;
}

class PuttingAway {
 public:
  explicit PuttingAway(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  void all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      const auto places = lookouts(c_, data_, page);
      auto actions = row_actions(c_, data_, page);
      std::ranges::move(actions_behind_rows(c_, data_, page), std::back_inserter(actions));
      for (const RowAction& action : actions)
        if (action.stays && c_.left()) put_away(page, action, places);
    }
  }
  std::vector<Pair> brought_back() { return in_rounds(std::move(brought_back_)); }
  std::vector<Pair> for_good() { return in_rounds(std::move(for_good_)); }
  /// What was brought back, seen from where it had been put.
  std::vector<Pair> still_there() { return in_rounds(std::move(still_there_)); }
  bool says_else(const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData &a = data_.of(plain), &b = data_.of(other);
    return a.page == b.page && (asked_.contains(cut.group) ? values_say_otherwise : says_otherwise)(a, b);
  }
  /// Something that stood on the list is there after it was brought back, and was not before it was put away.
  bool is_still_there(const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData &list = data_.of(cut.base), &before = data_.of(plain), &after = data_.of(other);
    return before.page == after.page && std::ranges::any_of(after.tables, [&](const ShownTable& t) {
             return std::ranges::any_of(t.rows, [&](const ShownRow& row) {
               return !row_called(before, row.title()) && row_called(list, row.title());
             });
           });
  }

 private:
  /// One row that the action takes off its list, and the page that lists it then.
  struct Gone {
    std::vector<Event> way;  ///< the action, and the way to that page
    std::string title;
    NodeId there;
  };

  /// Something that may bring it back, or delete it for good.
  struct Taking {
    std::vector<Event> events;
    std::string what;
    bool on_its_page;  ///< which was opened: that it is not listed there says nothing
  };

  void put_away(NodeId page, const RowAction& action, const std::vector<Lookout>& places) {
    const ShownTable* table = data_.of(page).table(action.table);
    std::vector<const Lookout*> bins;  // at first all places, then those that listed what was put away
    for (const Lookout& place : places)
      if (!place.way.empty() && !data_.of(place.end).popup) bins.push_back(&place);
    std::size_t taken = 0;
    for (const ShownRow& row : table ? table->rows : std::vector<ShownRow>{}) {
      const auto done = named_alone(tree_.screen(page), *table, row)
                            ? done_to(action, tree_.screen(page), row)
                            : std::nullopt;
      auto asked = bins;
      std::erase_if(asked, [&](const Lookout* l) { return row_called(data_.of(l->end), row.title()); });
      if (!done || asked.empty()) continue;
      std::vector<Gone> gone;
      bins = listing(page, *table, row, *done, asked, gone);
      if (bins.empty()) return;  // it stays, goes elsewhere, or others go with it
      for (std::size_t k = 0; k < bins.size(); ++k) {
        take_from(page, *done, gone[k], places, *bins[k], action);
        if (++taken >= rows_put_away) return;
      }
    }
  }
  /// Of these places, those that list the row once this was done to it.
  std::vector<const Lookout*> listing(NodeId page, const ShownTable& table, const ShownRow& row,
                                      const std::vector<Event>& done, const std::vector<const Lookout*>& bins,
                                      std::vector<Gone>& gone) {
    std::vector<std::vector<Event>> ways{done};
    for (const Lookout* l : bins) ways.push_back(joined(done, l->way));
    const auto ends = ends_of(c_, page, ways);
    std::vector<const Lookout*> out;
    if (!ends[0] || row_called(data_.of(ends[0]), row.title()) || takes_others(table, row, data_.of(ends[0])))
      return out;
    for (std::size_t k = 0; k < bins.size(); ++k)
      if (const NodeId there = ends[k + 1];
          there && row_called(data_.of(there), row.title()) && data_.of(there).page != data_.of(page).page)
        out.push_back(bins[k]), gone.push_back({ways[k + 1], std::string(row.title()), there});
    return out;
  }
  /// A heading may go with the last row below it.
  static bool takes_others(const ShownTable& was, const ShownRow& row, const ScreenData& now) {
    const auto is_heading = [&](const ShownRow& r) { return r.kind != row.kind && r.cells.size() == 1; };
    const auto without_headings = [&](const ShownTable& t) {
      return std::ssize(t.rows) - std::ranges::count_if(t.rows, is_heading);
    };
    std::ptrdiff_t left = 0;
    for (const ShownTable& t : now.tables) left += without_headings(t);
    return left + 1 < without_headings(was);
  }
  /// Does what can be done where the row is now, until it was brought back once and deleted for good once.
  void take_from(NodeId page, const std::vector<Event>& done, const Gone& gone,
                 const std::vector<Lookout>& places, const Lookout& bin, const RowAction& action) {
    bool brought = false, deleted = !is_deletion(tree_, page, gone.there);
    for (const Taking& taking : takings(gone)) {
      if (brought && deleted) break;
      std::vector<Event> way = joined(gone.way, taking.events);
      const NodeId taken = ends_of(c_, page, {way}).front();
      if (!taken) continue;
      const bool stays = row_called(data_.of(taken), gone.title) != nullptr;
      const NodeId back = back_to(c_, data_, page, data_.of(page).page, way);
      if (!back) continue;
      const std::uint64_t group =
          Hasher().add(data_.of(page).page).add(action.what()).add(taking.what).finish();
      const bool is_back = row_called(data_.of(back), gone.title) != nullptr;
      if (stays || (taking.on_its_page && !is_back)) {
        if (is_back) still_there(page, way, bin, group);
        continue;
      }
      if (is_back && !std::exchange(brought, true))
        bring_back(page, done, way, gone.title, places, bin, group);
      if (!is_back && !std::exchange(deleted, true)) delete_for_good(page, done, way, places, bin, group);
    }
  }
  /// What can be done to the row where it is now: there, to the whole page, and on the row's own page. What
  /// changes nothing there may have brought it back all the same.
  std::vector<Taking> takings(const Gone& gone) {
    std::vector<Taking> out;
    const auto add = [&](const std::vector<RowAction>& actions, bool on_its_page) {
      const ShownRow* row = row_called(data_.of(gone.there), gone.title);
      for (const RowAction& action : actions)
        if (const auto events = done_to(action, tree_.screen(gone.there), *row))
          out.push_back({*events, action.what(), on_its_page || !action.stays});
    };
    add(row_actions(c_, data_, gone.there, 1, Showing::anywhere), false);
    for (const PageChange& change : page_changes(c_, data_, gone.there))
      out.push_back({change.events, describe(change.events.back()), false});
    add(actions_behind_rows(c_, data_, gone.there, 1, Showing::anywhere), true);
    return out;
  }
  /// A question was answered in the end: it may have said what else goes with the thing. Then only what the
  /// thing's own page says beside its lists is expected.
  bool was_asked(NodeId page, const std::vector<Event>& done) {
    const NodeId end = ends_of(c_, page, {done}).front();
    return end && touchable_called(tree_.screen(tree_.parent(end)), "cancel").has_value();
  }
  void bring_back(NodeId page, const std::vector<Event>& done, const std::vector<Event>& way,
                  const std::string& title, const std::vector<Lookout>& places, const Lookout& bin,
                  std::uint64_t group) {
    const auto add = [&](const std::vector<Event>& look) {
      Pair out{.family = "put away",
               .name = "what was put away and brought back is not as it was",
               .group = group,
               .base = page,
               .plain = look,
               .other = joined(way, look),
               .agree = {{look.size(), way.size() + look.size()}},
               .any_order = true,
               .one_report = true};
      brought_back_[by_look(group, look)].push_back(std::move(out));
    };
    if (const ShownRow* row = row_called(data_.of(page), title))
      add({tap_on(tree_.screen(page), row->widget)});
    if (was_asked(page, done)) {
      asked_.insert(group);
      return;
    }
    add({});
    for (const auto& look : looks(places, bin)) add(look);
  }
  void delete_for_good(NodeId page, const std::vector<Event>& done, const std::vector<Event>& way,
                       const std::vector<Lookout>& places, const Lookout& bin, std::uint64_t group) {
    for (const auto& look : looks(places, bin)) {
      Pair out{.family = "put away",
               .name = "what is deleted for good has still counted after it was deleted",
               .group = group,
               .base = page,
               .plain = joined(done, look),
               .other = joined(way, look),
               .agree = {{done.size() + look.size(), way.size() + look.size()}},
               .any_order = true,
               .one_report = true};
      for_good_[by_look(group, look)].push_back(std::move(out));
    }
  }
  /// It is on its list again: both list it.
  void still_there(NodeId page, const std::vector<Event>& way, const Lookout& bin, std::uint64_t group) {
    Pair out{.family = "put away",
             .name = "what was brought back is still listed where it had been put",
             .group = group,
             .base = page,
             .plain = bin.way,
             .other = joined(way, bin.way),
             .agree = {{bin.way.size(), way.size() + bin.way.size()}},
             .any_order = true,
             .one_report = true};
    still_there_[group].push_back(std::move(out));
  }
  static std::uint64_t by_look(std::uint64_t group, const std::vector<Event>& look) {
    return Hasher().add(group).add(look.empty() ? "" : describe(look.back())).finish();
  }
  /// Where one can look, but for the page that lists what was put away.
  std::vector<std::vector<Event>> looks(const std::vector<Lookout>& places, const Lookout& bin) {
    std::vector<std::vector<Event>> out;
    for (const Lookout& place : places)
      if (!place.way.empty() && out.size() < pages_seen && !data_.of(place.end).popup &&
          contents_of(data_.of(place.end)) != contents_of(data_.of(bin.end)))
        out.push_back(place.way);
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::vector<Pair>> brought_back_, for_good_, still_there_;
  std::set<std::uint64_t> asked_;  ///< groups of what a question was answered for
};

}  // namespace

Status try_put_away(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  PuttingAway putting(looking);
  putting.all();
  Pairs back(c, "neutral"), gone(c, "neutral"), both(c, "neutral");
  NORN_CHECK(in_batches(c, putting.brought_back(),
                        [&](std::vector<Pair> batch) { return back.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, putting.for_good(),
                        [&](std::vector<Pair> batch) { return gone.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, putting.still_there(),
                        [&](std::vector<Pair> batch) { return both.attempt(std::move(batch)); }));
  const auto says_else = [&](const Pair& cut, NodeId plain, NodeId other) {
    return putting.says_else(cut, plain, other);
  };
  NORN_CHECK(back.report(Habit::none, says_else));
  NORN_CHECK(both.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    return putting.is_still_there(cut, plain, other);
  }));
  return gone.report(Habit::none, says_else);
}

}  // namespace norn

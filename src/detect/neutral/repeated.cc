// A command for all there is of a kind (Remove bought, Clear finished, Archive all) leaves nothing of it: given
// once more it finds nothing to do. A list from which it takes still more the second time was not gone through
// to its end. This needs no habit. What is done to a row, or to the first, the last or the next one, is no such
// command.
//
// It is given on the list as it is opened, and after all its rows were ticked, or touched where that ticks them:
// one that is skipped stands beside one that goes.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/page_changes.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

constexpr std::size_t most_ticked = 12;
constexpr std::array sweeping{"remove", "delete", "clear",   "empty", "archive",
                              "clean",  "purge",  "discard", "mark"};
constexpr std::array single{"last",   "first",  "next",   "one",  "top",
                            "oldest", "newest", "latest", "this", "undo"};

class Repeating {
 public:
  explicit Repeating(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::vector<Pair>> by_command;
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      for (const NodeId list : {page, with_all_ticked(page)})
        for (const PageChange& change : list ? page_changes(c_, data_, list) : std::vector<PageChange>{})
          if (is_sweeping(list, change) && takes_rows(list, change.end))
            by_command[change.what].push_back(twice(list, change));
    }
    return in_rounds(std::move(by_command));
  }
  /// Rows that the first time left are gone the second time.
  bool takes_rows(NodeId before, NodeId after) {
    const ScreenData &was = data_.of(before), &is = data_.of(after);
    return was.page == is.page && std::ranges::any_of(was.tables, [&](const ShownTable& t) {
             const ShownTable* now = is.table(t.name);
             return t.whole && (!now || rows_missing(t, *now).size() >
                                            (now->is_notice() ? 0 : rows_missing(*now, t).size()));
           });
  }

 private:
  /// The page once all rows of a list were touched, at their checks if they have any, if that leaves it standing
  /// with as many rows, of which more are ticked or look otherwise now; none: nothing of the kind.
  NodeId with_all_ticked(NodeId page) {
    const Screen& screen = tree_.screen(page);
    for (const ShownTable& t : data_.of(page).tables) {
      std::vector<Event> ticking;
      for (const ShownRow& row : t.rows)
        if (const auto part = ticked_by(screen, row); part && ticking.size() < most_ticked)
          ticking.push_back(tap_on(screen, *part));
      const NodeId end = ticking.size() >= 2 ? ends_of(c_, page, {ticking}).front() : NodeId{};
      const ShownTable* now = end && data_.of(end).page == data_.of(page).page && !data_.of(end).popup
                                  ? data_.of(end).table(t.name)
                                  : nullptr;
      if (now && now->rows.size() == t.rows.size() && rows_missing(t, *now).size() >= 2) return end;
    }
    return {};
  }
  /// What of the row ticks it, if it is not ticked already.
  static std::optional<std::size_t> ticked_by(const Screen& screen, const ShownRow& row) {
    for (std::size_t i = row.widget; i < row.end; ++i)
      if (const Widget& w = screen.widgets[i]; w.is(Flag::checkable) && (accepted_by(w) & accepts_tap) != 0)
        return w.is(Flag::checked) ? std::nullopt : std::optional(i);
    return (accepted_by(screen.widgets[row.widget]) & accepts_tap) != 0 ? std::optional(row.widget)
                                                                        : std::nullopt;
  }

  /// Something touched on the way calls itself so, and nothing on it is about one thing.
  bool is_sweeping(NodeId page, const PageChange& change) {
    bool sweeps = false;
    for (NodeId n = change.end; n != page; n = tree_.parent(n)) {
      const NodeId at = tree_.parent(n);
      const auto i = receiver_of(tree_.event(tree_.event_id(n)), tree_.screen(at));
      if (!i || (!data_.of(at).popup && row_of(data_.of(at), *i).row)) return false;
      const std::string says = in_small_letters(label(tree_.screen(at), *i));
      if (says_one_of(says, single)) return false;
      sweeps = sweeps || says_one_of(says, sweeping);
    }
    return sweeps;
  }
  Pair twice(NodeId page, const PageChange& change) {
    const std::size_t once = change.events.size();
    return {.family = "repeated",
            .name = "a command for all of a kind finds more of it when it is given again",
            .group = change.what,
            .base = page,
            .plain = change.events,
            .other = joined(change.events, change.events),
            .agree = {{once, 2 * once}},
            .any_order = true,
            .one_report = true};
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
};

}  // namespace

Status try_repeated(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Repeating repeating(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, repeating.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(
      Habit::none, [&](const Pair&, NodeId once, NodeId again) { return repeating.takes_rows(once, again); });
}

}  // namespace norn

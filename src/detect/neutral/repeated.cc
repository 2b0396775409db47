// A command for all there is of a kind (Remove bought, Clear finished, Archive all) leaves nothing of it: given
// once more it finds nothing to do. A list from which it takes still more the second time was not gone through
// to its end. This needs no habit. What is done to a row, or to the first, the last or the next one, is no such
// command.
#include <algorithm>
#include <array>
#include <map>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/page_changes.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

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
      for (const PageChange& change : page_changes(c_, data_, page))
        if (is_sweeping(page, change) && takes_rows(page, change.end))
          by_command[change.what].push_back(twice(page, change));
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

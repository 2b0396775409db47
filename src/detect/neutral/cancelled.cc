// Something that is begun on a page and cancelled there, without a question: a message is edited in the field
// below, rows are picked, a bar comes up with Cancel on it. Cancelled at once, the page is as it was. What
// can be begun is found by trying (page_changes.h). This needs no habit.
#include <algorithm>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/page_changes.h"

namespace norn {
namespace {

constexpr std::size_t pages_of_a_kind = 2;  ///< from which a page that was opened in one way is tried

std::vector<Pair> begun_and_cancelled(OracleContext& c) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::vector<Pair> out;
  std::set<std::uint64_t> tried;
  for (const NodeId page : opened_pages(tree, data, pages_of_a_kind)) {
    if (!c.left()) break;
    if (touchable_called(tree.screen(page), "cancel")) continue;  // it is what the page is for
    for (const PageChange& change : page_changes(c, data, page)) {
      const Screen& screen = tree.screen(change.end);
      const auto cancel = touchable_called(screen, "cancel");
      if (!cancel || !tried.insert(change.what).second) continue;
      Pair p{.family = "cancelled",
             .name = "what was begun and cancelled leaves something changed",
             .group = change.what,
             .base = page,
             .plain = {},
             .other = joined(change.events, {tap_on(screen, *cancel)}),
             .agree = {},
             .any_order = true,
             .one_report = true};
      p.agree = {{0, p.other.size()}};
      out.push_back(std::move(p));
    }
  }
  return out;
}

}  // namespace

Status try_cancelled(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  NORN_CHECK(in_batches(c, begun_and_cancelled(looking),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none);
}

}  // namespace norn

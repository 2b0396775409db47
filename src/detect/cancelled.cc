// Something that is begun on a page and cancelled there, without a question: a message is edited in the field below, rows are picked, a bar comes up with Cancel on it. Cancelled at once, the
// page is as it was. What can be begun is found by trying (page_changes.h). This needs no habit.
#include <algorithm>
#include <set>

#include "base/hash.h"
#include "detect/forms.h"
#include "detect/neutral.h"
#include "detect/page_changes.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t pages_of_a_kind = 2;  ///< from which a page that was opened in one way is tried

/// What calls itself Cancel on this screen and can be touched.
std::optional<std::size_t> cancelling(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && calls_itself(screen, i, "cancel")) return i;
  return std::nullopt;
}

std::vector<Pair> begun_and_cancelled(OracleContext& c) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::vector<Pair> out;
  std::set<std::uint64_t> tried;
  for (const NodeId page : opened_pages(tree, data, pages_of_a_kind)) {
    if (!c.left()) break;
    if (cancelling(tree.screen(page))) continue;  // it is what the page is for
    for (const PageChange& change : page_changes(c, data, page)) {
      const Screen& screen = tree.screen(change.end);
      const auto cancel = cancelling(screen);
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

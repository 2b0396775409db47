// Something that is begun on a page and cancelled there: a message is edited in the field below, rows are
// picked, a bar comes up with Cancel on it, or a question ("Use it now?"). Cancelled at once, the page is as
// it was. What can be begun is found by trying (page_changes.h), questions are those that were ever asked;
// those with fields are for dismissed.cc. This needs no habit.
#include <algorithm>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/openings.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/places.h"
#include "detect/reading/remembered.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t pages_of_a_kind = 2;   ///< from which a page that was opened in one way is tried
constexpr std::size_t longest_question = 3;  ///< events from the page to the question: through a menu

/// What cancels what was begun on this screen; the first.
std::optional<std::size_t> cancel_of(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && says_cancel(screen, i)) return i;
  return std::nullopt;
}

Pair cancelled(NodeId page, std::uint64_t what, std::vector<Event> begun, const Event& cancel) {
  Pair out{.family = "cancelled",
           .name = "what was begun and cancelled leaves something changed",
           .group = what,
           .base = page,
           .plain = {},
           .other = joined(std::move(begun), {cancel}),
           .agree = {},
           .any_order = true,
           .one_report = true};
  out.agree = {{0, out.other.size()}};
  return out;
}

std::vector<Pair> begun_and_cancelled(OracleContext& c) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::vector<Pair> out;
  std::set<std::uint64_t> tried;
  for (const NodeId page : opened_pages(tree, data, pages_of_a_kind)) {
    if (!c.left()) break;
    if (cancel_of(tree.screen(page))) continue;  // it is what the page is for
    for (const PageChange& change : page_changes(c, data, page)) {
      const Screen& screen = tree.screen(change.end);
      const auto cancel = cancel_of(screen);
      if (!cancel || !tried.insert(change.what).second) continue;
      out.push_back(cancelled(page, change.what, change.events, tap_on(screen, *cancel)));
    }
  }
  return out;
}

/// The page below a question that was asked there: nothing but menus and questions lie between.
NodeId page_below(const History& tree, DataCache& data, NodeId question) {
  NodeId out = question;
  for (std::size_t k = 0; k < longest_question && out != tree.root() && data.of(out).popup; ++k)
    out = tree.parent(out);
  return stands_upright(tree.screen(out)) && !data.of(out).popup && !swiped(tree, out) ? out : NodeId{};
}

/// Each kind of question once on each kind of page, where it was asked first.
std::vector<Pair> asked_and_cancelled(const History& tree) {
  DataCache data(tree);
  std::vector<Pair> out;
  std::set<std::uint64_t> tried;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId question{n};
    if (tree.crash(question) || !data.of(question).popup || data.of(question).has_field()) continue;
    const auto cancel = cancel_of(tree.screen(question));
    if (cancel_of(tree.screen(tree.parent(question)))) continue;  // something was done on it
    const NodeId page = cancel ? page_below(tree, data, question) : NodeId{};
    if (!page) continue;
    const std::uint64_t what =
        Hasher().add(data.of(page).page).add(data.deed(question)).add(data.of(question).mode).finish();
    if (tried.insert(what).second)
      out.push_back(cancelled(page, what, events_between(tree, page, question),
                              tap_on(tree.screen(question), *cancel)));
  }
  return out;
}

}  // namespace

Status try_cancelled(OracleContext& c) {
  Pairs pairs(c, "neutral");
  const auto attempt = [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); };
  NORN_CHECK(in_batches(c, asked_and_cancelled(c.replay.history()), attempt));
  OracleContext looking = c.part(looking_share);
  NORN_CHECK(in_batches(c, begun_and_cancelled(looking), attempt));
  DataCache data(c.replay.history());
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId waited, NodeId) {
    // What goes by itself is stopped by a question, and need not go on.
    return !values_say_otherwise(data.of(cut.base), data.of(waited));
  });
}

}  // namespace norn

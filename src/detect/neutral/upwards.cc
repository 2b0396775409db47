// The arrow at the top of a form and Back leave it in the same way: who is asked by one of them whether to
// give up what was changed is asked by the other. Everything that can be changed in a form is tried
// (page_changes.h). Reported is where one of them asks and the other leads away at once.
//
// Who changed nothing is not asked whether to give it up. This needs no habit.
#include <algorithm>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/page_changes.h"

namespace norn {
namespace {

constexpr std::size_t changes_of_a_form = 3;

std::optional<Event> arrow(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if (leads_up(screen.widgets[i])) return tap_on(screen, i);
  return std::nullopt;
}

std::vector<Pair> both_ways_out(OracleContext& c, DataCache& data) {
  const History& tree = c.replay.history();
  std::vector<Pair> out;
  std::set<std::uint64_t> pages;
  for (const NodeId page : opened_pages(tree, data, 1)) {
    const ScreenData& form = data.of(page);
    const auto up = arrow(tree.screen(page));
    if (!c.left() || !up || !form.is_form() || !pages.insert(form.page).second) continue;
    std::size_t tried = 0;
    for (const PageChange& change : page_changes(c, data, page)) {
      if (tried++ >= changes_of_a_form) break;
      Pair p{.family = "upwards",
             .name = "the arrow at the top and Back do not leave a changed form in the same way",
             .group = Hasher().add("upwards").add(form.page).finish(),
             .base = page,
             .plain = joined(change.events, {Key{key::back}}),
             .other = joined(change.events, {*up}),
             .agree = {},
             .one_report = true};
      p.agree = {{p.plain.size(), p.other.size()}};
      out.push_back(std::move(p));
    }
  }
  return out;
}

/// Forms that are left by Back at once.
std::vector<Pair> left_at_once(const History& tree, DataCache& data) {
  std::vector<Pair> out;
  std::set<std::uint64_t> pages;
  for (const NodeId page : opened_pages(tree, data, 2)) {
    const ScreenData& form = data.of(page);
    if (!form.is_form() || !pages.insert(Hasher().add(form.page).add(form.mode).finish()).second) continue;
    out.push_back({.family = "asked",
                   .name = "a form in which nothing was changed asks whether to give up what was",
                   .group = Hasher().add("asked").add(form.page).finish(),
                   .base = page,
                   .plain = {},
                   .other = {Key{key::back}},
                   .agree = {{0, 1}},
                   .one_report = true,
                   .agrees = false});
  }
  return out;
}

Status tell_who_asks_at_once(OracleContext& c, DataCache& data) {
  const History& tree = c.replay.history();
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, left_at_once(tree, data),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair&, NodeId, NodeId after) {
    return data.of(after).popup && discarding(tree.screen(after));
  });
}

}  // namespace

Status try_upwards(OracleContext& c) {
  Pairs pairs(c, "neutral");
  DataCache data(c.replay.history());
  NORN_CHECK(tell_who_asks_at_once(c, data));
  OracleContext looking = c.part(looking_share);
  NORN_CHECK(in_batches(c, both_ways_out(looking, data),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId by_back, NodeId by_arrow) {
    const ScreenData &a = data.of(by_back), &b = data.of(by_arrow);
    return a.popup != b.popup && (a.popup ? b : a).page != data.of(cut.base).page;
  });
}

}  // namespace norn

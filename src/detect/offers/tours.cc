#include "detect/offers/tours.h"

#include <map>
#include <set>

#include "base/hash.h"
#include "detect/offers/list_steps.h"
#include "detect/pairs.h"
#include "detect/reading/remembered.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t steps_of_a_kind = 4;  ///< the same thing done on the same page
constexpr std::size_t pages_of_a_tour = 6;  ///< each in a tour of its own
constexpr std::size_t tours_at_once = 24;

struct Tour {
  NodeId from;
  std::vector<Event> events;
};

/// There, back, the step, there again. Of a way that leads through the page below, the page is opened again
/// on the way back.
std::vector<Event> there_and_again(ListSteps& steps, NodeId before, const std::vector<Event>& step,
                                   const std::vector<Event>& way) {
  std::vector<Event> out = way;
  const bool from_below = std::holds_alternative<Key>(way.front());
  if (!from_below || way.size() > 1) out.push_back(Key{key::back});
  if (from_below) {
    const auto again = steps.openings().leave_and_open(before);
    if (again.empty()) return {};
    out.insert(out.end(), again.begin() + 1, again.end());
  }
  return joined(joined(std::move(out), step), way);
}

/// The first of each kind of step, then the second, and so on.
std::vector<Tour> tours_of(const History& tree) {
  ListSteps steps(tree);
  std::map<std::uint64_t, std::size_t> known;
  std::vector<std::vector<Tour>> rounds(steps_of_a_kind);
  for (const NodeId n : steps.nodes()) {
    const NodeId before = steps.last_before(n);
    if (!before || !steps.plain(before) ||
        rows_shown(steps.data().of(before)) == rows_shown(steps.data().of(n)))
      continue;
    const std::size_t round =
        known[Hasher().add(steps.data().of(n).page).add(steps.data().deed(n)).finish()]++;
    if (round >= steps_of_a_kind) continue;
    const auto step = events_between(tree, before, n);
    for (const auto& way : steps.ways_from(before, pages_of_a_tour))
      if (auto events = there_and_again(steps, before, step, way); !events.empty())
        rounds[round].push_back({before, std::move(events)});
  }
  std::vector<Tour> out;
  for (auto& round : rounds) std::ranges::move(round, std::back_inserter(out));
  return out;
}

}  // namespace

std::vector<NodeId> tour_pages(OracleContext& c, DataCache& data) {
  const History& tree = c.replay.history();
  ListSteps steps(tree);
  const Openings::Ways all = steps.openings().ways_to_pages(steps.nodes());
  std::vector<NodeId> out{tree.root()};
  std::set<std::uint64_t> tried{data.of(tree.root()).page};
  for (std::size_t begin = 0; begin < out.size() && c.left();) {
    std::vector<Request> requests;
    for (; begin < out.size(); ++begin)
      if (const auto ways = all.find(data.of(out[begin]).page); ways != all.end())
        for (const auto& [to, way] : ways->second)
          if (tried.insert(to).second)
            requests.push_back(
                {.from = out[begin], .events = c.replay.intern(as_it_stands(tree.screen(out[begin]), way))});
    for (const Outcome& o : c.replay.ask(requests, Until::all, c.stop))
      if (o.verdict == Verdict::yes && !tree.crash(o.end)) out.push_back(o.end);
  }
  return out;
}

Status make_tours(OracleContext& c) {
  const auto all = tours_of(c.replay.history());
  for (std::size_t k = 0; k < all.size() && c.left(); k += tours_at_once) {
    std::vector<Request> requests;
    for (std::size_t i = k; i < std::min(all.size(), k + tours_at_once); ++i)
      requests.push_back({.from = all[i].from, .events = c.replay.intern(all[i].events)});
    c.replay.ask(requests, Until::all, c.stop);
  }
  return {};
}

}  // namespace norn

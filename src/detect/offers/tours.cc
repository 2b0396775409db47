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

/// Every page of the app, opened from one after the other, beginning at one node.
class SettingTour {
 public:
  SettingTour(OracleContext& c, DataCache& data, const Openings::Ways& ways)
      : c_(c), data_(data), ways_(ways) {}

  void from(NodeId begin) {
    std::set<std::uint64_t> seen{data_.of(begin).page};
    std::vector<NodeId> pages{begin};
    while (!pages.empty() && c_.left()) {
      std::vector<Request> requests;
      for (const NodeId page : pages)
        if (const auto ways = ways_.find(data_.of(page).page); ways != ways_.end())
          for (const auto& [to, way] : ways->second)
            if (seen.insert(to).second)
              requests.push_back(
                  {.from = page,
                   .events = c_.replay.intern(as_it_stands(c_.replay.history().screen(page), way))});
      pages.clear();
      for (const Outcome& o : c_.replay.ask(requests, Until::all, c_.stop))
        if (o.verdict == Verdict::yes && !c_.replay.history().crash(o.end)) pages.push_back(o.end);
    }
  }

 private:
  OracleContext& c_;
  DataCache& data_;
  const Openings::Ways& ways_;
};

}  // namespace

void tour_under(OracleContext& c, const std::vector<NodeId>& settings) {
  const History& tree = c.replay.history();
  ListSteps steps(tree);
  const Openings::Ways ways = steps.openings().ways_to_pages(steps.nodes());
  SettingTour tour(c, steps.data(), ways);
  for (const NodeId begin : settings) tour.from(begin);
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

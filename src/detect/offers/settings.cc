#include "detect/offers/settings.h"

#include <algorithm>

#include "detect/offers/lookouts.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/places.h"
#include "detect/pairs.h"

namespace norn {
namespace {

constexpr std::size_t settings_of_a_page = 10, settings_in_all = 16;

bool types(const std::vector<Event>& events) {
  return std::ranges::any_of(events, [](const Event& e) { return std::holds_alternative<Type>(e); });
}

}  // namespace

std::vector<Setting> settings_near(OracleContext& c, DataCache& data, NodeId page) {
  const History& tree = c.replay.history();
  std::vector<std::vector<Event>> ways;
  for (const Lookout& there : lookouts(c, data, page)) {
    const ScreenData& shown = data.of(there.end);
    if (there.way.empty() || shown.page == data.of(page).page || shown.popup || !shown.tables.empty() ||
        shown.has_field())
      continue;  // lists and forms hold data
    std::size_t tried = 0;
    for (const PageChange& change : page_changes(c, data, there.end)) {
      if (types(change.events) || tried++ >= settings_of_a_page || ways.size() >= settings_in_all) continue;
      ways.push_back(joined(joined(there.way, change.events), {Key{key::back}}));
    }
  }
  std::vector<Request> requests;
  for (const auto& way : ways) requests.push_back({.from = page, .events = c.replay.intern(way)});
  const auto outcomes = c.replay.ask(requests, Until::all, c.stop);
  std::vector<Setting> out;
  for (std::size_t k = 0; k < ways.size(); ++k)
    if (const Outcome& o = outcomes[k]; o.verdict == Verdict::yes && !tree.crash(o.end) &&
                                        data.of(o.end).page == data.of(page).page &&
                                        stands_upright(tree.screen(o.end)))
      out.push_back({ways[k], o.end});
  return out;
}

}  // namespace norn

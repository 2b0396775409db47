#include "cli/benchmark_loaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "device/open.h"
#include "explore/explore.h"
#include "formats/jflap.h"

namespace norn::cli {
namespace {

constexpr std::uintmax_t longest_plan = 1U << 22, longest_automaton = 1U << 26;

Result<LoadedBug> load_planned(const PlannedBug& planned, Progress& told) {
  NORN_TRY(const std::string drawn, read_file(planned.automaton, longest_automaton));
  NORN_TRY(JflapFile file, read_jflap(drawn, planned.automaton.string()));
  for (const std::string& repair : file.repairs) told.warning(planned.automaton.string() + ": " + repair);
  if (!is_there(planned.events))
    return fail(Error::Kind::not_found, "is not there; it says how the events are recognised",
                planned.events.string(), "norn learn writes it; by hand: docs/diagnose.md");
  NORN_TRY(const std::string said, read_file(planned.events, longest_automaton));
  NORN_TRY(EventFile events, read_event_file(said, planned.events.string()));
  for (const std::string& remark : events.remarks)
    told.warning(fmt::format("{}, {}", planned.events.string(), remark));
  if (events.patterns.empty())
    return fail(Error::Kind::bad_input, "tells no way to recognise the events", planned.events.string(),
                "give matchers: docs/diagnose.md");
  NORN_TRY(Bug bug, make_bug(planned.name, std::move(file.automaton), {}, events.guards));
  return LoadedBug{.plan = planned,
                   .bug = std::move(bug),
                   .events = std::move(events),
                   .hash = hex(Hasher().add(drawn).add(said).finish())};
}

Status check_strategies(const std::vector<std::string>& strategies, const std::string& file) {
  const std::vector<std::string> names = strategy_names();
  std::set<std::string_view> named;
  for (const std::string& strategy : strategies)
    if (!named.insert(strategy).second)
      return fail(Error::Kind::bad_input, fmt::format("names \"{}\" twice", strategy), file,
                  "repeats = 2 runs every strategy twice, with other seeds");
  for (const std::string& strategy : strategies)
    if (!strategy.starts_with("exec:") && std::ranges::find(names, strategy) == names.end()) {
      const auto near = did_you_mean(strategy, names);
      return fail(Error::Kind::bad_input, fmt::format("there is no strategy \"{}\"", strategy), file,
                  near ? fmt::format("did you mean {}?", *near) : "norn explore --help lists them");
    }
  return {};
}

/// Opens every device once, to know what runs there.
Status open_devices(LoadedPlan& loaded, Progress& told) {
  for (const PlannedBug& bug : loaded.plan.bugs) {
    if (loaded.apps.contains(bug.device)) continue;
    NORN_TRY(const OpenedDevice opened, open_device(bug.device));
    loaded.apps[bug.device] = opened.app.name + " " + opened.app.version;
    for (const LoadedBug& b : loaded.bugs)
      if (b.plan.device == bug.device && is_of_another_app(b.events, opened.app.name))
        told.warning(fmt::format("{}: its events are of {}, but {} is {}", b.plan.events.string(),
                                 b.events.app, bug.device, opened.app.name));
  }
  return {};
}

}  // namespace

std::vector<Cell> LoadedPlan::cells() const {
  std::vector<Cell> out;
  for (std::uint64_t r = 0; r < plan.repeats; ++r)
    for (const auto& [device, app] : apps)
      for (const std::string& strategy : plan.strategies)
        out.push_back({device, strategy, plan.seed + r, plan.budget, app});
  return out;
}

const LoadedBug& LoadedPlan::bug_of(const std::string& name) const {
  return *std::ranges::find_if(bugs, [&](const LoadedBug& b) { return b.plan.name == name; });
}

std::vector<Bug> LoadedPlan::plain_bugs() const {
  std::vector<Bug> out;
  for (const LoadedBug& b : bugs) out.push_back(b.bug);
  return out;
}

Result<LoadedPlan> load_plan(const std::string& file, Progress& told) {
  NORN_TRY(const std::string text, read_file(file, longest_plan));
  LoadedPlan out;
  NORN_TRY(out.plan, read_plan(text, file, std::filesystem::path(file).parent_path()));
  for (const PlannedBug& planned : out.plan.bugs) {
    NORN_TRY(LoadedBug bug, load_planned(planned, told));
    out.bugs.push_back(std::move(bug));
  }
  NORN_CHECK(check_strategies(out.plan.strategies, file));
  NORN_CHECK(open_devices(out, told));
  return out;
}

}  // namespace norn::cli

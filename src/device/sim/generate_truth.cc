#include "device/sim/generate_truth.h"

#include <fmt/format.h>

#include "base/text.h"

namespace norn::sim {
namespace {

/// The holes of a recipe, and ${home}: as many Backs as lead to the first screen.
std::vector<std::string> recipe(const Plan& plan, std::size_t feature, const BugTemplate& bug) {
  const Feature& f = plan.features[feature];
  Words words = f.words;
  std::string home = "back";
  for (std::size_t i = 1; i < depth_of(plan, feature); ++i) home += "\nback";
  words["home"] = home;
  const std::string text = fill(bug.events, words, f.choice);
  std::vector<std::string> out;
  for (const std::string_view line : lines(text)) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

Result<KnownBug> with_events(KnownBug bug) {
  for (const std::string& line : bug.text) {
    NORN_TRY(Event event, parse_event(line, generated_package));
    bug.events.push_back(std::move(event));
  }
  return bug;
}

Result<KnownBug> known_manual(const Plan& plan, std::size_t hub) {
  KnownBug out;
  out.id = manual_bug(plan.hubs[hub]);
  out.what = "The manual is opened although nobody can read it";
  out.text = way_to_hub(plan, hub);
  out.text.push_back("tap " + out.id);
  return with_events(std::move(out));
}

Result<KnownBug> known(const Plan& plan, std::size_t feature, const BugTemplate& bug) {
  const Feature& f = plan.features[feature];
  KnownBug out;
  out.id = fmt::format("{}_{}", f.key, bug.name);
  out.kind = bug.kind == "crash" ? KnownBug::Kind::crash : KnownBug::Kind::functional;
  out.what = std::string(trim(fill(bug.what, f.words, f.choice)));
  out.text = way_to(plan, feature);
  for (std::string& line : recipe(plan, feature, bug)) out.text.push_back(std::move(line));
  return with_events(std::move(out));
}

}  // namespace

Result<GeneratedApp> app_of_plan(const Plan& plan, std::string_view title) {
  GeneratedApp app;
  app.source = write_source(plan, title);
  app.truth.app = "generated";
  app.truth.what = fmt::format("A generated app of {} features", plan.features.size());
  for (std::size_t i = 0; i < plan.features.size(); ++i) {
    for (const BugTemplate& bug : plan.features[i].kind->bugs) {
      if (!plan.features[i].choice.bugs.contains(bug.name)) continue;
      NORN_TRY(KnownBug one, known(plan, i, bug));
      app.truth.bugs.push_back(std::move(one));
    }
  }
  for (std::size_t i = 0; i < plan.hubs.size(); ++i) {
    if (!plan.hubs[i].manual) continue;
    NORN_TRY(KnownBug one, known_manual(plan, i));
    app.truth.bugs.push_back(std::move(one));
  }
  return app;
}

Result<GeneratedApp> generate_app(std::uint64_t seed, int screens, double hidden) {
  NORN_TRY(std::string source,
           generate_source(seed, screens, hidden));  // says what is wrong with its arguments
  NORN_TRY(GeneratedApp app, app_of_plan(plan_app(seed, screens, hidden), fmt::format("Generated {}", seed)));
  app.source = std::move(source);
  return app;
}

}  // namespace norn::sim

// The apps that strategies are compared on, with the bugs known of each. The truth is asked only here and
// only of bugs that hold: a known bug is the signature that its own trigger events produce.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "device/open.h"
#include "device/sim.h"
#include "device/sim/generate_truth.h"
#include "device/sim/truth.h"
#include "explore/explore.h"
#include "replay/fleet.h"

namespace norn {

struct Subject {
  std::string group, name, device;
  std::map<std::uint64_t, std::string> bugs;  ///< signature -> id
  std::uint64_t lines = 0;
};

struct SubjectPlan {
  std::uint64_t generated = 12, first_generated = 9000;
  int screens = 0;   ///< of each generated app; 0: 20, 40 and 60 in turn
  std::string apps;  ///< a folder of somebody else's
  std::string only;  ///< bundled, generated or apps; empty: all
};

/// A service over one device; what it knows of the app goes into the options. Null where it cannot be opened:
/// said.
inline std::unique_ptr<Replay> service(const std::string& spec, History& tree,
                                       ExploreOptions* options = nullptr) {
  auto opened = open_device(spec);
  if (!opened) return fmt::print(stderr, "{}\n", opened.error().message()), nullptr;
  if (options) {
    const DeviceInfo info = opened->device->info();
    options->activities = info.activities;
    options->coverable = info.coverable;
    options->package = opened->app.name;
  }
  std::vector<std::unique_ptr<Device>> devices;
  const App app = opened->app;
  devices.push_back(std::move(opened->device));
  return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), app, tree, FleetOptions{}));
}

inline void learn_bugs(Subject& subject, const sim::Truth& truth) {
  for (const auto& bug : truth.bugs) {
    if (bug.kind != sim::KnownBug::Kind::crash || !bug.device.empty()) continue;
    History tree;
    auto replay = service(subject.device, tree);
    if (!replay) return;
    const Outcome outcome = replay->ask({.events = replay->intern(bug.events), .watch = AnyCrash{}});
    if (outcome.verdict == Verdict::yes)
      subject.bugs[signature(*tree.crash(outcome.end), Sameness::frames)] = bug.id;
    else
      fmt::print(stderr, "{}: bug {} is left out: its own events do not crash\n", subject.name, bug.id);
  }
}

inline void add_bundled(std::vector<Subject>& out) {
  for (const std::string& name : sim_apps())
    if (auto truth = sim::load_truth(name)) {
      out.push_back({"bundled", name, "sim:" + name, {}});
      learn_bugs(out.back(), *truth);
    }
}

inline void add_generated(std::vector<Subject>& out, const SubjectPlan& plan) {
  for (std::uint64_t i = 0; i < plan.generated; ++i) {
    const std::uint64_t seed = plan.first_generated + i;
    const int screens = plan.screens > 0 ? plan.screens : 20 + static_cast<int>(i % 3) * 20;
    const auto app = sim::generate_app(seed, screens);
    if (!app) continue;
    out.push_back({"generated",
                   fmt::format("{}/{}", seed, screens),
                   fmt::format("sim:generated?seed={}&screens={}", seed, screens),
                   {}});
    learn_bugs(out.back(), app->truth);
  }
}

/// Every app.lua of the folder, by name; known bugs where an app.bugs.json lies beside it.
inline Status add_folder(std::vector<Subject>& out, const std::string& folder) {
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder, failed))
    if (file.path().extension() == ".lua") files.push_back(file.path());
  if (failed) return fail(Error::Kind::not_found, failed.message(), folder);
  if (files.empty()) return fail(Error::Kind::not_found, "there is no app.lua in this folder", folder);
  std::ranges::sort(files);
  for (std::filesystem::path& file : files) {
    out.push_back({"apps", file.stem().string(), "sim:" + file.string(), {}});
    NORN_TRY(const App app, sim_app(out.back().device));
    file.replace_extension(".bugs.json");
    if (!std::filesystem::exists(file)) continue;
    NORN_TRY(const std::string text, read_file(file));
    NORN_TRY(const sim::Truth truth, sim::parse_truth(text, app.name, file.string()));
    learn_bugs(out.back(), truth);
  }
  return {};
}

inline Result<std::vector<Subject>> subjects(const SubjectPlan& plan) {
  const auto wanted = [&](const char* group) { return plan.only.empty() || plan.only == group; };
  std::vector<Subject> out;
  if (wanted("bundled")) add_bundled(out);
  if (wanted("generated")) add_generated(out, plan);
  if (wanted("apps") && !plan.apps.empty()) NORN_CHECK(add_folder(out, plan.apps));
  if (out.empty()) return fail(Error::Kind::bad_input, "there are no apps of this kind", plan.only);
  return out;
}

}  // namespace norn

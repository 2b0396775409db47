#include "cli/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/file.h"
#include "base/text.h"
#include "cli/recorded.h"
#include "cli/version.h"
#include "cli/within.h"
#include "device/open.h"
#include "formats/import.h"
#include "formats/trace_json.h"

namespace norn::cli {
namespace {

void tell(Progress& told, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) told.warning(note);
}

/// A set-up, with the screen on which it ended where the file has one.
struct Setup {
  std::vector<Event> events;
  std::optional<Screen> end;
};

Result<Setup> read_setup(const std::string& file, Progress& told) {
  if (file.empty()) return Setup{};
  NORN_TRY(const std::string bytes, read_file(file));
  NORN_TRY(const ReadTrace read, read_trace(bytes, file));
  tell(told, read.warnings);
  Setup out{read.trace.events(), std::nullopt};
  if (!read.trace.steps.empty()) out.end = read.trace.steps.back().seen.screen;
  return out;
}

/// The activity in which each event was received, by the record's own screens; empty where it has none.
std::vector<StateId> logged_states(const Trace& trace) {
  std::vector<StateId> states;
  const auto logged = [](const Screen& screen) { return !screen.activity.empty(); };
  const auto state_of = [](const Screen& screen) {  // a log says "in this activity", which means in the app
    Screen place;
    place.kind = screen.kind == Screen::Kind::unseen ? Screen::Kind::app : screen.kind;
    place.package = screen.package, place.activity = screen.activity;
    return abstract(place, Abstraction::activity);
  };
  if (std::ranges::none_of(trace.steps, [&](const Step& step) { return logged(step.seen.screen); }))
    return {};
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const Screen* before = i > 0 ? &trace.steps[i - 1].seen.screen : nullptr;
    if (i == 0) before = trace.start ? &trace.start->screen : &trace.steps.front().seen.screen;
    states.push_back(logged(*before) || i == 0 ? state_of(*before) : states.back());
  }
  return states;
}
std::string package_of(const Trace& trace) {
  for (const Step& step : trace.steps)
    if (!step.seen.screen.package.empty()) return step.seen.screen.package;
  return {};
}

NamedTrace named(const std::string& name, const Trace& trace) {
  NamedTrace out;
  out.name = name, out.events = trace.events(), out.recorded = trace;
  out.package = package_of(trace), out.logged = logged_states(trace);
  if (const Crash* crash = first_crash(trace)) out.crash = *crash;
  return out;
}

Result<NamedTrace> from_store(const std::string& name, const std::string& path, const TraceInfo& info) {
  NORN_TRY(auto store, Store::open(path, Access::read));
  NORN_TRY(const Trace trace, stored_trace(*store, info.app, info.node, info.run));
  NamedTrace out = named(name, trace);
  out.info = info;
  const auto run = store->run(info.run);
  if (!run || run->made_by.device == imported_device) return out;
  NORN_TRY(MemoryKey key, store->key(info.app));
  out.device = run->made_by.device;
  out.setup = std::move(key.app.setup);
  return out;
}

Result<NamedTrace> from_text(const std::string& name, std::string_view bytes, Progress& told) {
  if (is_trace_json(bytes)) {
    NORN_TRY(const ReadTrace read, read_trace(bytes, name));
    tell(told, read.warnings);
    return named(name, read.trace);
  }
  return fail(Error::Kind::bad_input, "is no norn trace", name, "norn import reads other formats");
}

Result<NamedTrace> from_path(const std::string& name, Progress& told) {
  NORN_TRY(const Imported imported, import_path(name));
  if (imported.taken.empty())
    return fail(Error::Kind::bad_input,
                imported.skipped.size() == 1 && imported.skipped.front().file == name
                    ? imported.skipped.front().why
                    : "holds no trace",
                name);
  if (imported.taken.size() > 1)
    return fail(Error::Kind::bad_input, fmt::format("holds {} traces, one is wanted", imported.taken.size()),
                name, "norn import takes them all into the store");
  tell(told, imported.taken.front().notes);
  NamedTrace out = named(name, imported.taken.front().trace);
  // A clean start is not an event: the launch that begins a foreign recording belongs to the restart. Where
  // the app was seen before it, it was running already.
  const auto& start = imported.taken.front().trace.start;
  const bool runs = start && start->screen.kind == Screen::Kind::app;
  if (!runs && !out.events.empty() && std::holds_alternative<Launch>(out.events.front())) {
    out.events.erase(out.events.begin());
    if (!out.logged.empty()) out.logged.erase(out.logged.begin());
  }
  return out;
}

}  // namespace

void declare_store(Options& options, std::string& store) {
  options.text(store, "--store", "The store file; made when missing");
}

std::string in_store(const std::string& store) {
  return store == usual_store ? std::string() : " --store " + shell_word(store);
}

std::string DeviceOptions::again() const {
  return (setup.empty() ? std::string() : " --setup " + shell_word(setup)) + in_store(store);
}

void DeviceOptions::declare(Options& options, bool device_required_text) {
  options.text(device, "--device",
               device_required_text ? "sim:NAME, sim:app.lua, exec:CMD, with options: 'sim:notes?bugs=none'"
                                    : "The device; default: the one it was recorded on");
  options.text(setup, "--setup", "A trace file run after every clean start (login, onboarding)");
  declare_store(options, store);
  options.duration(budget, "--budget", "Device time to spend at most, as makespan: 90s, 30m, 2h");
  options.number(jobs, "--jobs", "Devices to use at once");
  options.number(snapshots, "--snapshots", "Snapshots to keep on each device");
  options.number(repeats, "--repeats",
                 repeats > 0 ? "Fresh cold runs of a certificate"
                             : "Fresh cold runs of a certificate; 0: as many as the command thinks fit");
  options.number(seed, "--seed", "Seed of every chance");
}

std::string id_text(char kind, std::uint32_t value) { return fmt::format("{}{}", kind, value); }

std::optional<std::uint32_t> stored_id(char kind, std::string_view name) {
  if (name.size() < 2 || name[0] != kind) return std::nullopt;
  const auto number = to_int(name.substr(1));
  if (!number || *number < 0 || *number > 0x7fffffff) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

Result<NamedTrace> find_trace(const std::string& name, const std::string& store, Progress& told) {
  if (name == "-") {
    const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
    return from_text("standard input", bytes, told);
  }
  const bool is_file = is_there(name);
  if (const auto id = stored_id('t', name); id && !is_file) {
    NORN_TRY(auto open, Store::open(store, Access::read));
    NORN_TRY(const TraceInfo info, open->trace(TraceId{*id}));
    return from_store(name, store, info);
  }
  if (const auto id = stored_id('c', name); id && !is_file) {
    NORN_TRY(auto open, Store::open(store, Access::read));
    NORN_TRY(const FoundInfo found, open->crash(FoundId{*id}));
    return from_store(name, store,
                      {.id = {},
                       .app = found.app,
                       .node = found.shortest ? found.shortest : found.node,
                       .run = found.run,
                       .origin = "crash",
                       .made = found.made});
  }
  if (!is_file)
    return fail(Error::Kind::not_found, "there is no such trace", name,
                "give an id such as t17 or c3 ('norn runs' lists them), a file, or -");
  return from_path(name, told);
}

Status choose_device(DeviceOptions& options, const NamedTrace& trace, const std::string& else_do) {
  if (options.device.empty()) options.device = trace.device;
  if (!options.device.empty()) return {};
  return fail(Error::Kind::bad_input,
              "nothing says on which device it can be run" +
                  (trace.package.empty() ? "" : "; it was recorded with " + trace.package),
              trace.name, "name one that runs that app with --device" + else_do);
}

Result<std::unique_ptr<Session>> Session::open(const DeviceOptions& options, const std::string& command,
                                               Output& out) {
  if (options.device.empty())
    return fail(Error::Kind::bad_input, "say which device with --device", {},
                "for instance --device sim:notes; 'norn devices' lists them");
  NORN_CHECK(within("--jobs", options.jobs, 1, most_jobs));
  std::unique_ptr<Session> s(new Session);
  NORN_TRY(Setup setup, read_setup(options.setup, out));
  std::vector<std::unique_ptr<Device>> devices;
  for (std::uint64_t i = 0; i < options.jobs; ++i) {
    NORN_TRY(auto opened, open_device(options.device));
    s->app_ = std::move(opened.app);
    devices.push_back(std::move(opened.device));
  }
  s->app_.setup = std::move(setup.events);
  s->info_ = devices.front()->info();
  s->snapshots_ = s->info_.snapshots && options.snapshots > 0;
  NORN_TRY(s->store_, Store::open(options.store, Access::write, command));
  const MemoryKey key{s->app_, s->info_.kind, s->info_.width, s->info_.height, s->info_.locale};
  NORN_TRY(s->app_id_, s->store_->app(key));
  NORN_TRY(s->tree_, s->store_->load(s->app_id_));
  s->made_by_ = {std::string(version),
                 s->app_.name,
                 s->app_.version,
                 options.device,
                 {{"seed", std::to_string(options.seed)}}};
  s->made_by_.options.insert(options.also.begin(), options.also.end());
  NORN_TRY(s->run_, s->store_->begin_run(s->app_id_, command, s->made_by_));
  FleetOptions fleet;
  fleet.snapshots.number = options.snapshots;
  fleet.budget = options.budget;
  fleet.seed = options.seed;
  fleet.setup_end = std::move(setup.end);
  Journal journal = [raw = s.get()](const Appended& what, Heat, const Observation& seen) {
    return raw->note(what, seen);
  };
  s->replay_ = std::make_unique<Replay>(
      std::make_unique<Fleet>(std::move(devices), s->app_, *s->tree_, fleet, std::move(journal)));
  if (s->tree_->size() > 1 && !out.quiet)
    out.status(fmt::format("{}: {} nodes remembered from earlier runs", s->app_.name, s->tree_->size()));
  return s;
}

Session::~Session() {
  if (store_ && !finished_) (void)store_->finish_run(run_, spent(), "interrupted");
}

Status Session::note(const Appended& what, const Observation& seen) {
  NORN_CHECK(store_->append(app_id_, run_, *tree_, what, seen.at));
  if (!what.sample.crash || what.node == tree_->root()) return {};
  NORN_TRY(const FoundId found, store_->add_crash(app_id_, run_, *tree_, what.node, seen.at));
  if (std::find(crashes_.begin(), crashes_.end(), found) == crashes_.end()) crashes_.push_back(found);
  return {};
}

void Session::warn_of_other_setup(const std::string& trace, const std::optional<std::vector<Event>>& recorded,
                                  Progress& told) const {
  const auto behind = [this](const std::vector<Event>& setup) {
    MemoryKey key{app_, {}, 0, 0, {}};
    key.app.setup = setup;
    return identity(key);
  };
  if (!recorded || behind(*recorded) == behind(app_.setup)) return;
  told.warning(fmt::format("{} was recorded {}", trace,
                           recorded->empty()    ? "without a set-up: leave --setup out"
                           : app_.setup.empty() ? "behind a set-up: give that with --setup"
                                                : "behind another set-up: give that with --setup"));
}

Prices Session::prices() const {
  const Costs& guess = info_.guess;
  return {.event = guess.event,
          .restart = guess.restart,
          .save = guess.save,
          .load = guess.load,
          .snapshots = snapshots_};
}

Effort Session::spent() const { return replay_ ? replay_->spent() : Effort{}; }

Result<TraceId> Session::keep_trace(NodeId node, const std::string& origin) {
  return store_->add_trace(app_id_, run_, node, tree_->depth(node), origin);
}

Status Session::finish(const std::string& kind, const std::string& json, const std::string& outcome) {
  NORN_CHECK(store_->add_result(run_, kind, json));
  NORN_CHECK(store_->finish_run(run_, spent(), outcome));
  finished_ = true;
  return store_->flush();
}

}  // namespace norn::cli

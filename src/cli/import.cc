// norn import: recordings of other tools into the store, recognised by content.
#include "formats/import.h"

#include <fmt/core.h>

#include <map>
#include <tuple>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "cli/version.h"

namespace norn::cli {
namespace {

class Import final : public Command {
 public:
  void declare(Options& options) override {
    options.list(paths_, "path", "Files or folders", true);
    std::vector<std::string> formats = import_formats();
    formats.insert(formats.begin(), "auto");
    options.choice(format_, "--format", formats, "What they are");
    declare_store(options, store_);
  }

  Result<Exit> run(Output& out) override {
    const std::stop_token stop = interruption();
    NORN_TRY(store_file_, Store::open(store_, Access::write, "import"));
    NORN_CHECK(know_kept());
    JsonOut taken = JsonOut::array(), skipped = JsonOut::array();
    for (const std::string& path : paths_) {
      if (stop.stop_requested()) break;
      NORN_TRY(const Imported imported, import_path(path, format_));
      for (const Taken& one : imported.taken) {
        if (stop.stop_requested()) break;
        NORN_CHECK(take(one, taken, out));
      }
      for (const NotTaken& one : imported.skipped) {
        skipped.push_back({{"file", one.file}, {"why", one.why}});
        out.line(fmt::format("not taken: {}: {}", printable(one.file), printable(one.why)));
      }
    }
    out.line(fmt::format("{} taken into {}, {} not taken", counted(taken.size(), "trace"), store_,
                         counted(skipped.size(), "file")));
    JsonOut json{{"taken", taken}, {"skipped", skipped}};
    out.object(dump_line(json));
    for (const auto& [app, place] : places_)
      NORN_CHECK(store_file_->finish_run(place.run, {}, counted(place.traces, "trace")));
    NORN_CHECK(store_file_->flush());
    if (stop.stop_requested()) {
      out.line("interrupted: what is named above is kept; the same again takes the rest");
      return Exit::interrupted;
    }
    return taken.empty() ? Exit::bad_usage : Exit::done;
  }

 private:
  struct Place {
    AppId app;
    RunId run;
    std::unique_ptr<History> tree;
    std::size_t traces = 0;
  };

  /// The app a recording is of: its package, of an unknown version.
  static std::string package_of(const Trace& trace) {
    if (trace.start && !trace.start->screen.package.empty()) return trace.start->screen.package;
    for (const Step& step : trace.steps) {
      if (const auto* launch = std::get_if<Launch>(&step.event); launch && !launch->package.empty())
        return launch->package;
      if (!step.seen.screen.package.empty()) return step.seen.screen.package;
    }
    return "unknown";
  }

  /// Every path of a recording into the store, with a line and an object of `taken` for each.
  Status take(const Taken& recording, JsonOut& taken, Output& out) {
    const std::vector<Trace> paths = paths_in(recording);
    std::vector<std::string> notes = recording.notes;
    if (paths.size() > 1)
      notes.push_back(fmt::format("it goes on after a crash: split into {}, each ends with its own",
                                  counted(paths.size(), "trace")));
    NORN_TRY(Place* const place, place_of(package_of(recording.trace)));
    for (const Trace& path : paths) {
      NORN_TRY(const TraceId id, keep(path, recording.file, *place));
      const Crash* crash = path.crash();
      taken.push_back({{"file", recording.file},
                       {"format", recording.format},
                       {"trace", id_text('t', id.value)},
                       {"events", path.steps.size()},
                       {"crash", crash ? JsonOut(headline(*crash)) : JsonOut(nullptr)},
                       {"notes", notes}});
      out.line(fmt::format("{:<5} {:>5} events  {:<11} {}{}", id_text('t', id.value), path.steps.size(),
                           recording.format, printable(recording.file),
                           crash ? "  " + headline(*crash) : ""));
    }
    for (const std::string& note : notes) out.line("        " + printable(note));
    out.status(fmt::format("{} taken", taken.size()));
    return {};
  }

  Result<Place*> place_of(const std::string& package) {
    if (const auto known = places_.find(package); known != places_.end()) return &known->second;
    MemoryKey key;
    key.app.name = package;
    key.device_kind = imported_device;
    Place place;
    NORN_TRY(place.app, store_file_->app(key));
    NORN_TRY(place.run,
             store_file_->begin_run(place.app, "import",
                                    {std::string(version), package, {}, std::string(imported_device), {}}));
    NORN_TRY(place.tree, store_file_->load(place.app));
    return &places_.emplace(package, std::move(place)).first->second;
  }

  /// REQUIRES: no step of `path` crashes but the last.
  Result<TraceId> keep(const Trace& path, const std::string& file, Place& place) {
    History& tree = *place.tree;
    NORN_CHECK(store_file_->begin_batch());
    Observation start;
    start.screen.kind = Screen::Kind::unseen;
    if (path.start) start = *path.start;
    NORN_CHECK(store_file_->append(place.app, place.run, tree, tree.append_root(start, Heat::cold)));
    NodeId node = tree.root();
    for (const Step& step : path.steps) {
      const Appended done = tree.append(node, step.event, step.seen, Heat::cold);
      NORN_CHECK(store_file_->append(place.app, place.run, tree, done, step.seen.at));
      node = done.node;
      if (step.seen.crash) NORN_CHECK(store_file_->add_crash(place.app, place.run, tree, node, step.seen.at));
    }
    TraceId& id = kept_[{place.app, node, file}];
    if (!id) {
      NORN_TRY(id, store_file_->add_trace(place.app, place.run, node, tree.depth(node), file));
      ++place.traces;
    }
    NORN_CHECK(store_file_->commit());
    return id;
  }

  /// A recording that was taken before keeps its id.
  Status know_kept() {
    NORN_TRY(const auto traces, store_file_->traces());
    for (const TraceInfo& t : traces) kept_[{t.app, t.node, t.origin}] = t.id;
    return {};
  }

  std::vector<std::string> paths_;
  std::string format_ = "auto", store_ = "norn.db";
  std::unique_ptr<Store> store_file_;
  std::map<std::string, Place> places_;
  std::map<std::tuple<AppId, NodeId, std::string>, TraceId> kept_;
};

}  // namespace

std::unique_ptr<Command> make_import() { return std::make_unique<Import>(); }

}  // namespace norn::cli

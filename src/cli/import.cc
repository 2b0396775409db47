// norn import: recordings of other tools into the store, recognised by content.
#include "formats/import.h"

#include <fmt/core.h>

#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/recorded.h"
#include "cli/session.h"
#include "cli/version.h"
#include "formats/trace_json.h"

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
      NORN_TRY(const Imported imported, look_into(path, stop));
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
    NORN_CHECK(store_file_->flush());
    if (stop.stop_requested()) {
      out.line("interrupted: what is named above is kept; the same again takes the rest");
      return Exit::interrupted;
    }
    return taken.empty() || missing_ > 0 ? Exit::bad_usage : Exit::done;
  }

 private:
  /// One of several paths that is not there does not keep the others out.
  Result<Imported> look_into(const std::string& path, const std::stop_token& stop) {
    auto imported = import_path(path, format_, stop);
    if (imported || imported.error().kind != Error::Kind::not_found || paths_.size() == 1) return imported;
    ++missing_;
    return Imported{{}, {{path, imported.error().what}}};
  }

  /// A path of a recording, and whose it is.
  struct Path {
    const Taken& recording;
    const Trace& trace;
    std::string package;
  };

  /// The app a recording is of.
  static std::string package_of(const Trace& trace) {
    if (trace.start && !trace.start->screen.package.empty()) return trace.start->screen.package;
    for (const Step& step : trace.steps) {
      if (const auto* launch = std::get_if<Launch>(&step.event); launch && !launch->package.empty())
        return launch->package;
      if (!step.seen.screen.package.empty()) return step.seen.screen.package;
    }
    return "unknown";
  }

  /// Nothing says that two recordings are of the same build of an app: each has a version, and so a tree, of its
  /// own. It is the hash of what was recorded: the same again is the same.
  static MemoryKey key_of(const Path& path) {
    Trace content = path.trace;
    content.origin.clear();
    MemoryKey key;
    key.app.name = path.package;
    key.app.version = hex(hash_bytes(write_trace(content)));
    key.device_kind = imported_device;
    return key;
  }

  /// Every path of a recording into the store, with a line and an object of `taken` for each.
  Status take(const Taken& recording, JsonOut& taken, Output& out) {
    const std::vector<Trace> paths = paths_in(recording);
    std::vector<std::string> notes = recording.notes;
    if (paths.size() > 1)
      notes.push_back(fmt::format("it goes on after a crash: split into {}, each ends with its own",
                                  counted(paths.size(), "trace")));
    const std::string package = package_of(recording.trace);
    for (const Trace& path : paths) {
      NORN_TRY(const TraceId id, keep({recording, path, package}));
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

  Result<TraceId> keep(const Path& path) {
    const MemoryKey key = key_of(path);
    NORN_CHECK(store_file_->begin_batch());
    NORN_TRY(const AppId app, store_file_->app(key));
    TraceId& id = kept_[{app, path.recording.file}];
    if (!id) {
      const MadeBy made_by{std::string(version), path.package, key.app.version, key.device_kind, {}};
      NORN_TRY(const RunId run, store_file_->begin_run(app, "import", made_by));
      NORN_TRY(const NodeId end, append(app, run, path));
      NORN_TRY(id, store_file_->add_trace(app, run, end, static_cast<std::uint32_t>(path.trace.steps.size()),
                                          path.recording.file));
      NORN_CHECK(keep_recorded(*store_file_, run, path.trace));
      NORN_CHECK(store_file_->finish_run(run, {}, counted(1, "trace")));
    }
    NORN_CHECK(store_file_->commit());
    return id;
  }

  /// Returns where the path ends in its tree. One that lies there already, from a file of another name, is not
  /// executed a second time by being imported.
  Result<NodeId> append(AppId app, RunId run, const Path& path) {
    if (const auto known = ends_.find(app); known != ends_.end()) return known->second;
    NORN_TRY(const auto tree, store_file_->load(app));
    Observation start;
    start.screen.kind = Screen::Kind::unseen;
    if (path.trace.start) start = *path.trace.start;
    NORN_CHECK(store_file_->append(app, run, *tree, tree->append_root(start, Heat::cold), start.at));
    NodeId node = tree->root();
    for (const Step& step : path.trace.steps) {
      const Appended done = tree->append(node, step.event, step.seen, Heat::cold);
      NORN_CHECK(store_file_->append(app, run, *tree, done, step.seen.at));
      node = done.node;
    }
    const Crash* crash = path.trace.crash();
    if (crash && crashes_.emplace(path.package, signature(*crash, Sameness::frames)).second) {
      const double at = path.trace.steps.empty() ? start.at : path.trace.steps.back().seen.at;
      NORN_CHECK(store_file_->add_crash(app, run, *tree, node, at));
    }
    return ends_[app] = node;
  }

  /// A recording that was taken before keeps its id, a crash that another recording of the same package ended
  /// in keeps its own.
  Status know_kept() {
    NORN_TRY(const auto crashes, store_file_->crashes());
    for (const FoundInfo& c : crashes) {
      NORN_TRY(const MemoryKey key, store_file_->key(c.app));
      if (key.device_kind == imported_device) crashes_.emplace(key.app.name, c.signature);
    }
    NORN_TRY(const auto traces, store_file_->traces());
    for (const TraceInfo& t : traces) {
      kept_[{t.app, t.origin}] = t.id;
      ends_[t.app] = t.node;
    }
    return {};
  }

  std::vector<std::string> paths_;
  std::string format_ = "auto", store_{usual_store};
  std::size_t missing_ = 0;  ///< of paths_: not there
  std::unique_ptr<Store> store_file_;
  std::map<std::pair<AppId, std::string>, TraceId> kept_;    ///< by app and file
  std::map<AppId, NodeId> ends_;                             ///< of the path that an app's tree holds
  std::set<std::pair<std::string, std::uint64_t>> crashes_;  ///< package and signature (`frames`)
};

}  // namespace

std::unique_ptr<Command> make_import() { return std::make_unique<Import>(); }

}  // namespace norn::cli

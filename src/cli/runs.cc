// norn runs: what the store holds, and how large it is.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/json_result.h"
#include "cli/session.h"

namespace norn::cli {
namespace {

std::string when(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

class Runs final : public Command {
 public:
  void declare(Options& options) override { declare_store(options, store_); }

  Result<Exit> run(Output& out) override {
    NORN_TRY(auto store, Store::open(store_, Access::read));
    JsonOut json;
    NORN_CHECK(list_runs(*store, out, json));
    NORN_CHECK(list_traces(*store, out, json));
    NORN_CHECK(list_crashes(*store, out, json));
    NORN_CHECK(list_suites(*store, out, json));
    NORN_CHECK(list_sizes(*store, out, json));
    out.object(dump_line(json));
    return Exit::done;
  }

 private:
  Status list_runs(Store& store, Output& out, JsonOut& json) {
    NORN_TRY(const auto runs, store.runs());
    json["runs"] = JsonOut::array();
    for (const RunInfo& run : runs) {
      json["runs"].push_back({{"id", id_text('r', run.id.value)},
                              {"command", run.command},
                              {"started", run.started},
                              {"finished", or_null(run.finished)},
                              {"outcome", run.outcome},
                              {"made_by", made_by_json(run.made_by)},
                              {"effort", effort_json(run.effort)}});
      out.line(fmt::format("{:<5} {}  {:<36} {:<24} {}", id_text('r', run.id.value), when(run.started),
                           shorten(printable(run.command), 36), shorten(printable(run.made_by.device), 24),
                           run.finished ? printable(run.outcome) : "not finished"));
    }
    return {};
  }
  Status list_traces(Store& store, Output& out, JsonOut& json) {
    NORN_TRY(const auto traces, store.traces());
    json["traces"] = JsonOut::array();
    for (const TraceInfo& trace : traces) {
      json["traces"].push_back({{"id", id_text('t', trace.id.value)},
                                {"events", trace.events},
                                {"origin", trace.origin},
                                {"run", id_text('r', trace.run.value)}});
      out.line(fmt::format("{:<5} {}  {:>5} events  {}", id_text('t', trace.id.value), when(trace.made),
                           trace.events, printable(trace.origin)));
    }
    return {};
  }
  Status list_crashes(Store& store, Output& out, JsonOut& json) {
    NORN_TRY(const auto crashes, store.crashes());
    json["crashes"] = JsonOut::array();
    for (const FoundInfo& crash : crashes) {
      json["crashes"].push_back({{"id", id_text('c', crash.id.value)},
                                 {"headline", crash.headline},
                                 {"run", id_text('r', crash.run.value)},
                                 {"first_seen_s", crash.device_seconds}});
      out.line(fmt::format("{:<5} {}  {}", id_text('c', crash.id.value), when(crash.made),
                           printable(crash.headline)));
    }
    return {};
  }
  Status list_suites(Store& store, Output& out, JsonOut& json) {
    NORN_TRY(const auto suites, store.suites());
    json["suites"] = JsonOut::array();
    for (const SuiteInfo& suite : suites) {
      json["suites"].push_back(
          {{"id", id_text('s', suite.id.value)}, {"name", suite.name}, {"traces", suite.traces.size()}});
      out.line(fmt::format("{:<5} {}  {}  {}", id_text('s', suite.id.value), when(suite.made),
                           counted(suite.traces.size(), "trace"), printable(suite.name)));
    }
    return {};
  }
  Status list_sizes(Store& store, Output& out, JsonOut& json) {
    NORN_TRY(const Sizes sizes, store.sizes());
    json["sizes"] = {{"file_bytes", sizes.file_bytes},
                     {"steps", sizes.steps},
                     {"screens", sizes.screens},
                     {"apps", sizes.apps}};
    out.line(fmt::format("{}: {:.1f} MB, {}, {} ({:.1f} MB), {} ({:.1f} MB)", store_,
                         static_cast<double>(sizes.file_bytes) / 1e6, counted(sizes.apps, "app"),
                         counted(sizes.steps, "step"), static_cast<double>(sizes.step_bytes) / 1e6,
                         counted(sizes.screens, "screen"), static_cast<double>(sizes.screen_bytes) / 1e6));
    return {};
  }

  std::string store_{usual_store};
};

class Gc final : public Command {
 public:
  void declare(Options& options) override {
    options.text(salvage_, "--salvage", "Copy what can be read of a damaged store into this new file");
    declare_store(options, store_);
  }

  Result<Exit> run(Output& out) override {
    if (!is_there(store_)) return fail(Error::Kind::not_found, "there is no such store", store_);
    if (!salvage_.empty()) return salvage(out);
    NORN_TRY(auto store, Store::open(store_, Access::write, "gc"));
    NORN_TRY(const Freed freed, store->gc());
    out.line(
        fmt::format("freed {:.1f} MB: {} screens, {} events, {} coverage sets, {} crashes, {} apps that "
                    "nothing refers to",
                    static_cast<double>(freed.bytes) / 1e6, freed.screens, freed.events, freed.coverages,
                    freed.crashes, freed.apps));
    out.object(dump_line(JsonOut{{"freed_bytes", freed.bytes},
                                 {"screens", freed.screens},
                                 {"events", freed.events},
                                 {"coverages", freed.coverages},
                                 {"crashes", freed.crashes},
                                 {"apps", freed.apps}}));
    return Exit::done;
  }

 private:
  Result<Exit> salvage(Output& out) const {
    NORN_TRY(const Salvaged kept, Store::salvage(store_, salvage_));
    out.line(fmt::format("wrote {}: {}, {}, {}, {}, {}; {}", salvage_, counted(kept.apps, "app"),
                         counted(kept.steps, "step"), counted(kept.traces, "trace"),
                         counted(kept.found, "crash"), counted(kept.suites, "suite"),
                         kept.steps_lost ? counted(*kept.steps_lost, "step") + " lost"
                                         : "how many steps were lost cannot be told"));
    out.object(dump_line(JsonOut{{"file", salvage_},
                                 {"apps", kept.apps},
                                 {"steps", kept.steps},
                                 {"steps_lost", or_null(kept.steps_lost)},
                                 {"runs", kept.runs},
                                 {"traces", kept.traces},
                                 {"crashes", kept.found},
                                 {"suites", kept.suites},
                                 {"results", kept.results}}));
    return Exit::done;
  }

  std::string store_{usual_store}, salvage_;
};

}  // namespace

std::unique_ptr<Command> make_runs() { return std::make_unique<Runs>(); }
std::unique_ptr<Command> make_gc() { return std::make_unique<Gc>(); }

}  // namespace norn::cli

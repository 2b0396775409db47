#include "cli/replay_suite.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "suite/run.h"

namespace norn::cli {
namespace {

/// A suite as the store has it, with what its traces saw.
struct Loaded {
  std::vector<SuiteCase> cases;
  Mask mask;
  std::string device, version;
  std::vector<Event> setup;
};

/// By its id, or the latest of that name.
Result<SuiteInfo> find_suite(Store& store, const std::string& name) {
  if (const auto number = stored_id('s', name)) return store.suite(SuiteId{*number});
  NORN_TRY(auto all, store.suites());
  const auto named = std::ranges::find(all.rbegin(), all.rend(), name, &SuiteInfo::name);
  if (named != all.rend()) return *named;
  return fail(Error::Kind::bad_input, "is no suite", name,
              "give an id such as s1, or a name; 'norn runs' lists them");
}

Result<Loaded> load(const std::string& name, const std::string& path) {
  NORN_TRY(auto store, Store::open(path, Access::read));
  NORN_TRY(const SuiteInfo suite, find_suite(*store, name));
  NORN_TRY(const auto tree, store->load(suite.app));
  NORN_TRY(const MemoryKey key, store->key(suite.app));
  Loaded out{
      .cases = {}, .mask = tree->mask(), .device = {}, .version = key.app.version, .setup = key.app.setup};
  if (const auto run = store->run(suite.run)) out.device = run->made_by.device;
  for (const TraceId id : suite.traces) {
    NORN_TRY(const TraceInfo trace, store->trace(id));
    out.cases.push_back(suite_case(*tree, trace.node, id_text('t', id.value)));
  }
  return out;
}

void result_line(const CaseResult& r, Output& out) {
  const char* word = r.verdict == CaseResult::Verdict::pass   ? "pass"
                     : r.verdict == CaseResult::Verdict::fail ? "FAIL"
                                                              : "not run";
  out.line(fmt::format("{:<6} {:<7} {} of {}{}", r.name, word, r.passed, r.runs,
                       r.why.empty() ? "" : ": " + r.why));
  if (r.verdict != CaseResult::Verdict::fail) return;
  if (r.expected) out.line("  the screen when the suite was made:\n" + outline(*r.expected));
  if (r.seen) out.line("  the screen now:\n" + outline(*r.seen));
}

JsonOut result_json(const CaseResult& r) {
  using V = CaseResult::Verdict;
  JsonOut out{{"trace", r.name},
              {"verdict", r.verdict == V::pass   ? "pass"
                          : r.verdict == V::fail ? "fail"
                                                 : "unresolved"},
              {"passed", {r.passed, r.runs}},
              {"why", r.why},
              {"seconds", r.seconds}};
  out["event"] = r.event ? JsonOut(*r.event + 1) : JsonOut(nullptr);
  out["crash"] = r.crash ? JsonOut(headline(*r.crash)) : JsonOut(nullptr);
  out["missing"] = r.missing.ids();
  if (r.expected) out["expected"] = outline(*r.expected);
  if (r.seen) out["seen"] = outline(*r.seen);
  return out;
}

}  // namespace

Result<Exit> replay_suite(const SuiteRun& run, DeviceOptions device, Output& out) {
  if (!run.junit.empty()) NORN_CHECK(may_write(run.junit, run.force));
  NORN_TRY(const Loaded suite, load(run.suite, device.store));
  if (device.device.empty()) device.device = suite.device;
  NORN_TRY(const auto session, Session::open(device, "replay --suite " + run.suite, out));
  session->warn_of_other_setup(run.suite, suite.setup, out);
  RunSuiteOptions options;
  options.times = run.times;
  options.mask = suite.mask;
  options.coverage = session->app().version == suite.version;
  options.coverable = session->info().coverable;
  const auto results = run_suite(session->replay(), suite.cases, options, out, interruption());

  using V = CaseResult::Verdict;
  const auto number = [&](V v) {
    return std::count_if(results.begin(), results.end(), [&](const CaseResult& r) { return r.verdict == v; });
  };
  JsonOut json{{"suite", run.suite},
               {"passed", number(V::pass)},
               {"failed", number(V::fail)},
               {"unresolved", number(V::unresolved)}};
  json["results"] = JsonOut::array();
  for (const CaseResult& r : results) {
    result_line(r, out);
    json["results"].push_back(result_json(r));
  }
  out.line(
      fmt::format("{}: {} passed, {} failed, {} not run{}", run.suite, number(V::pass), number(V::fail),
                  number(V::unresolved),
                  options.coverage ? "" : " (another version of the app: the code it runs is not compared)"));
  out.line(effort_text(session->spent()));
  json["made_by"] = made_by_json(session->made_by());
  json["effort"] = effort_json(session->spent());
  if (!run.junit.empty()) {
    NORN_CHECK(write_file(run.junit, junit_xml(run.suite, results)));
    out.line("wrote " + run.junit);
  }
  out.object(dump_line(json));
  NORN_CHECK(session->finish("replay-suite", dump_line(json),
                             fmt::format("{} of {} passed", number(V::pass), results.size())));
  if (number(V::fail) > 0) return Exit::bad_news;
  if (number(V::unresolved) == 0) return Exit::done;
  return interruption().stop_requested() ? Exit::interrupted : Exit::inconclusive;
}

}  // namespace norn::cli

// norn suite: a small regression suite out of a huge generated one.
#include "suite/suite.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/counted.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "cli/within.h"

namespace norn::cli {
namespace {

const char* kind_text(ItemKind kind) {
  switch (kind) {
    case ItemKind::code:
      return "code";
    case ItemKind::screen:
      return "screen";
    case ItemKind::crash:
      return "crash";
    case ItemKind::step:
      return "step";
  }
  return "";
}

class Suite final : public Command {
 public:
  Suite() { device_.repeats = 0; }

  void declare(Options& options) override {
    options.list(traces_, "trace", "t17, c3, files; none: everything that was ever executed on the device");
    device_.declare(options, false);
    options.number(k_, "--k", "Fragments of a spliced trace at most; 0: no splicing");
    options.choice(joints_, "--joints", {"none", "structure", "exact"},
                   "What must be equal where traces are cut or joined, besides the abstract state");
    options.choice(state_, "--state", abstraction_names(), "What counts as the same screen");
    options.flag(tail_, "--tail", "Cut ends that add nothing already in phase 1, as the released code does");
    options.flag(published_, "--as-published",
                 "DetReduce as in its paper: ten cold runs each, first come, first kept, no polishing");
    options.duration(target_, "--target", "Seconds a run of the suite may take: what covers most is kept");
    options.list(keep_, "--keep", "Traces to keep whole");
    options.choice(
        by_, "--by", {"coverage", "screens", "crashes", "steps"},
        "What must not be lost (steps: coverage, and every event on every screen); crashes never are");
    options.text(name_, "--name", "A name for the suite");
  }

  Result<Exit> run(Output& out) override {
    std::vector<NamedTrace> given;
    for (const std::string& name : traces_) {
      NORN_TRY(NamedTrace trace, find_trace(name, device_.store, out));
      if (device_.device.empty()) device_.device = trace.device;
      given.push_back(std::move(trace));
    }
    if (!given.empty()) NORN_CHECK(choose_device(device_, given.front()));
    NORN_TRY(const auto session, Session::open(device_, "suite", out));
    for (const NamedTrace& trace : given) session->warn_of_other_setup(trace.name, trace.setup, out);
    NORN_TRY(SuiteOptions options, options_for(*session, out));
    NORN_TRY(const auto ends, ends_of(*session, given, out));
    const auto stop = interruption();
    NORN_TRY(const SuiteResult suite, make_suite(session->replay(), ends, options, out, stop));
    return report(*session, suite, out);
  }

 private:
  Result<SuiteOptions> options_for(Session& session, Output& out) const {
    SuiteOptions options = published_ ? SuiteOptions::as_published() : SuiteOptions{};
    NORN_TRY(options.k, within("--k", k_, 0, 16));
    if (!published_) options.joints = *joints_by_name(joints_);
    options.state = *abstraction_by_name(state_);
    options.tail = tail_;
    NORN_TRY(const std::uint32_t repeats, within("--repeats", device_.repeats, 0, 1000));
    if (repeats > 0) options.repeats = repeats;
    options.by = *by_name(by_);
    options.seed = device_.seed;
    options.target = target_;
    options.prices = session.prices();
    options.coverable = session.info().coverable;
    for (const std::string& name : keep_) {
      NORN_TRY(const NamedTrace trace, find_trace(name, device_.store, out));
      NORN_TRY(const auto end, end_of(session, trace, out));
      if (end) options.keep.push_back(*end);
    }
    return options;
  }

  /// Where a trace ends in this app's tree: known, or found out by running it once.
  static Result<std::optional<NodeId>> end_of(Session& session, const NamedTrace& trace, Output& out) {
    if (trace.info && trace.info->app == session.app_id() && session.tree().contains(trace.info->node))
      return trace.info->node;
    out.status(fmt::format("running {} once", trace.name));
    const Outcome outcome = session.replay().ask(
        {.events = session.replay().intern(trace.events), .watch = AnyCrash{}}, interruption());
    if (outcome.verdict == Verdict::unresolved)
      return std::unexpected(
          outcome.why.value_or(Error{Error::Kind::device, "could not be run", trace.name, {}}));
    if (outcome.used < trace.events.size())
      out.warning(fmt::format("{}: {} of {} events could be run; the rest is left out", trace.name,
                              outcome.used, trace.events.size()));
    if (outcome.end == session.tree().root()) return std::nullopt;
    return outcome.end;
  }

  static Result<std::vector<NodeId>> ends_of(Session& session, const std::vector<NamedTrace>& given,
                                             Output& out) {
    std::vector<NodeId> ends;
    if (given.empty()) {
      const History& tree = session.tree();
      for (std::uint32_t i = 1; i < tree.size(); ++i)
        if (tree.children(NodeId{i}).empty()) ends.push_back(NodeId{i});
      if (ends.empty())
        return fail(Error::Kind::not_found, "nothing was executed on this device yet", session.info().name,
                    "run norn explore first, or name traces");
    }
    for (const NamedTrace& trace : given) {
      NORN_TRY(const auto end, end_of(session, trace, out));
      if (end) ends.push_back(*end);
    }
    return ends;
  }

  Result<Exit> report(Session& session, const SuiteResult& suite, Output& out) {
    if (suite.traces.empty() && suite.least_target > 0) return nothing_fits(suite.least_target);
    if (suite.traces.empty() && suite.stopped) return nothing_yet(session, out);
    if (suite.traces.empty())
      return fail(Error::Kind::bad_input,
                  by_ == "crashes" ? "none of these traces crashes"
                                   : "these traces cover nothing that a clean start does not",
                  {}, suite.unstable.empty() ? "give other traces" : "they do not replay on this device");
    std::vector<TraceId> ids;
    for (const SuiteTrace& trace : suite.traces) {
      NORN_TRY(const TraceId id, session.keep_trace(trace.end, "suite"));
      ids.push_back(id);
    }
    const std::string name = name_.empty() ? fmt::format("suite by {}", by_) : name_;
    NORN_TRY(const SuiteId id, session.store().add_suite(session.app_id(), session.run_id(), name, ids));
    const std::string id_name = id_text('s', id.value);

    figures(suite, out);
    for (std::size_t i = 0; i < suite.traces.size(); ++i)
      trace_line(suite.traces[i], ids[i], session.info().coverable, out);
    lost_lines(suite, out);
    out.line(fmt::format("{} -> {} traces, {} -> {} events, a run takes {} instead of {} ({:.1f} %)",
                         suite.before.traces, suite.after.traces, suite.before.events, suite.after.events,
                         show_duration(suite.after.run_seconds), show_duration(suite.before.run_seconds),
                         100 * suite.after.run_seconds / std::max(suite.before.run_seconds, 1e-9)));
    if (suite.deterministic)
      out.line(fmt::format("assumed deterministic: 0 of {} repeats disagreed",
                           session.tree().agreement().repeats));
    out.line(effort_text(session.spent()));
    out.line(fmt::format("kept as {0}: norn replay --suite {0} --device {1}{2}", id_name,
                         shell_word(device_.device), device_.again()));
    by_catch_lines(session, suite, out);
    if (suite.stopped) out.warning(stopped_text(suite));
    if (suite.after.run_seconds > target_)
      out.warning(fmt::format("a run takes longer than the target of {}: what was to be kept whole stays",
                              show_duration(target_)));

    const JsonOut json = json_of(session, suite, ids, id_name);
    out.object(dump_line(json));
    NORN_CHECK(session.finish("suite", dump_line(json),
                              fmt::format("{} -> {} traces", suite.before.traces, suite.after.traces)));
    return suite.stopped ? stopped_exit() : Exit::done;
  }

  Result<Exit> nothing_fits(double least) const {
    return fail(Error::Kind::bad_input,
                fmt::format("no trace fits into a target of {}", show_duration(target_)), {},
                fmt::format("the smallest that can be met is --target {:.1f}s", std::ceil(10 * least) / 10));
  }
  static Exit stopped_exit() {
    return interruption().stop_requested() ? Exit::interrupted : Exit::inconclusive;
  }
  static std::string stopped_text(const SuiteResult& suite) {
    const bool unchecked = std::any_of(suite.traces.begin(), suite.traces.end(),
                                       [](const SuiteTrace& t) { return t.yes.all() + t.no.all() == 0; });
    return fmt::format("{}: {}{}; {}", interruption().stop_requested() ? "interrupted" : "stopped early",
                       suite.lost.empty() ? "the suite is whole" : "the suite lacks what is listed",
                       unchecked ? ", the last check was not made" : "",
                       interruption().stop_requested() ? "a new run may make it smaller"
                                                       : "more --budget may give a smaller one");
  }
  static Result<Exit> nothing_yet(Session& session, Output& out) {
    out.warning("stopped before any trace was found to replay: no suite was made; what was run is kept");
    JsonOut json{{"suite", nullptr}, {"stopped", true}};
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    out.object(dump_line(json));
    NORN_CHECK(session.finish("suite", dump_line(json), "no suite"));
    return stopped_exit();
  }

  /// Crashes met while the suite was made that nobody knew of.
  static std::vector<std::pair<std::string, std::string>> by_catch(Session& session,
                                                                   const SuiteResult& suite) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const FoundId id : session.crashes()) {
      const auto found = session.store().crash(id);
      const bool fresh =
          found && std::any_of(suite.by_catch.begin(), suite.by_catch.end(), [&](NodeId node) {
            return signature(*session.tree().crash(node), Sameness::frames) == found->signature;
          });
      if (fresh) out.emplace_back(id_text('c', id.value), found->headline);
    }
    return out;
  }
  static void by_catch_lines(Session& session, const SuiteResult& suite, Output& out) {
    for (const auto& [id, headline] : by_catch(session, suite))
      out.line(fmt::format("met on the way, not part of the suite: {} {}", id, headline));
  }

  static void figures(const SuiteResult& suite, Output& out) {
    out.line(fmt::format("{:<12} {:>7} {:>10} {:>8} {:>8} {:>8} {:>7} {:>10} {:>12} {:>9}", "", "lines",
                         "functions", "screens", "crashes", "events", "traces", "run", "device time",
                         "replayed"));
    const auto row = [&](const std::string& name, const SuiteFigures& f, const std::string& rest) {
      out.line(fmt::format("{:<12} {:>7} {:>10} {:>8} {:>8} {:>8} {:>7} {:>10} {}", name,
                           f.code - f.functions, f.functions, f.screens, f.crashes, f.events, f.traces,
                           show_duration(f.run_seconds), rest));
    };
    row("given", suite.before, "");
    for (const SuitePhase& phase : suite.phases)
      row(phase.name, phase.after,
          fmt::format("{:>12} {:>4} of {}", show_duration(phase.effort.device_seconds), phase.replayed,
                      phase.tried));
  }

  static void trace_line(const SuiteTrace& trace, TraceId id, const Coverable& code, Output& out) {
    std::string line =
        fmt::format("{:<6} {:>3} events, adds {:>4}; alone has {} lines, {} functions, {} screens",
                    id_text('t', id.value), trace.events.size(), trace.adds, code.lines_of(trace.only.code),
                    code.functions_of(trace.only.code), trace.only.screens.size());
    for (const std::string& crash : trace.only.crashes) line += ", crash " + crash;
    if (trace.rate < 1)
      line += fmt::format("; flaky: replays {} of {}", trace.yes.all(), trace.yes.all() + trace.no.all());
    if (trace.keep) line += "; kept as asked";
    out.line(line);
  }

  static void lost_lines(const SuiteResult& suite, Output& out) {
    constexpr std::size_t shown = 20;
    if (!suite.lost.empty())
      out.line(fmt::format("{} things of the input did not replay and are lost:", suite.lost.size()));
    for (std::size_t i = 0; i < suite.lost.size() && i < shown; ++i)
      out.line(fmt::format("  {}: {}", suite.lost[i].name, suite.lost[i].why));
    if (suite.lost.size() > shown)
      out.line(fmt::format("  ... and {} more (--json has all)", suite.lost.size() - shown));
    if (suite.left_out == 0) return;
    const auto crashes = suite.replayable.crashes - std::min(suite.replayable.crashes, suite.after.crashes);
    out.line(fmt::format("{} left out to meet the target{}",
                         suite.left_out == 1 ? "1 thing is" : counted(suite.left_out, "thing") + " are",
                         crashes == 0 ? std::string()
                                      : fmt::format(", {} among them: a longer --target keeps them",
                                                    counted(crashes, "crash"))));
  }

  static JsonOut phase_json(const SuitePhase& phase) {
    return {{"name", phase.name},
            {"traces", phase.after.traces},
            {"events", phase.after.events},
            {"coverage", phase.after.code},
            {"screens", phase.after.screens},
            {"run_seconds", phase.after.run_seconds},
            {"tried", phase.tried},
            {"replayed", phase.replayed},
            {"effort", effort_json(phase.effort)}};
  }

  static JsonOut trace_json(const SuiteTrace& trace, TraceId id) {
    const std::uint32_t runs = trace.yes.all() + trace.no.all();
    return {{"trace", id_text('t', id.value)},
            {"events", trace.events.size()},
            {"fragments", trace.fragments},
            {"keep", trace.keep},
            {"rate", runs > 0 ? JsonOut(trace.rate) : JsonOut()},
            {"replayed", runs > 0 ? JsonOut{trace.yes.all(), runs} : JsonOut()},
            {"adds", trace.adds},
            {"only",
             {{"code", trace.only.code.ids()},
              {"screens", trace.only.screens.size()},
              {"crashes", trace.only.crashes},
              {"steps", trace.only.steps}}}};
  }

  JsonOut json_of(Session& session, const SuiteResult& s, const std::vector<TraceId>& ids,
                  const std::string& id) const {
    JsonOut json{{"suite", id},
                 {"traces_before", s.before.traces},
                 {"traces_after", s.after.traces},
                 {"events_before", s.before.events},
                 {"events_after", s.after.events},
                 {"coverage_before", s.before.code},
                 {"coverage_after", s.after.code},
                 {"functions_before", s.before.functions},
                 {"functions_after", s.after.functions},
                 {"screens_before", s.before.screens},
                 {"screens_after", s.after.screens},
                 {"steps_before", s.before.steps},
                 {"steps_after", s.after.steps},
                 {"crashes_before", s.before.crashes},
                 {"crashes_kept", s.after.crashes},
                 {"run_seconds_before", s.before.run_seconds},
                 {"run_seconds_after", s.after.run_seconds},
                 {"left_out", s.left_out},
                 {"unstable", s.unstable.size()},
                 {"deterministic", s.deterministic},
                 {"stopped", s.stopped}};
    json["lost"] = JsonOut::array();
    for (const LostItem& lost : s.lost)
      json["lost"].push_back({{"kind", kind_text(lost.kind)}, {"what", lost.name}, {"why", lost.why}});
    json["by_catch"] = JsonOut::array();
    for (const auto& [crash, headline] : by_catch(session, s))
      json["by_catch"].push_back({{"id", crash}, {"headline", headline}});
    json["phases"] = JsonOut::array();
    for (const SuitePhase& phase : s.phases) json["phases"].push_back(phase_json(phase));
    json["traces"] = JsonOut::array();
    for (std::size_t i = 0; i < s.traces.size(); ++i)
      json["traces"].push_back(trace_json(s.traces[i], ids[i]));
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    return json;
  }

  std::vector<std::string> traces_, keep_;
  DeviceOptions device_;
  std::uint64_t k_ = 3;
  std::string joints_ = "structure", state_ = "actions+", by_ = "coverage", name_;
  bool tail_ = false, published_ = false;
  double target_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::unique_ptr<Command> make_suite_command() { return std::make_unique<Suite>(); }

}  // namespace norn::cli

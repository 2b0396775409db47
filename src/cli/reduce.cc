// norn reduce: a crash trace to the few events that matter.
#include "reduce/reduce.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/reduce_by_command.h"
#include "cli/session.h"
#include "cli/within.h"
#include "formats/trace_json.h"

namespace norn::cli {
namespace {

/// `activity:NAME` or `text:"..."`
Result<Watch> parse_goal(std::string_view goal) {
  const auto value = [&](std::size_t from) {
    std::string_view v = goal.substr(from);
    if (v.size() >= 2 && v.front() == '"' && v.back() == '"') v = v.substr(1, v.size() - 2);
    return std::string(v);
  };
  if (goal.starts_with("activity:") && !value(9).empty()) return ScreenHas{value(9), {}};
  if (goal.starts_with("text:") && !value(5).empty()) return ScreenHas{{}, value(5)};
  return fail(Error::Kind::bad_input, "is no goal", std::string(goal), "say activity:NAME or text:\"...\"");
}

std::string live_line(std::size_t from, const ReduceProgress& p, std::uint64_t runs) {
  return fmt::format("{} -> {} events, asked {}, rate {:.2f}, {} runs, {}{}", from, p.best, p.now, p.rate,
                     runs, show_duration(p.device_seconds),
                     p.left ? fmt::format(", about {} left", show_duration(*p.left)) : "");
}

class Reduce final : public Command {
 public:
  void declare(Options& options) override {
    options.text(trace_, "trace", "t17, c3, a file, or - for standard input");
    device_.declare(options, false);
    std::vector<std::string> algorithms = algorithm_names();
    options.choice(algo_, "--algo", algorithms, "The algorithm");
    options.choice(same_, "--same", {"exact", "frames", "top-frames"}, "What counts as the same crash");
    options.text(goal_, "--goal",
                 "Instead of a crash: a screen with activity:NAME or text:\"...\" is reached");
    options.text(test_, "--test",
                 "Instead of a device: a command that gets each candidate as a file; exit 0 yes, 1 no, else "
                 "unresolved");
    std::vector<std::string> states = abstraction_names();
    states.emplace_back("log");
    options.choice(state_, "--state", states,
                   "What counts as the same state; log: the activities that the trace itself recorded");
    options.duration(timeout_, "--timeout", "How long the command of --test may take for one candidate");
    options.flag(amplify_, "--amplify", "Look for waits that raise the rate of a flaky crash");
    options.flag(explain_, "--explain", "Say why each event stayed");
    options.text(out_file_, "--out", "Also write the result to this trace file");
    options.flag(force_, "--force", "Overwrite --out");
  }

  Result<Exit> run(Output& out) override {
    (void)interruption();  // from here on Ctrl-C ends it by words
    if (trace_.empty()) return fail(Error::Kind::bad_input, "say which trace", {}, "norn reduce c1");
    if (!out_file_.empty()) NORN_CHECK(may_write(out_file_, force_));
    NORN_CHECK(within("--repeats", device_.repeats, 1, 10000));
    NORN_CHECK(within("--jobs", device_.jobs, 1, most_jobs));
    NORN_TRY(const NamedTrace trace, find_trace(trace_, device_.store, out));
    if (trace.events.empty()) return fail(Error::Kind::bad_input, "has no events", trace.name);
    if (state_ == "log" && trace.logged.empty())
      return fail(Error::Kind::bad_input, "recorded no activities: --state log has nothing to go by",
                  trace.name);
    if (!test_.empty()) return by_command(trace, out);
    NORN_CHECK(choose_device(device_, trace, ", or ask a command of yours with --test"));
    NORN_TRY(ReduceOptions options, options_for(trace));
    NORN_TRY(const auto session, Session::open(device_, "reduce " + trace_, out));
    session->warn_of_other_setup(trace.name, trace.setup, out);
    options.prices = session->prices();
    options.devices = static_cast<std::uint32_t>(device_.jobs);
    options.on_progress = [&](const ReduceProgress& p) {
      out.status(live_line(trace.events.size(), p, session->spent().runs));
    };
    NORN_TRY(const auto result, norn::reduce(session->replay(), trace.events, options, interruption()));
    if (const auto* no = std::get_if<NotReproduced>(&result)) return refuse(*session, trace, *no, out);
    return report(*session, trace, std::get<Reduction>(result), out);
  }

 private:
  Result<Exit> by_command(const NamedTrace& trace, Output& out) const {
    if (!goal_.empty()) return fail(Error::Kind::bad_input, "--goal and --test exclude each other");
    if (amplify_) return fail(Error::Kind::bad_input, "--amplify needs a device, not --test");
    if (timeout_ <= 0) return fail(Error::Kind::bad_input, "--timeout takes more than 0");
    const ByCommand options{.command = test_,
                            .algorithm = algo_,
                            .out_file = out_file_,
                            .answers = device_.store + "-answers",
                            .repeats = device_.repeats,
                            .jobs = device_.jobs,
                            .timeout = timeout_,
                            .budget = device_.budget,
                            .explain = explain_};
    return reduce_by_command(trace, options, out);
  }
  Result<ReduceOptions> options_for(const NamedTrace& trace) const {
    ReduceOptions options;
    options.algorithm = algo_;
    if (state_ == "log")
      options.states = trace.logged;
    else
      options.state = *abstraction_by_name(state_);
    options.repeats = static_cast<std::uint32_t>(device_.repeats);
    options.amplify = amplify_;
    const Sameness sameness = *sameness_by_name(same_);
    if (!goal_.empty()) {
      NORN_TRY(options.watch, parse_goal(goal_));
    } else if (trace.crash) {
      options.watch = SameCrash{signature(*trace.crash, sameness), sameness};
      options.recorded = true;
    }
    return options;
  }

  /// The same crash, or the goal: what must still happen.
  std::string wanted(const NamedTrace& trace) const {
    if (!goal_.empty()) return goal_;
    return trace.crash ? "the crash" : "a crash (the trace names none, so any would do)";
  }

  Result<Exit> refuse(Session& session, const NamedTrace& trace, const NotReproduced& no, Output& out) const {
    std::string words = fmt::format("{}: {} did not come in any of {} runs from clean starts", trace.name,
                                    wanted(trace), no.runs);
    if (!trace.package.empty() && trace.package != session.app().name)
      words +=
          fmt::format("; it was recorded with {}, this device runs {}", trace.package, session.app().name);
    if (no.seen.diverged)
      words += fmt::format("; event {} ({}) found no target", *no.seen.diverged + 1,
                           describe(trace.events[*no.seen.diverged]));
    const Crash* other = no.seen.end ? session.tree().crash(no.seen.end) : nullptr;
    if (other)
      words += (goal_.empty() ? "; it crashed in another way: " : "; it crashed: ") + headline(*other);
    out.line(words);
    if (no.seen.end && !other)
      out.line("the last screen was:\n" + outline(session.tree().screen(no.seen.end)));
    JsonOut json{
        {"trace", nullptr}, {"from", trace.events.size()}, {"reproduced", {0, no.runs}}, {"why", words}};
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    out.object(dump_line(json));
    NORN_CHECK(session.finish("reduce", dump_line(json), "does not reproduce"));
    return Exit::bad_news;
  }

  Result<Exit> report(Session& session, const NamedTrace& trace, const Reduction& r, Output& out) {
    NORN_TRY(const TraceId id,
             session.keep_trace(r.end ? r.end : session.tree().root(), "reduced from " + trace.name));
    if (!out_file_.empty()) NORN_CHECK(write_file(out_file_, write_trace(session.tree().trace(r.end))));
    say(session, trace, r, id, out);
    const JsonOut json = json_of(session, trace, r, id);
    out.object(dump_line(json));
    NORN_CHECK(session.finish("reduce", dump_line(json),
                              fmt::format("{} -> {} events", trace.events.size(), r.events.size())));
    if (r.stopped) return interruption().stop_requested() ? Exit::interrupted : Exit::inconclusive;
    if (r.certificate.verdict == Verdict::unresolved) return Exit::rig_failed;
    return r.certificate.yes.all() == 0 ? Exit::bad_news : Exit::done;
  }

  void say(Session& session, const NamedTrace& trace, const Reduction& r, TraceId id, Output& out) const {
    const std::uint32_t yes = r.certificate.yes.all(), all = yes + r.certificate.no.all();
    const Crash* crash = r.end ? session.tree().crash(r.end) : nullptr;
    const auto agreement = session.tree().agreement();
    out.line(crash && goal_.empty() ? headline(*crash) : "reaches " + goal_);
    for (std::size_t i = 0; i < r.events.size(); ++i) step_line(r.events[i], i, out);
    out.line(fmt::format(
        "{} -> {} events{}; {}", trace.events.size(), r.events.size(), minimality(r),
        all == 0
            ? std::string("not certified")
            : fmt::format("{} {} of {} from clean starts, rate >= {:.2f} (95 %, one-sided Clopper-Pearson)",
                          goal_.empty() ? "crashed" : "reached it", yes, all, rate_at_least(yes, all))));
    if (const auto& a = r.amplified)
      out.line(
          fmt::format("rate {:.2f} without added waits; {} waits tried, {}", a->before, a->tried,
                      a->waits == 0 ? "none raised it beyond chance" : fmt::format("{} put in", a->waits)));
    else if (amplify_)
      out.line(fmt::format("nothing to amplify: the rate is {:.2f} already", r.original_rate));
    out.line(agreement.disagreed == 0
                 ? fmt::format("assumed deterministic: 0 of {} repeats disagreed", agreement.repeats)
                 : fmt::format("not deterministic: {} of {} repeats disagreed; rate of the original {:.2f}",
                               agreement.disagreed, agreement.repeats, r.original_rate));
    out.line(effort_text(session.spent()));
    const std::string name = id_text('t', id.value);
    out.line(fmt::format("kept as {0}: norn show {0}{1}, norn replay {0}{2}{3}", name,
                         in_store(device_.store), device_.again(),
                         out_file_.empty() ? "" : "; wrote " + out_file_));
    if (r.stopped) out.warning("stopped early: run the same command again and it goes on where it stopped");
    if (!r.stopped && r.certificate.why) out.warning("not certified: " + r.certificate.why->message());
    if (r.snapshots_wrong)
      out.warning(
          "the device's snapshots are wrong: runs from them went otherwise than runs from clean starts, so "
          "those were asked again; --snapshots 0 does without them from the beginning");
    if (r.weaker)
      out.warning(fmt::format(
          "what is left does it less often than the original (rate {:.2f}): chance led astray, give more "
          "--repeats",
          r.original_rate));
    if (r.original_rate < 0.1)
      out.warning("the crash is rare (rate below 0.1): give more --repeats for a firm answer");
  }

  static std::string minimality(const Reduction& r) {
    if (r.one_minimal)
      return r.by_snapshots ? ", none can be left out (by runs from snapshots)" : ", none can be left out";
    const auto spare = std::ranges::count_if(r.events, [](const auto& e) { return e.without_yes.all() > 0; });
    return spare == 0 ? "" : fmt::format(", {} of them may still be left out", spare);
  }

  JsonOut json_of(Session& session, const NamedTrace& trace, const Reduction& r, TraceId id) const {
    const std::uint32_t yes = r.certificate.yes.all(), all = yes + r.certificate.no.all();
    const Crash* crash = r.end ? session.tree().crash(r.end) : nullptr;
    const auto agreement = session.tree().agreement();
    JsonOut json{{"trace", id_text('t', id.value)}, {"from", trace.events.size()}, {"to", r.events.size()}};
    json["events"] = events_json(r.plain_events());
    JsonOut kept = JsonOut::array(), without = JsonOut::array();
    for (const auto& e : r.events) {
      kept.push_back(e.from ? JsonOut(*e.from + 1) : JsonOut(nullptr));
      without.push_back({e.without_yes.all(), e.without_yes.all() + e.without_no.all()});
    }
    json["kept"] = kept;
    json["without"] = without;
    json["one_minimal"] = r.one_minimal;
    json["by_snapshots"] = r.by_snapshots;
    json["weaker"] = r.weaker;
    json["snapshots_wrong"] = r.snapshots_wrong;
    json["reproduced"] = {yes, all};
    json["rate_low"] = all == 0 ? 0 : rate_at_least(yes, all);
    json["original_rate"] = r.original_rate;
    json["deterministic"] = {{"disagreed", agreement.disagreed}, {"repeats", agreement.repeats}};
    json["algo"] = algo_;
    json["signature"] = crash ? headline(*crash) : "";
    JsonOut steps = JsonOut::array();
    for (const auto& [seconds, length] : r.steps) steps.push_back({std::round(seconds * 10) / 10, length});
    json["steps"] = steps;
    if (const auto& a = r.amplified)
      json["amplified"] = {{"before", a->before}, {"tried", a->tried}, {"waits", a->waits}};
    json["by_catch"] = by_catch(session, crash);
    json["stopped"] = r.stopped;
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    return json;
  }

  void step_line(const Reduction::Kept& kept, std::size_t i, Output& out) const {
    std::string line = fmt::format("{:3}  {}", i + 1, describe(kept.event));
    const auto runs = kept.without_yes.all() + kept.without_no.all();
    if (explain_ && runs > 0) {
      line = fmt::format("{:<56} without it: {} of {}", line, kept.without_yes.all(), runs);
      if (kept.from) line += fmt::format("  (event {} of the original)", *kept.from + 1);
    }
    out.line(line);
  }

  /// Other crashes that candidates ran into.
  static JsonOut by_catch(Session& session, const Crash* own) {
    JsonOut out = JsonOut::array();
    for (const FoundId id : session.crashes())
      if (const auto found = session.store().crash(id);
          found && (!own || found->signature != signature(*own, Sameness::frames)))
        out.push_back({{"id", id_text('c', id.value)}, {"headline", found->headline}});
    return out;
  }

  std::string trace_, algo_ = "norn", same_ = "frames", goal_, test_, state_ = "activity", out_file_;
  bool amplify_ = false, explain_ = false, force_ = false;
  double timeout_ = 600;
  DeviceOptions device_;
};

}  // namespace

std::unique_ptr<Command> make_reduce() { return std::make_unique<Reduce>(); }

}  // namespace norn::cli

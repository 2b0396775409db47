// norn learn: a bug automaton from a crash, by replays; and a fix checked against every way it knows.
#include "diagnose/learn/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

#include "base/file.h"
#include "base/text.h"
#include "cli/bug_events.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/learn_looks.h"
#include "cli/session.h"
#include "cli/within.h"
#include "diagnose/learn/drawing.h"
#include "diagnose/learn/w_method.h"
#include "formats/jflap.h"
#include "reduce/reduce.h"

namespace norn::cli {
namespace {

JsonOut ratio_json(const Ratio& ratio) { return {ratio.good, ratio.all}; }
std::string ratio_text(const Ratio& ratio) { return fmt::format("{} of {}", ratio.good, ratio.all); }

/// Whether every test was run, or how many of them.
std::string w_text(const Validation& v) {
  const std::string agreed = ratio_text(v.w_method) + " tests agreed, ";
  if (v.w_method.all == v.w_all) return agreed + "which are all of depth 1";
  return agreed + fmt::format("a sample of {:.1f} % of the {}{} of depth 1",
                              100.0 * static_cast<double>(v.w_method.all) / static_cast<double>(v.w_all),
                              v.w_all < most_w_tests ? "" : "more than ", v.w_all);
}

std::string completeness_text(const Validation& v) {
  if (v.completeness.all == 0) return "no figure: no walk met a way into the crash that it had not seen";
  return fmt::format(
      "{} distinct ways of walks it had not seen are accepted with their screens, {} by their labels alone",
      ratio_text(v.completeness_read), v.completeness.good);
}

/// The automaton of the given traces alone, beside the one with other ways: BUG.trace.jff.
std::string trace_path(const std::string& jff) {
  return std::filesystem::path(jff).replace_extension(".trace.jff").string();
}

std::string costs_text(const LearnCosts& costs, double validation) {
  std::string out;
  const auto add = [&](std::string_view what, double seconds) {
    if (seconds >= 1) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", what, show_duration(seconds));
  };
  add("labels", costs.labels);
  add("words", costs.words);
  add("looks", costs.looks);
  add("shortening", costs.shortening);
  add("W-method", costs.w_method);
  add("validation", validation);
  return out;
}

class Learn final : public Command {
 public:
  void declare(Options& options) override {
    options.list(traces_, "trace", "Crashing traces of one bug: t17, c3, files");
    device_.declare(options, false);
    options.text(out_file_, "--out",
                 "The automaton: BUG.jff; its events and that of the traces alone (BUG.trace.jff) are "
                 "written beside it");
    options.text(check_, "--check",
                 "Instead: replay the ways of this automaton on the device (a patched build)");
    options.text(events_, "--events", "--check: the events file; default: the one beside the automaton");
    options.number(ways_, "--ways",
                   "--check: shortest ways to replay at most; one over each transition comes in any case");
    options.flag(as_is_, "--as-is", "The traces are minimal already: do not reduce them");
    options.number(moves_, "--moves", "Moves that are no pivot events, beside Back and relaunch");
    options.number(states_, "--states", "States at most");
    options.number(words_, "--words", "Words to run at most");
    options.number(tests_, "--tests", "Words at random that must agree before it is believed");
    options.number(joins_, "--joins",
                   "Other runs into the crash to learn from at most; 0: the traces given are all");
    options.duration(look_, "--look",
                     "Device time of one look round for other ways into the crash, of at most five");
    options.number(walks_, "--walks", "Walks of each kind for the validation; 0: none");
    options.number(w_tests_, "--w-tests", "Tests of the W-method at most: above that a sample");
    options.flag(force_, "--force", "Overwrite --out");
  }

  Result<Exit> run(Output& out) override { return check_.empty() ? learn(out) : check(out); }

 private:
  Status usage() const {
    NORN_CHECK(within("--repeats", device_.repeats, 1, 10000));
    NORN_CHECK(within("--walks", walks_, 0, 100000));
    if (traces_.empty())
      return fail(Error::Kind::bad_input, "say which trace", {},
                  "norn learn c1 --device sim:notes --out bug.jff");
    if (out_file_.empty()) return fail(Error::Kind::bad_input, "say where to write it", {}, "--out BUG.jff");
    for (const std::string& jff : {out_file_, trace_path(out_file_)})
      for (const auto& path : {std::filesystem::path(jff), events_path(jff)})
        NORN_CHECK(may_write(path, force_));
    return {};
  }

  Result<Exit> learn(Output& out) {
    NORN_CHECK(usage());
    std::vector<NamedTrace> traces;
    for (const std::string& name : traces_) {
      NORN_TRY(NamedTrace trace, find_trace(name, device_.store, out));
      if (trace.events.empty()) return fail(Error::Kind::bad_input, "has no events", trace.name);
      if (device_.device.empty()) device_.device = trace.device;
      traces.push_back(std::move(trace));
    }
    if (!traces.empty()) NORN_CHECK(choose_device(device_, traces.front()));
    NORN_TRY(const auto session, Session::open(device_, "learn " + traces_.front(), out));
    for (const NamedTrace& trace : traces) session->warn_of_other_setup(trace.name, trace.setup, out);
    const std::uint64_t unseen = device_.seed + 1 + earlier_steps(session->tree());
    std::vector<std::vector<Event>> minimal;
    for (const NamedTrace& trace : traces) {
      NORN_TRY(std::vector<Event> events, minimised(*session, trace, out));
      minimal.push_back(std::move(events));
    }
    LearnOptions options;
    options.moves = moves_, options.states = states_, options.words = words_, options.tests = tests_;
    options.seed = device_.seed, options.repeats = static_cast<std::uint32_t>(device_.repeats);
    options.joins = joins_, options.wander_seconds = look_, options.look = look_by_tools(session->app().name),
    options.minimise = !as_is_, options.w_tests = w_tests_;
    NORN_TRY(const Learned learned, norn::learn(session->replay(), minimal, options, out, interruption()));
    NORN_TRY(drawing_, write(out_file_, learned.bug, session->app().name));
    if (learned.given) {
      NORN_TRY(trace_drawing_, write(trace_path(out_file_), learned.given->bug, session->app().name));
    }
    const Validated validated = validated_with(*session, learned, unseen, out);
    say(*session, learned, validated, out);
    const std::string json = dump_line(json_of(*session, learned, validated));
    out.object(json);
    NORN_CHECK(session->finish("learn", json, learned.complete ? "learned" : "partly learned"));
    if (interruption().stop_requested()) return Exit::interrupted;
    if (validated.trouble) return Exit::rig_failed;
    return learned.complete ? Exit::done : Exit::inconclusive;
  }

  /// What was learned is written by then: where the rig fails now, no more than figures are missing.
  struct Validated {
    std::optional<Validation> all, given;  ///< of the automaton, and of the one of the traces alone
    std::optional<Error> trouble;          ///< the rig failed, now or before

    bool is_told() const { return all && all->precision.all > 0; }
    double seconds() const {
      return (all ? all->effort.device_seconds : 0) + (given ? given->effort.device_seconds : 0);
    }
  };

  Validated validated_with(Session& session, const Learned& learned, std::uint64_t unseen,
                           Output& out) const {
    Validated done;
    done.trouble = learned.trouble;
    const auto validated = [&](const BugAutomaton& bug, std::uint64_t w_tests, double wander) {
      const ValidateOptions wanted{walks_, walks_, w_tests, wander, unseen};
      auto result = norn::validate(session.replay(), bug, {}, wanted, out, interruption());
      if (!result) done.trouble = result.error();
      return result ? std::optional(std::move(*result)) : std::nullopt;
    };
    if (walks_ == 0 || done.trouble) return done;
    done.all = validated(learned.bug, w_tests_, look_ / 2);
    if (!learned.given || done.trouble) return done;
    if (learned.given->bug.nfa.transitions == learned.bug.nfa.transitions) {
      done.given = done.all;
      done.given->effort = {};
    } else {
      done.given = validated(learned.given->bug, 0, 0);
    }
    return done;
  }

  /// What the store holds is learned from, earlier validations too: with their seed their walks would be gone
  /// again.
  static std::uint64_t earlier_steps(const History& tree) {
    return tree.children(tree.root()).empty() ? 0 : tree.size();
  }

  /// Returns what it drew.
  static Result<Nfa> write(const std::string& jff, const BugAutomaton& bug, const std::string& app) {
    NORN_TRY(Nfa drawing, drawing_of(bug));
    NORN_CHECK(write_file(jff, write_jflap(drawing)));
    NORN_CHECK(write_file(events_path(jff), write_bug_events(bug, app)));
    return drawing;
  }

  Result<std::vector<Event>> minimised(Session& session, const NamedTrace& trace, Output& out) const {
    if (as_is_) return trace.events;
    ReduceOptions options;
    if (trace.crash) options.watch = SameCrash{signature(*trace.crash, Sameness::frames), Sameness::frames};
    options.prices = session.prices();
    options.repeats = static_cast<std::uint32_t>(device_.repeats);
    options.on_progress = [&](const ReduceProgress& p) {
      out.status(fmt::format("reducing: {} -> {} events", trace.events.size(), p.best));
    };
    NORN_TRY(const auto result, norn::reduce(session.replay(), trace.events, options, interruption()));
    if (const auto* reduced = std::get_if<Reduction>(&result)) return reduced->plain_events();
    return fail(Error::Kind::bad_input,
                fmt::format("did not crash in {} runs on this device", std::get<NotReproduced>(result).runs),
                trace.name, "norn replay shows what it does; a crash that is rare needs more: --repeats 200");
  }

  /// What was learned from the traces alone, in one line.
  std::string given_text(const GivenWay& given, const std::optional<Validation>& valid) const {
    std::string out = fmt::format("wrote {}: of the trace alone, {} states{}", trace_path(out_file_),
                                  trace_drawing_.states.size(), given.complete ? "" : ", not complete");
    if (!valid || valid->precision.all == 0) return out + ", not validated";
    return out + fmt::format("; {} ways through it crashed, {} runs without a crash are rejected{}",
                             ratio_text(valid->precision), ratio_text(valid->non_crashing),
                             valid->stopped ? " (stopped early)" : "");
  }

  static JsonOut costs_json(const LearnCosts& costs) {
    return {{"labels", costs.labels},
            {"words", costs.words},
            {"looks", costs.looks},
            {"shortening", costs.shortening},
            {"w_method", costs.w_method}};
  }

  static JsonOut machine_size_json(const BugAutomaton& bug) {
    return {{"states", bug.nfa.states.size()}, {"transitions", bug.nfa.transitions.size()}};
  }

  JsonOut given_json(const GivenWay& given, const std::optional<Validation>& valid) const {
    const Validation none;
    const Validation& v = valid ? *valid : none;
    return {{"automaton", trace_path(out_file_)},
            {"states", trace_drawing_.states.size()},
            {"transitions", trace_drawing_.transitions.size()},
            {"machine", machine_size_json(given.bug)},
            {"complete", given.complete},
            {"why", given.why},
            {"precision", ratio_json(v.precision)},
            {"non_crashing", ratio_json(v.non_crashing)},
            {"validated", v.precision.all > 0 && !v.stopped}};
  }

  void say(Session& session, const Learned& learned, const Validated& validated, Output& out) const {
    say_automaton(learned, out);
    say_other_runs(learned, out);
    say_figures(validated, out);
    out.line(effort_text(session.spent()));
    out.line("device time    " + costs_text(learned.costs, validated.seconds()));
    out.line(fmt::format("wrote {} and {}", out_file_, events_path(out_file_).string()));
    if (learned.given) out.line(given_text(*learned.given, validated.given));
    if (!learned.by_catch.empty())
      out.warning(fmt::format("{} runs crashed in another way on the way: norn runs lists the crashes",
                              learned.by_catch.size()));
  }

  void say_automaton(const Learned& learned, Output& out) const {
    const BugAutomaton& bug = learned.bug;
    out.line(headline(learned.crash));
    for (const LearnInput& input : bug.inputs)
      out.line(fmt::format("  {:>3}  {}", input.is_move() ? "-" : input.label, describe(input)));
    out.line(fmt::format(
        "{} states, {} transitions, drawn from a machine of {} and {}{}; {} words run, {} tests agreed, {} "
        "mistakes found on the way",
        drawing_.states.size(), drawing_.transitions.size(), bug.nfa.states.size(),
        bug.nfa.transitions.size(),
        bug.unproven_count() > 0 ? fmt::format(", {} of them unproven", bug.unproven_count()) : "",
        learned.words, learned.tests, learned.mistakes));
    if (!learned.complete)
      out.line("not complete: " + (learned.why.empty() ? "some edges are unproven" : learned.why));
    if (learned.rate < 1)
      out.line(
          fmt::format("the crash comes in {:.0f} % of the runs: each word was run as often as that wants",
                      100 * learned.rate));
  }

  static void say_other_runs(const Learned& learned, Output& out) {
    if (learned.known.all > 0)
      out.line(fmt::format(
          "other runs     {} distinct ones into this crash are accepted with their screens, {} by "
          "their labels alone; {} taught it something",
          ratio_text(learned.known_read), learned.known.good, learned.joined));
    for (const auto& [reason, count] : learned.rejected_because)
      out.line(fmt::format("  - {} not by their labels: {}", count, reason));
    if (learned.fresh > 0)
      out.line(fmt::format(
          "unseen runs    the last {} into this crash were accepted at sight: at 95 % at least {:.0f} % of "
          "such runs are",
          learned.fresh, 100 * std::pow(0.05, 1.0 / static_cast<double>(learned.fresh))));
  }

  static std::string why_not_validated(const Validated& validated) {
    if (validated.trouble) return "stopped: " + validated.trouble->message();
    if (!validated.all) return "--walks 100 does that";
    return validated.all->stopped ? "stopped, or the budget spent, before that"
                                  : "it knows no way to the crash";
  }

  static void say_figures(const Validated& validated, Output& out) {
    if (!validated.is_told()) return out.line("not validated: " + why_not_validated(validated));
    const Validation& v = *validated.all;
    if (v.stopped) out.line("validated in part: it was stopped early");
    out.line("precision      " + ratio_text(v.precision) +
             " ways through it crashed (each transition taken)");
    out.line("completeness   " + completeness_text(v));
    out.line(
        fmt::format("non-crashing   {} runs without a crash are rejected with their screens, {} by their "
                    "labels alone",
                    ratio_text(v.non_crashing_read), v.non_crashing.good));
    out.line("W-method       " + w_text(v));
    for (const std::string& failure : v.failures) out.line("  - " + printable(failure));
    if (validated.trouble) out.line("validation stopped: " + validated.trouble->message());
  }

  JsonOut json_of(Session& session, const Learned& learned, const Validated& validated) const {
    const BugAutomaton& bug = learned.bug;
    const Validation v = validated.all.value_or(Validation());
    JsonOut json{{"automaton", out_file_},
                 {"states", drawing_.states.size()},
                 {"transitions", drawing_.transitions.size()},
                 {"machine", machine_size_json(bug)},
                 {"unproven", bug.unproven_count()},
                 {"precision", ratio_json(v.precision)},
                 {"completeness", ratio_json(v.completeness)},
                 {"completeness_read", ratio_json(v.completeness_read)},
                 {"non_crashing", ratio_json(v.non_crashing)},
                 {"non_crashing_read", ratio_json(v.non_crashing_read)},
                 {"w_method", {v.w_method.good, v.w_method.all, v.w_all}},
                 {"other_runs", ratio_json(learned.known)},
                 {"other_runs_read", ratio_json(learned.known_read)},
                 {"rejected_because", learned.rejected_because},
                 {"joined", learned.joined},
                 {"fresh", learned.fresh},
                 {"rate", learned.rate},
                 {"failures", v.failures},
                 {"validated", validated.is_told() && !v.stopped},
                 {"complete", learned.complete},
                 {"why", learned.why},
                 {"trouble", validated.trouble ? JsonOut(validated.trouble->message()) : JsonOut()},
                 {"events_file", events_path(out_file_).string()},
                 {"labels", labels_json(bug)},
                 {"words", learned.words},
                 {"tests", learned.tests},
                 {"mistakes", learned.mistakes},
                 {"learn_effort", effort_json(learned.effort)},
                 {"device_seconds", costs_json(learned.costs)}};
    json["device_seconds"]["validation"] = validated.seconds();
    json["trace"] = learned.given ? given_json(*learned.given, validated.given) : JsonOut();
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    return json;
  }

  static JsonOut labels_json(const BugAutomaton& bug) {
    JsonOut out = JsonOut::object();
    for (const LearnInput& input : bug.inputs)
      if (!input.is_move()) out[input.label] = describe(input);
    return out;
  }

  Result<Exit> check(Output& out) {
    NORN_TRY(const BugAutomaton bug, load_bug(check_, events_, &out));
    NORN_TRY(const auto session, Session::open(device_, "learn --check " + check_, out));
    FixOptions options;
    options.ways = ways_;
    NORN_TRY(const FixCheck fix, check_fix(session->replay(), bug, options, out, interruption()));
    say(fix, bug, out);
    out.line(effort_text(session->spent()));
    const std::string json = dump_line(json_of(*session, fix, bug));
    out.object(json);
    const bool good = fix.open.empty() && fix.elsewhere.empty(), whole = is_tried(fix) && fix.unasked == 0;
    NORN_CHECK(session->finish("check", json,
                               !good            ? "open"
                               : !is_tried(fix) ? "not tried"
                               : whole          ? "closed"
                                                : "stopped"));
    if (interruption().stop_requested()) return Exit::interrupted;
    if (!good) return Exit::bad_news;
    return whole ? Exit::done : Exit::inconclusive;
  }

  /// Some way could be gone, or at least begun.
  static bool is_tried(const FixCheck& fix) { return !fix.at_start && fix.impossible < fix.ways; }

  static bool is_by_chance(const FixCheck& fix, const BugAutomaton& bug) {
    return bug.rate < 1 && fix.closed_runs.value_or(0) > 0;
  }

  static std::string verdict(const FixCheck& fix) {
    if (fix.at_start)
      return fmt::format("the app crashes when it is started ({}): none of {} ways could be gone",
                         headline(*fix.at_start), fix.ways);
    if (!is_tried(fix))
      return fmt::format("none of {} ways can be gone here, so nothing was tried", fix.ways);
    const std::string others =
        fix.with_others > 0 ? fmt::format(", {} of them with other texts and rows", fix.with_others) : "";
    const std::string gone =
        fix.impossible > 0 ? fmt::format(" ({} cannot be gone any more)", fix.impossible) : "";
    if (fix.closed == fix.ways)
      return (fix.ways == 1 ? "the only way is closed" : fmt::format("all {} ways closed", fix.ways)) +
             others + gone;
    return fmt::format("{} of {} ways closed{}, {} still crash, {} crash in another way, {} not tried",
                       fix.closed, fix.ways, gone, fix.open.size(), fix.elsewhere.size(), fix.unasked);
  }

  static void say(const FixCheck& fix, const BugAutomaton& bug, Output& out) {
    out.line(verdict(fix));
    if (bug.rate < 1 && is_tried(fix))
      out.line(fmt::format("each was run as often as a crash that comes in {:.0f} % of the runs wants",
                           100 * bug.rate));
    if (is_by_chance(fix, bug))
      out.line(fmt::format("closed: none in {} runs: a rate of {:.2f} or more would have shown with 95 %",
                           *fix.closed_runs, rate_ruled_out(*fix.closed_runs)));
    if (!is_tried(fix) && !fix.at_start) out.warning("is it the app that the automaton was learned from?");
    say_ways(fix.open, "open", out);
    say_ways(fix.elsewhere, "crashes in another way", out);
  }

  static void say_ways(const std::vector<FixCheck::Way>& ways, std::string_view what, Output& out) {
    constexpr std::size_t most = 5;
    for (const FixCheck::Way& way : std::span(ways).first(std::min(ways.size(), most))) {
      const std::string often =
          way.runs > 1 ? fmt::format(" ({} of {} runs)", way.crashed, way.runs) : std::string();
      out.line(fmt::format("{}{}: {}", what, often, fmt::join(way.word, " ")));
      for (const Event& event : way.events) out.line("    " + describe(event));
    }
    if (ways.size() > most) out.line(fmt::format("... and {} more", ways.size() - most));
  }

  static JsonOut ways_json(const std::vector<FixCheck::Way>& ways) {
    JsonOut all = JsonOut::array();
    for (const auto& way : ways)
      all.push_back({{"word", way.word},
                     {"events", events_json(way.events)},
                     {"crashed", way.crashed},
                     {"runs", way.runs}});
    return all;
  }

  JsonOut json_of(Session& session, const FixCheck& fix, const BugAutomaton& bug) const {
    const bool by_chance = is_by_chance(fix, bug);
    return {{"automaton", check_},
            {"ways", fix.ways},
            {"closed", fix.closed},
            {"impossible", fix.impossible},
            {"open", ways_json(fix.open)},
            {"elsewhere", ways_json(fix.elsewhere)},
            {"not_tried", fix.unasked},
            {"at_start", fix.at_start ? JsonOut(headline(*fix.at_start)) : JsonOut()},
            {"with_others", fix.with_others},
            {"rate", bug.rate},
            {"closed_runs", by_chance ? JsonOut(*fix.closed_runs) : JsonOut()},
            {"rate_ruled_out", by_chance ? JsonOut(rate_ruled_out(*fix.closed_runs)) : JsonOut()},
            {"made_by", made_by_json(session.made_by())},
            {"effort", effort_json(session.spent())}};
  }

  std::vector<std::string> traces_;
  DeviceOptions device_;
  std::string out_file_, check_, events_;
  bool as_is_ = false, force_ = false;
  std::uint64_t ways_ = 300, moves_ = 4, states_ = 100, words_ = 4000, tests_ = 100, walks_ = 100,
                joins_ = 20, w_tests_ = ValidateOptions{}.w_tests;
  double look_ = 3600;
  Nfa drawing_, trace_drawing_;  ///< as they were written
};

}  // namespace

std::unique_ptr<Command> make_learn() { return std::make_unique<Learn>(); }

}  // namespace norn::cli

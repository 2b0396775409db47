// norn replay: does a trace reproduce, at what rate, and where does it go another way; does a suite still
// pass.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/replay_suite.h"
#include "cli/session.h"
#include "cli/within.h"

namespace norn::cli {
namespace {

class ReplayCommand final : public Command {
 public:
  ReplayCommand() { device_.repeats = 0; }

  void declare(Options& options) override {
    options.text(trace_, "trace", "t17, c3, a file, or - for standard input");
    device_.declare(options, false);
    options.number(
        times_, "--times",
        "How often to run it, each from a clean start; 0: --repeats times, else a trace 5 times and "
        "a suite once");
    options.text(suite_, "--suite",
                 "Instead of a trace: run a suite (s1, or its name), also on another version of the app");
    options.text(junit_, "--junit", "With --suite: also write the results to this JUnit XML file");
    options.flag(force_, "--force", "Overwrite --junit");
    options.choice(same_, "--same", {"exact", "frames", "top-frames"}, "What counts as the same crash");
  }

  Result<Exit> run(Output& out) override {
    NORN_CHECK(within("--repeats", device_.repeats, 0, 100000));
    NORN_CHECK(within("--times", times_, 0, 100000));
    if (times_ == 0) times_ = device_.repeats;
    if (!suite_.empty()) {
      if (!trace_.empty()) return fail(Error::Kind::bad_input, "give a trace or --suite, not both");
      return replay_suite({suite_, junit_, force_, static_cast<std::uint32_t>(times_ == 0 ? 1 : times_)},
                          device_, out);
    }
    if (!junit_.empty()) return fail(Error::Kind::bad_input, "--junit goes with --suite");
    if (times_ == 0) times_ = 5;
    if (trace_.empty())
      return fail(Error::Kind::bad_input, "say which trace", {}, "norn replay t17 --device sim:notes");
    NORN_TRY(const NamedTrace trace, find_trace(trace_, device_.store, out));
    NORN_CHECK(choose_device(device_, trace));
    NORN_TRY(const auto session, Session::open(device_, "replay " + trace_, out));
    session->warn_of_other_setup(trace.name, trace.setup, out);
    Request request;
    request.events = session->replay().intern(trace.events);
    request.missing = Missing::stop;
    request.sure = Sure::certified;
    request.repeats = static_cast<std::uint32_t>(times_);
    const Sameness sameness = *sameness_by_name(same_);
    if (trace.crash) request.watch = SameCrash{signature(*trace.crash, sameness), sameness};
    const Outcome outcome = session->replay().ask(request, interruption());
    return report(*session, trace, outcome, out);
  }

 private:
  Result<Exit> report(Session& session, const NamedTrace& trace, const Outcome& outcome, Output& out) {
    const std::uint32_t yes = outcome.yes.all(), all = yes + outcome.no.all();
    if (all == 0)
      return std::unexpected(
          outcome.why.value_or(Error{Error::Kind::device, "nothing could be run", trace.name, {}}));
    const auto [low, high] = rate_interval(yes, all);
    const std::string headline = trace.crash ? norn::headline(*trace.crash) : "";
    JsonOut json{
        {"reproduced", {yes, all}}, {"rate", yes / static_cast<double>(all)}, {"interval", {low, high}}};
    const auto strayed = strays_at(session, outcome);
    const Crash* instead = outcome.a_no ? session.tree().crash(outcome.a_no->end) : nullptr;
    json["diverged_at"] = strayed ? JsonOut(*strayed + 1) : JsonOut(nullptr);
    json["seen_instead"] = instead ? JsonOut(norn::headline(*instead)) : JsonOut(nullptr);
    json["signature"] = headline;
    json["made_by"] = made_by_json(session.made_by());
    json["effort"] = effort_json(session.spent());
    out.line(
        fmt::format("{}: {} {} of {} times from clean starts, rate {:.2f} ({:.2f} to {:.2f}, 95 % two-sided "
                    "Clopper-Pearson)",
                    trace.name, trace.crash ? "crashed the same way" : "replayed", yes, all,
                    yes / static_cast<double>(all), low, high));
    if (trace.crash) out.line("  " + headline);
    if (yes < all) divergence(session, trace, outcome, out);
    if (outcome.why)
      out.warning(fmt::format("{} of {} runs were made: {}", all, times_, outcome.why->message()));
    out.line(effort_text(session.spent()));
    out.object(dump_line(json));
    NORN_CHECK(session.finish("replay", dump_line(json), fmt::format("{} of {}", yes, all)));
    if (outcome.why) return exit_code(*outcome.why);
    return yes > 0 ? Exit::done : Exit::bad_news;
  }

  /// The event at which a run that did not reproduce went another way: found no target, or crashed as it had
  /// not. Nothing: it performed them all.
  static std::optional<std::size_t> strays_at(const Session& session, const Outcome& outcome) {
    if (!outcome.a_no) return std::nullopt;
    if (outcome.a_no->diverged) return outcome.a_no->diverged;
    const bool crashed = session.tree().crash(outcome.a_no->end) != nullptr;
    return crashed && outcome.a_no->used > 0 ? std::optional(outcome.a_no->used - 1) : std::nullopt;
  }

  /// Where it went another way: the event, and both screens where both are known.
  static void divergence(const Session& session, const NamedTrace& trace, const Outcome& outcome,
                         Output& out) {
    const History& tree = session.tree();
    if (!outcome.a_no) return;
    const Crash* crash = tree.crash(outcome.a_no->end);
    const auto strayed = strays_at(session, outcome);
    const char* who = outcome.yes.all() == 0 ? "" : "another run ";
    if (strayed)
      out.line(fmt::format("  {}{} at event {} of {}: {}", who,
                           crash ? "ended in another crash" : "went another way", *strayed + 1,
                           trace.events.size(), describe(trace.events[*strayed])));
    else if (crash)
      out.line(fmt::format("  {}crashed when it was started", who));
    else
      out.line(outcome.yes.all() == 0 ? "  every event could be performed, and it ended elsewhere"
                                      : "  another run could perform every event and ended elsewhere");
    if (crash) out.line("  seen instead: " + norn::headline(*crash));
    if (outcome.yes.all() == 0) out.line("  the screen there:\n" + outline(tree.screen(outcome.a_no->end)));
    if (trace.info && outcome.a_no->diverged && tree.contains(trace.info->node)) {
      const auto recorded = tree.path(trace.info->node);
      const std::size_t i = *outcome.a_no->diverged;
      if (i > 0 && i <= recorded.size())
        out.line("  the screen when it was recorded:\n" + outline(tree.screen(recorded[i - 1])));
    }
  }

  std::string trace_, same_ = "frames", suite_, junit_;
  bool force_ = false;
  DeviceOptions device_;
  std::uint64_t times_ = 0;  ///< 0: not said
};

}  // namespace

std::unique_ptr<Command> make_replay() { return std::make_unique<ReplayCommand>(); }

}  // namespace norn::cli

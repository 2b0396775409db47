// norn demo: the tour, with the figures of that very run. A bundled app is explored; the crash with the
// longest trace is reduced to what matters; what was executed becomes a small suite; in another app a bug is
// sought that does not crash; the commands to go on with are named. Everything is left in a store.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "detect/detect.h"
#include "explore/explore.h"
#include "reduce/reduce.h"
#include "suite/suite.h"

namespace norn::cli {
namespace {

constexpr double tour_budget = 30 * 60;  ///< device time of an exploration: virtual, seconds here
constexpr double detect_budget = 2 * 60 * 60;
constexpr const char* detect_app = "notes";
constexpr std::size_t most_shown = 8;  ///< steps of a report

class Demo final : public Command {
 public:
  void declare(Options& options) override {
    options.text(out_, "--out", "The folder that gets the store; default: this one");
    options.text(app_, "--app", "Another bundled app");
    options.number(seed_, "--seed", "Seed of every chance");
  }

  Result<Exit> run(Output& out) override {
    const auto begin = std::chrono::steady_clock::now();
    NORN_TRY(const std::string store, store_path());
    NORN_TRY(JsonOut json, crashes_and_suite(store, out));
    json["reports"] = nullptr;
    if (!stopped()) {
      NORN_TRY(json["reports"], strange_behaviour(store, out));
    }
    if (stopped()) out.line("\nInterrupted: the tour ends here.");
    go_on(store, out);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    out.line(
        fmt::format("The tour took {:.1f} s here and {} of the devices' time.", wall, show_duration(spent_)));
    json["wall_seconds"] = wall;
    out.object(dump_line(json));
    return stopped() ? Exit::interrupted : Exit::done;
  }

 private:
  static bool stopped() { return interruption().stop_requested(); }
  DeviceOptions device(const std::string& app, const std::string& store) const {
    DeviceOptions device;
    device.device = "sim:" + app, device.store = store, device.seed = seed_;
    return device;
  }

  /// Explore, reduce, and make a suite out of all that was executed.
  Result<JsonOut> crashes_and_suite(const std::string& store, Output& out) {
    NORN_TRY(const auto session, Session::open(device(app_, store), "demo", out));
    introduce(*session, out);
    // Monkey's blind events make long traces: the best showpiece for what a reduction does.
    NORN_TRY(const Exploration monkey, explored(*session, "monkey+system", tour_budget, out));
    tell(*session, monkey, out);
    const std::size_t before = session->tree().size();
    NORN_TRY(const Exploration ours, explored(*session, "norn", tour_budget, out));
    tell(*session, ours, out);
    const FoundCrash* crash = longest(session->tree(), monkey, ours);
    if (!crash && stopped())
      return fail(Error::Kind::cancelled, "interrupted before there was a crash to show", "sim:" + app_);
    if (!crash)
      return fail(Error::Kind::device, "the tour found no crash to show", "sim:" + app_,
                  "try another --seed");
    crash_id_ = found_id(*session, crash->signature);
    NORN_TRY(const auto reduced, reduced_crash(*session, *crash, out));
    NORN_TRY(const SuiteResult suite, suite_of(*session, before, out));
    JsonOut json{{"app", app_},
                 {"store", store},
                 {"crashes", ours.crashes.size()},
                 {"from", reduced.original},
                 {"to", reduced.events.size()},
                 {"traces_before", suite.before.traces},
                 {"traces_after", suite.after.traces},
                 {"run_seconds_before", suite.before.run_seconds},
                 {"run_seconds_after", suite.after.run_seconds}};
    json["made_by"] = made_by_json(session->made_by());
    json["effort"] = effort_json(session->spent());
    spent_ += session->spent().device_seconds;
    NORN_CHECK(session->finish("demo", dump_line(json), "the tour worked"));
    return json;
  }

  /// Bugs that do not crash, on an app that has one which shows within the tour's time.
  Result<std::size_t> strange_behaviour(const std::string& store, Output& out) {
    DeviceOptions on = device(detect_app, store);
    on.budget = detect_budget;
    NORN_TRY(const auto session, Session::open(on, "demo", out));
    std::vector<BootstrapInput> inputs;
    for (const char* strategy : {"norn", "random"}) {
      const std::size_t before = session->tree().size();
      NORN_TRY(const Exploration walked, explored(*session, strategy, detect_budget / 5, out));
      std::ranges::copy(inputs_since(session->tree(), before, strategy), std::back_inserter(inputs));
    }
    DetectOptions options;
    options.seed = seed_;
    NORN_TRY(const Detection found, norn::detect(session->replay(), inputs, options, out, interruption()));
    out.line();
    out.line(fmt::format("Bugs that do not crash, in {}: {} events on alike screens were compared, {} found",
                         detect_app, found.covered, found.reports.size()));
    if (!found.reports.empty()) tell(found.reports.front(), in_store(store), out);
    spent_ += session->spent().device_seconds;
    NORN_CHECK(session->finish("demo", "{}", fmt::format("{} reports", found.reports.size())));
    return found.reports.size();
  }

  static void tell(const Report& report, const std::string& where, Output& out) {
    const std::string text = report_text(report, 1);
    out.line("  " + text.substr(0, text.find('\n')));
    const std::size_t steps = report.deviant.size(), from = steps > most_shown ? steps - most_shown : 0;
    if (from > 0) out.line(fmt::format("     after {} events:", from));
    for (std::size_t i = from; i < steps; ++i)
      out.line(fmt::format("{:3}  {}", i + 1, describe(report.deviant[i])));
    for (const std::string& difference : report.difference) out.line("  " + printable(difference));
    out.line(
        fmt::format("  came back {} of {} times from clean starts; norn detect --device sim:{}{} shows all",
                    report.came_back, report.runs, detect_app, where));
  }

  void go_on(const std::string& store, Output& out) const {
    const std::string where = in_store(store);
    const auto say = [&](const std::string& command, std::string_view what) {
      out.line(fmt::format("  norn {:<{}}  {}", command + where, 44 + where.size(), what));
    };
    out.line();
    out.line("All of it is in the store; go on with:");
    say("show " + crash_id_, "the shortest trace to that crash");
    say("replay " + crash_id_, "does it still happen, and at what rate");
    if (!suite_id_.empty())
      say("replay --suite " + suite_id_ + " --device sim:" + app_, "does the suite still pass");
    say("explore --device sim:" + app_ + " --strategy timemachine", "another strategy");
    say("detect --device sim:" + app_, "bugs that do not crash");
    say("runs", "everything that was kept");
  }

  Result<std::string> store_path() const {
    if (out_.empty()) return std::string(usual_store);
    std::error_code error;
    std::filesystem::create_directories(out_, error);
    if (error) return fail(Error::Kind::io, "cannot be made: " + error.message(), out_);
    return (std::filesystem::path(out_) / usual_store).string();
  }

  void introduce(const Session& session, Output& out) const {
    const DeviceInfo& info = session.info();
    out.line(fmt::format(
        "{}: a simulated app of {} lines and {} activities. Its clock is virtual: hours of device "
        "time pass in seconds.",
        session.app().name, info.coverable.lines, info.activities.size()));
  }

  Result<Exploration> explored(Session& session, const std::string& strategy, double seconds,
                               Output& out) const {
    ExploreOptions options;
    options.strategy = strategy;
    options.seed = seed_;
    options.seconds = seconds;
    options.package = session.app().name;
    options.activities = session.info().activities;
    options.coverable = session.info().coverable;
    options.confirm = 1;
    return norn::explore(session.replay(), options, out, interruption());
  }

  static void tell(Session& session, const Exploration& e, Output& out) {
    const Coverable& all = session.info().coverable;
    out.line();
    out.line(fmt::format(
        "{} for {} of device time: {} events, {} screens, {} of {} lines covered so far, {} crashes",
        e.strategy == "norn" ? "norn's own strategy" : "Monkey, pressing blindly,", show_duration(e.seconds),
        e.events, e.graph.size(), all.lines_of(e.covered), all.lines, e.crashes.size()));
    for (const FoundCrash& crash : e.crashes)
      if (const Crash* what = session.tree().crash(crash.node))
        out.line(fmt::format("  {:<4} after {:>8}, {:>4} events: {}", found_id(session, crash.signature),
                             show_duration(crash.first_seen), crash.length, headline(*what)));
  }

  /// The longest trace that ends with something a person could have done.
  static const FoundCrash* longest(const History& tree, const Exploration& a, const Exploration& b) {
    const FoundCrash* best = nullptr;
    for (const Exploration* e : {&a, &b})
      for (const FoundCrash& crash : e->crashes) {
        const Event& last = tree.event(tree.event_id(crash.node));
        const bool by_hand = !std::holds_alternative<Launch>(last) && !std::holds_alternative<System>(last);
        if (crash.confirmed() && by_hand && (!best || crash.length > best->length)) best = &crash;
      }
    return best;
  }

  static std::string found_id(Session& session, std::uint64_t sign) {
    for (const FoundId id : session.crashes())
      if (const auto info = session.store().crash(id); info && info->signature == sign)
        return id_text('c', id.value);
    return "c?";
  }

  Result<Reduction> reduced_crash(Session& session, const FoundCrash& crash, Output& out) const {
    const auto events = session.tree().events_to(crash.node);
    const Effort before = session.spent();
    ReduceOptions options;
    options.watch = SameCrash{crash.signature, Sameness::frames};
    options.prices = session.prices();
    options.on_progress = [&](const ReduceProgress& p) {
      out.status(fmt::format("reducing: {} -> {} events", events.size(), p.best));
    };
    NORN_TRY(auto result, norn::reduce(session.replay(), events, options, interruption()));
    auto* reduction = std::get_if<Reduction>(&result);
    if (!reduction)
      return fail(Error::Kind::device, "the crash did not come again", found_id(session, crash.signature));
    const Effort spent = session.spent() - before;
    out.line();
    out.line(fmt::format("{} took {} events. What matters of them:", found_id(session, crash.signature),
                         events.size()));
    for (std::size_t i = 0; i < reduction->events.size(); ++i)
      out.line(fmt::format("{:3}  {}", i + 1, describe(reduction->events[i].event)));
    const auto yes = reduction->certificate.yes.all(), all = yes + reduction->certificate.no.all();
    out.line(fmt::format(
        "{} -> {} events with {} runs and {} answers from memory; crashed {} of {} from clean starts{}",
        events.size(), reduction->events.size(), spent.runs, spent.from_memory, yes, all,
        reduction->one_minimal ? "; none can be left out" : ""));
    if (reduction->end) NORN_CHECK(session.keep_trace(reduction->end, "reduced in the demo"));
    return std::move(*reduction);
  }

  /// What was executed from the node `first` on, as a small regression suite.
  Result<SuiteResult> suite_of(Session& session, std::size_t first, Output& out) {
    const History& tree = session.tree();
    std::vector<NodeId> ends;
    for (auto i = static_cast<std::uint32_t>(first); i < tree.size(); ++i)
      if (tree.children(NodeId{i}).empty()) ends.push_back(NodeId{i});
    SuiteOptions options;
    options.prices = session.prices();
    NORN_TRY(SuiteResult suite, make_suite(session.replay(), ends, options, out, interruption()));
    std::vector<TraceId> ids;
    for (const SuiteTrace& trace : suite.traces) {
      NORN_TRY(const TraceId id, session.keep_trace(trace.end, "suite of the tour"));
      ids.push_back(id);
    }
    NORN_TRY(const SuiteId id, session.store().add_suite(session.app_id(), session.run_id(), "tour", ids));
    suite_id_ = id_text('s', id.value);
    out.line();
    out.line(fmt::format(
        "norn's {} traces as a regression suite, {}: {} traces, {} -> {} events; a run takes {} instead of "
        "{} and covers the same{}{}",
        suite.before.traces, suite_id_, suite.after.traces, suite.before.events, suite.after.events,
        show_duration(suite.after.run_seconds), show_duration(suite.before.run_seconds),
        suite.lost.empty() ? "" : fmt::format(", but for {} items", suite.lost.size()),
        suite.stopped ? "; it was stopped, and may become smaller" : ""));
    return suite;
  }

  std::string out_, app_ = "cards", crash_id_, suite_id_;
  double spent_ = 0;  ///< device seconds
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_demo() { return std::make_unique<Demo>(); }

}  // namespace norn::cli

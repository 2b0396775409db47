// norn demo: the tour, with the figures of that very run. A bundled app is explored; the crash with the longest trace
// is reduced to what matters; the commands to go on with are named. Everything is left in a store.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/json_result.h"
#include "cli/session.h"
#include "explore/explore.h"
#include "reduce/reduce.h"

namespace norn::cli {
namespace {

constexpr double tour_budget = 30 * 60;  ///< device time of the exploration: virtual, seconds here

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
    DeviceOptions device;
    device.device = "sim:" + app_, device.store = store, device.seed = seed_;
    NORN_TRY(const auto session, Session::open(device, "demo", out));
    introduce(*session, out);

    // Monkey's blind events make long traces: the best showpiece for what a reduction does.
    NORN_TRY(const Exploration monkey, explored(*session, "monkey+system", out));
    tell(*session, monkey, out);
    NORN_TRY(const Exploration ours, explored(*session, "norn", out));
    tell(*session, ours, out);

    const FoundCrash* crash = longest(session->tree(), monkey, ours);
    if (!crash)
      return fail(Error::Kind::device, "the tour found no crash to show", device.device,
                  "try another --seed");
    NORN_TRY(const auto reduced, reduced_crash(*session, *crash, out));
    out.line();
    out.line("All of it is in the store; go on with:");
    const std::string id = found_id(*session, crash->signature);
    const std::string where = out_.empty() ? "" : " --store " + store;
    out.line(fmt::format("  norn show {}{}          the shortest trace to that crash", id, where));
    out.line(fmt::format("  norn replay {}{}        does it still happen, and at what rate", id, where));
    out.line(fmt::format("  norn explore --device sim:{} --strategy timemachine{}", app_, where));
    out.line(fmt::format("  norn runs{}             everything that was kept", where));
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    out.line(fmt::format("The tour took {:.1f} s here and {} of the device's time.", wall,
                         show_duration(session->spent().device_seconds)));
    JsonOut json{{"app", app_},
                 {"store", store},
                 {"crashes", ours.crashes.size()},
                 {"from", reduced.original},
                 {"to", reduced.events.size()},
                 {"wall_seconds", wall}};
    json["made_by"] = made_by_json(session->made_by());
    json["effort"] = effort_json(session->spent());
    out.object(json.dump());
    NORN_CHECK(session->finish("demo", json.dump(), "the tour worked"));
    return interruption().stop_requested() ? Exit::interrupted : Exit::done;
  }

 private:
  Result<std::string> store_path() const {
    if (out_.empty()) return std::string("norn.db");
    std::error_code error;
    std::filesystem::create_directories(out_, error);
    if (error) return fail(Error::Kind::io, "cannot be made: " + error.message(), out_);
    return (std::filesystem::path(out_) / "norn.db").string();
  }

  void introduce(const Session& session, Output& out) const {
    const DeviceInfo& info = session.info();
    out.line(fmt::format(
        "{}: a simulated app of {} lines and {} activities. Its clock is virtual: hours of device "
        "time pass in seconds.",
        session.app().name, info.coverage_total, info.activities.size()));
  }

  Result<Exploration> explored(Session& session, const std::string& strategy, Output& out) const {
    ExploreOptions options;
    options.strategy = strategy;
    options.seed = seed_;
    options.seconds = tour_budget;
    options.package = session.app().name;
    options.activities = session.info().activities;
    options.coverage_total = session.info().coverage_total;
    options.confirm = 1;
    return norn::explore(session.replay(), options, out, interruption());
  }

  static void tell(Session& session, const Exploration& e, Output& out) {
    out.line();
    out.line(fmt::format(
        "{} for {} of device time: {} events, {} screens, {} of {} lines covered so far, {} crashes",
        e.strategy == "norn" ? "norn's own strategy" : "Monkey, pressing blindly,", show_duration(e.seconds),
        e.events, e.graph.size(), e.covered.count(), session.info().coverage_total, e.crashes.size()));
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
    const Costs& costs = session.info().guess;
    options.prices = {costs.event, costs.restart, costs.save, costs.load, session.info().snapshots};
    options.on_progress = [&](std::size_t length, double) {
      out.status(fmt::format("reducing: {} -> {} events", events.size(), length));
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

  std::string out_, app_ = "cards";
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_demo() { return std::make_unique<Demo>(); }

}  // namespace norn::cli

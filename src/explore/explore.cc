// The loop. A walk of the replay service asks it for the next choice; it keeps the books and passes the
// question on.
#include "explore/explore.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/text.h"
#include "explore/avoid.h"

namespace norn {
namespace {

constexpr StateId outside_state{1}, no_window_state{2};
constexpr std::uint64_t status_every = 100;  ///< events
constexpr int most_draws = 30;               ///< of a strategy that wants what is to be avoided
constexpr int most_bad_starts = 3;
constexpr int most_idle = 100;  ///< starts and returns in a row without an event between them

StateId state_of(const Screen& screen, Abstraction abstraction) {
  if (screen.kind == Screen::Kind::app) return abstract(screen, abstraction);
  return screen.kind == Screen::Kind::nothing ? no_window_state : outside_state;
}

/// What would leave the app on purpose.
bool leaves(const Event& event) {
  if (const auto* key = std::get_if<Key>(&event))
    return key->code == key::home || key->code == key::app_switch || key->code == key::call ||
           key->code == key::search || key->code == key::camera;
  if (const auto* launch = std::get_if<Launch>(&event)) return !launch->activity.empty();
  const auto* system = std::get_if<System>(&event);
  return system != nullptr && (system->name == "call" || system->name == "kill");
}

class Loop final : public Chooser {
 public:
  Loop(Replay& replay, const ExploreOptions& options, Avoid avoid, Progress& progress)
      : replay_(replay),
        options_(options),
        avoid_(std::move(avoid)),
        progress_(progress),
        context_{replay, options_, out_.graph, out_.covered, avoid_} {
    out_.graph = StateGraph(options.travel.fitness);
    out_.strategy = options.strategy;
    out_.seed = options.seed;
    for (const auto& trace : options.seed_traces) seeds_.push_back({trace});
  }

  Result<Exploration> run(const std::stop_token& stop) {
    NORN_TRY(strategy_,
             options_.custom ? options_.custom(context_) : make_strategy(options_.strategy, context_));
    remember();
    for (bool more = true; more; stepped_ = false) {
      NORN_TRY(more, leg(stop));
    }
    if (options_.confirm > 0 && out_.end != Exploration::End::interrupted) confirm(stop);
    out_.crashes = finds_.all();
    return std::move(out_);
  }

  // ---- Chooser ----
  Choice next(const Place& here) override {
    started_ = true;
    tick(here);
    if (!stepped_ && !arrive(here)) return Enough{};
    const Situation now = situation(here);
    stepped_ = false;
    if (finish_ || pause_) return Enough{};
    if (out_.events + walk_events_ >= options_.events) return Enough{};
    Decision move = planted(now).value_or(Decision{Enough{}});
    if (std::holds_alternative<Enough>(move.choice)) move = ask(now);
    if (std::holds_alternative<Enough>(move.choice)) give_up(strategy_->trouble());
    idle_ = std::holds_alternative<Do>(move.choice) ? 0 : idle_ + 1;
    if (idle_ > most_idle) {
      give_up(Error{Error::Kind::bad_input,
                    fmt::format("the strategy went back {} times in a row without an event", most_idle),
                    options_.strategy, "it must say an event now and then"});
      return Enough{};
    }
    note(move, now.node);
    before_ = state_;
    if (const auto* step = std::get_if<Do>(&move.choice)) event_ = step->event;
    return std::move(move.choice);
  }

  void saw(const Place& here, const Appended& what) override {
    tick(here);
    stepped_ = true;
    first_visit_ = false, gained_ = 0;
    if (!here.looked) return;
    look(here);
    if (what.sample.crash) return crashed(here);
    visit(here, before_);
    strategy_->saw(situation(here));
    if ((out_.events + walk_events_) % status_every == 0) status();
  }

 private:
  /// One walk: to the end, or to a crash that is looked into. True: there is more to do.
  Result<bool> leg(const std::stop_token& stop) {
    const Limits limits{.seconds = options_.seconds - out_.seconds,
                        .events = options_.events - out_.events,
                        .pace_ms = options_.pace_ms,
                        .look_every = options_.look_every};
    const double begin = replay_.spent().device_seconds;
    const auto end = replay_.walk(replay_.history().root(), *this, limits, stop);
    out_.seconds += replay_.spent().device_seconds - begin, out_.events += walk_events_;
    walk_seconds_ = 0, walk_events_ = 0;
    if (bad_start_) return std::unexpected(*bad_start_);
    if (!end) {
      if (!started_ && end.error().kind == Error::Kind::budget) return too_little();
      if (out_.events == 0 && end.error().kind != Error::Kind::cancelled) return std::unexpected(end.error());
      if (unsupported(end.error())) return left();
      ended_by(end.error());
      return false;
    }
    if (!started_) return too_little();
    if (!std::exchange(pause_, false)) return false;
    if (options_.triage) options_.triage(finds_.last());
    return !finish_ && left();
  }

  /// The limit was reached before the first choice: nothing can be said about the app.
  std::unexpected<Error> too_little() const {
    return fail(Error::Kind::budget,
                fmt::format("the budget was spent before the first event: starting the app took {}",
                            show_duration(out_.seconds)),
                options_.package, "give more with --budget");
  }

  double seconds() const { return out_.seconds + walk_seconds_; }
  bool left() const { return out_.seconds < options_.seconds && out_.events < options_.events; }

  void tick(const Place& here) { walk_seconds_ = here.seconds, walk_events_ = here.events; }

  Situation situation(const Place& here) const {
    return {.node = here.node,
            .seen = here.seen,
            .history = here.history,
            .state = state_,
            .before = stepped_ ? std::optional(before_) : std::nullopt,
            .event = stepped_ ? &event_ : nullptr,
            .first_visit = first_visit_,
            .gained = stepped_ ? gained_ : 0,
            .crashed = here.crashed,
            .arrived = here.arrived,
            .seconds = seconds(),
            .events = out_.events + walk_events_};
  }

  void give_up(std::optional<Error> why) {
    out_.end = Exploration::End::enough;
    if (why) ended_by(*why);
  }

  /// After a start or a return. False: there is nothing to explore.
  bool arrive(const Place& here) {
    look(here);
    first_visit_ = false;
    if (!here.crashed) visit(here, std::nullopt);
    const bool at_root = here.node == here.history.root();
    if (!at_root) return true;
    const bool bad = here.crashed || here.seen.screen.kind != Screen::Kind::app;
    bad_starts_ = bad ? bad_starts_ + 1 : 0;
    if (!bad) return true;
    if (out_.events + walk_events_ > 0 && bad_starts_ < most_bad_starts) return true;
    bad_start_ = in_words(here);
    return false;
  }

  Error in_words(const Place& here) const {
    const std::string name = options_.package;
    if (here.crashed)
      return {Error::Kind::bad_input,
              "the app crashes when it is started: " + headline(*here.seen.crash) + ": " +
                  printable(here.seen.crash->top().message),
              name, "fix that first, or give a --setup that leads past it"};
    if (here.seen.screen.kind == Screen::Kind::nothing)
      return {Error::Kind::bad_input, "the app shows no window after it is started", name,
              "is it installed, and has it a launcher activity?"};
    if (here.seen.screen.kind == Screen::Kind::unseen)
      return {Error::Kind::bad_input, "the device shows no screen after the app is started", name,
              "each observation needs a \"screen\" (docs/exec-device.md)"};
    const std::string front = here.seen.screen.package;
    return {Error::Kind::bad_input,
            "the app leaves at once: after the start " + (front.empty() ? "another app" : printable(front)) +
                " is in front",
            name, "give a --setup that brings it to its first screen"};
  }

  void visit(const Place& here, std::optional<StateId> before) {
    const std::size_t known = out_.graph.transitions();
    first_visit_ = out_.graph.visit(state_, before);
    if (first_visit_) out_.first_seen.push_back(here.node), out_.first_seen_at.push_back(seconds());
    if (out_.graph.transitions() > known)
      out_.transitions.push_back({*out_.graph.find(*before), *out_.graph.find(state_), here.node});
  }

  /// Books of what is seen now.
  void look(const Place& here) {
    state_ = state_of(here.seen.screen, options_.state);
    gained_ = here.seen.hit.count_beyond(out_.covered);
    if (gained_ > 0) {
      out_.covered |= here.seen.hit;
      out_.over_time.emplace_back(seconds(), out_.covered.count());
    }
    if (here.seen.screen.kind == Screen::Kind::app && !here.seen.screen.activity.empty())
      out_.activities.insert(here.seen.screen.activity);
  }

  void crashed(const Place& here) {
    if (!here.seen.crash || !concerns(*here.seen.crash, options_.package)) return;
    if (!finds_.add(*here.seen.crash, here.node, here.history, seconds())) return;
    status();
    if (options_.until_crash) finish_ = true, out_.end = Exploration::End::crash;
    pause_ = options_.triage || options_.until_crash;
  }

  /// The next event of the traces to begin with, each from a clean start.
  std::optional<Decision> planted(const Situation& now) {
    while (!seeds_.empty()) {
      Seed& seed = seeds_.front();
      if (!std::exchange(seed.begun, true) && now.event) return Decision{Restart{}, "seed trace"};
      if (seed.done < seed.events.size() && !now.crashed) return Decision{Do{seed.events[seed.done++]}};
      seeds_.pop_front();
      if (now.crashed) return Decision{Restart{}, "crash in a seed trace"};
    }
    return std::nullopt;
  }

  /// The strategy's move, asked for anew while it touches what is to be left alone.
  Decision ask(const Situation& now) {
    for (int draw = 0; draw < most_draws; ++draw) {
      Decision move = strategy_->next(now);
      const auto* step = std::get_if<Do>(&move.choice);
      if (!step) return move;
      if (options_.stay && leaves(step->event)) continue;
      if (!options_.system_events && std::holds_alternative<System>(step->event)) continue;
      if (!avoid_.touches(step->event, now.screen())) return move;
    }
    return {Do{now.outside() ? Event{Launch{}} : Event{Key{key::back}}}};
  }

  /// Starts and returns, and events that were chosen for such a reason (a relaunch).
  void note(const Decision& move, NodeId here) {
    if (std::holds_alternative<Restart>(move.choice))
      out_.restores.push_back({seconds(), move.why, replay_.history().root(), true});
    else if (const auto* to = std::get_if<GoTo>(&move.choice))
      out_.restores.push_back({seconds(), move.why, to->node, false});
    else if (std::holds_alternative<Do>(move.choice) && !move.why.empty())
      out_.restores.push_back({seconds(), move.why, here, false});
  }

  /// What the tree knows from earlier runs counts as covered, and is where new states are compared with.
  void remember() {
    const History& tree = replay_.history();
    for (std::uint32_t i = 0; i < tree.coverages(); ++i) out_.covered |= tree.coverage(CoverageId{i});
    if (!out_.covered.empty()) out_.over_time.emplace_back(0.0, out_.covered.count());
    for (std::uint32_t i = 0; i < tree.screens(); ++i)
      if (Screen seen = tree.copy_screen(ScreenId{i});
          seen.kind == Screen::Kind::app && !seen.activity.empty())
        out_.activities.insert(std::move(seen.activity));
    for (const NodeId node : options_.found_before)
      if (const Crash* crash = tree.crash(node); crash && concerns(*crash, options_.package))
        finds_.remember(*crash, node, tree);
  }

  /// A device that cannot do system events is explored without them.
  bool unsupported(const Error& error) {
    if (error.kind != Error::Kind::unsupported || !options_.system_events) return false;
    options_.system_events = false;
    progress_.warning("the device has no system events: exploring goes on without them");
    return true;
  }

  void ended_by(const Error& error) {
    if (error.kind == Error::Kind::budget) return;
    out_.trouble = error;
    out_.end =
        error.kind == Error::Kind::cancelled ? Exploration::End::interrupted : Exploration::End::failed;
  }

  void confirm(const std::stop_token& stop) {
    const double begin = replay_.spent().device_seconds;
    finds_.confirm(replay_, options_.confirm, progress_, stop);
    out_.confirm_seconds = replay_.spent().device_seconds - begin;
  }

  void status() {
    std::string coverage = fmt::format("{} covered", out_.covered.count());
    if (options_.coverable.total() > 0)
      coverage = fmt::format("{:.0f} % covered", 100.0 * static_cast<double>(out_.covered.count()) /
                                                     static_cast<double>(options_.coverable.total()));
    progress_.status(fmt::format("[ {} ] {} events, {} states, {}, {} crashes, {} restores",
                                 show_duration(seconds()), out_.events + walk_events_, out_.graph.size(),
                                 coverage, finds_.size(), out_.restores.size()));
  }

  Replay& replay_;
  ExploreOptions options_;
  Avoid avoid_;
  Progress& progress_;
  Exploration out_;
  StrategyContext context_;
  std::unique_ptr<Strategy> strategy_;
  struct Seed {
    std::vector<Event> events;
    std::size_t done = 0;
    bool begun = false;
  };
  std::deque<Seed> seeds_;
  Finds finds_;
  StateId state_, before_;
  Event event_;
  std::uint64_t gained_ = 0;
  bool started_ = false, stepped_ = false, first_visit_ = false, finish_ = false, pause_ = false;
  std::optional<Error> bad_start_;
  int bad_starts_ = 0, idle_ = 0;
  double walk_seconds_ = 0;
  std::uint64_t walk_events_ = 0;
};

}  // namespace

Result<Exploration> explore(Replay& replay, const ExploreOptions& options, Progress& progress,
                            const std::stop_token& stop) {
  NORN_TRY(Avoid avoid, Avoid::parse(options.avoid));
  Loop loop(replay, options, std::move(avoid), progress);
  return loop.run(stop);
}

}  // namespace norn

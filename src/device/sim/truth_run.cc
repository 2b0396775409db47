#include "device/sim/truth_run.h"

#include <fmt/format.h>

#include <utility>

#include "device/sim.h"
#include "gui/target.h"

namespace norn::sim {
namespace {

std::optional<Rect> bounds_of(const Target& target, const Screen& screen) {
  const auto found = resolve(target, screen);
  const auto* f = std::get_if<Found>(&found);
  return f ? std::optional<Rect>(screen.widgets[f->widget].bounds) : std::nullopt;
}

std::optional<Point> where(const Target& target, Point point, const Screen& screen) {
  if (target.empty()) return point;
  const auto bounds = bounds_of(target, screen);
  return bounds ? std::optional<Point>(bounds->center()) : std::nullopt;
}

std::optional<Action> fling(const Swipe& e, const Screen& screen) {
  const auto r = bounds_of(e.target, screen);
  if (!r) return std::nullopt;
  const bool upright = e.direction == Direction::up || e.direction == Direction::down;
  const bool back = e.direction == Direction::up || e.direction == Direction::left;
  const std::int32_t reach = (upright ? r->bottom - r->top : r->right - r->left) * 2 / 5 * (back ? -1 : 1);
  const Point c = r->center(), d = upright ? Point{0, reach} : Point{reach, 0};
  return Move{{c.x - d.x, c.y - d.y}, {c.x + d.x, c.y + d.y}, 150};
}

/// Nothing: the target is not there.
struct Lower {
  const Screen& screen;
  std::optional<Action> operator()(const Tap& e) const { return touch(e.target, e.at, 50); }
  std::optional<Action> operator()(const LongPress& e) const { return touch(e.target, e.at, 800); }
  std::optional<Action> operator()(const Swipe& e) const { return fling(e, screen); }
  std::optional<Action> operator()(const Drag& e) const { return Move{e.from, e.to, 600}; }
  std::optional<Action> operator()(const Pinch& e) const { return TwoFingers{e.at, e.from, e.to}; }
  std::optional<Action> operator()(const Type& e) const {
    if (e.target.empty()) return Text{e.text, {}};
    const auto p = where(e.target, e.at, screen);
    return p ? std::optional<Action>(Text{e.text, p}) : std::nullopt;
  }
  std::optional<Action> operator()(const Key& e) const { return Press{e.code}; }
  std::optional<Action> operator()(const Launch& e) const { return Open{e.package, e.activity}; }
  std::optional<Action> operator()(const Rotate& e) const { return Turn{e.rotation}; }
  std::optional<Action> operator()(const System& e) const { return Signal{e}; }
  std::optional<Action> operator()(const Wait& e) const { return Sleep{e.ms}; }
  std::optional<Action> operator()(const Raw&) const { return std::nullopt; }

  std::optional<Action> touch(const Target& target, Point at, std::int32_t ms) const {
    const auto p = where(target, at, screen);
    return p ? std::optional<Action>(Touch{*p, ms}) : std::nullopt;
  }
};

std::string with_bugs(const std::string& spec, const std::string& bugs) {
  return fmt::format("{}{}bugs={}", spec, spec.find('?') == std::string::npos ? "?" : "&", bugs);
}

/// Four ways to run the same events.
struct Runs {
  Opened &all, &none;
  Opened only, without;
};

/// What does not hold of one way into a crash; into `crash` what it ends in.
Result<std::string> way_problem(const KnownBug::Way& way, Runs& runs, Ending& crash) {
  NORN_TRY(crash, run_events(runs.all, way.events));
  if (!crash.crash) return "no crash";
  if (crash.steps != way.events.size())
    return fmt::format("crashes at event {}: {}", crash.steps, crash.headline);
  NORN_TRY(const Ending alone, run_events(runs.only, way.events));
  if (!(alone == crash)) return "needs another bug too";
  NORN_TRY(const Ending fixed, run_events(runs.without, way.events));
  if (fixed.crash) return "switched off, still: " + fixed.headline;
  for (std::size_t i = 0; i < way.events.size(); ++i) {
    NORN_TRY(const Ending shorter, run_events(runs.only, way.events, i));
    if (shorter.crash == crash.crash) return "not needed: " + way.text[i];
  }
  return std::string();
}

Result<std::string> crash_problem(const KnownBug& bug, Runs& runs) {
  Ending crash, same;
  NORN_TRY(std::string problem, way_problem({bug.text, bug.events}, runs, crash));
  for (std::size_t k = 0; k < bug.others.size() && problem.empty(); ++k) {
    NORN_TRY(problem, way_problem(bug.others[k], runs, same));
    if (problem.empty() && !(same == crash)) problem = "another crash: " + same.headline;
    if (!problem.empty()) problem = fmt::format("other way {}: {}", k + 1, problem);
  }
  return problem;
}

Result<std::string> functional_problem(const KnownBug& bug, Runs& runs) {
  NORN_TRY(const Ending wrong, run_events(runs.all, bug.events));
  NORN_TRY(const Ending right, run_events(runs.without, bug.events));
  if (wrong.crash || right.crash) return "crashes: " + wrong.headline + right.headline;
  if (wrong == right) return "the same screen with and without it";
  NORN_TRY(const Ending alone, run_events(runs.only, bug.events));
  if (!(alone == wrong)) return "needs another bug too";
  for (std::size_t i = 0; i < bug.events.size(); ++i) {
    NORN_TRY(const Ending on, run_events(runs.only, bug.events, i));
    NORN_TRY(const Ending off, run_events(runs.none, bug.events, i));
    if (!(on == off)) return "not needed: " + bug.text[i];
  }
  return std::string();
}

}  // namespace

std::optional<Action> action_for(const Event& event, const Screen& screen) {
  return std::visit(Lower{screen}, event);
}

Result<Opened> open_with(const std::string& spec) {
  Opened on;
  NORN_TRY(on.device, open_sim(spec));
  NORN_TRY(on.app, sim_app(spec));
  return on;
}

Result<Ending> run_events(Opened& on, const std::vector<Event>& events, std::optional<std::size_t> without,
                          Nonce nonce) {
  Ending end;
  NORN_CHECK(on.device->start(on.app, nonce));
  NORN_TRY(Observation seen, on.device->observe());
  for (std::size_t i = 0; i < events.size() && !seen.crash; ++i) {
    if (i == without) continue;
    const auto action = action_for(events[i], seen.screen);
    end.skipped += action ? 0 : 1;
    if (!action) continue;
    NORN_CHECK(on.device->perform(*action, Pace{}));
    NORN_TRY(seen, on.device->observe());
    end.steps = i + 1;
  }
  if (seen.crash) {
    end.crash = signature(*seen.crash, Sameness::frames);
    end.headline = headline(*seen.crash);
  }
  end.screen = abstract(seen.screen, Abstraction::structure);
  return end;
}

Result<Verifier> Verifier::open(std::string spec) {
  Verifier v;
  v.spec_ = std::move(spec);
  NORN_TRY(v.all_, open_with(with_bugs(v.spec_, "all")));
  NORN_TRY(v.none_, open_with(with_bugs(v.spec_, "none")));
  return v;
}

Result<std::string> Verifier::problem(const KnownBug& bug) {
  if (bug.kind == KnownBug::Kind::flaky) return std::string();
  NORN_TRY(auto only, open_sim(with_bugs(spec_, bug.id)));
  NORN_TRY(auto without, open_sim(with_bugs(spec_, "-" + bug.id)));
  Runs runs{all_,
            none_,
            {std::move(only), all_.app},
            {std::move(without), all_.app}};  // one name is enough to start
  return bug.kind == KnownBug::Kind::crash ? crash_problem(bug, runs) : functional_problem(bug, runs);
}

}  // namespace norn::sim

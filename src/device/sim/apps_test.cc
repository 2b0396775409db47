// Every bundled app against the ground truth about it: each known bug happens with its events and only with all of
// them, vanishes when it alone is switched off, and stays when all others are; without bugs an app survives a long
// random walk, the same one each time, without growing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>

#include "base/hash.h"
#include "base/text.h"
#include "device/sim.h"
#include "device/sim/bundled.h"
#include "device/sim/truth.h"
#include "gui/abstraction.h"
#include "gui/target.h"

namespace norn::sim {
namespace {

// ---- driving: the least that is needed, the real one lives a layer above ----

std::optional<Point> where(const Target& target, Point point, const Screen& screen) {
  if (target.empty()) return point;
  const auto found = resolve(target, screen);
  if (const auto* f = std::get_if<Found>(&found)) return screen.widgets[f->widget].bounds.center();
  return std::nullopt;
}

std::optional<Action> fling(const Swipe& e, const Screen& screen) {
  const auto found = resolve(e.target, screen);
  if (!std::holds_alternative<Found>(found)) return std::nullopt;
  const Rect& r = screen.widgets[std::get<Found>(found).widget].bounds;
  const Point c = r.center();
  const bool upright = e.direction == Direction::up || e.direction == Direction::down;
  const bool back = e.direction == Direction::up || e.direction == Direction::left;
  const std::int32_t reach = (upright ? r.bottom - r.top : r.right - r.left) * 2 / 5 * (back ? -1 : 1);
  const Point d = upright ? Point{0, reach} : Point{reach, 0};
  return Move{{c.x - d.x, c.y - d.y}, {c.x + d.x, c.y + d.y}, 150};
}

/// Nothing: the target is not there, the event is left out.
struct Lower {
  const Screen& screen;
  std::optional<Action> operator()(const Tap& e) const {
    const auto p = where(e.target, e.at, screen);
    return p ? std::optional<Action>(Touch{*p}) : std::nullopt;
  }
  std::optional<Action> operator()(const LongPress& e) const {
    const auto p = where(e.target, e.at, screen);
    return p ? std::optional<Action>(Touch{*p, 800}) : std::nullopt;
  }
  std::optional<Action> operator()(const Type& e) const {
    if (e.target.empty()) return Text{e.text, {}};
    const auto p = where(e.target, e.at, screen);
    return p ? std::optional<Action>(Text{e.text, *p}) : std::nullopt;
  }
  std::optional<Action> operator()(const Swipe& e) const { return fling(e, screen); }
  std::optional<Action> operator()(const Drag& e) const { return Move{e.from, e.to, 600}; }
  std::optional<Action> operator()(const Pinch& e) const { return TwoFingers{e.at, e.from, e.to}; }
  std::optional<Action> operator()(const Key& e) const { return Press{e.code}; }
  std::optional<Action> operator()(const Launch& e) const { return Open{e.package, e.activity}; }
  std::optional<Action> operator()(const Rotate& e) const { return Turn{e.rotation}; }
  std::optional<Action> operator()(const System& e) const { return Signal{e}; }
  std::optional<Action> operator()(const Wait& e) const { return Sleep{e.ms}; }
  std::optional<Action> operator()(const Raw&) const { return std::nullopt; }
};

struct Opened {
  std::unique_ptr<Device> device;
  App app;
};

Opened open(const std::string& app, const std::string& options) {
  const std::string spec = fmt::format("sim:{}?profile=instant&{}", app, options);
  auto device = open_sim(spec);
  auto identity = sim_app(spec);
  if (!device || !identity) {
    ADD_FAILURE() << spec << ": " << (device ? identity.error() : device.error()).message();
    return {};
  }
  return {std::move(*device), *identity};
}

/// How a run ended: in a crash at its `steps`-th event, or on a screen.
struct Ending {
  std::optional<std::uint64_t> crash;
  std::string headline;
  std::size_t steps = 0;
  StateId screen;
  std::string outline;

  bool operator==(const Ending& o) const { return crash == o.crash && (crash || screen == o.screen); }
};

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

Ending run(Opened& on, const std::vector<Event>& events, std::size_t without = nobody, Nonce nonce = 1) {
  Ending end;
  EXPECT_TRUE(on.device->start(on.app, nonce));
  auto seen = on.device->observe();
  for (std::size_t i = 0; seen && i < events.size() && !seen->crash; ++i) {
    if (i == without) continue;
    const auto action = std::visit(Lower{seen->screen}, events[i]);
    if (!action) continue;
    EXPECT_TRUE(on.device->perform(*action, Pace{}));
    seen = on.device->observe();
    end.steps = i + 1;
  }
  if (!seen) {
    ADD_FAILURE() << seen.error().message();
    return end;
  }
  if (seen->crash) {
    end.crash = signature(*seen->crash, Sameness::frames);
    end.headline = headline(*seen->crash);
  }
  end.screen = abstract(seen->screen, Abstraction::structure);
  end.outline = outline(seen->screen);
  return end;
}

std::string joined(const std::string& bugs, const KnownBug& bug) {
  return bug.device.empty() ? "bugs=" + bugs : "bugs=" + bugs + "&" + bug.device;
}

// ---- one bug ----

class BundledApp : public testing::TestWithParam<std::string> {
 protected:
  Truth truth() const {
    auto truth = load_truth(GetParam());
    EXPECT_TRUE(truth) << truth.error().message();
    return truth ? std::move(*truth) : Truth{};
  }
  Opened with(const std::string& bugs, const KnownBug& bug) const {
    return open(GetParam(), joined(bugs, bug));
  }

  void check_crash(const KnownBug& bug) const {
    Opened all = with("all", bug), only = with(bug.id, bug), without = with("-" + bug.id, bug);
    const Ending crash = run(all, bug.events);
    ASSERT_TRUE(crash.crash) << "no crash, but\n" << crash.outline;
    EXPECT_EQ(crash.steps, bug.events.size()) << "crashes earlier: " << crash.headline;
    EXPECT_EQ(run(only, bug.events), crash) << "needs another bug too";
    const Ending fixed = run(without, bug.events);
    EXPECT_FALSE(fixed.crash) << "switched off, still: " << fixed.headline;
    for (std::size_t i = 0; i < bug.events.size(); ++i)
      EXPECT_NE(run(only, bug.events, i).crash, crash.crash) << "not needed: " << bug.text[i];
  }

  void check_functional(const KnownBug& bug) const {
    Opened all = with("all", bug), without = with("-" + bug.id, bug), only = with(bug.id, bug),
           none = with("none", bug);
    const Ending wrong = run(all, bug.events), right = run(without, bug.events);
    EXPECT_FALSE(wrong.crash) << wrong.headline;
    EXPECT_FALSE(right.crash) << right.headline;
    EXPECT_FALSE(wrong == right) << "with and without the bug:\n" << wrong.outline;
    EXPECT_EQ(run(only, bug.events), wrong) << "needs another bug too";
    for (std::size_t i = 0; i < bug.events.size(); ++i) {
      const Ending a = run(only, bug.events, i), b = run(none, bug.events, i);
      EXPECT_TRUE(a == b) << "not needed: " << bug.text[i] << "\n" << a.outline << "\n" << b.outline;
    }
  }

  void check_flaky(const KnownBug& bug) const {
    Opened only = with(bug.id, bug), none = with("none", bug);
    int crashes = 0, differences = 0;
    for (Nonce nonce = 1; nonce <= 60; ++nonce) {
      const Ending end = run(only, bug.events, nobody, nonce);
      crashes += end.crash ? 1 : 0;
      differences += end == run(none, bug.events, nobody, nonce) ? 0 : 1;
    }
    const int shown =
        crashes > 0 ? crashes : differences;  // without the bug chance may be used in another way
    EXPECT_GT(shown, 0);
    EXPECT_LT(shown, 60);
  }
};

TEST_P(BundledApp, HasTheBugsItIsSaidToHave) {
  for (const KnownBug& bug : truth().bugs) {
    SCOPED_TRACE(fmt::format("{}: {}", GetParam(), bug.id));
    if (bug.kind == KnownBug::Kind::crash) check_crash(bug);
    if (bug.kind == KnownBug::Kind::functional) check_functional(bug);
    if (bug.kind == KnownBug::Kind::flaky) check_flaky(bug);
  }
}

TEST_P(BundledApp, HasNoCrashWithAllBugsOff) {
  for (const KnownBug& bug : truth().bugs) {
    Opened none = with("none", bug);
    for (Nonce nonce = 1; nonce <= (bug.kind == KnownBug::Kind::flaky ? 60u : 1u); ++nonce) {
      const Ending end = run(none, bug.events, nobody, nonce);
      EXPECT_FALSE(end.crash) << GetParam() << ", events of " << bug.id << ": " << end.headline;
    }
  }
}

// ---- random walks ----

bool can_be_touched(const Widget& w) {
  return w.is(Flag::clickable) || w.is(Flag::long_clickable) || w.is(Flag::checkable) ||
         w.is(Flag::editable) || w.is(Flag::scrollable);
}

Action random_touch(const Widget& w, Rng& rng) {
  static const std::vector<std::string> texts{
      "", "a", "12", "0", "-1", "3.5", ".", "Milk", "bob@example.org", "[x", "Käse 日"};
  const Point c = w.bounds.center();
  const std::int32_t wide = (w.bounds.right - w.bounds.left) / 3 * (rng.chance(0.5) ? 1 : -1);
  const std::int32_t high = (w.bounds.bottom - w.bounds.top) / 3 * (rng.chance(0.5) ? 1 : -1);
  if (w.is(Flag::editable)) return Text{texts[rng.below(texts.size())], c};
  if (rng.chance(0.05)) return Move{{c.x - wide, c.y}, {c.x + wide, c.y}, 150};
  if (w.is(Flag::scrollable) && !w.is(Flag::clickable))
    return Move{{c.x, c.y - high}, {c.x, c.y + high}, 150};
  const bool longer = w.is(Flag::long_clickable) && (!w.is(Flag::clickable) || rng.chance(0.3));
  return Touch{c, longer ? 800 : 50};
}

Action random_action(const Screen& screen, Rng& rng) {
  std::vector<std::size_t> touchable;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if (can_be_touched(screen.widgets[i])) touchable.push_back(i);
  if (screen.kind != Screen::Kind::app && (touchable.empty() || rng.chance(0.7)))
    return rng.chance(0.5) ? Action{Press{key::back}} : Action{Open{}};
  const std::size_t pick = rng.below(touchable.size() + 4);
  if (pick < touchable.size()) return random_touch(screen.widgets[touchable[pick]], rng);
  if (pick == touchable.size()) return Press{key::back};
  if (pick == touchable.size() + 1) return Turn{screen.rotation == 0 ? 1 : 0};
  if (pick == touchable.size() + 2) return Press{key::menu};
  return rng.chance(0.9) ? Action{Sleep{1500}} : Action{Signal{System{"kill", {}}}};
}

/// A walk of so many events: the hash of everything that was seen, and the crash it ended in, if it did.
struct Walk {
  std::uint64_t hash = 0;
  std::size_t events = 0;
  std::string trouble;
  std::string story;  ///< the last screens, if they were asked for
};

Walk walk(Opened& on, std::uint64_t seed, std::size_t events, std::size_t tell_from = nobody) {
  Rng rng(seed);
  Walk out{.hash = seed, .events = 0, .trouble = {}, .story = {}};
  EXPECT_TRUE(on.device->start(on.app, seed));
  for (; out.events < events; ++out.events) {
    const auto seen = on.device->observe();
    if (!seen || seen->crash) {
      out.trouble = seen ? headline(*seen->crash) : seen.error().message();
      return out;
    }
    if (out.events >= tell_from) out.story += outline(seen->screen);
    out.hash = Hasher().add(out.hash).add(content_hash(seen->screen)).finish();
    EXPECT_TRUE(on.device->perform(random_action(seen->screen, rng), Pace{}));
  }
  return out;
}

std::uint64_t safe_walk(Opened& on, std::uint64_t seed, std::size_t events) {
  const Walk done = walk(on, seed, events);
  if (!done.trouble.empty())
    ADD_FAILURE() << "event " << done.events << " of seed " << seed << ": " << done.trouble << ", after\n"
                  << walk(on, seed, events, done.events - std::min<std::size_t>(done.events, 6)).story;
  return done.hash;
}

std::size_t walk_length() {
  const char* asked = std::getenv("NORN_SOAK_EVENTS");
  return asked ? static_cast<std::size_t>(to_int(asked).value_or(3000)) : 3000;
}

std::size_t resident_bytes() {
  std::size_t total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST_P(BundledApp, SurvivesARandomWalkWithoutBugs) {
  Opened on = open(GetParam(), "bugs=none");
  const std::uint64_t first = safe_walk(on, 1, walk_length());
  [[maybe_unused]] const std::size_t before = resident_bytes();
  EXPECT_EQ(safe_walk(on, 1, walk_length()), first) << "the same walk went otherwise";
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(resident_bytes(), before + (8u << 20)) << "memory grows";
#endif
  for (std::uint64_t seed = 2; seed <= 3; ++seed) safe_walk(on, seed, walk_length() / 4);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const BundledFile& f : bundled_sources()) out.emplace_back(f.name.substr(0, f.name.find('.')));
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, BundledApp, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace norn::sim

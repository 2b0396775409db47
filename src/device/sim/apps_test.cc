// Every bundled app against the ground truth about it: each known bug happens with its events and only with
// all of them, vanishes when it alone is switched off, and stays when all others are; without bugs an app
// survives a long random walk, the same one each time, without growing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/hash.h"
#include "base/patience.h"
#include "base/text.h"
#include "device/sim.h"
#include "device/sim/bundled.h"
#include "device/sim/truth_run.h"

namespace norn::sim {
namespace {

std::string spec_with(const std::string& app, const std::string& options) {
  return fmt::format("sim:{}?profile=instant{}{}", app, options.empty() ? "" : "&", options);
}

Opened open(const std::string& app, const std::string& options) {
  auto on = open_with(spec_with(app, options));
  EXPECT_TRUE(on) << on.error().message();
  return on ? std::move(*on) : Opened{};
}

Ending run(Opened& on, const std::vector<Event>& events, Nonce nonce = 1) {
  const auto end = run_events(on, events, {}, nonce);
  EXPECT_TRUE(end) << end.error().message();
  return end ? *end : Ending{};
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
    return open(GetParam(), "bugs=" + bugs + (bug.device.empty() ? "" : "&" + bug.device));
  }

  void check(const KnownBug& bug) const {
    auto verifier = Verifier::open(spec_with(GetParam(), bug.device));
    ASSERT_TRUE(verifier) << verifier.error().message();
    const auto problem = verifier->problem(bug);
    ASSERT_TRUE(problem) << problem.error().message();
    EXPECT_EQ(*problem, "");
  }

  void check_flaky(const KnownBug& bug) const {
    Opened only = with(bug.id, bug), none = with("none", bug);
    int crashes = 0, differences = 0;
    for (Nonce nonce = 1; nonce <= 60; ++nonce) {
      const Ending end = run(only, bug.events, nonce);
      crashes += end.crash ? 1 : 0;
      differences += end == run(none, bug.events, nonce) ? 0 : 1;
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
    if (bug.kind == KnownBug::Kind::flaky)
      check_flaky(bug);
    else
      check(bug);
  }
}

TEST_P(BundledApp, HasNoCrashWithAllBugsOff) {
  for (const KnownBug& bug : truth().bugs) {
    Opened none = with("none", bug);
    for (Nonce nonce = 1; nonce <= (bug.kind == KnownBug::Kind::flaky ? 60u : 1u); ++nonce) {
      const Ending end = run(none, bug.events, nonce);
      EXPECT_FALSE(end.crash) << GetParam() << ", events of " << bug.id << ": " << end.headline;
    }
  }
}

// ---- apps by others ----

/// The apps of a folder of tests/data that have a truth beside them.
std::vector<std::filesystem::path> apps_with_truth(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& file : std::filesystem::directory_iterator(NORN_SOURCE_DIR "/tests/data/" + folder))
    if (file.path().extension() == ".lua") out.push_back(file.path());
  return out;
}

/// Everything that is on the screen in the end.
std::uint64_t shown_after(Opened& on, const std::vector<Event>& events) {
  EXPECT_EQ(run(on, events).skipped, 0u) << on.app.name;
  const auto seen = on.device->observe();
  return seen ? content_hash(seen->screen) : 0;
}

TEST(AppsOfTests, HaveTheBugsTheyAreSaidToHave) {
  for (const char* folder :
       {"unseen", "blind", "fresh", "late", "final", "held_out", "sealed", "further", "reserve", "outside",
        "guest", "stranger", "newcomer", "visitor", "tenant", "lodger", "passenger", "boarder"})
    for (const auto& file : apps_with_truth(folder)) {
      Opened on = open(file.string(), "bugs=none");
      const auto text = read_file(std::filesystem::path(file).replace_extension(".bugs.json"));
      ASSERT_TRUE(text) << text.error().message();
      const auto truth = parse_truth(*text, on.app.name, file.string());
      ASSERT_TRUE(truth) << truth.error().message();
      EXPECT_GE(truth->bugs.size(), 7u);
      for (const KnownBug& bug : truth->bugs) {
        Opened only = open(file.string(), "bugs=" + bug.id);
        const std::uint64_t right = shown_after(on, bug.events);
        EXPECT_NE(shown_after(only, bug.events), right) << file << ", " << bug.id;
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

Action ordinary_action(const Screen& screen, Rng& rng) {
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

Walk walk(Opened& on, std::uint64_t seed, std::size_t events, std::size_t tell_from = SIZE_MAX) {
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
    EXPECT_TRUE(on.device->perform(ordinary_action(seen->screen, rng), Pace{}));
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

std::size_t soak_length() {
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
  const std::uint64_t first = safe_walk(on, 1, soak_length());
  const std::size_t before = resident_bytes();
  EXPECT_EQ(safe_walk(on, 1, soak_length()), first) << "the same walk went otherwise";
  if (!sanitized) {
    EXPECT_LT(resident_bytes(), before + (8u << 20)) << "memory grows";
  }
  if (std::getenv("NORN_SOAK_EVENTS") != nullptr)
    fmt::print("{:<12} {} events twice: hash {}, resident {} kB after the first, {} kB after the second\n",
               GetParam(), soak_length(), hex(first), before >> 10, resident_bytes() >> 10);
  for (std::uint64_t seed = 2; seed <= 3; ++seed) safe_walk(on, seed, soak_length() / 4);
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

// Generated apps against what their generator says of them. Every mistake of the catalogue is tried alone and
// beside every other one it may stand beside; then whole apps are.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>

#include "base/patience.h"
#include "device/sim/generate_truth.h"
#include "device/sim/testing.h"
#include "device/sim/truth_run.h"

namespace norn::sim {
namespace {

std::string generated(std::uint64_t seed, int screens, double hidden = 0) {
  return fmt::format("sim:generated?profile=instant&seed={}&screens={}&hidden={}", seed, screens, hidden);
}

void expect_true(const std::string& spec, const Truth& truth) {
  auto verifier = Verifier::open(spec);
  ASSERT_TRUE(verifier) << verifier.error().message();
  for (const KnownBug& bug : truth.bugs) {
    const auto problem = verifier->problem(bug);
    ASSERT_TRUE(problem) << problem.error().message();
    EXPECT_EQ(*problem, "") << spec << ", " << bug.id;
  }
}

/// A finger that touches what can be touched, types, turns the device and kills the process.
Action finger_action(const Screen& screen, Rng& rng) {
  static const std::vector<std::string> texts{"", "0", "7", "two words", "-1", "4783", "Zebra", "é日"};
  std::vector<const Widget*> touchable;
  for (const Widget& w : screen.widgets) {
    if (w.is(Flag::clickable) || w.is(Flag::checkable) || w.is(Flag::editable)) touchable.push_back(&w);
  }
  const double u = rng.unit();
  if (u < 0.05) return Press{key::menu};
  if (u < 0.10 || touchable.empty()) return rng.chance(0.7) ? Action{Press{key::back}} : Action{Open{}};
  if (u < 0.12) return Turn{screen.rotation == 0 ? 1 : 0};
  if (u < 0.14) return Sleep{1500};
  if (u < 0.15)
    return Signal{System{rng.chance(0.3) ? "kill" : rng.chance(0.5) ? "network-off" : "network-on", {}}};
  const Widget& w = *touchable[rng.below(touchable.size())];
  if (w.is(Flag::editable)) return Text{texts[rng.below(texts.size())], w.bounds.center()};
  return Touch{w.bounds.center(), rng.chance(0.1) ? 800 : 50};
}

/// The activities that a walk without bugs has seen; it must not crash.
std::set<std::string> walk(const std::string& spec, std::uint64_t seed, int events) {
  std::set<std::string> seen_activities;
  auto on = open_with(spec + "&bugs=none");
  if (!on || !on->device->start(on->app, seed)) {
    ADD_FAILURE() << spec << (on ? "" : ": " + on.error().message());
    return {};
  }
  Rng rng(seed);
  for (int i = 0; i < events; ++i) {
    const auto seen = on->device->observe();
    if (!seen || seen->crash) {
      ADD_FAILURE() << spec << ", event " << i << ": "
                    << (seen ? headline(*seen->crash) : seen.error().message());
      break;
    }
    seen_activities.insert(seen->screen.activity);
    EXPECT_TRUE(on->device->perform(finger_action(seen->screen, rng), Pace{}));
  }
  return seen_activities;
}

// ---- the catalogue ----

class CatalogueFile {
 public:
  explicit CatalogueFile(const std::string& text)
      : path_(fmt::format("{}norn_generated_{}.lua", testing::TempDir(), getpid())) {
    std::ofstream(path_) << text;
  }
  ~CatalogueFile() { std::remove(path_.c_str()); }
  std::string spec() const { return "sim:" + path_ + "?profile=instant"; }

 private:
  std::string path_;
};

void expect_feature(const FeatureTemplate& kind, const std::vector<std::string_view>& bugs,
                    std::uint64_t seed, double hidden = 0) {
  SCOPED_TRACE(fmt::format("{} with {} and {}, seed {}, hidden {}", kind.name, bugs.front(), bugs.back(),
                           seed, hidden));
  const auto app = app_of_plan(plan_single(kind, bugs, seed, hidden), "Single");
  ASSERT_TRUE(app) << app.error().message();
  EXPECT_EQ(app->source.find("${"), std::string::npos) << "an unfilled hole";
  EXPECT_EQ(app->truth.bugs.size(), bugs.front() == bugs.back() ? 1u : 2u);
  const CatalogueFile file(app->source);
  expect_true(file.spec(), app->truth);
  walk(file.spec(), seed, 100);
}

TEST(GenerateCatalogue, EveryMistakeHoldsAlone) {
  for (const FeatureTemplate* kind : all_features()) {
    for (const BugTemplate& bug : kind->bugs) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) expect_feature(*kind, {bug.name}, seed);
    }
  }
}

TEST(GenerateCatalogue, EveryMistakeHoldsWhereAllPagesHaveHabits) {
  for (const FeatureTemplate* kind : all_features()) {
    for (const BugTemplate& bug : kind->bugs) expect_feature(*kind, {bug.name}, 3, 1);
  }
}

TEST(GenerateCatalogue, EveryMistakeHoldsBesideAnother) {
  for (const FeatureTemplate* kind : all_features()) {
    for (std::size_t i = 0; i < kind->bugs.size(); ++i) {
      for (std::size_t j = i + 1; j < kind->bugs.size(); ++j) {
        if (clash(kind->bugs[i], kind->bugs[j])) continue;
        expect_feature(*kind, {kind->bugs[i].name, kind->bugs[j].name}, 100 * i + j);
      }
    }
  }
}

TEST(GenerateCatalogue, LinesAreDecidedByConditions) {
  const std::string_view text = "a ${x}\n  +on| b\n  -on| c\n  +on?bug| d\n  !bug| e\n-- f\n  ${y}";
  EXPECT_EQ(fill(text, {{"x", "1"}}, {{"on"}, {}}), "a 1\n  b\n  e\n-- f\n  ${y}\n");
  EXPECT_EQ(fill(text, {{"x", "1"}}, {{"on"}, {"bug"}}), "a 1\n  b\n  d\n-- f\n  ${y}\n");
  EXPECT_EQ(fill(text, {{"x", "1"}}, {{}, {"bug"}}), "a 1\n  c\n-- f\n  ${y}\n");
}

// ---- whole apps ----

TEST(Generate, AppsHaveTheBugsTheyAreSaidToHave) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const int screens = 10 + static_cast<int>(seed * 37 % 191);
    const auto app = generate_app(seed, screens);
    ASSERT_TRUE(app) << app.error().message();
    EXPECT_GE(app->truth.bugs.size(), 2u);
    if (screens <= 60 || seed % 10 == 0) expect_true(generated(seed, screens), app->truth);
    walk(generated(seed, screens), seed, 300);
  }
}

TEST(Generate, AppsWithHabitsHaveTheSameBugs) {
  for (std::uint64_t seed = 31; seed <= 40; ++seed) {
    const auto app = generate_app(seed, 50, 0.3), plain = generate_app(seed, 50);
    ASSERT_TRUE(app && plain);
    EXPECT_NE(app->source, plain->source);
    EXPECT_EQ(app->truth.bugs.size(), plain->truth.bugs.size());
    expect_true(generated(seed, 50, 0.3), app->truth);
    walk(generated(seed, 50, 0.3), seed, 300);
  }
}

// ---- habits ----

/// An app of one collection, all of whose pages have habits (or none).
class Habits {
 public:
  explicit Habits(double hidden)
      : plan_(plan_single(*all_features().front(), {"sort_back"}, 5, hidden)),
        file_(write_source(plan_, "Habits")),
        driver_(file_.spec() + "&bugs=none") {
    driver_.start();
  }
  void go(const std::vector<std::string>& lines) { driver_.run(lines); }
  void enter() { go(way_to(plan_, 0)); }
  const Widget* widget(std::string_view id) {
    for (const Widget& w : driver_.look().screen.widgets)
      if (w.id == fmt::format("{}:id/{}", generated_package, id)) return &w;
    return nullptr;
  }

 private:
  Plan plan_;
  CatalogueFile file_;
  Driver driver_;
};

TEST(GenerateHabits, ATipIsShownOnTheFirstVisit) {
  Habits app(1), plain(0);
  app.enter(), plain.enter();
  EXPECT_TRUE(app.widget("tip"));
  EXPECT_FALSE(plain.widget("tip"));
  app.go({"rotate 1"});
  EXPECT_TRUE(app.widget("tip")) << "turning the device is no second visit";
  app.go({"back"});
  app.enter();
  EXPECT_FALSE(app.widget("tip"));
}

TEST(GenerateHabits, APageIsAsItWasLeft) {
  for (const double hidden : {0.0, 1.0}) {
    Habits app(hidden);
    app.enter();
    app.go({"menu", "tap sort", "back"});
    app.enter();
    app.go({"menu"});
    const Widget* sort = app.widget("sort");
    ASSERT_TRUE(sort);
    EXPECT_EQ(sort->is(Flag::checked), hidden > 0);
  }
}

TEST(GenerateHabits, NewsComeWithTimeAndAQuestionAfterManyPages) {
  Habits app(1), plain(0);
  app.go({"wait 40000"}), plain.go({"wait 40000"});
  ASSERT_TRUE(app.widget("news"));
  EXPECT_NE(app.widget("news")->text, "1 new");
  EXPECT_FALSE(plain.widget("news"));
  app.go({"tap news", "back"});
  EXPECT_TRUE(!app.widget("news") || app.widget("news")->text == "1 new") << "read but for the newest";
  EXPECT_FALSE(app.widget("rating"));
  for (int i = 0; i < 15; ++i) app.enter(), app.go({"back"});
  EXPECT_TRUE(app.widget("rating"));
  app.go({"tap rate_later"});
  EXPECT_FALSE(app.widget("rating"));
}

TEST(Generate, BugsNeedFewAndManyEvents) {
  std::set<std::size_t> lengths;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto app = generate_app(seed, 60);
    ASSERT_TRUE(app);
    for (const KnownBug& bug : app->truth.bugs) lengths.insert(bug.events.size());
  }
  EXPECT_LE(*lengths.begin(), 2u);
  EXPECT_GE(*lengths.rbegin(), 10u);
  EXPECT_LE(*lengths.rbegin(), 16u);
}

TEST(Generate, SameSeedSameTextOtherSeedOtherText) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto one = generate_source(seed, 40), again = generate_source(seed, 40);
    ASSERT_TRUE(one && again);
    EXPECT_EQ(*one, *again);
    texts.insert(*one);
  }
  EXPECT_EQ(texts.size(), 30u);
}

TEST(Generate, TruthIsAboutTheSameText) {
  const auto app = generate_app(7, 80);
  ASSERT_TRUE(app);
  EXPECT_EQ(app->source, *generate_source(7, 80));
  for (const KnownBug& bug : app->truth.bugs)
    EXPECT_NE(app->source.find("bug(\"" + bug.id + "\")"), std::string::npos) << bug.id;
}

TEST(Generate, HasAboutAsManyScreensAsAsked) {
  for (const int screens : {10, 50, 300, 2000}) {
    const auto source = generate_source(3, screens);
    ASSERT_TRUE(source);
    int found = 0;
    for (const std::string_view what : {"\nactivity \"", "self:dialog {"}) {
      for (std::size_t at = source->find(what); at != source->npos; at = source->find(what, at + 1)) ++found;
    }
    EXPECT_GE(found, screens * 7 / 10);
    EXPECT_LE(found, screens * 16 / 10 + 10);
  }
}

TEST(Generate, TwoThousandScreensOpenQuickly) {
  const auto before = ComputingClock::now();
  auto on = open_with(generated(1, 2000));
  const std::chrono::duration<double> took = ComputingClock::now() - before;
  ASSERT_TRUE(on) << on.error().message();
  EXPECT_LT(took.count(), 2.0 * patience) << "opened twice: as a device and for its identity";
  EXPECT_GE(on->device->info().activities.size(), 1000u);
  EXPECT_TRUE(on->device->start(on->app, 1));
}

TEST(Generate, RefusesSizesItCannotMake) {
  for (const int screens : {-1, 0, 9, 2001}) EXPECT_FALSE(generate_source(1, screens)) << screens;
  EXPECT_FALSE(open_with("sim:generated?screens=5"));
  for (const char* many : {"screens=999999", "screens=4294967336"})
    EXPECT_EQ(open_with(std::string("sim:generated?") + many).error().where, many);
  for (const char* hidden : {"-0.1", "1.01", "much", "nan", ""})
    EXPECT_FALSE(open_with(fmt::format("sim:generated?hidden={}", hidden))) << hidden;
}

}  // namespace
}  // namespace norn::sim

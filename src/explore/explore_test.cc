#include "explore/explore.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "device/faulty.h"
#include "device/open.h"
#include "explore/avoid.h"
#include "explore/events.h"
#include "explore/monkey.h"
#include "explore/ranking.h"
#include "explore/texts.h"
#include "replay/fleet.h"
#include "replay/maze.h"

namespace norn {
namespace {

using testing::Maze;
using testing::MazeOptions;

std::unique_ptr<Replay> maze_service(const MazeOptions& maze, History& tree) {
  std::vector<std::unique_ptr<Device>> all;
  all.push_back(std::make_unique<Maze>(maze));
  return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), App{}, tree, FleetOptions{}));
}

std::unique_ptr<Replay> sim_service(const std::string& spec, History& tree, FaultPlan faults = {}) {
  auto opened = open_device(spec);
  EXPECT_TRUE(opened) << opened.error().message();
  std::vector<std::unique_ptr<Device>> all;
  const App app = opened->app;
  all.push_back(faults.chance.empty() ? std::move(opened->device)
                                      : faulty(std::move(opened->device), faults));
  return std::make_unique<Replay>(std::make_unique<Fleet>(std::move(all), app, tree, FleetOptions{}));
}

// ---- stuck ----

std::vector<StateId> states(const std::string& letters) {
  std::vector<StateId> out;
  for (const char c : letters) out.push_back({static_cast<std::uint64_t>(c)});
  return out;
}
/// Where the walk is first called stuck, or none.
std::optional<std::size_t> stuck_at(const std::string& walk, StuckOptions options = {}) {
  StateGraph graph;
  StuckDetector detector(options);
  std::optional<StateId> before;
  const auto all = states(walk);
  for (std::size_t i = 0; i < all.size(); ++i) {
    graph.visit(all[i], before);
    before = all[i];
    if (detector.report(all[i], graph)) return i;
  }
  return std::nullopt;
}

TEST(Stuck, LoopsAreSeenAndProgressIsNot) {
  EXPECT_EQ(stuck_at("ABABABABAB"), 9U);
  EXPECT_EQ(stuck_at("ABCDEFGHIJ"), std::nullopt);
  EXPECT_EQ(stuck_at("ABABABAB"), std::nullopt);    // the window is not full
  EXPECT_EQ(stuck_at("ABABABABXY"), 9U);            // 8 of 10 are easy
  EXPECT_EQ(stuck_at("ABABABAXYZ"), std::nullopt);  // 7 of 10
  EXPECT_EQ(stuck_at("ABABABABAB", {.rule = StuckOptions::Rule::never}), std::nullopt);
}

TEST(Stuck, TheReleasedRuleCountsDistinctStates) {
  const StuckOptions code{.rule = StuckOptions::Rule::code};
  EXPECT_EQ(stuck_at("ABABABABAB", code), 9U);
  EXPECT_EQ(stuck_at("ABABABABXY", code), std::nullopt);  // 2 of 4 distinct
}

TEST(Stuck, DeadEnd) {
  EXPECT_EQ(stuck_at(std::string(200, 'A')), std::nullopt);
  EXPECT_EQ(stuck_at(std::string(201, 'A')), 200U);
  EXPECT_EQ(stuck_at("B" + std::string(150, 'A') + "B" + std::string(150, 'A')), std::nullopt);
}

TEST(Stuck, FrequentStatesAreEasy) {
  StateGraph graph;
  StuckDetector detector;
  // Ten states of which two were visited very often: 20 % of ten.
  for (int i = 0; i < 50; ++i) graph.visit({1}, std::nullopt), graph.visit({2}, std::nullopt);
  for (std::uint64_t s = 3; s <= 10; ++s) graph.visit({s}, std::nullopt);
  EXPECT_TRUE(graph.among_most_visited({1}, 0.2));
  EXPECT_TRUE(graph.among_most_visited({2}, 0.2));
  EXPECT_FALSE(graph.among_most_visited({3}, 0.2));
}

// ---- fitness and neighbourhood ----

TEST(Fitness, FollowsTheFormulaAndNeverUnderflows) {
  StateGraph graph;
  for (int i = 0; i < 5; ++i) graph.visit({7}, std::nullopt);
  graph.interesting({7}, std::nullopt);
  graph.visit({8}, StateId{7});
  graph.interesting({8}, StateId{7});
  EXPECT_NEAR(std::exp(graph.log_fitness(0)), 6 * std::pow(1.1, 1) * std::pow(0.9, 4), 1e-9);
  for (int i = 0; i < 100'000; ++i) graph.visit({8}, std::nullopt);
  EXPECT_TRUE(std::isfinite(graph.log_fitness(1)));
  EXPECT_GT(graph.log_fitness(0), graph.log_fitness(1));
}

/// The other way: every walk, one by one.
void all_walks(const StateGraph& g, StateGraph::Index at, std::uint32_t left, double sum,
               const std::vector<double>& fitness, double& total, double& walks) {
  sum += fitness[at];
  if (left == 0 || g[at].next.empty()) {
    total += sum, walks += 1;
    return;
  }
  for (const auto t : g[at].next) all_walks(g, t, left - 1, sum, fitness, total, walks);
}

RC_GTEST_PROP(Fitness, NeighbourhoodEqualsBruteForce, ()) {
  StateGraph graph;
  const auto size = *rc::gen::inRange<std::uint64_t>(1, 7);
  for (std::uint64_t s = 0; s < size; ++s) graph.visit({s}, std::nullopt);
  const auto edges = *rc::gen::inRange(0, 20);
  for (int i = 0; i < edges; ++i) {
    const StateId from{*rc::gen::inRange<std::uint64_t>(0, size)},
        to{*rc::gen::inRange<std::uint64_t>(0, size)};
    graph.visit(to, from);
    if (*rc::gen::inRange(0, 3) == 0) graph.interesting(to, from);
  }
  std::vector<double> fitness;
  for (StateGraph::Index i = 0; i < graph.size(); ++i) fitness.push_back(graph.log_fitness(i));
  const double top = *std::max_element(fitness.begin(), fitness.end());
  for (double& f : fitness) f = std::exp(f - top);
  for (std::uint32_t k = 0; k <= 4; ++k) {
    const auto scores = graph.neighbourhood(k);
    for (StateGraph::Index i = 0; i < graph.size(); ++i) {
      double total = 0, walks = 0;
      all_walks(graph, i, k, 0, fitness, total, walks);
      RC_ASSERT(std::abs(scores[i] - total / walks) < 1e-9);
    }
  }
}

// ---- monkey ----

TEST(Monkey, TheMixIsTheStatedOne) {
  double sum = 0;
  for (const auto& share : monkey_mix) sum += share.percent;
  EXPECT_DOUBLE_EQ(sum, 100);
  MonkeyEvents monkey(3);
  std::map<MonkeyKind, int> seen;
  constexpr int draws = 200'000;
  for (int i = 0; i < draws; ++i) ++seen[monkey.draw(1080, 1920).kind];
  for (const auto& share : monkey_mix)
    EXPECT_NEAR(100.0 * seen[share.kind] / draws, share.percent, 0.4) << share.name;
}

TEST(Monkey, EventsAreWhatTheirKindSays) {
  MonkeyEvents monkey(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto [kind, event] = monkey.draw(100, 200);
    if (kind == MonkeyKind::touch) {
      const auto& tap = std::get<Tap>(event);
      EXPECT_TRUE(tap.target.empty());
      EXPECT_TRUE((Rect{0, 0, 100, 200}.contains(tap.at)));
    }
    if (kind == MonkeyKind::nav) {
      EXPECT_TRUE(std::get<Key>(event).code >= key::dpad_up && std::get<Key>(event).code <= key::dpad_right);
    }
    if (kind == MonkeyKind::motion) {
      EXPECT_TRUE(std::holds_alternative<Drag>(event));
    }
    if (kind == MonkeyKind::any_key) {
      EXPECT_NE(std::get<Key>(event).code, key::power);
    }
  }
}

TEST(Monkey, SystemEventsComeEverySixtyToNinetySeconds) {
  SystemEvents events(1, {"Main"});
  std::vector<double> times;
  for (double t = 0; t < 10'000; t += 0.5)
    if (events.due(t)) times.push_back(t);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GE(times[i] - times[i - 1], 60);
    EXPECT_LE(times[i] - times[i - 1], 91);
  }
  EXPECT_GT(times.size(), 100U);
}

// ---- events ----

Screen small_screen() {
  Screen s;
  s.package = "org.app", s.activity = "Main", s.width = 1000, s.height = 1000;
  const auto add = [&](std::string cls, std::string id, std::string text, Rect r,
                       std::initializer_list<Flag> flags) {
    Widget w;
    w.cls = std::move(cls), w.id = std::move(id), w.text = std::move(text), w.bounds = r;
    w.set(Flag::visible);
    for (const Flag f : flags) w.set(f);
    s.widgets.push_back(w);
  };
  add("android.widget.FrameLayout", "", "", {0, 0, 1000, 1000}, {Flag::enabled});
  add("android.widget.Button", "org.app:id/save", "Save", {0, 0, 100, 100}, {Flag::enabled, Flag::clickable});
  add("android.widget.Button", "org.app:id/gone", "Delete account", {0, 100, 100, 200},
      {Flag::enabled, Flag::clickable});
  add("android.widget.Button", "org.app:id/off", "Off", {0, 200, 100, 300}, {Flag::clickable});
  add("android.widget.EditText", "org.app:id/mail", "", {0, 300, 100, 400},
      {Flag::enabled, Flag::clickable, Flag::editable});
  add("android.widget.ListView", "org.app:id/list", "", {0, 400, 1000, 900},
      {Flag::enabled, Flag::scrollable});
  link_by_depth(s.widgets, {0, 1, 1, 1, 1, 1});
  return s;
}

TEST(Events, WhatAScreenOffers) {
  std::vector<std::string> seen;
  for (const auto& p : possible_events(small_screen())) seen.push_back(describe(p.event));
  const std::vector<std::string> wanted{"tap \"Save\"", "tap \"Delete account\""};
  for (const auto& w : wanted) EXPECT_EQ(std::count(seen.begin(), seen.end(), w), 1) << w;
  EXPECT_EQ(std::count(seen.begin(), seen.end(), "tap \"Off\""), 0);
  const auto kinds = [&](std::string_view kind) {
    const auto all = possible_events(small_screen());
    return std::count_if(all.begin(), all.end(),
                         [&](const Possible& p) { return kind_name(p.event) == kind; });
  };
  EXPECT_EQ(kinds("type"), 1);
  EXPECT_EQ(kinds("swipe"), 2);
  EXPECT_EQ(kinds("key"), 2);
  EXPECT_EQ(kinds("rotate"), 1);
}

TEST(Events, FieldsAreReadByTheirWords) { EXPECT_EQ(field_kind(small_screen(), 4), FieldKind::email); }

TEST(Avoid, ByTextIdAndPoint) {
  const auto avoid = Avoid::parse("delete|^org.app:id/save$");
  ASSERT_TRUE(avoid);
  const Screen s = small_screen();
  const auto all = possible_events(s);
  EXPECT_EQ(
      std::count_if(all.begin(), all.end(), [&](const Possible& p) { return avoid->touches(p.event, s); }),
      2);
  EXPECT_TRUE(avoid->touches(Tap{{}, {50, 150}}, s));
  EXPECT_FALSE(avoid->touches(Tap{{}, {50, 350}}, s));
  EXPECT_FALSE(Avoid::parse("("));
}

// ---- strategies ----

struct Summary {
  std::vector<std::uint64_t> crashes;
  std::size_t nodes, states, restores;
  std::uint64_t covered, events;
  double seconds;
  bool operator==(const Summary&) const = default;
};
Summary explore_maze(const std::string& strategy, std::uint64_t seed, double seconds = 400,
                     MazeOptions maze = {.seed = 6}) {
  History tree;
  auto replay = maze_service(maze, tree);
  ExploreOptions options;
  options.strategy = strategy, options.seed = seed, options.seconds = seconds;
  Quiet quiet;
  auto result = explore(*replay, options, quiet);
  EXPECT_TRUE(result) << (result ? "" : result.error().message());
  Summary out{{},
              tree.size(),
              result->graph.size(),
              result->restores.size(),
              result->covered.count(),
              result->events,
              result->seconds};
  for (const auto& c : result->crashes) {
    EXPECT_TRUE(c.confirmed());
    out.crashes.push_back(c.signature);
  }
  EXPECT_TRUE(std::all_of(result->restores.begin(), result->restores.end(),
                          [](const Restore& r) { return !r.why.empty(); }));
  return out;
}

class EveryStrategy : public ::testing::TestWithParam<std::string> {};
TEST_P(EveryStrategy, IsRepeatableBitForBitAndKeepsItsBudget) {
  const Summary a = explore_maze(GetParam(), 3), b = explore_maze(GetParam(), 3);
  EXPECT_EQ(a, b);
  EXPECT_GE(a.seconds, 399.99);
  EXPECT_LT(a.seconds, 430);
  EXPECT_GT(a.covered, 0U);
}
TEST_P(EveryStrategy, RunsOnTheSimulatedDevice) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 300;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GT(result->covered.count(), 20U);
  EXPECT_EQ(tree.agreement().disagreed, 0U);
  for (const auto& c : result->crashes) EXPECT_TRUE(c.confirmed());
}
/// Everything that can go wrong with a rig, often.
FaultPlan bad_rig() {
  FaultPlan faults;
  faults.chance = {{Fault::lost, 0.002},         {Fault::timeout, 0.002},       {Fault::failed_restore, 0.1},
                   {Fault::wrong_restore, 0.05}, {Fault::dropped_event, 0.002}, {Fault::garbled_dump, 0.002}};
  return faults;
}
TEST_P(EveryStrategy, UnderFaultsNoFalseCrash) {
  History tree;
  auto replay = sim_service("sim:tips?bugs=none", tree, bad_rig());
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 300;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_TRUE(result->crashes.empty());
  EXPECT_GT(replay->spent().unresolved, 0U) << "nothing failed: the test tests nothing";
}
TEST_P(EveryStrategy, UnderFaultsNoTraceIsLostAndCrashesHoldOnASoundRig) {
  History tree, sound_tree;
  auto replay = sim_service("sim:tips", tree, bad_rig());
  ExploreOptions options;
  options.strategy = GetParam(), options.seconds = 900;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_GE(result->seconds, 899.99) << (result->trouble ? result->trouble->message() : "");
  std::uint64_t steps = 0;
  for (std::uint32_t i = 1; i < tree.size(); ++i) steps += tree.counts(NodeId{i}).all();
  EXPECT_GE(steps, result->events);
  auto sound = sim_service("sim:tips", sound_tree);
  for (const FoundCrash& c : result->crashes) {
    if (!c.confirmed()) continue;
    const Request again{.events = sound->intern(tree.events_to(c.node)),
                        .watch = SameCrash{c.signature, Sameness::frames}};
    EXPECT_EQ(sound->ask(again).verdict, Verdict::yes);
  }
}
INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, ::testing::ValuesIn(strategy_names()), [](const auto& p) {
  std::string name = p.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(Explore, UntilCrashStopsAtTheFirst) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.until_crash = true, options.seconds = 3600;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->crashes.size(), 1U);
  EXPECT_EQ(result->crashes[0].reproduced, 3U);
  EXPECT_EQ(result->end, Exploration::End::crash);
  EXPECT_LT(result->seconds, 3600);
}

TEST(Explore, SeedTracesAreRunFirst) {
  const MazeOptions maze{.seed = 4, .crashes = false};
  History tree;
  auto replay = maze_service(maze, tree);
  const auto alphabet = Maze::alphabet(maze);
  ExploreOptions options;
  options.strategy = "monkey", options.events = 12;
  options.seed_traces = {{alphabet[1], alphabet[2], alphabet[3]}, {alphabet[2]}};
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->events, 12U);
  EXPECT_EQ(tree.event_key(tree.event_id(tree.path(NodeId{3})[0])), event_key(alphabet[1]));
}

TEST(Explore, TriageIsCalledOncePerCrashAndExploringGoesOn) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.seconds = 600;
  std::vector<std::uint64_t> called;
  options.triage = [&](const FoundCrash& c) { called.push_back(c.signature); };
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result);
  ASSERT_EQ(called.size(), result->crashes.size());
  EXPECT_GT(called.size(), 1U);
  EXPECT_GE(result->seconds, 599.99) << static_cast<int>(result->end)
                                     << (result->trouble ? result->trouble->message() : "");
}

TEST(Explore, TheGraphKnowsWhatLedFromStateToState) {
  History tree;
  auto replay = maze_service({.seed = 3}, tree);
  ExploreOptions options;
  options.seconds = 300;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result);
  const auto state_at = [&](NodeId node) { return abstract(tree.screen(node), options.state); };
  ASSERT_EQ(result->first_seen.size(), result->graph.size());
  for (StateGraph::Index i = 0; i < result->graph.size(); ++i)
    EXPECT_EQ(state_at(result->first_seen[i]), result->graph[i].id);
  ASSERT_EQ(result->transitions.size(), result->graph.transitions());
  for (const Transition& t : result->transitions) {
    EXPECT_EQ(state_at(t.by), result->graph[t.to].id);
    EXPECT_EQ(state_at(tree.parent(t.by)), result->graph[t.from].id);
  }
}

TEST(Explore, WithoutWaitingMostStepsAreNotLookedAt) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.strategy = "monkey", options.events = 400, options.pace_ms = 200, options.look_every = 25;
  options.confirm = 1;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result) << result.error().message();
  std::size_t unseen = 0, seen = 0;
  for (std::uint32_t i = 1; i < tree.size(); ++i)
    ++(tree.screen(NodeId{i}).kind == Screen::Kind::unseen ? unseen : seen);
  EXPECT_GE(unseen, 24 * seen / 2);  // confirming looks at every step
  EXPECT_GT(result->covered.count(), 20U) << "what is hit between looks is not lost";
  // 0.2 s an event and 0.45 more for a look; starts after crashes come on top.
  const double looks = 400.0 / 25, least = 400 * 0.2 + looks * 0.45;
  EXPECT_GE(result->seconds, least - 0.01);
  EXPECT_LE(result->seconds, least + 5.0 * static_cast<double>(replay->spent().restarts) + 60);
}

TEST(Explore, BadOptionsAreErrorsInWords) {
  History tree;
  auto replay = maze_service({}, tree);
  Quiet quiet;
  ExploreOptions options;
  options.strategy = "nron";
  auto result = explore(*replay, options, quiet);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message().find("norn"), std::string::npos);
  options = {};
  options.avoid = "(";
  EXPECT_FALSE(explore(*replay, options, quiet));
}

TEST(Explore, StoppedKeepsEverything) {
  History tree;
  auto replay = maze_service({.seed = 2}, tree);
  Quiet quiet;
  std::stop_source source;
  ExploreOptions options;
  options.triage = [&](const FoundCrash&) { source.request_stop(); };
  options.seconds = 10'000;
  const auto result = explore(*replay, options, quiet, source.get_token());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, Exploration::End::interrupted);
  EXPECT_EQ(result->crashes.size(), 1U);
  EXPECT_GT(tree.size(), 1U);
}

TEST(TimeMachine, ReturnsToSavedStatesAndSaysWhy) {
  History tree;
  auto replay = sim_service("sim:tips", tree);
  ExploreOptions options;
  options.strategy = "timemachine", options.seconds = 900, options.confirm = 0;
  Quiet quiet;
  const auto result = explore(*replay, options, quiet);
  ASSERT_TRUE(result);
  ASSERT_GT(result->restores.size(), 3U);
  for (const Restore& r : result->restores) {
    EXPECT_FALSE(r.clean);
    EXPECT_TRUE(r.why == "loop" || r.why == "dead end" || r.why == "crash") << r.why;
  }
  EXPECT_GE(replay->spent().snapshot_loads + 1, result->restores.size());
  EXPECT_EQ(replay->spent().restarts, 1U);
}

/// Rooms one behind the other, each with a small door on and a large trap back to the first: what TimeMachine is for.
TEST(TimeMachine, ComesFarWherePressingBlindlyFallsBack) {
  const auto covered = [](const std::string& strategy) {
    History tree;
    auto replay = sim_service("sim:" NORN_SOURCE_DIR "/tests/data/explore/ladder.lua", tree);
    ExploreOptions options;
    options.strategy = strategy, options.seconds = 7200, options.confirm = 0;
    Quiet quiet;
    const auto result = explore(*replay, options, quiet);
    EXPECT_TRUE(result) << result.error().message();
    return result ? result->covered.count() : 0;
  };
  const std::uint64_t travels = covered("timemachine");
  for (const char* other : {"monkey+system", "monkey+restart", "monkey+system+restart"})
    EXPECT_GE(travels, covered(other) + 3) << other;  // a room is a line
}

TEST(SwiftHand, RestartsLessThanRandomAndSeesAsMuch) {
  const MazeOptions maze{.seed = 6, .hidden = 1, .crashes = false};  // what is seen is all there is
  const Summary model = explore_maze("swifthand", 1, 400, maze),
                chance = explore_maze("random", 1, 400, maze);
  EXPECT_LT(model.restores, chance.restores);
  EXPECT_GE(model.covered, chance.covered);
}

TEST(Norn, SeesMoreThanMonkeyInAQuarterOfTheTime) {
  const Summary ours = explore_maze("norn", 1, 200), monkey = explore_maze("monkey", 1, 800);
  EXPECT_GT(ours.covered, monkey.covered);
}

// ---- ranking ----

TEST(Ranking, AgreesWithHandWork) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(a12(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 3}), 0.5);
  EXPECT_DOUBLE_EQ(a12(std::vector<double>{4, 5}, std::vector<double>{1, 2, 4}), 5.5 / 6);
  // scipy.stats.mannwhitneyu(range(1,11), range(6,16), method="asymptotic").pvalue
  std::vector<double> a, b;
  for (int i = 1; i <= 10; ++i) a.push_back(i), b.push_back(i + 5);
  EXPECT_NEAR(mann_whitney(a, b), 0.005, 0.003);
  // In blocks: one block is the plain test; a difference within every app shows however much the apps differ.
  EXPECT_DOUBLE_EQ(mann_whitney(std::vector<Block>{{a, b}}), mann_whitney(a, b));
  std::vector<Block> apps;
  std::vector<double> all_a, all_b;
  for (int app = 0; app < 10; ++app) {
    Block block;
    for (int i = 0; i < 5; ++i)
      block.a.push_back(100 * app + 2 * i + 3), block.b.push_back(100 * app + 2 * i);
    all_a.insert(all_a.end(), block.a.begin(), block.a.end());
    all_b.insert(all_b.end(), block.b.begin(), block.b.end());
    apps.push_back(std::move(block));
  }
  EXPECT_GT(mann_whitney(all_a, all_b), 0.5);
  // By hand, without ties: 10 blocks, each with the variance 5 * 5 * 11 / 12.
  EXPECT_NEAR(mann_whitney(apps),
              std::erfc((10 * (25 * a12(apps[0].a, apps[0].b) - 12.5) - 0.5) /
                        std::sqrt(10 * 25 * 11 / 12.0) / std::sqrt(2.0)),
              1e-12);
  const auto adjusted = holm({0.01, 0.04, 0.03});
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
}

}  // namespace
}  // namespace norn

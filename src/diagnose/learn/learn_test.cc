#include "diagnose/learn/learn.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "device/faulty.h"
#include "device/sim/generate_truth.h"
#include "diagnose/events.h"
#include "diagnose/learn/strange_trace.h"
#include "diagnose/learn/testing.h"
#include "diagnose/learn/variations.h"
#include "formats/jflap.h"
#include "formats/shared_data.h"

namespace norn {
namespace {

using testing::AutomatonDevice;
using testing::events_of_bug;
using testing::renamed;
using testing::scarlet;
using testing::Service;
using testing::service_on;
using testing::traces_of;

TEST(Learn, ThePapersExampleAsADevice) {
  const auto device = testing::one_way(scarlet());
  ASSERT_TRUE(device);
  EXPECT_TRUE(device->moves);
  Service on(std::make_unique<AutomatonDevice>(device->nfa), {});
  Quiet quiet;
  const auto learned = learn(*on.replay, traces_of(device->nfa), {}, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_TRUE(learned->complete) << learned->why;
  EXPECT_TRUE(learned->bug.check());
  EXPECT_FALSE(testing::difference(renamed(learned->bug), scarlet()));
  EXPECT_LE(learned->bug.nfa.states.size(), 7U);

  const auto valid = validate(*on.replay, learned->bug, {}, {}, quiet);
  ASSERT_TRUE(valid) << valid.error().message();
  EXPECT_EQ(valid->precision, (Ratio{valid->precision.all, valid->precision.all}));
  EXPECT_GE(valid->precision.all, 100U);
  EXPECT_TRUE(valid->w_method.whole());
  EXPECT_GE(valid->non_crashing.all, 100U);
}

TEST(Learn, RecordedAutomataAsDevices) {
  const auto folder = shared_data("jff/ddroid");
  if (!folder) GTEST_SKIP() << "no recordings";
  std::size_t count = 0;
  for (const auto& path : shared_files("jff/ddroid")) {
    if (path.extension() != ".jff") continue;
    const auto file = read_jflap(*read_file(path), path.string());
    ASSERT_TRUE(file);
    const auto device = testing::one_way(file->automaton);
    ASSERT_TRUE(device) << path;
    const auto traces = traces_of(device->nfa);
    if (traces.empty()) continue;
    Service on(std::make_unique<AutomatonDevice>(device->nfa), {});
    Quiet quiet;
    LearnOptions options;
    options.joins = 0;  // the traces have every label: there is nothing to look for
    const auto learned = learn(*on.replay, traces, options, quiet);
    ASSERT_TRUE(learned) << path << learned.error().message();
    const auto word = testing::difference(renamed(learned->bug), device->nfa);
    EXPECT_FALSE(word) << path << " differs on " << fmt::format("{}", fmt::join(*word, " "));
    EXPECT_TRUE(learned->complete) << path << learned->why;
    ++count;
  }
  EXPECT_GE(count, 35U);
}

TEST(Learn, EventsThatAreNotNeededGetNoLabel) {
  const Nfa nfa{{{"0", true, false}, {"1"}, {"x", false, true}}, {{0, 1, "1"}, {1, 1, "7"}, {1, 2, "2"}}, {}};
  const std::vector<std::vector<Event>> traces{
      {AutomatonDevice::event_of("1"), AutomatonDevice::event_of("7"), AutomatonDevice::event_of("2")}};
  Quiet quiet;
  LearnOptions options;
  options.joins = 0;
  for (const bool minimise : {false, true}) {
    Service on(std::make_unique<AutomatonDevice>(nfa), {});
    options.minimise = minimise;
    const auto learned = learn(*on.replay, traces, options, quiet);
    ASSERT_TRUE(learned) << learned.error().message();
    EXPECT_EQ(labels_of(learned->bug.nfa).size(), minimise ? 2U : 3U);
  }
}

TEST(LearnInput, MarksAreExamplesOfNothingWider) {
  const Target field{.cls = {}, .id = "app:id/query", .label = {}, .path = {}, .ordinal = {}};
  LearnInput query{"1", Type{field, {}, "["}};
  query.typed = Typed::containing;
  for (const char* text : {"(", "*", "milk"}) query.also.emplace_back(Type{field, {}, text});
  std::vector<LearnInput> all{query};
  widen_by_example(all, 0);
  EXPECT_EQ(all[0].typed, Typed::containing);
  all[0].also.emplace_back(Type{field, {}, "tea"});
  widen_by_example(all, 0);
  EXPECT_NE(all[0].typed, Typed::containing) << "two words are";
}

TEST(LearnInput, StandsForOthersOfItsKindOnly) {
  LearnInput number{
      "1", Type{Target{.cls = {}, .id = "app:id/n", .label = {}, .path = {}, .ordinal = {}}, {}, "7"}};
  EXPECT_TRUE(others_like(number).empty()) << "that very text";
  const auto texts = [&] {
    std::set<std::string> out;
    for (const Event& other : others_like(number)) out.insert(std::get<Type>(other).text);
    return out;
  };
  number.typed = Typed::whole;
  EXPECT_EQ(texts(), (std::set<std::string>{"0", "41", "100000"}));
  number.typed = Typed::same_class;
  EXPECT_EQ(texts(), (std::set<std::string>{"0", "41", "2.5", "100000"}));
  number.typed = Typed::containing;
  EXPECT_EQ(texts(), (std::set<std::string>{"a7b"}));
  number.typed = Typed::any;
  EXPECT_TRUE(texts().contains(""));
  std::get<Type>(number.event).text = "two", number.typed = Typed::not_whole;
  EXPECT_EQ(texts(), (std::set<std::string>{"2.5", "norn", "a b", "atwob"}));
  LearnInput row{"1", Tap{Target{.cls = {}, .id = "app:id/r", .label = "A", .path = {}, .ordinal = {}}, {}}};
  row.any_row = true;
  ASSERT_EQ(others_like(row).size(), 1U);
  EXPECT_EQ(target_of(others_like(row)[0])->ordinal, 1);
}

TEST(Learn, AWrongAutomatonIsNotPraised) {
  Service on(std::make_unique<AutomatonDevice>(scarlet()), {});
  Quiet quiet;
  auto learned = learn(*on.replay, traces_of(scarlet()), {}, quiet);
  ASSERT_TRUE(learned);
  BugAutomaton bug = learned->bug;
  // The loop at the second state now skips a step.
  for (auto& t : bug.nfa.transitions)
    if (t.from == 1 && t.to == 1) t.to = 2;
  const auto valid = validate(*on.replay, bug, {}, {}, quiet);
  ASSERT_TRUE(valid);
  EXPECT_LT(valid->precision.good, valid->precision.all);
  EXPECT_FALSE(valid->failures.empty());
}

TEST(Learn, FixesAreCheckedWayByWay) {
  Service broken(std::make_unique<AutomatonDevice>(scarlet()), {});
  Quiet quiet;
  const auto learned = learn(*broken.replay, traces_of(scarlet()), {}, quiet);
  ASSERT_TRUE(learned);
  const auto before = check_fix(*broken.replay, learned->bug, {}, quiet);
  ASSERT_TRUE(before);
  EXPECT_GT(before->ways, 10U);
  EXPECT_EQ(before->open.size(), before->ways);

  Nfa fixed = scarlet();
  for (auto& state : fixed.states) state.final = false;
  Service mended(std::make_unique<AutomatonDevice>(fixed), {});
  const auto after = check_fix(*mended.replay, learned->bug, {}, quiet);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->closed, before->ways);
  EXPECT_TRUE(after->open.empty());

  // Only the straight way is closed: after a second notebook it still crashes.
  Nfa half{{{"0", true, false},
            {"1"},
            {"2"},
            {"3"},
            {"4"},
            {"ok"},
            {"1b"},
            {"2b"},
            {"3b"},
            {"4b"},
            {"x", false, true}},
           {{0, 1, "1"},
            {1, 2, "2"},
            {2, 3, "3"},
            {3, 4, "4"},
            {4, 5, "5"},
            {1, 6, "1"},
            {6, 7, "2"},
            {7, 8, "3"},
            {8, 9, "4"},
            {9, 10, "5"}},
           {}};
  Service partly(std::make_unique<AutomatonDevice>(half), {});
  const auto open = check_fix(*partly.replay, learned->bug, {}, quiet);
  ASSERT_TRUE(open);
  ASSERT_FALSE(open->open.empty());
  EXPECT_EQ(open->open.front().word, (std::vector<std::string>{"1", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(open->closed + open->open.size(), open->ways);
}

// Where a list has one row, another row is that row again: nothing is run and nothing counted for it.
TEST(Learn, AnotherRowThatIsTheSameIsNotTried) {
  const Nfa two{{{"0", true, false}, {"1"}, {"x", false, true}}, {{0, 1, "1"}, {1, 2, "2"}}, {}};
  Service broken(std::make_unique<AutomatonDevice>(two), {});
  Quiet quiet;
  const auto learned = learn(*broken.replay, traces_of(two), {.joins = 0}, quiet);
  ASSERT_TRUE(learned);
  for (const LearnInput& input : learned->bug.inputs)
    EXPECT_TRUE(input.is_move() || !others_like(input).empty()) << "else this shows nothing";
  Service again(std::make_unique<AutomatonDevice>(two), {});
  const auto check = check_fix(*again.replay, learned->bug, {}, quiet);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->with_others, 0U);
  EXPECT_EQ(check->ways, check->open.size());
}

TEST(Learn, ScarletNotesOnTheNotesApp) {
  const auto on = service_on("sim:notes");
  const std::vector<std::vector<Event>> traces{events_of_bug("notes", "locked_leave")};
  ASSERT_FALSE(traces[0].empty());
  Quiet quiet;
  const auto learned = learn(*on->replay, traces, {}, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_TRUE(learned->complete) << learned->why;
  const auto valid =
      validate(*on->replay, learned->bug, {}, {.crashing = 40, .harmless = 40, .w_tests = 40}, quiet);
  ASSERT_TRUE(valid) << valid.error().message();
  EXPECT_TRUE(valid->precision.whole()) << fmt::format("{}", fmt::join(valid->failures, "\n"));
  EXPECT_TRUE(valid->w_method.whole()) << fmt::format("{}", fmt::join(valid->failures, "\n"));

  const auto patched = service_on("sim:notes?bugs=none");
  const auto fix = check_fix(*patched->replay, learned->bug, {.ways = 40}, quiet);
  ASSERT_TRUE(fix) << fix.error().message();
  EXPECT_EQ(fix->closed, fix->ways);
  const auto still = check_fix(*on->replay, learned->bug, {.ways = 40}, quiet);
  EXPECT_EQ(still->open.size(), still->ways);
}

TEST(Learn, RefusesWhatDoesNotCrash) {
  const auto on = service_on("sim:notes?bugs=none");
  Quiet quiet;
  const std::vector<std::vector<Event>> traces{events_of_bug("notes", "locked_leave")};
  const auto refused = learn(*on->replay, traces, {}, quiet);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("did not crash in 20 runs"), std::string::npos) << refused.error().what;
  EXPECT_FALSE(learn(*on->replay, {}, {}, quiet));
}

// One request in three fails, and only then does it crash: a single run says nothing.
TEST(Learn, ARareCrashIsLearnedWithMoreRuns) {
  const auto on = service_on("sim:mail?flaky=0.3");
  ASSERT_TRUE(on);
  Quiet quiet;
  LearnOptions options;
  options.joins = 0, options.tests = 10, options.w_tests = 0;
  const auto learned = learn(*on->replay, {{events_of_bug("mail", "sync_failed")}}, options, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_GT(learned->bug.nfa.states.size(), 1U) << "the crash is in it";
}

TEST(Learn, ABudgetGivesAPartialAutomaton) {
  auto opened = open_device("sim:notes");
  ASSERT_TRUE(opened);
  FleetOptions options;
  options.budget = 60;
  Service on(std::move(opened->device), opened->app, options);
  Quiet quiet;
  const std::vector<std::vector<Event>> traces{events_of_bug("notes", "locked_leave")};
  const auto learned = learn(*on.replay, traces, {}, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_FALSE(learned->complete);
  EXPECT_FALSE(learned->why.empty());
  EXPECT_GE(learned->bug.nfa.states.size(), 2U);
}

std::vector<std::string> said_labels(const Learned& learned) {
  std::vector<std::string> out;
  for (const LearnInput& input : learned.bug.inputs)
    if (!input.is_move()) out.push_back(describe(input));
  return out;
}

TEST(Learn, LabelsAreAsWideAsReplaysAllow) {
  Quiet quiet;
  LearnOptions options;
  options.joins = 0, options.tests = 20, options.w_tests = 500;
  const auto tips = service_on("sim:tips");
  const auto lowered = learn(*tips->replay, {{events_of_bug("tips", "nobody_pays")}}, options, quiet);
  ASSERT_TRUE(lowered) << lowered.error().message();
  ASSERT_EQ(said_labels(*lowered).size(), 3U);
  EXPECT_NE(said_labels(*lowered)[0].find("any number"), std::string::npos) << said_labels(*lowered)[0];

  const auto notes = service_on("sim:notes");
  const auto search = learn(*notes->replay, {{events_of_bug("notes", "search_pattern")}}, options, quiet);
  ASSERT_TRUE(search) << search.error().message();
  const LearnInput& query = search->bug.inputs[1];
  EXPECT_EQ(query.typed, Typed::containing);
  EXPECT_EQ(std::get<Type>(query.event).text, "[");
  EXPECT_EQ(query.inside, "%") << "in any text";
  Type typed = std::get<Type>(query.event);
  Screen screen;
  screen.activity = query.activity;
  typed.text = "a[b";
  EXPECT_TRUE(is_input(query, typed, screen));
  typed.text = "a%b";
  EXPECT_TRUE(is_input(query, typed, screen));
  typed.text = "(";
  EXPECT_TRUE(is_input(query, typed, screen)) << "that very text";
  typed.text = "(a)";
  EXPECT_FALSE(is_input(query, typed, screen)) << "a pattern as good as any";
  typed.text = "milk";
  EXPECT_FALSE(is_input(query, typed, screen));

  // A search that finds something: any name the app shows does, so any text may.
  const auto files = service_on("sim:files");
  const auto stale = learn(*files->replay, {{events_of_bug("files", "stale_result")}}, options, quiet);
  ASSERT_TRUE(stale) << stale.error().message();
  EXPECT_EQ(stale->bug.inputs[1].typed, Typed::filled);

  // Where a whole number is wanted, a fraction is as wrong as a word.
  const auto app = sim::generate_app(9505, 12);
  ASSERT_TRUE(app) << app.error().message();
  const auto amount = std::ranges::find(app->truth.bugs, "crew2_bad_number", &sim::KnownBug::id);
  ASSERT_NE(amount, app->truth.bugs.end());
  const auto crew = service_on("sim:generated?seed=9505&screens=12");
  const auto wrong = learn(*crew->replay, {{amount->events}}, options, quiet);
  ASSERT_TRUE(wrong) << wrong.error().message();
  EXPECT_TRUE(std::ranges::any_of(wrong->bug.inputs,
                                  [](const LearnInput& input) { return input.typed == Typed::not_whole; }));

  // The two weights of the trace are one label; a row is a row, but which one is performed matters.
  const auto weight = service_on("sim:weight");
  const auto deleted =
      learn(*weight->replay, {{events_of_bug("weight", "deleted_previous")}}, options, quiet);
  ASSERT_TRUE(deleted) << deleted.error().message();
  std::set<std::string> labels;
  for (const LearnInput& input : deleted->bug.inputs)
    if (!input.is_move()) labels.insert(input.label);
  EXPECT_EQ(labels.size(), 6U);
  const LearnInput& row = deleted->bug.inputs[3];
  EXPECT_TRUE(row.any_row);
  EXPECT_FALSE(row.unlike.empty());
  EXPECT_EQ(target_of(row.event)->label, "80.0 kg");
}

// Two large numbers that crash say nothing about small ones.
TEST(Learn, NumbersMayCountFromSomeOneOn) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("norn-num-{}.lua", ::getpid());
  ASSERT_TRUE(write_file(path, R"(app { package = "org.norn.num", title = "Num", main = "Main", bugs = {} }
activity "Main" { view = function(self) return column { field { id = "amount", hint = "Amount" },
  button { "Calc", id = "calc", on_click = function()
    local n = tonumber(self:text("amount")); if n and n > 5 then throw("java.lang.Error", "calc") end end } } end })"));
  const auto on = service_on("sim:" + path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(on);
  const auto by = [&](const char* id) {
    return Target{.cls = {}, .id = on->package + ":id/" + id, .label = {}, .path = {}, .ordinal = {}};
  };
  Quiet quiet;
  LearnOptions options;
  options.joins = 0;
  const auto learned =
      learn(*on->replay, {{{Type{by("amount"), {}, "80"}, Tap{by("calc"), {}}}}}, options, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_EQ(learned->bug.inputs[0].least, 6U);
  EXPECT_NE(describe(learned->bug.inputs[0]).find("any number from 6 on"), std::string::npos)
      << describe(learned->bug.inputs[0]);
}

// What the system does makes a page anew as turning does; where it crashes as well, it is the same event.
TEST(Learn, ATurnMayBeAnyOtherWayToMakeAPageAnew) {
  Quiet quiet;
  LearnOptions options;
  options.joins = 0, options.tests = 0, options.w_tests = 0;
  const auto dice = service_on("sim:dice");
  const auto learned = learn(*dice->replay, {{events_of_bug("dice", "lost_history")}}, options, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  const auto turn = std::ranges::find_if(learned->bug.inputs, [](const LearnInput& input) {
    return std::holds_alternative<Rotate>(input.event) && !input.is_move();
  });
  ASSERT_NE(turn, learned->bug.inputs.end());
  EXPECT_EQ(turn->also.size(), remaking_signals.size());
}

// A button drawn on a canvas is touched anywhere on it; what lies beside it does something else.
TEST(Learn, APointOnACanvasHasAnArea) {
  const auto on = service_on("sim:dice");
  LearnOptions bare;
  bare.joins = 0, bare.tests = 0, bare.w_tests = 0, bare.words = 200;
  Quiet quiet;
  const std::vector<std::vector<Event>> trace{events_of_bug("dice", "lost_history")};
  const auto learned = learn(*on->replay, trace, bare, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  const auto roll = std::ranges::find_if(learned->bug.inputs, [](const LearnInput& i) {
    return !i.is_move() && std::holds_alternative<Tap>(i.event) && target_of(i.event)->empty();
  });
  ASSERT_NE(roll, learned->bug.inputs.end());
  const Point own = std::get<Tap>(roll->event).at;
  EXPECT_TRUE(roll->area.contains(own));
  EXPECT_GT(roll->area.right - roll->area.left, 20);
  // The device says the same of the corners' neighbours, one by one.
  for (const Point there : {Point{roll->area.left, own.y}, Point{own.x, roll->area.bottom - 1}}) {
    std::vector<Event> events = trace[0];
    for (Event& event : events)
      if (auto* tap = std::get_if<Tap>(&event); tap != nullptr && tap->target.empty() && tap->at == own)
        tap->at = there;
    const auto outcome = on->replay->ask({.events = on->replay->intern(events), .watch = AnyCrash{}});
    EXPECT_EQ(outcome.verdict, Verdict::yes);
  }
}

// The end marker is dragged before the start marker, wherever exactly each of them is let go.
TEST(Learn, ADragHasAnAreaWhereItEnds) {
  const auto on = service_on("sim:ringtone");
  LearnOptions bare;
  bare.joins = 0, bare.tests = 0, bare.w_tests = 0, bare.words = 200;
  Quiet quiet;
  const std::vector<std::vector<Event>> trace{events_of_bug("ringtone", "crossed_markers")};
  const auto learned = learn(*on->replay, trace, bare, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  std::size_t drags = 0;
  for (const LearnInput& input : learned->bug.inputs) {
    const auto* own = std::get_if<Drag>(&input.event);
    if (own == nullptr) continue;
    ++drags;
    EXPECT_TRUE(input.area.contains(own->from));
    EXPECT_TRUE(input.ends_in.contains(own->to));
    EXPECT_GT(input.ends_in.right - input.ends_in.left, 20);
    for (const std::int32_t x : {input.ends_in.left, input.ends_in.right - 1}) {
      std::vector<Event> events = trace[0];
      for (Event& event : events)
        if (event == Event(*own)) std::get<Drag>(event).to.x = x;
      const auto outcome = on->replay->ask({.events = on->replay->intern(events), .watch = AnyCrash{}});
      EXPECT_EQ(outcome.verdict, Verdict::yes) << x;
    }
  }
  EXPECT_EQ(drags, 2U);
}

// The canvas is one widget: which die was touched only the point says.
TEST(Learn, ARunOnACanvasIsShortenedByItsPoints) {
  const auto on = service_on("sim:dice");
  std::vector<Event> events = events_of_bug("dice", "all_held");
  ASSERT_TRUE(
      std::ranges::any_of(events, [](const Event& e) { return target_of(e) && target_of(e)->empty(); }));
  events.insert(events.begin(), Event(Rotate{1}));  // not needed
  events.insert(events.begin() + 1, Event(Rotate{0}));
  const Outcome run = on->replay->ask({.events = on->replay->intern(events), .watch = AnyCrash{}});
  ASSERT_EQ(run.verdict, Verdict::yes);
  const auto shorter = shorten_strange(*on->replay, run.end, [](NodeId) { return true; }, 1e6);
  ASSERT_TRUE(shorter && *shorter);
  EXPECT_LE(on->tree.depth(**shorter), events.size() - 2);
}

TEST(Learn, OtherWaysAreFoundAndJoined) {
  Quiet quiet;
  const std::vector<std::vector<Event>> trace{events_of_bug("tips", "cleared_average")};
  LearnOptions alone;
  alone.joins = 0;
  const auto narrow = service_on("sim:tips"), wide = service_on("sim:tips"), other = service_on("sim:tips");
  const auto before = learn(*narrow->replay, trace, alone, quiet),
             after = learn(*wide->replay, trace, {}, quiet);
  ASSERT_TRUE(before && after);
  EXPECT_TRUE(after->complete) << after->why;
  EXPECT_GT(after->joined, 0U);
  EXPECT_GT(after->known.all, 0U);
  EXPECT_GE(after->known_read.good, after->known.good);
  std::size_t reasons = 0;
  for (const auto& [reason, count] : after->rejected_because) reasons += count;
  EXPECT_EQ(reasons, after->known.all - after->known.good) << "each has one";
  // What the trace alone tells is what is learned from it alone.
  ASSERT_TRUE(after->given);
  EXPECT_TRUE(after->given->complete);
  EXPECT_EQ(after->given->bug.nfa.transitions, before->bug.nfa.transitions);
  EXPECT_FALSE(before->given);

  // Judged on runs that neither has seen.
  ASSERT_TRUE(wander(*other->replay, after->bug.inputs, {.seconds = 3600, .length = 25, .seed = 23}));
  std::vector<Trace> crashing;
  for (std::uint32_t n = 1; n < other->tree.size(); ++n)
    if (const Crash* crash = other->tree.crash(NodeId{n}); crash && has_signature(*crash, after->bug.crash))
      crashing.push_back(other->tree.trace(NodeId{n}));
  ASSERT_FALSE(crashing.empty());
  const ValidateOptions few{.crashing = 30, .harmless = 30, .w_tests = 30};
  const auto poor = validate(*narrow->replay, before->bug, crashing, few, quiet);
  const auto good = validate(*wide->replay, after->bug, crashing, few, quiet);
  ASSERT_TRUE(poor && good);
  const auto share = [](const Ratio& r) { return static_cast<double>(r.good) / static_cast<double>(r.all); };
  EXPECT_GT(share(good->completeness), share(poor->completeness));
  EXPECT_GE(good->completeness_read.good, good->completeness.good) << "screens take nothing away";
  EXPECT_GT(poor->completeness_read.good, poor->completeness.good) << "a page is known however it is reached";
  EXPECT_EQ(good->precision.good, good->precision.all);
}

// A link or a notification starts a page by its name: that is a way in like another.
TEST(Learn, PagesMayBeStartedByTheirNames) {
  Quiet quiet;
  const auto on = service_on("sim:notes"), other = service_on("sim:notes");
  LearnOptions options;
  options.looks = 0;
  const std::vector<std::vector<Event>> trace{events_of_bug("notes", "search_pattern")};
  const auto learned = learn(*on->replay, trace, options, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_TRUE(learned->complete) << learned->why;
  std::vector<Event> events{Launch{"org.norn.notes", "Search"}};
  for (const Event& event : trace[0])
    if (std::holds_alternative<Type>(event)) events.push_back(event);
  const Outcome started = other->replay->ask({.events = other->replay->intern(events), .watch = AnyCrash{}});
  ASSERT_EQ(started.verdict, Verdict::yes);
  const std::vector<Trace> crashing{other->tree.trace(started.end)};
  const auto valid = validate(*on->replay, learned->bug, crashing, {.crashing = 20, .harmless = 20}, quiet);
  ASSERT_TRUE(valid);
  EXPECT_EQ(valid->completeness, (Ratio{1, 1})) << "by its labels, without screens";
}

TEST(Learn, WhatIsLeftOutHasAReason) {
  Quiet quiet;
  const auto on = service_on("sim:tips");
  LearnOptions one;
  one.looks = 1, one.w_tests = 0, one.wander_seconds = 900;
  const auto learned =
      learn(*on->replay, std::vector<std::vector<Event>>{events_of_bug("tips", "nobody_pays")}, one, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  EXPECT_LT(learned->known.good, learned->known.all);
  EXPECT_FALSE(learned->rejected_because.contains(""));
  std::size_t reasons = 0;
  for (const auto& [reason, count] : learned->rejected_because) reasons += count;
  EXPECT_EQ(reasons, learned->known.all - learned->known.good);
}

TEST(Learn, AFailingRigIsNoAnswer) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    FaultPlan plan;
    plan.seed = seed;
    plan.chance = {{Fault::lost, 0.002}, {Fault::timeout, 0.002}, {Fault::failed_restore, 0.05}};
    Service on(faulty(std::make_unique<AutomatonDevice>(scarlet()), plan), {});
    Quiet quiet;
    LearnOptions options;
    options.joins = 0;
    const auto learned = learn(*on.replay, traces_of(scarlet()), options, quiet);
    if (!learned) {
      EXPECT_FALSE(learned.error().message().empty());
      continue;
    }
    if (learned->complete)
      EXPECT_FALSE(testing::difference(renamed(learned->bug), scarlet())) << "seed " << seed;
    else
      EXPECT_FALSE(learned->why.empty()) << "seed " << seed;
  }
}

// What the traces gave is not lost with the device.
TEST(Learn, ARigThatIsLostLeavesWhatWasLearned) {
  Service on(std::make_unique<AutomatonDevice>(scarlet()), {});
  Quiet quiet;
  LearnOptions options;
  options.wander_seconds = 60;
  options.look = [](Replay&, std::uint64_t, double, std::stop_token) -> Status {
    return fail(Error::Kind::device, "unplugged");
  };
  const auto learned = learn(*on.replay, traces_of(scarlet()), options, quiet);
  ASSERT_TRUE(learned) << learned.error().message();
  ASSERT_TRUE(learned->trouble && learned->given);
  EXPECT_EQ(learned->trouble->what, "unplugged");
  EXPECT_FALSE(learned->complete);
  EXPECT_NE(learned->why.find("unplugged"), std::string::npos);
  EXPECT_TRUE(learned->given->complete) << learned->given->why;
  EXPECT_EQ(learned->bug.nfa.transitions, learned->given->bug.nfa.transitions);
}

TEST(Learn, AnAppThatDoesNotAlwaysDoTheSame) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    FaultPlan plan;  // a dropped event is not noticed: the run simply goes another way
    plan.seed = seed;
    plan.chance = {{Fault::dropped_event, 0.01}};
    Service on(faulty(std::make_unique<AutomatonDevice>(scarlet()), plan), {});
    Quiet quiet;
    LearnOptions options;
    options.joins = 0;
    const auto learned = learn(*on.replay, traces_of(scarlet()), options, quiet);
    if (!learned) continue;
    const bool right = !testing::difference(renamed(learned->bug), scarlet());
    EXPECT_TRUE(right || !learned->complete) << "seed " << seed << ": wrong, and believed";
  }
}

}  // namespace
}  // namespace norn

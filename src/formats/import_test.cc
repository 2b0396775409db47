#include "formats/import.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <stop_token>

#include "base/file.h"
#include "base/patience.h"
#include "base/rng.h"
#include "formats/droidbot_run.h"
#include "formats/natural_order.h"
#include "formats/shared_data.h"
#include "formats/trace_json.h"

namespace norn {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for a test, removed afterwards.
class ImportFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / ("norn_import_" + std::to_string(::getpid()));
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  void put(const std::string& name, std::string_view content) {
    fs::create_directories((dir_ / name).parent_path());
    ASSERT_TRUE(write_file(dir_ / name, content));
  }
  Imported import_all() {
    auto result = import_path(dir_);
    EXPECT_TRUE(result);
    return result ? *std::move(result) : Imported{};
  }
  fs::path dir_;
};

constexpr std::string_view small_dump =
    R"(<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="T" resource-id="" class="android.widget.TextView" package="org.app" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][10,10]" /></hierarchy>)";

TEST_F(ImportFolder, RecognisesByContent) {
  put("a.bin", write_trace({"me", std::nullopt, {{Key{4}, {}}}}));
  put("b", "start data >>\nTap(1,2,0)\n");
  put("c.json", ":Monkey: seed=1 count=2\n:Sending Key (ACTION_DOWN): 4\n");
  put("d", "FATAL EXCEPTION: main\njava.lang.Error: x\n\tat org.app.A.f(A.java:1)\n");
  put("readme.txt", "hello");
  put("empty", "");
  put("x/y/bug.jff", "<?xml version=\"1.0\"?><structure><type>fa</type><automaton></automaton></structure>");
  const Imported all = import_all();
  std::map<std::string, std::string> formats;
  for (const Taken& t : all.taken) formats[fs::path(t.file).filename().string()] = t.format;
  const std::map<std::string, std::string> wanted{
      {"a.bin", "norn"}, {"b", "monkey"}, {"c.json", "monkey-log"}, {"d", "logcat"}};
  EXPECT_EQ(formats, wanted);
  EXPECT_EQ(all.skipped.size(), 3U);
  for (const NotTaken& s : all.skipped) EXPECT_FALSE(s.why.empty());
}

TEST_F(ImportFolder, DumpsAreOneTraceInNaturalOrder) {
  for (const int i : {10, 2, 1}) {
    std::string text(small_dump);
    text.replace(text.find("\"T\""), 3, "\"" + std::to_string(i) + "\"");
    put("dump" + std::to_string(i) + ".xml", text);
  }
  put("dump3.xml", "ERROR: could not get idle state.");
  const Imported all = import_all();
  ASSERT_EQ(all.taken.size(), 1U);
  const Trace& trace = all.taken[0].trace;
  ASSERT_TRUE(trace.start);
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.start->screen.widgets.at(0).text, "1");
  EXPECT_EQ(trace.steps[0].seen.screen.widgets.at(0).text, "2");
  EXPECT_EQ(trace.steps[1].seen.screen.widgets.at(0).text, "10");
  EXPECT_EQ(trace.steps[1].event, Event(Raw{"dumps", "dump10.xml"}));
  EXPECT_EQ(all.skipped.size(), 1U);
  const auto single = import_path(dir_ / "dump2.xml");
  ASSERT_TRUE(single);
  ASSERT_EQ(single->taken.size(), 1U);
  EXPECT_EQ(single->taken[0].trace.start->screen.widgets.at(0).text, "2");
}

TEST_F(ImportFolder, WhatIsNoFileIsNamedAndNotWaitedFor) {
  put("crash.log", "FATAL EXCEPTION: main\njava.lang.Error: x\n\tat org.app.A.f(A.java:1)\n");
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  fs::create_symlink("nowhere", dir_ / "dangling");
  fs::create_directory_symlink("..", dir_ / "up");
  fs::create_symlink("crash.log", dir_ / "linked.log");
  const Imported all = import_all();
  EXPECT_EQ(all.taken.size(), 2U) << "a link to a file is that file";
  std::map<std::string, std::string> why;
  for (const NotTaken& one : all.skipped) why[fs::path(one.file).filename()] = one.why;
  const std::map<std::string, std::string> wanted{
      {"pipe", "a pipe: keep what comes out of it in a file first"},
      {"dangling", "a link to nothing"},
      {"up", "a link to a folder: it is not followed"}};
  EXPECT_EQ(why, wanted);
  const auto alone = import_path(dir_ / "pipe");
  ASSERT_TRUE(alone);
  ASSERT_EQ(alone->skipped.size(), 1U);
  EXPECT_EQ(alone->skipped[0].why, wanted.at("pipe"));
}

TEST_F(ImportFolder, APipeInADroidbotRunIsNotWaitedFor) {
  put("events/event_1.json", R"({"event":{"event_type":"key","name":"BACK"}})");
  for (const char* name : {"events/event_2.json", "utg.js", "logcat.txt"})
    ASSERT_EQ(::mkfifo((dir_ / name).c_str(), 0600), 0);
  const Imported all = import_all();
  ASSERT_EQ(all.taken.size(), 1U);
  EXPECT_EQ(all.taken[0].trace.steps.size(), 1U);
}

TEST_F(ImportFolder, AskedToStopItTakesNothingInPart) {
  put("a.jsonl", write_trace({"me", std::nullopt, {{Key{4}, {}}}}));
  put("dump1.xml", small_dump);
  put("run/events/event_1.json", R"({"event":{"event_type":"key","name":"BACK"}})");
  std::stop_source stop;
  EXPECT_EQ(import_path(dir_, "auto", stop.get_token())->taken.size(), 3U);
  stop.request_stop();
  EXPECT_TRUE(import_path(dir_, "auto", stop.get_token())->taken.empty());
  const auto run = import_path(dir_ / "run", "droidbot", stop.get_token());
  ASSERT_TRUE(run);
  EXPECT_TRUE(run->taken.empty());
}

TEST_F(ImportFolder, WhatLiesBesideAStoreIsPassedOver) {
  put("norn.db", std::string(database_mark));
  for (const std::string ending : {"-lock", "-wal", "-shm", "-answers"})
    put("norn.db" + ending, "4711 explore");
  put("front-door-lock", "no store is called front-door");
  const Imported all = import_all();
  EXPECT_TRUE(all.taken.empty());
  ASSERT_EQ(all.skipped.size(), 2U);
  EXPECT_TRUE(all.skipped[0].file.ends_with("front-door-lock")) << all.skipped[0].file;
  EXPECT_EQ(all.skipped[1].why, "a database: open it with --store");
}

TEST_F(ImportFolder, GeteventIsCalledByItsName) {
  put("a.txt", "[   100.500] /dev/input/event1: EV_ABS       ABS_MT_POSITION_X    000001f4\n");
  put("b.txt", "/dev/input/event1: 0003 0035 000001f4\n");
  put("c.txt", "add device 1: /dev/input/event1\n  name:     \"touch\"\n");
  put("d.txt", "[100, 200]\n");
  const Imported all = import_all();
  ASSERT_EQ(all.skipped.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(all.skipped[i].why.starts_with("getevent output")) << all.skipped[i].why;
  EXPECT_EQ(all.skipped[3].why, "JSON of a kind that norn does not know");
}

TEST_F(ImportFolder, AFileWithoutEventsIsNotTaken) {
  put("empty.jsonl", write_trace(Trace{}));
  const Imported all = import_all();
  EXPECT_TRUE(all.taken.empty());
  ASSERT_EQ(all.skipped.size(), 1U);
  EXPECT_EQ(all.skipped[0].why, "holds no events and no crash");
}

TEST_F(ImportFolder, ADroidbotRunWithHoles) {
  const std::string state =
      R"({"tag":"1","state_str":"s1","foreground_activity":"org.app/.Main","views":[{"class":"android.widget.Button","resource_id":"org.app:id/save","text":"Save","bounds":[[0,0],[100,50]],"parent":-1,"children":[],"enabled":true,"clickable":true,"visible":true,"package":"org.app"}]})";
  put("states/state_1.json", state);
  put("events/event_2020-01-01_100000.json",
      R"({"tag":"2020-01-01_100000","event":{"event_type":"intent","intent":"am start org.app/.Main"},"start_state":"s0","stop_state":"s1"})");
  put("events/event_2020-01-01_100002.json",
      R"({"tag":"2020-01-01_100002","event":{"event_type":"touch","x":null,"y":null,"view":{"class":"android.widget.Button","resource_id":"org.app:id/save","text":"Save","bounds":[[0,0],[100,50]]}},"start_state":"s1","stop_state":"s9"})");
  put("events/event_2020-01-01_100003.json", "");
  put("events/event_2020-01-01_100004.json",
      R"({"event":{"event_type":null},"start_state":"s1","stop_state":"s1"})");
  ASSERT_TRUE(is_droidbot_run(dir_));
  const auto run = read_droidbot_run(dir_);
  ASSERT_TRUE(run);
  ASSERT_EQ(run->trace.steps.size(), 3U);
  EXPECT_EQ(run->missing_states, 2U);
  EXPECT_EQ(run->unreadable, 1U);
  EXPECT_EQ(run->package, "org.app");
  EXPECT_EQ(run->trace.steps[0].event, Event(Launch{"org.app", "org.app.Main"}));
  const auto* tap = std::get_if<Tap>(&run->trace.steps[1].event);
  ASSERT_NE(tap, nullptr);
  EXPECT_EQ(tap->target.id, "org.app:id/save");
  EXPECT_EQ(tap->at, (Point{50, 25}));
  EXPECT_EQ(run->trace.steps[1].seen.at, 2.0);
  EXPECT_EQ(run->trace.steps[1].seen.screen.kind, Screen::Kind::unseen);
  EXPECT_TRUE(std::holds_alternative<Raw>(run->trace.steps[2].event));
  EXPECT_EQ(import_all().taken.size(), 1U);
}

TEST_F(ImportFolder, DeepJsonOfADroidbotRunIsNamedAndRefused) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  put("events/event_1.json", R"({"event":{"event_type":"key","name":"BACK"}})");
  put("events/event_2.json", R"({"event":{"event_type":"touch","view":)" + deep + "}}");
  put("states/state_1.json", R"({"views":[{"x":)" + deep + "}]}");
  const Imported all = import_all();
  ASSERT_EQ(all.taken.size(), 1U);
  EXPECT_EQ(all.taken[0].trace.steps.size(), 1U);
  const auto& notes = all.taken[0].notes;
  EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& note) {
    return note.starts_with("2 files that cannot be read, the first: state_1.json: ") &&
           note.find("nested too deeply") != note.npos;
  })) << ::testing::PrintToString(notes);
  std::filesystem::remove(dir_ / "events/event_1.json");
  std::filesystem::remove_all(dir_ / "states");
  const Imported none = import_all();
  ASSERT_EQ(none.skipped.size(), 1U);
  EXPECT_NE(none.skipped[0].why.find("event_2.json: the JSON is nested too deeply"), std::string::npos)
      << none.skipped[0].why;
}

Crash crash_of(const std::string& type) {
  Crash crash;
  crash.process = "org.app";
  crash.chain.push_back({Thrown::Role::top, type, "", {{"org.app." + type, "A.java", 1}}, 0});
  return crash;
}

TEST(Import, PathsEndAtCrashes) {
  Taken recording;
  Trace& trace = recording.trace;
  trace.origin = "me";
  trace.start.emplace().screen.package = "org.app";
  trace.steps = {{Key{1}, {}}, {Key{2}, {}}, {Key{3}, {}}, {Key{4}, {}}};
  for (Step& step : trace.steps) step.seen.screen.kind = Screen::Kind::unseen;
  EXPECT_EQ(paths_in(recording), std::vector<Trace>{trace});

  trace.steps[0].seen.crash = crash_of("One");
  trace.steps[2].seen.crash = crash_of("Three");
  trace.steps[2].seen.screen.kind = Screen::Kind::outside;
  trace.steps[2].seen.at = 3;
  recording.more = {crash_of("Too")};
  const std::vector<Trace> paths = paths_in(recording);
  ASSERT_EQ(paths.size(), 4U);
  EXPECT_EQ(paths[0], (Trace{"me", trace.start, {trace.steps[0]}}));
  EXPECT_EQ(paths[1], (Trace{"me", std::nullopt, {trace.steps[1], trace.steps[2]}}));
  ASSERT_TRUE(paths[2].start) << "what was seen after the crash";
  EXPECT_EQ(paths[2].start->screen.kind, Screen::Kind::outside);
  EXPECT_EQ(paths[2].start->at, 3);
  EXPECT_FALSE(paths[2].start->crash);
  EXPECT_EQ(paths[2].steps, std::vector<Step>{trace.steps[3]});
  EXPECT_TRUE(paths[3].steps.empty());
  ASSERT_NE(paths[3].crash(), nullptr);
  EXPECT_EQ(paths[3].crash()->top().type, "Too");
}

TEST(Import, NothingFollowsACrashThatIsTheLastThing) {
  Taken recording;
  recording.trace.steps = {{Key{1}, {}}};
  recording.trace.steps[0].seen.crash = crash_of("One");
  EXPECT_EQ(paths_in(recording).size(), 1U);
  recording.trace = {};
  recording.trace.start.emplace().crash = crash_of("One");
  EXPECT_EQ(paths_in(recording).size(), 1U);
  recording.trace.steps = {{Key{1}, {}}};
  EXPECT_EQ(paths_in(recording).size(), 2U);
}

TEST_F(ImportFolder, TwoCrashesOfOneDroidbotEventAreBothKept) {
  put("events/event_1.json",
      R"x({"event":{"event_type":"key","name":"BACK","log_lines":[
"E/AndroidRuntime(  7): FATAL EXCEPTION: main","E/AndroidRuntime(  7): Process: org.app, PID: 7",
"E/AndroidRuntime(  7): java.lang.Error: one","E/AndroidRuntime(  7): \tat org.app.A.f(A.java:1)",
"E/AndroidRuntime(  8): FATAL EXCEPTION: main","E/AndroidRuntime(  8): Process: org.app, PID: 8",
"E/AndroidRuntime(  8): java.lang.Exception: two","E/AndroidRuntime(  8): \tat org.app.B.g(B.java:2)"]}})x");
  const Imported all = import_all();
  ASSERT_EQ(all.taken.size(), 1U);
  const std::vector<Trace> paths = paths_in(all.taken[0]);
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0].crash()->top().message, "one");
  EXPECT_EQ(paths[1].crash()->top().message, "two");
}

TEST(Droidbot, Events) {
  const auto read = [](std::string_view json) { return droidbot_event(json, {}); };
  EXPECT_EQ(read(R"({"event_type":"key","name":"BACK"})"), Event(Key{4}));
  EXPECT_EQ(read(R"({"event_type":"intent","intent":"am force-stop org.app"})"),
            Event(System{"kill", {{"package", "org.app"}}}));
  EXPECT_EQ(read(R"({"event_type":"intent","intent":"am broadcast -a BOOT"})"),
            Event(System{"broadcast", {{"action", "BOOT"}}}));
  EXPECT_EQ(
      read(R"({"event_type":"scroll","direction":"DOWN","view":{"class":"L","bounds":[[0,0],[100,100]]}})")
          .index(),
      2U);
  EXPECT_EQ(
      std::get<Swipe>(
          read(
              R"({"event_type":"scroll","direction":"DOWN","view":{"class":"L","bounds":[[0,0],[100,100]]}})"))
          .direction,
      Direction::up);
  EXPECT_TRUE(
      std::holds_alternative<Type>(read(R"({"event_type":"set_text","text":"x","view":{"class":"E"}})")));
  for (const auto* odd : {"", "[]", "null", "{}", R"({"event_type":7})", R"({"event_type":"key","name":"?"})",
                          R"({"event_type":"touch","view":[1],"x":"q"})"})
    EXPECT_NO_FATAL_FAILURE(read(odd));
}

TEST(NaturalOrder, NumbersCountAsNumbers) {
  EXPECT_TRUE(natural_less("d2", "d10"));
  EXPECT_FALSE(natural_less("d10", "d2"));
  EXPECT_TRUE(natural_less("d2a", "d2b"));
  EXPECT_TRUE(natural_less("d", "d1"));
  EXPECT_FALSE(natural_less("d1", "d1"));
  EXPECT_NE(natural_less("d01", "d1"), natural_less("d1", "d01"));
  EXPECT_TRUE(natural_less("99999999999999999999998", "99999999999999999999999"));
}

TEST(Import, RefusesWhatIsNotThere) {
  EXPECT_EQ(import_path("/no/such/place").error().kind, Error::Kind::not_found);
  EXPECT_NE(import_path("/", "monkee").error().advice.find("monkey"), std::string::npos);
}

// ---- real recordings ----

TEST(ImportReal, AllSimplydroidTracesWithTheirCrashes) {
  const auto dir = shared_data("simplydroid");
  if (!dir) GTEST_SKIP() << "no shared data";
  const auto all = import_path(*dir);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->taken.size(), 69U);
  for (const Taken& t : all->taken) {
    EXPECT_EQ(t.format, "simplydroid");
    EXPECT_NE(t.trace.crash(), nullptr) << t.file;
    EXPECT_TRUE(t.notes.empty()) << t.file;
  }
}

TEST(ImportReal, AllDroidbotRuns) {
  const auto dir = shared_data("droidbot");
  if (!dir) GTEST_SKIP() << "no shared data";
  const auto all = import_path(*dir);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->taken.size(), 5U);
  for (const Taken& t : all->taken) {
    EXPECT_EQ(t.format, "droidbot") << t.file;
    EXPECT_GE(t.trace.steps.size(), 14U) << t.file;
    std::size_t raw = 0;
    for (const Step& s : t.trace.steps) raw += std::holds_alternative<Raw>(s.event);
    std::printf("%-42s %4zu events, %zu raw%s%s\n", fs::path(t.file).filename().c_str(), t.trace.steps.size(),
                raw, t.notes.empty() ? "" : ", ", t.notes.empty() ? "" : t.notes[0].c_str());
    EXPECT_TRUE(read_trace(write_trace(t.trace), "t")->trace == t.trace) << t.file;
  }
}

// Every file of every kind, those of others' tasks too: taken or refused with a sentence, none slow.
TEST(ImportReal, EveryFileIsTakenOrRefusedQuickly) {
  const auto dir = shared_data(".");
  if (!dir) GTEST_SKIP() << "no shared data";
  std::map<std::string, std::pair<std::size_t, std::size_t>> table;
  for (const auto& entry : fs::recursive_directory_iterator(*dir)) {
    if (!entry.is_regular_file()) continue;
    const std::string kind = entry.path().lexically_relative(*dir).begin()->string();
    if (kind == "simplydroid" || kind == "droidbot" || kind == "oracles") continue;
    const auto begin = ComputingClock::now();
    const auto all = import_path(entry.path());
    EXPECT_LT(ComputingClock::now() - begin, patience * std::chrono::seconds(1)) << entry.path();
    ASSERT_TRUE(all) << entry.path();
    EXPECT_FALSE(all->taken.empty() && all->skipped.empty()) << entry.path();
    ++(all->taken.empty() ? table[kind].second : table[kind].first);
    for (const NotTaken& s : all->skipped) EXPECT_GE(s.why.size(), 8U) << entry.path();
  }
  for (const auto& [kind, n] : table)
    std::printf("%-14s %3zu taken, %3zu refused\n", kind.c_str(), n.first, n.second);
}

TEST(Import, KnowsWhatIsNoText) {
  Rng rng(3);
  std::string noise(4096, 'x');
  for (char& c : noise) c = static_cast<char>(rng.below(256));
  EXPECT_FALSE(what_no_text_is(noise).empty());
  EXPECT_FALSE(what_no_text_is(std::string(500, '\0')).empty());
  EXPECT_FALSE(what_no_text_is("SQLite format 3").empty());
  EXPECT_FALSE(what_no_text_is("\x1f\x8b\x08").empty());
  EXPECT_TRUE(what_no_text_is("05-02 11:00 I Themis: Event 1\n").empty());
  EXPECT_TRUE(what_no_text_is("Event 1\n" + std::string(300, '\0') + "Event 2\n").empty())
      << "a hole in a log";
  EXPECT_TRUE(what_no_text_is(std::string("E\0v\0e\0", 6)).empty()) << "UTF-16";
}

}  // namespace
}  // namespace norn

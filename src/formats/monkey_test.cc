#include "formats/monkey.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <stop_token>

#include "base/file.h"
#include "base/patience.h"
#include "formats/json_values.h"
#include "formats/shared_data.h"
#include "formats/simplydroid.h"
#include "formats/trace_json.h"

namespace norn {
namespace {

std::vector<Event> read(std::string_view text) {
  auto script = parse_monkey_script(text, "t");
  return script ? script->events : std::vector<Event>{};
}
Event one(std::string_view text) {
  const auto events = read(text);
  EXPECT_EQ(events.size(), 1U) << text;
  return events.empty() ? Event(Wait{-1}) : events[0];
}

TEST(MonkeyScript, Commands) {
  EXPECT_EQ(one("Tap(14.0, 141.6, 0)"), Event(Tap{{}, {14, 142}}));
  EXPECT_EQ(one("Tap(14,141)"), Event(Tap{{}, {14, 141}}));
  EXPECT_EQ(one("Tap(14.0,141.0,900)"), Event(LongPress{{}, {14, 141}}));
  EXPECT_EQ(one("PressAndHold(1,2,1000)"), Event(LongPress{{}, {1, 2}}));
  EXPECT_EQ(one("Drag(530.0, 238.0, 592.46704, 255.12378, 8)"), Event(Drag{{}, {530, 238}, {592, 255}}));
  EXPECT_EQ(one("Drag(1,2,100,2,5)"), Event(Swipe{{}, Direction::right, {1, 2}, {100, 2}}));
  EXPECT_EQ(one("DispatchPress(KEYCODE_BACK)"), Event(Key{4}));
  EXPECT_EQ(one("DispatchPress(82)"), Event(Key{82}));
  EXPECT_EQ(one("DispatchKey(1,1,0,4,0,0,0,0)\nDispatchKey(1,2,1,4,0,0,0,0)"), Event(Key{4}));
  EXPECT_EQ(one("DispatchString(a, (b) c)"), Event(Type{{}, {}, "a, (b) c"}));
  EXPECT_EQ(one("LaunchActivity(org.app, org.app.Main)"), Event(Launch{"org.app", "org.app.Main"}));
  EXPECT_EQ(one("RotateScreen(1,1)"), Event(Rotate{1}));
  EXPECT_EQ(one("RotateScreen(270,0)"), Event(Rotate{3}));
  EXPECT_EQ(one("UserWait(500)"), Event(Wait{500}));
  EXPECT_EQ(one("PinchZoom(10,5,0,5,20,5,40,5,10)"), Event(Pinch{{}, {15, 5}, 10, 40}));
  EXPECT_EQ(one("DispatchFlip(true)"), Event(Raw{"monkey", "DispatchFlip(true)"}));
  EXPECT_EQ(one("Tap(nowhere)"), Event(Raw{"monkey", "Tap(nowhere)"}));
}

TEST(MonkeyScript, PointersBecomeGestures) {
  const auto pointer = [](int action, int x, int y) {
    return "DispatchPointer(0,0," + std::to_string(action) + "," + std::to_string(x) + "," +
           std::to_string(y) + ",1,1,0,1,1,0,0)\n";
  };
  EXPECT_EQ(one(pointer(0, 5, 5) + pointer(1, 9, 9)), Event(Tap{{}, {5, 5}}));
  EXPECT_EQ(one(pointer(0, 5, 5) + pointer(2, 50, 50) + pointer(1, 90, 90)),
            Event(Drag{{}, {5, 5}, {90, 90}}));
  EXPECT_EQ(one(pointer(0, 5, 5) + "UserWait(700)\n" + pointer(1, 5, 5)), Event(LongPress{{}, {5, 5}}));
  EXPECT_EQ(read(pointer(0, 5, 5) + pointer(0, 7, 7) + pointer(1, 7, 7)).size(), 2U);
}

TEST(MonkeyScript, HeaderAndNoise) {
  const auto script =
      parse_monkey_script("# hi\r\ntype= user\r\ncount= 1\r\nstart data >>\r\nfoo\r\nTap(1,2)\r\n", "t");
  ASSERT_TRUE(script);
  EXPECT_EQ(script->events.size(), 1U);
  EXPECT_EQ(script->skipped, std::vector<std::string>{"foo"});
  EXPECT_FALSE(parse_monkey_script("hello", "t"));
  EXPECT_TRUE(is_monkey_script("Tap(1,2)\nTap(3,4)\n"));
  EXPECT_FALSE(is_monkey_script("int main() { return f(2); }\n"));
}

/// An event that a script can hold.
Event coordinate_event() {
  const auto p = [] { return Point{*rc::gen::inRange(0, 2000), *rc::gen::inRange(0, 3000)}; };
  switch (*rc::gen::inRange(0, 10)) {
    case 0:
      return Tap{{}, p()};
    case 1:
      return LongPress{{}, p()};
    case 2: {
      const Point from = p();
      return *rc::gen::element<Event>(Swipe{{}, Direction::left, from, {from.x - 30, from.y}},
                                      Swipe{{}, Direction::down, from, {from.x, from.y + 30}});
    }
    case 3:
      return Drag{{}, p(), p()};
    case 4:
      return Pinch{{}, p(), *rc::gen::inRange(0, 500), *rc::gen::inRange(0, 500)};
    case 5:
      return Type{{}, {}, *rc::gen::element<std::string>("milk", "two words", " ", "(x", "50%", "é🦊")};
    case 6:
      return Key{*rc::gen::inRange(0, 300)};
    case 7:
      return Launch{"org.app", "org.app.Main"};
    case 8:
      return Rotate{*rc::gen::inRange(0, 4)};
    default:
      return Wait{*rc::gen::inRange(0, 5000)};
  }
}

TEST(MonkeyScript, ReadsWhatItWrote) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Event> events;
    for (int n = *rc::gen::inRange(1, 12); n > 0; --n) events.push_back(coordinate_event());
    std::erase_if(events, [](const Event& e) {
      const auto* swipe = std::get_if<Swipe>(&e);
      return swipe != nullptr && swipe->to.x < 0;
    });
    const MonkeyExport written = write_monkey_script(events);
    RC_ASSERT(written.skipped.empty());
    RC_ASSERT(read(written.text) == events);
  }));
}

TEST(MonkeyScript, SaysWhatItCannotWrite) {
  Target save;
  save.id = "save";
  const std::vector<Event> events{Tap{save, {}}, System{"kill", {}}, Type{save, {}, "x"},
                                  Type{save, {5, 6}, "x"}, Tap{save, {1, 2}}};
  const MonkeyExport written = write_monkey_script(events);
  EXPECT_EQ(written.skipped.size(), 3U);
  const std::vector<Event> wanted{Tap{{}, {5, 6}}, Type{{}, {}, "x"}, Tap{{}, {1, 2}}};
  EXPECT_EQ(read(written.text), wanted);
}

TEST(MonkeyScript, TextsThatMonkeyCannotTypeAreLeftOut) {
  for (const char* text : {"", "a,b", "x)", "(x)", "tab\there", "two\nlines", "100%sure"}) {
    const MonkeyExport written = write_monkey_script(std::vector<Event>{Type{{}, {5, 6}, text}, Key{4}});
    EXPECT_EQ(written.skipped.size(), 1U) << text;
    EXPECT_EQ(read(written.text), std::vector<Event>{Key{4}}) << written.text;
  }
  const MonkeyExport written = write_monkey_script(std::vector<Event>{Type{{}, {}, " two words "}});
  EXPECT_TRUE(written.skipped.empty());
  EXPECT_TRUE(written.text.ends_with("\nDispatchString(%stwo%swords%s)\n")) << written.text;
}

TEST(MonkeyScript, BlanksOfATypedText) {
  EXPECT_EQ(read("DispatchString(two%swords)\n"), std::vector<Event>{Type({}, {}, "two words")});
  EXPECT_EQ(read("DispatchString(100%)\n"), std::vector<Event>{Type({}, {}, "100%")});
}

// ---- output ----

constexpr std::string_view log_text =
    "$ monkey -p org.app -v 500\n  bash arg: -p\n:Monkey: seed=42 count=500\n:AllowPackage: org.app\n"
    "// Event percentages:\n//   0: 15.0%\n"
    ":Switch: #Intent;action=android.intent.action.MAIN;component=org.app/.Main;end\n"
    "    // Allowing start of Intent { act=x cmp=org.app/.Main } in package org.app\n"
    ":Sending Touch (ACTION_DOWN): 0:(272.0,447.0)\n:Sending Touch (ACTION_UP): 0:(278.1,437.9)\n"
    ":Sending Trackball (ACTION_MOVE): 0:(4.0,-3.0)\n"
    ":Sending Key (ACTION_DOWN): 4    // KEYCODE_BACK\n:Sending Key (ACTION_UP): 4    // KEYCODE_BACK\n"
    ":Sending Touch (ACTION_DOWN): 0:(10.0,10.0)\n:Sending Touch (ACTION_MOVE): 0:(20.0,10.0) 1:(40.0,10.0)\n"
    ":Sending Touch (ACTION_MOVE): 0:(0.0,10.0) 1:(90.0,10.0)\n:Sending Touch (ACTION_UP): 0:(0.0,10.0)\n"
    ":Sending rotation degree=1, persist=false\n    // Injection Failed\n";
constexpr std::string_view crash_text =
    "// CRASH: org.app (pid 77)\n// Short Msg: java.lang.NullPointerException\n// Long Msg: boo\n// Build "
    "Label: x\n"
    "// java.lang.NullPointerException: boo\n// \tat org.app.Main.f(Main.java:3)\n// Caused by: "
    "java.lang.Error\n"
    "// \tat org.app.Main.g(Main.java:4)\n// \t... 1 more\n//\n** Monkey aborted due to error.\n"
    "Events injected: 6\n:Sending rotation degree=0, persist=false\n:Dropped: keys=1 pointers=2 flips=0\n## "
    "Network stats\n";

TEST(MonkeyLog, EventsCrashAndWhatWasLeftOut) {
  const auto runs = parse_monkey_log(std::string(log_text) + std::string(crash_text), "t");
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 1U);
  const MonkeyRun& run = runs->front();
  EXPECT_EQ(run.seed, 42U);
  EXPECT_EQ(run.asked, 500);
  EXPECT_EQ(run.injected, 6);
  EXPECT_EQ(run.packages, std::vector<std::string>{"org.app"});
  const std::vector<Event> wanted{Launch{"org.app", "org.app.Main"}, Tap{{}, {272, 447}}, Key{4},
                                  Pinch{{}, {30, 10}, 20, 90}, Rotate{1}};
  EXPECT_EQ(run.trace.events(), wanted);
  EXPECT_EQ(run.trace.steps[1].seen.screen.activity, "org.app.Main");
  EXPECT_EQ(run.left_out.at("trackball"), 1);
  EXPECT_EQ(run.left_out.at("injection failed"), 1);
  EXPECT_EQ(run.dropped.at("pointers"), 2);
  EXPECT_TRUE(run.aborted);
  ASSERT_NE(run.trace.crash(), nullptr);
  EXPECT_EQ(run.trace.crash()->process, "org.app");
  EXPECT_EQ(run.trace.crash()->chain.size(), 2U);
  EXPECT_EQ(run.trace.crash()->top().message, "boo");
  EXPECT_FALSE(run.trace.crash()->handled);
}

TEST(MonkeyLog, ANativeCrashIsItsTombstone) {
  const std::string head = std::string(log_text) +
                           "// CRASH: org.app (pid 77)\n// Short Msg: Native crash\n// Long Msg: Native "
                           "crash: Segmentation fault\n";
  const auto runs =
      parse_monkey_log(head +
                           "// *** *** *** *** *** ***\n// Build fingerprint: 'x'\n// ABI: 'arm64'\n"
                           "// pid: 77, tid: 79, name: Draw  >>> org.app:draw <<<\n"
                           "// signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8\n"
                           "// backtrace:\n//     #00 pc 0004a66c  /data/app/x/libdraw.so (line+12)\n"
                           "//     #01 pc 00047d4f  /system/lib64/libc.so (start+34)\n// \n"
                           "** Monkey aborted due to error.\nEvents injected: 6\n",
                       "t");
  ASSERT_TRUE(runs);
  const Crash* crash = runs->front().trace.crash();
  ASSERT_NE(crash, nullptr);
  EXPECT_EQ(crash->kind, Crash::Kind::native);
  EXPECT_EQ(crash->process, "org.app:draw");
  EXPECT_EQ(crash->top().type, "SIGSEGV");
  EXPECT_EQ(crash->top().frames.size(), 2U);
  EXPECT_EQ(runs->front().crashes, 1U);

  const auto bare = parse_monkey_log(head + "** Monkey aborted due to error.\n", "t");
  ASSERT_TRUE(bare);
  ASSERT_NE(bare->front().trace.crash(), nullptr) << "without a stack the summary is all that is known";
  EXPECT_EQ(bare->front().trace.crash()->kind, Crash::Kind::native);
  EXPECT_EQ(bare->front().trace.crash()->process, "org.app");
  EXPECT_EQ(bare->front().trace.crash()->top().message, "Native crash: Segmentation fault");
}

TEST(MonkeyLog, AnrAndSeveralRuns) {
  const auto runs = parse_monkey_log(
      std::string(log_text) +
          "// NOT RESPONDING: org.app (pid 3)\nANR in org.app (org.app/.Main)\nReason: slow\n" +
          std::string(log_text) + "// Monkey finished\n",
      "t");
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2U);
  ASSERT_NE((*runs)[0].trace.crash(), nullptr);
  EXPECT_EQ((*runs)[0].trace.crash()->kind, Crash::Kind::anr);
  EXPECT_EQ((*runs)[0].trace.crash()->top().message, "slow");
  EXPECT_EQ((*runs)[1].trace.crash(), nullptr);
  EXPECT_FALSE(parse_monkey_log("hello", "t"));
}

TEST(MonkeyReal, EveryLogIsRead) {
  const auto dir = shared_data("monkey");
  if (!dir) GTEST_SKIP() << "no shared data";
  for (const auto& entry : std::filesystem::directory_iterator(*dir)) {
    if (entry.path().filename() == "README.md") continue;
    const auto bytes = read_file(entry.path());
    EXPECT_TRUE(is_monkey_log(*bytes)) << entry.path();
    const auto begin = ComputingClock::now();
    const auto runs = parse_monkey_log(*bytes, entry.path().string());
    EXPECT_LT(ComputingClock::now() - begin, patience * std::chrono::seconds(1));
    ASSERT_TRUE(runs) << runs.error().message();
    for (const MonkeyRun& run : *runs) {
      EXPECT_TRUE(run.seed);
      EXPECT_GE(run.asked, 100);
      EXPECT_FALSE(run.trace.steps.empty()) << entry.path();
      EXPECT_FALSE(run.packages.empty());
      EXPECT_FALSE(run.left_out.contains("unreadable"));
      EXPECT_FALSE(run.left_out.contains("touch without a down"));
    }
  }
}

TEST(MonkeyLog, ALineWithoutAnEndIsReadInLinearTime) {
  const std::string head = ":Monkey: seed=1 count=2\n:Sending Touch (ACTION_DOWN): ";
  std::string open;
  for (int i = 0; i < 1'000'000; ++i) open += "0:(";
  const auto begin = ComputingClock::now();
  EXPECT_TRUE(parse_monkey_log(head + open, "t"));
  EXPECT_TRUE(parse_monkey_log(head + open + ")\n", "t"));
  EXPECT_LT(ComputingClock::now() - begin, patience * std::chrono::seconds(2));
}

TEST(MonkeyLog, StopsWhenAsked) {
  std::stop_source stop;
  EXPECT_TRUE(parse_monkey_log(log_text, "t", stop.get_token()));
  stop.request_stop();
  const auto runs = parse_monkey_log(log_text, "t", stop.get_token());
  ASSERT_FALSE(runs);
  EXPECT_EQ(runs.error().kind, Error::Kind::cancelled);
}

// ---- SimplyDroid ----

TEST(SimplyDroid, StatesAreThoseOfTheNextEvent) {
  const std::string script =
      "# Start Script\ntype= user\ncount= 10\nspeed= 1.0\nstart data >>\nLaunchActivity(p, "
      "p.A)\nTap(1,2,0)\nTap(3,4,0)\n";
  const std::string execution =
      "1;MonkeyActivityEvent;p;p.A;1\n2;MonkeyThrottleEvent;p;p.A;1\n3;MonkeyTouchEvent;p;p.A;1\n4;"
      "MonkeyTouchEvent;p;p.A;1\n"
      "5;MonkeyThrottleEvent;p;p.A;1\n6;MonkeyTouchEvent;p;p.B;1\n7;MonkeyTouchEvent;p;p.C;1\n"
      "// CRASH: // java.lang.Error: boo$$ \tat p.C.f(C.java:1)$$ \tat p.C.g(C.java:2)$$ "
      "\n8;MonkeyThrottleEvent;p;p.C;1\n";
  const auto trace = parse_simplydroid(script, execution, "dir");
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->steps.size(), 3U);
  EXPECT_EQ(trace->steps[0].seen.screen.activity, "p.A");
  EXPECT_EQ(trace->steps[1].seen.screen.activity, "p.C");
  ASSERT_NE(trace->crash(), nullptr);
  EXPECT_EQ(trace->crash()->top().message, "boo");
  EXPECT_EQ(trace->crash()->top().frames.size(), 2U);
  EXPECT_FALSE(parse_simplydroid(script, "", "dir"));
}

TEST(SimplyDroidReal, AllTracesWithTheirCrashes) {
  const auto dir = shared_data("simplydroid");
  if (!dir) GTEST_SKIP() << "no shared data";
  std::size_t traces = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*dir)) {
    if (entry.path().filename() != "script.log") continue;
    const auto folder = entry.path().parent_path();
    const auto script = read_file(entry.path()), execution = read_file(folder / "execute.log");
    ASSERT_TRUE(script && execution);
    EXPECT_TRUE(is_simplydroid_execution(*execution));
    const auto trace = parse_simplydroid(*script, *execution, folder.string());
    ASSERT_TRUE(trace) << trace.error().message();
    ++traces;
    EXPECT_EQ(trace->steps.size(), parse_monkey_script(*script, "s")->events.size()) << folder;
    ASSERT_NE(trace->crash(), nullptr) << folder;
    EXPECT_FALSE(trace->crash()->top().frames.empty()) << folder;
    EXPECT_FALSE(trace->crash()->handled) << folder;
    EXPECT_TRUE(read_trace(write_trace(*trace), "t")->trace == *trace);
  }
  EXPECT_EQ(traces, 69U);
}

// Somebody else read the same logs: his numbers for the activity that receives each event must follow our
// names.
TEST(SimplyDroidReal, StatesAgreeWithTheOracles) {
  const auto oracles = shared_data("oracles"), dir = shared_data("simplydroid");
  if (!oracles || !dir) GTEST_SKIP() << "no shared data";
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*oracles)) {
    if (entry.path().extension() != ".json") continue;
    const auto oracle = parse_json(*read_file(entry.path()), "oracle");
    ASSERT_TRUE(oracle);
    const auto folder = *dir / (*oracle)["trace"].get<std::string>() / "origin";
    const auto trace =
        parse_simplydroid(*read_file(folder / "script.log"), *read_file(folder / "execute.log"), "t");
    ASSERT_TRUE(trace);
    const auto& states = (*oracle)["states"];
    ASSERT_EQ(trace->steps.size(), states.size()) << entry.path();
    std::map<int, std::string> names;
    std::map<std::string, int> numbers;
    for (std::size_t i = 1; i < states.size(); ++i) {
      const std::string& name = trace->steps[i - 1].seen.screen.activity;
      const int number = states[i].get<int>();
      EXPECT_EQ(names.try_emplace(number, name).first->second, name) << entry.path() << " event " << i + 1;
      EXPECT_EQ(numbers.try_emplace(name, number).first->second, number)
          << entry.path() << " event " << i + 1;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 69U);
}

}  // namespace
}  // namespace norn

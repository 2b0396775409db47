#include "formats/logcat.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cctype>
#include <chrono>
#include <map>
#include <set>

#include "base/file.h"
#include "base/patience.h"
#include "base/text.h"
#include "formats/log_line.h"
#include "formats/shared_data.h"
#include "formats/stack_text.h"

namespace norn {
namespace {

// ---- prefixes ----

TEST(LogLine, AllDresses) {
  struct Case {
    std::string_view line, tag, pid, package, message;
    char level;
  };
  const Case cases[] = {
      {"05-30 11:24:05.803  2957  2984 E AndroidRuntime: boo", "AndroidRuntime", "2957", "", "boo", 'E'},
      {"2022-05-30 11:24:05.803  1000  2957  2984 W My Tag : boo: x", "My Tag", "2957", "", "boo: x", 'W'},
      {"05-30 11:24:05.803 E/AndroidRuntime(  517): boo", "AndroidRuntime", "517", "", "boo", 'E'},
      {"E/AndroidRuntime(7838): \tat a.b(C.java:1)", "AndroidRuntime", "7838", "", "\tat a.b(C.java:1)", 'E'},
      {"E/ACRA: boo", "ACRA", "", "", "boo", 'E'},
      {"E ACRA    : boo", "ACRA", "", "", "boo", 'E'},
      {"0E AndroidRuntime: boo", "AndroidRuntime", "", "", "boo", 'E'},
      {"2020-01-02 14:09:44.580 9180-9181/org.app E/Tag: boo", "Tag", "9180", "org.app", "boo", 'E'},
      {"2020-01-02 14:09:44.580 9180-9181/? E/Tag: boo", "Tag", "9180", "", "boo", 'E'},
      {"2023-01-02 14:09:44.580  9180-9181  Tag   org.app   E  boo", "Tag", "9180", "org.app", "boo", 'E'},
      {"org.app E/ACRA: boo", "ACRA", "", "org.app", "boo", 'E'},
      {"[ 05-30 11:24:05.803  2957: 2984 E/Tag ]", "Tag", "2957", "", "", 'E'},
      {"1653902645.803  2957  2984 E Tag: boo", "Tag", "2957", "", "boo", 'E'},
      {"     612.803  1000  2957  2984 E Tag: boo", "Tag", "2957", "", "boo", 'E'},
      {"1653902645.803 E/Tag( 2957): boo", "Tag", "2957", "", "boo", 'E'},
      {"2022-05-30 11:24:05.803210 +0200  2957  2984 E Tag: boo", "Tag", "2957", "", "boo", 'E'},
      {"E( 2957) boo (x)  (Tag)", "Tag", "2957", "", "boo (x)", 'E'},
      {"E( 2957: 2984) boo  (x)", "", "2957", "", "boo  (x)", 'E'},
      {"\x1b[38;5;196m05-30 11:24:05.803  2957  2984 E Tag: boo\x1b[0m", "Tag", "2957", "", "boo", 'E'},
      {"[ 1653910000.123  2957: 2984 E/Tag ]", "Tag", "2957", "", "", 'E'},
      {"[     612.803 2957: 2984 E/Tag ]", "Tag", "2957", "", "", 'E'},
      {"[ 2022-05-30 11:24:05.803 +0200  2957: 2984 E/Tag ]", "Tag", "2957", "", "", 'E'},
      {"[ 05-30 11:24:05.803 10012:2957: 2984 E/Tag ]", "Tag", "2957", "", "", 'E'},
      {"[ 05-30 11:24:05.803 u0_a12:2957: 2984 E/Tag ]", "Tag", "2957", "", "", 'E'},
      {"E/Tag(10012: 2957): boo: x", "Tag", "2957", "", "boo: x", 'E'},
      {"E/Tag     (10012: 2957): ", "Tag", "2957", "", "", 'E'},
      {"E/Tag(10012: 2957):", "Tag", "2957", "", "", 'E'},
      {"E/Tag (x): boo (1): y", "Tag (x)", "", "", "boo (1): y", 'E'},
      {"05-30 11:24:05.803 E/Tag(u0_a12: 2957): boo", "Tag", "2957", "", "boo", 'E'},
      {"1653902645.803 E/Tag(10012: 2957): boo", "Tag", "2957", "", "boo", 'E'},
      {"05-30 11:24:05.803  system  2957  2984 E Tag: boo", "Tag", "2957", "", "boo", 'E'},
      {"E(u0_a12: 2957) boo  (Tag)", "Tag", "2957", "", "boo", 'E'},
      {"E(10012: 2957: 2984) boo", "", "2957", "", "boo", 'E'},
      {"12.5 E Tag: too few decimals for a time", "", "", "", "12.5 E Tag: too few decimals for a time", 0},
      {"    at org.app.Main.f(Main.java:1)", "", "", "", "    at org.app.Main.f(Main.java:1)", 0},
      {"java.lang.Error: E/Tag: no", "", "", "", "java.lang.Error: E/Tag: no", 0},
      {"", "", "", "", "", 0},
  };
  for (const Case& c : cases) {
    const LogLine line = parse_log_line(c.line);
    EXPECT_EQ(line.level, c.level) << c.line;
    EXPECT_EQ(line.tag, c.tag) << c.line;
    EXPECT_EQ(line.pid, c.pid) << c.line;
    EXPECT_EQ(line.package, c.package) << c.line;
    EXPECT_EQ(line.message, c.message) << c.line;
  }
}

// ---- frames ----

TEST(StackText, Frames) {
  EXPECT_EQ(*parse_java_frame("\tat org.app.A$1.f(A.java:12)"), (Frame{"org.app.A$1.f", "A.java", 12}));
  EXPECT_EQ(*parse_java_frame("  at org.app.A.f (A.java:12)"), (Frame{"org.app.A.f", "A.java", 12}));
  EXPECT_EQ(*parse_java_frame("at a.b(Native Method)"), (Frame{"a.b", "", 0}));
  EXPECT_EQ(*parse_java_frame("at a.b(Unknown Source:4)"), (Frame{"a.b", "", 0}));
  EXPECT_EQ(*parse_java_frame("at a.b(X.java:1)\xc2\xa0"), (Frame{"a.b", "X.java", 1}));
  EXPECT_FALSE(parse_java_frame("at the end (of all)"));
  EXPECT_FALSE(parse_java_frame("attic.b(X.java:1)"));
  EXPECT_EQ(*parse_native_frame("  #00 pc 0004bd80  /apex/lib/libc.so (je_free+32) (BuildId: c3f4)"),
            (Frame{"je_free", "libc.so", 0}));
  EXPECT_EQ(*parse_native_frame(
                "#01 pc 0004bd80  /d/base.apk!libx.so (offset 0x1000) (f(void (*)(int))+8) (BuildId: a)"),
            (Frame{"f(void (*)(int))", "libx.so", 0}));
  EXPECT_EQ(*parse_native_frame("#12 pc 0f  /data/x.so"), (Frame{"", "x.so", 0}));
  EXPECT_FALSE(parse_native_frame("#00  d2a46608  d2a46628"));
}

// ---- whole logs ----

constexpr std::string_view stack =
    "java.lang.RuntimeException: Unable\nto start\n"
    "\tat org.app.Main.f(Main.java:1)\n\tat android.os.Looper.loop(Looper.java:2)\n"
    "\tSuppressed: java.io.IOException: closed\n\t\tat org.app.Db.close(Db.java:3)\n\t\t... 1 more\n"
    "\tCaused by: java.lang.Error: of the suppressed\n\t\t... 2 more\n"
    "Caused by: java.lang.NullPointerException\n\tat org.app.Main.g(Main.java:9)\n\t... 2 more\n";

std::string prefixed(std::string_view prefix, std::string_view text) {
  std::string out;
  for (const auto line : lines(text)) out.append(prefix).append(line).append("\n");
  return out;
}

void expect_is_the_stack(const Crash& crash) {
  ASSERT_EQ(crash.chain.size(), 4U);
  EXPECT_EQ(crash.chain[0].type, "java.lang.RuntimeException");
  EXPECT_EQ(crash.chain[0].message, "Unable\nto start");
  EXPECT_EQ(crash.chain[0].frames.size(), 2U);
  EXPECT_EQ(crash.chain[1].role, Thrown::Role::suppressed);
  EXPECT_EQ(crash.chain[1].more, 1);
  EXPECT_EQ(crash.chain[2].role, Thrown::Role::suppressed);
  EXPECT_EQ(crash.root().type, "java.lang.NullPointerException");
  EXPECT_EQ(crash.root().more, 2);
}

TEST(Logcat, OneStackInEveryDressIsTheSameCrash) {
  const std::string fatal = "FATAL EXCEPTION: main\nProcess: org.app, PID: 7\n" + std::string(stack);
  const std::string logs[] = {
      fatal,
      std::string(stack),
      prefixed("E/AndroidRuntime(  7): ", fatal),
      prefixed("E AndroidRuntime: ", fatal),
      prefixed("05-30 11:24:05.803 E/AndroidRuntime( 7): ", fatal),
      prefixed("05-30 11:24:05.803     7     7 E AndroidRuntime: ", fatal),
      prefixed("1653902645.803     7     7 E AndroidRuntime: ", fatal),
      prefixed("E(  7:  7) ", fatal),
      prefixed("\x1b[31m05-30 11:24:05.803     7     7 E AndroidRuntime: ", fatal),
      "2020-01-02 14:09:44.580 7-7/org.app E/AndroidRuntime: " + fatal,
      "[ 05-30 11:24:05.803  7: 7 E/AndroidRuntime ]\n" + fatal,
  };
  for (const std::string& log : logs) {
    const auto crashes = parse_logcat(log);
    ASSERT_EQ(crashes.size(), 1U) << log;
    expect_is_the_stack(crashes[0].crash);
    EXPECT_FALSE(crashes[0].crash.handled);
    EXPECT_EQ(crashes[0].crash.process, log == stack ? "" : "org.app");
    std::string crlf;
    for (const char c : log) c == '\n' ? crlf.append("\r\r\n") : crlf.append(1, c);
    ASSERT_EQ(parse_logcat(crlf).size(), 1U);
    EXPECT_EQ(parse_logcat(crlf)[0].crash, crashes[0].crash);
  }
}

TEST(Logcat, TwoThreadsInterleaved) {
  const std::string a = "FATAL EXCEPTION: main\nProcess: org.a, PID: 1\n" + std::string(stack);
  const std::string b = "FATAL EXCEPTION: pool-1\nProcess: org.b, PID: 2\n" + std::string(stack);
  std::string log = "--------- beginning of crash\n";
  const auto la = lines(a), lb = lines(b);
  for (std::size_t i = 0; i < la.size(); ++i)
    log += fmt::format(
        "05-30 11:24:05.803 1 1 E AndroidRuntime: {}\n05-30 11:24:05.803 2 2 E AndroidRuntime: {}\n", la[i],
        lb[i]);
  const auto crashes = parse_logcat(log);
  ASSERT_EQ(crashes.size(), 2U);
  EXPECT_EQ(crashes[0].line, 2U);
  EXPECT_EQ(crashes[0].crash.process, "org.a");
  EXPECT_EQ(crashes[1].crash.process, "org.b");
  expect_is_the_stack(crashes[1].crash);
}

TEST(Logcat, WhatTheAppReportedItselfIsHandled) {
  const auto acra = parse_logcat(
      prefixed("E ACRA    : ", "ACRA caught a RuntimeException for org.app\n" + std::string(stack)));
  ASSERT_EQ(acra.size(), 1U);
  EXPECT_TRUE(acra[0].crash.handled);
  EXPECT_EQ(acra[0].crash.process, "org.app");
  const auto err = parse_logcat(prefixed("W System.err: ", stack));
  ASSERT_EQ(err.size(), 1U);
  EXPECT_TRUE(err[0].crash.handled);
  EXPECT_TRUE(parse_logcat(prefixed("I zygote  : ", stack)).empty());
}

TEST(Logcat, AHeadWithoutAStackIsStillACrash) {
  const auto crashes = parse_logcat(
      "E/AndroidRuntime: FATAL EXCEPTION: main\nE/AndroidRuntime: java.lang.OutOfMemoryError: x\n");
  ASSERT_EQ(crashes.size(), 1U);
  EXPECT_EQ(crashes[0].crash.top().type, "java.lang.OutOfMemoryError");
  EXPECT_TRUE(parse_logcat("E/Foo: java.lang.Error: a line that only reads like one\n").empty());
}

TEST(Logcat, TombstoneAndItsSignalAreOneCrash) {
  const std::string log =
      "06-01 10:00:00.000 7 9 F libc    : Fatal signal 11 (SIGSEGV), code 1, fault addr 0x0 in tid 9 (x), "
      "pid 7 (org.app)\n"
      "06-01 10:00:00.100 8 8 F DEBUG   : *** *** *** *** *** *** *** ***\n"
      "06-01 10:00:00.100 8 8 F DEBUG   : pid: 7, tid: 9, name: x  >>> org.app <<<\n"
      "06-01 10:00:00.100 8 8 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n"
      "06-01 10:00:00.100 8 8 F DEBUG   : Abort message: 'no'\n"
      "06-01 10:00:00.100 8 8 F DEBUG   : backtrace:\n"
      "06-01 10:00:00.100 8 8 F DEBUG   :     #00 pc 0001  /lib/libx.so (boom+4)\n"
      "06-01 10:00:00.100 8 8 F DEBUG   : \n06-01 10:00:00.100 8 8 F DEBUG   : stack:\n";
  const auto crashes = parse_logcat(log);
  ASSERT_EQ(crashes.size(), 1U);
  const Crash& crash = crashes[0].crash;
  EXPECT_EQ(crash.kind, Crash::Kind::native);
  EXPECT_EQ(crash.process, "org.app");
  EXPECT_EQ(crash.top().type, "SIGSEGV");
  EXPECT_NE(crash.top().message.find("Abort message: 'no'"), std::string::npos);
  EXPECT_EQ(crash.top().frames, (std::vector<Frame>{{"boom", "libx.so", 0}}));
  EXPECT_EQ(parse_logcat(log.substr(0, log.find('\n') + 1)).size(), 1U);  // the signal alone
}

TEST(Logcat, Anr) {
  const auto crashes = parse_logcat(prefixed(
      "E/ActivityManager(  517): ", "ANR in org.app (org.app/.Main)\nPID: 7\nReason: slow\nLoad: 1\n"));
  ASSERT_EQ(crashes.size(), 1U);
  EXPECT_EQ(crashes[0].crash.kind, Crash::Kind::anr);
  EXPECT_EQ(crashes[0].crash.process, "org.app");
  EXPECT_EQ(crashes[0].crash.top().message, "slow");
  const auto traces = parse_logcat(
      "----- pid 7 at 2020-01-01 10:00:00 -----\nCmd line: org.app\n\n\"main\" prio=5 tid=1 Blocked\n"
      "  | group=\"main\"\n  at org.app.Main.f(Main.java:3)\n  - waiting to lock <0x1>\n  at "
      "org.app.Main.g(Main.java:4)\n\n"
      "\"Other\" prio=5\n  at java.lang.Object.wait(Native method)\n");
  ASSERT_EQ(traces.size(), 1U);
  EXPECT_EQ(traces[0].crash.top().frames.size(), 2U);
  EXPECT_EQ(traces[0].crash.process, "org.app");
}

TEST(Logcat, ModifiersTogetherGiveTheSameCrash) {
  const std::string lines =
      "FATAL EXCEPTION: main\nProcess: org.app, PID: 2957\njava.lang.Error: x: y\n\tat "
      "org.app.A.f(A.java:1)\n";
  for (const char* prefix :
       {"E/AndroidRuntime(10012: 2957): ", "05-30 11:24:05.803 E/AndroidRuntime(u0_a12: 2957): ",
        "1653910000.123 E/AndroidRuntime( 2957): ", "[ 1653910000.123  2957: 2957 E/AndroidRuntime ]\n",
        "[ 05-30 11:24:05.803 10012:2957: 2957 E/AndroidRuntime ]\n", "E(10012: 2957: 2957) ",
        "05-30 11:24:05.803  10012  2957  2957 E AndroidRuntime: "}) {
    const auto crashes = parse_logcat(prefixed(prefix, lines));
    ASSERT_EQ(crashes.size(), 1U) << prefix;
    EXPECT_EQ(crashes[0].crash.process, "org.app") << prefix;
    EXPECT_EQ(crashes[0].crash.top().type, "java.lang.Error") << prefix;
    EXPECT_EQ(crashes[0].crash.top().message, "x: y") << prefix;
    EXPECT_EQ(crashes[0].crash.top().frames.size(), 1U) << prefix;
  }
}

TEST(Logcat, WhatFollowsAVmDumpIsNotLost) {
  const std::string fatal =
      "05-30 11:24:05.803  2957  2957 E AndroidRuntime: FATAL EXCEPTION: main\n"
      "05-30 11:24:05.803  2957  2957 E AndroidRuntime: Process: org.app, PID: 2957\n"
      "05-30 11:24:05.803  2957  2957 E AndroidRuntime: java.lang.NullPointerException: boom\n"
      "05-30 11:24:05.803  2957  2957 E AndroidRuntime: \tat org.app.Main.a(Main.java:12)\n";
  const std::string pid = "----- pid 1111 at 2022-05-30 11:20:05 -----\n", name = "Cmd line: com.other\n",
                    thread = "\"main\" prio=5 tid=1 Native\n  native: #00 pc 0001 /system/lib/libc.so\n",
                    end = "\n----- end 1111 -----\n";
  const auto told = [](const std::string& text) {
    return prefixed("05-30 11:20:05.803  1111  1112 W dumpstate: ", text);
  };
  for (const std::string& dump : {told(pid + name + thread + end), told(pid + end), told(pid),
                                  told(pid + name + thread), told(pid + name + thread + "\n")}) {
    const auto crashes = parse_logcat(dump + fatal);
    ASSERT_EQ(crashes.size(), 1U) << dump;
    EXPECT_EQ(crashes[0].crash.process, "org.app") << dump;
    EXPECT_EQ(crashes[0].crash.kind, Crash::Kind::exception) << dump;
    EXPECT_EQ(crashes[0].crash.top().type, "java.lang.NullPointerException") << dump;
  }
  // The same without prefixes, where nothing tells one stream from another.
  const auto plain = parse_logcat(pid + name + thread +
                                  "FATAL EXCEPTION: main\nProcess: org.app, PID: 7\njava.lang.Error: x\n"
                                  "\tat org.app.A.f(A.java:1)\n");
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_EQ(plain[0].crash.process, "org.app");
}

TEST(Logcat, AVmDumpIsReadBesideOtherThreads) {
  const std::string dump = "07-01 10:00:00.000  9  9 W art: ",
                    other = "07-01 10:00:00.000  5  5 E AndroidRuntime: ";
  const auto crashes =
      parse_logcat(dump + "----- pid 9 at 2020-07-01 10:00:00 -----\n" + dump + "Cmd line: org.hung\n" +
                   dump + "\"main\" prio=5 tid=1 Blocked\n" + other + "FATAL EXCEPTION: main\n" + other +
                   "Process: org.app, PID: 5\n" + dump + "  at org.hung.Main.f(Main.java:3)\n" + other +
                   "java.lang.Error: x\n" + other + "\tat org.app.A.f(A.java:1)\n" + dump + "\n" + dump +
                   "----- end 9 -----\n");
  ASSERT_EQ(crashes.size(), 2U);
  EXPECT_EQ(crashes[0].crash.process, "org.hung");
  EXPECT_EQ(crashes[0].line, 1U);
  EXPECT_EQ(crashes[0].crash.top().frames.size(), 1U);
  EXPECT_EQ(crashes[1].crash.process, "org.app");
}

TEST(Themis, Lines) {
  const auto found = themis_lines(
      "05-30 11:24:05.803 1 1 I Themis  : Event 3: opened the menu\n"
      "05-30 11:24:05.803 1 1 I Other   : Event 9: not ours\n"
      "05-30 11:24:05.803 1 1 I Themis  : Warning 2: no filter\nI/Themis( 12): Crash!\n");
  using Kind = ThemisLine::Kind;
  const std::vector<ThemisLine> wanted{
      {Kind::event, 3, "opened the menu", 1}, {Kind::warning, 2, "no filter", 3}, {Kind::crash, 0, "", 4}};
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(themis_lines("Event 1\nEvent 2: b\nEvents 3\n").size(), 2U);
}

// ---- real logs ----

/// "AnkiDroid_crash_stack_#4200.txt" -> "AnkiDroid 4200": which bug the file is about.
std::string bug_of(const std::string& file) {
  const std::string app = file.substr(0, file.find('_'));
  const std::string stem = file.substr(0, file.rfind('.'));
  std::size_t digits = stem.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(stem[digits - 1])) != 0) --digits;
  return app + " " + stem.substr(digits);
}

TEST(LogcatReal, EveryFileIsReadQuickly) {
  const auto dir = shared_data("logcat");
  if (!dir) GTEST_SKIP() << "no shared data";
  std::size_t files = 0, with = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*dir)) {
    if (!entry.is_regular_file() || entry.path().filename() == "README.md") continue;
    const auto bytes = read_file(entry.path());
    ASSERT_TRUE(bytes);
    const auto begin = ComputingClock::now();
    const auto crashes = parse_logcat(*bytes);
    EXPECT_TRUE(is_logcat(*bytes)) << entry.path();
    EXPECT_LT(ComputingClock::now() - begin, patience * std::chrono::seconds(1)) << entry.path();
    ++files;
    with += !crashes.empty();
    for (const auto& found : crashes) {
      EXPECT_FALSE(found.crash.chain.empty());
      EXPECT_FALSE(found.crash.top().type.empty()) << entry.path() << ":" << found.line;
      EXPECT_GT(found.line, 0U);
    }
  }
  EXPECT_GE(files, 50U);
  EXPECT_GE(with * 10, files * 9);
}

// Every stack of one bug (other builds, other devices, other days) is one crash; no two bugs share one.
TEST(LogcatReal, SignaturesGroupStacksByBug) {
  const auto dir = shared_data("logcat");
  if (!dir) GTEST_SKIP() << "no shared data";
  std::map<std::string, std::map<std::uint64_t, int>> frames_of, tops_of;
  std::map<std::uint64_t, std::set<std::string>> bugs_by_frames, bugs_by_top;
  for (const char* sub : {"themis", "ddroid"}) {
    for (const auto& entry : std::filesystem::directory_iterator(*dir / sub)) {
      const std::string bug = bug_of(entry.path().filename().string());
      for (const auto& found : parse_logcat(*read_file(entry.path()))) {
        const auto frames = signature(found.crash, Sameness::frames),
                   top = signature(found.crash, Sameness::top_frames);
        ++frames_of[bug][frames];
        ++tops_of[bug][top];
        bugs_by_frames[frames].insert(bug);
        bugs_by_top[top].insert(bug);
      }
    }
  }
  for (const auto& [hash, bugs] : bugs_by_frames)
    EXPECT_EQ(bugs.size(), 1U) << *bugs.begin() << ", " << *bugs.rbegin();
  for (const auto& [hash, bugs] : bugs_by_top)
    EXPECT_EQ(bugs.size(), 1U) << *bugs.begin() << ", " << *bugs.rbegin();
  std::size_t several = 0;
  for (const auto& [bug, hashes] : frames_of) {
    int stacks = 0;
    for (const auto& [hash, n] : hashes) stacks += n;
    if (stacks < 2) continue;
    ++several;
    std::printf("%-34s %2d stacks: %zu by frames, %zu by top-frames\n", bug.c_str(), stacks, hashes.size(),
                tops_of[bug].size());
  }
  EXPECT_GE(several, 5U);
  for (const char* bug :
       {"AnkiDroid 4200", "AnkiDroid 4451", "AnkiDroid 5638", "AnkiDroid 5756", "AnkiDroid 6145"})
    EXPECT_LE(frames_of[bug].size(), 1U) << bug;
}

}  // namespace
}  // namespace norn

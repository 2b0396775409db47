#include "diagnose/labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/rng.h"

namespace norn {
namespace {

struct Got {
  std::vector<Label> codes;
  std::vector<double> seconds;
};

Got parse(std::string_view text, const std::vector<std::string>& labels, const LogOptions& options = {},
          std::uint64_t cuts = 0) {
  Got got;
  const Alphabet alphabet(labels);
  LogParser parser(alphabet, options, [&](const LabelBatch& batch) {
    got.codes.insert(got.codes.end(), batch.codes.begin(), batch.codes.end());
    got.seconds.insert(got.seconds.end(), batch.seconds.begin(), batch.seconds.end());
  });
  Rng rng(cuts);
  while (cuts > 0 && !text.empty()) {
    const std::size_t n = std::min(text.size(), 1 + rng.below(7));
    parser.feed(text.substr(0, n));
    text.remove_prefix(n);
  }
  parser.feed(text);
  parser.finish();
  return got;
}
const std::vector<std::string> abc{"1", "2", "3", "a"};
using Codes = std::vector<Label>;

constexpr std::string_view logcat =
    "--------- beginning of main\r\n"
    "08-12 10:00:00.500  1234  1234 I ActivityManager: Start proc 1234:org.app/u0a1 for activity\r\n"
    "08-12 10:00:01.000  1234  1250 I Themis  : Event 3: opened the menu\r\n"
    "08-12 10:00:02.250  1234  1250 W Themis  : Warning 2: event 1 was not there\r\n"
    "08-12 10:00:02.500   999   999 D Other   : Event 1 of somebody else\r\n"
    "08-12 10:00:03.000  1234  1250 I Themis  : Event 10: the tenth\r\n"
    "08-12 10:00:04.000  1234  1250 I Themis  : Event 7: not in this automaton\r\n"
    "08-12 10:00:05.000  1234  1250 E Themis  : Crash!\r\n"
    "08-12 10:00:06.000  2345  2345 I Themis  : EVENT 1";

TEST(Labels, ReadsHandlerLogs) {
  const Got got = parse(logcat, abc);
  const auto warning = static_cast<Label>(signal::warning + 1);
  EXPECT_EQ(got.codes, (Codes{2, warning, 3, signal::unknown, signal::crash, signal::relaunch, 0}));
  EXPECT_EQ(got.seconds, (std::vector<double>{0.5, 1.75, 2.5, 3.5, 4.5, 5.5, 5.5}));
}

TEST(Labels, ReadsOtherLogcatFormats) {
  EXPECT_EQ(parse("I/Themis  ( 77): Event 1: x\nI/Themis  ( 78): Event 2\n", abc).codes,
            (Codes{0, signal::relaunch, 1}));
  EXPECT_EQ(parse("2023-01-02 03:04:05.678 77-99/org.app I/Themis: Event a: x\n", abc).codes, (Codes{3}));
  EXPECT_EQ(parse("Event 2: raw\nnothing\n  warning 9: no such\nCrash!\nRelaunch\nClean start\n", abc).codes,
            (Codes{1, signal::crash, signal::relaunch, signal::clean_start}));
  EXPECT_EQ(parse("Themis: Event 1\nThemis: Run 2\nThemis: Clean start\nThemis: Relaunch\n", abc).codes,
            (Codes{0, signal::next_run, signal::clean_start, signal::relaunch}));
}

TEST(Labels, ALineIsTheHandlersOnlyByItsOwnTag) {
  const auto line = [](const std::string& tag_and_message) {
    return parse("05-02 11:00:02.000  4000  4000 I " + tag_and_message + "\n", abc).codes;
  };
  EXPECT_EQ(line("Themis  : Event 1: mine"), Codes{0});
  for (const char* other : {"MyThemis: Event 1: a", "Themis2 : Event 1: a",
                            "chatty  : uid=1(Themis) Event 1: expire", "System.err: see Themis: Event 1: no",
                            "Other   : I Themis  : Event 1: y", "Other   : Themis  : not a Crash!"})
    EXPECT_TRUE(line(other).empty()) << other;
  EXPECT_EQ(parse("2024-05-02T11:00:02Z app Themis: Event 1\nTheThemis: Event 2\n", abc).codes, Codes{0});
}

TEST(Labels, ReadsTheFormatsThatPutTheTagElsewhere) {
  const Codes all{0, signal::crash, signal::clean_start, signal::relaunch, signal::next_run, 1};
  const std::vector<std::string> said{"Event 1: did", "Crash!", "Clean start",
                                      "Relaunch",     "Run 2",  "Event 2"};
  std::string process, studio, in_full = "--------- beginning of main\n";
  for (const std::string& message : said) {
    process += "I( 4000) " + message + "  (Themis)\nI( 4000) Event 2  (Other)\n";
    studio += "2023-05-02 11:00:02.000  4000-4000  Themis                  org.x      I  " + message + "\n";
    in_full += "[ 05-02 11:00:02.000  4000: 4000 I/Themis   ]\n" + message +
               "\n\n[ 05-02 11:00:03.000  5: 5 I/Other ]\nEvent 2: of somebody else\n\n";
  }
  EXPECT_EQ(parse(process, abc).codes, all);
  EXPECT_EQ(parse(studio, abc).codes, all);
  EXPECT_EQ(parse(in_full, abc).codes, all);
  EXPECT_EQ(parse(in_full, abc, {}, 5).codes, all);
  // Each line with its time, and lines of another format after them.
  const Got timed = parse(
      "[ 05-02 11:00:02.000  4000: 4000 I/Themis   ]\nEvent 1\n\n[ 05-02 11:00:05.500  4000: 4000 I/Themis   "
      "]\nEvent 2\n\n"
      "[ 05-02 11:00:06.000  5: 5 I/Other ]\nEvent 3\n\n05-02 11:00:08.000  4000  4000 I Themis  : Event 3\n",
      abc);
  EXPECT_EQ(timed.codes, (Codes{0, 1, 2}));
  EXPECT_EQ(timed.seconds, (std::vector<double>{0, 3.5, 6}));
  LogOptions options;
  options.package = "org.app";
  EXPECT_EQ(parse("[ 05-02 11:00:02.000  600: 611 I/ActivityManager ]\nForce stopping org.app appid=1: clear "
                  "data\n\n",
                  abc, options)
                .codes,
            Codes{signal::clean_start});
}

TEST(Labels, AStartOfTheAppAndItsFirstLineAreOneRelaunch) {
  LogOptions options;
  options.package = "org.app";
  for (const char* start : {"Start proc 5:org.app/u0a8 for activity {org.app/.Main}",
                            "Start proc org.app for activity org.app/.Main: pid=5 uid=10086 gids={}"}) {
    const std::string text =
        "08-12 10:00:01.000  4  4 I Themis  : Event 1\n08-12 10:00:01.500  600  611 I ActivityManager: " +
        std::string(start) + "\n08-12 10:00:02.000  5  5 I Themis  : Event 2\n";
    EXPECT_EQ(parse(text, abc, options).codes, (Codes{0, signal::relaunch, 1})) << start;
  }
}

// logcat heads each buffer once: two captures in one file are two runs, and the second has a clock and
// processes of its own.
TEST(Labels, CapturesAfterEachOtherAreRuns) {
  const std::string heads = "--------- beginning of system\n--------- beginning of main\n";
  const std::string event = "08-12 10:00:01.000  1234  1250 I Themis  : Event 1\n";
  const std::string later = "08-12 11:00:02.000  4321  4321 I Themis  : Event 2\n";
  const Got got = parse(heads + event + heads + later, abc);
  EXPECT_EQ(got.codes, (Codes{0, signal::next_run, 1}));
  EXPECT_EQ(parse(heads + event + heads + later, abc, {}, 7).codes, got.codes);
  EXPECT_EQ(got.seconds.back(), 0);
  EXPECT_EQ(parse(heads + event + "--------- beginning of crash\n" + later, abc).codes,
            (Codes{0, signal::relaunch, 1}));
}

TEST(Labels, TheFirstLineNeedNotTellWhatALogIs) {
  EXPECT_EQ(parse("- waiting for device -\n" + std::string(logcat), abc).codes.back(), Label{0});
  EXPECT_EQ(parse("Themis: Event #2: with a sign\nThemis: [Event 1]\n", abc).codes, (Codes{1, 0}));
  EXPECT_EQ(parse("x y\n1 2\n", abc).codes, (Codes{signal::unknown, signal::unknown, 0, 1}));
}

TEST(Labels, TheActivityManagerTellsStarts) {
  constexpr std::string_view text =
      "08-12 10:00:00.500  600  611 I ActivityManager: Force stopping org.app appid=10086 user=0: clear "
      "data\n"
      "08-12 10:00:01.500  600  611 I ActivityManager: Start proc 5:org.app/u0a8 for activity "
      "{org.app/.Main}\n"
      "08-12 10:00:01.500  600  611 I ActivityManager: Start proc 6:com.other/u0a8 for activity "
      "{com.other/.Main}\n";
  EXPECT_EQ(parse(text, abc).codes, (Codes{signal::clean_start}));
  LogOptions options;
  options.package = "org.app";
  EXPECT_EQ(parse(text, abc, options).codes, (Codes{signal::clean_start, signal::relaunch}));
}

TEST(Labels, ReadsPlainLists) {
  EXPECT_EQ(parse("# a run\n1, 2 3\n\na;10 @relaunch @clean 99 # 1 1 1\n@run Crash! @crash", abc).codes,
            (Codes{0, 1, 2, 3, 3, signal::relaunch, signal::clean_start, signal::unknown, signal::next_run,
                   signal::crash, signal::crash}));
  EXPECT_TRUE(parse("", abc).codes.empty());
  EXPECT_EQ(parse("1", abc).codes, Codes{0});
}

// A list may be one line; a chunk of the reader may end anywhere in it.
TEST(Labels, ALineMayBeLong) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += i % 3 == 0 ? "1 " : "2 ";
  const Codes all = parse(text, abc).codes;
  ASSERT_EQ(all.size(), 100'000U);
  EXPECT_EQ(std::ranges::count(all, Label{0}), 33'334);
  for (const std::string& end : {std::string(), std::string("\n3"), "# " + text + "\n3"}) {
    const Codes whole = parse(text + end, abc).codes;
    EXPECT_EQ(whole.size(), all.size() + end.ends_with('3'));
    EXPECT_EQ(parse(text + end, abc, {}, 3).codes, whole);
  }
  const std::string word(200'000, 'x');
  EXPECT_EQ(parse("1 " + word + " 2", abc).codes, parse("1 " + word + " 2", abc, {}, 3).codes);
}

TEST(Labels, TheNumberTenIsItselfWhereItIsALabel) {
  EXPECT_EQ(parse("10 a", {"10", "a"}).codes, (Codes{0, 1}));
  EXPECT_EQ(parse("10 a", {"a"}).codes, (Codes{0, 0}));
  EXPECT_FALSE(Alphabet({"a", "11"}).find("10")) << "labels have more than one character";
  EXPECT_EQ(parse("open-menu 10", {"open-menu"}).codes, (Codes{0, signal::unknown}));
}

// A handler's label is all it says before the colon; a shorter label is none of it.
TEST(Labels, LabelsMayBeSeveralWords) {
  const std::vector<std::string> labels{"log", "log-in", "tap x", "tap", "3"};
  const auto said = [&](const std::string& text) { return parse("I/Themis( 12): " + text, labels).codes; };
  EXPECT_EQ(said("Event log-in: x"), Codes{1});
  EXPECT_EQ(said("Event tap x: y"), Codes{2});
  EXPECT_EQ(said("Event tap x and more"), Codes{2});
  EXPECT_EQ(said("Event tap y: z"), Codes{3});
  EXPECT_EQ(said("Event 3 z"), Codes{4});
  EXPECT_EQ(said("Event log: z"), Codes{0});
  EXPECT_EQ(said("Warning tap x: z"), Codes{static_cast<Label>(signal::warning + 2)});
  for (const char* other : {"Event log-out: x", "Event login: x", "Event 33: x"})
    EXPECT_EQ(said(other), Codes{signal::unknown}) << other;
}

TEST(Labels, PiecesMayBeCutAnywhere) {
  const Got whole = parse(logcat, abc);
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    const Got cut = parse(logcat, abc, {}, seed);
    ASSERT_EQ(cut.codes, whole.codes) << seed;
    ASSERT_EQ(cut.seconds, whole.seconds) << seed;
  }
}

// "\n", "\r\n", "\r\r\n" (adb's), and "\r" alone, whichever the first line ends in.
TEST(Labels, LinesMayEndInReturns) {
  const auto with_ends = [](std::string_view end) {
    std::string out;
    for (const char c : logcat)
      if (c == '\n')
        out += end;
      else if (c != '\r')
        out += c;
    return out;
  };
  const Codes codes = parse(logcat, abc).codes;
  for (const char* end : {"\n", "\r\n", "\r\r\n", "\r"}) {
    EXPECT_EQ(parse(with_ends(end), abc).codes, codes);
    for (std::uint64_t seed = 1; seed < 50; ++seed)
      ASSERT_EQ(parse(with_ends(end), abc, {}, seed).codes, codes) << seed;
  }
  EXPECT_EQ(parse("1\r2\r@relaunch\r", abc).codes, (Codes{0, 1, signal::relaunch}));
  EXPECT_EQ(parse("# 1\r2\r", abc).codes, Codes{1});
}

TEST(Labels, ReadsUtf16) {
  for (const bool big : {false, true})
    for (const bool mark : {false, true}) {
      std::string wide = !mark ? "" : big ? "\xfe\xff" : "\xff\xfe";
      for (const char c : logcat) wide += big ? std::string{'\0', c} : std::string{c, '\0'};
      EXPECT_EQ(parse(wide, abc).codes, parse(logcat, abc).codes) << big << mark;
      EXPECT_EQ(parse(wide, abc, {}, 5).codes, parse(logcat, abc).codes) << big << mark;
    }
  EXPECT_EQ(parse("\xef\xbb\xbf"
                  "1 2",
                  abc)
                .codes,
            (Codes{0, 1}));
}

TEST(Labels, HostileTextIsJustText) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    constexpr std::string_view pieces[] = {
        "Themis", "Event ", "Warning ",         "Crash!",         "\n", "\r", "1", ":", "(", ")",
        "\xff",   " ",      "08-12 10:00:00.5", "ActivityManager"};
    for (std::size_t i = rng.below(200); i > 0; --i)
      text += rng.chance(0.1) ? std::string(1, static_cast<char>(rng.below(256)))
                              : std::string(pieces[rng.below(14)]);
    EXPECT_EQ(parse(text, abc).codes, parse(text, abc, {}, 3).codes) << round;
  }
  // A line that never ends is read up to a limit and costs no memory.
  const std::string endless = "08-12 10:00:01.000 1 1 I Themis: Event 1" + std::string(3'000'000, 'x') +
                              "Themis: Event 2\nThemis: Event 3\n";
  EXPECT_EQ(parse(endless, abc).codes, (Codes{signal::unknown, 2}));
}

TEST(Labels, CrashesByTheirSignature) {
  LogOptions options;
  options.crash_signature = {"NullPointerException", "org.app.Main.onClick"};
  const std::string other =
      "E AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: java.lang.NullPointerException: x\n"
      "E AndroidRuntime: \tat org.app.Other.run(Other.java:1)\n";
  const std::string ours =
      "E AndroidRuntime: FATAL EXCEPTION: main\nE AndroidRuntime: java.lang.NullPointerException: x\n"
      "E AndroidRuntime: \tat org.app.Main.onClick(Main.java:1)\n";
  EXPECT_TRUE(parse(other + "\n", abc, options).codes.empty());
  EXPECT_EQ(parse(other + ours + ours, abc, options).codes, (Codes{signal::crash, signal::crash}));
}

// Each text of a signature must be in one stack: stacks that follow each other, or lie between each other
// line by line, are not taken for one.
TEST(Labels, ACrashIsOneStack) {
  LogOptions options;
  options.crash_signature = {"NullPointerException", "Net.q"};
  const auto said = [&](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return parse(text, abc, options).codes;
  };
  const std::string one = "05-30 11:24:05.803  2957  2957 W System.err: ";
  const std::string two = "05-30 11:24:05.803  2957  3001 W System.err: ";
  const std::string null = "java.lang.NullPointerException: handled", io = "java.io.IOException: other",
                    here = "\tat org.app.Main.a(Main.java:12)", there = "\tat org.app.Net.q(Net.java:99)";
  const Codes none, crash{signal::crash};
  EXPECT_EQ(said({one + null, one + here, one + io, one + there}), none);
  EXPECT_EQ(said({one + null, two + io, one + here, two + there}), none);
  EXPECT_EQ(said({one + null, one + here, one + "Caused by: " + io, one + there}), crash);
  EXPECT_EQ(said({one + io, two + null, one + here, two + there, one + there}), crash);
  EXPECT_EQ(
      said({one + "FATAL EXCEPTION: main", one + "Process: org.app, PID: 2957", one + null, one + there}),
      crash);
  const std::string raw_head = "[ 05-30 11:24:05.803  2957: 2957 W/System.err ]";
  EXPECT_EQ(said({raw_head, null, here, "", raw_head, io, there}), none);
  EXPECT_EQ(said({raw_head, null, "", raw_head, there}), crash);
  EXPECT_EQ(said({"Event 1: raw", null, here, io, there}), Codes{0});
  EXPECT_EQ(said({"Event 1: raw", null, here, there}), (Codes{0, signal::crash}));
  std::vector<std::string> many{one + null};
  for (int i = 0; i < 1000; ++i)
    many.push_back("05-30 11:24:05.803  2957  " + std::to_string(4000 + i) + " W Other: Error");
  EXPECT_EQ(said(many), none);  // of so many writers at once the oldest is forgotten
}

TEST(Labels, MissingFilesAndFoldersAreErrors) {
  const auto sink = [](const LabelBatch&) {};
  const auto missing = read_log("/no/such/file.log", Alphabet(abc), {}, sink);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("/no/such/file.log"), std::string::npos);
  EXPECT_FALSE(read_log("/", Alphabet(abc), {}, sink));
}

}  // namespace
}  // namespace norn

// What holds for all commands: errors in words and as JSON, files that are not overwritten, names that are
// none.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/output.h"
#include "cli/testing.h"
#include "store/store.h"

namespace norn {
namespace {

using testing::norn;
using testing::Said;
using Json = nlohmann::json;

class Cli : public testing::InAFolder {
 protected:
  /// An app whose only button has bytes that are no text, and crashes.
  std::string odd_app() const {
    (void)write_file(at("odd.lua"), R"(app { package = "org.odd", title = "Odd", main = "Main" }
activity "Main" { view = function(self)
  return column { button { "\xff\xfe", on_click = function() error("no \xc3 text") end } }
end })");
    return "sim:" + at("odd.lua");
  }
  void explore() {
    ASSERT_EQ(norn({"explore", "--device", odd_app(), "--events", "20", "--quiet", "--store", store()}).exit,
              1);
  }
};

TEST_F(Cli, WrongUsageIsAnObjectTooWhereOneIsWanted) {
  const std::vector<std::vector<std::string>> wrong{{"frob", "--json"},
                                                    {"apps", "--frob", "--json"},
                                                    {"diagnose", "--json"},
                                                    {"explore", "--budget", "5x", "--json"},
                                                    {"show", std::string("\xff"), "--json"}};
  for (const auto& words : wrong) {
    const Said said = norn(words);
    EXPECT_EQ(said.exit, 2) << words[0];
    const Json object = Json::parse(said.out, nullptr, false);
    ASSERT_TRUE(object.is_object()) << words[0] << ": " << said.out;
    EXPECT_FALSE(object.value("error", "").empty());
    EXPECT_FALSE(said.err.empty());
  }
  EXPECT_EQ(norn({"apps", "--frob"}).out, "");
}

TEST_F(Cli, ATraceThatWasCutOffIsSaidByWhoeverReadsIt) {
  const std::string cut = at("cut.jsonl");
  ASSERT_TRUE(
      write_file(cut, "{\"norn\":\"trace\",\"version\":1}\n{\"event\":{\"kind\":\"key\",\"code\":66}}\n"));
  const std::vector<std::vector<std::string>> commands{{"replay", cut},
                                                       {"reduce", cut},
                                                       {"suite", cut},
                                                       {"explore", "--events", "20", "--seed-traces", cut},
                                                       {"suite", "--keep", cut}};
  for (auto words : commands) {
    words.insert(words.end(), {"--device", odd_app(), "--store", store()});
    const Said said = norn(words);
    EXPECT_TRUE(said.has("warning: ") && said.has("cut.jsonl")) << words[0] << said.err;
  }
}

TEST_F(Cli, NumbersOutOfTheirRangeAreRefused) {
  const std::vector<std::vector<std::string>> wrong{
      {"learn", "--repeats", "0"},         {"learn", "--repeats", "4294967296"},
      {"learn", "--walks", "4294967296"},  {"detect", "--inputs", "0"},
      {"detect", "--false-share", "7"},    {"detect", "--habit", "-1"},
      {"detect", "--repeats", "0"},        {"suite", "--repeats", "1001"},
      {"replay", "--times", "4294967297"}, {"replay", "--repeats", "100001"},
      {"reduce", "--repeats", "0"},        {"reduce", "--jobs", "65"},
      {"explore", "--easy", "1.5"}};
  explore();
  for (auto words : wrong) {
    const std::string option = words[1];
    if (words[0] == "learn") words.insert(words.end(), {"--out", at("bug.jff")});
    if (words[0] != "detect" && words[0] != "explore") words.push_back("c1");
    words.insert(words.end(), {"--device", odd_app(), "--store", store()});
    const Said said = norn(words);
    EXPECT_EQ(said.exit, 2) << words[0] << said.out;
    EXPECT_TRUE(said.has(option + " takes ")) << words[0] << said.err;
  }
}

TEST_F(Cli, BytesThatAreNoTextDoNotEndACommand) {
  explore();
  const std::vector<std::vector<std::string>> commands{{"show", "c1"},   {"show", "r1"},   {"runs"},
                                                       {"export", "c1"}, {"replay", "c1"}, {"reduce", "c1"}};
  for (auto words : commands) {
    words.insert(words.end(), {"--json", "--store", store()});
    const Said said = norn(words);
    EXPECT_EQ(said.exit, 0) << words[0] << said.err;
    EXPECT_TRUE(Json::accept(said.out)) << words[0];
  }
}

TEST_F(Cli, NothingIsOverwrittenWithoutForce) {
  explore();
  ASSERT_TRUE(write_file(at("kept"), "mine"));
  const std::vector<std::vector<std::string>> commands{{"export", "c1", "--out"},
                                                       {"reduce", "c1", "--out"},
                                                       {"learn", "c1", "--out"},
                                                       {"show", "r1", "--graph"},
                                                       {"record", "--device", odd_app(), "--out"},
                                                       {"detect", "--device", odd_app(), "--reports"}};
  for (auto words : commands) {
    const std::string long_name(5000, 'a');
    for (const std::string& file : {at("kept"), at("none/x"), long_name + "/x"}) {
      auto with = words;
      with.insert(with.end(), {file, "--store", store(), "--quiet"});
      const Said said = norn(with);
      EXPECT_TRUE(said.exit == 2 || said.exit == 3) << words[0] << " " << said.exit;
      EXPECT_EQ(said.out, "") << words[0] << ": nothing is done first";
    }
  }
  EXPECT_EQ(read_file(at("kept")).value(), "mine");
}

TEST_F(Cli, AnIdIsANumberInReach) {
  explore();
  EXPECT_EQ(norn({"show", "r1", "--store", store()}).exit, 0);
  EXPECT_EQ(norn({"show", "r4294967297", "--store", store()}).exit, 2);
  EXPECT_EQ(norn({"show", "r-1", "--store", store()}).exit, 2);
  EXPECT_TRUE(norn({"show", "c1", "--graph", at("g.dot"), "--store", store()}).has("is no run"));
}

TEST_F(Cli, ANumberIsOneOrIsRefused) {
  for (const std::string wrong : {"-1", "18446744073709551616", "1.5", "three", "0x10", ""}) {
    const Said said = norn({"explore", "--device", "sim:tips", "--store", store(), "--seed=" + wrong});
    EXPECT_EQ(said.exit, 2) << wrong;
    EXPECT_NE(said.err.find("--seed"), std::string::npos) << said.err;
  }
  for (const std::string wrong : {"nan", "inf", "1e999", "half"})
    EXPECT_EQ(norn({"detect", "--device", "sim:tips", "--store", store(), "--habit=" + wrong}).exit, 2)
        << wrong;
  EXPECT_FALSE(std::filesystem::exists(store()));
}

TEST_F(Cli, PropertiesAreReadBeforeAnythingRunsAndCounted) {
  const auto detect = [&](const std::string& oracle) {
    return norn({"detect", "--device", "sim:tips", "--budget", "5m", "--oracle", oracle, "--store", store()});
  };
  const auto file = [&](const std::string& text) {
    EXPECT_TRUE(write_file(at("mine.txt"), text));
    return detect(at("mine.txt"));
  };
  EXPECT_TRUE(file("hello\n").has("mine.txt:1: nothing follows"));
  EXPECT_TRUE(file("when sunny\nthen tap\nexpect in-app\n").has("mine.txt:1: \"sunny\" is not understood"));
  EXPECT_TRUE(file("when unchanged\nthen tap\nexpect in-app\n").has("\"unchanged\" is not understood"));
  EXPECT_TRUE(file("# nothing\n").has("holds no property"));
  EXPECT_EQ(file("").exit, 2);
  EXPECT_TRUE(detect("nuetral").has("did you mean neutral?"));
  const Said own = norn({"detect", "--device", "sim:notes", "--strategy", "exec:x", "--store", store()});
  EXPECT_TRUE(own.has("there is no such strategy (one of norn, ")) << own.err;
  EXPECT_FALSE(own.has("or exec:CMD")) << own.err;
  EXPECT_FALSE(is_there(store()));
  const Said tried =
      file("when anywhere\nthen tap\nexpect in-app\n\nwhen activity Nope\nthen tap\nexpect in-app\n");
  EXPECT_TRUE(tried.shows("mine.txt:1: tried on ")) << tried.out;
  EXPECT_TRUE(tried.shows("mine.txt:5: never tried")) << tried.out;
}

TEST_F(Cli, TooLittleTimeToExploreIsNoAnswer) {
  const Said said = norn({"detect", "--device", "sim:notes", "--budget", "1s", "--store", store()});
  EXPECT_EQ(said.exit, 4) << said.out << said.err;
}

TEST_F(Cli, GcMakesNoStore) {
  EXPECT_EQ(norn({"gc", "--store", store()}).exit, 2);
  EXPECT_FALSE(is_there(store()));
}

TEST_F(Cli, ADamagedStoreIsSavedAsItsErrorSays) {
  explore();
  const std::string whole = read_file(store()).value();
  ASSERT_TRUE(write_file(at("cut.db"), whole.substr(0, whole.size() * 2 / 3)));
  EXPECT_TRUE(norn({"runs", "--store", at("cut.db")}).has("norn gc --salvage NEW.db"));
  const Said saved = norn({"gc", "--store", at("cut.db"), "--salvage", at("new.db")});
  EXPECT_EQ(saved.exit, 0) << saved.err;
  EXPECT_TRUE(saved.shows("wrote " + at("new.db"))) << saved.out;
  EXPECT_EQ(norn({"runs", "--store", at("new.db")}).exit, 0);
  EXPECT_TRUE(norn({"gc", "--store", at("cut.db"), "--salvage", at("new.db")}).has("is there already"));
}

TEST_F(Cli, ATraceThatWasCutOffIsSaidToBe) {
  ASSERT_TRUE(write_file(at("cut.jsonl"),
                         "{\"norn\":\"trace\",\"version\":1}\n{\"kind\":\"key\",\"code\":4}\n{\"ki"));
  EXPECT_TRUE(norn({"show", at("cut.jsonl")}).has("line 3 is no JSON"));
  EXPECT_TRUE(norn({"replay", at("cut.jsonl"), "--device", odd_app(), "--store", store()}).has("cut off"));
  ASSERT_TRUE(write_file(at("odd.jsonl"), "{\"norn\":\"trace\",\"version\":1}\n{\"kind\":\"fly\"}\n"));
  EXPECT_TRUE(norn({"show", at("odd.jsonl")}).has("line 2: there is no kind of event"));
}

// A trace in which no crash was recorded does not replay where it crashes, and both outputs say how.
TEST_F(Cli, ACrashSeenInsteadIsInTheJsonToo) {
  ASSERT_TRUE(write_file(at("t.jsonl"),
                         "{\"norn\":\"trace\",\"version\":1}\n"
                         "{\"kind\":\"tap\",\"target\":{\"class\":\"android.widget.Button\"}}\n"
                         "{\"kind\":\"key\",\"code\":4}\n"));
  const std::vector<std::string> replay{"replay", at("t.jsonl"), "--device", odd_app(), "--store", store()};
  const Said text = norn(replay);
  EXPECT_EQ(text.exit, 1) << text.out;
  EXPECT_TRUE(text.shows("seen instead: RuntimeException")) << text.out;
  auto with_json = replay;
  with_json.push_back("--json");
  const auto json = nlohmann::json::parse(norn(with_json).out);
  ASSERT_TRUE(json["seen_instead"].is_string()) << json;
  EXPECT_TRUE(text.shows("seen instead: " + json["seen_instead"].get<std::string>()));
}

/// Standard input from a file for as long as it lives.
class From {
 public:
  explicit From(const std::string& file) : kept_(::dup(STDIN_FILENO)) {
    take(::open(file.c_str(), O_RDONLY));
  }
  ~From() { take(kept_); }

 private:
  static void take(int fd) {
    if (fd < 0) return;
    ::dup2(fd, STDIN_FILENO);
    ::close(fd);
  }
  int kept_;
};

TEST_F(Cli, APersonMayAnswerInWordsOrNumbers) {
  ASSERT_TRUE(write_file(at("keys"), "frob\ntap nowhere\ntap 540,10\nrotate 1\nb\nq\n"));
  const From keys(at("keys"));
  const Said said =
      norn({"record", "--device", "sim:notes", "--store", store(), "--json", "--out", at("r.jsonl")});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(Json::parse(said.out)["events"], 3);
  EXPECT_TRUE(said.has("there is no such widget"));
  EXPECT_TRUE(norn({"show", at("r.jsonl")}).shows("tap (540,10)"));
}

TEST_F(Cli, WhatIsNoEventIsNotRecorded) {
  ASSERT_TRUE(write_file(at("keys"), "r 7\nw abc\nt 2 x\n999\ntap 5000,9000\n"));
  const From keys(at("keys"));
  const Said said = norn({"record", "--device", "sim:notes", "--store", store()});
  EXPECT_TRUE(said.has("there is no widget 999")) << said.err;
  EXPECT_TRUE(said.has("the screen ends at")) << said.err;
  EXPECT_TRUE(said.shows("nothing was recorded")) << said.out;
  EXPECT_TRUE(norn({"show", "t1", "--store", store()}).has("there is no")) << "no empty trace was kept";
}

TEST_F(Cli, ASuiteIsShownAndFoundByItsName) {
  explore();
  ASSERT_EQ(
      norn({"suite", "--device", odd_app(), "--name", "the odd one", "--quiet", "--store", store()}).exit, 0);
  EXPECT_TRUE(norn({"show", "s1", "--store", store()}).shows("\"the odd one\""));
  EXPECT_EQ(norn({"replay", "--suite", "the odd one", "--store", store()}).exit, 0);
  EXPECT_TRUE(norn({"replay", "--suite", "another", "--store", store()}).has("is no suite"));
}

TEST_F(Cli, TheStoreIsNoPlaceForAResult) {
  explore();
  const std::vector<std::vector<std::string>> commands{
      {"export", "c1", "--out", store()},
      {"reduce", "c1", "--out", store()},
      {"record", "--device", odd_app(), "--out", store()},
      {"detect", "--device", odd_app(), "--reports", store()}};
  for (auto words : commands) {
    words.insert(words.end(), {"--force", "--store", store()});
    const Said said = norn(words);
    EXPECT_EQ(said.exit, 2) << words[0] << said.out;
    EXPECT_TRUE(said.has("is a database, as stores are")) << words[0] << said.err;
  }
  ASSERT_EQ(norn({"export", "c1", "--out", at("c1.jsonl"), "--store", store()}).exit, 0);
  const std::string fresh = at("fresh.db");
  EXPECT_EQ(norn({"reduce", at("c1.jsonl"), "--device", odd_app(), "--out", fresh, "--store", fresh}).exit,
            2);
  EXPECT_EQ(norn({"runs", "--store", fresh}).exit, 0) << "made after the question whether it may be written";
}

TEST_F(Cli, OfARunThatWasKilledTheStepsAreTold) {
  explore();
  {
    const auto open = Store::open(store(), Access::write, "test").value();
    const AppId app = open->runs().value().front().app;
    const auto tree = open->load(app).value();
    const RunId run = open->begin_run(app, "norn explore", {}).value();
    ASSERT_TRUE(open->append(app, run, *tree, tree->append_root(Observation{}, Heat::cold), 12));
  }
  const Said said = norn({"show", "r2", "--store", store()});
  EXPECT_TRUE(said.shows("not finished: 1 step and 12.0 s of device time")) << said.out;
  EXPECT_FALSE(said.has("0 runs, 0 events")) << said.out;
  EXPECT_EQ(Json::parse(norn({"show", "r2", "--json", "--store", store()}).out)["unfinished"]["steps"], 1);
  EXPECT_TRUE(Json::parse(norn({"show", "r1", "--json", "--store", store()}).out)["unfinished"].is_null());
}

TEST_F(Cli, TheLiveLineFitsTheTerminal) {
  const winsize narrow{.ws_row = 24, .ws_col = 40, .ws_xpixel = 0, .ws_ypixel = 0};
  int master = -1, terminal = -1;
  ASSERT_EQ(::openpty(&master, &terminal, nullptr, nullptr, &narrow), 0);
  const int usual = ::dup(STDERR_FILENO);
  ASSERT_TRUE(terminal >= 0 && usual >= 0);
  ::dup2(terminal, STDERR_FILENO);
  cli::StreamOutput().status(std::string(200, 'x'));
  ::dup2(usual, STDERR_FILENO);
  char shown[512];
  const auto size = ::read(master, shown, sizeof shown);
  ASSERT_GT(size, 0);
  EXPECT_EQ(std::ranges::count(shown, shown + size, 'x'), 36) << "and the mark of what was cut";
  for (const int fd : {master, terminal, usual}) ::close(fd);
}

TEST_F(Cli, HelpOnACommandIsItsHelp) {
  EXPECT_EQ(norn({"help", "explore"}).out, norn({"explore", "--help"}).out);
  EXPECT_TRUE(norn({"help", "explor"}).has("did you mean 'explore'?"));
}

TEST_F(Cli, AGraphIsWrittenWhereItsNameSaysSo) {
  explore();
  const Said png = norn({"show", "r1", "--graph", at("g.png"), "--store", store()});
  EXPECT_EQ(png.exit, 2);
  EXPECT_TRUE(png.has("ends in .svg (drawn), .dot or .gv")) << png.err;
  EXPECT_EQ(norn({"show", "r1", "--graph", at("g.dot"), "--store", store()}).exit, 0);
  EXPECT_TRUE(is_there(at("g.dot")));
}

TEST_F(Cli, AFolderIsNoStoreAndLeavesNoLock) {
  EXPECT_EQ(norn({"runs", "--store", at("")}).exit, 2);
  EXPECT_EQ(norn({"explore", "--device", "sim:tips", "--budget", "1m", "--store", at(".")}).exit, 2);
  EXPECT_FALSE(is_there(at(".-lock")));
}

TEST_F(Cli, AnEventInWordsIsTakenWithAllOfThem) {
  ASSERT_TRUE(write_file(at("keys"), "launch Cart\nsystem locale value=de_DE\nlaunch\nq\n"));
  const From keys(at("keys"));
  const Said said = norn({"record", "--device", "sim:shop", "--store", store(), "--out", at("r.jsonl")});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Said shown = norn({"show", at("r.jsonl")});
  EXPECT_TRUE(shown.shows("launch Cart")) << shown.out;
  EXPECT_TRUE(shown.shows("system locale value=\"de_DE\"")) << shown.out;
}

}  // namespace
}  // namespace norn

#include "diagnose/learn/learn.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/benchmark_plan.h"
#include "cli/bug_events.h"
#include "cli/testing.h"
#include "diagnose/automaton.h"
#include "diagnose/events.h"
#include "formats/jflap.h"
#include "formats/trace_json.h"
#include "store/store.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class LearnCommand : public testing::InAFolder {
 protected:
  void SetUp() override {
    InAFolder::SetUp();
    Trace trace;
    for (const char* id : {"new_notebook", "notebook_row", "menu", "filter_locked", "leave"}) {
      Tap tap;
      tap.target.id = std::string("org.norn.notes:id/") + id;
      trace.steps.push_back({tap, {}});
    }
    ASSERT_TRUE(write_file(at("trace.jsonl"), write_trace(trace)));
  }

  Said learn(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"learn", at("trace.jsonl"), "--device", "sim:notes", "--out", at("bug.jff"),
                               "--store", at("norn.db"), "--walks", "30", "--json"});
    return norn(std::move(more));
  }
};

constexpr std::string_view seldom_app = R"(
app { package = "org.t.seldom", title = "Seldom", main = "Main", bugs = { "b" } }
activity "Main" {
  create = function(self) self.armed = false end,
  view = function(self) return column { toolbar { "Seldom" },
    button { "Arm", id = "arm", on_click = function() self.armed = true end },
    button { "Disarm", id = "disarm", on_click = function() self.armed = false end },
    button { "Fire", id = "fire", on_click = function()
      if self.armed and bug("b") and chance("x") then local nothing = nil; nothing.z = 1 end
    end } } end }
)";

class SeldomCrash : public testing::InAFolder {
 protected:
  void SetUp() override {
    InAFolder::SetUp();
    Trace trace;
    for (const char* id : {"arm", "fire"}) {
      Tap tap;
      tap.target.id = std::string("org.t.seldom:id/") + id;
      trace.steps.push_back({tap, {}});
    }
    ASSERT_TRUE(write_file(at("seldom.jsonl"), write_trace(trace)) &&
                write_file(at("seldom.lua"), seldom_app));
  }
  std::string device() const { return "sim:" + at("seldom.lua"); }
  /// A crash that comes in so many of the runs.
  Said learn(const std::string& rate, std::vector<std::string> more = {"--walks", "0"}) {
    more.insert(more.begin(), {"learn", at("seldom.jsonl"), "--device", device() + "?flaky=" + rate, "--out",
                               at("s.jff"), "--joins", "0", "--store", at(rate + "a.db")});
    return norn(std::move(more));
  }
  Said check(const std::string& options, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"learn", "--check", at("s.jff"), "--device", device() + options, "--store",
                               at(options + ".db")});
    return norn(std::move(more));
  }
};

// A crash that comes seldom stays away from single runs, so that no way seems open any more.
TEST_F(SeldomCrash, AFixIsCheckedAsOftenAsItWants) {
  const Said learned = learn("0.15");
  ASSERT_TRUE(learned.has("of the runs: each word was run as often as that wants"))
      << learned.out << learned.err;
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const Said said = check("?flaky=0.15&seed=" + std::string(seed));
    EXPECT_EQ(said.exit, 1) << said.out;
    EXPECT_TRUE(said.shows("each was run as often as a crash that comes in")) << said.out;
  }
  const Said mended = check("?flaky=0.15&bugs=none");
  EXPECT_EQ(mended.exit, 0) << mended.out;
  EXPECT_TRUE(mended.shows("ways closed")) << mended.out;
  EXPECT_TRUE(mended.shows("or more would have shown with 95 %")) << mended.out;
}

// What comes by chance is validated as often as that wants: else a right automaton looks wrong in every other
// way.
TEST_F(SeldomCrash, ItsAutomatonIsValidatedAsOftenAsItWants) {
  for (const char* seed : {"2", "3"}) {
    const Said said = learn("0.5&seed=" + std::string(seed), {"--walks", "30", "--force"});
    EXPECT_EQ(said.exit, 0) << said.out;
    EXPECT_TRUE(said.shows("30 of 30 ways through it crashed")) << said.out;
    EXPECT_TRUE(said.shows("W-method       33 of 33")) << said.out;
    EXPECT_FALSE(said.shows("a crashing trace is not accepted")) << said.out;
  }
}

// A trace that crashed in its very first run may have done so by chance.
TEST_F(SeldomCrash, ItsRateIsMeasuredWhereItCameAtOnce) {
  for (const char* seed : {"2", "4"}) {
    const Said said = learn("0.5&seed=" + std::string(seed), {"--as-is", "--walks", "30", "--force"});
    EXPECT_TRUE(said.shows("the crash comes in")) << said.out;
    EXPECT_TRUE(said.shows("30 of 30 ways through it crashed")) << said.out;
    EXPECT_TRUE(read_file(at("s.events.json")).value().contains("\"rate\"")) << said.out;
  }
}

// A fix that makes the crash rarer is none: a way that crashed in one run of many is open.
TEST_F(SeldomCrash, AFixThatMakesItRarerClosesNothing) {
  ASSERT_TRUE(learn("0.5").has("of the runs: each word was run as often as that wants"));
  for (const char* seed : {"1", "2", "3"}) {
    const Said said = check("?flaky=0.1&seed=" + std::string(seed), {"--json"});
    ASSERT_EQ(said.exit, 1) << said.out;
    const Json json = Json::parse(said.out);
    EXPECT_EQ(json["closed"].get<std::size_t>() + json["open"].size(), json["ways"]) << json;
    EXPECT_GT(2 * json["open"].size(), json["ways"]) << json;
    for (const Json& way : json["open"]) {
      EXPECT_GE(way["crashed"], 1);
      EXPECT_GE(way["runs"], way["crashed"]);
    }
    EXPECT_TRUE(json["closed"] == 0 || json["rate_ruled_out"] <= 0.2) << json;
  }
  const Said spent = check("?flaky=0.1&seed=9", {"--budget", "5m"});
  EXPECT_TRUE(spent.shows(" not tried")) << spent.out << spent.err;
  const Said rarer = check("?flaky=0.3");
  EXPECT_TRUE(rarer.shows("0 of ")) << rarer.out;
  EXPECT_TRUE(rarer.shows(" runs): 1 2")) << rarer.out;
}

// A crash of the store stands for its shortest trace, not for the walk that found it.
TEST_F(LearnCommand, ACrashIsDiagnosedByItsShortestTrace) {
  const std::string store = at("norn.db");
  const std::vector<std::string> walk{"explore", "--device", "sim:tips", "--strategy", "random",  "--seed",
                                      "3",       "--budget", "20m",      "--quiet",    "--store", store};
  ASSERT_EQ(norn(walk).exit, 1);
  ASSERT_EQ(norn({"learn", "c1", "--store", store, "--out", at("tips.jff"), "--joins", "0", "--walks", "0",
                  "--quiet"})
                .exit,
            0);
  const auto steps = [&](const std::string& trace) {
    const Said said = norn(
        {"diagnose", at("tips.jff"), trace, "--events", at("tips.events.json"), "--store", store, "--json"});
    EXPECT_EQ(said.exit, 0) << said.err;
    const Json run = Json::parse(said.out)["runs"][0];
    EXPECT_EQ(run["found"], true);
    EXPECT_EQ(run["md"], 0);
    EXPECT_EQ(run["md_read"], 0);
    return run["total_events"].get<std::size_t>() + run["other_events"].get<std::size_t>();
  };
  const auto opened = Store::open(store, Access::read);
  ASSERT_TRUE(opened) << opened.error().message();
  const FoundInfo found = (*opened)->crash(FoundId{1}).value();
  const auto tree = (*opened)->load(found.app).value();
  ASSERT_LT(tree->depth(found.shortest), tree->depth(found.node));  // else this shows nothing
  EXPECT_EQ(steps("c1"), tree->depth(found.shortest));
}

TEST_F(LearnCommand, LearnsWritesAndChecksAFix) {
  const Said said = learn();
  ASSERT_EQ(said.exit, 0) << said.err << said.out;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["automaton"], at("bug.jff"));
  EXPECT_GT(json["states"], 5);
  EXPECT_LT(json["states"], json["machine"]["states"]);
  EXPECT_EQ(json["unproven"], 0);
  EXPECT_EQ(json["precision"][0], json["precision"][1]);
  EXPECT_GE(json["precision"][1], 30);
  EXPECT_EQ(json["non_crashing"][1], 30);
  EXPECT_EQ(json["non_crashing_read"][1], 30);
  EXPECT_EQ(json["completeness_read"][1], json["completeness"][1]);
  EXPECT_TRUE(json.contains("effort"));

  const auto bug = cli::load_bug(at("bug.jff"), {});
  ASSERT_TRUE(bug) << bug.error().message();
  EXPECT_EQ(bug->nfa.transitions.size(), json["machine"]["transitions"]);
  const auto drawn = read_jflap(*read_file(at("bug.jff")), "bug");
  ASSERT_TRUE(drawn);
  EXPECT_EQ(drawn->automaton.transitions.size(), json["transitions"]);
  EXPECT_FALSE(difference(drawn->automaton, bug->nfa, OnRelaunch::automatic).value());
  EXPECT_EQ(cli::write_bug_events(*bug, "org.norn.notes"), *read_file(at("bug.events.json")));
  const auto matchers = read_event_file(*read_file(at("bug.events.json")), "bug");
  ASSERT_TRUE(matchers);
  EXPECT_EQ(matchers->patterns.size(), 5U);

  // What the trace alone tells, for comparison with what a person would draw from it.
  EXPECT_EQ(json["trace"]["automaton"], at("bug.trace.jff"));
  EXPECT_EQ(json["trace"]["complete"], true);
  EXPECT_EQ(json["trace"]["precision"][0], json["trace"]["precision"][1]);
  const auto alone = cli::load_bug(at("bug.trace.jff"), {});
  ASSERT_TRUE(alone) << alone.error().message();
  EXPECT_EQ(alone->nfa.states.size(), json["trace"]["machine"]["states"]);
  double sum = 0;
  for (const auto& [part, seconds] : json["device_seconds"].items()) sum += seconds.get<double>();
  const double all = json["effort"]["device_seconds"].get<double>();
  EXPECT_LE(sum, all + 1);
  EXPECT_GE(sum, 0.9 * all);  // what is left is the reducer's

  const Said fixed = norn({"learn", "--check", at("bug.jff"), "--device", "sim:notes?bugs=none", "--store",
                           at("norn.db"), "--ways", "40", "--json"});
  EXPECT_EQ(fixed.exit, 0) << fixed.err;
  EXPECT_EQ(Json::parse(fixed.out)["closed"], Json::parse(fixed.out)["ways"]);
  const Said open = norn({"learn", "--check", at("bug.jff"), "--device", "sim:notes", "--store",
                          at("norn.db"), "--ways", "40", "--json"});
  EXPECT_EQ(open.exit, 1);
  const Said elsewhere =
      norn({"learn", "--check", at("bug.jff"), "--device", "sim:tips", "--store", at("norn.db")});
  EXPECT_EQ(elsewhere.exit, 4);
  EXPECT_TRUE(elsewhere.shows("nothing was tried")) << elsewhere.out;
  EXPECT_EQ(Json::parse(open.out)["open"].size(), Json::parse(open.out)["ways"]);

  ASSERT_TRUE(write_file(at("broken.lua"),
                         "app { package = \"org.norn.notes\", title = \"x\", main = \"Main\" }\n"
                         "activity \"Main\" { view = function() throw(\"java.lang.Error\", \"x\") end }\n"));
  const std::string broken = "sim:" + at("broken.lua");
  const Said never =
      norn({"learn", "--check", at("bug.jff"), "--device", broken, "--store", at("broken.db")});
  EXPECT_EQ(never.exit, 4) << never.out;
  EXPECT_TRUE(never.shows("the app crashes when it is started")) << never.out;
  EXPECT_FALSE(never.shows("open:")) << never.out;
  EXPECT_TRUE(norn({"runs", "--store", at("broken.db")}).shows("not tried"));

  EXPECT_EQ(learn().exit, 2);  // nothing is overwritten

  // What the store holds by then was learned from: completeness is measured on walks that it does not hold.
  const Said again = learn({"--force"});
  ASSERT_EQ(again.exit, 0) << again.err;
  EXPECT_GT(Json::parse(again.out)["completeness"][1], 0);
}

// What is not validated or not complete says so where the result is, whatever is asked to be quiet.
TEST_F(LearnCommand, NothingUnvalidatedWithoutSayingSo) {
  const auto learn_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"learn", at("trace.jsonl"), "--device", "sim:notes", "--out", at("bug.jff"),
                               "--store", store(), "--joins", "0", "--force", "--quiet"});
    return norn(std::move(more));
  };
  const Said spent = learn_with({"--budget", "5m"});
  EXPECT_EQ(spent.exit, 4);
  EXPECT_TRUE(spent.shows("not complete") && spent.shows("not validated: stopped")) << spent.out;
  EXPECT_FALSE(spent.shows("0 of 0")) << spent.out;
  EXPECT_TRUE(learn_with({"--walks", "0"}).shows("not validated: --walks"));
  const Said small = learn_with({"--states", "3", "--json"});
  EXPECT_EQ(small.exit, 4);
  EXPECT_EQ(Json::parse(small.out)["device_seconds"]["validation"], 0) << "nothing to validate";
  EXPECT_TRUE(learn_with({"--states", "3"}).shows("not validated: it knows no way to the crash"));
}

TEST_F(LearnCommand, BenchmarksGoOnWhereTheyStopped) {
  ASSERT_EQ(learn().exit, 0);
  ASSERT_TRUE(write_file(at("plan.toml"),
                         "strategies = [\"monkey\", \"norn\"]\nrepeats = 2\nbudget = \"15m\"\n"
                         "[[bug]]\nname = \"locked\"\ndevice = \"sim:notes\"\nautomaton = \"bug.jff\"\n"));
  const Said first = norn({"benchmark", at("plan.toml"), "--json"});
  ASSERT_EQ(first.exit, 0) << first.err;
  const Json json = Json::parse(first.out);
  EXPECT_EQ(json["cells"], 4);
  EXPECT_EQ(json["runs"].size(), 4U);
  ASSERT_EQ(json["tools"].size(), 2U);
  for (const Json& tool : json["tools"]) {
    EXPECT_EQ(tool["runs"], 2);
    EXPECT_EQ(tool["found"] == 0, tool["time_to_bug_s"].is_null());
    EXPECT_GT(tool["union"]["ec"][0], 0) << tool;
  }
  EXPECT_GT(json["effort"]["events"], 0);

  const auto some = fs::directory_iterator(at("plan.results"))->path();
  fs::remove(some);
  const Said second = norn({"benchmark", at("plan.toml"), "--json", "--against", at("plan.results")});
  ASSERT_EQ(second.exit, 0) << second.err;
  const Json again = Json::parse(second.out);
  EXPECT_EQ(again["runs"], json["runs"]);  // the missing run was made again, and came out the same
  EXPECT_LT(again["effort"]["events"], json["effort"]["events"]);
  for (const Json& tool : again["against"]) EXPECT_EQ(tool["verdict"], "the same");
}

class BenchmarkCommand : public LearnCommand {
 protected:
  void SetUp() override {
    LearnCommand::SetUp();
    ASSERT_EQ(norn({"learn", at("trace.jsonl"), "--device", "sim:notes", "--out", at("bug.jff"), "--store",
                    store(), "--joins", "0", "--walks", "0", "--quiet"})
                  .exit,
              0);
  }
  Said run(const std::string& strategies, const std::string& budget, std::vector<std::string> more = {}) {
    EXPECT_TRUE(
        write_file(at("plan.toml"), "strategies = [" + strategies + "]\nrepeats = 1\nbudget = \"" + budget +
                                        "\"\n[[bug]]\ndevice = \"sim:notes\"\nautomaton = \"bug.jff\"\n"));
    more.insert(more.begin(), {"benchmark", at("plan.toml")});
    return norn(std::move(more));
  }
};

TEST_F(BenchmarkCommand, RunsOfAnotherLengthAreNotMixed) {
  ASSERT_EQ(run("\"monkey\"", "5m").exit, 0);
  fs::copy(at("plan.results"), at("old"));
  const Said longer = run("\"monkey\"", "6m", {"--json", "--against", at("old")});
  ASSERT_EQ(longer.exit, 0) << longer.err;
  EXPECT_EQ(Json::parse(longer.out)["cells"], 1);
  EXPECT_TRUE(longer.has("the plan asks for no such run")) << longer.err;
  EXPECT_TRUE(longer.has("its runs had 5m 00s each, these 6m 00s")) << longer.err;
}

// What was found out about one version stays known when the next is tried.
TEST_F(BenchmarkCommand, RunsOfAnotherAutomatonAreKept) {
  ASSERT_EQ(run("\"monkey\"", "5m").exit, 0);
  const auto file = fs::directory_iterator(at("plan.results"))->path();
  const std::string before = read_file(file).value();
  std::string events = read_file(at("bug.events.json")).value();
  ASSERT_TRUE(write_file(at("bug.events.json"), events + "\n"));
  const Said again = run("\"monkey\"", "5m", {"--json"});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(again.has("kept as")) << again.err;
  EXPECT_EQ(Json::parse(again.out)["cells"], 1) << "the new one";
  EXPECT_NE(read_file(file).value(), before);
  const auto kept = fs::directory_iterator(at("plan.results/older"))->path();
  EXPECT_EQ(read_file(kept).value(), before);
}

TEST_F(BenchmarkCommand, WhatWasCutOffIsNamed) {
  ASSERT_EQ(run("\"monkey\"", "5m").exit, 0);
  fs::copy(at("plan.results"), at("old"));
  const auto file = fs::directory_iterator(at("old"))->path();
  ASSERT_TRUE(write_file(at("old/b.json"), read_file(file).value().substr(0, 200)));
  EXPECT_TRUE(run("\"monkey\"", "5m", {"--against", at("old")}).has("b.json: left out"));
}

TEST_F(BenchmarkCommand, RowsAreInThePlansOrder) {
  const Json json = Json::parse(run("\"norn\", \"monkey\"", "5m", {"--json"}).out);
  ASSERT_EQ(json["tools"].size(), 2U);
  EXPECT_EQ(json["tools"][0]["tool"], "norn");
  EXPECT_EQ(json["runs"][0]["tool"], "norn");
}

TEST_F(BenchmarkCommand, TheAutomatonOfAnotherAppIsToldOf) {
  ASSERT_TRUE(write_file(at("plan.toml"),
                         "strategies = [\"monkey\"]\nrepeats = 1\nbudget = \"1m\"\n"
                         "[[bug]]\ndevice = \"sim:tips\"\nautomaton = \"bug.jff\"\n"));
  EXPECT_TRUE(norn({"benchmark", at("plan.toml")}).has("its events are of org.norn.notes"));
}

TEST_F(BenchmarkCommand, AToolThatDiesIsNoMiss) {
  const Said said = run("\"exec:false\"", "5m", {"--json"});
  EXPECT_EQ(said.exit, 3);
  const Said missed = norn({"diagnose", at("bug.jff"), at("plan.results")});
  EXPECT_TRUE(missed.has("its run ended early")) << missed.err;
  EXPECT_FALSE(missed.shows("missed")) << missed.out;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["cells"], 0);
  EXPECT_EQ(json["not_counted"], 1);
  EXPECT_TRUE(json["tools"].empty());
  EXPECT_GT(Json::parse(run("\"exec:false\"", "5m", {"--json"}).out)["effort"]["runs"], 0);  // tried again
}

TEST_F(BenchmarkCommand, WrongNamesAreToldBeforeAnythingRuns) {
  EXPECT_TRUE(run("\"monkey\", \"swifthnd\"", "5m").has("did you mean swifthand?"));
  EXPECT_TRUE(run("\"monkey\", \"monkey\"", "5m").has("names \"monkey\" twice"));
  EXPECT_TRUE(run("\"monkey\"", "5m", {"--against", at("nosuch")}).has("is no folder of results"));
  EXPECT_FALSE(fs::exists(at("plan.results")) && !fs::is_empty(at("plan.results")));
}

TEST_F(BenchmarkCommand, ItsRunsCanBeDiagnosed) {
  const Json cells = Json::parse(run("\"norn\", \"monkey\"", "10m", {"--json"}).out);
  const Said said = norn({"diagnose", at("bug.jff"), at("plan.results"), "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_EQ(json["runs"].size(), 2U);
  fs::copy_file(at("bug.jff"), at("other.jff"));
  EXPECT_TRUE(norn({"diagnose", at("other.jff"), at("plan.results")}).has("for other bugs than these"));
  for (const Json& one : json["runs"])
    for (const Json& cell : cells["runs"])
      if (one["tool"] == cell["tool"]) {
        for (const char* key : {"ec", "epc", "md", "found"}) EXPECT_EQ(one[key], cell[key]) << key;
      }
}

TEST(BenchmarkPlan, SaysWhatIsWrong) {
  const auto error = [](const char* text) {
    const auto plan = cli::read_plan(text, "plan.toml", ".");
    return plan ? std::string() : plan.error().message();
  };
  EXPECT_NE(error("strategies = [").find("plan.toml:1"), std::string::npos);
  for (const char* no_toml : {"[.]", "[[[a", "[="})
    EXPECT_TRUE(error(no_toml).starts_with("plan.toml") &&
                error(no_toml).ends_with("(see docs/benchmark.md)"))
        << error(no_toml);
  EXPECT_NE(error("strategies = []").find("strategies"), std::string::npos);
  for (const char* repeats : {"-1", "0"})
    EXPECT_NE(error(("repeats = " + std::string(repeats)).c_str()).find("a number from 1 to"),
              std::string::npos);
  EXPECT_NE(error("strategies = [\"norn\"]").find("[[bug]]"), std::string::npos);
  for (const char* list : {"[\"random\", 5]", "\"random\"", "5", "[[\"random\"]]"})
    EXPECT_NE(
        error((std::string("strategies = ") + list).c_str()).find("\"strategies\" must be a list of names"),
        std::string::npos)
        << list;
  EXPECT_NE(error("strategies = [\"norn\"]\nbug = 5").find("\"bug\" must be a list"), std::string::npos);
  EXPECT_NE(error("strategies = [\"norn\"]\ndevice = 5").find("\"device\" must be a text"),
            std::string::npos);
  EXPECT_NE(error("strategys = [\"norn\"]").find("did you mean \"strategies\""), std::string::npos);
  EXPECT_NE(
      error("strategies = [\"norn\"]\nbudget = \"soon\"\n[[bug]]\nautomaton = \"x.jff\"").find("budget"),
      std::string::npos);
  EXPECT_NE(error("strategies = [\"norn\"]\n[[bug]]\nautomaton = \"x.jff\"").find("device"),
            std::string::npos);
  EXPECT_EQ(error("strategies = [\"norn\"]\ndevice = \"sim:notes\"\n[[bug]]\nautomaton = \"x.jff\""), "");
}

}  // namespace
}  // namespace norn

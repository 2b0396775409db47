#include "diagnose/learn/learn.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/bug_events.h"
#include "cli/testing.h"
#include "diagnose/automaton.h"
#include "diagnose/events.h"
#include "formats/jflap.h"
#include "formats/trace_json.h"
#include "store/store.h"

namespace norn {
namespace {

using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class LearnCommand : public testing::InAFolder {
 protected:
  void SetUp() override {
    InAFolder::SetUp();
    ASSERT_TRUE(testing::write_crash_of_notes(at("trace.jsonl")));
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

}  // namespace
}  // namespace norn

// norn benchmark on one learned bug of sim:notes: what it runs, keeps, leaves out and says.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "cli/benchmark_plan.h"
#include "cli/testing.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class BenchmarkCommand : public testing::InAFolder {
 protected:
  void SetUp() override {
    InAFolder::SetUp();
    ASSERT_TRUE(testing::write_crash_of_notes(at("trace.jsonl")));
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

TEST_F(BenchmarkCommand, GoesOnWhereItStopped) {
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

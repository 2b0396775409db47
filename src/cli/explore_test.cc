#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/patience.h"
#include "cli/testing.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class ExploreCommand : public testing::InAFolder {
 protected:
  Said explore(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"explore", "--store", store(), "--quiet"});
    return norn(std::move(arguments));
  }
  std::string app(const std::string& body) const {
    const auto path = folder_ / "app.lua";
    EXPECT_TRUE(
        write_file(path, "app { package = \"org.example.x\", title = \"X\", main = \"Main\" }\n" + body));
    return "sim:" + path.string();
  }
};

TEST_F(ExploreCommand, SaysWhatScriptsRelyOn) {
  const Said said = explore({"--device", "sim:tips", "--budget", "10m", "--json"});
  ASSERT_EQ(said.exit, 1) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_FALSE(json["crashes"].empty());
  const Json& crash = json["crashes"][0];
  for (const char* field : {"id", "signature", "type", "trace", "length", "first_seen_s", "reproduced"})
    EXPECT_TRUE(crash.contains(field)) << field;
  EXPECT_EQ(crash["id"], "c1");
  EXPECT_EQ(crash["reproduced"], Json({3, 3}));
  for (const char* field :
       {"states", "transitions", "coverage", "restores", "strategy", "seed", "made_by", "effort"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_EQ(json["coverage"]["over_time"].back()[1], json["coverage"]["covered"]);
  EXPECT_FALSE(json["restores"][0]["why"].get<std::string>().empty());
  EXPECT_EQ(json["made_by"]["options"]["strategy"], "norn");
  // What was found can be worked on at once.
  EXPECT_EQ(norn({"replay", "c1", "--store", store(), "--quiet"}).exit, 0);
}

TEST_F(ExploreCommand, NothingFoundIsNoBadNews) {
  const Said said = explore({"--device", "sim:tips?bugs=none", "--strategy", "monkey", "--budget", "2m"});
  EXPECT_EQ(said.exit, 0) << said.out << said.err;
}

TEST_F(ExploreCommand, ABudgetThatIsTooLittleForAnythingIsInconclusive) {
  const Said said = explore({"--device", "sim:tips", "--budget", "1s", "--json"});
  EXPECT_EQ(said.exit, 4) << said.out << said.err;
  EXPECT_TRUE(said.has("the budget was spent before the first event")) << said.out;
}

TEST_F(ExploreCommand, TriageReducesWhileExploring) {
  const Said said = explore({"--device", "sim:tips", "--budget", "20m", "--triage", "--json"});
  ASSERT_EQ(said.exit, 1) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_TRUE(json["crashes"][0].contains("reduced"));
  EXPECT_LE(json["crashes"][0]["reduced"]["length"], json["crashes"][0]["length"]);
  EXPECT_LE(json["explored_s"], 0.76 * 1200);
}

TEST_F(ExploreCommand, ResumeGoesOnWithTheSameStrategy) {
  ASSERT_EQ(explore({"--device", "sim:tips?bugs=none", "--strategy", "random", "--budget", "2m"}).exit, 0);
  const Said said = explore({"--resume", "r1", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["strategy"], "random");
  EXPECT_EQ(json["coverage"]["over_time"][0][0], 0);  // what the first run covered is known
  EXPECT_EQ(explore({"--resume", "x"}).exit, 2);
}

TEST_F(ExploreCommand, ResumeKeepsWhatMustNotBeTouched) {
  const std::string device =
      app("activity \"Main\" { view = function(self) return column { button { \"Fine\", on_click = "
          "function() end },\n"
          " button { \"Delete account\", on_click = function() error(\"touched\") end } } end }");
  ASSERT_EQ(explore({"--device", device, "--budget", "2m", "--avoid", "delete acc", "--stay"}).exit, 0);
  const Said said = explore({"--resume", "r1", "--budget", "10m", "--json"});
  ASSERT_EQ(said.exit, 0) << said.out << said.err;
  const Json options = Json::parse(said.out)["made_by"]["options"];
  EXPECT_EQ(options["avoid"], "delete acc");
  EXPECT_EQ(options["stay"], "true");
  EXPECT_EQ(options["seed"], "2");
}

TEST_F(ExploreCommand, ResumeHeedsWhatIsSaidNowBeItTheUsual) {
  ASSERT_LE(
      explore({"--device", "sim:tips", "--strategy", "random", "--dead-end", "7", "--events", "20"}).exit, 1);
  const Said said =
      explore({"--resume", "r1", "--seed", "77", "--strategy", "norn", "--dead-end", "200", "--json"});
  ASSERT_LE(said.exit, 1) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["seed"], 77);
  EXPECT_EQ(json["strategy"], "norn");
  EXPECT_FALSE(json["made_by"]["options"].contains("dead-end"));
}

TEST_F(ExploreCommand, ResumeKeepsTheStrategysPartsUnlessToldOtherwise) {
  ASSERT_LE(explore({"--device", "sim:tips", "--strategy", "timemachine", "--events", "20", "--generator",
                     "widgets", "--dead-end", "7", "--easy", "0.5"})
                .exit,
            1);
  const Said said = explore({"--resume", "r1", "--dead-end", "9", "--json"});
  ASSERT_LE(said.exit, 1) << said.err;
  const Json options = Json::parse(said.out)["made_by"]["options"];
  EXPECT_EQ(options["generator"], "widgets");
  EXPECT_EQ(options["dead-end"], "9");
  EXPECT_EQ(options["easy"], "0.5");
  EXPECT_EQ(options["events"], "20");
  EXPECT_FALSE(options.contains("reward"));
}

TEST_F(ExploreCommand, TheGraphIsWrittenAndDrawnAndTextsStayTexts) {
  const std::string device =
      app("activity \"Main\" { view = function(self) return column { button { "
          "\"\\\"];x[label=\\\"</svg>&#0;\", on_click = "
          "function() self:start(\"Other\") end } } end }\n"
          "activity \"Other\" { view = function(self) return column { text \"x\" } end }");
  const auto dot = (folder_ / "g.dot").string(), svg = (folder_ / "-g.svg").string();
  ASSERT_EQ(explore({"--device", device, "--budget", "2m", "--graph", dot}).exit, 0);
  const std::string text = *read_file(dot);
  EXPECT_NE(text.find("Other"), std::string::npos) << text;
  EXPECT_NE(text.find("tap \\\"\\\"];x[label=\\\"</svg>&amp;#0;\\\"\""), std::string::npos) << text;
  const Said there = explore({"--device", device, "--budget", "2m", "--graph", dot});
  EXPECT_EQ(there.exit, 2);
  EXPECT_NE(there.err.find("--force"), std::string::npos);
  if (std::system("command -v dot >/dev/null") != 0) GTEST_SKIP() << "Graphviz is not installed";
  for (const char* mine : {".dot", ".dot.svg"}) ASSERT_TRUE(write_file(svg + mine, "mine"));
  ASSERT_EQ(explore({"--device", device, "--budget", "2m", "--graph", svg}).exit, 0);
  for (const char* mine : {".dot", ".dot.svg"}) {
    EXPECT_EQ(*read_file(svg + mine), "mine");
    fs::remove(svg + mine);
  }
  const std::string drawn = *read_file(svg);
  EXPECT_EQ(drawn.find("</svg>"), drawn.rfind("</svg>")) << "an app's text must not become SVG";
  EXPECT_NE(drawn.find("Other"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 5)
      << "files were left behind";
}

TEST_F(ExploreCommand, AGraphThatCannotBeDrawnIsKeptAsText) {
  const char* const usual = std::getenv("PATH");
  ASSERT_NE(usual, nullptr);
  const std::string svg = (folder_ / "g.svg").string(), text = svg + ".dot";
  const std::string before = usual;
  ::setenv("PATH", folder_.c_str(), 1);  // no Graphviz there
  const auto graph = [&] { return explore({"--device", "sim:tips", "--events", "5", "--graph", svg}); };
  const Said kept = graph();
  EXPECT_TRUE(kept.has(text + ": Graphviz is not installed")) << kept.err;
  EXPECT_TRUE(fs::exists(text));
  ASSERT_TRUE(write_file(text, "mine"));
  const Said spared = graph();
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_TRUE(spared.has("which may not be written")) << spared.err;
  EXPECT_EQ(*read_file(text), "mine");
  EXPECT_FALSE(fs::exists(svg));
}

TEST_F(ExploreCommand, AppsThatCannotBeExploredAreNamedInWords) {
  const Said crash = explore({"--device", app("activity \"Main\" { create = function() error(\"no\") end, "
                                              "view = function() return text \"x\" end }")});
  EXPECT_EQ(crash.exit, 2);
  EXPECT_NE(crash.err.find("crashes when it is started"), std::string::npos) << crash.err;
  const Said leaves =
      explore({"--device", app("activity \"Main\" { create = function(self) self:finish() end, "
                               "view = function() return text \"x\" end }")});
  EXPECT_EQ(leaves.exit, 2);
  EXPECT_NE(leaves.err.find("leaves at once"), std::string::npos) << leaves.err;
  EXPECT_EQ(explore({"--device", "sim:nowhere"}).exit, 2);
}

TEST_F(ExploreCommand, AvoidIsObeyedByEveryStrategy) {
  const std::string device =
      app("activity \"Main\" { view = function(self) return column { button { \"Fine\", on_click = "
          "function() end },\n"
          " button { \"Delete account\", on_click = function() error(\"touched\") end } } end }");
  for (const char* strategy : {"norn", "monkey", "random", "swifthand", "timemachine"}) {
    const Said said =
        explore({"--device", device, "--strategy", strategy, "--budget", "10m", "--avoid", "delete acc"});
    EXPECT_EQ(said.exit, 0) << strategy << said.out << said.err;
  }
  EXPECT_EQ(explore({"--device", device, "--budget", "5m"}).exit, 1);
  EXPECT_EQ(explore({"--device", device, "--avoid", "("}).exit, 2);
}

TEST_F(ExploreCommand, AnyonesOwnStrategy) {
  const std::string example = NORN_SOURCE_DIR "/examples/explore/first_unused.py";
  const Said said =
      explore({"--device", "sim:tips", "--events", "60", "--strategy", "exec:python3 " + example, "--json"});
  ASSERT_LE(said.exit, 1) << said.err;
  EXPECT_GT(Json::parse(said.out)["coverage"]["covered"], 20);
}

TEST_F(ExploreCommand, AStrategyThatDiesOrBabblesIsAClearErrorAndTheRunIsKept) {
  const Said dies = explore({"--device", "sim:tips", "--strategy", "exec:read line; exit 3"});
  EXPECT_GE(dies.exit, 2);
  EXPECT_NE(dies.err.find("exec:read"), std::string::npos) << dies.err;
  const Said babbles =
      explore({"--device", "sim:tips", "--strategy", "exec:while read l; do echo '{\"kind\":7}'; done"});
  EXPECT_EQ(babbles.exit, 2);
  EXPECT_NE(babbles.err.find("cannot be understood"), std::string::npos) << babbles.err;
  EXPECT_EQ(norn({"runs", "--store", store()}).exit, 0);
  const Said json = explore({"--device", "sim:tips", "--strategy", "exec:read line; exit 3", "--json"});
  EXPECT_EQ(json.exit, 3);
  EXPECT_TRUE(Json::parse(json.out).contains("trouble")) << json.out;  // one object, not two
  const Said restarts = explore({"--device", "sim:tips", "--events", "20", "--strategy",
                                 "exec:while read l; do echo '{\"restart\":true}'; done"});
  EXPECT_EQ(restarts.exit, 2);
  EXPECT_NE(restarts.err.find("in a row without an event"), std::string::npos) << restarts.err;
  const Said does_not = explore({"--device", "sim:tips", "--events", "20", "--strategy",
                                 "exec:while read l; do echo '{\"restart\":false}'; done"});
  EXPECT_EQ(does_not.exit, 2);
  EXPECT_NE(does_not.err.find("cannot be understood"), std::string::npos) << does_not.err;
}

TEST_F(ExploreCommand, NumbersOutOfTheirRangeAreRefused) {
  for (const auto& [option, value] : {std::pair{"--repeats", "0"},
                                      {"--dead-end", "0"},
                                      {"--stuck-window", "0"},
                                      {"--stuck-window", "1001"},
                                      {"--neighbourhood", "21"}}) {
    const Said said = explore({"--device", "sim:tips", "--budget", "1m", option, value});
    EXPECT_EQ(said.exit, 2) << option;
    EXPECT_TRUE(said.has(std::string(option) + " takes ")) << said.err;
  }
}

TEST_F(ExploreCommand, ADeviceWithoutAScreenIsSaidToBeOne) {
  const Said said =
      explore({"--device",
               "exec:while read -r l; do n=$((n+1)); echo '{\"id\":'$n',\"ok\":{\"version\":1,\"app\":{"
               "\"name\":\"a\"}}}'; done"});
  EXPECT_EQ(said.exit, 2);
  EXPECT_TRUE(said.has("the device shows no screen")) << said.err;
}

TEST_F(ExploreCommand, AStrategyThatAnswersWithDeepJsonIsAClearError) {
  const std::string deep = "exec:while read l; do python3 -c \"print('['*100000 + ']'*100000)\"; done";
  const Said said = explore({"--device", "sim:tips", "--strategy", deep});
  EXPECT_EQ(said.exit, 2);
  EXPECT_NE(said.err.find("nested too deeply"), std::string::npos) << said.err;
  const Said parts = explore({"--device", "sim:tips", "--strategy", "timemachine", "--interesting", deep});
  EXPECT_EQ(parts.exit, 2);
  EXPECT_NE(parts.err.find("nested too deeply"), std::string::npos) << parts.err;
}

TEST_F(ExploreCommand, AnyonesOwnPartsOfTimeMachine) {
  const std::string always = "exec:while read l; do echo true; done",
                    first = "exec:while read l; do echo 0; done";
  const Said said = explore({"--device", "sim:tips", "--strategy", "timemachine", "--budget", "20m",
                             "--interesting", always, "--select", first, "--json"});
  ASSERT_LE(said.exit, 1) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_FALSE(json["restores"].empty());
  for (const Json& restore : json["restores"]) EXPECT_EQ(restore["to"], "n0") << restore;
  EXPECT_GT(json["effort"]["snapshot_saves"], 10);
  const Said babbles = explore({"--device", "sim:tips", "--strategy", "timemachine", "--interesting",
                                "exec:while read l; do echo 7; done"});
  EXPECT_EQ(babbles.exit, 2);
  EXPECT_NE(babbles.err.find("cannot be understood"), std::string::npos) << babbles.err;
}

TEST_F(ExploreCommand, BadOptionsAreSaidBeforeAnythingIsMade) {
  for (const std::vector<std::string>& bad :
       std::vector<std::vector<std::string>>{{"--strategy", "monky"},
                                             {"--strategy", "exec:"},
                                             {"--triage", "--triage-share", "7"},
                                             {"--penalty", "1"},
                                             {"--select", "best"},
                                             {"--interesting", "yes"},
                                             {"--text-pool", "/nowhere"}}) {
    std::vector<std::string> arguments{"--device", "sim:tips"};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    EXPECT_EQ(explore(arguments).exit, 2) << bad.back();
  }
  EXPECT_FALSE(fs::exists(store()));
}

TEST_F(ExploreCommand, TheTourWorksInAnEmptyFolder) {
  const Said said = norn({"demo", "--app", "weight", "--out", (folder_ / "tour").string(), "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_GT(json["from"], 100);
  EXPECT_LT(json["to"], 10);
  EXPECT_LT(json["run_seconds_after"], json["run_seconds_before"]);
  EXPECT_TRUE(json.contains("reports"));
  EXPECT_LT(json["wall_seconds"], 60 * patience);
  EXPECT_TRUE(fs::exists(folder_ / "tour/norn.db"));
}

}  // namespace
}  // namespace norn

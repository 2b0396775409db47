// The options of norn explore that a real app asks for, on an app with a door (tests/data/explore/vault.lua):
// what lies behind it, a button that must not be pressed, one that leaves.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "cli/testing.h"
#include "device/open.h"
#include "formats/trace_json.h"
#include "replay/plain.h"
#include "store/store.h"

namespace norn {
namespace {

using Json = nlohmann::json;
using testing::norn;
using testing::Said;

const std::string data = NORN_SOURCE_DIR "/tests/data/explore/", vault = "sim:" + data + "vault.lua",
                  setup = data + "vault.setup.jsonl";

class Vault : public testing::InAFolder {
 protected:
  Json explore(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"explore", "--store", store(), "--quiet", "--json"});
    said_ = norn(std::move(arguments));
    EXPECT_LE(said_.exit, 1) << said_.out << said_.err;
    return said_.exit <= 1 ? Json::parse(said_.out) : Json::object();
  }
  static bool found(const Json& result, const std::string& type) {
    for (const Json& crash : result["crashes"])
      if (crash["type"].get<std::string>().ends_with(type)) return true;
    return false;
  }
  /// Every event the store holds.
  std::vector<Event> events() const {
    auto open = Store::open(store(), Access::read);
    EXPECT_TRUE(open);
    std::vector<Event> out;
    const auto runs = (*open)->runs();
    const auto tree = (*open)->load(runs->front().app);
    for (std::uint32_t i = 1; i < (*tree)->size(); ++i)
      out.push_back((*tree)->event((*tree)->event_id(NodeId{i})));
    return out;
  }
  Said said_;
};

TEST_F(Vault, WithoutHelpNobodyComesIn) {
  const Json result = explore({"--device", vault, "--budget", "10m"});
  EXPECT_EQ(result["never_reached"], Json({"Inside", "Add"}));
}

TEST_F(Vault, ASetupOpensTheDoorAndIsNeededAgain) {
  const Json result = explore({"--device", vault, "--budget", "10m", "--setup", setup});
  EXPECT_EQ(result["never_reached"], Json::array({}));
  EXPECT_TRUE(found(result, "IllegalStateException"));
  EXPECT_TRUE(found(result, "NullPointerException"));
  EXPECT_TRUE(found(result, "StringIndexOutOfBoundsException"));
  for (const Json& crash : result["crashes"]) EXPECT_EQ(crash["reproduced"], Json({3, 3})) << crash;
  EXPECT_EQ(norn({"replay", "c1", "--store", store(), "--setup", setup, "--quiet"}).exit, 0);
  const Said reduced = norn({"reduce", "c3", "--store", store(), "--setup", setup, "--json"});
  EXPECT_EQ(reduced.exit, 0) << reduced.err;
  EXPECT_LE(Json::parse(reduced.out)["to"], 3);
}

/// The words after `name` on the line that says what to go on with.
std::vector<std::string> command_in(const std::string& said, const std::string& begins) {
  const auto at = said.find(begins);
  const auto end = said.find_first_of(",\n", at);
  std::istringstream words(at == said.npos ? "" : said.substr(at + 5, end - at - 5));
  return {std::istream_iterator<std::string>(words), {}};
}

TEST_F(Vault, TheCommandsToGoOnWithBringTheSetupAndWithoutItOneIsWarned) {
  (void)explore({"--device", vault, "--budget", "10m", "--setup", setup});
  const Said reduced = norn({"reduce", "c1", "--store", store(), "--setup", setup});
  const Said again = norn(command_in(reduced.out, "norn replay"));
  EXPECT_EQ(again.exit, 0) << reduced.out << again.out;
  EXPECT_TRUE(again.shows("crashed the same way 5 of 5 times")) << reduced.out << again.out;
  EXPECT_FALSE(again.has("warning")) << again.err;
  const Said without = norn({"replay", "c1", "--store", store()});
  EXPECT_TRUE(without.has("warning: c1 was recorded behind a set-up")) << without.err;

  const Said suite = norn({"suite", "--device", vault, "--setup", setup, "--store", store()});
  const Said passed = norn(command_in(suite.out, "norn replay --suite"));
  EXPECT_EQ(passed.exit, 0) << suite.out << passed.out;
  EXPECT_TRUE(passed.shows(" passed, 0 failed")) << suite.out << passed.out;
  EXPECT_FALSE(passed.has("warning")) << passed.err;
  EXPECT_TRUE(norn({"replay", "--suite", "s1", "--store", store()}).has("s1 was recorded behind a set-up"));
}

TEST_F(Vault, ASetupThatDoesNotFitIsSaidAndNothingIsMade) {
  const auto bad = at("bad.jsonl");
  ASSERT_TRUE(write_file(bad, "hello\n"));
  const Said said = norn({"explore", "--device", vault, "--store", store(), "--setup", bad});
  EXPECT_EQ(said.exit, 2);
  EXPECT_TRUE(said.has("bad.jsonl")) << said.err;
  EXPECT_FALSE(std::filesystem::exists(store()));
}

/// The password is another one by now: every event can be performed, and nobody is in.
TEST_F(Vault, ASetupThatEndsElsewhereIsNoBeginning) {
  const auto recorded = [&](const std::string& name, const std::string& opens) {
    Trace trace;
    const auto read = read_trace(*read_file(setup), setup);
    EXPECT_TRUE(read);
    for (const Event& event : read->trace.events()) trace.steps.push_back({event, {}});
    auto opened = open_device(opens);
    EXPECT_TRUE(opened);
    trace.steps.back().seen.screen =
        testing::plain_replay(*opened->device, opened->app, trace.events(), Missing::stop).screen;
    EXPECT_TRUE(write_file(at(name), write_trace(trace)));
    return at(name);
  };
  const std::string file = recorded("setup.jsonl", vault);
  EXPECT_EQ(explore({"--device", vault, "--budget", "5m", "--setup", file})["never_reached"],
            Json::array({}));
  std::string changed = *read_file(data + "vault.lua");
  const auto word = changed.find("open sesame");
  ASSERT_NE(word, std::string::npos);
  changed.replace(word, 4, "shut");
  ASSERT_TRUE(write_file(at("changed.lua"), changed));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"explore", "--budget", "5m"}, {"replay", file}, {"reduce", file}}) {
    std::vector<std::string> arguments = more;
    arguments.insert(arguments.end(),
                     {"--device", "sim:" + at("changed.lua"), "--setup", file, "--store", at("changed.db")});
    const Said said = norn(arguments);
    EXPECT_EQ(said.exit, 3) << more[0] << said.out << said.err;
    EXPECT_TRUE(said.has("the set-up does not end where it was recorded")) << more[0] << said.err;
    EXPECT_TRUE(said.has("is in front, it was ")) << said.err;
    EXPECT_FALSE(said.has("open sesame")) << said.err;
  }
}

TEST_F(Vault, WhatIsToBeAvoidedIsNot) {
  const Json result =
      explore({"--device", vault, "--budget", "20m", "--setup", setup, "--avoid", "delete acc"});
  EXPECT_FALSE(found(result, "IllegalStateException"));
  EXPECT_TRUE(found(result, "NullPointerException"));
}

TEST_F(Vault, APoolOfTextsIsTyped) {
  const auto pool = at("pool.txt");
  ASSERT_TRUE(write_file(pool, "open sesame\r\nzebra\n"));
  const Json result = explore({"--device", vault, "--budget", "20m", "--text-pool", pool});
  EXPECT_EQ(result["never_reached"], Json::array({}));
}

TEST_F(Vault, StayingMeansNoWayOutOnPurpose) {
  for (const char* strategy : {"norn", "monkey+system+restart", "timemachine"})
    (void)explore({"--device", vault, "--budget", "10m", "--setup", setup, "--stay", "--strategy", strategy});
  std::size_t seen = 0;
  for (const Event& event : events()) {
    ++seen;
    if (const auto* key = std::get_if<Key>(&event); key != nullptr && key->code == key::home)
      ADD_FAILURE() << "Home";
    if (const auto* launch = std::get_if<Launch>(&event); launch != nullptr && !launch->activity.empty())
      ADD_FAILURE() << launch->activity;
    if (const auto* system = std::get_if<System>(&event); system != nullptr && system->name == "kill")
      ADD_FAILURE() << "kill";
  }
  EXPECT_GT(seen, 500U);
}

TEST_F(Vault, ResumingTellsTheCrashesFoundBefore) {
  const Json first = explore({"--device", vault, "--budget", "5m", "--setup", setup});
  ASSERT_FALSE(first["crashes"].empty());
  const Json second = explore({"--resume", "r1", "--events", "1"});
  ASSERT_EQ(second["crashes"].size(), first["crashes"].size());
  EXPECT_EQ(said_.exit, 1);
  for (std::size_t i = 0; i < second["crashes"].size(); ++i) {
    EXPECT_EQ(second["crashes"][i]["id"], first["crashes"][i]["id"]);
    EXPECT_EQ(second["crashes"][i]["reproduced"], Json({3, 3}));
  }
}

}  // namespace
}  // namespace norn

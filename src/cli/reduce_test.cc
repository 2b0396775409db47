// norn reduce as a user meets it: what is said, what is refused, what scripts rely on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/testing.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class ReduceCommand : public testing::InAFolder {
 protected:
  Said reduce(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"reduce", "--store", store()});
    return norn(std::move(arguments));
  }
  /// A store with a crash of tips in it, found by a walk: c1.
  void explore() const {
    const Said said =
        norn({"explore", "--store", store(), "--quiet", "--device", "sim:tips", "--budget", "10m"});
    ASSERT_EQ(said.exit, 1) << said.err;
  }
  std::string file(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(write_file(folder_ / name, text));
    return (folder_ / name).string();
  }
  /// A small recording of SimplyDroid's kind: two activities, the crash in the second.
  std::string simplydroid() const {
    const std::string main = ";com.example.app;com.example.app.Main;1\n",
                      edit = ";com.example.app;com.example.app.Edit;1\n";
    std::string script = "# Start Script\ntype= user\ncount= 10\nspeed= 1.0\nstart data >>\n", log;
    script += "LaunchActivity(com.example.app, com.example.app.Main)\n";
    log += "1;MonkeyActivityEvent" + main + "2;MonkeyThrottleEvent" + main;
    for (int i = 1; i <= 6; ++i) {
      const std::string& place = i > 3 ? edit : main;
      script += "Tap(" + std::to_string(10 * i) + ".0, 20.0, 0)\n";
      log += "3;MonkeyTouchEvent" + place + "4;MonkeyTouchEvent" + place;
      if (i == 6)
        log +=
            "// CRASH: // java.lang.RuntimeException: no$$ \tat com.example.app.Edit.save(Edit.java:7)$$ \n";
      log += "5;MonkeyThrottleEvent" + place;
    }
    file("script.log", script);
    file("execute.log", log);
    return folder_.string();
  }
};

TEST_F(ReduceCommand, GivesWhatScriptsRelyOnAndMarksWhatItKept) {
  explore();
  const Said said = reduce({"c1", "--quiet", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  for (const char* field : {"trace", "from", "to", "events", "kept", "without", "one_minimal", "weaker",
                            "reproduced", "rate_low", "original_rate", "deterministic", "algo", "signature",
                            "steps", "by_catch", "stopped", "made_by", "effort"})
    EXPECT_TRUE(json.contains(field)) << field;
  EXPECT_TRUE(json["one_minimal"]);
  EXPECT_EQ(json["reproduced"], Json({20, 20}));
  EXPECT_EQ(json["kept"].size(), json["to"].get<std::size_t>());
  for (const Json& one : json["without"]) EXPECT_EQ(one[0], 0);
  // The crash's own trace, by its name: as many marks as events were kept, each on the line of its event.
  const Said tree = norn({"show", "t1", "--tree", "--store", store()});
  std::size_t marks = 0;
  for (std::size_t at = tree.out.find("* "); at != std::string::npos; at = tree.out.find("* ", at + 1))
    ++marks;
  EXPECT_EQ(marks, json["to"].get<std::size_t>() + 1)
      << tree.out;  // and the line that says what a mark means
  for (const Json& place : json["kept"])
    EXPECT_TRUE(tree.has("* " + std::to_string(place.get<int>()) + " ")) << place << tree.out;
}

TEST_F(ReduceCommand, ExplainsAndSaysWhenTheBudgetIsSpent) {
  explore();
  fs::copy_file(store(), folder_ / "other.db");
  const Said whole = norn({"reduce", "c1", "--store", (folder_ / "other.db").string(), "--json", "--quiet"});
  const double needed = Json::parse(whole.out)["effort"]["makespan_seconds"];
  const Said short_of_time = reduce({"c1", "--budget", std::to_string(static_cast<int>(needed * 0.7)) + "s"});
  EXPECT_EQ(short_of_time.exit, 4) << short_of_time.out;
  EXPECT_TRUE(short_of_time.has("run the same command again")) << short_of_time.err;
  const Said said = reduce({"c1", "--explain"});
  EXPECT_EQ(said.exit, 0);
  EXPECT_TRUE(said.has("without it: 0 of ")) << said.out;
  EXPECT_TRUE(said.has("none can be left out")) << said.out;
}

TEST_F(ReduceCommand, RefusesByWordsThatHelp) {
  explore();
  EXPECT_TRUE(reduce({}).has("say which trace"));
  EXPECT_EQ(reduce({"c1", "--goal", "nonsense"}).exit, 2);
  const Said never = reduce({"c1", "--goal", "activity:Nowhere"});
  EXPECT_EQ(never.exit, 1);
  EXPECT_TRUE(never.has("activity:Nowhere did not come in any of 2 runs")) << never.out;
  EXPECT_TRUE(never.has("it crashed: ")) << never.out;
  // A recording of an app that is not here.
  const std::string foreign = simplydroid();
  const Said nowhere = reduce({foreign});
  EXPECT_EQ(nowhere.exit, 2);
  EXPECT_TRUE(nowhere.has("com.example.app")) << nowhere.err;
  EXPECT_TRUE(nowhere.has("--test")) << nowhere.err;
  const Said another = reduce({foreign, "--device", "sim:tips"});
  EXPECT_EQ(another.exit, 1);
  EXPECT_TRUE(another.has("recorded with com.example.app, this device runs org.norn.tips")) << another.out;
  norn({"import", foreign, "--store", store(), "--quiet"});
  EXPECT_TRUE(reduce({"t2"}).has("nothing says on which device")) << reduce({"t2"}).err;
}

TEST_F(ReduceCommand, AsksACommandOfTheUsers) {
  const std::string trace = simplydroid();
  // Crashes with the third tap and the last one.
  const std::string both = file("both.sh", "grep -q '30,20' \"$1\" && grep -q '60,20' \"$1\"\n");
  const Said said = reduce({trace, "--test", "sh " + both, "--repeats", "3", "--explain", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["kept"], Json({3, 6}));
  EXPECT_EQ(json["reproduced"], Json({3, 3}));
  EXPECT_TRUE(json["one_minimal"]);
  EXPECT_TRUE(reduce({trace, "--test", "sh " + both, "--repeats", "1", "--explain"}).has("without it: no"));

  const Said odd = reduce({trace, "--test", "true '\xff'", "--json"});
  EXPECT_EQ(odd.exit, 0) << odd.err;
  EXPECT_TRUE(Json::accept(odd.out)) << odd.out;
  const Said late = reduce({trace, "--test", "sleep 100 #", "--budget", "0s", "--json"});
  EXPECT_EQ(late.exit, 4) << late.err;
  EXPECT_EQ(Json::parse(late.out)["stopped"], true) << "an object though nothing was answered";

  EXPECT_EQ(reduce({trace, "--test", "false"}).exit, 1);
  const Said unresolved = reduce({trace, "--test", "exit 2 #"});
  EXPECT_EQ(unresolved.exit, 3);
  EXPECT_TRUE(unresolved.has("exit 2")) << unresolved.err;
  EXPECT_TRUE(reduce({trace, "--test", "./not-there 2>&1 >&-"}).has("exit 127"));
  const Said hangs = reduce({trace, "--test", "sleep 100 #", "--timeout", "1s"});
  EXPECT_EQ(hangs.exit, 3);
  EXPECT_TRUE(hangs.has("did not end in time")) << hangs.err;
  EXPECT_EQ(reduce({trace, "--test", "true", "--goal", "activity:X"}).exit, 2);
  const Said no_time = reduce({trace, "--test", "sleep 100 #", "--timeout", "0"});
  EXPECT_EQ(no_time.exit, 2);
  EXPECT_TRUE(no_time.has("--timeout takes more than 0")) << no_time.err;
}

/// Says yes to whatever holds the last tap, but every fourth time no.
TEST_F(ReduceCommand, ACommandThatContradictsItselfProvesNothing) {
  const std::string trace = simplydroid(), counted = (folder_ / "counted").string();
  const std::string script = file("flaky.sh", "printf x >> '" + counted + "'; [ $(($(wc -c < '" + counted +
                                                  "') % 4)) -ne 0 ] && grep -q '60,20' \"$1\"\n");
  const auto test = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {trace, "--test", "sh " + script, "--repeats", "8"});
    return reduce(more);
  };
  const Json json = Json::parse(test({"--json", "--quiet"}).out);
  EXPECT_EQ(json["reproduced"], Json({6, 8}));
  EXPECT_EQ(json["one_minimal"], false);
  const Said said = test({});
  EXPECT_FALSE(said.shows("none can be left out")) << said.out;
  EXPECT_TRUE(said.has("does not always answer the same")) << said.err;
}

TEST_F(ReduceCommand, GoesOnWithWhatACommandAnsweredBefore) {
  const std::string trace = simplydroid(), counted = (folder_ / "counted").string();
  const auto calls = [&] { return read_file(counted).value_or("").size(); };
  const auto test = [&](const std::string& script) {
    return reduce({trace, "--test", "sh " + script, "--repeats", "1", "--json", "--quiet"});
  };
  const std::string body =
      "printf x >> '" + counted + "'; grep -q '30,20' \"$1\" && grep -q '60,20' \"$1\"\n";
  const std::string script = file("both.sh", body);
  const Json first = Json::parse(test(script).out);
  const std::size_t all = calls();
  EXPECT_EQ(first["effort"]["runs"], all);
  // Again: only the whole trace and the certificate are asked afresh.
  const Json second = Json::parse(test(script).out);
  EXPECT_EQ(calls() - all, 2U);
  EXPECT_EQ(second["kept"], first["kept"]);
  EXPECT_EQ(second["one_minimal"], true);
  // An edited script is another question; so is the same one once the answers are deleted.
  file("both.sh", body + "# edited\n");
  (void)test(script);
  EXPECT_EQ(calls(), 2 * all + 2);
  fs::remove(store() + "-answers");
  (void)test(script);
  EXPECT_EQ(calls(), 3 * all + 2);
}

TEST_F(ReduceCommand, ACommandThatIsInterruptedIsAskedOnlyTheRest) {
  const std::string trace = simplydroid(), counted = (folder_ / "counted").string();
  // Unresolved after its fourth answer: as if the rig had gone.
  const std::string script =
      file("gone.sh", "printf x >> '" + counted + "'; [ -f '" + (folder_ / "back").string() +
                          "' ] || [ $(wc -c < '" + counted +
                          "') -le 4 ] || exit 2; grep -q '30,20' \"$1\" && grep -q '60,20' \"$1\"\n");
  const auto test = [&] {
    return Json::parse(
        reduce({trace, "--test", "sh " + script, "--algo", "dd", "--repeats", "1", "--json", "--quiet"}).out);
  };
  EXPECT_FALSE(test()["one_minimal"]);
  file("back", "");
  const Json whole = test();
  EXPECT_EQ(whole["kept"], Json({3, 6}));
  EXPECT_EQ(whole["one_minimal"], true);
  EXPECT_GE(whole["effort"]["from_memory"], 3);
}

TEST_F(ReduceCommand, SeveralCommandsAtOnceGiveTheSame) {
  const std::string trace = simplydroid();
  const std::string script = file("both.sh", "grep -q '20,20' \"$1\" && grep -q '60,20' \"$1\"\n");
  for (const char* algorithm : {"dd", "hdd", "norn"}) {
    std::vector<Json> kept;
    for (const char* jobs : {"1", "4"}) {
      fs::remove(store() + "-answers");
      const Said said = reduce({trace, "--test", "sh " + script, "--repeats", "4", "--jobs", jobs, "--algo",
                                algorithm, "--json", "--quiet"});
      ASSERT_EQ(said.exit, 0) << said.err;
      kept.push_back(Json::parse(said.out)["kept"]);
      EXPECT_EQ(Json::parse(said.out)["reproduced"], Json({4, 4}));
    }
    EXPECT_EQ(kept[0], kept[1]) << algorithm;
    EXPECT_EQ(kept[0], Json({2, 6})) << algorithm;
  }
}

TEST_F(ReduceCommand, GroupsByTheLogsStatesWhereAsked) {
  const std::string trace = simplydroid();
  const std::string last = file("last.sh", "grep -q '60,20' \"$1\"\n");
  // Main Main Main Edit Edit Edit: hdd asks {2..6} {3..6}, a level down {3 5 6} {3 6}; the pass {3} {6} {}.
  // With the whole trace before and the certificate behind, nine. Without states it would be one level, and
  // six.
  const Said said =
      reduce({trace, "--test", "sh " + last, "--algo", "hdd", "--repeats", "1", "--state", "log", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["effort"]["runs"], 9);
  EXPECT_EQ(json["kept"], Json({6}));
  const std::string bare = file("bare.jsonl", R"({"norn":"trace","version":1})"
                                              "\n"
                                              R"({"event":{"kind":"key","code":4}})"
                                              "\n");
  EXPECT_TRUE(reduce({bare, "--state", "log", "--test", "true"}).has("recorded no activities"))
      << reduce({bare, "--state", "log", "--test", "true"}).err;
}

}  // namespace
}  // namespace norn

// norn import and what is found again of what it took.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "cli/testing.h"
#include "formats/shared_data.h"

namespace norn {
namespace {

using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class ImportCommand : public testing::InAFolder {
 protected:
  std::string put(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    EXPECT_TRUE(write_file(folder_ / name, content));
    return at(name);
  }
  /// Taken into `store`, or into one of its own.
  Said import(std::vector<std::string> paths, const std::string& store = {}) const {
    std::vector<std::string> all{"import", "--json", "--store", store.empty() ? this->store() : store};
    all.insert(all.end(), paths.begin(), paths.end());
    return norn(all);
  }
  Json listed() const { return Json::parse(norn({"runs", "--json", "--store", store()}).out); }
  std::string exported(const std::string& what) const {
    return Json::parse(norn({"export", what, "--json", "--store", store()}).out)["text"];
  }
};

/// What Monkey prints of a run that goes on after crashes: `taps` events before each.
std::string monkey_run(const std::vector<int>& taps, int after) {
  std::string log = ":Monkey: seed=7 count=100\n:AllowPackage: org.app\n";
  int x = 0;
  const auto tap = [&](int times) {
    for (int i = 0; i < times; ++i)
      log += fmt::format(
          ":Sending Touch (ACTION_DOWN): 0:({0}.0,20.0)\n:Sending Touch (ACTION_UP): 0:({0}.0,20.0)\n",
          10 * ++x);
  };
  for (std::size_t i = 0; i < taps.size(); ++i) {
    tap(taps[i]);
    log += fmt::format(
        "// CRASH: org.app (pid 7{0})\n// Short Msg: java.lang.Error{0}\n// Long Msg: boo\n"
        "// java.lang.Error{0}: boo\n// \tat org.app.A{0}.f(A{0}.java:1)\n// \n",
        i);
  }
  tap(after);
  return log + "Events injected: 100\n// Monkey finished\n";
}

TEST_F(ImportCommand, ARecordingThatGoesOnAfterCrashesIsSplitAndNothingIsLost) {
  const Json said = Json::parse(import({put("run.log", monkey_run({2, 1, 3}, 4))}).out);
  ASSERT_EQ(said["taken"].size(), 4U) << said;
  const std::vector<int> events{2, 1, 3, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& one = said["taken"][i];
    EXPECT_EQ(one["events"], events[i]) << one;
    EXPECT_EQ(one["notes"].back(), "it goes on after a crash: split into 4 traces, each ends with its own");
    const Json shown = Json::parse(norn({"show", one["trace"], "--json", "--store", store()}).out);
    EXPECT_EQ(shown["events"].size(), static_cast<std::size_t>(events[i])) << one;
    EXPECT_EQ(shown["crash"].is_null(), i == 3) << shown;
  }
  const Json all = listed();
  EXPECT_EQ(all["traces"].size(), 4U);
  ASSERT_EQ(all["crashes"].size(), 3U);
  for (int i = 0; i < 3; ++i)
    EXPECT_NE(all["crashes"][i]["headline"].get<std::string>().find(fmt::format("Error{}", i)),
              std::string::npos);
}

TEST_F(ImportCommand, CrashesWithoutAnEventBetweenAreKeptToo) {
  const Json said = Json::parse(import({put("run.log", monkey_run({2, 0, 0}, 0))}).out);
  ASSERT_EQ(said["taken"].size(), 3U) << said;
  EXPECT_EQ(said["taken"][0]["events"], 2);
  EXPECT_EQ(said["taken"][2]["events"], 0);
  std::set<std::string> crashes;
  for (const Json& one : said["taken"]) crashes.insert(one["crash"]);
  EXPECT_EQ(crashes.size(), 3U) << said;
}

std::string dump_of(const std::string& text) {
  return "<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\"><node index=\"0\" text=\"" + text +
         "\" class=\"android.widget.TextView\" package=\"org.app\" bounds=\"[0,0][10,10]\" /></hierarchy>";
}

std::string log_of(const std::string& type, const std::string& message) {
  return "E/AndroidRuntime(  7): FATAL EXCEPTION: main\nE/AndroidRuntime(  7): Process: org.app, PID: 7\n"
         "E/AndroidRuntime(  7): " +
         type + ": " + message + "\nE/AndroidRuntime(  7): \tat org.app." + type + ".f(A.java:1)\n";
}

TEST_F(ImportCommand, RecordingsOfOnePackageKeepTheirOwnScreensAndCrashes) {
  put("in/a/dump.xml", dump_of("first"));
  put("in/b/dump.xml", dump_of("second"));
  put("in/c.log", log_of("OneError", "here"));
  put("in/d.log", log_of("TwoError", "there"));
  put("in/e.log", log_of("OneError", "elsewhere"));
  const Json said = Json::parse(import({at("in")}).out);
  ASSERT_EQ(said["taken"].size(), 5U) << said;
  std::map<std::string, std::string> texts;
  for (const Json& one : said["taken"]) texts[one["file"]] = exported(one["trace"]);
  EXPECT_NE(texts[at("in/a/dump.xml")].find("\"first\""), std::string::npos);
  EXPECT_NE(texts[at("in/b/dump.xml")].find("\"second\""), std::string::npos);
  EXPECT_NE(texts[at("in/c.log")].find("\"here\""), std::string::npos);
  EXPECT_NE(texts[at("in/d.log")].find("TwoError"), std::string::npos);
  EXPECT_NE(texts[at("in/e.log")].find("\"elsewhere\""), std::string::npos);
  const Json crashes = listed()["crashes"];
  ASSERT_EQ(crashes.size(), 2U) << "the same crash twice is one";
  EXPECT_NE(exported("c1").find("OneError"), std::string::npos);
  EXPECT_NE(exported("c2").find("TwoError"), std::string::npos);
}

TEST_F(ImportCommand, WhatIsNotThereIsNamedAndTheOthersAreTaken) {
  const std::string a = put("a.log", log_of("OneError", "here")),
                    b = put("b.log", log_of("TwoError", "there"));
  const Said said = import({a, at("missing"), b});
  EXPECT_EQ(said.exit, 2);
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["taken"].size(), 2U) << json;
  ASSERT_EQ(json["skipped"].size(), 1U) << json;
  EXPECT_EQ(json["skipped"][0]["file"].get<std::string>(), at("missing"));
  EXPECT_EQ(json["skipped"][0]["why"], "no such file or folder");
  const Said again = norn({"import", a, at("missing"), "--store", store()});
  EXPECT_EQ(again.exit, 2);
  EXPECT_TRUE(again.shows("not taken: " + at("missing") + ": no such file or folder")) << again.out;
  EXPECT_TRUE(Json::parse(import({at("missing")}).out).contains("error")) << "alone it is an error";
}

TEST_F(ImportCommand, NothingIsTakenTwice) {
  put("in/run.log", monkey_run({2, 1}, 4));
  put("in/dump.xml", dump_of("first"));
  put("in/crash.log", log_of("OneError", "here"));
  const Json first = Json::parse(import({at("in")}).out);
  const Json before = listed();
  const Json again = Json::parse(import({at("in")}).out);
  EXPECT_EQ(again, first);
  const Json after = listed();
  for (const char* what : {"runs", "traces", "crashes"}) EXPECT_EQ(after[what], before[what]) << what;
  EXPECT_EQ(after["sizes"]["steps"], before["sizes"]["steps"]);
  EXPECT_EQ(norn({"gc", "--store", store()}).exit, 0);
  EXPECT_EQ(listed()["traces"], before["traces"]);
}

TEST_F(ImportCommand, NornsOwnTracesComeOutAsTheyWentIn) {
  const std::string text =
      R"({"norn":"trace","version":1,"origin":"somebody"})"
      "\n"
      R"({"start":{"screen":{"package":"org.app"},"at":1.25,"log":["began"]}})"
      "\n"
      R"({"event":{"kind":"key","code":4},"seen":{"screen":{"kind":"unseen"},"at":2.5,"settled":false,"log":["a","b\u0007"]}})"
      "\n"
      R"({"event":{"kind":"key","code":5},"seen":{"screen":0,"at":3}})"
      "\n"
      R"({"end":2})"
      "\n";
  ASSERT_EQ(import({put("mine.jsonl", text)}).exit, 0);
  const std::string of_file = Json::parse(norn({"export", at("mine.jsonl"), "--json"}).out)["text"];
  EXPECT_EQ(exported("t1"), of_file);
  EXPECT_NE(exported("t1").find("\"origin\":\"somebody\""), std::string::npos) << exported("t1");
}

TEST_F(ImportCommand, AFileIsShownWithWhatItRecorded) {
  const std::string file =
      put("mine.jsonl", R"({"norn":"trace","version":1})"
                        "\n"
                        R"({"start":{"screen":{"package":"org.app","activity":"org.app.Main"}}})"
                        "\n"
                        R"({"event":{"kind":"key","code":4},"seen":{"screen":{"activity":"org.app.List"}}})"
                        "\n"
                        R"({"event":{"kind":"key","code":5},"seen":{"screen":{"kind":"outside"}}})"
                        "\n"
                        R"({"end":2})"
                        "\n");
  const Said screens = norn({"show", file, "--screens"});
  for (const char* screen : {"app org.app org.app.Main\n", "app org.app.List\n", "outside the app\n"})
    EXPECT_TRUE(screens.shows(screen)) << screens.out;
  const Said tree = norn({"show", file, "--tree"});
  EXPECT_EQ(tree.exit, 0) << tree.err;
  EXPECT_TRUE(tree.shows("[org.app.Main]") && tree.shows("[org.app.List]")) << tree.out;
  ASSERT_EQ(import({file}).exit, 0);
  const auto of_store = [&](const char* option) {
    std::string out = norn({"show", "t1", option, "--store", store()}).out;
    return out.replace(0, 2, file);
  };
  EXPECT_EQ(of_store("--tree"), tree.out);
  EXPECT_EQ(of_store("--screens"), screens.out);
}

TEST_F(ImportCommand, WithoutScreensThereIsNoStateTree) {
  const std::string file = put("script", "start data >>\nTap(1,2,0)\nTap(3,4,0)\n");
  EXPECT_TRUE(norn({"show", file, "--screens"}).shows("not looked"));
  const Said tree = norn({"show", file, "--tree"});
  EXPECT_EQ(tree.exit, 2);
  EXPECT_TRUE(tree.has("was recorded without screens")) << tree.err;
}

TEST_F(ImportCommand, ATraceWithoutAStartGetsNone) {
  ASSERT_EQ(import({put("run.log", monkey_run({2, 1}, 1))}).exit, 0);
  EXPECT_EQ(exported("t1").find("{\"start\""), std::string::npos) << exported("t1");
  EXPECT_NE(exported("t2").find("\"settled\":false"), std::string::npos) << exported("t2");
}

TEST_F(ImportCommand, DiagnoseCountsTheHandlerLinesOfAnImportedTrace) {
  std::string text = R"({"norn":"trace","version":1})"
                     "\n";
  for (const char* line : {"Event 1: opened", "Event 2: deleted", "Crash!"})
    text += fmt::format(
        R"({{"event":{{"kind":"wait","ms":1}},"seen":{{"screen":{{"kind":"unseen"}},"log":["I/Themis: {}"]}}}})"
        "\n",
        line);
  const std::string file = put("handlers.jsonl", text + "{\"end\":3}\n");
  const std::string bug = put("bug.jff",
                              "<structure><type>fa</type><automaton><state id=\"0\"><initial/></state><state "
                              "id=\"1\"/><state id=\"2\">"
                              "<final/></state><transition><from>0</from><to>1</to><read>1</read></"
                              "transition><transition><from>1</from>"
                              "<to>2</to><read>2</read></transition></automaton></structure>");
  ASSERT_EQ(import({file}).exit, 0);
  const Json of_file = Json::parse(norn({"diagnose", bug, file, "--json"}).out)["runs"][0];
  const Json of_store =
      Json::parse(norn({"diagnose", bug, "t1", "--json", "--store", store()}).out)["runs"][0];
  EXPECT_EQ(of_file["ec"], Json({2, 2}));
  for (const char* count : {"ec", "md", "found", "events", "pairs"})
    EXPECT_EQ(of_store[count], of_file[count]) << count;
}

/// Whatever is imported together is the same as imported alone, and has an id of its own.
class ImportedTogether : public ImportCommand {
 protected:
  void check(const std::string& folder) {
    const Json all = Json::parse(import({folder}).out)["taken"];
    std::map<std::string, std::vector<std::string>> ids;
    std::map<std::string, std::string> texts;
    for (const Json& one : all) {
      const std::string id = one["trace"];
      ids[one["file"]].push_back(id);
      if (!texts.contains(id)) texts[id] = exported(id);
    }
    std::set<std::pair<std::string, std::string>> distinct;
    for (const auto& [file, traces] : ids) {
      for (const std::string& id : traces) distinct.emplace(file, texts[id]);
      EXPECT_EQ(alone(file), texts_of(traces, texts)) << file;
    }
    EXPECT_EQ(texts.size(), distinct.size());
    EXPECT_GT(texts.size(), 0U);
  }

 private:
  static std::vector<std::string> texts_of(const std::vector<std::string>& ids,
                                           std::map<std::string, std::string>& texts) {
    std::vector<std::string> out;
    for (const std::string& id : ids) out.push_back(texts[id]);
    return out;
  }
  std::vector<std::string> alone(const std::string& file) const {
    const std::string own = at("own.db");
    std::vector<std::string> out;
    const Json taken = Json::parse(import({file}, own).out)["taken"];
    for (const Json& one : taken)
      if (one["file"] == file)
        out.push_back(Json::parse(norn({"export", one["trace"], "--json", "--store", own}).out)["text"]);
    std::filesystem::remove(own);
    return out;
  }
};

TEST_F(ImportedTogether, OfTheTests) { check(NORN_SOURCE_DIR "/tests/data"); }

TEST_F(ImportedTogether, OfTheSharedRecordings) {
  const auto all = shared_data("");
  if (!all) GTEST_SKIP() << "no shared recordings here: set NORN_SHARED";
  check(all->string());
}

}  // namespace
}  // namespace norn

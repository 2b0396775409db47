// norn suite and norn replay --suite as scripts see them: exit codes, JSON, files.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "base/file.h"
#include "cli/testing.h"

namespace norn {
namespace {

using Json = nlohmann::json;
using testing::Said;

class SuiteCommand : public testing::InAFolder {
 protected:
  Said norn(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--store", store()});
    return testing::norn(std::move(arguments));
  }

  /// Ten minutes of random events, the input of most tests here.
  void explore(const std::string& device) const {
    const Said said = norn({"explore", "--device", device, "--strategy", "random", "--budget", "10m"});
    ASSERT_LE(said.exit, 1) << said.err;
  }
  /// A version of an app with one button, whose answer is `text`; `more`: statements of its handler.
  std::string app(const std::string& name, const std::string& text, const std::string& more = "") const {
    const std::string path = at(name);
    EXPECT_TRUE(
        write_file(path, fmt::format("app {{ package = \"org.example.x\", title = \"X\", main = \"Main\" }}\n"
                                     "activity \"Main\" {{ create = function(self) self.said = \"\" end,\n"
                                     "  view = function(self) return column {{\n"
                                     "    button {{ \"Ask\", id = \"ask\", on_click = function()\n"
                                     "      {}\n"
                                     "      self.said = \"{}\"\n"
                                     "    end }},\n"
                                     "    text {{ self.said, id = \"said\" }} }} end }}\n",
                                     more, text)));
    return "sim:" + path;
  }
};

TEST_F(SuiteCommand, ABudgetThatIsTooSmallFailsNothing) {
  explore("sim:tips");
  ASSERT_EQ(norn({"suite", "--device", "sim:tips"}).exit, 0);
  for (const char* budget : {"2s", "9s", "20s"}) {
    const Said said = norn({"replay", "--suite", "s1", "--budget", budget, "--json"});
    EXPECT_EQ(said.exit, 4) << budget << said.out;
    EXPECT_EQ(Json::parse(said.out)["failed"], 0) << budget << said.out;
  }
}

TEST_F(SuiteCommand, SaysWhatScriptsRelyOn) {
  explore("sim:tips");
  const Said said = norn({"suite", "--device", "sim:tips", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_EQ(json["suite"], "s1");
  EXPECT_LT(json["events_after"], json["events_before"]);
  EXPECT_LT(json["run_seconds_after"], json["run_seconds_before"]);
  EXPECT_EQ(json["coverage_after"], json["coverage_before"]);
  EXPECT_EQ(json["screens_after"], json["screens_before"]);
  EXPECT_EQ(json["crashes_kept"], json["crashes_before"]);
  EXPECT_GT(json["crashes_kept"], 0);
  EXPECT_EQ(json["traces"].size(), json["traces_after"]);
  EXPECT_TRUE(json["lost"].empty());
  EXPECT_EQ(json["phases"].back()["run_seconds"], json["run_seconds_after"]);
  for (const char* field : {"left_out", "unstable", "deterministic", "stopped", "made_by", "effort"})
    EXPECT_TRUE(json.contains(field)) << field;
  for (const char* field : {"trace", "events", "fragments", "rate", "replayed", "adds", "only"})
    EXPECT_TRUE(json["traces"][0].contains(field)) << field;

  const Said again = norn({"replay", "--suite", "s1", "--json"});  // on the device it was made on
  ASSERT_EQ(again.exit, 0) << again.out << again.err;
  EXPECT_EQ(Json::parse(again.out)["passed"], json["traces_after"]);
  EXPECT_EQ(Json::parse(again.out)["failed"], 0);
  EXPECT_TRUE(norn({"runs"}).shows("s1"));
}

TEST_F(SuiteCommand, ABugIsARegressionWithBothScreens) {
  explore("sim:tips?bugs=none");
  // What is covered can be covered without meeting a bug: every step on every screen is wanted here.
  ASSERT_EQ(norn({"suite", "--device", "sim:tips?bugs=none", "--by", "steps", "--quiet"}).exit, 0);
  const Said fine = norn({"replay", "--suite", "s1", "--quiet"});
  EXPECT_EQ(fine.exit, 0) << fine.out;
  const Said broken = norn({"replay", "--suite", "s1", "--device", "sim:tips", "--json"});
  ASSERT_EQ(broken.exit, 1) << broken.out;
  const Json json = Json::parse(broken.out);
  EXPECT_GT(json["failed"], 0);
  bool crashed = false;
  for (const Json& result : json["results"]) {
    if (result["verdict"] != "fail") continue;
    EXPECT_GE(result["event"], 1);
    EXPECT_FALSE(result["why"].get<std::string>().empty());
    crashed |= result["crash"].is_string();
  }
  EXPECT_TRUE(crashed);
}

TEST_F(SuiteCommand, MutantsAreOtherVersionsAndSomeAreNoticed) {
  explore("sim:tips?bugs=none");
  ASSERT_EQ(norn({"suite", "--device", "sim:tips?bugs=none", "--quiet"}).exit, 0);
  int noticed = 0;
  for (const int mutant : {3, 8, 13, 18, 23, 28}) {
    const Said said =
        norn({"replay", "--suite", "s1", "--device", fmt::format("sim:tips?bugs=none&mutant={}", mutant)});
    ASSERT_TRUE(said.exit == 0 || said.exit == 1) << said.err;
    EXPECT_TRUE(said.shows("another version of the app")) << said.out;
    noticed += said.exit;
  }
  EXPECT_GE(noticed, 2);
}

TEST_F(SuiteCommand, ShowsTheScreenThenAndNow) {
  explore(app("one.lua", "yes"));
  ASSERT_EQ(norn({"suite", "--device", "sim:" + at("one.lua"), "--quiet"}).exit, 0);
  const Said said = norn({"replay", "--suite", "s1", "--device", app("two.lua", "no")});
  ASSERT_EQ(said.exit, 1) << said.out;
  const std::size_t then = said.out.find("the screen when the suite was made:");
  const std::size_t now = said.out.find("the screen now:");
  ASSERT_NE(then, std::string::npos) << said.out;
  ASSERT_NE(now, std::string::npos) << said.out;
  EXPECT_NE(said.out.substr(then, now - then).find("yes"), std::string::npos) << said.out;
  EXPECT_NE(said.out.substr(now).find("no"), std::string::npos) << said.out;
}

TEST_F(SuiteCommand, JUnitHoldsWhateverAnAppShows) {
  explore(app("one.lua", "yes"));
  ASSERT_EQ(norn({"suite", "--device", "sim:" + at("one.lua"), "--quiet", "--name", "<&\"' x"}).exit, 0);
  const std::string other = app("two.lua", R"(]]> <b>&amp; \"'\1\27)");
  const std::string xml = at("out.xml");
  const Said said = norn({"replay", "--suite", "s1", "--device", other, "--junit", xml});
  ASSERT_EQ(said.exit, 1) << said.out << said.err;
  pugi::xml_document document;
  const auto parsed = document.load_file(xml.c_str(), pugi::parse_default, pugi::encoding_utf8);
  ASSERT_TRUE(parsed) << parsed.description() << *read_file(xml);
  const auto suite = document.child("testsuites").child("testsuite");
  EXPECT_GE(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("tests").as_int(),
            std::distance(suite.children("testcase").begin(), suite.children("testcase").end()));
  const auto failure = suite.find_child([](auto c) { return c.child("failure"); }).child("failure");
  EXPECT_NE(std::string(failure.text().get()).find("]]> <b>&amp; \"'"), std::string::npos)
      << failure.text().get();

  // Nothing is overwritten unasked.
  EXPECT_EQ(norn({"replay", "--suite", "s1", "--device", other, "--junit", xml}).exit, 2);
  EXPECT_EQ(norn({"replay", "--suite", "s1", "--device", other, "--junit", xml, "--force"}).exit, 1);
}

TEST_F(SuiteCommand, MissingLinesAreARegressionOfTheSameVersionOnly) {
  // The file changes how the app goes on inside, not what it shows.
  explore(app("one.lua", "yes", "local a = 1"));
  ASSERT_EQ(norn({"suite", "--device", "sim:" + at("one.lua"), "--quiet"}).exit, 0);
  const Said other =
      norn({"replay", "--suite", "s1", "--device", app("two.lua", "yes", "if false then end")});
  EXPECT_EQ(other.exit, 0) << other.out;
}

TEST_F(SuiteCommand, TargetAndKeepAndBy) {
  explore("sim:tips");
  const Json whole = Json::parse(norn({"suite", "--device", "sim:tips", "--json"}).out);
  const double seconds = whole["run_seconds_after"].get<double>() / 2;
  const Said half =
      norn({"suite", "--device", "sim:tips", "--target", fmt::format("{}s", seconds), "--json"});
  ASSERT_EQ(half.exit, 0) << half.err;
  EXPECT_LE(Json::parse(half.out)["run_seconds_after"].get<double>(), seconds);
  EXPECT_GT(Json::parse(half.out)["left_out"], 0);
  const Said crashes = norn({"suite", "--device", "sim:tips", "--by", "crashes", "--json"});
  // What the first suite came upon while it planned is part of what was executed now.
  EXPECT_EQ(Json::parse(crashes.out)["crashes_kept"], Json::parse(crashes.out)["crashes_before"]);
  EXPECT_GE(Json::parse(crashes.out)["crashes_kept"], whole["crashes_kept"]);
  EXPECT_LT(Json::parse(crashes.out)["run_seconds_after"], whole["run_seconds_after"]);
  const Said kept = norn({"suite", "--device", "sim:tips", "--by", "crashes", "--keep", "t1", "--json"});
  ASSERT_EQ(kept.exit, 0) << kept.err;
  bool there = false;
  const Json with = Json::parse(kept.out);
  for (const Json& trace : with["traces"]) there |= trace["keep"] == true;
  EXPECT_TRUE(there) << kept.out;
}

/// Seconds of device time that one run of the suite takes.
double seconds_of_a_run(const Said& replayed) {
  double sum = 0;
  const Json said = Json::parse(replayed.out);
  for (const Json& result : said["results"]) sum += result["seconds"].get<double>();
  return sum;
}

TEST_F(SuiteCommand, SaysWhichTargetIsTheSmallest) {
  explore("sim:tips");
  const Said said = norn({"suite", "--device", "sim:tips", "--target", "1s"});
  EXPECT_EQ(said.exit, 2);
  EXPECT_NE(said.err.find("no trace fits into a target of 1.0 s"), std::string::npos) << said.err;
  const std::size_t at = said.err.find("--target ");
  ASSERT_NE(at, std::string::npos) << said.err;
  const std::string smallest = said.err.substr(at + 9, said.err.find('s', at + 9) - at - 8);
  const Said met = norn({"suite", "--device", "sim:tips", "--target", smallest, "--json"});
  ASSERT_EQ(met.exit, 0) << smallest << met.err;
  EXPECT_LE(Json::parse(met.out)["run_seconds_after"].get<double>(), std::stod(smallest));
}

TEST_F(SuiteCommand, ARunTakesWhatWaitsTake) {
  const std::string device = app(
      "late.lua", "yes", "self.first = self.first or now() if now() - self.first < 50000 then return end");
  const std::string ask = "{\"kind\":\"tap\",\"target\":{\"id\":\"org.example.x:id/ask\"}}\n";
  ASSERT_TRUE(write_file(at("wait.jsonl"), "{\"norn\":\"trace\",\"version\":1}\n" + ask +
                                               "{\"kind\":\"wait\",\"ms\":60000}\n" + ask + "{\"end\":3}\n"));
  const Said made = norn({"suite", at("wait.jsonl"), "--device", device, "--json"});
  ASSERT_EQ(made.exit, 0) << made.err;
  const Json suite = Json::parse(made.out);
  EXPECT_GE(suite["run_seconds_before"], 60);
  const Said replayed = norn({"replay", "--suite", "s1", "--json"});
  ASSERT_EQ(replayed.exit, 0) << replayed.out << replayed.err;
  EXPECT_NEAR(suite["run_seconds_after"].get<double>(), seconds_of_a_run(replayed), 0.1);
  // What is found out without waiting fits; what comes after the wait does not.
  const Said early = norn({"suite", at("wait.jsonl"), "--device", device, "--target", "10s", "--json"});
  ASSERT_EQ(early.exit, 0) << early.err;
  EXPECT_GT(Json::parse(early.out)["left_out"], 0);
  EXPECT_LE(seconds_of_a_run(norn({"replay", "--suite", "s2", "--json"})), 10);
}

TEST_F(SuiteCommand, ATargetIsMetByWhatSlowEventsReallyTake) {
  // Every answer is waited for three seconds, which no price of an event tells. Each button has its own code.
  std::string page =
      "app { package = \"org.example.slow\", title = \"S\", main = \"Main\" }\n"
      "activity \"Main\" {\n"
      "  ask = function(self) self.busy = true; self:after(3000, function() self.busy = false "
      "end) end,\n"
      "  view = function(self) return column {\n"
      "    self.busy and progress { id = \"wheel\", spinning = true },\n";
  for (int b = 0; b < 8; ++b)
    page += fmt::format(
        "    button {{ \"B{0}\", id = \"b{0}\", on_click = function()\n      self:ask()\n    end }},\n", b);
  page += "  } end }\n";
  ASSERT_TRUE(write_file(at("slow.lua"), page));
  const std::string device = "sim:" + at("slow.lua");
  explore(device);
  const Said whole = norn({"suite", "--device", device, "--json"});
  ASSERT_EQ(whole.exit, 0) << whole.err;
  const Said replayed = norn({"replay", "--suite", "s1", "--json"});
  const double seconds = seconds_of_a_run(replayed);
  EXPECT_NEAR(Json::parse(whole.out)["run_seconds_after"].get<double>(), seconds, 0.1);
  const Said half =
      norn({"suite", "--device", device, "--target", fmt::format("{}s", seconds / 2), "--json"});
  ASSERT_EQ(half.exit, 0) << half.err;
  EXPECT_GT(Json::parse(half.out)["left_out"], 0);
  const double taken = seconds_of_a_run(norn({"replay", "--suite", "s2", "--json"}));
  EXPECT_LE(taken, seconds / 2);
  EXPECT_GT(taken, seconds / 8);  // and much of it is used
}

TEST_F(SuiteCommand, AFlakyCrashIsReportedAsItIsStored) {
  // The crash may come at any of the taps: one run's luck is not the trace's length.
  const std::string device = app("luck.lua", "yes", "if random(100) <= 20 then error(\"luck\") end");
  std::string trace = "{\"norn\":\"trace\",\"version\":1}\n";
  for (int i = 0; i < 33; ++i) trace += "{\"kind\":\"tap\",\"target\":{\"id\":\"org.example.x:id/ask\"}}\n";
  ASSERT_TRUE(write_file(at("luck.jsonl"), trace + "{\"end\":33}\n"));
  std::size_t checked = 0;
  for (const int seed : {1, 2, 3, 4}) {
    const Said made = norn({"suite", at("luck.jsonl"), "--device",
                            fmt::format("{}?content=random&seed={}", device, seed), "--json"});
    if (made.exit == 2) continue;  // not one of the last runs crashed in time
    ASSERT_EQ(made.exit, 0) << made.out << made.err;
    const Json suite = Json::parse(made.out);
    const Said replayed = norn({"replay", "--suite", suite["suite"], "--times", "50", "--json"});
    const Json results = Json::parse(replayed.out)["results"];
    ASSERT_EQ(results.size(), suite["traces"].size());
    std::uint64_t events = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Json& one = suite["traces"][i];
      const Json shown = Json::parse(norn({"show", one["trace"], "--json"}).out);
      EXPECT_EQ(shown["events"].size(), one["events"]) << shown;
      events += one["events"].get<std::uint64_t>();
      const double passed = results[i]["passed"][0].get<double>() / results[i]["passed"][1].get<double>();
      EXPECT_NEAR(one["rate"].get<double>(), passed, 0.35);
      ++checked;
    }
    EXPECT_EQ(suite["events_after"], events);
  }
  EXPECT_GT(checked, 0U);
}

TEST_F(SuiteCommand, TracesThatDoNotReplayAreNamedNotFatal) {
  const std::string trace = at("foreign.json");
  explore("sim:tips?bugs=none");
  const Said exported = norn({"export", "t1", "--format", "norn", "--out", trace});
  if (exported.exit != 0) {  // no trace was named yet: a suite names some
    ASSERT_EQ(norn({"suite", "--device", "sim:tips?bugs=none", "--quiet"}).exit, 0);
    ASSERT_EQ(norn({"export", "t1", "--format", "norn", "--out", trace}).exit, 0);
  }
  const Said said = norn({"suite", trace, "--device", "sim:notes?bugs=none", "--json"});
  EXPECT_EQ(said.exit, 2) << said.out << said.err;  // nothing of it can be run there
  EXPECT_TRUE(Json::parse(said.out).contains("error")) << said.out;
}

TEST_F(SuiteCommand, BadQuestionsAreAnsweredInWords) {
  const Said nothing = norn({"suite", "--device", "sim:tips"});
  EXPECT_EQ(nothing.exit, 2);
  EXPECT_NE(nothing.err.find("norn explore"), std::string::npos) << nothing.err;
  EXPECT_EQ(norn({"suite", "t99", "--device", "sim:tips"}).exit, 2);
  EXPECT_EQ(norn({"suite", "--device", "sim:tips", "--k", "99"}).exit, 2);
  EXPECT_EQ(norn({"suite", "--device", "sim:tips", "--by", "luck"}).exit, 2);
  EXPECT_EQ(norn({"replay", "--suite", "s9", "--device", "sim:tips"}).exit, 2);
  EXPECT_EQ(norn({"replay", "--suite", "t1", "--device", "sim:tips"}).exit, 2);
}

TEST_F(SuiteCommand, ABudgetThatIsSpentLeavesAWholeSuite) {
  explore("sim:tips");
  const Said said = norn({"suite", "--device", "sim:tips", "--budget", "20s", "--json"});
  EXPECT_EQ(said.exit, 4) << said.err;
  EXPECT_EQ(Json::parse(said.out)["stopped"], true);
  for (const Json traces = Json::parse(said.out)["traces"]; const Json& trace : traces) {
    EXPECT_TRUE(trace["rate"].is_null());  // the last check was not made
    EXPECT_TRUE(trace["replayed"].is_null());
  }
  EXPECT_EQ(Json::parse(said.out)["coverage_after"], Json::parse(said.out)["coverage_before"]);
}

TEST_F(SuiteCommand, WithoutTimeForASingleTraceThereIsAnObjectStill) {
  explore("sim:tips");
  const Said said = norn({"suite", "--device", "sim:tips", "--budget", "1s", "--repeats", "10", "--json"});
  EXPECT_EQ(said.exit, 4) << said.err;
  const Json json = Json::parse(said.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << said.out;
  EXPECT_TRUE(json["suite"].is_null());
  EXPECT_EQ(json["stopped"], true);
}

}  // namespace
}  // namespace norn

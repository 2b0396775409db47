// norn suite and norn replay --suite as scripts see them: exit codes, JSON, files.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "base/file.h"
#include "cli/command.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A folder of its own for every test, gone afterwards.
class SuiteCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / fmt::format("norn_suite_{}_{}", test->name(), getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  struct Said {
    int exit = 0;
    std::string out, err;
    Json json() const { return Json::parse(out); }
    bool has(const char* text) const { return out.find(text) != std::string::npos; }
  };
  Said norn(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "norn");
    arguments.insert(arguments.end(), {"--store", file("norn.db")});
    std::vector<const char*> raw;
    for (const std::string& a : arguments) raw.push_back(a.c_str());
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    Said said;
    said.exit = cli::run(static_cast<int>(raw.size()), raw.data());
    said.out = ::testing::internal::GetCapturedStdout();
    said.err = ::testing::internal::GetCapturedStderr();
    return said;
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  /// Ten minutes of random events, the input of most tests here.
  void explore(const std::string& device) const {
    const Said said = norn({"explore", "--device", device, "--strategy", "random", "--budget", "10m"});
    ASSERT_LE(said.exit, 1) << said.err;
  }
  /// A version of an app with one button, whose answer is `text`; `more`: statements of its handler.
  std::string app(const std::string& name, const std::string& text, const std::string& more = "") const {
    const std::string path = file(name);
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
  fs::path folder_;
};

TEST_F(SuiteCommand, SaysWhatScriptsRelyOn) {
  explore("sim:tips");
  const Said said = norn({"suite", "--device", "sim:tips", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
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
  EXPECT_EQ(again.json()["passed"], json["traces_after"]);
  EXPECT_EQ(again.json()["failed"], 0);
  EXPECT_TRUE(norn({"runs"}).has("s1"));
}

TEST_F(SuiteCommand, ABugIsARegressionWithBothScreens) {
  explore("sim:tips?bugs=none");
  ASSERT_EQ(norn({"suite", "--device", "sim:tips?bugs=none", "--quiet"}).exit, 0);
  const Said fine = norn({"replay", "--suite", "s1", "--quiet"});
  EXPECT_EQ(fine.exit, 0) << fine.out;
  const Said broken = norn({"replay", "--suite", "s1", "--device", "sim:tips", "--json"});
  ASSERT_EQ(broken.exit, 1) << broken.out;
  const Json json = broken.json();
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
    EXPECT_TRUE(said.has("another version of the app")) << said.out;
    noticed += said.exit;
  }
  EXPECT_GE(noticed, 2);
}

TEST_F(SuiteCommand, ShowsTheScreenThenAndNow) {
  explore(app("one.lua", "yes"));
  ASSERT_EQ(norn({"suite", "--device", "sim:" + file("one.lua"), "--quiet"}).exit, 0);
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
  ASSERT_EQ(norn({"suite", "--device", "sim:" + file("one.lua"), "--quiet", "--name", "<&\"' x"}).exit, 0);
  const std::string other = app("two.lua", R"(]]> <b>&amp; \"'\1\27)");
  const std::string xml = file("out.xml");
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
  ASSERT_EQ(norn({"suite", "--device", "sim:" + file("one.lua"), "--quiet"}).exit, 0);
  const Said other =
      norn({"replay", "--suite", "s1", "--device", app("two.lua", "yes", "if false then end")});
  EXPECT_EQ(other.exit, 0) << other.out;
}

TEST_F(SuiteCommand, TargetAndKeepAndBy) {
  explore("sim:tips");
  const Json whole = norn({"suite", "--device", "sim:tips", "--json"}).json();
  const double seconds = whole["run_seconds_after"].get<double>() / 2;
  const Said half =
      norn({"suite", "--device", "sim:tips", "--target", fmt::format("{}s", seconds), "--json"});
  ASSERT_EQ(half.exit, 0) << half.err;
  EXPECT_LE(half.json()["run_seconds_after"].get<double>(), seconds);
  EXPECT_GT(half.json()["left_out"], 0);
  const Said crashes = norn({"suite", "--device", "sim:tips", "--by", "crashes", "--json"});
  EXPECT_EQ(crashes.json()["crashes_kept"], whole["crashes_kept"]);
  EXPECT_LT(crashes.json()["run_seconds_after"], whole["run_seconds_after"]);
  const Said kept = norn({"suite", "--device", "sim:tips", "--by", "crashes", "--keep", "t1", "--json"});
  ASSERT_EQ(kept.exit, 0) << kept.err;
  bool there = false;
  const Json with = kept.json();
  for (const Json& trace : with["traces"]) there |= trace["keep"] == true;
  EXPECT_TRUE(there) << kept.out;
}

TEST_F(SuiteCommand, TracesThatDoNotReplayAreNamedNotFatal) {
  const std::string trace = file("foreign.json");
  explore("sim:tips?bugs=none");
  const Said exported = norn({"export", "t1", "--format", "norn", "--out", trace});
  if (exported.exit != 0) {  // no trace was named yet: a suite names some
    ASSERT_EQ(norn({"suite", "--device", "sim:tips?bugs=none", "--quiet"}).exit, 0);
    ASSERT_EQ(norn({"export", "t1", "--format", "norn", "--out", trace}).exit, 0);
  }
  const Said said = norn({"suite", trace, "--device", "sim:notes?bugs=none", "--json"});
  EXPECT_EQ(said.exit, 2) << said.out << said.err;  // nothing of it can be run there
  EXPECT_TRUE(said.json().contains("error")) << said.out;
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
  EXPECT_EQ(said.json()["stopped"], true);
  EXPECT_EQ(said.json()["coverage_after"], said.json()["coverage_before"]);
}

}  // namespace
}  // namespace norn

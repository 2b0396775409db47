// norn import and what is found again of what it took.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "cli/testing.h"

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

}  // namespace
}  // namespace norn

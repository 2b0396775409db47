// norn replay as a user meets it: what is said of runs that do not do what was recorded.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/testing.h"

namespace norn {
namespace {

using Json = nlohmann::json;
using testing::norn;
using testing::Said;

class ReplayCommandTest : public testing::InAFolder {
 protected:
  Said replay(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"replay", "--store", store()});
    return norn(std::move(arguments));
  }
  /// Left crashes at the fourth tap, right at the second; luck at any, one time in two.
  std::string app(const std::string& options = "") const {
    EXPECT_TRUE(write_file(at("twin.lua"), R"(
app { package = "org.example.twin", title = "Twin", main = "Main" }
activity "Main" {
  create = function(self) self.left, self.right = 0, 0 end,
  view = function(self) return column {
    button { "Left", id = "left", on_click = function()
      self.left = self.left + 1
      if self.left > 3 then throw("java.lang.IllegalStateException", "left") end
    end },
    button { "Right", id = "right", on_click = function()
      self.right = self.right + 1
      if self.right > 1 then throw("java.lang.NullPointerException", "right") end
    end },
    button { "Luck", id = "luck", on_click = function()
      if random(2) == 1 then throw("java.lang.ArithmeticException", "luck") end
    end },
  } end,
}
)"));
    return "sim:" + at("twin.lua") + options;
  }
  std::string taps(const std::vector<std::string>& ids) const {
    std::string text = "{\"norn\":\"trace\",\"version\":1}\n";
    for (const std::string& id : ids)
      text += R"({"kind":"tap","target":{"id":"org.example.twin:id/)" + id + "\"}}\n";
    EXPECT_TRUE(write_file(at("taps.jsonl"), text + "{\"end\":" + std::to_string(ids.size()) + "}\n"));
    return at("taps.jsonl");
  }
};

TEST_F(ReplayCommandTest, NamesTheEventAtWhichAnotherCrashEndedIt) {
  const std::string trace = taps({"left", "left", "left", "left", "right", "right"});
  const Json json = Json::parse(replay({trace, "--device", app(), "--json", "--quiet"}).out);
  EXPECT_EQ(json["reproduced"], Json({0, 5}));
  EXPECT_EQ(json["diverged_at"], 4);
  EXPECT_TRUE(json["seen_instead"].get<std::string>().find("IllegalState") != std::string::npos) << json;
  const Said said = replay({trace, "--device", app()});
  EXPECT_EQ(said.exit, 1);
  EXPECT_TRUE(said.shows("ended in another crash at event 4 of 6: ")) << said.out;
  EXPECT_TRUE(said.shows("seen instead: ")) << said.out;
  EXPECT_FALSE(said.has("every event could be performed")) << said.out;
}

TEST_F(ReplayCommandTest, TellsOfTheOtherRunsToo) {
  const Said said =
      replay({taps({"left", "luck", "left"}), "--device", app("?content=random"), "--times", "30", "--json"});
  EXPECT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  EXPECT_GT(json["reproduced"][0], 0);
  EXPECT_LT(json["reproduced"][0], 30);
  EXPECT_EQ(json["diverged_at"], 2);
  EXPECT_TRUE(json["seen_instead"].get<std::string>().find("Arithmetic") != std::string::npos) << json;
  const Said missing = replay({taps({"left", "nobody"}), "--device", app()});
  EXPECT_TRUE(missing.shows("went another way at event 2 of 2: ")) << missing.out;
}

TEST_F(ReplayCommandTest, RunsAsOftenAsItIsTold) {
  const std::string trace = taps({"left"});
  const auto runs = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {trace, "--device", app(), "--json", "--quiet"});
    return Json::parse(replay(more).out)["reproduced"][1];
  };
  EXPECT_EQ(runs({}), 5);
  EXPECT_EQ(runs({"--repeats", "12"}), 12);
  EXPECT_EQ(runs({"--times", "3"}), 3);
  EXPECT_EQ(runs({"--times", "3", "--repeats", "12"}), 3);
}

}  // namespace
}  // namespace norn

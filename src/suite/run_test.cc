#include "suite/run.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "device/sim.h"
#include "device/sim/truth.h"
#include "suite/testing.h"

namespace norn {
namespace {

using testing::app_rig;
using testing::Rigged;
using testing::run_taps;
using testing::sim_rig;

TEST(RunSuite, PassesWhereItWasMadeAndFailsOnAnotherVersion) {
  Rigged rig = sim_rig("letters.lua");
  const NodeId end = run_taps(rig, "org.norn.letters", {"a", "b", "c"});
  const std::vector<SuiteCase> cases{suite_case(*rig.tree, end, "t1")};
  Quiet quiet;
  const auto same = run_suite(*sim_rig("letters.lua").replay, cases, {}, quiet);
  ASSERT_EQ(same.size(), 1U);
  EXPECT_EQ(same[0].verdict, CaseResult::Verdict::pass) << same[0].why;
  const auto other = run_suite(*sim_rig("folders.lua").replay, cases, {.coverage = false}, quiet);
  EXPECT_EQ(other[0].verdict, CaseResult::Verdict::fail);
  EXPECT_FALSE(other[0].event);  // it begins with another screen
  EXPECT_TRUE(other[0].seen && other[0].expected);
}

TEST(RunSuite, ShowsBothScreensWhereTheyDiffer) {
  Rigged rig = sim_rig("counter.lua", "?bugs=none");
  const NodeId end = run_taps(rig, "org.norn.counter", {"add", "share"});
  const NodeId crash_end = run_taps(rig, "org.norn.counter", {"share"});
  std::vector<SuiteCase> cases{suite_case(*rig.tree, end, "t1"), suite_case(*rig.tree, crash_end, "t2")};
  cases[0].screens[1].widgets.back().text += " differently";
  Quiet quiet;
  const auto result = run_suite(*sim_rig("counter.lua").replay, cases, {.times = 2}, quiet);
  EXPECT_EQ(result[0].verdict, CaseResult::Verdict::fail);
  EXPECT_EQ(result[0].runs, 2U);
  EXPECT_TRUE(result[0].expected && result[0].seen);
  EXPECT_EQ(result[1].verdict, CaseResult::Verdict::fail);  // with its bugs the app divides by zero
  EXPECT_TRUE(result[1].crash);
}

/// Every known bug, by the events that are known to trigger it, on a suite that was made without it.
TEST(RunSuite, SeesEveryKnownBugWhereItHappens) {
  Quiet quiet;
  std::size_t all = 0;
  for (const std::string& app : sim_apps()) {
    const auto truth = sim::load_truth(app);
    ASSERT_TRUE(truth) << app;
    for (const sim::KnownBug& bug : truth->bugs) {
      if (bug.kind == sim::KnownBug::Kind::flaky || !bug.device.empty()) continue;
      Rigged good = app_rig(fmt::format("sim:{}?bugs=none", app));
      const Outcome o = good.replay->ask({.events = good.replay->intern(bug.events), .watch = AnyCrash{}});
      ASSERT_NE(o.verdict, Verdict::unresolved);
      const std::vector<SuiteCase> cases{suite_case(*good.tree, o.end, bug.id)};
      const auto result = run_suite(*app_rig(fmt::format("sim:{}?bugs={}", app, bug.id)).replay, cases,
                                    {.coverage = false}, quiet);
      EXPECT_EQ(result[0].verdict, CaseResult::Verdict::fail) << app << " " << bug.id;
      ++all;
    }
  }
  EXPECT_GT(all, 50U);
}

TEST(RunSuite, SeesTheFirstScreenAndWhatFieldsHold) {
  Rigged rig = sim_rig("letters.lua");
  const NodeId end = run_taps(rig, "org.norn.letters", {"a", "b"});
  Quiet quiet;
  const auto run = [&](const SuiteCase& one) {
    return run_suite(*sim_rig("letters.lua").replay, std::vector{one}, {}, quiet)[0];
  };
  SuiteCase other = suite_case(*rig.tree, end, "t1");
  EXPECT_EQ(run(other).verdict, CaseResult::Verdict::pass);
  other.screens[0].widgets.back().text += "!";
  EXPECT_EQ(run(other).verdict, CaseResult::Verdict::fail);
  EXPECT_FALSE(run(other).event);

  SuiteCase typed = suite_case(*rig.tree, end, "t1");
  typed.screens[1].widgets.back().set(Flag::editable);
  EXPECT_EQ(run(typed).verdict, CaseResult::Verdict::fail);
}

TEST(RunSuite, JUnitIsWellFormedWhateverTheAppSays) {
  CaseResult bad;
  bad.verdict = CaseResult::Verdict::fail;
  bad.name = "t1 <&\"'>\x01 \xff";
  bad.why = "]]> \n\t";
  Screen screen;
  screen.widgets.emplace_back();
  screen.widgets[0].text = "<script>&\x02";
  bad.seen = screen;
  CaseResult none;
  none.name = "t2";
  none.why = "device lost";
  const std::string xml = junit_xml("s1 & co", std::vector{bad, none});
  EXPECT_NE(xml.find("tests=\"2\" failures=\"1\" errors=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("t1 &lt;&amp;&quot;&apos;&gt;"), std::string::npos) << xml;
  for (const char c : xml) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  EXPECT_EQ(xml.find("<script"), std::string::npos);
}

}  // namespace
}  // namespace norn

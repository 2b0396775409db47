#include "diagnose/clues.h"

#include <gtest/gtest.h>

#include "diagnose/table.h"

namespace norn {
namespace {

Nfa chain() {
  return {{{"start", true, false}, {"menu \"x\""}, {"crash", false, true}},
          {{0, 1, "1"}, {1, 2, "2"}, {0, 0, "2"}},
          {}};
}
EventFile words() {
  EventFile file;
  file.events["1"].what = "Opened the menu.";
  file.events["2"] = {"Chose \"Locked\".", "it lies below the fold", {}, "chose Unlocked"};
  return file;
}
RunResult run_by(const Bug& bug, std::vector<Label> codes, std::string tool = "monkey") {
  Analyser analyser(bug);
  analyser.feed({codes, {}});
  RunResult run = analyser.finish().at(0);
  run.tool = std::move(tool);
  return run;
}

TEST(Clues, SayWhatWasNotDoneWhere) {
  const Bug bug = make_bug("b", chain()).value();
  const RunResult run = run_by(bug, {1, 1, 1, 0, 0});
  const std::vector<std::string> expected{"missed: came within 1 of 2 events",
                                          "reached the place after 1 \"Opened the menu\" twice, never did 2 "
                                          "\"Chose \"Locked\"\" there; did it 3 times elsewhere",
                                          "did 1 \"Opened the menu\" twice and 2 \"Chose \"Locked\"\" 3 "
                                          "times, but never the second right after the first"};
  EXPECT_EQ(clues(bug, run, words()), expected);
}

TEST(Clues, NameTheScreenWhereItIsKnown) {
  const Bug bug = make_bug("b", chain()).value();
  const auto learned = read_event_file(
      R"({"events": {"1": {"what": "tap menu", "kind": "tap", "id": "menu", "only_in": "org.norn.notes.Main"},
                     "2": {"what": "tap Locked", "kind": "tap", "only_in": "org.norn.notes/.Note\u001b[1mbook"}}})",
      "bug");
  ASSERT_TRUE(learned) << learned.error().message();
  const std::string clue = clues(bug, run_by(bug, {0, 0}), *learned).at(1);
  EXPECT_NE(clue.find("never did 2 \"tap Locked\" there, on the screen Note"), std::string::npos) << clue;
  EXPECT_EQ(clue.find('\x1b'), std::string::npos);
}

TEST(Clues, ARunThatBeginsCleanCameToTheStartOnce) {
  const Bug bug = make_bug("b", chain()).value();
  const auto clue = [&](std::vector<Label> codes) {
    return clues(bug, run_by(bug, std::move(codes)), {}).at(1);
  };
  EXPECT_TRUE(clue({signal::clean_start}).starts_with("reached the start once"))
      << clue({signal::clean_start});
  const std::vector<Label> again{signal::clean_start, 1, signal::clean_start};
  EXPECT_TRUE(clue(again).starts_with("reached the start 3 times")) << "with the event that stays there";
}

TEST(Clues, AnotherCrashIsNoCrashOfTheBugs) {
  const Bug bug = make_bug("b", chain()).value();
  const RunResult run = run_by(bug, {0, 1, signal::other_crash});
  EXPECT_FALSE(run.found);
  EXPECT_EQ(run.crashes, 1U);
  EXPECT_EQ(run.other_crashes, 1U);
  const auto said = clues(bug, run, {});
  EXPECT_TRUE(said.at(0).starts_with("crashed in another way once")) << said.at(0);
  for (const std::string& clue : said) EXPECT_EQ(clue.find("no crash was logged"), std::string::npos) << clue;
}

TEST(Clues, GuardsAreNotCountedAsPivotEvents) {
  const std::vector<Label> log{0, 1, signal::crash};
  const Bug plain = make_bug("b", chain()).value(), guarded = make_bug("b", chain(), {}, {"1"}).value();
  EXPECT_EQ(clues(plain, run_by(plain, log), {}).at(0), "found: the crash was logged after 2 pivot events");
  EXPECT_EQ(clues(guarded, run_by(guarded, log), {}).at(0),
            "found: the crash was logged after 2 labelled events");
}

TEST(Clues, NeitherLogNorAutomatonIsBlamedForWhatARecordCannotShow) {
  const Bug bug = make_bug("b", chain()).value();
  const std::vector<std::string> expected{
      "found: the crash was logged after 0 pivot events",
      "1 event may have been a pivot event; the record does not show what it touched"};
  EXPECT_EQ(clues(bug, run_by(bug, {signal::undecided, signal::crash}), {}), expected);
}

TEST(Clues, NameWhatNeverRanAndWhy) {
  const Bug bug = make_bug("b", chain()).value();
  const RunResult run = run_by(bug, {0, static_cast<Label>(signal::warning + 1)});
  const std::vector<std::string> expected{
      "missed: came within 1 of 2 events",
      "reached the place after 1 \"Opened the menu\" once, never did 2 \"Chose \"Locked\"\" there; nor "
      "anywhere else",
      "never did 2 \"Chose \"Locked\"\"; usual reason: it lies below the fold",
      "warning at 2 \"Chose \"Locked\"\", once: chose Unlocked"};
  EXPECT_EQ(clues(bug, run, words()), expected);
}

TEST(Clues, DisagreementsOfLogAndAutomatonAreSaid) {
  const Bug bug = make_bug("b", chain()).value();
  EXPECT_EQ(clues(bug, run_by(bug, {0, 1, signal::crash}), {}).size(), 1U);
  EXPECT_NE(clues(bug, run_by(bug, {0, signal::crash}), {}).at(1).find("incomplete"), std::string::npos);
  EXPECT_NE(clues(bug, run_by(bug, {0, 1}), {}).at(0).find("no crash was logged"), std::string::npos);
  EXPECT_NE(clues(make_bug("b", {}).value(), run_by(make_bug("b", {}).value(), {}), {})
                .at(0)
                .find("accepts nothing"),
            std::string::npos);
}

Nfa three() {
  return {{{"q0", true, false}, {"q1"}, {"q2"}, {"q3", false, true}},
          {{0, 1, "1"}, {1, 2, "2"}, {2, 3, "3"}},
          {}};
}
bool says(const Bug& bug, const std::vector<Label>& codes, std::string_view what) {
  for (const std::string& clue : clues(bug, run_by(bug, codes), {}))
    if (clue.find(what) != std::string::npos) return true;
  return false;
}

// Where a relaunch leaves open where the run is, no clue takes that for the start.
TEST(Clues, RelaunchesLeadSomewhere) {
  const Bug bug = make_bug("b", three()).value();
  EXPECT_TRUE(says(bug, {0, signal::relaunch},
                   "reached the start or the place after event 1 (a relaunch left open which) once"));
  EXPECT_FALSE(says(bug, {0, signal::relaunch}, "0 times"));
  EXPECT_TRUE(says(bug, {signal::relaunch, 2}, "reached the start 3 times"));
  const auto with = [](OnRelaunch restart) { return make_bug("b", three(), {.restart = restart}).value(); };
  EXPECT_TRUE(
      says(with(OnRelaunch::reset), {signal::relaunch, signal::relaunch, 2}, "reached the start 4 times"));
  EXPECT_TRUE(says(with(OnRelaunch::keep), {signal::relaunch, 2}, "reached the start twice"));
  EXPECT_TRUE(says(bug, {0, 1, signal::relaunch, 2}, "only if what was done before a relaunch still counts"));
  EXPECT_FALSE(says(bug, {0, 1, 2}, "relaunch"));
}

// Under DDroid's rules a pair is forgotten where matching went back to the start: the log may have it.
TEST(Clues, AForgottenPairIsNotSaidToBeMissing) {
  const Bug ddroid = make_bug("b", three(), {.rules = Semantics::ddroid}).value();
  EXPECT_TRUE(says(ddroid, {2, 1, 2}, "right after the first without going back to the start"));
  EXPECT_FALSE(says(make_bug("b", three()).value(), {2, 1, 2}, "right after the first"));
}

TEST(Clues, DotShowsCoverageAndEscapes) {
  const Bug bug = make_bug("b", chain()).value();
  const std::string dot = coverage_dot(bug, run_by(bug, {0}), words());
  EXPECT_NE(dot.find(R"(label="1: 1", tooltip="1 \"Opened the menu\"", color=darkgreen)"), std::string::npos)
      << dot;
  EXPECT_NE(dot.find(R"(menu \"x\"\n1 to the crash, once", fillcolor=palegreen, penwidth=3)"),
            std::string::npos)
      << dot;
  EXPECT_NE(dot.find("mistyrose, peripheries=2"), std::string::npos) << dot;
  EXPECT_NE(dot.find("color=red, style=dashed"), std::string::npos) << dot;
}

TEST(Table, BestAndUnionPerTool) {
  const std::vector<Bug> bugs{make_bug("b,1", chain()).value()};
  const std::vector<RunResult> runs{run_by(bugs[0], {0}), run_by(bugs[0], {1, 1}),
                                    run_by(bugs[0], {0, 1, signal::crash}, "norn")};
  const auto rows = tool_rows(bugs, runs);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].best_ec, 1U);
  EXPECT_EQ(rows[0].united.ec, 2U);
  EXPECT_EQ(rows[0].best_md, 1U);
  EXPECT_EQ(rows[0].found, 0U);
  EXPECT_EQ(rows[1].found, 1U);
  EXPECT_EQ(table_csv(bugs, rows),
            "bug,tool,runs,found,distance,events,pairs,best_ec,best_epc,best_md,union_ec,union_epc,union_md,"
            "first_missed\n"
            "\"b,1\",monkey,2,0,2,2,3,1,1,1,2,1,1,2\n"
            "\"b,1\",norn,1,1,2,2,3,2,1,0,2,1,0,\n");
  EXPECT_EQ(table_text(bugs, rows),
            "             monkey            norn            \n"
            "bug    dist    EC   EPC    MD    EC   EPC    MD\n"
            "b,1       2   50%   33%     1  100%   33%    0*\n"
            "found                  0 of 1            1 of 1\n");
}

TEST(Table, NoNameIsAFormula) {
  const std::vector<Bug> bugs{make_bug("=1+1", chain()).value()};
  const auto rows = tool_rows(bugs, {run_by(bugs[0], {0}, "@tool")});
  EXPECT_NE(table_csv(bugs, rows).find("\n'=1+1,'@tool,"), std::string::npos);
}

}  // namespace
}  // namespace norn

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/rng.h"
#include "cli/testing.h"
#include "diagnose/analysis.h"
#include "diagnose/events.h"
#include "diagnose/reference.h"
#include "formats/jflap.h"
#include "formats/logcat.h"

namespace norn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::Said;

/// `norn diagnose ARGUMENTS...`
Said diagnose(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "diagnose");
  return testing::norn(std::move(arguments));
}
const std::string example = NORN_SOURCE_DIR "/examples/diagnose/";

fs::path shared() {
  const char* given = std::getenv("NORN_SHARED");
  return fs::path(given ? given : NORN_SOURCE_DIR "/../shared") / "data/jff";
}

TEST(DiagnoseCommand, TheBundledExample) {
  const Said said = diagnose({example + "shop.jff", example + "monkey", example + "curious", "--events",
                              example + "shop.json", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = Json::parse(said.out);
  ASSERT_EQ(json["runs"].size(), 3U);
  const Json& curious = json["runs"][1];
  EXPECT_EQ(curious["bug"], "shop");
  EXPECT_EQ(curious["tool"], "curious");
  EXPECT_EQ(curious["found"], false);
  EXPECT_EQ(curious["ec"], Json({5, 5}));
  EXPECT_EQ(curious["md"], 1);
  EXPECT_EQ(curious["first_missed"], "5");
  EXPECT_EQ(curious["events"]["5"], 1);
  EXPECT_EQ(curious["pairs"]["3,4"], 1);
  EXPECT_EQ(curious["pairs"]["4,5"], 0);
  EXPECT_EQ(json["runs"][0]["ec"], Json({2, 5}));
  EXPECT_EQ(json["runs"][0]["md"], 3);
  EXPECT_EQ(json["runs"][0]["relaunches"], 1);
  EXPECT_EQ(json["union"]["md"], 1);
  EXPECT_EQ(json["automata"][0]["nfa"], (Json{{"states", 6}, {"transitions", 11}, {"epsilon", 3}}));
  EXPECT_EQ(json["automata"][0]["distance"], 5);
  EXPECT_EQ(json["tools"].size(), 2U);
  EXPECT_TRUE(json.contains("made_by"));
  EXPECT_TRUE(json["effort"].contains("wall_seconds"));
}

TEST(DiagnoseCommand, WordsForPeople) {
  const Said said =
      diagnose({example + "shop.jff", example + "curious/run1.log", "--events", example + "shop.json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_NE(said.out.find("missed  EC 5/5"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("never did 5 \"pay\" there; did it once elsewhere"), std::string::npos) << said.out;
}

using DiagnoseInAFolder = testing::InAFolder;

TEST_F(DiagnoseInAFolder, WhatLiesBesideAnAutomatonExplainsIt) {
  fs::copy_file(example + "shop.jff", at("shop.jff"));
  fs::copy_file(example + "shop.json", at("shop.events.json"));
  ASSERT_TRUE(write_file(at("notes.md"), "1 2 3 are events\n"));
  ASSERT_TRUE(write_file(at("run.txt"), "1 2\n"));
  const Said said = diagnose({folder_.string()});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_TRUE(said.shows("never did 5 \"pay\"")) << said.out;
  EXPECT_TRUE(said.shows("run.txt")) << said.out;
  EXPECT_FALSE(said.shows("notes.md") || said.shows("events.json")) << said.out;
}

TEST_F(DiagnoseInAFolder, AnAutomatonThatIsNamedIsTheOnlyOne) {
  fs::copy_file(example + "shop.jff", at("drawing.jff"));
  ASSERT_TRUE(write_file(at("run.txt"), "1 2\n"));
  fs::create_directory(at("more"));
  const Said said = diagnose({example + "shop.jff", folder_.string(), "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(Json::parse(said.out)["automata"].size(), 1U);
  EXPECT_TRUE(said.has("more: left out: a folder in a folder")) << said.err;
}

TEST_F(DiagnoseInAFolder, PublishedNamesBelongTogether) {
  fs::copy_file(example + "shop.jff", at("Shop_7-NFA.jff"));
  ASSERT_TRUE(
      write_file(at("Shop_configuration-#7.json"), R"({"events":{"3":{"info":"Opened the cart."}}})"));
  ASSERT_TRUE(write_file(at("run.txt"), "1 2\n"));
  EXPECT_TRUE(diagnose({at("Shop_7-NFA.jff"), at("run.txt")}).shows("never did 3 \"Opened the cart\""));
}

TEST_F(DiagnoseInAFolder, SeveralRunsOfOneFileAreToldApart) {
  ASSERT_TRUE(write_file(at("run.txt"), "1 2 @run 1 2 3\n"));
  ASSERT_TRUE(write_file(at("empty.txt"), ""));
  const Said said = diagnose({example + "shop.jff", at("run.txt"), at("empty.txt")});
  EXPECT_TRUE(said.shows("run.txt, run 1") && said.shows("run.txt, run 2")) << said.out;
  EXPECT_TRUE(said.has("empty.txt: tells of no event at all")) << said.err;
  const Json json = Json::parse(diagnose({example + "shop.jff", at("run.txt"), "--json"}).out);
  EXPECT_EQ(json["runs"][1]["run"], 2);
}

TEST_F(DiagnoseInAFolder, AutomataGoOutAsTheyCameIn) {
  ASSERT_EQ(diagnose({example + "shop.jff", "--graph", at("copy.jff")}).exit, 0);
  const auto was = read_jflap(*read_file(example + "shop.jff"), "shop"),
             is = read_jflap(*read_file(at("copy.jff")), "copy");
  ASSERT_TRUE(was && is);
  EXPECT_EQ(is->automaton.transitions, was->automaton.transitions);
}

TEST(DiagnoseCommand, BadInputIsNamed) {
  const auto fails = [](std::vector<std::string> arguments, std::string_view word) {
    const Said said = diagnose(std::move(arguments));
    EXPECT_EQ(said.exit, 2) << said.out;
    EXPECT_NE(said.err.find(word), std::string::npos) << said.err;
  };
  fails({}, "files");
  fails({example + "curious/run1.log"}, "no bug automaton");
  fails({example + "shop.jff", "/no/such.log"}, "/no/such.log");
  fails({"/no/such.jff"}, "/no/such.jff");
  fails({example + "shop.jff", "--rules", "droid"}, "ddroid");
  fails({example + "shop.jff", "--events", example + "shop.jff"}, "not JSON");
}

TEST(DiagnoseCommand, WritesTablesAndGraphsOnce) {
  const fs::path folder = fs::temp_directory_path() / ("norn-diagnose-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::vector<std::string> arguments{
      example + "shop.jff",        example + "curious", "--csv",
      (folder / "t.csv").string(), "--graph",           (folder / "g.dot").string()};
  EXPECT_EQ(diagnose(arguments).exit, 0);
  EXPECT_NE(read_file(folder / "t.csv")->find("shop,curious,2,0,5,5,"), std::string::npos);
  EXPECT_NE(read_file(folder / "g.dot")->find("color=darkgreen"), std::string::npos);
  EXPECT_EQ(diagnose(arguments).exit, 2);  // never overwritten without --force
  auto forced = arguments;
  forced.emplace_back("--force");
  EXPECT_EQ(diagnose(forced).exit, 0);
  fs::remove_all(folder);
}

// Every recorded automaton: each figure against the reference, and the language on random words.
TEST(DiagnoseCommand, RecordedAutomataAgreeWithTheReference) {
  if (!fs::exists(shared())) GTEST_SKIP() << "no recorded automata at " << shared();
  Rng rng(31);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(shared())) {
    if (entry.path().extension() != ".jff") continue;
    const auto file = read_jflap(read_file(entry.path()).value(), entry.path().string());
    ASSERT_TRUE(file) << file.error().message();
    const auto bug = make_bug(entry.path().stem().string(), file->automaton);
    ASSERT_TRUE(bug) << bug.error().message();
    const Nfa& nfa = bug->nfa;
    EXPECT_EQ(bug->dfa.live(), reference::live_sets(nfa).size()) << entry.path();
    EXPECT_EQ(bug->pairs.size(), reference::pairs(nfa).size()) << entry.path();
    EXPECT_EQ(bug->start_distance(), reference::distance(nfa, reference::initial(nfa))) << entry.path();
    const Dfa small = minimise(bug->dfa);
    for (int i = 0; i < 200 && bug->labels() > 0; ++i) {
      std::vector<Label> word;
      reference::States now = reference::initial(nfa);
      for (std::size_t n = rng.below(12); n > 0; --n) {
        word.push_back(static_cast<Label>(rng.below(bug->labels())));
        now = reference::step(nfa, now, bug->dfa.labels[word.back()]);
      }
      const bool accepted = std::ranges::any_of(now, [&](auto s) { return nfa.states[s].final; });
      ASSERT_EQ(bug->dfa.accepts(word), accepted) << entry.path();
      ASSERT_EQ(small.accepts(word), accepted) << entry.path();
    }
    ++files;
  }
  EXPECT_GE(files, 36U);
}

// The published example on the published automaton: 1 2 7 6 5 is the bug's trace there.
TEST(DiagnoseCommand, ThePublishedNotesBug) {
  const fs::path path = shared() / "ddroid/Scarlet-Notes_114-NFA.jff";
  if (!fs::exists(path)) GTEST_SKIP() << "no recorded automata at " << shared();
  const Bug bug = make_bug("notes", read_jflap(read_file(path).value(), "notes").value().automaton).value();
  const auto run = [&](std::string_view text) {
    Analyser analyser(bug);
    const Alphabet alphabet(bug.dfa.labels);
    LogParser parser(alphabet, {}, [&](const LabelBatch& batch) { analyser.feed(batch); });
    parser.feed(text);
    parser.finish();
    return analyser.finish().at(0);
  };
  const RunResult two = run("1 1 2");
  EXPECT_EQ(two.ec, 2U);
  EXPECT_EQ(two.md, 3U);
  EXPECT_EQ(bug.dfa.labels[*two.first_missed], "7");
  const RunResult nearly = run("1 2 5 2 7 6");
  EXPECT_EQ(nearly.ec, 5U);
  EXPECT_EQ(nearly.md, 1U);
  EXPECT_EQ(bug.dfa.labels[*nearly.first_missed], "5");
  EXPECT_EQ(run("1 2 7 6 5 Crash!").md, 0U);
}

TEST(DiagnoseCommand, PublishedConfigurationsAreRead) {
  if (!fs::exists(shared())) GTEST_SKIP() << "no recorded automata at " << shared();
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(shared())) {
    if (entry.path().extension() != ".json") continue;
    const auto file = read_event_file(read_file(entry.path()).value(), entry.path().string());
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_FALSE(file->app.empty());
    for (const auto& [label, explanation] : file->events)
      EXPECT_FALSE(explanation.what.empty() && explanation.warning.empty()) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 30U);
}

// Two readers of handler lines, written apart: the whole-text one of formats and the streaming one.
TEST(DiagnoseCommand, TheTwoReadersOfHandlerLinesAgree) {
  const std::vector<std::string> labels{"1", "2", "3", "4", "5"};
  Rng rng(32);
  std::string text;
  std::vector<Label> expected;
  for (int i = 0; i < 500; ++i) {
    const std::string prefix = "08-12 10:00:00.000  1234  1250 I ";
    if (rng.chance(0.5))
      text += prefix + "Other   : noise\n";
    else
      text += prefix + "Themis  : Event " + std::to_string(1 + rng.below(5)) + ": done\n";
  }
  for (const ThemisLine& line : themis_lines(text)) expected.push_back(static_cast<Label>(line.number - 1));
  std::vector<Label> got;
  const Alphabet alphabet(labels);
  LogParser parser(alphabet, {}, [&](const LabelBatch& batch) {
    got.insert(got.end(), batch.codes.begin(), batch.codes.end());
  });
  parser.feed(text);
  parser.finish();
  EXPECT_EQ(got, expected);
  EXPECT_GT(got.size(), 200U);
}

}  // namespace
}  // namespace norn

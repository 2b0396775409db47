// The automata of tests/data/drawn against the device, by brute force: each word of their labels crashes if
// and only if they say so.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "diagnose/learn/brute_words.h"
#include "diagnose/learn/testing.h"
#include "formats/jflap.h"

namespace norn {
namespace {

const std::filesystem::path drawn_folder = NORN_SOURCE_DIR "/tests/data/drawn";

void expect_right(const std::string& name, const testing::BruteOptions& options) {
  const std::filesystem::path jff = drawn_folder / (name + ".jff");
  const auto file = read_jflap(read_file(jff).value(), name);
  const auto events = read_event_file(read_file(drawn_folder / (name + ".events.json")).value(), name);
  ASSERT_TRUE(file && events) << name;
  const auto bug = make_bug(name, file->automaton);
  ASSERT_TRUE(bug) << name << ": " << bug.error().message();
  const std::string app = name.substr(0, name.find('.'));
  auto on = open_device("sim:" + app);
  ASSERT_TRUE(on);
  const auto own = testing::events_of_bug(app, name.substr(app.size() + 1));
  const auto found = testing::Brute(*bug, *events, own, *on, options).run();
  ASSERT_TRUE(found) << name << ": " << found.error().message();
  EXPECT_GT(found->crash, 0U) << name;
  EXPECT_TRUE(found->lacking.empty()) << name << " lacks " << found->lacking.size() << " words";
  EXPECT_TRUE(found->wrong.empty()) << name << " accepts " << found->wrong.size() << " words wrongly";
}

TEST(Drawn, SmallOnesSayWhatTheDeviceDoes) {
  for (const char* name : {"notes.locked_leave", "notes.search_pattern", "files.back_after_jump",
                           "weight.no_spreadsheet", "tips.empty_bill"})
    expect_right(name, {.all_to = 3, .between = 1});
}

TEST(Drawn, AllOfThemSayWhatTheDeviceDoes) {
  if (std::getenv("NORN_SOAK") == nullptr) GTEST_SKIP() << "minutes; with NORN_SOAK=1";
  for (const auto& entry : std::filesystem::directory_iterator(drawn_folder))
    if (entry.path().extension() == ".jff") expect_right(entry.path().stem().string(), {.events = 200'000});
}

// A drawing with a way left out, and one with a way too many, are found out.
TEST(Drawn, AWrongDrawingIsFoundOut) {
  auto file = read_jflap(read_file(drawn_folder / "notes.locked_leave.jff").value(), "locked");
  const auto events = read_event_file(read_file(drawn_folder / "notes.locked_leave.events.json").value(), "");
  ASSERT_TRUE(file && events);
  auto on = open_device("sim:notes");
  const auto own = testing::events_of_bug("notes", "locked_leave");
  const auto judged = [&](const Nfa& nfa) {
    const auto bug = make_bug("locked", nfa).value();
    return testing::Brute(bug, *events, own, *on, {.all_to = 3, .between = 1}).run().value();
  };
  Nfa less = file->automaton, more = file->automaton;
  std::erase_if(less.transitions, [](const auto& t) { return t.from == t.to && t.label == "1"; });
  EXPECT_FALSE(judged(less).lacking.empty());
  more.transitions.push_back({0, static_cast<std::uint32_t>(more.states.size() - 1), "3"});
  for (std::uint32_t s = 0; s < more.states.size(); ++s)
    if (more.states[s].final) more.transitions.back().to = s;
  EXPECT_FALSE(judged(more).wrong.empty());
}

}  // namespace
}  // namespace norn

#include "formats/jflap.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "base/file.h"

namespace norn {
namespace {

std::string wrapped(std::string_view body) {
  return "<?xml version=\"1.0\"?><structure>&#13;<type>fa</type>&#13;<automaton>&#13;" + std::string(body) +
         "</automaton></structure>";
}
constexpr std::string_view two_states =
    "<!--states--><state id=\"7\" name=\"a &lt;b&gt;\"><x>1.5</x><y>2</y><initial/></state>&#13;"
    "<state id=\"9\" name=\"\"><final/></state>";
std::string edge(std::string_view from, std::string_view to, std::string_view read) {
  return "<transition><from>" + std::string(from) + "</from><to>" + std::string(to) + "</to>" +
         std::string(read) + "</transition>";
}
std::filesystem::path shared() {
  const char* given = std::getenv("NORN_SHARED");
  return given ? given : NORN_SOURCE_DIR "/../shared";
}

TEST(Jflap, ReadsStatesLabelsAndEpsilon) {
  const auto file = read_jflap(wrapped(std::string(two_states) + edge("7", "9", "<read>&#13;\n 12 </read>") +
                                       edge("9", "7", "<read/>") + edge("7", "7", "<read> </read>") +
                                       "<note><text> hello </text></note>"),
                               "x.jff");
  ASSERT_TRUE(file) << file.error().message();
  const Nfa expected{{{"a <b>", true, false, 1.5, 2}, {"q9", false, true, 0, 0}},
                     {{0, 1, "12"}, {1, 0, ""}, {0, 0, " "}},
                     {"hello"}};
  EXPECT_EQ(file->automaton, expected);
  EXPECT_TRUE(file->repairs.empty());
}

TEST(Jflap, RepairsInWords) {
  const auto file =
      read_jflap("<structure><state id=\"1\"/><state name=\"lost\"/><state id=\"2\"/>" +
                     edge("1", "5", "<read>x</read>") + edge("", "6", "<read>y</read>") +
                     edge("1", "2", "<read>z</read>") + edge("1", "2", "<read>z</read>") + "</structure>",
                 "x.jff");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->automaton.states.size(), 2U);
  EXPECT_EQ(file->automaton.transitions.size(), 1U);
  const std::vector<std::string> expected{
      "no <type>: taken as a finite automaton",
      "a state without an id: left out, no transition can name it",
      "transition \"x\" from state 1 to state 5: there is no such state; left out",
      "transition \"y\" from state (none) to state 6: neither is a state; left out",
      "1 transition drawn twice: taken once",
      "no initial state: it accepts nothing; mark one in JFLAP",
      "no final state: it accepts nothing; mark the crash in JFLAP"};
  EXPECT_EQ(file->repairs, expected);
}

TEST(Jflap, SeveralInitialStatesAreKept) {
  const auto file = read_jflap(
      wrapped("<state id=\"0\"><initial/><final/></state><state id=\"1\"><initial/></state>"), "x");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->repairs, std::vector<std::string>{"2 initial states: it starts in all of them"});
  const auto again = read_jflap(write_jflap(file->automaton), "again");
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->repairs.empty());
  EXPECT_EQ(again->automaton.states.size(), 3U);
  EXPECT_EQ(again->automaton.transitions, (std::vector<Nfa::Transition>{{2, 0, ""}, {2, 1, ""}}));
}

TEST(Jflap, RefusesWhatHasNoMeaning) {
  const auto message = [](std::string_view text) {
    const auto file = read_jflap(text, "bad.jff");
    return file ? std::string("read") : file.error().message();
  };
  EXPECT_NE(message("").find("bad.jff: is empty"), std::string::npos);
  EXPECT_NE(message(" \r\n").find("bad.jff: is empty"), std::string::npos);
  EXPECT_NE(message("PK\x03\x04").find("not XML"), std::string::npos);
  EXPECT_NE(message("<structure><type>fa</type>").find("not XML"), std::string::npos);
  EXPECT_NE(message("<html/>").find("no JFLAP file"), std::string::npos);
  EXPECT_NE(message("<structure><type>pda</type></structure>").find("\"pda\""), std::string::npos);
  EXPECT_NE(message(wrapped("<state id=\"1\"/><state id=\"1\"/>")).find("two states have the id 1"),
            std::string::npos);
}

TEST(Jflap, DeepNestingIsNoTrouble) {
  std::string text = "<structure><type>fa</type><automaton>";
  for (int i = 0; i < 200'000; ++i) text += "<a>";
  EXPECT_FALSE(read_jflap(text, "deep"));
  for (int i = 0; i < 200'000; ++i) text += "</a>";
  EXPECT_TRUE(read_jflap(text + "</automaton></structure>", "deep"));
}

TEST(Jflap, WritingAndReadingGivesTheSame) {
  rc::check([] {
    Nfa nfa;
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 6);
    const auto text = rc::gen::element<std::string>("1", "a&b", "<x>", "\"q\"", "ü ö", "]]>", "long label");
    for (std::uint32_t i = 0; i < count; ++i)
      nfa.states.push_back(
          {*text, i == 0, *rc::gen::arbitrary<bool>(), *rc::gen::inRange(-50, 50) / 4.0, 3.5});
    std::set<Nfa::Transition> edges;
    for (int i = *rc::gen::inRange(0, 9); i > 0; --i)
      edges.insert({*rc::gen::inRange<std::uint32_t>(0, count), *rc::gen::inRange<std::uint32_t>(0, count),
                    *rc::gen::arbitrary<bool>() ? std::string() : *text});
    nfa.transitions.assign(edges.begin(), edges.end());
    nfa.notes = {*text};
    const auto again = read_jflap(write_jflap(nfa), "again");
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->automaton == nfa);
  });
}

TEST(Jflap, DotJoinsParallelEdgesAndEscapes) {
  const Nfa nfa{{{"say \"hi\"\\", true, false}, {"end", false, true}}, {{0, 1, "1"}, {0, 1, ""}}, {}};
  const std::string dot = write_dot(nfa);
  EXPECT_NE(dot.find(R"(label="say \"hi\"\\")"), std::string::npos) << dot;
  EXPECT_NE(dot.find("s0 -> s1 [label=\"1, ε\"]"), std::string::npos) << dot;
  EXPECT_NE(dot.find("doublecircle"), std::string::npos) << dot;
}

// The independent way: count elements with regular expressions in the raw text.
TEST(Jflap, RealFilesHaveTheElementsTheyHave) {
  const auto folder = shared() / "data/jff";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no recorded automata at " << folder;
  const auto count = [](const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
  };
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jff") continue;
    const auto text = read_file(entry.path());
    ASSERT_TRUE(text);
    const auto file = read_jflap(*text, entry.path().string());
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(file->automaton.states.size(), count(*text, "<state ")) << entry.path();
    EXPECT_EQ(file->automaton.transitions.size(), count(*text, "<transition>")) << entry.path();
    EXPECT_EQ(std::ranges::count_if(file->automaton.transitions, [](auto& t) { return t.label.empty(); }),
              static_cast<std::ptrdiff_t>(count(*text, "<read/>|<read></read>")))
        << entry.path();
    ++files;
  }
  EXPECT_GE(files, 36U);
}

TEST(Jflap, ReadsLatin1WhereItIsSaidAndTellsWhatItCannotRead) {
  const auto drawn = [](const std::string& declaration, const std::string& label, const std::string& other) {
    return declaration +
           "<structure><type>fa</type><automaton><state id=\"0\"><initial/></state><state "
           "id=\"1\"><final/></state>"
           "<transition><from>0</from><to>1</to><read>" +
           label +
           "</read></transition>"
           "<transition><from>0</from><to>1</to><read>" +
           other + "</read></transition></automaton></structure>";
  };
  const auto latin =
      read_jflap(drawn("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", "\xe9", "\xe8"), "x.jff");
  ASSERT_TRUE(latin) << latin.error().message();
  EXPECT_TRUE(latin->repairs.empty());
  ASSERT_EQ(latin->automaton.transitions.size(), 2U);
  EXPECT_EQ(latin->automaton.transitions[0].label, "é");
  const auto unsaid = read_jflap(drawn("", "\xe9", "\xe8"), "x.jff");
  ASSERT_TRUE(unsaid) << unsaid.error().message();
  ASSERT_FALSE(unsaid->repairs.empty());
  EXPECT_NE(unsaid->repairs.front().find("no UTF-8"), std::string::npos);
  const auto entity = read_jflap(drawn("<!DOCTYPE structure [<!ENTITY one \"1\">]>", "&one;", "2"), "x.jff");
  ASSERT_TRUE(entity) << entity.error().message();
  ASSERT_FALSE(entity->repairs.empty());
  EXPECT_NE(entity->repairs.front().find("entities"), std::string::npos);
}

}  // namespace
}  // namespace norn

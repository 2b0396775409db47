// Whether an events file as norn learn writes it comes back as it was, and reads a trace as the learner does.
#include "cli/bug_events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "diagnose/automaton.h"
#include "diagnose/events.h"
#include "diagnose/learn/drawing.h"
#include "gui/target.h"

namespace norn {
namespace {

Widget widget(const std::string& id, std::string text, std::int32_t top) {
  Widget out;
  out.cls = "android.widget.View", out.id = "org.app:id/" + id, out.text = std::move(text);
  out.bounds = {0, top, 1000, top + 100};
  for (const Flag flag :
       {Flag::clickable, Flag::long_clickable, Flag::enabled, Flag::visible, Flag::scrollable})
    out.set(flag);
  return out;
}

/// A page with a pane and a field, and nothing at all in its lower half.
Screen page() {
  Screen out;
  out.activity = "Main", out.package = "org.app", out.width = 1000, out.height = 2000;
  out.widgets = {widget("pane", "", 0), widget("field", "", 100)};
  out.widgets[1].set(Flag::editable);
  return out;
}

/// What each event leaves: a turn turns the page, a text is in its field.
Screen after(const Event& event) {
  Screen out = page();
  if (const auto* rotate = std::get_if<Rotate>(&event)) out.rotation = rotate->rotation;
  if (const auto* type = std::get_if<Type>(&event)) out.widgets[1].text = type->text;
  return out;
}

/// All on one page, and no two of them the same.
std::vector<Event> every_kind() {
  const Target pane = make_target(page(), 0), field = make_target(page(), 1);
  return {Tap{pane, {}},
          Tap{{}, {500, 1500}},
          Tap{{}, {500, 1900}},
          LongPress{pane, {}},
          LongPress{{}, {500, 1500}},
          LongPress{{}, {500, 1900}},
          Swipe{pane, Direction::left, {}, {}},
          Swipe{pane, Direction::right, {}, {}},
          Swipe{pane, Direction::up, {}, {}},
          Swipe{{}, Direction::down, {500, 1200}, {500, 1900}},
          Drag{{}, {500, 1900}, {500, 1200}},
          Pinch{pane, {}, 100, 400},
          Pinch{pane, {}, 400, 100},
          Type{field, {}, "milk"},
          Type{field, {}, "bread"},
          Key{key::menu},
          Key{key::enter},
          Launch{"org.app", "Show"},
          Launch{"org.app", "Edit"},
          System{"network-off", {}},
          System{"battery", {{"level", "5"}}},
          System{"battery", {{"level", "90"}}},
          System{"dark-mode", {{"on", "yes"}}},
          Rotate{1}};
}

Trace trace_of(const std::vector<Event>& events) {
  Trace out;
  out.start.emplace();
  out.start->screen = page();
  for (const Event& event : events) {
    out.steps.push_back({event, {}});
    out.steps.back().seen.screen = after(event);
  }
  return out;
}

/// The pivots of the events, one after the other to the crash.
BugAutomaton chain(const Trace& trace) {
  BugAutomaton bug;
  const LearnInput relaunch{{}, Launch{}};
  std::vector<Performed> performed;
  const Screen* before = &trace.start->screen;
  for (const Step& step : trace.steps) {
    performed.push_back({step.event, before});
    before = &step.seen.screen;
  }
  add_pivots(performed, {relaunch}, bug.inputs);
  bug.nfa.states.push_back({.name = "q0", .initial = true});
  for (std::uint32_t i = 0; i < bug.inputs.size(); ++i) {
    bug.nfa.states.push_back({.name = "q" + std::to_string(i + 1), .final = i + 1 == bug.inputs.size()});
    bug.nfa.transitions.push_back({i, i + 1, bug.inputs[i].label});
    bug.input_of.push_back(i), bug.unproven.push_back(0);
  }
  bug.inputs.push_back(relaunch);
  return bug;
}

/// The word that the file reads in a trace; signals by their code.
std::vector<std::string> word_by(const std::string& json, const BugAutomaton& bug, const Trace& trace) {
  const auto file = read_event_file(json, "x.events.json");
  EXPECT_TRUE(file) << file.error().message();
  if (!file) return {};
  EXPECT_TRUE(file->remarks.empty()) << file->remarks.front();
  std::vector<std::string> labels, out;
  for (const auto& t : bug.nfa.transitions) labels.push_back(t.label);
  label_trace(trace, Alphabet(labels), *file, [&](const LabelBatch& batch) {
    for (const Label code : batch.codes)
      if (code != signal::unknown) out.push_back(code < labels.size() ? labels[code] : std::to_string(code));
  });
  return out;
}

TEST(LearnedMatchers, ReadTheTraceTheyWereLearnedFrom) {
  const Trace trace = trace_of(every_kind());
  const BugAutomaton bug = chain(trace);
  ASSERT_TRUE(bug.check()) << bug.check().error().message();
  ASSERT_EQ(bug.nfa.transitions.size(), trace.steps.size()) << "each is an event of its own";
  std::vector<std::string> word;
  for (const auto& t : bug.nfa.transitions) word.push_back(t.label);
  EXPECT_EQ(word_by(cli::write_bug_events(bug, "org.app"), bug, trace), word);
}

// Once they were written without what tells swipes, signals and pages apart; the event beside them has it.
TEST(LearnedMatchers, OfOlderFilesReadItToo) {
  const Trace trace = trace_of(every_kind());
  const BugAutomaton bug = chain(trace);
  auto file = nlohmann::json::parse(cli::write_bug_events(bug, "org.app"));
  std::vector<std::string> word;
  for (const auto& t : bug.nfa.transitions) {
    word.push_back(t.label);
    for (const char* part : {"direction", "name", "extras", "page"}) file["events"][t.label].erase(part);
  }
  EXPECT_EQ(word_by(file.dump(), bug, trace), word);
}

TEST(LearnedMatchers, TellAPageThatIsStartedFromTheApp) {
  const BugAutomaton bug = chain(trace_of({Launch{"org.app", "Show"}, Key{key::menu}}));
  const Trace other = trace_of({Launch{}, Launch{"org.app", "Edit"}, Launch{"org.app", "Show"}});
  EXPECT_EQ(word_by(cli::write_bug_events(bug, "org.app"), bug, other),
            (std::vector<std::string>{std::to_string(signal::relaunch), "1"}));
}

/// A board of cells that are called alike, with nothing written in them.
TEST(LearnedMatchers, TellWidgetsApartThatAreCalledAlike) {
  Trace trace = trace_of({});
  Screen& board = trace.start->screen;
  board.widgets = {widget("cell", "", 0), widget("cell", "", 100), widget("cell", "", 200)};
  for (const std::size_t cell : {2U, 0U, 1U}) {
    trace.steps.push_back({Tap{make_target(board, cell), {}}, {}});
    trace.steps.back().seen.screen = board;
  }
  const BugAutomaton bug = chain(trace);
  EXPECT_EQ(word_by(cli::write_bug_events(bug, "org.app"), bug, trace),
            (std::vector<std::string>{"1", "2", "3"}));
}

/// As for the learner: any row is the first label, but the row that the second names.
TEST(LearnedMatchers, ThatNameAWidgetComeBeforeThoseForAny) {
  Trace trace = trace_of({});
  Screen& list = trace.start->screen;
  list.widgets = {widget("row", "A", 0), widget("row", "B", 100), widget("row", "C", 200)};
  for (const std::size_t row : {0U, 1U, 2U}) {
    trace.steps.push_back({Tap{make_target(list, row), {}}, {}});
    trace.steps.back().seen.screen = list;
  }
  BugAutomaton bug = chain(trace);
  bug.inputs[0].any_row = true;
  bug.nfa.transitions.pop_back(), bug.inputs.erase(bug.inputs.begin() + 2);
  EXPECT_EQ(word_by(cli::write_bug_events(bug, "org.app"), bug, trace),
            (std::vector<std::string>{"1", "2", "1"}));
}

TEST(LearnedMatchers, SayNothingThatMeansNothing) {
  BugAutomaton bug = chain(trace_of(every_kind()));
  LearnInput& row = bug.inputs[0];
  LearnInput second = row;
  row.any_row = true, row.place = 2, row.dialog = "Delete *?", row.guard = true, row.popup = true;
  row.unlike = {Tap{make_target(page(), 1), {}}};
  row.area = row.ends_in = {1, 2, 3, 4};
  second.also = {Tap{make_target(page(), 1), {}}};
  bug.inputs.insert(bug.inputs.begin() + 1, second);
  LearnInput& text = *std::ranges::find_if(
      bug.inputs, [](const LearnInput& input) { return std::holds_alternative<Type>(input.event); });
  text.typed = Typed::containing, text.inside = "(|";
  EXPECT_FALSE(word_by(cli::write_bug_events(bug, "org.app"), bug, trace_of(every_kind())).empty());
}

TEST(BugEvents, RefusesFilesThatDoNotBelongTogether) {
  Nfa nfa{{{"q0", true, false}, {"crash", false, true}}, {{0, 1, "1"}}, {}};
  EXPECT_FALSE(cli::read_bug_events(nfa, "[]", "x"));
  EXPECT_FALSE(cli::read_bug_events(nfa, "{\"events\":{}}", "x"));
  const auto without = cli::read_bug_events(nfa, "{\"events\":{\"1\":{\"kind\":\"tap\"}}}", "x");
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message().find("not performed"), std::string::npos) << without.error().message();
  EXPECT_TRUE(cli::read_bug_events(nfa, R"({"events":{"1":{"event":{"kind":"key","code":4}}}})", "x"));
  std::string many = R"({"possible":{"q0":[["1","99"]]},"events":{)";
  for (int i = 1; i < 100; ++i)
    many += (i == 1 ? "\"" : ",\"") + std::to_string(i) + R"(":{"event":{"kind":"key","code":4}})";
  EXPECT_FALSE(cli::read_bug_events(nfa, many + "}}", "x")) << "more events than can be";
  EXPECT_FALSE(cli::read_bug_events({{{"a", true, false}, {"b", true, true}}, {{0, 1, "1"}}, {}},
                                    R"({"events":{"1":{"event":{"kind":"key","code":4}}}})", "x"));
}

TEST(BugEvents, SeveralInputsOfOneLabelComeBack) {
  BugAutomaton bug;
  bug.nfa = {{{"a", true, false}, {"b"}, {"x", false, true}},
             {{0, 1, "1"}, {0, 2, "1"}, {1, 2, "2"}, {1, 0, ""}},
             {}};
  LearnInput first{
      "1", Tap{Target{.cls = {}, .id = "app:id/row", .label = "A", .path = {}, .ordinal = {}}, {}}, "Main"};
  first.any_row = true;
  LearnInput second = first, third{"2", Key{key::back}, "Main"};
  target_of(second.event)->label = "B", second.any_row = false, second.place = 1;
  first.unlike = {second.event}, second.also = {first.event};
  third.popup = false;
  LearnInput move{{}, Key{key::back}};
  move.except = {{"Main", false}};
  bug.inputs = {first, second, third, move};
  bug.input_of = {0, 1, 2, 3}, bug.unproven = {0, 0, 0, 0};
  bug.possible = {{0b001, 0b011}, {0b110}, {}}, bug.open = {0b010, 0, 0};
  ASSERT_TRUE(bug.check());
  const std::string text = cli::write_bug_events(bug, "app");
  const auto back = cli::read_bug_events(bug.nfa, text, "x");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->input_of, bug.input_of);
  EXPECT_EQ(back->possible, bug.possible);
  EXPECT_EQ(back->open, bug.open);
  std::string wrong = text;
  wrong.replace(wrong.find("\"1#1\""), 5, "\"7#1\"");
  EXPECT_FALSE(cli::read_bug_events(bug.nfa, wrong, "x")) << "there is no such event";
  ASSERT_EQ(back->inputs.size(), 4U);
  EXPECT_EQ(back->inputs[1].label, "1");
  EXPECT_EQ(event_key(back->inputs[1].event), event_key(second.event));
  EXPECT_EQ(back->inputs[1].place, 1U);
  EXPECT_EQ(back->inputs[0].unlike, first.unlike) << "a row that is not performed for it";
  EXPECT_TRUE(back->inputs[0].also.empty());
  EXPECT_EQ(back->inputs[1].also, second.also) << "a row that does the same";
  EXPECT_EQ(back->inputs[2].popup, std::optional(false));
  EXPECT_EQ(back->inputs[3].except, move.except);
  EXPECT_EQ(cli::write_bug_events(*back, "app"), text);
}

/// home -1-> list -2-> crash with Back from the list; 3 only leads out of the crash's reach.
BugAutomaton small_machine() {
  BugAutomaton bug;
  bug.nfa = {
      {{"home", true, false}, {"list"}, {"crash", false, true}}, {{0, 1, "1"}, {1, 2, "2"}, {1, 0, ""}}, {}};
  bug.inputs = {{"1", Key{key::menu}}, {"2", Key{key::enter}}, {"3", Key{key::home}}, {{}, Key{key::back}}};
  bug.input_of = {0, 1, 3}, bug.unproven = {0, 1, 0};
  bug.possible = {{0b001}, {0b110}, {}}, bug.open = {0, 0b100, 0};
  bug.guesses = {{1, 0, 1}, {1, 1, 3}};
  return bug;
}

TEST(BugEvents, TheMachineComesBackWithWhateverDrawingOfIt) {
  const BugAutomaton bug = small_machine();
  const std::string text = cli::write_bug_events(bug, "app");
  const auto drawing = drawing_of(bug);
  ASSERT_TRUE(drawing);
  EXPECT_EQ(drawing->notes.size(), 3U) << "every way ends with what is unproven";
  for (const Nfa& drawn : {*drawing, bug.nfa}) {
    const auto back = cli::read_bug_events(drawn, text, "x");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(back->nfa.states, bug.nfa.states);
    EXPECT_EQ(back->nfa.transitions, bug.nfa.transitions);
    EXPECT_EQ(back->input_of, bug.input_of);
    EXPECT_EQ(back->unproven, bug.unproven);
    EXPECT_EQ(back->possible, bug.possible);
    EXPECT_EQ(back->open, bug.open);
    EXPECT_EQ(back->guesses, bug.guesses);
    EXPECT_EQ(cli::write_bug_events(*back, "app"), text);
  }
}

TEST(BugEvents, AMachineThatCannotBeIsRefused) {
  const BugAutomaton bug = small_machine();
  const std::string text = cli::write_bug_events(bug, "app");
  const auto said = [&](const Nfa& drawn, const std::string& what, const std::string& instead) {
    std::string wrong = text;
    if (!what.empty()) wrong.replace(wrong.rfind(what), what.size(), instead);
    const auto back = cli::read_bug_events(drawn, wrong, "x.events.json");
    return back ? std::string() : back.error().message();
  };
  EXPECT_EQ(said(bug.nfa, "", ""), "");
  Nfa changed = bug.nfa;
  changed.transitions.push_back({0, 2, "2"});
  EXPECT_NE(said(changed, "", "").find("only one of them accepts \"2\""), std::string::npos)
      << said(changed, "", "");
  EXPECT_NE(said(bug.nfa, "\"move\": 0", "\"move\": 7").find("no move 7"), std::string::npos);
  EXPECT_NE(said(bug.nfa, "\"move\": 0", "\"input\": 0").find("\"label\" or the number"), std::string::npos);
  EXPECT_NE(said(bug.nfa, "\"list\",\n   \"crash\"", "\"list\",\n   \"list\"").find("two states list"),
            std::string::npos);
  const std::string back_home = "\"to\": \"home\",\n    \"move\"",
                    to_moon = "\"to\": \"moon\",\n    \"move\"";
  EXPECT_NE(said(bug.nfa, back_home, to_moon).find("moon"), std::string::npos);
  EXPECT_NE(said(bug.nfa, "\"to\": \"home\"", "\"to\": \"moon\"").find("a guess"), std::string::npos);
  EXPECT_NE(said(bug.nfa, "\"states\"", "\"stats\"").find("no list \"states\""), std::string::npos);
}

// Files of the time when the automaton was the machine.
TEST(BugEvents, OlderFilesAreReadAsTheyWere) {
  BugAutomaton bug = small_machine();
  const std::string text = R"({"app": "app", "crash": [],
 "events": {"1": {"kind": "key", "event": {"kind": "key", "code": 82}},
            "2": {"kind": "key", "event": {"kind": "key", "code": 66}},
            "3": {"kind": "key", "event": {"kind": "key", "code": 3}}},
 "moves": [{"what": "launch", "event": {"kind": "launch"}},
           {"what": "back", "event": {"kind": "key", "code": 4}}],
 "epsilon": [{"from": "list", "to": "home", "move": 1}],
 "unproven": [{"from": "list", "to": "crash", "label": "2"}],
 "possible": {"home": [["1"]], "list": [["2", "3"]]}, "open": {"list": ["3"]}})";
  const auto back = cli::read_bug_events(bug.nfa, text, "x");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->input_of, (std::vector<std::uint32_t>{0, 1, 4}));
  EXPECT_EQ(back->unproven, bug.unproven);
  EXPECT_EQ(back->possible, bug.possible);
  EXPECT_EQ(back->open, bug.open);
}

/// The label that the written matchers give an event of a trace.
std::vector<Label> labels_by(const BugAutomaton& bug, const Event& event, const Screen& before) {
  const auto file = read_event_file(cli::write_bug_events(bug, "app"), "x");
  EXPECT_TRUE(file) << file.error().message();
  Trace trace;
  trace.start.emplace();
  trace.start->screen = before;
  trace.steps.push_back({event, {}});
  std::vector<Label> out;
  const Alphabet alphabet({"1", "2", "10"});
  label_trace(trace, alphabet, *file, [&](const LabelBatch& batch) {
    std::ranges::copy_if(batch.codes, std::back_inserter(out),
                         [](Label code) { return code != signal::unknown; });
  });
  return out;
}

// A text that another label names is that label's, in the matchers as for the learner; and a canvas is
// touched at places.
TEST(BugEvents, MatchersTellTextsAndPlacesApart) {
  const Target field{.cls = {}, .id = "app:id/query", .label = {}, .path = {}, .ordinal = {}};
  Screen page;
  page.activity = "Main", page.width = 1000, page.height = 1000;
  LearnInput any{"10", Type{field, {}, "x"}, "Main"}, lamp{"2", Type{field, {}, "a lamp"}, "Main"};
  any.typed = Typed::filled;
  LearnInput spot{"1", Tap{{}, {500, 500}}, "Main"};
  spot.area = {480, 480, 600, 541};
  BugAutomaton bug;
  bug.nfa = {{{"a", true, false}, {"x", false, true}}, {{0, 1, "10"}, {0, 1, "2"}, {0, 1, "1"}}, {}};
  bug.inputs = {spot, lamp, any, {{}, Key{key::back}}};
  bug.input_of = {2, 1, 0}, bug.unproven = {0, 0, 0};
  ASSERT_TRUE(bug.check());
  const auto typed = [&](std::string text) { return labels_by(bug, Type{field, {}, std::move(text)}, page); };
  EXPECT_EQ(typed("a lamp"), std::vector<Label>{1});
  EXPECT_EQ(typed("a lamp, green"), std::vector<Label>{2});
  EXPECT_EQ(typed("two\nlines"), std::vector<Label>{2});
  EXPECT_TRUE(typed("").empty());
  EXPECT_EQ(labels_by(bug, Tap{{}, {599, 540}}, page), std::vector<Label>{0});
  EXPECT_TRUE(labels_by(bug, Tap{{}, {600, 540}}, page).empty());
  const auto back = cli::read_bug_events(bug.nfa, cli::write_bug_events(bug, "app"), "x");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(std::ranges::find(back->inputs, "1", &LearnInput::label)->area, spot.area);

  LearnInput& drag = bug.inputs[0];
  drag.event = Drag{{}, {500, 500}, {800, 500}}, drag.ends_in = {700, 480, 901, 541};
  EXPECT_EQ(labels_by(bug, Drag{{}, {599, 540}, {900, 540}}, page), std::vector<Label>{0});
  EXPECT_TRUE(labels_by(bug, Drag{{}, {599, 540}, {901, 540}}, page).empty()) << "it ends elsewhere";
  EXPECT_TRUE(labels_by(bug, Drag{{}, {600, 540}, {900, 540}}, page).empty()) << "it begins elsewhere";
  const auto dragged = cli::read_bug_events(bug.nfa, cli::write_bug_events(bug, "app"), "x");
  ASSERT_TRUE(dragged) << dragged.error().message();
  EXPECT_EQ(std::ranges::find(dragged->inputs, "1", &LearnInput::label)->ends_in, drag.ends_in);

  bug.inputs[2].typed = Typed::same_class;
  for (const char* text : {"norn", "a 1", "555-1234", "12:30", "1.2.3", "-"}) {
    EXPECT_TRUE(is_input(bug.inputs[2], Type{field, {}, text}, page)) << text;
    EXPECT_EQ(typed(text), std::vector<Label>{2}) << text;
  }
  for (const char* text : {"7", "-2.5", ""}) EXPECT_TRUE(typed(text).empty()) << text;
  EXPECT_EQ(typed("a lamp"), std::vector<Label>{1});

  std::get<Type>(bug.inputs[2].event).text.clear();
  bug.inputs[2].also = {Type{field, {}, "norn"}};
  for (const char* text : {"", "norn", "two\nlines"}) EXPECT_EQ(typed(text), std::vector<Label>{2}) << text;
  EXPECT_TRUE(typed("7").empty());
  bug.inputs[2].also = {Type{field, {}, "7"}};
  for (const char* text : {"", "7", "41"}) EXPECT_EQ(typed(text), std::vector<Label>{2}) << text;
  EXPECT_TRUE(typed("norn").empty());

  LearnInput number = any;
  std::get<Type>(number.event).text = "7";
  for (const Typed kind : {Typed::whole, Typed::same_class})
    for (const std::uint32_t least : {1U, 6U, 10U, 197U}) {
      bug.inputs[2] = number, bug.inputs[2].typed = kind, bug.inputs[2].least = least;
      for (const std::uint32_t n :
           {0U, 1U, 2U, 5U, 6U, 9U, 10U, 99U, 100U, 189U, 196U, 197U, 198U, 200U, 1000U}) {
        const std::string text = (n % 3 == 0 ? "0" : "") + std::to_string(n);
        EXPECT_EQ(is_input(bug.inputs[2], Type{field, {}, text}, page), n >= least) << text;
        EXPECT_EQ(!typed(text).empty(), n >= least) << text << " of " << least;
      }
      EXPECT_EQ(cli::read_bug_events(bug.nfa, cli::write_bug_events(bug, "app"), "x")->inputs[2].least,
                least);
    }
  bug.inputs[2] = any;
  bug.inputs[2].typed = Typed::containing, std::get<Type>(bug.inputs[2].event).text = "[";
  bug.inputs[2].inside = "(|";
  for (const char* text : {"[", "a[b", "(", "a|"}) EXPECT_EQ(typed(text), std::vector<Label>{2}) << text;
  for (const char* text : {"a", "]", ""}) EXPECT_TRUE(typed(text).empty()) << text;
  const auto again = cli::read_bug_events(bug.nfa, cli::write_bug_events(bug, "app"), "x");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(std::ranges::find(again->inputs, "10", &LearnInput::label)->inside, "(|");
}

}  // namespace
}  // namespace norn

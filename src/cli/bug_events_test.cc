// Whether an events file as norn learn writes it reads a trace as the learner does.
#include "cli/bug_events.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "diagnose/events.h"
#include "gui/target.h"

namespace norn {
namespace {

Widget widget(std::string id, std::string text, std::int32_t top) {
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
      out.push_back(code < labels.size() ? labels[code] : std::to_string(code));
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

}  // namespace
}  // namespace norn

#include "diagnose/events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gui/target.h"

namespace norn {
namespace {

constexpr std::string_view matchers = R"({
  "app": "notes", "crash": ["IllegalState", "Notebook.close"],
  "events": {
    "1": {"what": "create a notebook", "kind": "tap", "id": "/fab$", "activity": "Main"},
    "2": [{"kind": "tap", "text": "^Locked$", "screen": "menu"}, {"kind": "key", "key": "back", "activity": "Menu"}],
    "3": {"kind": "type", "value": "[0-9]+", "class": "EditText"},
    "4": {"kind": "tap", "text": "(?i)SAVE", "after": "saved"}}})";

Screen screen(std::string activity, const std::vector<std::pair<std::string, std::string>>& widgets) {
  Screen out;
  out.activity = std::move(activity);
  std::int32_t top = 0;
  for (const auto& [id, text] : widgets) {
    Widget w;
    w.cls = "android.widget.Button";
    w.id = id;
    w.text = text;
    w.bounds = {0, top, 100, top + 10};
    top += 10;
    w.set(Flag::clickable);
    w.set(Flag::enabled);
    w.set(Flag::visible);
    out.widgets.push_back(w);
  }
  return out;
}
Observation seen(Screen s, double at = 0) {
  Observation out;
  out.screen = std::move(s);
  out.at = at;
  return out;
}
Target by_id(std::string id) {
  Target t;
  t.id = std::move(id);
  return t;
}

std::vector<Label> codes(const Trace& trace, const EventFile& file,
                         const std::vector<std::string>& labels = {"1", "2", "3", "4"}) {
  std::vector<Label> out;
  label_trace(trace, Alphabet(labels), file, [&](const LabelBatch& batch) {
    out.insert(out.end(), batch.codes.begin(), batch.codes.end());
  });
  return out;
}
using Codes = std::vector<Label>;

TEST(Events, MatchersRecogniseEventsOnTheScreenBefore) {
  const EventFile file = read_event_file(matchers, "m.json").value();
  const Screen main = screen("org.app.Main", {{"org:id/fab", "+"}, {"org:id/x", "save"}});
  const Screen menu = screen("org.app.Menu", {{"org:id/menu", ""}, {"org:id/a", "Locked"}});
  Trace trace;
  trace.start = seen(main);
  trace.steps = {{Tap{by_id("org:id/fab"), {}}, seen(menu)},  // 1
                 {Tap{by_id("org:id/a"), {}}, seen(menu)},    // 2, by text
                 {Key{key::back}, seen(main)},                // 2, the alternative
                 {Key{key::back}, seen(main)},                // nothing: not on the menu
                 {Tap{{}, {50, 5}}, seen(main)},              // 1, found at the point
                 {Tap{by_id("org:id/x"), {}}, seen(main)},    // 4? not saved after it
                 {Tap{by_id("org:id/x"), {}}, seen(screen("M", {{"saved", ""}}))}};  // 4
  constexpr Label other = signal::unknown;
  EXPECT_EQ(codes(trace, file), (Codes{0, 1, 1, other, 0, other, 3}));
  EXPECT_EQ(codes(trace, file, {"1", "4"}), (Codes{0, other, other, other, 0, other, 1}));
}

TEST(Events, WithoutScreensOnlyWhatIsProvenCounts) {
  const EventFile file = read_event_file(matchers, "m.json").value();
  Screen unseen;
  unseen.kind = Screen::Kind::unseen;
  unseen.activity = "org.app.Main";
  Trace trace;
  trace.start = seen(unseen);
  trace.steps = {{Tap{{}, {50, 5}}, seen(unseen)},   // a point on a screen nobody looked at
                 {Swipe{}, seen(unseen)},            // no pattern is about swipes
                 {Key{key::back}, seen(unseen)},     // Main is not the menu: surely not
                 {Type{{}, {}, "x"}, seen(unseen)},  // no number: surely not
                 {Launch{"org.app", ""}, seen(unseen)}};
  constexpr Label other = signal::unknown;
  EXPECT_EQ(codes(trace, file), (Codes{signal::undecided, other, other, other, signal::relaunch}));
}

// DroidBot starts the app by its first page's name, in the beginning and whenever it has left it.
TEST(Events, AToolsOwnWayToStartTheAppIsARelaunch) {
  const EventFile file = read_event_file(matchers, "m.json").value();
  Screen home, main = screen("org.app.Main", {{"org:id/fab", "+"}});
  home.kind = Screen::Kind::outside;
  const Event start = Launch{"org.app", "org.app.Main"}, page = Launch{"org.app", "org.app.Menu"};
  Trace trace;
  trace.start = seen(home);
  trace.steps = {{System{"kill", {}}, seen(home)},
                 {start, seen(main)},
                 {Tap{by_id("org:id/fab"), {}}, seen(main)},
                 {start, seen(main)},
                 {page, seen(main)}};
  constexpr Label other = signal::unknown;
  EXPECT_EQ(codes(trace, file), (Codes{other, other, 0, signal::relaunch, other}));
  trace.start = seen(main);
  EXPECT_EQ(codes(trace, file), (Codes{other, other, 0, other, other})) << "it began in the app";
}

TEST(Events, CrashesCountByTheirSignature) {
  const EventFile file = read_event_file(matchers, "m.json").value();
  Crash crash;
  crash.chain = {{Thrown::Role::top,
                  "java.lang.IllegalStateException",
                  "gone",
                  {{"org.app.Notebook.close", "Notebook.java", 7}},
                  0}};
  EXPECT_TRUE(has_signature(crash, file.crash_signature));
  EXPECT_FALSE(has_signature(crash, {"IllegalState", "Other"}));
  Trace trace;
  trace.steps = {{Wait{1}, {}}};
  trace.steps[0].seen.crash = crash;
  EXPECT_EQ(codes(trace, file), (Codes{signal::unknown, signal::crash}));
  trace.steps[0].seen.crash->chain[0].frames.clear();
  EXPECT_EQ(codes(trace, file), (Codes{signal::unknown, signal::other_crash}));
}

TEST(Events, HandlerLinesOfATraceAreReadWithoutMatchers) {
  Trace trace;
  trace.steps = {{Wait{1}, {}}, {Wait{1}, {}}};
  trace.steps[0].seen.log = {"I/Themis: Event 2: chosen", "something else", "I/Themis: Event 3"};
  trace.steps[1].seen.log = {"E/Themis: Crash!"};
  EXPECT_EQ(codes(trace, {}), (Codes{1, 2, signal::crash}));
}

TEST(Events, WithNeitherMatchersNorHandlersNothingIsKnown) {
  Trace trace;
  trace.steps = {{Tap{{}, {50, 5}}, {}}, {Key{key::back}, {}}};
  EXPECT_EQ(codes(trace, {}), (Codes{signal::undecided, signal::undecided}));
}

TEST(Events, AFileThatNestsTooDeeplyIsRefused) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const auto file = read_event_file("{\"events\":{},\"crash\":{\"a\":" + deep + "}}", "m.json");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, "m.json");
  EXPECT_NE(file.error().what.find("nested too deeply"), std::string::npos);
}

TEST(Events, SlipsOfThePenAreTold) {
  const auto file =
      read_event_file(R"({"events":{"1":{"what":"x","kind":"tap","clas":"Button"}}})", "m.json");
  ASSERT_TRUE(file);
  ASSERT_EQ(file->remarks.size(), 1U);
  EXPECT_NE(file->remarks[0].find("did you mean \"class\""), std::string::npos) << file->remarks[0];
  EXPECT_TRUE(read_event_file(matchers, "m.json")->remarks.empty());
}

TEST(Events, ReadsPublishedConfigurations) {
  const auto file = read_event_file(
      R"({"app_name": "X", "bug_id": "#1", "events": {"1": {"info": "Opened it.", "reason": null, "dependency": "cd:2"}},
          "warnings": {"1": "Closed it."}, "all_events_happened": "Too slow.", "transition_function": {}})",
      "c.json");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->app, "X");
  EXPECT_EQ(file->events.at("1").what, "Opened it.");
  EXPECT_EQ(file->events.at("1").warning, "Closed it.");
  EXPECT_EQ(file->events.at("1").dependency, "cd:2");
  EXPECT_EQ(file->all_events_happened, "Too slow.");
  EXPECT_TRUE(file->patterns.empty());
}

TEST(Events, BadFilesAreNamed) {
  const auto message = [](std::string_view text) {
    const auto file = read_event_file(text, "m.json");
    return file ? std::string("read") : file.error().message();
  };
  EXPECT_NE(message("{").find("m.json"), std::string::npos);
  EXPECT_NE(message("[1]").find("object"), std::string::npos);
  EXPECT_NE(message("{}").find("\"events\""), std::string::npos);
  EXPECT_NE(message(R"({"events": {"1": {"id": "("}}})").find("event 1"), std::string::npos);
  EXPECT_NE(message(R"({"events": {"1": {"id": 7}}})").find("must be a text"), std::string::npos);
  EXPECT_NE(message(R"({"events": {"1": 7}})").find("event 1"), std::string::npos);
}

// A matcher whose kind is ignored would recognise every event.
TEST(Events, PartsOfTheWrongTypeAreRefused) {
  for (const char* part : {"what", "reason", "guard", "kind", "key", "direction", "name", "extras", "page",
                           "id", "value", "popup", "area"}) {
    const auto file =
        read_event_file(fmt::format(R"({{"events": {{"7": {{"kind": "tap", "{}": 5}}}}}})", part), "m.json");
    ASSERT_FALSE(file) << part;
    EXPECT_NE(file.error().message().find("event 7"), std::string::npos) << file.error().message();
    EXPECT_NE(file.error().message().find(part), std::string::npos) << file.error().message();
  }
  const std::string_view deed = R"({"kind": "swipe", "direction": "sideways"})";
  EXPECT_FALSE(read_event_file(fmt::format(R"({{"events": {{"7": {}}}}})", deed), "m.json"));
}

TEST(Events, PatternsNeitherHangNorOverflow) {
  const auto nested = TextPattern::make("(a*)*b");
  ASSERT_TRUE(nested);
  EXPECT_FALSE(nested->matches(std::string(100'000, 'a')));
  EXPECT_TRUE(TextPattern::make(".*x")->matches("aax"));
  EXPECT_FALSE(TextPattern::make(std::string(5000, 'a')));
}

TEST(Events, PatternsReadCharactersOfAnyLanguageAndWholeTexts) {
  const auto matches = [](const char* pattern, const std::string& text) {
    return TextPattern::make(pattern)->matches(text);
  };
  EXPECT_TRUE(matches("^.$", "é") && matches("^[äö]$", "ä") && matches("(?i)^ä$", "Ä"));
  EXPECT_FALSE(matches("^[äö]$", "ü"));
  EXPECT_TRUE(matches("^\\pL$", "ж"));
  EXPECT_TRUE(matches("b$", std::string(50'000, 'a') + "b"));
  EXPECT_FALSE(matches("^(a+)+$", std::string(50'000, 'a') + "!"));
}

TEST(Events, AKeyOnAMenuIsNotTheKeyOfItsPage) {
  const auto file = read_event_file(
      R"({"events": {"1": {"kind": "key", "key": "back", "activity": "Main", "popup": false, "guard": true}}})",
      "x");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_TRUE(file->guards.contains("1"));
  Screen page = screen("Main", {{"app:id/a", "A"}}), menu = page;
  page.width = menu.width = 100, page.height = menu.height = 100;
  page.widgets[0].bounds = {0, 0, 100, 100};
  menu.widgets[0].bounds = {0, 0, 50, 50};
  Trace trace;
  trace.start = seen(page);
  trace.steps = {{Key{key::back}, seen(menu)}, {Key{key::back}, seen(page)}, {Key{key::back}, seen(page)}};
  EXPECT_EQ(codes(trace, *file, {"1"}), (Codes{0, signal::unknown, 0})) << "not the one on the menu";
  EXPECT_FALSE(read_event_file(R"({"events": {"1": {"kind": "key", "popup": "no"}}})", "x"));
}

TEST(Events, MisspeltNamesAreRefused) {
  const auto kind = read_event_file(R"({"events": {"1": {"kind": "tapp"}}})", "x");
  ASSERT_FALSE(kind);
  EXPECT_NE(kind.error().message().find("tapp"), std::string::npos);
  EXPECT_FALSE(read_event_file(R"({"events": {"1": {"kind": "key", "key": "bakc"}}})", "x"));
  EXPECT_TRUE(read_event_file(
      R"({"events": {"1": {"kind": "key", "key": "back"}, "2": {"kind": "long-press"}}})", "x"));
}

}  // namespace
}  // namespace norn

#include "formats/trace_json.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/text.h"

namespace norn {
namespace {

// ---- arbitrary traces ----

std::string any_text() {
  const auto piece = rc::gen::element<std::string>("", "a", "Save", "\n", "\"", "\\", "é", "🦊", "{", "\x01",
                                                   "org.app:id/x");
  std::string out;
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) out += *piece;
  return out;
}
std::int32_t any_int() { return *rc::gen::element(0, 1, -1, 4, 1080, 2147483647, -2147483647 - 1); }
Point any_point() { return {any_int(), any_int()}; }

Target with_id(std::string id) {
  Target target;
  target.id = std::move(id);
  return target;
}
Target with_label(std::string label) {
  Target target;
  target.label = std::move(label);
  return target;
}

Target any_target() {
  Target out{any_text(), any_text(), any_text(), any_text(), std::nullopt};
  if (*rc::gen::arbitrary<bool>()) out.ordinal = any_int();
  return out;
}

Event any_event() {
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      return Tap{any_target(), any_point()};
    case 1:
      return LongPress{any_target(), any_point()};
    case 2:
      return Swipe{any_target(), static_cast<Direction>(*rc::gen::inRange(0, 4)), any_point(), any_point()};
    case 3:
      return Drag{any_target(), any_point(), any_point()};
    case 4:
      return Pinch{any_target(), any_point(), any_int(), any_int()};
    case 5:
      return Type{any_target(), any_point(), any_text()};
    case 6:
      return Key{any_int()};
    case 7:
      return Launch{any_text(), any_text()};
    case 8:
      return Rotate{*rc::gen::inRange(0, 4)};
    case 9:
      return System{any_text(), {{any_text(), any_text()}}};
    case 10:
      return Wait{*rc::gen::inRange(0, INT32_MAX)};
    default:
      return Raw{any_text(), any_text()};
  }
}

Screen any_screen() {
  Screen out;
  out.kind = static_cast<Screen::Kind>(*rc::gen::inRange(0, 4));
  out.package = any_text();
  out.activity = any_text();
  out.rotation = any_int();
  out.keyboard = *rc::gen::arbitrary<bool>();
  out.width = any_int();
  out.height = any_int();
  std::vector<std::int32_t> depths;
  for (int n = *rc::gen::inRange(0, 5); n > 0; --n) {
    depths.push_back(depths.empty() ? 0 : *rc::gen::inRange(0, depths.back() + 2));
    Widget w{any_text(),
             any_text(),
             any_text(),
             any_text(),
             any_text(),
             any_text(),
             {any_int(), any_int(), any_int(), any_int()}};
    w.flags = *rc::gen::inRange<std::uint16_t>(0, 4096);
    out.widgets.push_back(std::move(w));
  }
  link_by_depth(out.widgets, depths);
  return out;
}

Crash any_crash() {
  Crash out;
  out.kind = static_cast<Crash::Kind>(*rc::gen::inRange(0, 3));
  out.process = any_text();
  out.handled = *rc::gen::arbitrary<bool>();
  for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
    Thrown thrown{static_cast<Thrown::Role>(*rc::gen::inRange(0, 3)), any_text(), any_text(), {}, any_int()};
    for (int f = *rc::gen::inRange(0, 3); f > 0; --f)
      thrown.frames.push_back({any_text(), any_text(), any_int()});
    out.chain.push_back(std::move(thrown));
  }
  return out;
}

Observation any_observation(const std::vector<Screen>& screens) {
  Observation out;
  out.screen = *rc::gen::elementOf(screens);
  out.hit = Coverage(*rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 30)));
  if (*rc::gen::inRange(0, 4) == 0) out.crash = any_crash();
  out.at = *rc::gen::element(0.0, 0.1, 1e-7, 12345.678, 1e300);
  out.settled = *rc::gen::arbitrary<bool>();
  for (int n = *rc::gen::inRange(0, 2); n > 0; --n) out.log.push_back(any_text());
  return out;
}

Trace any_trace() {
  std::vector<Screen> screens;
  for (int n = *rc::gen::inRange(1, 4); n > 0; --n) screens.push_back(any_screen());
  Trace out;
  out.origin = any_text();
  if (*rc::gen::arbitrary<bool>()) out.start = any_observation(screens);
  for (int n = *rc::gen::inRange(0, 6); n > 0; --n)
    out.steps.push_back({any_event(), any_observation(screens)});
  return out;
}

// ---- properties ----

TEST(TraceJson, ReadsWhatItWrote) {
  EXPECT_TRUE(rc::check([] {
    const Trace trace = any_trace();
    const auto back = read_trace(write_trace(trace), "t");
    RC_ASSERT(back.has_value());
    RC_ASSERT(back->trace == trace);
    RC_ASSERT(back->complete);
    RC_ASSERT(back->warnings.empty());
  }));
}

// Cut off anywhere: the steps whose lines are whole are there, and nothing else; and it is said.
TEST(TraceJson, ACutFileGivesItsPrefix) {
  EXPECT_TRUE(rc::check([] {
    const Trace trace = any_trace();
    const std::string text = write_trace(trace);
    const std::size_t header = text.find('\n') + 1;
    const std::size_t cut = *rc::gen::inRange(header, text.size());
    const auto back = read_trace(text.substr(0, cut), "t");
    RC_ASSERT(back.has_value());
    const auto whole = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(cut), '\n'));
    const std::size_t steps = whole - 1 - (trace.start && whole > 1 ? 1 : 0);
    RC_ASSERT(back->trace.steps.size() >= steps);
    RC_ASSERT(back->trace.steps.size() <= steps + 1);  // only the line's end may be missing
    for (std::size_t i = 0; i < back->trace.steps.size(); ++i)
      RC_ASSERT(back->trace.steps[i] == trace.steps[i]);
    if (cut + 1 < text.size()) RC_ASSERT(!back->warnings.empty());
  }));
}

TEST(TraceJson, SingleValuesGoBothWays) {
  EXPECT_TRUE(rc::check([] {
    const Event event = any_event();
    const Screen screen = any_screen();
    const Observation seen = any_observation({screen});
    RC_ASSERT(*event_from_json(event_to_json(event)) == event);
    RC_ASSERT(*screen_from_json(screen_to_json(screen)) == screen);
    RC_ASSERT(*observation_from_json(observation_to_json(seen)) == seen);
    if (seen.crash) RC_ASSERT(*crash_from_json(crash_to_json(*seen.crash)) == *seen.crash);
  }));
}

// ---- the text itself: what others write and read ----

TEST(TraceJson, EventsAsDocumented) {
  EXPECT_EQ(event_to_json(Tap{with_id("org.app:id/save"), {10, 20}}),
            R"({"kind":"tap","target":{"id":"org.app:id/save"},"at":[10,20]})");
  EXPECT_EQ(event_to_json(Key{4}), R"({"kind":"key","code":4})");
  EXPECT_EQ(event_to_json(Pinch{{}, {5, 6}, 10, 90}), R"({"kind":"pinch","at":[5,6],"apart":[10,90]})");
  EXPECT_EQ(event_to_json(Type{with_label("Title"), {}, ""}),
            R"({"kind":"type","target":{"label":"Title"},"text":""})");
  EXPECT_EQ(*event_from_json(R"({"kind":"swipe","direction":"left","new-field":1})"),
            Event(Swipe{{}, Direction::left, {}, {}}));
  EXPECT_EQ(*event_from_json(R"({"kind":"wait","ms":500.0})"), Event(Wait{500}));
}

TEST(TraceJson, RefusalsNameTheField) {
  const auto why = [](std::string_view text) { return event_from_json(text).error().message(); };
  EXPECT_EQ(why(R"({"kind":"tap","at":[1]})"), "\"at\" of event must be [x,y]");
  EXPECT_EQ(why(R"({"kind":"tap","target":{"id":7}})"), "\"id\" of target must be a text");
  EXPECT_EQ(why(R"({"kind":"wait","ms":1e99})"), "\"ms\" of event must be a whole number below 2^31");
  EXPECT_EQ(why(R"({"kind":"wait","ms":-5})"), "\"ms\" of event must be at least 0");
  EXPECT_EQ(why(R"({"kind":"rotate","rotation":77})"), "\"rotation\" of event must be 0 to 3");
  EXPECT_NE(why(R"({"kind":"dance"})").find("\"dance\""), std::string::npos);
  EXPECT_NE(why("[]").find("object"), std::string::npos);
  EXPECT_FALSE(event_from_json("{"));
  EXPECT_FALSE(screen_from_json(R"({"widgets":[{"depth":1}]})"));
  EXPECT_FALSE(screen_from_json(R"({"widgets":[{"flags":["shiny"]}]})"));
  EXPECT_FALSE(crash_from_json(R"({"chain":[]})"));
  EXPECT_FALSE(observation_from_json(R"({"hit":[[0,4294967295]]})"));
}

TEST(TraceJson, CoverageNamesItsLimits) {
  const auto why = [](std::string_view text) { return observation_from_json(text).error().message(); };
  EXPECT_NE(why(R"({"hit":[[0,67108864]]})").find("67108864 ids at most"), std::string::npos);
  EXPECT_NE(why(R"({"hit":[4294967296]})").find("0 to 4294967295"), std::string::npos);
  EXPECT_TRUE(observation_from_json(R"({"hit":[4294967295]})"));
}

TEST(TraceJson, WhatStandsAfterTheEndLineIsLeftOutWithAWarning) {
  const std::string whole =
      "{\"norn\":\"trace\",\"version\":1}\n{\"kind\":\"key\",\"code\":66}\n{\"end\":1}\n";
  EXPECT_TRUE(read_trace(whole + "\n\n", "t")->warnings.empty());
  const auto more = read_trace(whole + "{\"kind\":\"key\",\"code\":4}\n", "t");
  ASSERT_TRUE(more);
  EXPECT_EQ(more->trace.steps.size(), 1U);
  ASSERT_EQ(more->warnings.size(), 1U);
  EXPECT_NE(more->warnings[0].find("line 4"), std::string::npos) << more->warnings[0];
}

TEST(TraceJson, RefusesOtherFilesAndLaterVersions) {
  EXPECT_FALSE(read_trace("", "t"));
  EXPECT_FALSE(read_trace("hello\n", "t"));
  EXPECT_FALSE(read_trace(R"({"norn":"suite","version":1})", "t"));
  const auto later = read_trace(R"({"norn":"trace","version":99})", "t");
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().kind, Error::Kind::unsupported);
  const auto bad =
      read_trace("{\"norn\":\"trace\",\"version\":1}\n{\"event\":{\"kind\":\"dance\"}}\n", "f.trace");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "f.trace:2");
  EXPECT_FALSE(read_trace("{\"norn\":\"trace\",\"version\":1}\n{\"start\":{\"screen\":3}}\n", "t"));
}

TEST(TraceJson, ASetUpCanBeWrittenByHand) {
  const auto setup = read_trace(
      "{\"norn\":\"trace\",\"version\":1}\r\n\r\n{\"kind\":\"type\",\"target\":{\"id\":\"user\"},\"text\":"
      "\"ann\"}\r\n"
      "{\"event\":{\"kind\":\"key\",\"code\":66}}\r\n{\"end\":2}\r\n",
      "t");
  ASSERT_TRUE(setup) << setup.error().message();
  ASSERT_EQ(setup->trace.steps.size(), 2U);
  EXPECT_EQ(setup->trace.steps[0].event, Event(Type{with_id("user"), {}, "ann"}));
  EXPECT_EQ(setup->trace.steps[1].seen.screen.kind, Screen::Kind::unseen);
}

TEST(TraceJson, DeepNestingIsOnlyRefused) {
  const std::string deep(200'000, '[');
  EXPECT_FALSE(event_from_json(deep));
  const auto key_with = [](const std::string& unknown) {
    return "{\"kind\":\"key\",\"code\":4,\"x\":" + unknown + "}";
  };
  EXPECT_TRUE(event_from_json(key_with(std::string(900, '[') + std::string(900, ']'))));
  const auto refused = event_from_json(key_with(deep + std::string(200'000, ']')));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("nested too deeply"), std::string::npos);
}

TEST(TraceJson, ALineThatNestsTooDeeplyIsRefusedByItsNumber) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const auto refused = read_trace(
      "{\"norn\":\"trace\",\"version\":1}\n{\"event\":{\"kind\":\"tap\"},\"seen\":{\"crash\":"
      "{\"chain\":[{\"frames\":[[" +
          deep + "]]}]}}}\n{\"end\":1}\n",
      "t.jsonl");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "t.jsonl:2");
  EXPECT_NE(refused.error().what.find("nested too deeply"), std::string::npos);
}

TEST(TraceJson, BytesThatAreNoTextAreReplaced) {
  const auto back = event_from_json(event_to_json(Type{{}, {}, "a\xff"}));
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<Type>(*back).text, "a\xef\xbf\xbd");
}

// ---- files of version 1: kept for ever ----

TEST(TraceJson, EveryFileOfVersion1IsStillRead) {
  const std::filesystem::path dir = NORN_SOURCE_DIR "/tests/data/traces/v1";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir)) {
    ++files;
    const auto bytes = read_file(entry.path());
    ASSERT_TRUE(bytes);
    const auto trace = read_trace(*bytes, entry.path().filename().string());
    ASSERT_TRUE(trace) << trace.error().message();
    const bool cut = entry.path().stem().string().ends_with("-cut");
    EXPECT_EQ(trace->complete, !cut) << entry.path();
    EXPECT_FALSE(trace->trace.steps.empty()) << entry.path();
    if (cut) continue;
    EXPECT_EQ(read_trace(write_trace(trace->trace), "again")->trace, trace->trace);
  }
  EXPECT_GE(files, 5U);
}

}  // namespace
}  // namespace norn

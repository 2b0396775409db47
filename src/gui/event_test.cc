#include "gui/event.h"

#include <gtest/gtest.h>

#include <set>

namespace norn {
namespace {

const Target save{
    .cls = "android.widget.Button", .id = "org.app:id/save", .label = "Save", .path = {}, .ordinal = {}};

std::vector<Event> one_of_each() {
  return {Tap{save, {1, 2}},
          LongPress{save, {1, 2}},
          Swipe{save, Direction::left, {}, {}},
          Drag{save, {}, {}},
          Pinch{save, {}, 1, 2},
          Type{save, {}, "milk"},
          Key{key::back},
          Launch{"org.app", ".Main"},
          Rotate{1},
          System{"sms", {{"n", "1"}}},
          Wait{500},
          Raw{"monkey", "Foo(1)"}};
}

TEST(EventKey, IgnoresThePointBesideATarget) {
  EXPECT_EQ(event_key(Tap{save, {1, 2}}), event_key(Tap{save, {3, 4}}));
  EXPECT_EQ(event_key(Drag{save, {1, 2}, {3, 4}}), event_key(Drag{save, {}, {}}));
  EXPECT_NE(event_key(Tap{{}, {1, 2}}), event_key(Tap{{}, {3, 4}}));
  EXPECT_NE(event_key(Tap{{}, {1, 2}}), event_key(Tap{{}, {2, 1}}));
}

TEST(EventKey, DiffersByKindTargetTextAndDirection) {
  std::set<EventKey> keys;
  for (const Event& e : one_of_each()) keys.insert(event_key(e));
  EXPECT_EQ(keys.size(), std::variant_size_v<Event>);
  EXPECT_NE(event_key(Type{save, {}, "a"}), event_key(Type{save, {}, "b"}));
  EXPECT_NE(event_key(Swipe{save, Direction::left, {}, {}}),
            event_key(Swipe{save, Direction::right, {}, {}}));
  Target second = save;
  second.ordinal = 0;
  EXPECT_NE(event_key(Tap{save, {}}), event_key(Tap{second, {}}));
  EXPECT_NE(event_key(System{"a", {{"b", "c"}}}), event_key(System{"a", {{"bc", ""}}}));
}

TEST(Event, TargetIsThereForKindsThatAim) {
  std::size_t aimed = 0;
  for (Event& e : std::vector<Event>(one_of_each())) {
    if (Target* t = target_of(e)) {
      ++aimed;
      t->label = "Other";
      EXPECT_EQ(target_of(std::as_const(e))->label, "Other");
    }
  }
  EXPECT_EQ(aimed, 6u);
}

TEST(Event, KindsHaveTheirOwnNames) {
  std::set<std::string_view> names;
  for (const Event& e : one_of_each()) names.insert(kind_name(e));
  EXPECT_EQ(names.size(), std::variant_size_v<Event>);
  EXPECT_EQ(kind_name(LongPress{}), "long-press");
  EXPECT_EQ(kind_name(Raw{}), "raw");
}

TEST(Describe, ReadsLikeAnInstruction) {
  EXPECT_EQ(describe(Tap{save, {}}), "tap \"Save\"");
  EXPECT_EQ(describe(Tap{{}, {3, 4}}), "tap (3,4)");
  Target title{.cls = {}, .id = "org.app:id/title", .label = {}, .path = {}, .ordinal = 1};
  EXPECT_EQ(describe(Type{title, {}, "milk"}), "type \"milk\" into id/title #2");
  EXPECT_EQ(describe(Key{key::back}), "back");
  EXPECT_EQ(describe(Key{999}), "key 999");
  EXPECT_EQ(describe(Swipe{{}, Direction::up, {1, 2}, {3, 4}}), "swipe up over (1,2) to (3,4)");
  Target box{.cls = "android.view.View", .id = {}, .label = {}, .path = "/0/1", .ordinal = {}};
  EXPECT_EQ(describe(LongPress{box, {}}), "long-press View at /0/1");
  EXPECT_EQ(describe(System{"sms", {{"text", "hi"}}}), "system sms text=\"hi\"");
}

TEST(Describe, IsSafeToPrintAndShort) {
  Target t = save;
  t.label = std::string(1000, 'x') + "\x1b[2J";
  for (Event e : one_of_each()) {
    if (Target* target = target_of(e)) *target = t;
    EXPECT_EQ(describe(e).find('\x1b'), std::string::npos);
    EXPECT_LT(describe(e).size(), 200u);
  }
}

}  // namespace
}  // namespace norn

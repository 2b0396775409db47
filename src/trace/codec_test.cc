#include "trace/codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/rng.h"
#include "trace/bytes.h"

namespace norn {
namespace {

std::string random_text(Rng& rng) {
  static const char* texts[] = {"", "a", "Save", "org.app:id/title", "\xc3\xa9\n", "android.widget.TextView"};
  return texts[rng.below(6)];
}
std::int32_t random_number(Rng& rng) {
  static const std::int32_t edges[] = {0, -1, 1, INT32_MAX, INT32_MIN, 1080};
  return rng.chance(0.2) ? edges[rng.below(6)] : static_cast<std::int32_t>(rng.below(2000)) - 1000;
}

Screen random_screen(Rng& rng) {
  Screen s;
  s.kind = static_cast<Screen::Kind>(rng.below(4));
  s.package = random_text(rng);
  s.activity = random_text(rng);
  s.rotation = static_cast<std::int32_t>(rng.below(4));
  s.keyboard = rng.chance(0.5);
  s.width = random_number(rng);
  s.height = random_number(rng);
  std::vector<std::int32_t> depths;
  for (std::size_t i = 0, n = rng.below(30); i < n; ++i) {
    Widget w{random_text(rng),
             random_text(rng),
             random_text(rng),
             random_text(rng),
             random_text(rng),
             random_text(rng),
             {random_number(rng), random_number(rng), random_number(rng), random_number(rng)},
             static_cast<std::uint16_t>(rng.below(65536)),
             -1,
             1};
    s.widgets.push_back(w);
    depths.push_back(static_cast<std::int32_t>(
        rng.below(depths.empty() ? 1 : static_cast<std::size_t>(depths.back()) + 2)));
  }
  link_by_depth(s.widgets, depths);
  return s;
}

std::vector<Event> all_events(Rng& rng) {
  const auto target = [&] {
    Target t{random_text(rng), random_text(rng), random_text(rng), random_text(rng), {}};
    if (rng.chance(0.5)) t.ordinal = random_number(rng);
    return t;
  };
  const auto point = [&] { return Point{random_number(rng), random_number(rng)}; };
  return {Tap{target(), point()},
          LongPress{target(), point()},
          Swipe{target(), static_cast<Direction>(rng.below(4)), point(), point()},
          Drag{target(), point(), point()},
          Pinch{target(), point(), random_number(rng), random_number(rng)},
          Type{target(), point(), random_text(rng)},
          Key{random_number(rng)},
          Launch{random_text(rng), random_text(rng)},
          Rotate{random_number(rng)},
          System{random_text(rng), {{"a", random_text(rng)}, {"b", ""}}},
          Wait{random_number(rng)},
          Raw{random_text(rng), random_text(rng)}};
}

Crash random_crash(Rng& rng) {
  Crash c;
  c.kind = static_cast<Crash::Kind>(rng.below(3));
  c.process = random_text(rng);
  c.handled = rng.chance(0.5);
  for (std::size_t i = 0, n = 1 + rng.below(3); i < n; ++i) {
    Thrown t{
        static_cast<Thrown::Role>(rng.below(3)), random_text(rng), random_text(rng), {}, random_number(rng)};
    for (std::size_t k = rng.below(5); k-- > 0;)
      t.frames.push_back({random_text(rng), random_text(rng), random_number(rng)});
    c.chain.push_back(t);
  }
  return c;
}

TEST(Codec, WhatWasWrittenIsRead) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Rng rng(seed);
    const Screen screen = random_screen(rng);
    ASSERT_EQ(decode_screen(encode(screen)).value(), screen);
    const std::vector<Event> events = all_events(rng);
    static_assert(std::variant_size_v<Event> == 12, "a new kind of event: add it to all_events()");
    for (const Event& event : events) ASSERT_EQ(decode_event(encode(event)).value(), event);
    ASSERT_EQ(decode_events(encode(events)).value(), events);
    const Crash crash = random_crash(rng);
    ASSERT_EQ(decode_crash(encode(crash)).value(), crash);
  }
}

TEST(Codec, EveryCutIsRefused) {
  Rng rng(3);
  const std::string screen = encode(random_screen(rng)), crash = encode(random_crash(rng));
  const std::string event = encode(all_events(rng)[2]);
  for (std::size_t n = 0; n < screen.size(); ++n) EXPECT_FALSE(decode_screen(screen.substr(0, n))) << n;
  for (std::size_t n = 0; n < crash.size(); ++n) EXPECT_FALSE(decode_crash(crash.substr(0, n))) << n;
  for (std::size_t n = 0; n < event.size(); ++n) EXPECT_FALSE(decode_event(event.substr(0, n))) << n;
  EXPECT_FALSE(decode_screen(screen + "x"));
}

TEST(Codec, DamageNeverLeavesLinksOutside) {
  Rng rng(5);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = encode(random_screen(rng));
    for (std::size_t k = 1 + rng.below(4); k-- > 0;)
      bytes[rng.below(bytes.size())] = static_cast<char>(rng.next());
    const auto screen = decode_screen(bytes);
    if (!screen) continue;
    const auto n = static_cast<std::int32_t>(screen->widgets.size());
    for (std::int32_t w = 0; w < n; ++w) {
      ASSERT_LT(screen->widgets[static_cast<std::size_t>(w)].parent, w);
      ASSERT_LE(screen->widgets[static_cast<std::size_t>(w)].subtree, n - w);
    }
    (void)decode_events(bytes);
    (void)decode_crash(bytes);
  }
}

TEST(Bytes, NumbersRoundTrip) {
  rc::check([](std::uint64_t a, std::int64_t b) {
    ByteWriter out;
    out.number(a);
    out.signed_number(b);
    out.fixed64(a);
    ByteReader in(out.bytes());
    RC_ASSERT(in.number() == a);
    RC_ASSERT(in.signed_number() == b);
    RC_ASSERT(in.fixed64() == a);
    RC_ASSERT(in.done());
  });
}

}  // namespace
}  // namespace norn

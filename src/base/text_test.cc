#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace norn {
namespace {

using namespace std::literals;

TEST(Text, ReadsUtf16WithAndWithoutMark) {
  EXPECT_EQ(to_utf8("\xff\xfeh\0i\0"sv), "hi");
  EXPECT_EQ(to_utf8("\xfe\xff\0h\0i"sv), "hi");
  EXPECT_EQ(to_utf8("m\0o\0n\0k\0e\0y\0"sv), "monkey");
  EXPECT_EQ(to_utf8("\xff\xfe\x3d\xd8\x00\xde"sv), "😀");
}

TEST(Text, RepairsInvalidBytes) {
  EXPECT_EQ(to_utf8("\xef\xbb\xbf"
                    "a\xff"
                    "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));  // a surrogate
  EXPECT_FALSE(is_utf8("\xc0\xaf"));      // overlong
}

TEST(Text, WhateverComesInIsUtf8Afterwards) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { RC_ASSERT(is_utf8(to_utf8(bytes))); }));
}

TEST(Text, SplitsEveryKindOfLineEnd) {
  EXPECT_EQ(lines("a\nb\r\nc\r\r\nd\re"), (std::vector<std::string_view>{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(lines("a\n\nb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(lines("a\r\rb"), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(lines(std::string(1'000'000, '\r')).size(), 1'000'000) << "and that at once";
}

TEST(Text, CutsBetweenCharacters) {
  EXPECT_EQ(shorten("äöü", 5), "ä…");
  EXPECT_TRUE(rc::check([](const std::string& s, std::uint8_t n) {
    const std::string text = to_utf8(s);
    RC_ASSERT(is_utf8(shorten(text, n)));
  }));
}

TEST(Text, NeutralisesControlCharacters) { EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\n"); }

TEST(Text, FirstCharactersAreWhole) {
  EXPECT_EQ(first_characters("café", 4), "café");
  EXPECT_EQ(first_characters("日本語", 2), "日本");
  EXPECT_EQ(first_characters("ab", 5), "ab");
  EXPECT_EQ(first_characters("\xff\xfeq", 2), "\xff\xfe");  // no characters: bytes
  EXPECT_EQ(first_characters("x", 0), "");
}

TEST(Text, NeutralisesWhatTurnsOrEndsALine) {
  EXPECT_EQ(printable("gpj.\u202etxt\u202c"), "gpj.\\u202etxt\\u202c");
  EXPECT_EQ(printable("a\u2028b\u2029c\u0085d\u009be"), "a\\u2028b\\u2029c\\u0085d\\u009be");
  EXPECT_EQ(printable("\u2066x\u2069\u061c\u200e\u200f"), "\\u2066x\\u2069\\u061c\\u200e\\u200f");
  const std::string plain = "שלום عالم 👩‍👩‍👧 é ✓ \u00a0 \u2027\u202f\u2065\u2070";
  EXPECT_EQ(printable(plain), plain);
  EXPECT_EQ(printable("cut \xe2\x80"), "cut \xe2\x80");
}

TEST(Text, Durations) {
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("1h30m"), 5400);
  EXPECT_EQ(parse_duration("250ms"), 0.25);
  EXPECT_EQ(parse_duration("12"), 12);
  EXPECT_FALSE(parse_duration("-5"));
  EXPECT_FALSE(parse_duration("5 parsecs"));
  for (const char* endless : {"", "inf", "nan", "infs", "nand", "1e308d", "1e308h1e308h"})
    EXPECT_FALSE(parse_duration(endless)) << endless;
  EXPECT_EQ(show_duration(200), "3m 20s");
}

TEST(Text, Suggests) {
  EXPECT_EQ(did_you_mean("redcue", {"reduce", "replay"}), "reduce");
  EXPECT_FALSE(did_you_mean("xyzzy", {"reduce", "replay"}));
}

TEST(Text, AShellWordIsOneWord) {
  EXPECT_EQ(shell_word("dj/norn.db"), "dj/norn.db");
  EXPECT_EQ(shell_word("other name.db"), "'other name.db'");
  EXPECT_EQ(shell_word("it's; rm -rf $HOME"), "'it'\\''s; rm -rf $HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace norn

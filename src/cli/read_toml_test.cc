// Files that are no TOML end in an error, whatever the parser thinks of them.
#include "cli/read_toml.h"

#include <gtest/gtest.h>

#include <string>

#include "base/rng.h"

namespace norn::cli {
namespace {

std::string key_of(std::size_t parts) {
  std::string key = "a";
  while (--parts > 0) key += ".a";
  return key;
}

TEST(ReadToml, GivesTheTable) {
  const auto table = read_toml("a.b = \"x\" # y\n[c]\nd = [1.5, 'z']\n", "f.toml");
  ASSERT_TRUE(table);
  EXPECT_EQ((*table)["a"]["b"].value_or(""), std::string("x"));
}

TEST(ReadToml, WhatIsMalformedIsAnError) {
  for (const char* text : {"[.]",       "[[[a",
                           "[=",        "[",
                           "[[",        "[[a",
                           "[[a]",      "[a",
                           "[ .",       "=",
                           ".",         "a",
                           "a.",        "a=",
                           "a.=1",      "a=.",
                           "a={",       "a={.",
                           "a={b",      "a={b=1,",
                           "a=[",       "a=[,",
                           "a=+",       "a=0x",
                           "a=1e",      "a=\"",
                           "a='''",     "\"",
                           "'",         "\"a",
                           "a=1 2",     "[a]\n[a]",
                           "a=1_",      "a=07:",
                           "\xff",      "[\"",
                           "a=1979-",   "a=1979-05-27T",
                           "a=\"\\u\"", "a=nan nan",
                           "[]",        "[a].",
                           "a=tru",     "a=i"}) {
    const auto refused = read_toml(text, "f.toml");
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().kind, Error::Kind::bad_input) << text;
    EXPECT_TRUE(refused.error().where.starts_with("f.toml")) << text;
  }
}

TEST(ReadToml, WhateverIsWrittenItGoesOn) {
  constexpr std::string_view letters = "[]{}=.,\"'#\n\\ a1_-+:Te";
  Rng rng(7);
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::uint64_t n = rng.below(16); n > 0; --n) text += letters[rng.below(letters.size())];
    (void)read_toml(text, "f.toml");
  }
}

TEST(ReadToml, AKeyOfTooManyPartsIsRefusedWhereverItStands) {
  const std::string long_key = key_of(100'000), quoted = "\"a\"." + long_key;
  EXPECT_TRUE(read_toml(key_of(longest_toml_key) + " = 1", "f.toml"));
  for (const std::string& text :
       {key_of(longest_toml_key + 1) + " = 1", long_key + " = 1", "[" + long_key + "]",
        "[[" + long_key + "]]", "x = {" + long_key + " = 1}", quoted + " = 1",
        "x = '''\n'''\n" + long_key + " = 1", "# \"\n" + long_key + " = 1",
        "x = \"\\\\\"\n" + long_key + " = 1", "x = 'a\\'\n" + long_key + " = 1"}) {
    const auto refused = read_toml(text, "f.toml");
    ASSERT_FALSE(refused) << text.substr(0, 40);
    EXPECT_TRUE(refused.error().what.find("parts") != std::string::npos) << refused.error().what;
  }
}

TEST(ReadToml, DotsThatAreNoKeysDoNotCount) {
  const std::string dots(1000, '.');
  EXPECT_TRUE(
      read_toml("a = \"" + dots + "\" # " + dots + "\nb = '" + dots + "'\nc = \"\"\"\n" + dots + "\n\"\"\"\n",
                "f.toml"));
  std::string numbers = "a = [";
  for (int i = 0; i < 100; ++i) numbers += "1.5, ";
  EXPECT_TRUE(read_toml(numbers + "2.5]\n", "f.toml"));
}

TEST(ReadToml, DeepArraysAreRefused) {
  EXPECT_FALSE(read_toml("a = " + std::string(100'000, '['), "f.toml"));
  std::string tables = "a = ";
  for (int i = 0; i < 100'000; ++i) tables += "{a=";
  EXPECT_FALSE(read_toml(tables, "f.toml"));
}

}  // namespace
}  // namespace norn::cli

#include "base/json_depth.h"

#include <gtest/gtest.h>

#include <string>

namespace norn {
namespace {

std::string nested(std::size_t depth, char open = '[', char close = ']') {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(JsonDepth, AThousandLevelsAreTakenOneMoreIsNot) {
  EXPECT_TRUE(check_json_depth(nested(deepest_json), "f"));
  EXPECT_TRUE(check_json_depth(nested(deepest_json, '{', '}'), "f"));
  EXPECT_FALSE(check_json_depth(nested(deepest_json + 1), "f"));
  EXPECT_FALSE(check_json_depth(std::string(deepest_json + 1, '['), "f")) << "cut off";
  const auto refused = check_json_depth(nested(100'000), "events/event_2.json");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where, "events/event_2.json");
  EXPECT_NE(refused.error().what.find("nested too deeply"), std::string::npos);
}

TEST(JsonDepth, WidthIsNoDepth) {
  std::string wide = "[";
  for (int i = 0; i < 100'000; ++i) wide += "[{}],";
  EXPECT_TRUE(check_json_depth(wide + "0]", "f"));
}

TEST(JsonDepth, BracketsInTextsAndCommentsDoNotCount) {
  const std::string brackets(5000, '[');
  EXPECT_TRUE(check_json_depth("[\"" + brackets + "\"]", "f"));
  EXPECT_TRUE(check_json_depth("[\"\\\"" + brackets + "\\\\\"]", "f"));
  EXPECT_TRUE(check_json_depth("// " + brackets + "\n[]", "f"));
  EXPECT_TRUE(check_json_depth("/* \" " + brackets + " */[]", "f"));
  EXPECT_FALSE(check_json_depth("// \"\n" + brackets, "f")) << "a quotation mark in a comment opens nothing";
  EXPECT_FALSE(check_json_depth("\"\\\\\"" + brackets, "f"));
}

TEST(JsonDepth, UnfinishedTextsAndCommentsEndWithTheText) {
  for (const char* cut : {"\"", "\"\\", "/", "//", "/*", "/* *", "[\"a", "]]]"})
    EXPECT_TRUE(check_json_depth(cut, "f")) << cut;
}

}  // namespace
}  // namespace norn

// Mutants of texts written by hand, where each is known, and of all bundled apps, where each must still
// compile, keep its lines and be another text.
#include "device/sim/mutant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "device/sim.h"
#include "device/sim/bundled.h"
#include "device/sim/generate.h"
#include "device/sim/source.h"

namespace norn::sim {
namespace {

std::vector<std::string> mutants(std::string_view source) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < mutant_count(source); ++i) out.push_back(mutate(source, i)->text);
  return out;
}

bool has(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

TEST(Mutant, ChangesWhatItSays) {
  const auto m = mutants("function f(a)\n  if a < 3 then return a + 1 end\n  g(a)\n  return not a\nend\n");
  EXPECT_TRUE(has(m, "function f(a)\n  if not (a < 3) then return a + 1 end\n  g(a)\n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a <= 3 then return a + 1 end\n  g(a)\n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 4 then return a + 1 end\n  g(a)\n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 2 then return a + 1 end\n  g(a)\n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 3 then  end\n  g(a)\n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 3 then return a - 1 end\n  g(a)\n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 3 then return a + 1 end\n  \n  return not a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 3 then return a + 1 end\n  g(a)\n  return  a\nend\n"));
  EXPECT_TRUE(has(m, "function f(a)\n  if a < 3 then return a + 1 end\n  g(a)\n  \nend\n"));
}

TEST(Mutant, LeavesTextsCommentsAndDeclarationsAlone) {
  EXPECT_EQ(mutant_count("app { title = \"1 < 2\", n = 3 }\n"), 0u);
  EXPECT_EQ(mutant_count("-- if a < 3 then\nlocal s = \"a == b\" .. [[ 1 + 1 ]]\n--[[ x = 1\n]]\n"), 0u);
  EXPECT_EQ(mutant_count("local a = bug(\"x\", 1 + 2)\n"), 0u);
  EXPECT_EQ(mutant_count(""), 0u);
  EXPECT_EQ(mutant_count("\"unfinished"), 0u);
}

TEST(Mutant, DropsStatementsOfSeveralLinesAndKeepsTheLines) {
  const std::string source = "function f()\n  a.b = g {\n    1 }\n  local c = 2\n  c = c\nend\n";
  EXPECT_TRUE(has(mutants(source), "function f()\n  \n\n  local c = 2\n  c = c\nend\n"));
  EXPECT_TRUE(has(mutants(source), "function f()\n  a.b = g {\n    1 }\n  local c = 2\n  \nend\n"));
}

void expect_sound(std::string_view name, std::string_view source, std::size_t step) {
  const std::size_t count = mutant_count(source);
  std::set<std::string> different;
  std::size_t tried = 0;
  for (std::size_t i = 0; i < count; i += step, ++tried) {
    const auto m = mutate(source, i);
    ASSERT_TRUE(m);
    EXPECT_NE(m->text, source);
    EXPECT_EQ(std::ranges::count(m->text, '\n'), std::ranges::count(source, '\n'));
    const auto compiled = read_source(std::string(name), m->text);
    EXPECT_TRUE(compiled) << name << ", mutant " << i << ", line " << m->line << ", " << m->what << ": "
                          << compiled.error().message();
    different.insert(m->text);
  }
  EXPECT_GE(different.size() * 100, tried * 95) << name << ": too many equal mutants";
  EXPECT_FALSE(mutate(source, count));
}

TEST(Mutant, AllOfEveryBundledAppCompile) {
  for (const BundledFile& file : bundled_sources()) {
    EXPECT_GE(mutant_count(file.text), 30u) << file.name;
    expect_sound(file.name, file.text, 11);
  }
}

TEST(Mutant, ThoseOfGeneratedAppsCompile) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    expect_sound("generated.lua", *generate_source(seed, 60), 29);
}

TEST(Mutant, RunOnTheDevice) {
  const auto app = sim_app("sim:dice"), mutant = sim_app("sim:dice?mutant=17");
  ASSERT_TRUE(app && mutant);
  EXPECT_NE(app->version, mutant->version);
  EXPECT_EQ(mutant->options, "mutant=17");
  EXPECT_TRUE(open_sim("sim:dice?mutant=17"));
  EXPECT_FALSE(open_sim("sim:dice?mutant=100000"));
}

}  // namespace
}  // namespace norn::sim

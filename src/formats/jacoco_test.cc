#include "formats/jacoco.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <chrono>

namespace norn {
namespace {

using namespace std::literals;

JacocoData data(std::initializer_list<std::pair<std::uint64_t, JacocoClass>> classes) {
  JacocoData d;
  for (const auto& [id, c] : classes) d.classes[id] = c;
  return d;
}
std::string exec_refusal(std::string_view bytes) {
  const auto d = parse_jacoco(bytes, "c.ec");
  EXPECT_FALSE(d.has_value());
  return d ? "" : d.error().message();
}

/// One session, one class of ten probes, worked out by hand.
const std::string by_hand =
    "\x01\xc0\xc0\x10\x07"
    "\x10\x00\x02id\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01\x02"
    "\x11\x00\x00\x00\x00\x00\x00\x00\x07\x00\x03"
    "a/B\x0a\x05\x02"s;

TEST(Jacoco, ReadsAndWritesTheBytesOfTheFormat) {
  const auto d = parse_jacoco(by_hand, "c.ec");
  ASSERT_TRUE(d) << d.error().message();
  EXPECT_EQ(d->sessions, (std::vector<JacocoSession>{{"id", 1, 258}}));
  EXPECT_EQ(d->classes.at(7).name, "a/B");
  EXPECT_EQ(d->classes.at(7).probes, (std::vector<bool>{1, 0, 1, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(write_jacoco(*d), by_hand);
}

TEST(Jacoco, OlderVersionHasTheSameLayout) {
  std::string old = by_hand;
  old[4] = '\x06';
  EXPECT_EQ(*parse_jacoco(old, "c.ec"), *parse_jacoco(by_hand, "c.ec"));
}

TEST(Jacoco, ConcatenatedFilesAreAFile) {
  std::string other = by_hand;
  other[other.size() - 1] = '\x01';
  const auto d = parse_jacoco(by_hand + other, "c.ec");
  ASSERT_TRUE(d);
  EXPECT_EQ(d->sessions.size(), 2u);
  EXPECT_EQ(d->classes.at(7).probes, (std::vector<bool>{1, 0, 1, 0, 0, 0, 0, 0, 1, 1}));
}

TEST(Jacoco, RefusalsSayWhatItIs) {
  EXPECT_NE(exec_refusal("EMMA\0\0\0\1"s).find("EMMA"), std::string::npos);
  EXPECT_NE(exec_refusal("").find("the file is empty"), std::string::npos);
  EXPECT_NE(exec_refusal("<?xml").find("not JaCoCo execution data: begins with \"<?xml\""),
            std::string::npos);
  EXPECT_NE(exec_refusal("\x01\xc0\xc0\x10\x05"s).find("version 0x1005"), std::string::npos);
  EXPECT_NE(exec_refusal("\x01\x00\x00\x10\x07"s).find("magic"), std::string::npos);
  EXPECT_NE(exec_refusal(by_hand + "x").find("c.ec: byte 43: unknown block 0x78"), std::string::npos)
      << exec_refusal(by_hand + "x");
}

TEST(Jacoco, ACutFileIsRefusedWhereverItIsCut) {
  for (std::size_t n = 1; n < by_hand.size(); ++n) {
    if (n == 5 || n == 26) continue;  // between two blocks: a whole file
    EXPECT_NE(exec_refusal(std::string_view(by_hand).substr(0, n)).find("cut off"), std::string::npos) << n;
  }
}

TEST(Jacoco, HugeCountsAllocateNothing) {
  const std::string claim = by_hand.substr(0, 40) + "\xff\xff\xff\xff\x0f"s;
  EXPECT_NE(exec_refusal(claim).find("cut off"), std::string::npos);
}

TEST(Jacoco, MergingIsUnionAndRefusesOtherBuilds) {
  JacocoData a = data({{1, {"A", {1, 0}}}});
  ASSERT_TRUE(merge_jacoco(a, data({{1, {"A", {0, 1}}}, {2, {"B", {0}}}})));
  EXPECT_EQ(a, data({{1, {"A", {1, 1}}}, {2, {"B", {0}}}}));
  const JacocoData before = a;
  const auto refused = merge_jacoco(a, data({{0, {"New", {1}}}, {1, {"A", {0, 1, 1}}}}));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("different builds"), std::string::npos);
  EXPECT_EQ(a, before);
}

rc::Gen<JacocoData> some_data() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::arbitrary<std::map<std::uint64_t, std::vector<bool>>>(),
                     rc::gen::arbitrary<std::vector<std::pair<std::int64_t, std::int64_t>>>()),
      [](const auto& t) {
        JacocoData d;
        for (const auto& [id, probes] : std::get<0>(t))
          d.classes[id] = {"p/😀é" + std::to_string(id), probes};
        for (const auto& [start, dump] : std::get<1>(t)) d.sessions.push_back({"host-1", start, dump});
        return d;
      });
}

TEST(Jacoco, ReadingWhatWasWrittenGivesItBack) {
  EXPECT_TRUE(rc::check([] {
    const JacocoData d = *some_data();
    RC_ASSERT(parse_jacoco(write_jacoco(d), "x").value() == d);
  }));
}

TEST(ProbeTable, GivesEveryProbeItsOwnId) {
  EXPECT_TRUE(rc::check([] {
    const JacocoData d = *some_data();
    ProbeTable table;
    const Coverage hit = table.coverage(d).value();
    std::size_t hits = 0;
    for (const auto& [id, c] : d.classes)
      for (const bool probe : c.probes) hits += probe;
    RC_ASSERT(hit.count() == hits);
    for (std::uint32_t id = 0; id < table.size(); ++id) {
      const auto probe = table.probe_of(id);
      RC_ASSERT(probe.has_value());
      const auto of =
          std::ranges::find_if(d.classes, [&](const auto& c) { return c.second.name == probe->class_name; });
      RC_ASSERT(of != d.classes.end());
      RC_ASSERT(of->second.probes.at(probe->probe) == hit.contains(id));
    }
    RC_ASSERT(!table.probe_of(table.size()).has_value());
  }));
}

TEST(ProbeTable, IdsStayWhenItGrowsAndWhenItIsReadAgain) {
  EXPECT_TRUE(rc::check([] {
    const JacocoData a = *some_data(), b = *some_data();
    ProbeTable table;
    const Coverage first = table.coverage(a).value();
    ProbeTable elsewhere = ProbeTable::parse(table.serialise(), "t").value();
    RC_ASSERT(elsewhere.coverage(a).value() == first);
    if (!table.coverage(b)) return;
    RC_ASSERT(table.coverage(a).value() == first);
    RC_ASSERT(elsewhere.coverage(b).value() == table.coverage(b).value());
    RC_ASSERT(ProbeTable::parse(table.serialise(), "t").value().serialise() == table.serialise());
  }));
}

TEST(ProbeTable, RefusesAnotherBuildAndDamagedTables) {
  ProbeTable table;
  ASSERT_TRUE(table.coverage(data({{1, {"A", {1, 0}}}})));
  EXPECT_NE(table.coverage(data({{1, {"A", {1}}}})).error().message().find("built anew"), std::string::npos);
  EXPECT_EQ(table.serialise(), "norn probes 1\n0000000000000001 2 A\n");
  for (const auto* odd : {"", "norn probes 2\n", "norn probes 1\nx\n", "norn probes 1\n\n",
                          "norn probes 1\n \n", "norn probes 1\n0000000000000001 -2 A\n",
                          "norn probes 1\n0000000000000001 2\n", "norn probes 1\n000000000000000g 2 A\n",
                          "norn probes 1\n0000000000000001 2 A\n0000000000000001 2 A\n",
                          "norn probes 1\n0000000000000001 99999999999 A\n"})
    EXPECT_FALSE(ProbeTable::parse(odd, "t").has_value()) << odd;
}

}  // namespace
}  // namespace norn

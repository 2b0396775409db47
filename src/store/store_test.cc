#include "store/store.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "store/compress.h"
#include "store/step_record.h"
#include "store/testing.h"

namespace norn {
namespace {

using testing::TemporaryFolder;

AppId app_id_of(Store& store) { return store.find_app(testing::made_up_app()).value().value(); }

std::unique_ptr<Store> opened(const std::filesystem::path& path, Access access = Access::write) {
  auto store = Store::open(path, access, "norn test");
  EXPECT_TRUE(store) << (store ? "" : store.error().message());
  return store ? std::move(*store) : nullptr;
}

TEST(Store, TreeComesBackNodeForNode) {
  const TemporaryFolder folder;
  constexpr std::uint64_t steps = 3000;
  {
    const auto store = opened(folder / "a.db");
    const AppId app = store->app(testing::made_up_app()).value();
    const RunId run = store->begin_run(app, "norn test", {}).value();
    const auto tree = store->load(app).value();
    testing::Walker walker(*store, app, run, *tree, 10);
    for (std::uint64_t i = 0; i < steps; ++i) ASSERT_TRUE(walker.step(i)) << i;
  }
  const auto store = opened(folder / "a.db", Access::read);
  const AppId app = store->find_app(testing::made_up_app()).value().value();
  const auto tree = store->load(app).value();
  EXPECT_EQ(testing::difference(*tree, *testing::walked(steps, 10)), "");
  EXPECT_EQ(testing::steps_in(*tree), steps);
  EXPECT_TRUE(store->check());
}

TEST(Store, GoesOnInALaterProcessAndInBatches) {
  const TemporaryFolder folder;
  std::uint64_t number = 0;
  for (int session = 0; session < 5; ++session) {
    const auto store = opened(folder / "a.db");
    const AppId app = store->app(testing::made_up_app()).value();
    const auto tree = store->load(app).value();
    ASSERT_EQ(testing::steps_in(*tree), number);
    testing::Walker walker(*store, app, {}, *tree, 10);
    if (session % 2 == 1) {
      ASSERT_TRUE(store->begin_batch());
    }
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(walker.step(number++));
    if (session == 3) {
      ASSERT_TRUE(store->flush());
    }
  }
  const auto store = opened(folder / "a.db", Access::read);
  EXPECT_EQ(testing::difference(*store->load(app_id_of(*store)).value(), *testing::walked(number, 10)), "");
}

TEST(Store, LearntMaskIsKept) {
  const TemporaryFolder folder;
  const auto clock = [](int time) {
    Observation seen;
    seen.screen = testing::made_up_screen(3);
    seen.screen.widgets[1].text = std::to_string(time);
    return seen;
  };
  std::vector<NodeId> nodes;
  {
    const auto store = opened(folder / "a.db");
    const AppId app = store->app(testing::made_up_app()).value();
    const auto tree = store->load(app).value();
    for (int i = 0; i < 4; ++i) {
      const Appended done = tree->append(tree->root(), Key{key::back}, clock(i), Heat::cold);
      ASSERT_TRUE(store->append(app, {}, *tree, done));
      nodes.push_back(done.node);
    }
    EXPECT_EQ(nodes[3], nodes[0]);
  }
  const auto store = opened(folder / "a.db");
  const auto tree = store->load(app_id_of(*store)).value();
  EXPECT_EQ(tree->mask_version(), 1U);
  EXPECT_EQ(tree->append(tree->root(), Key{key::back}, clock(9), Heat::cold).node, nodes[0]);
}

TEST(Store, StepsOfAnUnknownTreeAreRefused) {
  const TemporaryFolder folder;
  const auto store = opened(folder / "a.db");
  const AppId app = store->app(testing::made_up_app()).value();
  History stranger;
  const Appended done = stranger.append_root(Observation{}, Heat::cold);
  EXPECT_FALSE(store->append(app, {}, stranger, done));
  const auto tree = store->load(app).value();
  tree->append_root(Observation{}, Heat::cold);
  const NodeId lost = tree->append(tree->root(), Key{1}, Observation{}, Heat::cold).node;
  const Appended next = tree->append(lost, Key{1}, Observation{}, Heat::cold);
  EXPECT_FALSE(store->append(app, {}, *tree, next)) << "its parent was never stored";
}

TEST(Store, AppsAreKeptApart) {
  const TemporaryFolder folder;
  const auto store = opened(folder / "a.db");
  MemoryKey other = testing::made_up_app();
  other.app.version = "2";
  const AppId first = store->app(testing::made_up_app()).value(), second = store->app(other).value();
  EXPECT_NE(first, second);
  EXPECT_EQ(store->app(other).value(), second);
  EXPECT_EQ(store->key(second).value(), other);
  EXPECT_EQ(store->apps().value(), (std::vector{first, second}));
  const auto a = store->load(first).value(), b = store->load(second).value();
  testing::Walker walk_a(*store, first, {}, *a), walk_b(*store, second, {}, *b);
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(walk_a.step(i));
    if (i < 50) {
      ASSERT_TRUE(walk_b.step(i));
    }
  }
  EXPECT_EQ(testing::steps_in(*store->load(first).value()), 100U);
  EXPECT_EQ(testing::steps_in(*store->load(second).value()), 50U);
  EXPECT_EQ(store->sizes().value().screens, 2U) << "equal screens of two apps are stored once";
}

TEST(Store, RecordsOfCommands) {
  const TemporaryFolder folder;
  const auto store = opened(folder / "a.db");
  const AppId app = store->app(testing::made_up_app()).value();
  const MadeBy made_by{"0.1", "app", "abc", "sim", {{"seed", "7"}, {"x", ""}}};
  const RunId run = store->begin_run(app, "norn explore", made_by).value();
  EXPECT_FALSE(store->run(run).value().finished);
  Effort effort;
  effort.runs = 3;
  effort.device_seconds = 1.5;
  ASSERT_TRUE(store->finish_run(run, effort, "found 1"));
  const RunInfo info = store->runs().value().at(0);
  EXPECT_EQ(info.made_by.options, made_by.options);
  EXPECT_EQ(info.effort.runs, 3U);
  EXPECT_EQ(info.effort.device_seconds, 1.5);
  EXPECT_EQ(info.outcome, "found 1");
  EXPECT_TRUE(info.finished);

  const auto tree = store->load(app).value();
  Observation crashed;
  crashed.crash = Crash{};
  crashed.crash->chain.push_back({Thrown::Role::top, "E", "m", {{"f", "g", 1}}, 0});
  const NodeId step = tree->append(tree->root(), Key{1}, Observation{}, Heat::cold).node;
  const NodeId deep = tree->append(step, Key{2}, crashed, Heat::cold).node;
  const NodeId shallow = tree->append(tree->root(), Key{2}, crashed, Heat::cold).node;
  const FoundId crash = store->add_crash(app, run, *tree, deep, 12).value();
  EXPECT_EQ(store->add_crash(app, run, *tree, shallow, 99).value(), crash) << "one signature, one crash";
  EXPECT_EQ(store->crash(crash).value().node, deep);
  EXPECT_EQ(store->crash(crash).value().shortest, shallow);
  EXPECT_EQ(store->crash(crash).value().device_seconds, 12);
  EXPECT_FALSE(store->add_crash(app, run, *tree, step, 0));

  const TraceId trace = store->add_trace(app, run, deep, 2, "explore").value();
  EXPECT_EQ(store->trace(trace).value().node, deep);
  EXPECT_EQ(trace.value, 1U) << "t1";
  const SuiteId suite = store->add_suite(app, {}, "small", {trace}).value();
  EXPECT_EQ(store->suite(suite).value().traces, std::vector{trace});
  ASSERT_TRUE(store->add_result(run, "explore", R"({"a":1})"));
  EXPECT_EQ(store->results(run).value().at(0).json, R"({"a":1})");
  EXPECT_EQ(store->trace(TraceId{77}).error().kind, Error::Kind::not_found);
}

TEST(Store, GcFreesWhatNothingRefersTo) {
  const TemporaryFolder folder;
  const auto store = opened(folder / "a.db");
  const AppId keep = store->app(testing::made_up_app("keep")).value();
  const AppId drop = store->app(testing::made_up_app("drop")).value();
  const auto kept = store->load(keep).value(), dropped = store->load(drop).value();
  testing::Walker long_walk(*store, drop, {}, *dropped, 5), short_walk(*store, keep, {}, *kept, 5);
  for (std::uint64_t i = 0; i < 2000; ++i) ASSERT_TRUE(long_walk.step(i));
  for (std::uint64_t i = 0; i < 300; ++i) ASSERT_TRUE(short_walk.step(i));
  ASSERT_TRUE(store->flush());
  EXPECT_EQ(store->gc().value().screens, 0U) << "all are used";
  ASSERT_TRUE(store->remove_app(drop));
  const Freed freed = store->gc().value();
  EXPECT_GE(freed.screens, 300U);
  EXPECT_EQ(freed.apps, 1U);
  EXPECT_GT(freed.bytes, 20000U);
  const auto again = store->load(keep).value();
  EXPECT_EQ(testing::difference(*again, *testing::walked(300, 5)), "");
  testing::Walker on(*store, keep, {}, *again, 5);
  for (std::uint64_t i = 300; i < 600; ++i) ASSERT_TRUE(on.step(i));
  EXPECT_EQ(testing::difference(*store->load(keep).value(), *testing::walked(600, 5)), "");
}

TEST(Store, IdsAreNeverGivenTwice) {
  const TemporaryFolder folder;
  const auto store = opened(folder / "a.db");
  const AppId first = store->app(testing::made_up_app()).value();
  const TraceId trace = store->add_trace(first, {}, NodeId{0}, 0, "x").value();
  ASSERT_TRUE(store->remove_app(first));
  ASSERT_TRUE(store->gc());
  const AppId second = store->app(testing::made_up_app()).value();
  EXPECT_NE(second, first);
  EXPECT_NE(store->add_trace(second, {}, NodeId{0}, 0, "x").value(), trace);
}

TEST(StepRecord, RoundTripAndCheck) {
  Rng rng(1);
  const auto number = [&] { return static_cast<std::uint32_t>(rng.next() >> (32 + rng.below(32))); };
  for (int i = 0; i < 5000; ++i) {
    StepRecord s;
    s.node = number();
    if (rng.chance(0.5)) s.parent = number();
    s.warm = rng.chance(0.5);
    if (rng.chance(0.5)) s.run = number();
    s.event = number();
    s.screen = number();
    s.hit = number();
    s.crash = rng.chance(0.1) ? number() : 0;
    s.at_ms = rng.next() >> rng.below(64);
    const std::uint64_t seq = rng.below(1000000);
    const std::string bytes = encode(s, seq);
    ASSERT_EQ(decode_step(bytes, seq), s);
    for (std::size_t cut = 0; cut + 1 < bytes.size(); ++cut) (void)decode_step(bytes.substr(0, cut), seq);
  }
}

TEST(StepRecord, IsWhatTheDocumentSays) {
  StepRecord s;
  s.node = 2;
  s.parent = 1;
  s.run = 1;
  s.event = 5;
  s.screen = 1;
  s.hit = 1;
  s.at_ms = 650;
  std::string text;
  for (const char c : encode(s, 3)) text += fmt::format("{:02x} ", static_cast<unsigned char>(c));
  EXPECT_EQ(text, "19 02 02 01 05 01 01 8a 05 e2 ");
}

// A file of every released version stays in tests/data/store and must load as it did then.
TEST(Store, FileOfVersionOneLoads) {
  const TemporaryFolder folder;
  const std::filesystem::path kept = std::filesystem::path(NORN_SOURCE_DIR) / "tests/data/store/v1.db";
  ASSERT_TRUE(std::filesystem::copy_file(kept, folder / "a.db"));
  std::filesystem::permissions(folder / "a.db", std::filesystem::perms::owner_all);
  const auto store = opened(folder / "a.db");
  const auto tree = store->load(app_id_of(*store)).value();
  EXPECT_EQ(testing::difference(*tree, *testing::walked(60, 5)), "");
  EXPECT_EQ(store->traces().value().size(), 1U);
  EXPECT_EQ(store->run(RunId{1}).value().made_by.options.at("seed"), "7");
  testing::Walker walker(*store, app_id_of(*store), {}, *tree, 5);
  EXPECT_TRUE(walker.step(60));
}

TEST(Compress, PrefixIsADelta) {
  Compressor zstd;
  std::string a;
  for (int i = 0; i < 2000; ++i) a += static_cast<char>(Rng(static_cast<std::uint64_t>(i)).next());
  std::string b = a;
  b[1000] = 'x';
  const std::string delta = zstd.pack(b, a);
  EXPECT_LT(delta.size(), 60U);
  EXPECT_EQ(zstd.unpack(delta, a).value(), b);
  EXPECT_FALSE(zstd.unpack(delta)) << "without its prefix";
  EXPECT_FALSE(zstd.unpack(delta.substr(0, delta.size() - 1), a));
  EXPECT_FALSE(zstd.unpack("nonsense"));
  EXPECT_EQ(zstd.unpack(zstd.pack(a)).value(), a);
}

}  // namespace
}  // namespace norn

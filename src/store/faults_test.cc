// Full disk, read-only places, damaged and foreign files: a clear error, and the file stays whole.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/file.h"
#include "store/schema.h"
#include "store/store.h"
#include "store/testing.h"

namespace norn {
namespace {

using testing::TemporaryFolder;

/// Makes a store with that many steps, one run, a trace every hundred steps, and closes it.
void make_store(const std::filesystem::path& path, std::uint64_t steps) {
  const auto store = Store::open(path, Access::write, "test").value();
  const AppId app = store->app(testing::made_up_app()).value();
  const RunId run = store->begin_run(app, "norn test", {}).value();
  const auto tree = store->load(app).value();
  testing::Walker walker(*store, app, run, *tree, 5);
  ASSERT_TRUE(store->begin_batch());
  for (std::uint64_t i = 0; i < steps; ++i) {
    ASSERT_TRUE(walker.step(i));
    if (i % 100 == 99) {
      const NodeId node{static_cast<std::uint32_t>(tree->size() - 1)};
      ASSERT_TRUE(store->add_trace(app, run, node, tree->depth(node), "walk"));
    }
  }
  ASSERT_TRUE(store->add_result(run, "test", "{}"));
  ASSERT_TRUE(store->commit());
}

std::uint64_t stored_steps(const std::filesystem::path& path) {
  const auto store = Store::open(path, Access::read);
  EXPECT_TRUE(store) << store.error().message();
  const auto tree = (*store)->load((*store)->find_app(testing::made_up_app()).value().value());
  EXPECT_TRUE(tree) << tree.error().message();
  const std::uint64_t steps = testing::steps_in(**tree);
  EXPECT_EQ(testing::difference(**tree, *testing::walked(steps, 5)), "");
  return steps;
}

/// In a child whose files cannot grow beyond `limit` bytes: walks until append() fails, then ends with 0 if the
/// error was a clear one and stayed. Tells how many steps were acknowledged.
[[noreturn]] void walk_until_full(const std::filesystem::path& path, rlim_t limit, int acknowledge) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit bound{limit, limit};
  ::setrlimit(RLIMIT_FSIZE, &bound);
  const auto store = Store::open(path, Access::write, "child");
  if (!store) _exit(2);
  const auto app = (*store)->app(testing::made_up_app());
  const auto tree = app ? (*store)->load(*app) : std::unexpected(app.error());
  if (!tree) _exit(3);
  std::uint64_t number = testing::steps_in(**tree);
  testing::Walker walker(**store, *app, {}, **tree, 5);
  for (;;) {
    const Status done = walker.step(number);
    if (!done) {
      const Status again = walker.step(number + 1);
      const bool clear = done.error().kind == Error::Kind::io && !done.error().advice.empty();
      if (::write(acknowledge, &number, sizeof number) != sizeof number) _exit(4);
      _exit(clear && !again ? 0 : 5);
    }
    ++number;
  }
}

TEST(Faults, FullDisk) {
  for (const rlim_t limit : {rlim_t{300000}, rlim_t{1000000}, rlim_t{3000000}}) {
    const TemporaryFolder folder;
    const auto path = folder / "a.db";
    make_store(path, 200);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) walk_until_full(path, limit, ends[1]);
    ::close(ends[1]);
    std::uint64_t acknowledged = 0;
    EXPECT_EQ(::read(ends[0], &acknowledged, sizeof acknowledged), static_cast<ssize_t>(sizeof acknowledged));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(stored_steps(path), acknowledged);
    EXPECT_GT(acknowledged, 200U);
  }
}

TEST(Faults, ReadOnlyPlaces) {
  if (::geteuid() == 0) {  // root writes everywhere: leave root's rights for a child
    const TemporaryFolder folder;
    make_store(folder / "a.db", 100);
    ::chmod((folder / "").c_str(), 0555);
    ::chmod((folder / "a.db").c_str(), 0444);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setuid(65534) != 0) _exit(9);
      const auto writer = Store::open(folder / "a.db", Access::write, "child");
      if (writer || writer.error().kind != Error::Kind::io) _exit(1);
      const auto fresh = Store::open(folder / "new.db", Access::write, "child");
      if (fresh || fresh.error().kind != Error::Kind::io) _exit(2);
      const auto reader = Store::open(folder / "a.db", Access::read);
      if (!reader) _exit(3);
      const auto tree = (*reader)->load(AppId{1});
      _exit(tree && testing::steps_in(**tree) == 100 ? 0 : 4);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    ::chmod((folder / "").c_str(), 0755);
    return;
  }
  GTEST_SKIP() << "made for root, who can become somebody else";
}

TEST(Faults, MissingAndForeignFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(Store::open(folder / "none.db", Access::read).error().kind, Error::Kind::not_found);
  EXPECT_EQ(Store::open(folder / "no/such/folder.db", Access::write).error().kind, Error::Kind::io);
  ASSERT_TRUE(
      write_file(folder / "text", "this is no database, but long enough to be looked at as one, surely\n"));
  const auto text = Store::open(folder / "text", Access::write);
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().what.find("not a norn store"), std::string::npos);
  EXPECT_EQ(read_file(folder / "text").value().substr(0, 4), "this") << "it was left alone";
  {
    const auto other = sqlite::Database::open(folder / "other.db", sqlite::Database::Mode::create).value();
    ASSERT_TRUE(other.run("CREATE TABLE music(id)"));
  }
  const auto other = Store::open(folder / "other.db", Access::write);
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().what.find("not a norn store"), std::string::npos);
  ASSERT_TRUE(write_file(folder / "empty.db", ""));
  EXPECT_TRUE(Store::open(folder / "empty.db", Access::write));
}

TEST(Faults, NewerVersionIsRefused) {
  const TemporaryFolder folder;
  make_store(folder / "a.db", 10);
  {
    const auto db = sqlite::Database::open(folder / "a.db", sqlite::Database::Mode::write).value();
    ASSERT_TRUE(db.run("PRAGMA user_version = 99"));
  }
  for (const Access access : {Access::read, Access::write}) {
    const auto store = Store::open(folder / "a.db", access);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, Error::Kind::unsupported);
  }
}

TEST(Faults, UpgradeIsAllOrNothingAndRepeatable) {
  const TemporaryFolder folder;
  const auto db = sqlite::Database::open(folder / "a.db", sqlite::Database::Mode::create).value();
  ASSERT_TRUE(upgrade(db));
  EXPECT_EQ(inspect(db).value().version, schema_version);
  ASSERT_TRUE(upgrade(db)) << "nothing to do";
}

TEST(Faults, ShortenedFileIsRecognised) {
  const TemporaryFolder folder;
  make_store(folder / "a.db", 500);
  std::filesystem::resize_file(folder / "a.db", std::filesystem::file_size(folder / "a.db") / 2);
  for (const Access access : {Access::read, Access::write}) {
    const auto store = Store::open(folder / "a.db", access);
    ASSERT_FALSE(store);
    EXPECT_NE(store.error().what.find("damaged"), std::string::npos) << store.error().message();
  }
}

void overwrite(const std::filesystem::path& path, std::uint64_t at, const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(Faults, SalvageOfAWholeFileIsACopy) {
  const TemporaryFolder folder;
  make_store(folder / "a.db", 1000);
  const Salvaged all = Store::salvage(folder / "a.db", folder / "b.db").value();
  EXPECT_EQ(all.steps, 1000U);
  EXPECT_EQ(all.steps_lost, 0U);
  EXPECT_EQ(all.traces, 10U);
  EXPECT_EQ(all.runs, 1U);
  EXPECT_EQ(all.results, 1U);
  EXPECT_EQ(stored_steps(folder / "b.db"), 1000U);
  EXPECT_FALSE(Store::salvage(folder / "a.db", folder / "b.db")) << "never over a file that is there";
}

TEST(Faults, DamageIsRecognisedAndWhatIsLeftIsOffered) {
  int salvaged = 0, noticed = 0;
  constexpr int rounds = 8;
  for (int round = 0; round < rounds; ++round) {
    const TemporaryFolder folder;
    const auto path = folder / "a.db";
    make_store(path, 1000);
    Rng rng(static_cast<std::uint64_t>(round));
    const std::uint64_t pages = std::filesystem::file_size(path) / 4096;
    overwrite(path, (1 + rng.below(pages - 1)) * 4096, std::string(4096, static_cast<char>(rng.next())));
    const auto store = Store::open(path, Access::read);
    const Status checked = store ? (*store)->check() : std::unexpected(store.error());
    if (!checked) {
      ++noticed;
      EXPECT_FALSE(checked.error().advice.empty());
    }
    const auto rescued = Store::salvage(path, folder / "b.db");
    if (!rescued) continue;
    EXPECT_LE(rescued->steps, 1000U);
    if (rescued->steps_lost) {
      EXPECT_EQ(rescued->steps + *rescued->steps_lost, 1000U);
    }
    if (rescued->steps > 0) {
      ++salvaged;
      const auto fresh = Store::open(folder / "b.db", Access::write, "test");
      ASSERT_TRUE(fresh) << fresh.error().message();
      EXPECT_TRUE((*fresh)->check());
    }
  }
  EXPECT_GE(noticed, rounds - 3) << "a page of an index or a free page may go unnoticed";
  EXPECT_GE(salvaged, rounds / 2);
}

TEST(Faults, SalvageSaysWhatItCannotTell) {
  const TemporaryFolder folder;
  make_store(folder / "a.db", 1000);
  std::filesystem::resize_file(folder / "a.db", 40'960);  // where the tables begin, and next to no steps
  const Salvaged kept = Store::salvage(folder / "a.db", folder / "b.db").value();
  EXPECT_LT(kept.steps, 1000U);
  EXPECT_EQ(kept.steps_lost, std::nullopt);
}

TEST(Faults, ARunThatIsSalvagedKeepsItsApp) {
  const TemporaryFolder folder;
  make_store(folder / "a.db", 100);
  ASSERT_TRUE(Store::salvage(folder / "a.db", folder / "b.db"));
  const auto store = Store::open(folder / "b.db", Access::read).value();
  const auto runs = store->runs().value();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].app, store->find_app(testing::made_up_app()).value().value());
}

TEST(Faults, SalvageThatFailsDoesNotAdviseItself) {
  const TemporaryFolder folder;
  make_store(folder / "a.db", 100);
  std::string bytes = read_file(folder / "a.db").value();
  const auto schema = bytes.find("CREATE TABLE");
  ASSERT_NE(schema, std::string::npos);
  for (auto at = schema; at != std::string::npos; at = bytes.find("CREATE TABLE", at + 1)) bytes[at] = 'X';
  ASSERT_TRUE(write_file(folder / "broken.db", bytes));
  const auto refused = Store::salvage(folder / "broken.db", folder / "b.db");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().advice.find("--salvage"), std::string::npos) << refused.error().message();
}

TEST(Faults, RandomBytesNeverCrash) {
  const TemporaryFolder folder;
  make_store(folder / "good.db", 300);
  const std::string good = read_file(folder / "good.db").value();
  for (int round = 0; round < 30; ++round) {
    Rng rng(static_cast<std::uint64_t>(round) + 1000);
    std::string bad = good;
    for (std::size_t k = 1 + rng.below(30); k-- > 0;)
      bad[rng.below(bad.size())] = static_cast<char>(rng.next());
    const auto path = folder / ("bad" + std::to_string(round) + ".db");
    ASSERT_TRUE(write_file(path, bad));
    const auto store = Store::open(path, Access::write, "test");
    if (!store) continue;
    (void)(*store)->check();
    (void)(*store)->runs();
    (void)(*store)->gc();
    (void)Store::salvage(path, path.string() + ".new");
  }
}

}  // namespace
}  // namespace norn

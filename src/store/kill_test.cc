// kill -9 at random moments: what was acknowledged is there, and the file opens.
//
// A child walks the made-up app and tells the parent through a pipe after each step that append() took; the
// parent kills it after a random while, opens the file, and compares the tree with the same number of steps
// walked without any store. NORN_KILLS sets how often (scripts/soak: 1,000).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/patience.h"
#include "store/store.h"
#include "store/testing.h"

namespace norn {
namespace {

constexpr std::uint32_t period = 8;

/// Never returns: ends with 1 where something went wrong, otherwise only by the kill.
[[noreturn]] void walk_until_killed(const std::filesystem::path& path, int acknowledge, bool batches) {
  const auto store = Store::open(path, Access::write, "child");
  if (!store) _exit(1);
  const auto app = (*store)->app(testing::made_up_app());
  if (!app) _exit(1);
  const auto tree = (*store)->load(*app);
  if (!tree) _exit(1);
  std::uint64_t number = testing::steps_in(**tree);
  testing::Walker walker(**store, *app, {}, **tree, period);
  for (;;) {
    if (batches && !(*store)->begin_batch()) _exit(1);
    for (int i = 0; i < (batches ? 20 : 1); ++i)
      if (!walker.step(number++)) _exit(1);
    if (batches && !(*store)->commit()) _exit(1);
    if (::write(acknowledge, &number, sizeof number) != sizeof number) _exit(1);
  }
}

/// The last number the child wrote, after it is dead.
std::uint64_t last_acknowledged(int pipe_end) {
  std::uint64_t last = 0, number = 0;
  while (::read(pipe_end, &number, sizeof number) == sizeof number) last = number;
  return last;
}

std::uint64_t run_and_kill(const std::filesystem::path& path, Rng& rng) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  const bool batches = rng.chance(0.3);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    walk_until_killed(path, ends[1], batches);
  }
  ::close(ends[1]);
  const auto slow =
      static_cast<std::uint64_t>(std::min(patience, 5));  // enough for a sanitized child to get somewhere
  ::usleep(static_cast<useconds_t>(slow * (rng.below(20000) + (rng.chance(0.2) ? 40000 : 0))));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
  const std::uint64_t last = last_acknowledged(ends[0]);
  ::close(ends[0]);
  return last;
}

TEST(Kill, NothingAcknowledgedIsLost) {
  const char* wanted = std::getenv("NORN_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 50;
  const testing::TemporaryFolder folder;
  Rng rng(static_cast<std::uint64_t>(::getpid()));
  std::uint64_t stored = 0, most = 0;
  int file = 0;
  for (int i = 0; i < kills; ++i) {
    if (stored > 1000) {  // begin anew: checking a long walk takes long
      ++file;
      stored = 0;
    }
    const auto path = folder / ("k" + std::to_string(file) + ".db");
    const std::uint64_t acknowledged = run_and_kill(path, rng);
    const auto store = Store::open(path, Access::write, "parent");
    ASSERT_TRUE(store) << store.error().message();
    const auto tree = (*store)->load((*store)->app(testing::made_up_app()).value());
    ASSERT_TRUE(tree) << tree.error().message();
    const std::uint64_t steps = testing::steps_in(**tree);
    ASSERT_GE(steps, std::max(acknowledged, stored)) << "kill " << i;
    ASSERT_EQ(testing::difference(**tree, *testing::walked(steps, period)), "") << "kill " << i;
    stored = steps;
    most = std::max(most, stored);
  }
  EXPECT_GT(most, 100U) << "the child never got anywhere";
}

TEST(Kill, ReaderWorksBesideAWriter) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "a.db";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) walk_until_killed(path, ends[1], false);
  ::close(ends[1]);
  std::uint64_t first = 0;
  ASSERT_EQ(::read(ends[0], &first, sizeof first), static_cast<ssize_t>(sizeof first));
  std::uint64_t before = 0, beside = 0;
  for (int i = 0; i < 5; ++i) {
    std::uint64_t number = 0;
    for (int k = 0; k < 50; ++k) ASSERT_GT(::read(ends[0], &number, sizeof number), 0);
    const auto reader = Store::open(path, Access::read);
    ASSERT_TRUE(reader) << reader.error().message();
    const auto tree = (*reader)->load((*reader)->find_app(testing::made_up_app()).value().value());
    ASSERT_TRUE(tree) << tree.error().message();
    before = beside;
    beside = testing::steps_in(**tree);
    EXPECT_GE(beside, number);
    EXPECT_GE(beside, before);
    const auto second = Store::open(path, Access::write, "second");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, Error::Kind::busy);
    EXPECT_NE(second.error().what.find("child"), std::string::npos) << second.error().what;
    EXPECT_NE(second.error().what.find(std::to_string(child)), std::string::npos) << second.error().what;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  EXPECT_TRUE(Store::open(path, Access::write, "after")) << "the lock died with its holder";
}

}  // namespace
}  // namespace norn

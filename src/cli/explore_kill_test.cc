// kill -9 of the program itself at random moments, then --resume, again and again: nothing that was
// acknowledged is lost, the exploration goes on, and every crash in the store still replays.
//
// Every second run is driven by a chooser of its own that writes down how many events norn said were done
// when it asked: so many must be in the store afterwards. NORN_EXPLORE_KILLS sets how often (scripts/soak:
// 200). And Ctrl-C, which ends it in order.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/file.h"
#include "base/patience.h"
#include "base/rng.h"
#include "cli/testing.h"
#include "store/store.h"

namespace norn {
namespace {

namespace fs = std::filesystem;

constexpr const char* chooser = R"py(
import json, sys
asked = open(sys.argv[1], "a", buffering=1)
for line in sys.stdin:
    question = json.loads(line)
    asked.write("%d\n" % question["events"])
    print(question["events"] * 7919 % max(1, len(question["possible"])), flush=True)
)py";

/// The program beside this test.
fs::path program() { return fs::read_symlink("/proc/self/exe").parent_path() / "norn"; }

/// Runs it and sends a signal so long after it was started, or, where a file is named, after that appeared: a
/// busy machine starts slowly, and sanitized code works slowly. Returns what wait says.
int run_and_signal(std::vector<std::string> arguments, int milliseconds, const fs::path& appears,
                   int signal) {
  std::vector<char*> raw;
  for (std::string& a : arguments) raw.push_back(a.data());
  raw.push_back(nullptr);
  const std::string file = program().string();
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDWR);
    if (null < 0) ::_exit(126);
    ::dup2(null, STDIN_FILENO), ::dup2(null, STDOUT_FILENO), ::dup2(null, STDERR_FILENO);
    ::execv(file.c_str(), raw.data());
    ::_exit(127);
  }
  for (int i = 0; i < 2000 && !appears.empty() && !fs::exists(appears); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(patience * std::chrono::milliseconds(milliseconds));
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

void run_and_kill(std::vector<std::string> arguments, int milliseconds, const fs::path& appears) {
  const int status = run_and_signal(std::move(arguments), milliseconds, appears, SIGKILL);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
}

std::uint64_t last_number(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t last = 0;
  for (std::uint64_t n = 0; in >> n;) last = n;
  return last;
}

/// What the store held when it was last looked at.
struct Held {
  std::size_t nodes = 0, crashes = 0, runs = 0;
};

void check_after_kill(const fs::path& path, const fs::path& asked, Held& held) {
  auto store = Store::open(path, Access::read);
  ASSERT_TRUE(store) << store.error().message();
  const auto runs = (*store)->runs();
  ASSERT_TRUE(runs);
  if (runs->empty()) return;
  const RunInfo run = *std::ranges::max_element(*runs, {}, [](const RunInfo& r) { return r.id.value; });
  const auto tree = (*store)->load(run.app);
  ASSERT_TRUE(tree) << tree.error().message();
  const auto crashes = (*store)->crashes();
  ASSERT_TRUE(crashes);
  EXPECT_GE((*tree)->size(), held.nodes);
  EXPECT_GE(crashes->size(), held.crashes);
  if (runs->size() > held.runs && fs::exists(asked)) {
    const auto steps = (*store)->run_steps(run);
    ASSERT_TRUE(steps);
    EXPECT_GE(steps->steps, last_number(asked));
  }
  held = {(*tree)->size(), crashes->size(), runs->size()};
}

TEST(KilledExploration, LosesNothingAndGoesOn) {
  if (!fs::exists(program())) GTEST_SKIP() << "the program norn is not built";
  const char* wanted = std::getenv("NORN_EXPLORE_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 15;
  const fs::path folder = fs::temp_directory_path() / ("norn_killed_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string store = (folder / "norn.db").string();
  ASSERT_TRUE(write_file(folder / "chooser.py", chooser));
  Rng rng(static_cast<std::uint64_t>(getpid()));
  Held held;
  std::uint64_t asked_most = 0;
  for (int i = 0; i < kills; ++i) {
    const fs::path asked = folder / ("asked" + std::to_string(i));
    std::vector<std::string> arguments{"norn", "explore", "--store", store, "--quiet", "--budget", "50h"};
    if (held.runs == 0)
      arguments.insert(arguments.end(), {"--device", "sim:notes"});
    else
      arguments.insert(arguments.end(), {"--resume", "r" + std::to_string(held.runs)});
    const bool asks = i % 2 == 1;
    arguments.insert(
        arguments.end(),
        {"--strategy",
         asks ? "exec:python3 '" + (folder / "chooser.py").string() + "' '" + asked.string() + "'" : "norn"});
    run_and_kill(arguments, static_cast<int>(20 + rng.below(200)), asks ? asked : fs::path());
    if (HasFatalFailure() || !fs::exists(store)) continue;
    check_after_kill(store, asked, held);
    if (HasFatalFailure()) break;
    asked_most = std::max(asked_most, last_number(asked));
  }
  EXPECT_GT(held.nodes, 100U);
  EXPECT_GT(asked_most, 5U) << "the chooser was hardly asked: the test tests little";
  EXPECT_LE(testing::norn({"explore", "--store", store, "--quiet", "--resume",
                           "r" + std::to_string(held.runs), "--strategy", "norn", "--events", "500"})
                .exit,
            1);
  const auto crashes = (*Store::open(store, Access::read))->crashes();
  ASSERT_TRUE(crashes);
  EXPECT_FALSE(crashes->empty());
  for (const FoundInfo& c : *crashes)
    EXPECT_EQ(testing::norn(
                  {"replay", "c" + std::to_string(c.id.value), "--store", store, "--quiet", "--times", "1"})
                  .exit,
              0)
        << c.headline;
  EXPECT_TRUE((*Store::open(store, Access::read))->check());
  fs::remove_all(folder);
}

class Interrupted : public testing::InAFolder {
 protected:
  /// Ctrl-C after the store has appeared and a moment has passed.
  int explore_and_interrupt(std::vector<std::string> arguments, int milliseconds) {
    arguments.insert(arguments.begin(), {"norn", "explore", "--device", "sim:tips", "--store", store()});
    return run_and_signal(std::move(arguments), milliseconds, store(), SIGINT);
  }
};

TEST_F(Interrupted, KeepsAllAndTheNextRunTellsWhatWasFound) {
  if (!fs::exists(program())) GTEST_SKIP() << "the program norn is not built";
  const int status = explore_and_interrupt({"--budget", "9000h"}, 700 * patience);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(testing::norn({"runs", "--store", store()}).shows("not replayed yet"));
  const testing::Said next =
      testing::norn({"explore", "--store", store(), "--resume", "r1", "--events", "20", "--quiet"});
  EXPECT_EQ(next.exit, 1) << next.err;
  EXPECT_TRUE(next.shows("of an earlier run, 3 of 3 from clean starts")) << next.out;
}

TEST_F(Interrupted, DoesNotWaitForAStrategyThatHangs) {
  if (!fs::exists(program())) GTEST_SKIP() << "the program norn is not built";
  const auto begin = std::chrono::steady_clock::now();
  const int status = explore_and_interrupt({"--strategy", "exec:read line; sleep 50"}, 300);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace norn

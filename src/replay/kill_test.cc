// kill -9 in the middle of service work: a second start goes on with what was learned.
//
// A child asks one request after another, with a store, and tells the parent each answer through a pipe. The
// parent kills it after a random while, opens the file, and asks the same requests of a service whose device
// fails every call: what was acknowledged must be answered from memory, as a plain cold replay answers it.
// NORN_KILLS sets how often.
#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/patience.h"
#include "replay/fleet.h"
#include "replay/maze.h"
#include "replay/plain.h"
#include "store/store.h"

namespace norn {
namespace {

using testing::Maze;
using testing::MazeOptions;

const MazeOptions maze{.seed = 8};

/// The requests are numbered; each follows from its number.
struct Question {
  std::vector<Event> events;
  Watch watch;
};
Question question(std::uint64_t number) {
  Rng rng(number + 1);
  static const auto alphabet = Maze::alphabet(maze);
  std::vector<Event> events;
  for (std::size_t k = 1 + rng.below(12); k > 0; --k) events.push_back(alphabet[rng.below(alphabet.size())]);
  return {std::move(events), number % 2 == 0 ? Watch(AnyCrash{}) : Watch(Completes{})};
}
Request request(Replay& replay, const Question& q) {
  return {.events = replay.intern(q.events), .watch = q.watch, .missing = Missing::skip};
}
Verdict truth(const Question& q) {
  Maze plain(maze);
  const auto run = testing::plain_replay(plain, App{}, q.events, Missing::skip);
  return testing::expected(q.watch, run) ? Verdict::yes : Verdict::no;
}

/// A device that was unplugged.
class Dead final : public Device {
 public:
  DeviceInfo info() const override { return Maze(maze).info(); }
  Status start(const App&, Nonce) override { return gone(); }
  Result<Observation> observe() override { return gone(); }
  Status perform(const Action&, Pace) override { return gone(); }
  Result<SnapshotId> save() override { return gone(); }
  Status restore(SnapshotId, Nonce) override { return gone(); }
  void forget(SnapshotId) override {}
  double meter() const override { return 0; }

 private:
  static std::unexpected<Error> gone() { return fail(Error::Kind::device, "unplugged"); }
};

/// A service on a store, as a command makes it.
struct Opened {
  std::unique_ptr<Store> store;
  AppId app;
  std::unique_ptr<History> tree;
  std::unique_ptr<Replay> replay;
};

Result<std::unique_ptr<Opened>> open_service(const std::filesystem::path& path,
                                             std::unique_ptr<Device> device) {
  auto out = std::make_unique<Opened>();
  NORN_TRY(out->store, Store::open(path, Access::write, "kill test"));
  NORN_TRY(out->app, out->store->app({{"maze", "8", {}, {}}, "maze", 1000, 1000, {}}));
  NORN_TRY(out->tree, out->store->load(out->app));
  Journal journal = [raw = out.get()](const Appended& what, Heat, const Observation& seen) {
    return raw->store->append(raw->app, {}, *raw->tree, what, seen.at);
  };
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::move(device));
  out->replay = std::make_unique<Replay>(
      std::make_unique<Fleet>(std::move(devices), App{}, *out->tree, FleetOptions{}, std::move(journal)));
  return out;
}

struct Acknowledged {
  std::uint64_t number;
  std::uint64_t verdict;
};

/// Never returns: ends with 1 where something went wrong, otherwise only by the kill.
[[noreturn]] void ask_until_killed(const std::filesystem::path& path, std::uint64_t number, int pipe_end) {
  const auto service = open_service(path, std::make_unique<Maze>(maze));
  if (!service) _exit(1);
  for (;; ++number) {
    Replay& replay = *(*service)->replay;
    const Outcome outcome = replay.ask(request(replay, question(number)));
    const Acknowledged said{number, static_cast<std::uint64_t>(outcome.verdict)};
    if (::write(pipe_end, &said, sizeof said) != sizeof said) _exit(1);
  }
}

std::vector<Acknowledged> run_and_kill(const std::filesystem::path& path, std::uint64_t number, Rng& rng) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ask_until_killed(path, number, ends[1]);
  }
  ::close(ends[1]);
  ::usleep(static_cast<useconds_t>(rng.below(25000U * patience)));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << WEXITSTATUS(status);
  std::vector<Acknowledged> all;
  for (Acknowledged one{}; ::read(ends[0], &one, sizeof one) == sizeof one;) all.push_back(one);
  ::close(ends[0]);
  return all;
}

TEST(Kill, ASecondStartGoesOnWithWhatWasLearned) {
  const char* wanted = std::getenv("NORN_KILLS");
  const int kills = wanted ? std::atoi(wanted) : 20;
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("norn-kill-{}", ::getpid());
  std::filesystem::create_directories(folder);
  Rng rng(static_cast<std::uint64_t>(::getpid()));
  std::vector<Acknowledged> known;
  std::uint64_t next = 0, answered = 0;
  int file = 0;
  for (int i = 0; i < kills; ++i) {
    if (known.size() > 2000) {  // begin anew: checking all again and again takes long
      ++file;
      known.clear();
    }
    const auto path = folder / fmt::format("{}.db", file);
    for (const auto& one : run_and_kill(path, next, rng)) known.push_back(one);
    const auto service = open_service(path, std::make_unique<Dead>());
    ASSERT_TRUE(service) << "kill " << i << ": " << service.error().message();
    Replay& replay = *(*service)->replay;
    for (const auto& [number, verdict] : known) {
      const Question q = question(number);
      const Outcome outcome = replay.ask(request(replay, q));
      ASSERT_EQ(outcome.verdict, static_cast<Verdict>(verdict)) << "kill " << i << ", request " << number;
      ASSERT_TRUE(outcome.from_memory);
      ASSERT_EQ(outcome.verdict, truth(q)) << "kill " << i << ", request " << number;
    }
    EXPECT_EQ((*service)->replay->spent().runs, 0U);
    EXPECT_TRUE((*service)->store->check());
    answered += known.empty() ? 0 : known.back().number + 1 - next;
    if (!known.empty()) next = known.back().number + 1;
  }
  EXPECT_GT(answered, 0U) << "the child never got anywhere";
  fmt::print("{} kills, {} requests acknowledged before them, all remembered and right\n", kills, answered);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace norn

#include "base/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace norn {
namespace {

TEST(Process, SpeaksInLines) {
  auto p = Process::spawn("cat");
  ASSERT_TRUE(p);
  ASSERT_TRUE(p->write_line("one", 5));
  ASSERT_TRUE(p->write_line("two", 5));
  EXPECT_EQ(p->read_line(5).value(), "one");
  EXPECT_EQ(p->read_line(5).value(), "two");
}

TEST(Process, CarriesMoreThanAPipeHolds) {
  auto p = Process::spawn("cat");
  ASSERT_TRUE(p);
  const std::string big(50'000, 'x');
  ASSERT_TRUE(p->write_line(big, 5));
  EXPECT_EQ(p->read_line(5).value(), big);
}

TEST(RunCommand, NoTimeAtAllIsATimeOutWhoeverMakesTheGroup) {
  for (int i = 0; i < 100; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto code = run_command("sleep 20 #", "", 0, {});
    ASSERT_FALSE(code);
    EXPECT_EQ(code.error().kind, Error::Kind::timeout);
    ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10)) << i;
  }
}

TEST(Process, DyingIsAnError) {
  auto p = Process::spawn("exit 3");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->read_line(5).error().kind, Error::Kind::device);
  Status written;
  // Its ends of the two pipes need not be closed at the same moment.
  for (int i = 0; i < 1000 && written; ++i) {
    written = p->write_line("anybody there?", 5);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(written);
  EXPECT_EQ(Process::spawn("/no/such/program 2>/dev/null")->read_line(5).error().kind, Error::Kind::device);
}

TEST(Process, SilenceIsATimeout) {
  auto p = Process::spawn("sleep 100");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->read_line(0.05).error().kind, Error::Kind::timeout);
  const std::string flood(10'000'000, 'x');
  EXPECT_EQ(p->write_line(flood, 0.05).error().kind, Error::Kind::timeout);
}

TEST(Process, AFloodWithoutLinesIsCutOff) {
  auto p = Process::spawn("cat /dev/zero");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->read_line(5, 1'000'000).error().kind, Error::Kind::device);
}

TEST(Process, KillsTheWholeGroup) {
  auto p = Process::spawn("sleep 1000 & echo $!; wait");
  ASSERT_TRUE(p);
  const std::string grandchild = p->read_line(5).value();
  p->kill();
  p->kill();
  EXPECT_FALSE(p->alive());
  for (int i = 0; i < 100 && std::system(("kill -0 " + grandchild + " 2>/dev/null").c_str()) == 0; ++i)
    std::system("sleep 0.02");
  EXPECT_NE(std::system(("kill -0 " + grandchild + " 2>/dev/null").c_str()), 0);
}

TEST(Process, AllOfThemCanBeKilledAtOnce) {
  auto first = Process::spawn("sleep 100 & sleep 100"), second = Process::spawn("sleep 100");
  ASSERT_TRUE(first && second);
  kill_all_processes();
  EXPECT_EQ(first->read_line(5).error().kind, Error::Kind::device);
  EXPECT_EQ(second->read_line(5).error().kind, Error::Kind::device);
}

TEST(Process, ACommandThatIsRunIsKilledWithThem) {
  Result<int> ended = 0;
  {
    const std::jthread running([&] { ended = run_command("sleep 100; true", "", 50); });
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill_all_processes();
  }
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().what, "ended by signal 9");
}

}  // namespace
}  // namespace norn

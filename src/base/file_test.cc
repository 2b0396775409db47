#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace norn {
namespace {

namespace fs = std::filesystem;

class File : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  const fs::path folder_ = fs::temp_directory_path() / ("norn_file_" + std::to_string(getpid()));
};

TEST_F(File, WhatIsWrittenIsRead) {
  const std::string bytes("one\ntwo\0three", 13);
  ASSERT_TRUE(write_file(folder_ / "a", bytes));
  EXPECT_EQ(read_file(folder_ / "a").value(), bytes);
  ASSERT_TRUE(write_file(folder_ / "a", "again"));
  EXPECT_EQ(read_file(folder_ / "a").value(), "again");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1)
      << "nothing is left over";
}

TEST_F(File, ANewOneHasTheRightsOfNewFilesAndAnOldOneKeepsItsOwn) {
  const auto rights = [&](const char* name) {
    return static_cast<unsigned>(fs::status(folder_ / name).permissions());
  };
  const mode_t usual = ::umask(077);
  ASSERT_TRUE(write_file(folder_ / "private", "x"));
  ::umask(022);
  ASSERT_TRUE(write_file(folder_ / "public", "x"));
  ASSERT_TRUE(write_file(folder_ / "private", "y"));
  ::umask(usual);
  EXPECT_EQ(rights("private"), 0600U);
  EXPECT_EQ(rights("public"), 0644U);
}

TEST_F(File, ADatabaseIsNotWrittenOver) {
  const std::string mine = std::string(database_mark) + "rows";
  ASSERT_TRUE(write_file(folder_ / "a.db", mine));
  EXPECT_EQ(may_write(folder_ / "a.db", true).error().kind, Error::Kind::bad_input);
  EXPECT_FALSE(write_file(folder_ / "a.db", "x"));
  EXPECT_EQ(read_file(folder_ / "a.db").value(), mine);
}

TEST_F(File, ALinkStaysOneAndWhatIsNoFileIsNotReplaced) {
  ASSERT_TRUE(write_file(folder_ / "real", "old"));
  fs::create_symlink(folder_ / "real", folder_ / "link");
  fs::create_symlink("/dev/null", folder_ / "nothing");
  ASSERT_TRUE(write_file(folder_ / "link", "new"));
  ASSERT_TRUE(write_file(folder_ / "nothing", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_file(folder_ / "real").value(), "new");
  EXPECT_TRUE(fs::is_character_file(folder_ / "nothing"));
  EXPECT_FALSE(write_file(folder_, "x"));
}

TEST_F(File, ALinkToAPipeStaysOne) {  // what /dev/stdout is in a pipeline: it leads to no path at all
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto link = folder_ / "out";
  fs::create_symlink("/proc/self/fd/" + std::to_string(ends[1]), link);
  ASSERT_TRUE(write_file(link, "through"));
  EXPECT_TRUE(fs::is_symlink(link));
  char got[16];
  EXPECT_EQ(::read(ends[0], got, sizeof got), 7);
  ::close(ends[0]), ::close(ends[1]);
}

TEST_F(File, MayWriteSaysBeforehandWhatWritingWouldMeet) {
  ASSERT_TRUE(write_file(folder_ / "a", "x"));
  EXPECT_TRUE(may_write(folder_ / "new", false));
  EXPECT_TRUE(may_write(folder_ / "a", true));
  EXPECT_TRUE(may_write("/dev/null", false)) << "nothing is lost there";
  EXPECT_EQ(may_write(folder_ / "a", false).error().kind, Error::Kind::bad_input);
  EXPECT_EQ(may_write(folder_, true).error().kind, Error::Kind::bad_input);
  EXPECT_EQ(may_write(folder_ / "none" / "a", true).error().kind, Error::Kind::io);
}

TEST_F(File, ANameThatNoFileCanHaveIsNobodys) {
  const std::string endless(5000, 'a');
  EXPECT_FALSE(is_there(endless));
  EXPECT_FALSE(write_file(endless, "x"));
  EXPECT_FALSE(may_write(folder_ / endless / "a", false));
}

}  // namespace
}  // namespace norn

// For tests of commands: the program run in this process, what it said, and a folder of its own for every test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "cli/command.h"
#include "formats/trace_json.h"

namespace norn::testing {

struct Said {
  int exit = 0;
  std::string out, err;
  bool has(const std::string& words) const { return (out + err).find(words) != std::string::npos; }
  bool shows(const std::string& words) const { return out.find(words) != std::string::npos; }  ///< on stdout
};

/// `norn ARGUMENTS...`
inline Said norn(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "norn");
  std::vector<const char*> raw;
  for (const std::string& a : arguments) raw.push_back(a.c_str());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Said said;
  said.exit = cli::run(static_cast<int>(raw.size()), raw.data());
  said.out = ::testing::internal::GetCapturedStdout();
  said.err = ::testing::internal::GetCapturedStderr();
  return said;
}

/// A folder of its own for every test, gone afterwards.
class InAFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / ("norn_" + std::string(test->test_suite_name()) + "_" +
                                                        test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::string store() const { return at("norn.db"); }

  std::filesystem::path folder_;
};

/// The taps that make sim:notes crash over a locked notebook, as a trace.
inline Status write_crash_of_notes(const std::string& file) {
  Trace trace;
  for (const char* id : {"new_notebook", "notebook_row", "menu", "filter_locked", "leave"}) {
    Tap tap;
    tap.target.id = std::string("org.norn.notes:id/") + id;
    trace.steps.push_back({tap, {}});
  }
  return write_file(file, write_trace(trace));
}

}  // namespace norn::testing

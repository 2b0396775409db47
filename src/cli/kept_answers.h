// What a command of the user's answered to candidates, kept beside the store, so that a reduction that was
// interrupted goes on where it stopped. One line an answer, appended before the next question is asked:
//
//     90f2b8a1c4d3e5f6 0123456789abcdef yes          the question, the candidate, the answer
//
// The question is the command and the content of every file that it names: with a script that was edited
// another one is asked. To forget, delete the file. No lock is needed: lines are appended whole, and what is
// no such line is passed over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/verdict.h"

namespace norn::cli {

/// Of a command line: its words, and the content of those that are files.
std::uint64_t question_hash(const std::string& command);

/// Any thread.
class KeptAnswers {
 public:
  KeptAnswers(std::filesystem::path file, const std::string& command);

  std::optional<Verdict> recall(std::uint64_t candidate) const;
  /// Yes and no only. False: it could not be written; it is known all the same.
  bool keep(std::uint64_t candidate, Verdict verdict);
  std::size_t size() const { return known_.size(); }
  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::string question_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Verdict> known_;
};

}  // namespace norn::cli

#include "cli/kept_answers.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <sstream>

#include "base/file.h"
#include "base/hash.h"

namespace norn::cli {
namespace {

std::optional<std::uint64_t> from_hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::uint64_t question_hash(const std::string& command) {
  constexpr std::uintmax_t largest = std::uintmax_t{64} << 20;
  Hasher hasher;
  hasher.add(command);
  std::istringstream words(command);
  for (std::string word; words >> word;) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(word, ignored))
      continue;  // a pipe or a terminal would be waited for
    if (const auto content = read_file(word, largest)) hasher.add(*content);
  }
  return hasher.finish();
}

KeptAnswers::KeptAnswers(std::filesystem::path file, const std::string& command)
    : file_(std::move(file)), question_(hex(question_hash(command))) {
  const auto text = read_file(file_);
  std::istringstream lines(text ? *text : std::string());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string question, candidate, answer;
    words >> question >> candidate >> answer;
    const auto key = from_hex(candidate);
    if (question != question_ || !key || (answer != "yes" && answer != "no")) continue;
    known_.insert_or_assign(*key, answer == "yes" ? Verdict::yes : Verdict::no);
  }
}

std::optional<Verdict> KeptAnswers::recall(std::uint64_t candidate) const {
  const std::scoped_lock lock(mutex_);
  const auto found = known_.find(candidate);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

bool KeptAnswers::keep(std::uint64_t candidate, Verdict verdict) {
  if (verdict == Verdict::unresolved) return true;
  const std::string line = question_ + ' ' + hex(candidate) + (verdict == Verdict::yes ? " yes\n" : " no\n");
  const std::scoped_lock lock(mutex_);
  known_.insert_or_assign(candidate, verdict);
  const int fd = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  const bool written = ::write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  return ::close(fd) == 0 && written;
}

}  // namespace norn::cli

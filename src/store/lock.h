// One writer per store: a lock beside it that names its holder and dies with it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"

namespace norn {

class WriterLock {
 public:
  /// Takes FILE-lock. Held by another process: Error::busy that says which ("held by process 4711: norn
  /// explore ..., since 12:03").
  static Result<WriterLock> take(const std::filesystem::path& store, const std::string& command);

  WriterLock(WriterLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

 private:
  explicit WriterLock(int fd) : fd_(fd) {}
  int fd_;  ///< locked; -1: moved away
};

}  // namespace norn

// A folder of our own for files that nobody else shall see.
#pragma once

#include <filesystem>

namespace norn {

/// Made empty where the system keeps such things, readable by its owner only; gone with all it holds when
/// this is.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// It could be made: else there is nowhere to write.
  bool ok() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace norn

// Real recordings for tests: read in place, from NORN_SHARED or beside the source, and never required.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace norn::testing {

inline std::filesystem::path shared_data() {
  const char* given = std::getenv("NORN_SHARED");
  return std::filesystem::path(given != nullptr ? given : NORN_SOURCE_DIR "/../shared") / "data";
}

/// All files below a folder of the recordings but their READMEs, sorted; none where there are no recordings.
inline std::vector<std::filesystem::path> shared_files(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_data() / folder, error))
    if (entry.is_regular_file() && entry.path().filename() != "README.md") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace norn::testing

// Real recordings for tests: read in place, from NORN_SHARED or beside the source, and never required.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace norn {

/// A folder of the recordings, or nothing where there is none: then a test skips itself visibly.
inline std::optional<std::filesystem::path> shared_data(const std::string& folder) {
  const char* given = std::getenv("NORN_SHARED");
  const auto path =
      std::filesystem::path(given != nullptr ? given : NORN_SOURCE_DIR "/../shared") / "data" / folder;
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? std::optional(path) : std::nullopt;
}

/// All files below a folder of the recordings but their READMEs, sorted; none where there are no recordings.
inline std::vector<std::filesystem::path> shared_files(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  const auto dir = shared_data(folder);
  if (!dir) return out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*dir))
    if (entry.is_regular_file() && entry.path().filename() != "README.md") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace norn

#include "base/scratch.h"

#include <cstdlib>
#include <string>
#include <system_error>

namespace norn {

Scratch::Scratch() {
  std::error_code none;
  std::string name = (std::filesystem::temp_directory_path(none) / "norn.XXXXXX").string();
  if (::mkdtemp(name.data())) folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (ok()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace norn

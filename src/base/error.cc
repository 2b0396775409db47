#include "base/error.h"

namespace norn {

std::string Error::message() const {
  std::string out = where.empty() ? what : where + ": " + what;
  if (!advice.empty()) out += " (" + advice + ")";
  return out;
}

}  // namespace norn

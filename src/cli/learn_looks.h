// Who looks round for other ways into a crash while `learn` learns: testing tools, in turn.
#pragma once

#include <string>

#include "diagnose/learn/learn.h"

namespace norn::cli {

/// Explores by several strategies, each for its share of the seconds. `package`: whose crashes count.
Look look_by_tools(std::string package);

}  // namespace norn::cli

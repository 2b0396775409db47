// Ctrl-C as a stop token: what was done is kept, and the command ends by itself.
#pragma once

#include <stop_token>

namespace norn::cli {

/// From the first call on SIGINT and SIGTERM ask this token to stop; a second one ends the program at once.
std::stop_token interruption();

}  // namespace norn::cli

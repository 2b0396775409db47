// The makers of all commands, one per file of the same name.
#pragma once

#include <memory>

#include "cli/command.h"

namespace norn::cli {

std::unique_ptr<Command> make_devices();
std::unique_ptr<Command> make_diagnose();

}  // namespace norn::cli

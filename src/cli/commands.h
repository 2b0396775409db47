// The makers of all commands, one per file of the same name.
#pragma once

#include <memory>

#include "cli/command.h"

namespace norn::cli {

std::unique_ptr<Command> make_apps();
std::unique_ptr<Command> make_benchmark();
std::unique_ptr<Command> make_demo();
std::unique_ptr<Command> make_detect();
std::unique_ptr<Command> make_devices();
std::unique_ptr<Command> make_diagnose();
std::unique_ptr<Command> make_explore();
std::unique_ptr<Command> make_export();
std::unique_ptr<Command> make_gc();
std::unique_ptr<Command> make_import();
std::unique_ptr<Command> make_learn();
std::unique_ptr<Command> make_record();
std::unique_ptr<Command> make_reduce();
std::unique_ptr<Command> make_replay();
std::unique_ptr<Command> make_runs();
std::unique_ptr<Command> make_show();
std::unique_ptr<Command> make_suite_command();

}  // namespace norn::cli

// The program; all that it does is in cli.cc and the commands.
#include <csignal>

#include "cli/command.h"

int main(int argc, char** argv) {
  // A file that may not grow further is an error with a name, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  return norn::cli::run(argc, argv);
}

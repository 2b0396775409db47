#include <csignal>

#include "cli/command.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file that may not grow further is an error with a name, like a full disk
  return norn::cli::run(argc, argv);
}

#include "cli/command.h"

int main(int argc, char** argv) { return norn::cli::run(argc, argv); }

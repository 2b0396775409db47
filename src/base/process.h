// A child process spoken to line by line over its stdin and stdout, with a time limit on every wait. Nothing
// it does can hurt the parent: a child that dies gives an Error (never SIGPIPE), one that floods is cut off
// at a line's limit, one that hangs times out; the whole process group is killed in the end.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/error.h"

namespace norn {

class Process {
 public:
  /// Runs `/bin/sh -c command` in a process group of its own; stderr stays the parent's.
  static Result<Process> spawn(const std::string& command);

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  /// Sends the text and a line's end. Error::device: it is dead; Error::timeout: it does not read.
  Status write_line(std::string_view text, double seconds);
  /// The next line without its end. Error::device: it is dead, or the line is over `limit` bytes.
  Result<std::string> read_line(double seconds, std::size_t limit = std::size_t{64} << 20);
  /// Kills the process group and waits for it. Safe to call twice.
  void kill();
  bool alive() const { return pid_ > 0; }

 private:
  Process(pid_t pid, int to, int from) : pid_(pid), to_(to), from_(from) {}

  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string buffer_;
};

/// Kills the groups of all Processes and commands that are alive: for a program that is about to end without
/// its destructors.
void kill_all_processes();

/// Runs `/bin/sh -c 'command "$1"'` with that argument to its end, its stdin empty and its stdout sent to
/// stderr, and gives its exit code. Error::timeout: killed after `seconds`; Error::cancelled: killed because
/// it was asked to stop; Error::device: it ended by a signal or could not be run.
Result<int> run_command(const std::string& command, const std::string& argument, double seconds,
                        const std::stop_token& stop = {});

}  // namespace norn

// A command that is run to its end, with a time limit. Whether it has ended is asked without reaping it, so
// that the group that is killed when it is late cannot be somebody else's by then.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>

#include "base/living.h"
#include "base/process.h"

namespace norn {
namespace {

[[noreturn]] void become(const std::string& script, const std::string& argument) {
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDONLY);
  if (null >= 0) ::dup2(null, STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::execl("/bin/sh", "sh", "-c", script.c_str(), "sh", argument.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

/// Whether the child has ended; it is still to be waited for. One that nobody can wait for has, too.
bool has_stopped(pid_t child) {
  siginfo_t info{};
  const int known = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  return known == 0 ? info.si_pid == child : errno != EINTR;
}

/// Waits for the child; what wait says, or nothing where it was lost.
std::optional<int> reaped(pid_t child) {
  has_ended(child);
  int status = 0;
  pid_t done = 0;
  while ((done = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  return done == child ? std::optional(status) : std::nullopt;
}

Result<int> exit_code(std::optional<int> status, const std::string& command) {
  if (!status) return fail(Error::Kind::device, "the command was lost", command);
  if (WIFEXITED(*status)) return WEXITSTATUS(*status);
  return fail(Error::Kind::device, "ended by signal " + std::to_string(WTERMSIG(*status)), command);
}

}  // namespace

Result<int> run_command(const std::string& command, const std::string& argument, double seconds,
                        const std::stop_token& stop) {
  const std::string script = command + " \"$1\"";
  const pid_t child = ::fork();
  if (child < 0) return fail(Error::Kind::device, "no process could be made", command);
  if (child == 0) become(script, argument);
  ::setpgid(child, child);  // as the child does: whoever is first, its group is there before it is killed
  has_begun(child);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  auto pause = std::chrono::microseconds(200);
  for (;;) {
    if (has_stopped(child)) return exit_code(reaped(child), command);
    const bool late = std::chrono::steady_clock::now() >= deadline;
    if (late || stop.stop_requested()) {
      ::kill(-child, SIGKILL);
      (void)reaped(child);
      if (late) return fail(Error::Kind::timeout, "did not end in time", command);
      return fail(Error::Kind::cancelled, "asked to stop", command);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20'000));
  }
}

}  // namespace norn

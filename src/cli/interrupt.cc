#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

#include "base/process.h"

namespace norn::cli {
namespace {

/// Waits for signals in a thread of its own, where everything may be done; a handler may do next to nothing.
class SignalWatch {
 public:
  SignalWatch() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::thread([this] {
      int signal = 0;
      sigwait(&set_, &signal);
      source_.request_stop();
      tell();
      forget_echoes();
      sigwait(&set_, &signal);
      kill_all_processes();
      _exit(128 + signal);
    }).detach();
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  /// A device may take its time to answer; the person who waits should know how not to.
  static void tell() {
    constexpr std::string_view text = "\nstopping, and keeping what was done; the same again ends at once\n";
    if (isatty(STDERR_FILENO) == 1 && write(STDERR_FILENO, text.data(), text.size()) < 0) return;
  }

  /// Who stops a command for a person (timeout, a build tool) tells it and its group: two signals that mean
  /// one.
  void forget_echoes() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    constexpr timespec at_once{};
    while (sigtimedwait(&set_, nullptr, &at_once) > 0) {
    }
  }

  sigset_t set_{};
  std::stop_source source_;
};

}  // namespace

std::stop_token interruption() {
  static SignalWatch* const watch = new SignalWatch;  // lives as long as the program: its thread never ends
  return watch->token();
}

}  // namespace norn::cli

#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <thread>

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
      sigwait(&set_, &signal);
      _exit(128 + signal);
    }).detach();
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  sigset_t set_{};
  std::stop_source source_;
};

}  // namespace

std::stop_token interruption() {
  static SignalWatch* const watch = new SignalWatch;  // lives as long as the program: its thread never ends
  return watch->token();
}

}  // namespace norn::cli

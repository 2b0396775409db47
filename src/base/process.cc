// The child leads a process group of its own, so that what it starts is killed with it. Neither end of it ever
// blocks: every wait is a poll with a deadline.
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/living.h"

namespace norn {
namespace {

using Clock = std::chrono::steady_clock;

/// Waits until the descriptor is ready for `events`; false: the time is over.
bool wait_for(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd p{fd, events, 0};
    const int ready = poll(&p, 1, static_cast<int>(std::clamp<long long>(left, 0, 1'000'000)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
    if (ready < 0 && errno != EINTR) return true;  // let the read or write say what is wrong
  }
}

Clock::time_point deadline_in(double seconds) {
  return Clock::now() +
         std::chrono::microseconds(static_cast<long long>(std::clamp(seconds, 0.0, 1e6) * 1e6));
}

}  // namespace

Result<Process> Process::spawn(const std::string& command) {
  // The child's stdin is a socket, because only sockets can be written to without a signal when the reader is
  // dead.
  std::array<int, 2> in{-1, -1}, out{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0 ||
      pipe2(out.data(), O_CLOEXEC) != 0) {
    const std::string why = std::strerror(errno);
    for (const int fd : {in[0], in[1]})
      if (fd >= 0) close(fd);
    return fail(Error::Kind::io, "cannot make a pipe: " + why, command);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string shell = "/bin/sh", option = "-c", text = command;
  std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[1]);
  close(out[1]);
  if (error != 0) {
    close(in[0]);
    close(out[0]);
    return fail(Error::Kind::io, std::string("cannot start it: ") + std::strerror(error), command);
  }
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  has_begun(pid);
  return Process(pid, in[0], out[0]);
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      to_(std::exchange(other.to_, -1)),
      from_(std::exchange(other.from_, -1)),
      buffer_(std::move(other.buffer_)) {}

Process& Process::operator=(Process&& other) noexcept {
  if (this == &other) return *this;
  kill();
  pid_ = std::exchange(other.pid_, -1);
  to_ = std::exchange(other.to_, -1);
  from_ = std::exchange(other.from_, -1);
  buffer_ = std::move(other.buffer_);
  return *this;
}

Process::~Process() { kill(); }

void Process::kill() {
  if (pid_ > 0) {
    has_ended(pid_);
    ::kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  for (int* fd : {&to_, &from_})
    if (*fd >= 0) close(std::exchange(*fd, -1));
  pid_ = -1;
  buffer_.clear();
}

Status Process::write_line(std::string_view text, double seconds) {
  if (!alive()) return fail(Error::Kind::device, "the process is dead");
  std::string line(text);
  line += '\n';
  const auto deadline = deadline_in(seconds);
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = send(to_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      sent += static_cast<std::size_t>(n);
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (!wait_for(to_, POLLOUT, deadline))
        return fail(Error::Kind::timeout, "the process does not read what it is sent");
    } else if (n == 0 || errno != EINTR) {
      return fail(Error::Kind::device, "the process has ended or closed its input");
    }
  }
  return {};
}

Result<std::string> Process::read_line(double seconds, std::size_t limit) {
  if (!alive()) return fail(Error::Kind::device, "the process is dead");
  const auto deadline = deadline_in(seconds);
  std::size_t looked = 0;
  std::array<char, 65536> chunk;
  for (;;) {
    if (const std::size_t end = buffer_.find('\n', looked); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    looked = buffer_.size();
    if (looked > limit) return fail(Error::Kind::device, "the process sends a line without end");
    if (!wait_for(from_, POLLIN, deadline))
      return fail(Error::Kind::timeout, "the process did not answer in time");
    const ssize_t n = read(from_, chunk.data(), chunk.size());
    if (n > 0)
      buffer_.append(chunk.data(), static_cast<std::size_t>(n));
    else if (n == 0)
      return fail(Error::Kind::device, "the process has ended or closed its output");
    else if (errno != EINTR && errno != EAGAIN)
      return fail(Error::Kind::device, std::string("cannot read from the process: ") + std::strerror(errno));
  }
}

}  // namespace norn

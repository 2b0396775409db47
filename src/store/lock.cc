#include "store/lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace norn {
namespace {

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof text, "%F %T", &local);
  return text;
}

/// Who holds it is only told, never relied on: the lock itself is the kernel's and ends with the process.
void name_holder(int fd, const std::string& command) {
  const std::string text =
      fmt::format("process {}: {}, since {}\n", ::getpid(), printable(shorten(command, 200)), now_text());
  if (::ftruncate(fd, 0) != 0) return;
  [[maybe_unused]] const auto written = ::pwrite(fd, text.data(), text.size(), 0);
}

std::unexpected<Error> busy(const std::filesystem::path& store, const std::string& lock) {
  const std::string holder = read_file(lock, 4096).value_or("");
  return fail(Error::Kind::busy,
              fmt::format("is being written by {}", holder.empty() ? "another process" : trim(holder)),
              store.string(),
              "wait for it to finish, or name another file with --store; reading works meanwhile");
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::filesystem::path& store, const std::string& command) {
  const std::string path = store.string() + "-lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    return fail(Error::Kind::io, fmt::format("cannot be written: {}", std::strerror(errno)), store.string(),
                "is its folder there, and writable? Choose another file with --store");
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int why = errno;
    ::close(fd);
    if (why == EWOULDBLOCK) return busy(store, path);
    return fail(Error::Kind::io, fmt::format("cannot be locked: {}", std::strerror(why)), store.string());
  }
  name_holder(fd, command);
  return WriterLock(fd);
}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

WriterLock::~WriterLock() {
  if (fd_ < 0) return;
  [[maybe_unused]] const auto emptied = ::ftruncate(fd_, 0);
  ::close(fd_);
}

}  // namespace norn

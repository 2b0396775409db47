#include "base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace norn {
namespace {

struct Fd {
  int fd;
  ~Fd() {
    if (fd >= 0) ::close(fd);
  }
};

std::string reason() { return std::strerror(errno); }

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uintmax_t limit) {
  const Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat info{};
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0)
    return fail(errno == ENOENT ? Error::Kind::not_found : Error::Kind::io, "cannot be read: " + reason(),
                path.string());
  if (S_ISDIR(info.st_mode))
    return fail(Error::Kind::bad_input, "is a folder, a file is wanted", path.string());
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(Error::Kind::io, "cannot be read: " + reason(), path.string());
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
    if (out.size() > limit)
      return fail(Error::Kind::bad_input, fmt::format("is larger than {} bytes", limit), path.string());
  }
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  Fd file{::mkstemp(temporary.data())};
  if (file.fd < 0) return fail(Error::Kind::io, "cannot be written: " + reason(), path.string());
  const auto give_up = [&]() -> Status {
    const std::string why = reason();
    ::unlink(temporary.c_str());
    return fail(Error::Kind::io, "cannot be written: " + why, path.string());
  };
  while (!content.empty()) {
    const ssize_t n = ::write(file.fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return give_up();
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fchmod(file.fd, 0644) != 0 || ::fsync(file.fd) != 0) return give_up();
  if (::rename(temporary.c_str(), path.c_str()) != 0) return give_up();
  return {};
}

}  // namespace norn

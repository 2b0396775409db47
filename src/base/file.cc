// A file is written beside its place, synced and renamed into it: nobody ever sees half of it, and a full disk
// loses nothing. What is there and no plain file (a link, a pipe, a device) is written into, because a rename
// would put a file in its place.
#include "base/file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>

namespace norn {
namespace {

struct Fd {
  int fd;
  ~Fd() {
    if (fd >= 0) ::close(fd);
  }
};

std::string reason() { return std::strerror(errno); }

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

Status write_into(const std::filesystem::path& path, std::string_view content) {
  const Fd file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  if (file.fd >= 0 && write_all(file.fd, content)) return {};
  return fail(Error::Kind::io, "cannot be written: " + reason(), path.string());
}

/// A new file beside `path`, with the rights that new files have here; its name goes to `name`.
int open_beside(const std::filesystem::path& path, std::string& name) {
  static std::atomic<std::uint64_t> number = 0;
  for (;;) {
    name = fmt::format("{}.{}.{}", path.string(), ::getpid(), ++number);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
}

/// `rights`: of the file that is there already.
Status replace(const std::filesystem::path& path, std::string_view content, std::optional<mode_t> rights) {
  std::string temporary;
  const Fd file{open_beside(path, temporary)};
  if (file.fd < 0) return fail(Error::Kind::io, "cannot be written: " + reason(), path.string());
  if ((!rights || ::fchmod(file.fd, *rights) == 0) && write_all(file.fd, content) && ::fsync(file.fd) == 0 &&
      ::rename(temporary.c_str(), path.c_str()) == 0)
    return {};
  const std::string why = reason();
  ::unlink(temporary.c_str());
  return fail(Error::Kind::io, "cannot be written: " + why, path.string());
}

/// A descriptor that the program was started with: "<(adb logcat -d)" of a shell.
bool is_opened_already(const std::filesystem::path& path) {
  const std::string name = path.string();
  return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

/// Error: the plain file there is a database.
Status spare_database(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return {};
  const Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::array<char, database_mark.size()> head{};
  if (file.fd < 0 || ::read(file.fd, head.data(), head.size()) != std::ssize(head)) return {};
  if (std::string_view(head.data(), head.size()) != database_mark) return {};
  return fail(Error::Kind::bad_input, "is a database, as stores are: no file is written over it",
              path.string(), "name another file");
}

std::string what_no_file_is(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto type = std::filesystem::status(path, unknown).type();
  if (type == std::filesystem::file_type::not_found && std::filesystem::is_symlink(path, unknown))
    return "a link to nothing";
  if (is_opened_already(path)) return {};
  if (type == std::filesystem::file_type::fifo) return "a pipe: keep what comes out of it in a file first";
  if (type == std::filesystem::file_type::socket) return "a socket";
  if (type == std::filesystem::file_type::character || type == std::filesystem::file_type::block)
    return "a device";
  return {};
}

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

Result<std::string> read_recorded(const std::filesystem::path& path) {
  if (const std::string what = what_no_file_is(path); !what.empty())
    return fail(Error::Kind::bad_input, what, path.string());
  return read_file(path, most_recorded);
}

Status write_file(const std::filesystem::path& path, std::string_view content) {
  struct stat info{};
  const bool there = ::lstat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode))
    return fail(Error::Kind::io, "cannot be written: it is a folder", path.string());
  NORN_CHECK(spare_database(path));
  if (!there) return replace(path, content, std::nullopt);
  return S_ISREG(info.st_mode) ? replace(path, content, info.st_mode & 07777) : write_into(path, content);
}

bool is_there(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

Status may_write(const std::filesystem::path& path, bool force) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    return fail(Error::Kind::bad_input, "is a folder, a file is wanted", path.string());
  if (!force && std::filesystem::is_regular_file(path, unknown))
    return fail(Error::Kind::bad_input, "is there already", path.string(), "--force overwrites it");
  NORN_CHECK(spare_database(path));
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, unknown))
    return fail(Error::Kind::io, "cannot be written: there is no such folder", path.string());
  if (!is_there(path) && ::access(folder.c_str(), W_OK) != 0)
    return fail(Error::Kind::io, "cannot be written: " + reason(), path.string());
  return {};
}

}  // namespace norn

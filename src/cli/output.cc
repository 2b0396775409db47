#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/text.h"
#include "formats/json_values.h"

namespace norn::cli {
namespace {

constexpr std::size_t widest = 118, narrowest = 10;
constexpr std::chrono::milliseconds redraw{100}, plain_every{10'000};

/// Bytes of a line that the terminal surely shows in one row: what breaks cannot be overprinted.
std::size_t terminal_width() {
  winsize size{};
  std::int64_t columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (const char* said = std::getenv("COLUMNS"); columns == 0 && said != nullptr)
    columns = to_int(said).value_or(0);
  return columns > 0 ? std::clamp(static_cast<std::size_t>(columns) - 1, narrowest, widest) : widest;
}

}  // namespace

StreamOutput::StreamOutput() : terminal_(isatty(STDERR_FILENO) == 1) {}

void StreamOutput::line(std::string_view text) {
  if (json) return;
  finish();
  std::cout << text << '\n';
}

void StreamOutput::object(std::string_view json_text) {
  if (!json) return;
  std::cout << json_text << '\n' << std::flush;
  object_ = true;
}

void StreamOutput::status(std::string_view line) {
  if (quiet) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal_ ? redraw : plain_every)) return;
  last_ = now;
  if (terminal_) {
    std::cerr << "\r\x1b[K" << shorten(printable(line), terminal_width()) << std::flush;
    dirty_ = true;
  } else {
    std::cerr << printable(line) << '\n';
  }
}

void StreamOutput::warning(std::string_view line) {
  if (quiet) return;
  finish();
  std::cerr << "warning: " << printable(line) << '\n';
}

void StreamOutput::finish() {
  if (dirty_) std::cerr << "\r\x1b[K" << std::flush;
  dirty_ = false;
}

std::string error_json(const Error& error) {
  return dump_line(JsonOut{{"error", error.what}, {"where", error.where}, {"advice", error.advice}});
}

}  // namespace norn::cli

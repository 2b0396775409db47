#include "cli/output.h"

#include <unistd.h>

#include <iostream>

#include "base/text.h"
#include "formats/json_values.h"

namespace norn::cli {
namespace {

constexpr std::size_t terminal_width = 118;
constexpr std::chrono::milliseconds redraw{100}, plain_every{10'000};

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
    std::cerr << "\r\x1b[K" << shorten(printable(line), terminal_width) << std::flush;
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

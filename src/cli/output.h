// stdout for results, stderr for progress: one overprinted line on a terminal, plain lines now and then
// elsewhere.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace norn::cli {

class StreamOutput final : public Output {
 public:
  StreamOutput();
  void line(std::string_view text) override;
  void object(std::string_view json_text) override;
  void status(std::string_view line) override;
  void warning(std::string_view line) override;
  /// Clears the status line.
  void finish();
  bool has_object() const { return object_; }  ///< the one object is on stdout already

 private:
  bool terminal_;
  bool dirty_ = false, object_ = false;
  std::chrono::steady_clock::time_point last_{};
};

std::string error_json(const Error& error);

}  // namespace norn::cli

// How long work tells that it is alive: one status line that is overprinted on a terminal, plain lines
// elsewhere. Library code calls it; only cli decides where it goes.
#pragma once

#include <string_view>

namespace norn {

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void status(std::string_view line) = 0;   ///< replaces the line before; may be dropped
  virtual void warning(std::string_view line) = 0;  ///< always shown, once
};

/// Says nothing: for tests and --quiet.
class Quiet final : public Progress {
 public:
  void status(std::string_view) override {}
  void warning(std::string_view) override {}
};

}  // namespace norn

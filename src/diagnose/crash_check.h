// Does a log show a certain crash? Themis' rule: each text of its signature occurs in some line of one stack.
//
// Stacks of several writers (process, thread, tag) lie in a log line by line between each other, so each
// writer has a stack of its own. A stack ends where its writer begins another: "FATAL EXCEPTION", "ANR in",
// or an exception's name at the head of a message once one was there before. "Caused by:" goes on with the
// same stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace norn {

/// Memory does not grow with the log.
class CrashCheck {
 public:
  explicit CrashCheck(std::vector<std::string> parts) : parts_(std::move(parts)) {}
  /// True once per stack, at the line that completes the signature.
  bool line(std::string_view text);

 private:
  struct Stack {
    std::vector<std::uint8_t> seen;  ///< by part
    std::size_t gap = 0;             ///< its writer's lines since the last that looked like a stack
    std::uint64_t last = 0;          ///< the number of its last line
    bool named = false;              ///< its exception was named
    bool told = false;
  };
  Stack& stack_of(std::uint64_t writer);
  void begin(Stack& stack) const;

  std::vector<std::string> parts_;
  std::unordered_map<std::uint64_t, Stack> stacks_;
  std::uint64_t writer_ = 0;  ///< of the last line that names one: lines that do not are its own
  std::uint64_t lines_ = 0;
};

}  // namespace norn

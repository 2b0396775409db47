#include "diagnose/crash_check.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/text.h"
#include "formats/log_line.h"

namespace norn {
namespace {

constexpr std::size_t most_stacks = 64, longest_gap = 30;

/// std::string_view::find is slow on long needles in long lines; libc's is not.
bool is_in(std::string_view text, std::string_view needle) {
  return memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
}

bool looks_like_stack(std::string_view text) {
  return is_in(text, "\tat ") || is_in(text, " at ") || is_in(text, "Caused by") ||
         is_in(text, "Exception") || is_in(text, "Error") || is_in(text, "FATAL") ||
         is_in(text, "Process: ") || is_in(text, " more") || text.starts_with("at ");
}

/// "java.lang.IllegalStateException: closed", "org.app.Boom", "TypeError: x": a name that is a class's, alone or
/// with what it says.
bool names_exception(std::string_view message) {
  const auto is_part = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  std::size_t end = 0, last = 0;
  for (; end < message.size() && (is_part(message[end]) || message[end] == '.'); ++end)
    if (message[end] == '.') last = end + 1;
  if (end < message.size() && !message.substr(end).starts_with(':')) return false;
  const std::string_view name = message.substr(last, end - last);
  if (name.empty() || name[0] < 'A' || name[0] > 'Z') return false;
  return last > 0 || name.ends_with("Exception") || name.ends_with("Error");
}

}  // namespace

CrashCheck::Stack& CrashCheck::stack_of(std::uint64_t writer) {
  const auto [at, is_new] = stacks_.try_emplace(writer);
  if (is_new) begin(at->second);
  at->second.last = ++lines_;
  if (stacks_.size() > most_stacks)
    stacks_.erase(std::ranges::min_element(stacks_, {}, [](const auto& one) { return one.second.last; }));
  return at->second;
}

void CrashCheck::begin(Stack& stack) const {
  stack.seen.assign(parts_.size(), 0);
  stack.named = stack.told = false;
}

bool CrashCheck::line(std::string_view text) {
  if (parts_.empty()) return false;
  const LogLine line = parse_log_line(text);
  if (line.level != 0) writer_ = Hasher().add(line.pid).add(line.tid).add(line.tag).finish();
  if (line.header_only) return false;
  const bool tells = looks_like_stack(text);
  const auto in_line = [&](const std::string& part) { return is_in(text, part); };
  if (!tells && !stacks_.contains(writer_) && std::ranges::none_of(parts_, in_line)) return false;
  Stack& stack = stack_of(writer_);
  stack.gap = tells ? 0 : stack.gap + 1;
  const bool fatal = is_in(text, "FATAL EXCEPTION") || is_in(text, "ANR in");
  const bool named = names_exception(line.message.substr(0, line.message.find_last_not_of(" \r") + 1));
  if (fatal || stack.gap > longest_gap || (named && stack.named)) begin(stack);
  stack.named = stack.named || named;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (stack.seen[i] == 0 && in_line(parts_[i])) stack.seen[i] = 1;
  if (stack.told || std::ranges::any_of(stack.seen, [](auto s) { return s == 0; })) return false;
  return stack.told = true;
}

}  // namespace norn

#include "trace/frame_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace norn {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& heads) {
  return std::any_of(heads.begin(), heads.end(), [&](auto head) { return text.starts_with(head); });
}

/// A name ending in '.' or '$' or '(' is a head; others must be followed by the end, '.' or '$'.
constexpr std::array<std::string_view, 38> plumbing{
    "android.os.Handler",
    "android.os.Looper",
    "android.os.MessageQueue",
    "android.os.HandlerThread",
    "android.os.AsyncTask",
    "android.app.ActivityThread",
    "android.app.Instrumentation",
    "android.app.servertransaction.",
    "android.view.Choreographer",
    "android.view.ViewRootImpl",
    "android.view.InputEventReceiver",
    "android.view.View.performClick",
    "android.view.View.performClickInternal",
    "android.view.View.performLongClick",
    "android.view.View.performLongClickInternal",
    "android.view.View$PerformClick",
    "com.android.internal.os.Zygote",
    "com.android.internal.os.ZygoteInit",
    "com.android.internal.os.RuntimeInit",
    "com.android.internal.os.ExecInit",
    "dalvik.system.NativeStart",
    "de.robv.android.xposed.",
    "java.lang.Thread",
    "java.lang.reflect.",
    "java.lang.invoke.",
    "jdk.internal.reflect.",
    "sun.reflect.",
    "java.util.TimerThread",
    "java.util.concurrent.Executors",
    "java.util.concurrent.ThreadPoolExecutor",
    "java.util.concurrent.ScheduledThreadPoolExecutor",
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.ForkJoin",
    "kotlin.coroutines.jvm.internal.",
    "kotlinx.coroutines.DispatchedTask",
    "kotlinx.coroutines.scheduling.",
    "art::",
    "art_quick_",
};
/// Whole native names: how a thread begins and how a process ends itself.
constexpr std::array<std::string_view, 14> native_plumbing{
    "__start_thread", "__pthread_start", "__pthread_start(void*)",
    "__libc_init",    "_start_main",     "_start",
    "abort",          "__abort",         "raise",
    "tgkill",         "pthread_kill",    "syscall",
    "libart.so",      "[vdso]"};

constexpr std::array<std::string_view, 23> libraries{"android.",
                                                     "androidx.",
                                                     "java.",
                                                     "javax.",
                                                     "kotlin.",
                                                     "kotlinx.",
                                                     "dalvik.",
                                                     "libcore.",
                                                     "sun.",
                                                     "jdk.",
                                                     "org.json.",
                                                     "scala.",
                                                     "io.reactivex.",
                                                     "rx.",
                                                     "dagger.",
                                                     "com.google.android.gms.",
                                                     "com.google.android.material.",
                                                     "com.google.common.",
                                                     "com.android.internal.",
                                                     "com.android.org.",
                                                     "lib",
                                                     "[",
                                                     "__"};

bool heads_plumbing(std::string_view function, std::string_view head) {
  if (!function.starts_with(head)) return false;
  const char last = head.back();
  if (last == '.' || last == ':' || last == '_' || head.ends_with("ForkJoin")) return true;
  return function.size() == head.size() || function[head.size()] == '.' || function[head.size()] == '$';
}

std::string_view method_of(std::string_view function) { return function.substr(function.rfind('.') + 1); }

/// Copies `in`, writing '#' for each number that directly follows a '$' and is a whole name there.
std::string number_free(std::string_view in) {
  std::string out;
  for (std::size_t i = 0; i < in.size();) {
    out += in[i];
    if (in[i++] != '$' || i == in.size() || !is_digit(in[i])) continue;
    std::size_t end = i;
    while (end < in.size() && is_digit(in[end])) ++end;
    if (end == in.size() || in[end] == '.' || in[end] == '$') {
      out += '#';
      i = end;
    }
  }
  return out;
}

/// `lambda$save$3` -> `lambda$save`, `onCreate$lambda-0` and `onCreate$lambda$0` -> `onCreate$lambda`.
std::string_view cut_lambda_number(std::string_view function) {
  if (!method_of(function).starts_with("lambda$") && function.find("$lambda") == std::string_view::npos)
    return function;
  std::size_t end = function.size();
  while (end > 0 && is_digit(function[end - 1])) --end;
  if (end == function.size() || end == 0 || (function[end - 1] != '$' && function[end - 1] != '-'))
    return function;
  return function.substr(0, end - 1);
}

/// Native: "symbol+123" and Java's "module/package.Class" lose what is no name.
std::string_view bare(std::string_view function) {
  const auto slash = function.find('/');
  if (slash != std::string_view::npos && slash < function.find_first_of("$(<"))
    function.remove_prefix(slash + 1);
  const auto plus = function.rfind('+');
  if (plus != std::string_view::npos && plus > 0 && plus + 1 < function.size() &&
      std::all_of(function.begin() + static_cast<std::ptrdiff_t>(plus) + 1, function.end(),
                  [](char c) { return is_hex(c) || c == 'x'; }))
    function = function.substr(0, plus);
  return function;
}

}  // namespace

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string normal_function(const Frame& frame) {
  if (frame.function.empty()) return std::string(base_name(frame.file));
  return number_free(cut_lambda_number(bare(frame.function)));
}

bool is_plumbing(std::string_view function) {
  return std::any_of(plumbing.begin(), plumbing.end(),
                     [&](auto head) { return heads_plumbing(function, head); }) ||
         std::find(native_plumbing.begin(), native_plumbing.end(), function) != native_plumbing.end();
}

bool is_synthetic(std::string_view function) {
  const std::string_view method = method_of(function);
  return method.starts_with("access$") || method.starts_with("-$$Nest$") || method.starts_with("-wrap") ||
         method.starts_with("-get") || method.starts_with("-set") || method.starts_with("$r8$lambda$") ||
         method == "$jacocoInit" || function.find("$Lambda$") != std::string_view::npos ||
         function.find("$$ExternalSynthetic") != std::string_view::npos;
}

bool is_library(std::string_view function) { return starts_with_any(function, libraries); }

std::string without_addresses(std::string_view message) {
  std::string out;
  for (std::size_t i = 0; i < message.size();) {
    const std::size_t head = message[i] == '@' ? 1 : message.substr(i).starts_with("0x") ? 2 : 0;
    std::size_t end = i + head;
    while (head > 0 && end < message.size() && is_hex(message[end])) ++end;
    const bool word_ends = end == message.size() || !std::isalnum(static_cast<unsigned char>(message[end]));
    if (head > 0 && end - i - head >= 4 && word_ends) {
      out += message.substr(i, head);
      out += '#';
      i = end;
    } else {
      out += message[i++];
    }
  }
  return out;
}

std::string message_shape(std::string_view message) {
  std::string out;
  int depth = 0;
  for (const char c : without_addresses(message)) {
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      depth = std::max(0, depth - 1);
    else if (depth == 0 && !is_digit(c))
      out += c;
    else if (depth == 0 && !out.ends_with('#'))
      out += '#';
  }
  return out;
}

std::vector<std::string> fold_repeats(const std::vector<std::string>& frames) {
  std::vector<std::string> out;
  for (const std::string& frame : frames) {
    out.push_back(frame);
    for (std::size_t n = 1; n <= 8 && 2 * n <= out.size(); ++n)
      if (std::equal(out.end() - static_cast<std::ptrdiff_t>(n), out.end(),
                     out.end() - static_cast<std::ptrdiff_t>(2 * n))) {
        out.resize(out.size() - n);
        break;
      }
  }
  return out;
}

}  // namespace norn

// What benchmark programs share: a clock, and a main that reads options by name.
#pragma once

#include <fmt/core.h>

#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace norn {

/// CPU seconds of this thread.
inline double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct BenchOption {
  bool value = true;                           ///< it is followed by one
  std::function<bool(std::string_view)> take;  ///< false: no such value
};

inline BenchOption into(std::string& text) {
  return {true, [&text](std::string_view v) { return text = v, true; }};
}
template <class Number>
BenchOption into(Number& number) {
  return {true, [&number](std::string_view v) {
            const auto read = to_double(v);
            if (read) number = static_cast<Number>(*read);
            return read && *read >= 0;
          }};
}
inline BenchOption when(std::function<void()> given) {
  return {false, [given = std::move(given)](std::string_view) { return given(), true; }};
}

/// Reads the options, in the order given, and runs; exit code 2 for what it does not know, 1 for an error.
inline int bench_main(int argc, char** argv, const std::map<std::string, BenchOption, std::less<>>& options,
                      const std::function<Status()>& run) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const auto at = options.find(name);
    if (at == options.end()) return fmt::print(stderr, "{}: {}: unknown\n", argv[0], name), 2;
    const bool there = !at->second.value || i + 1 < argc;
    if (!there || !at->second.take(at->second.value ? argv[++i] : ""))
      return fmt::print(stderr, "{}: {}: no such value\n", argv[0], name), 2;
  }
  if (const auto status = run(); !status) return fmt::print(stderr, "{}\n", status.error().message()), 1;
  return 0;
}

}  // namespace norn

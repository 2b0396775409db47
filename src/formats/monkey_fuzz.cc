// Any bytes as a Monkey script, as Monkey's output and as a SimplyDroid execution; what a script was read as is
// written and read again without a change.
#include <cstdint>
#include <cstdlib>

#include "formats/monkey.h"
#include "formats/simplydroid.h"

using namespace norn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(is_monkey_script(bytes));
  if (const auto script = parse_monkey_script(bytes, "fuzz")) {
    const std::string once = write_monkey_script(script->events).text;
    if (const auto again = parse_monkey_script(once, "fuzz");
        again && write_monkey_script(again->events).text != once)
      std::abort();
  }
  if (const auto runs = parse_monkey_log(bytes, "fuzz"))
    for (const MonkeyRun& run : *runs)
      if (run.crashes > 0 && run.trace.steps.empty() && !run.trace.start) std::abort();
  if (is_simplydroid_execution(bytes))
    static_cast<void>(parse_simplydroid("Tap(1,2)\nTap(3,4)\n", bytes, "fuzz"));
  return 0;
}

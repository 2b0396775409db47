// Any bytes as a log: every crash found is a whole value that survives being written and read.
#include <cstdint>
#include <cstdlib>

#include "formats/logcat.h"
#include "formats/trace_json.h"

using namespace norn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(is_logcat(bytes));
  static_cast<void>(themis_lines(bytes));
  std::size_t last = 0;
  for (const LogcatCrash& found : parse_logcat(bytes)) {
    if (found.crash.chain.empty() || found.line == 0 || found.line < last) std::abort();
    last = found.line;
    const auto back = crash_from_json(crash_to_json(found.crash));
    if (!back || !(*back == found.crash)) std::abort();
    for (const auto level : {Sameness::exact, Sameness::frames, Sameness::top_frames})
      if (signature(*back, level) != signature(found.crash, level)) std::abort();
    if (headline(found.crash).empty()) std::abort();
  }
  return 0;
}

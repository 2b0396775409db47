// Any bytes as a trace file: what is read is written and read again unchanged, and every cut of it is
// tolerated.
#include <cstdint>
#include <cstdlib>

#include "formats/trace_json.h"

using namespace norn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto event = event_from_json(bytes)) {
    const auto again = event_from_json(event_to_json(*event));
    if (!again || !(*again == *event)) std::abort();
  }
  const auto read = read_trace(bytes, "fuzz");
  if (!read) return 0;
  const std::string text = write_trace(read->trace);
  const auto again = read_trace(text, "fuzz");
  if (!again || !again->complete || !(again->trace == read->trace)) std::abort();
  const std::size_t header = text.find('\n') + 1;
  if (!read_trace(std::string_view(text).substr(0, header + size % (text.size() - header + 1)), "fuzz"))
    std::abort();
  return 0;
}

// Any bytes: an Error, or an automaton that survives being written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "formats/jflap.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto first = norn::read_jflap({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!first) return 0;
  const auto second = norn::read_jflap(norn::write_jflap(first->automaton), "again");
  if (!second || second->automaton.transitions.size() < first->automaton.transitions.size()) std::abort();
  norn::write_dot(first->automaton);
  return 0;
}

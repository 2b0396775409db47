// Whatever the bytes are: read or refused with a sentence; what was read is written and read back the same,
// merging it with itself adds no coverage, and its table of probes survives being written.
#include <cstdlib>

#include "formats/jacoco.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const auto data = norn::parse_jacoco({reinterpret_cast<const char*>(bytes), size}, "file");
  if (!data) {
    require(!data.error().what.empty() && data.error().where.starts_with("file"));
    return 0;
  }
  require(norn::parse_jacoco(norn::write_jacoco(*data), "again") == *data);
  norn::JacocoData twice = *data;
  require(norn::merge_jacoco(twice, *data).has_value() && twice.classes == data->classes);
  norn::ProbeTable table;
  const auto hit = table.coverage(*data);
  auto read = norn::ProbeTable::parse(table.serialise(), "table");
  require(hit && read && read->size() == table.size() && *read->coverage(*data) == *hit);
  return 0;
}

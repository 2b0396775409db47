// One step as it lies in the file: 15 to 20 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/contents.h"
#include "trace/history.h"

namespace norn {

struct StepRecord {
  std::uint32_t node = 0;
  std::optional<std::uint32_t> parent;  ///< given iff the step made the node; the root has none
  bool warm = false;
  std::uint32_t run = Id<int>::none;
  ContentId event = 0, screen = 0, hit = 0, crash = 0;
  std::uint64_t at_ms = 0;

  bool operator==(const StepRecord&) const = default;
};

/// Ends with a check byte over its bytes and `seq`: a record that was altered or moved is recognised.
std::string encode(const StepRecord& step, std::uint64_t seq);
std::optional<StepRecord> decode_step(std::string_view bytes, std::uint64_t seq);

}  // namespace norn

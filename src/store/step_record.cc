#include "store/step_record.h"

#include "base/hash.h"
#include "trace/bytes.h"

namespace norn {
namespace {

constexpr std::uint64_t new_node = 1, warm = 2, crashed = 4, in_run = 8, has_event = 16, all_bits = 31;

char check_byte(std::string_view bytes, std::uint64_t seq) {
  return static_cast<char>(hash_bytes(bytes, seq));
}

}  // namespace

std::string encode(const StepRecord& s, std::uint64_t seq) {
  ByteWriter out;
  out.number((s.parent ? new_node : 0) | (s.warm ? warm : 0) | (s.crash != 0 ? crashed : 0) |
             (s.run != Id<int>::none ? in_run : 0) | (s.event != 0 ? has_event : 0));
  out.number(s.node);
  if (s.parent) out.signed_number(std::int64_t{s.node} - std::int64_t{*s.parent});
  if (s.run != Id<int>::none) out.number(s.run);
  if (s.event != 0) out.number(s.event);
  out.number(s.screen);
  out.number(s.hit);
  if (s.crash != 0) out.number(s.crash);
  out.number(s.at_ms);
  std::string bytes = std::move(out).bytes();
  bytes.push_back(check_byte(bytes, seq));
  return bytes;
}

std::optional<StepRecord> decode_step(std::string_view bytes, std::uint64_t seq) {
  if (bytes.empty() || bytes.back() != check_byte(bytes.substr(0, bytes.size() - 1), seq))
    return std::nullopt;
  ByteReader in(bytes.substr(0, bytes.size() - 1));
  const auto id = [&in] { return static_cast<std::uint32_t>(in.number()); };
  StepRecord s;
  const std::uint64_t bits = in.number();
  s.node = id();
  if (bits & new_node) s.parent = static_cast<std::uint32_t>(std::int64_t{s.node} - in.signed_number());
  s.warm = (bits & warm) != 0;
  if (bits & in_run) s.run = id();
  if (bits & has_event) s.event = id();
  s.screen = id();
  s.hit = id();
  if (bits & crashed) s.crash = id();
  s.at_ms = in.number();
  if (bits > all_bits || !in.done()) return std::nullopt;
  return s;
}

}  // namespace norn

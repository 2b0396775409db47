// One seed for the hashes of all texts, in every process.
//
// Lua draws that seed from the clock and from addresses. The order of a table's keys follows from it (pairs
// is made independent of that by sorting), and so does the moment at which a table of texts is enlarged once
// keys were removed: with it what an allocation costs, when garbage is collected, and which of several
// borders #t gives for a list with holes. A run must be the same bit for bit everywhere, so the seed is set
// to a constant.
//
// Lua has no call for that. But the seed lies in the first block a new state asks for, and is drawn before
// the second is asked for: in between the allocator can write over it. Where it lies is found by experiment,
// so that no version's layout is built in: two states made at the same address, from different depths of the
// stack, differ in nothing but the seed (and in pointers into the stack).
#pragma once

#include <cstddef>
#include <optional>

namespace norn::sim {

/// Where in the first block of a new Lua state the seed lies; nothing: this Lua's seed is the same for every
/// state.
std::optional<std::size_t> hash_seed_place();

}  // namespace norn::sim

// What no suite can do without. A suite of known steps is a set of walks from the start over the abstract
// states: a walk costs a restart and its steps, and every wanted item must be hit by a step of one of them.
// Let go of whole numbers and of walks being connected, and a linear program is left:
//
//     least   restart * y + sum of price(step) * x(step)
//     where   what goes into a place is at least what goes out of it (y walks come into the start)
//             the steps that hit an item are gone at least once in all, for each item
//             y >= 1
//             what goes into a set of places that an item needs is at least 1, for sets found to be cut off
//
// Every solution of its dual, a price for each item such that no walk is worth more than it costs, is a lower
// bound. The dual is solved by the simplex method, whose every step is such a solution: wherever it is
// stopped, the bound holds.
#pragma once

#include <cstdint>
#include <span>

#include "shrink/shrink.h"
#include "suite/paths.h"

namespace norn {

/// A step between two places, with everything it was ever seen to hit.
struct Passage {
  Joint from = 0, to = 0;
  ItemSet items{};
  double more = 0;  ///< seconds it takes beyond an event's price
};

/// Seconds that every set of walks from `start` over these passages takes that hits all of `wanted` (as far
/// as any passage does). `work`: numbers of the table it may touch; less work, a lower bound.
double cheapest_at_least(std::span<const Passage> passages, Joint start, const ItemSet& wanted,
                         const Prices& prices, std::uint64_t work = 1'000'000'000);

/// Something that can be had as a whole.
struct Choosable {
  ItemSet items{};
  double seconds = 0;
};

/// Seconds that every choice of these takes that has all of `wanted` (as far as any has): the set-cover
/// bound, by its linear program. Nothing is joined or cut there, so it is no bound for who may.
double cheapest_choice_at_least(std::span<const Choosable> candidates, const ItemSet& wanted,
                                std::uint64_t work = 10'000'000'000);

}  // namespace norn

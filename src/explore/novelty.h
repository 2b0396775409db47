// What `norn` remembers about an app: how often each kind of event was tried in each kind of screen, what
// came of it, and where it led.
//
// A *place* is an activity (or dialog) with the set of things that can be done there: two lists with
// different rows are one place, a list with a context menu open is another. A *slot* is one kind of event in
// one place. A slot that was never tried is worth much; one that was tried is worth what such events have
// brought lately, and something still when that is nothing. How often it was tried does not count: whoever
// does least what was done most spreads thin over the app, while a bug often wants the same few widgets
// again, in another order. The worth of a place is the best of its slots, or the discounted worth of the best
// place one step further: value iteration over the places, a few at a time, so that an event costs the same
// however large the app is.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "explore/events.h"
#include "gui/screen.h"

namespace norn {

class Novelty {
 public:
  using Place = std::uint32_t;
  static constexpr Place nowhere = 0xffffffff;
  static constexpr double discount = 0.85;  ///< per event

  explicit Novelty(bool enabled) : enabled_(enabled) {}

  /// The place of a screen with these events.
  Place place_of(const Screen& screen, const std::vector<Possible>& possible);
  bool outside(Place place) const { return places_[place].outside; }
  std::uint32_t visits(Place place) const { return places_[place].visits; }
  /// Slots of the place that were never tried.
  std::size_t untried(Place place) const;

  /// An event of that type was performed in `from` and led to `to` (nowhere: it crashed).
  struct Result {
    Place to = nowhere;
    std::uint64_t gained = 0;     ///< new coverage ids
    std::uint64_t behaviour = 0;  ///< hash of what the step hit
    bool crashed = false;
  };
  /// Returns the reward.
  double learn(Place from, std::uint64_t type, const Result& result);

  /// Worth of performing this kind of event here, for itself.
  double worth(Place place, std::uint64_t type, double prior) const;
  /// Worth of where it leads, as far as known; discounted.
  double beyond(Place place, std::uint64_t type) const;
  double value(Place place) const { return places_[place].value; }
  /// Some rounds of value iteration: the place given, and others in turn.
  void improve(Place here);

  /// True once for each pair.
  bool first(std::uint64_t a, std::uint64_t b) { return seen_.insert(mix(a, b)).second; }
  bool known(std::uint64_t a, std::uint64_t b) const { return seen_.contains(mix(a, b)); }
  std::uint32_t tries(Place place, std::uint64_t type) const;

 private:
  struct Slot {
    std::uint64_t type = 0;
    double prior = 1;
    std::uint32_t kind = 0;  ///< in kinds_: all slots of one type share it
    std::uint32_t tries = 0, crashes = 0, as_expected = 0;
    double gain = 0.5;
    Place leads_to = nowhere;
  };
  struct Kind {
    std::uint32_t tries = 0;
    double gain = 0.5;
  };
  struct Known {
    std::vector<Slot> slots;
    std::uint32_t visits = 0;
    bool outside = false;
    double value = 0;
  };

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    return a * 0x9e3779b97f4a7c15ULL ^ (b + (a >> 7));
  }
  const Slot* find(Place place, std::uint64_t type) const;
  Slot& slot(Place place, std::uint64_t type, double prior);
  double worth(const Slot& slot) const;
  double beyond(Place place, const Slot& slot) const;
  void back_up(Place place);

  bool enabled_;
  std::vector<Known> places_;
  std::unordered_map<std::uint64_t, Place> index_;
  std::vector<Kind> kinds_;
  std::unordered_map<std::uint64_t, std::uint32_t> kind_of_;  ///< by type
  std::unordered_set<std::uint64_t> seen_;
  Place turn_ = 0;
};

/// How much an event of this sort is worth trying before anything is known; per second, so waiting is worth
/// little.
double prior_of(const Event& event);

}  // namespace norn

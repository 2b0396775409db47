// Abstractions: pure functions Screen -> StateId, chosen by name. They order candidates and group nodes; they
// never answer a question (equal screens are not equal states).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gui/screen.h"

namespace norn {

struct StateId {
  std::uint64_t value = 0;
  auto operator<=>(const StateId&) const = default;
};

enum class Abstraction : std::uint8_t {
  activity,      ///< package and activity: SimplyDroid's state
  resource_ids,  ///< package and the resource ids in order: TimeMachine's released code
  structure,     ///< the widget tree with texts and states, without text-field values, bounds and focus:
                 ///< TimeMachine's paper
  actions,       ///< activity and the ordered list of what can be acted on: DetReduce's released code
  actions_plus,  ///< the same with access paths and visible values such as checked: DetReduce's paper
  exact,         ///< everything: content_hash()
};

std::optional<Abstraction> abstraction_by_name(std::string_view name);
std::string_view name_of(Abstraction abstraction);
std::vector<std::string> abstraction_names();

StateId abstract(const Screen& screen, Abstraction abstraction);

/// Which texts of an app change by themselves (clocks, feeds, random numbers). Learnt from repeats of one
/// edge, stored with the app, versioned: a larger mask is a new version and node keys are computed anew with
/// it.
struct Mask {
  std::uint32_t version = 0;
  std::set<std::uint64_t> places;  ///< place_of() of the masked widgets

  bool operator==(const Mask&) const = default;
};
/// Where a widget stands, without its text: package and activity with its id, or, where it has none, with the
/// classes and child positions from the window's root down to it.
/// Linear in the screen: ask places_of() for many.
std::uint64_t place_of(const Screen& screen, std::size_t widget);
/// place_of() of every widget, in one pass.
std::vector<std::uint64_t> places_of(const Screen& screen);

/// `structure` with the texts and descriptions of masked widgets left out: the observation key of a screen.
StateId masked_structure(const Screen& screen, const Mask& mask);

}  // namespace norn

template <>
struct std::hash<norn::StateId> {
  std::size_t operator()(norn::StateId s) const noexcept { return s.value; }
};

// A finite automaton as a plain value: what a JFLAP file holds, what `learn` makes, what `diagnose` matches
// logs against. States are indices; an empty label is epsilon (any event that is no pivot event).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace norn {

struct Nfa {
  struct State {
    std::string name;
    bool initial = false;  ///< several: it starts in all of them
    bool final = false;
    double x = 0, y = 0;  ///< where an editor draws it
    bool operator==(const State&) const = default;
  };
  struct Transition {
    std::uint32_t from = 0, to = 0;  ///< indices into states
    std::string label;               ///< empty: epsilon
    auto operator<=>(const Transition&) const = default;
  };

  std::vector<State> states;
  std::vector<Transition> transitions;
  std::vector<std::string> notes;  ///< remarks that travel with the file

  bool operator==(const Nfa&) const = default;
};

}  // namespace norn

// The state graph of an exploration: states with visits, transitions between them, and how promising each
// state is.
//
// Fitness (TimeMachine): f(s) = f0 (1+r)^w (1-p)^(v-w), v visits, w interesting states found from s. It
// underflows after some thousand visits, so its logarithm is kept, and scores are compared relative to the
// fittest state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "gui/abstraction.h"

namespace norn {

struct FitnessOptions {
  double reward = 0.1, penalty = 0.1;
  double interesting = 6;  ///< f0 of an interesting state; of another: 1
};

class StateGraph {
 public:
  using Index = std::uint32_t;
  struct State {
    StateId id;
    std::uint32_t visits = 0, found = 0;
    bool interesting = false;
    std::vector<Index> next;  ///< distinct successors but itself, oldest first
  };

  StateGraph() = default;
  explicit StateGraph(FitnessOptions options) : options_(options) {}

  /// The state was entered, by a step from `before` (none: by a start or a return). True: for the first time.
  bool visit(StateId state, std::optional<StateId> before);
  /// `state` is interesting and was found from `from`.
  void interesting(StateId state, std::optional<StateId> from);

  std::optional<Index> find(StateId state) const;
  const State& operator[](Index i) const { return states_[i]; }
  std::size_t size() const { return states_.size(); }
  std::size_t transitions() const { return transitions_; }
  std::span<const State> states() const { return states_; }

  double log_fitness(Index i) const;
  /// Among the floor(share * states) most visited ones; of equally often visited ones at the border: all or
  /// none.
  bool among_most_visited(StateId state, double share) const;

  /// The mean over all walks of `steps` steps from each state (shorter only where a walk ends in a sink) of
  /// the sum of the fitness along it, the state itself included; scaled so that the fittest state has fitness
  /// 1. For all states at once, by dynamic programming: steps * transitions.
  std::vector<double> neighbourhood(std::uint32_t steps) const;

 private:
  FitnessOptions options_;
  std::vector<State> states_;
  std::unordered_map<StateId, Index> index_;
  std::map<std::uint32_t, std::uint32_t, std::greater<>> by_visits_;  ///< visits -> states that have so many
  std::size_t transitions_ = 0;
};

}  // namespace norn

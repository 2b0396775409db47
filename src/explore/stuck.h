// Is the generator getting anywhere? (TimeMachine, algorithm 2.) A dead end is one state reported again and
// again; a loop is a window of state changes that holds hardly anything but easy states: those that occur in
// it at least twice or are among the most visited of all.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "explore/state_graph.h"

namespace norn {

enum class Stuck : std::uint8_t { loop, dead_end };
std::string_view name_of(Stuck stuck);

struct StuckOptions {
  enum class Rule : std::uint8_t {
    paper,  ///< easy entries / length
    code,   ///< distinct easy states / distinct states, as in the released program
    never,
  };
  Rule rule = Rule::paper;
  std::uint32_t length = 10;     ///< of the window, in state changes
  std::uint32_t dead_end = 200;  ///< more reports of one state than this in a row
  double frequent = 0.2;         ///< share of the states that counts as most visited
  double easy = 0.8;             ///< stuck at this proportion of easy entries
};

class StuckDetector {
 public:
  explicit StuckDetector(StuckOptions options = {}) : options_(options) {}
  /// A state was reported. REQUIRES: the graph has counted the visit.
  std::optional<Stuck> report(StateId state, const StateGraph& graph);
  void clear();

 private:
  bool looping(const StateGraph& graph) const;

  StuckOptions options_;
  std::deque<StateId> window_;
  std::optional<StateId> last_;
  std::uint32_t same_ = 0;
};

}  // namespace norn

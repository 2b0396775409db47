// Labels or moves? An event that belongs to no shortest way may decide all the same whether others crash. As
// a label (a *guard*) it keeps the automaton from accepting runs that do not crash. Often it keeps it from
// nothing: the button that leads to a page in another way, the row that was made before. Then it is what
// DDroid calls epsilon, an event between pivot events, and the automaton is the better without its label:
// smaller, its words shorter, and a run that got there in a third way is accepted too. The runs seen so far
// decide: a guard without whose label no more of their beginnings that did not crash are accepted is a move.
#include <algorithm>

#include "diagnose/learn/learning.h"

namespace norn {

bool Learning::make_moves_of_guards(const Kept& before) {
  const auto is_new = [&](const LearnInput& pivot) {
    return pivot.guard && std::ranges::none_of(before.pivots, [&](const LearnInput& old) {
             return old.label == pivot.label || event_key(old.event) == event_key(pivot.event);
           });
  };
  const std::size_t freed = freed_.size();
  for (const LearnInput& pivot : pivots_)
    if (is_new(pivot)) freed_.push_back(pivot), freed_.back().label.clear(), freed_.back().guard = false;
  std::erase_if(pivots_, is_new);
  renumber(pivots_);
  return freed_.size() > freed;
}

std::size_t Learning::wrongly_accepted(const BugAutomaton& bug) const {
  const auto dfa = determinise(bug.nfa);
  if (!dfa) return tree().size();
  std::vector<DfaState> at(tree().size(), dead);
  at[0] = dfa->start;
  std::size_t out = 0;
  for (std::uint32_t n = 1; n < tree().size(); ++n) {
    const NodeId node{n}, parent = tree().parent(node);
    if (at[parent.value] == dead || tree().crash(node)) continue;
    at[n] = at[parent.value];
    const auto input = input_of(bug.inputs, tree().event(tree().event_id(node)), tree().screen(parent));
    if (!input || bug.inputs[*input].is_move()) continue;
    const auto label = dfa->find(bug.inputs[*input].label);
    at[n] = label ? dfa->step(at[n], *label) : dead;
    out += at[n] != dead && dfa->final[at[n]];
  }
  return out;
}

}  // namespace norn

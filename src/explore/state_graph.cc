#include "explore/state_graph.h"

#include <algorithm>
#include <cmath>

namespace norn {

bool StateGraph::visit(StateId state, std::optional<StateId> before) {
  const auto [at, fresh] = index_.try_emplace(state, static_cast<Index>(states_.size()));
  if (fresh) states_.push_back({.id = state, .next = {}});
  State& s = states_[at->second];
  if (s.visits > 0 && --by_visits_[s.visits] == 0) by_visits_.erase(s.visits);
  ++by_visits_[++s.visits];
  if (before && *before != state)
    if (const auto from = find(*before)) {
      auto& next = states_[*from].next;
      if (std::find(next.begin(), next.end(), at->second) == next.end()) {
        next.push_back(at->second);
        ++transitions_;
      }
    }
  return fresh;
}

void StateGraph::interesting(StateId state, std::optional<StateId> from) {
  if (const auto i = find(state)) states_[*i].interesting = true;
  if (from)
    if (const auto i = find(*from)) ++states_[*i].found;
}

std::optional<StateGraph::Index> StateGraph::find(StateId state) const {
  const auto at = index_.find(state);
  if (at == index_.end()) return std::nullopt;
  return at->second;
}

double StateGraph::log_fitness(Index i) const {
  const State& s = states_[i];
  const double found = std::min(s.found, s.visits), rest = s.visits - found;
  return (s.interesting ? std::log(options_.interesting) : 0.0) + found * std::log1p(options_.reward) +
         rest * std::log1p(-options_.penalty);
}

bool StateGraph::among_most_visited(StateId state, double share) const {
  const auto i = find(state);
  if (!i) return false;
  const auto most = static_cast<std::uint64_t>(share * static_cast<double>(states_.size()));
  std::uint64_t above = 0;
  for (const auto& [visits, count] : by_visits_) {
    above += count;
    if (above > most) return false;
    if (visits == states_[*i].visits) return true;
  }
  return false;
}

std::vector<double> StateGraph::neighbourhood(std::uint32_t steps) const {
  std::vector<double> fitness(states_.size());
  for (Index i = 0; i < states_.size(); ++i) fitness[i] = log_fitness(i);
  const double top = fitness.empty() ? 0 : *std::max_element(fitness.begin(), fitness.end());
  for (double& f : fitness) f = std::exp(f - top);
  std::vector<double> sum = fitness, walks(states_.size(), 1.0);
  for (std::uint32_t step = 0; step < steps; ++step) {
    std::vector<double> sum_now = fitness, walks_now(states_.size(), 1.0);
    for (Index i = 0; i < states_.size(); ++i) {
      if (states_[i].next.empty()) continue;
      sum_now[i] = walks_now[i] = 0;
      for (const Index t : states_[i].next) {
        walks_now[i] += walks[t];
        sum_now[i] += fitness[i] * walks[t] + sum[t];
      }
    }
    sum.swap(sum_now), walks.swap(walks_now);
  }
  for (Index i = 0; i < states_.size(); ++i) sum[i] /= walks[i];
  return sum;
}

}  // namespace norn

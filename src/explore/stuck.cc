#include "explore/stuck.h"

#include <algorithm>
#include <set>

namespace norn {

std::string_view name_of(Stuck stuck) { return stuck == Stuck::loop ? "loop" : "dead end"; }

void StuckDetector::clear() {
  window_.clear();
  last_.reset();
  same_ = 0;
}

std::optional<Stuck> StuckDetector::report(StateId state, const StateGraph& graph) {
  if (options_.rule == StuckOptions::Rule::never) return std::nullopt;
  std::optional<Stuck> stuck;
  if (last_ == state) {
    if (++same_ > options_.dead_end) stuck = Stuck::dead_end;
  } else {
    last_ = state, same_ = 1;
    window_.push_back(state);
    if (window_.size() > options_.length) window_.pop_front();
    if (window_.size() == options_.length && looping(graph)) stuck = Stuck::loop;
  }
  if (stuck) clear();
  return stuck;
}

bool StuckDetector::looping(const StateGraph& graph) const {
  std::size_t easy = 0;
  std::set<StateId> distinct, distinct_easy;
  for (const StateId s : window_) {
    distinct.insert(s);
    if (std::count(window_.begin(), window_.end(), s) < 2 && !graph.among_most_visited(s, options_.frequent))
      continue;
    ++easy;
    distinct_easy.insert(s);
  }
  const bool code = options_.rule == StuckOptions::Rule::code;
  const auto part = static_cast<double>(code ? distinct_easy.size() : easy);
  return part >= options_.easy * static_cast<double>(code ? distinct.size() : window_.size()) - 1e-9;
}

}  // namespace norn

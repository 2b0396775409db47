#include "diagnose/screen_reading.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace norn {
namespace {

void sort_out(std::vector<std::uint32_t>& states) {
  std::ranges::sort(states);
  states.erase(std::ranges::unique(states).begin(), states.end());
}

/// By state: the fewest pivot events to a final one. Rounds until nothing gets nearer.
std::vector<std::optional<std::uint32_t>> pivots_to_crash(const BugAutomaton& bug) {
  std::vector<std::optional<std::uint32_t>> out(bug.nfa.states.size());
  for (std::size_t s = 0; s < out.size(); ++s)
    if (bug.nfa.states[s].final) out[s] = 0;
  for (bool nearer = true; nearer;) {
    nearer = false;
    for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) {
      const Nfa::Transition& edge = bug.nfa.transitions[t];
      if (!out[edge.to]) continue;
      const bool counts =
          !edge.label.empty() && (!bug.inputs[bug.input_of[t]].guard || bug.nfa.states[edge.to].final);
      const std::uint32_t way = *out[edge.to] + (counts ? 1 : 0);
      if (!out[edge.from] || way < *out[edge.from]) out[edge.from] = way, nearer = true;
    }
  }
  return out;
}

}  // namespace

ScreenReader::ScreenReader(const BugAutomaton& bug)
    : bug_(bug), out_(bug.nfa.states.size()), far_(pivots_to_crash(bug)) {
  for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) out_[bug.nfa.transitions[t].from].push_back(t);
  for (; pivots_ < bug.inputs.size() && !bug.inputs[pivots_].is_move(); ++pivots_)
    if (!bug.possible.empty() && !belongs_anywhere(bug.inputs[pivots_].event))
      placed_ |= std::uint64_t{1} << pivots_;
}

std::uint64_t ScreenReader::possible_on(const Screen& screen) const {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < pivots_; ++i)
    if (event_on(bug_.inputs[i], screen)) out |= std::uint64_t{1} << i;
  return out;
}

ScreenReader::States ScreenReader::fitting(const States& states, std::uint64_t possible) const {
  States out;
  std::ranges::copy_if(states, std::back_inserter(out), [&](std::uint32_t s) {
    return std::ranges::binary_search(bug_.possible[s], possible);
  });
  return out;
}

ScreenReader::States ScreenReader::closed(States states) const {
  std::vector<std::uint8_t> seen(out_.size(), 0);
  for (const std::uint32_t s : states) seen[s] = 1;
  for (std::size_t k = 0; k < states.size(); ++k)
    for (const std::size_t t : out_[states[k]])
      if (const auto& edge = bug_.nfa.transitions[t]; edge.label.empty() && !std::exchange(seen[edge.to], 1))
        states.push_back(edge.to);
  sort_out(states);
  return states;
}

ScreenReader::States ScreenReader::nearest(States states, std::uint64_t possible) const {
  std::vector<std::uint8_t> seen(out_.size(), 0);
  for (const std::uint32_t s : states) seen[s] = 1;
  while (!states.empty()) {
    States next;
    for (const std::uint32_t s : states)
      for (const std::size_t t : out_[s])
        if (const std::uint32_t to = bug_.nfa.transitions[t].to; !std::exchange(seen[to], 1))
          next.push_back(to);
    if (States found = fitting(next, possible); !found.empty()) return std::ranges::sort(found), found;
    states = std::move(next);
  }
  return {};
}

bool ScreenReader::is_lost(const States& states, const std::string& label) const {
  if (bug_.possible.empty()) return true;
  std::uint64_t mine = 0;
  for (std::size_t i = 0; i < pivots_; ++i)
    if (bug_.inputs[i].label == label) mine |= std::uint64_t{1} << i;
  return std::ranges::any_of(states, [&](std::uint32_t s) {
    const bool can = std::ranges::any_of(bug_.possible[s], [&](std::uint64_t p) { return (p & mine) != 0; });
    return can && (bug_.open[s] & mine) == 0;
  });
}

ScreenReader::At ScreenReader::start(const Screen&) const { return {closed({0}), {}}; }

/// The states that it may be in on this screen: all of them where none fits.
ScreenReader::States ScreenReader::here(const At& at, const Screen& screen) const {
  States all = closed(at.states);
  const std::uint64_t possible = possible_on(screen);
  States fit = (possible & placed_) == 0 ? States() : fitting(all, possible);
  return fit.empty() ? all : fit;
}

/// Where transitions of this label lead from these states.
ScreenReader::States ScreenReader::over(const States& from, const std::string& label) const {
  States out;
  for (const std::uint32_t s : from)
    for (const std::size_t t : out_[s])
      if (const auto& edge = bug_.nfa.transitions[t]; edge.label == label) out.push_back(edge.to);
  sort_out(out);
  return out;
}

ScreenReader::At ScreenReader::after(const At& at, const Event& event, const Screen& before,
                                     const Screen* after) const {
  if (at.states.empty() && at.held.empty()) return {};
  const auto input = input_of(bug_.inputs, event, before);
  const bool labelled = input && !bug_.inputs[*input].is_move();
  const States from = here(at, before);
  At out{labelled ? over(from, bug_.inputs[*input].label) : from, at.held};
  bool explained = input.has_value();
  if (labelled && out.states.empty() && !is_lost(from, bug_.inputs[*input].label))
    out.states = from, explained = false;  // never tried there
  States known = closed(out.states);
  const auto is_final = [&](std::uint32_t s) { return bug_.nfa.states[s].final; };
  out.crash = std::ranges::any_of(known, is_final);
  if (after == nullptr) return out;
  std::erase_if(out.states, is_final), std::erase_if(known, is_final);  // it did not crash
  const std::uint64_t possible = possible_on(*after);
  if ((possible & placed_) == 0) return out;  // a screen that says nothing
  States fit = fitting(known, possible);
  const States back = fitting(out.held, possible);
  fit.insert(fit.end(), back.begin(), back.end());
  if (fit.empty()) {
    fit = nearest(known, possible);
    if (fit.empty()) return out;
    if (!explained) out.held.insert(out.held.end(), at.states.begin(), at.states.end());
  }
  out.states = std::move(fit);
  sort_out(out.states), sort_out(out.held);
  return out;
}

std::optional<std::uint32_t> ScreenReader::distance(const At& at) const {
  if (at.crash) return 0;
  std::optional<std::uint32_t> out;
  for (const std::uint32_t s : at.states)
    if (far_[s] && (!out || *far_[s] < *out)) out = far_[s];
  return out;
}

RunRead read_run(const ScreenReader& reader, const Trace& run) {
  Screen unseen;
  unseen.kind = Screen::Kind::unseen;
  const Screen* before = run.start ? &run.start->screen : &unseen;
  ScreenReader::At at = reader.start(*before);
  RunRead out{false, reader.distance(at)};
  for (const Step& step : run.steps) {
    at = reader.after(at, step.event, *before, step.seen.crash ? nullptr : &step.seen.screen);
    if (const auto here = reader.distance(at); here && (!out.nearest || *here < *out.nearest))
      out.nearest = here;
    before = &step.seen.screen;
  }
  out.crash = at.crash;
  return out;
}

const ScreenReader::At& TreeReading::at(NodeId node) {
  std::vector<NodeId> todo;
  for (NodeId n = node; !read_.contains(n); n = tree_.parent(n)) {
    if (n == tree_.root()) {
      read_.emplace(n, reader_.start(tree_.screen(n)));
      break;
    }
    todo.push_back(n);
  }
  for (std::size_t k = todo.size(); k-- > 0;) {
    const NodeId n = todo[k], parent = tree_.parent(n);
    read_.emplace(n, reader_.after(read_.at(parent), tree_.event(tree_.event_id(n)), tree_.screen(parent),
                                   tree_.crash(n) ? nullptr : &tree_.screen(n)));
  }
  return read_.at(node);
}

}  // namespace norn

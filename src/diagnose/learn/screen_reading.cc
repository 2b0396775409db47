#include "diagnose/learn/screen_reading.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

namespace norn {
namespace {

template <class T>
void sort_out(std::vector<T>& list) {
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
}

}  // namespace

ScreenReader::ScreenReader(const BugAutomaton& bug)
    : bug_(bug), out_(bug.nfa.states.size()), far_(pivots_to_crash(bug)), possible_(bug.possible.size()) {
  for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t)
    out_[bug.nfa.transitions[t].from].push_back({bug.nfa.transitions[t].to, bug.input_of[t], false});
  for (const BugAutomaton::Guess& guess : bug.guesses)
    out_[guess.from].push_back({guess.to, guess.input, true});
  for (; pivots_ < bug.inputs.size() && !bug.inputs[pivots_].is_move(); ++pivots_) {
    const auto first = std::ranges::find(bug.inputs, bug.inputs[pivots_].label, &LearnInput::label);
    bit_.push_back(std::uint64_t{1} << (first - bug.inputs.begin()));
    if (!bug.possible.empty() && !belongs_anywhere(bug.inputs[pivots_].event)) placed_ |= bit_.back();
  }
  for (std::size_t s = 0; s < possible_.size(); ++s) {
    for (const std::uint64_t seen : bug.possible[s]) possible_[s].push_back(labels_of(seen));
    sort_out(possible_[s]);
  }
  find_fuses();
  whole_ = is_whole();
}

bool ScreenReader::is_whole() const {
  return bug_.guesses.empty() && bug_.unproven_count() == 0 &&
         std::ranges::all_of(bug_.open, [](std::uint64_t open) { return open == 0; });
}

/// A state from which a wait leads to the crash, and then the ways through such states. Where time was short,
/// another move than the wait may have been the one that crashed: such a state ends a way.
void ScreenReader::find_fuses() {
  const auto is_wait = [&](const Way& way) {
    return std::holds_alternative<Wait>(bug_.inputs[way.input].event);
  };
  fuse_.assign(out_.size(), 0);
  std::vector<std::uint8_t> ends(out_.size(), 0);  // a move crashes there
  for (std::size_t s = 0; s < possible_.size(); ++s)
    for (const Way& way : out_[s])
      if (!way.guess && is_move(way) && is_final(way.to)) ends[s] = 1, fuse_[s] |= is_wait(way) ? 1U : 0U;
  for (std::uint32_t length = 2; length <= longest_fuse; ++length) {
    std::vector<std::uint32_t> next = fuse_;
    for (std::size_t s = 0; s < out_.size(); ++s)
      for (const Way& way : out_[s])
        if (fuse_[s] > 0 && !way.guess && !is_wait(way) && ends[way.to] != 0)
          next[s] = std::max({next[s], fuse_[way.to] + 1, 2U});
    fuse_ = std::move(next);
  }
}

std::uint64_t ScreenReader::labels_of(std::uint64_t pivots) const {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < pivots_; ++i)
    if ((pivots >> i & 1U) != 0) out |= bit_[i];
  return out;
}

std::uint64_t ScreenReader::possible_on(const Screen& screen) const {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < pivots_; ++i)
    if ((out & bit_[i]) == 0 && event_on(bug_.inputs[i], screen)) out |= bit_[i];
  return out;
}

ScreenReader::States ScreenReader::fitting(const States& states, std::uint64_t possible) const {
  States out;
  std::ranges::copy_if(states, std::back_inserter(out),
                       [&](std::uint32_t s) { return std::ranges::binary_search(possible_[s], possible); });
  return out;
}

ScreenReader::States ScreenReader::closed(States states, By by) const {
  std::vector<std::uint8_t> seen(out_.size(), 0);
  for (const std::uint32_t s : states) seen[s] = 1;
  for (std::size_t k = 0; k < states.size(); ++k)
    for (const Way& way : out_[states[k]])
      if (is_move(way) && counts(way, by) && !std::exchange(seen[way.to], 1)) states.push_back(way.to);
  sort_out(states);
  return states;
}

/// Moves cost nothing: what they lead to is as near, so it is looked at first.
std::vector<std::uint32_t> ScreenReader::labels_from(const States& states) const {
  std::vector<std::uint32_t> far(out_.size(), nowhere);
  std::deque<std::uint32_t> todo(states.begin(), states.end());
  for (const std::uint32_t s : states) far[s] = 0;
  while (!todo.empty()) {
    const std::uint32_t here = todo.front();
    todo.pop_front();
    for (const Way& way : out_[here]) {
      const std::uint32_t next = far[here] + (is_move(way) ? 0 : 1);
      if (next >= far[way.to]) continue;
      far[way.to] = next;
      if (is_move(way))
        todo.push_front(way.to);
      else
        todo.push_back(way.to);
    }
  }
  return far;
}

ScreenReader::States ScreenReader::nearest(const States& states, std::uint64_t possible) const {
  constexpr std::uint32_t slack = 1;
  const std::vector<std::uint32_t> far = labels_from(states);
  States reached;
  for (std::uint32_t s = 0; s < far.size(); ++s)
    if (far[s] != nowhere) reached.push_back(s);
  States fit = fitting(reached, possible);
  std::uint32_t least = nowhere;
  for (const std::uint32_t s : fit) least = std::min(least, far[s]);
  std::erase_if(fit, [&](std::uint32_t s) { return far[s] - least > slack; });
  return fit;
}

bool ScreenReader::is_lost(const States& states, const std::string& label) const {
  if (possible_.empty()) return true;
  const auto first = std::ranges::find(bug_.inputs, label, &LearnInput::label);
  const std::uint64_t bit = std::uint64_t{1} << (first - bug_.inputs.begin());
  return std::ranges::any_of(states, [&](std::uint32_t s) {
    const bool can = std::ranges::any_of(possible_[s], [&](std::uint64_t p) { return (p & bit) != 0; });
    return can && (labels_of(bug_.open[s]) & bit) == 0;
  });
}

ScreenReader::At ScreenReader::start() const { return {closed({0}, By::transitions), closed({0}), {}}; }

/// The states that it may be in on this screen: all of them where none fits.
ScreenReader::States ScreenReader::here(const At& at, const Screen& screen) const {
  States all = closed(at.states);
  const std::uint64_t possible = possible_on(screen);
  States fit = says_nothing(possible) ? States() : fitting(all, possible);
  return fit.empty() ? all : fit;
}

/// Where events of this label lead from these states.
ScreenReader::States ScreenReader::over(const States& from, const std::string& label, By by) const {
  States out;
  for (const std::uint32_t s : from)
    for (const Way& way : out_[s])
      if (counts(way, by) && bug_.inputs[way.input].label == label) out.push_back(way.to);
  sort_out(out);
  return out;
}

bool ScreenReader::take(Performed input, const States& from, At& at) const {
  at.states = from;
  if (!input || bug_.inputs[*input].is_move()) return input.has_value();
  const std::string& label = bug_.inputs[*input].label;
  at.by_labels = closed(over(at.by_labels, label, By::transitions), By::transitions);
  States to = over(from, label);
  const bool known = !to.empty() || from.empty() || is_lost(from, label);
  if (known) at.states = std::move(to);
  return known;
}

ScreenReader::States ScreenReader::back_on_trail(At& at, std::uint64_t possible) const {
  for (std::size_t k = at.trail.size(); k-- > 0;)
    if (States back = fitting(at.trail[k], possible); !back.empty()) return at.trail.resize(k), back;
  return {};
}

/// The shortest ways from where it came to, to where it had left; the same events from where it is now.
ScreenReader::States ScreenReader::back_from(const Detour& detour, std::uint64_t possible) const {
  States out;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen(detour.since.begin(), detour.since.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> round;
  std::ranges::copy_if(seen, std::back_inserter(round), [](const auto& p) { return p.first != p.second; });
  while (!round.empty() && out.empty()) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> next;
    for (const auto& [then, now] : round) {
      if (std::ranges::binary_search(detour.left, then)) out.push_back(now);
      for (const Way& a : out_[then])
        for (const Way& b : out_[now])
          if (a.input == b.input && !a.guess && !b.guess && seen.emplace(a.to, b.to).second)
            next.emplace_back(a.to, b.to);
    }
    out = fitting(out, possible);
    round = std::move(next);
  }
  return out;
}

void ScreenReader::follow(const At& before, Performed input, bool explained, At& at) const {
  const bool labelled = explained && input && !bug_.inputs[*input].is_move();
  for (Detour& detour : at.detours) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> since;
    for (const auto& [then, now] : detour.since)
      for (const std::uint32_t s : closed(labelled ? over({now}, bug_.inputs[*input].label) : States{now}))
        if (std::ranges::binary_search(at.states, s)) since.emplace_back(then, s);
    sort_out(since);
    detour.since = std::move(since);
  }
  std::erase_if(at.detours, [](const Detour& detour) { return detour.since.empty(); });
  if (explained || at.held == before.held) return;
  Detour fresh{before.states, {}};
  for (const std::uint32_t s : at.states) fresh.since.emplace_back(s, s);
  if (at.detours.size() == most_detours) at.detours.erase(at.detours.begin());
  at.detours.push_back(std::move(fresh));
}

void ScreenReader::place(const States& left, Performed input, bool explained, std::uint64_t possible,
                         At& at) const {
  if (says_nothing(possible)) return;
  const States known = closed(at.states);
  States fit = fitting(known, possible);
  States back = fitting(at.held, possible);
  fit.insert(fit.end(), back.begin(), back.end());
  for (const Detour& detour : at.detours)
    if (!back.empty() && !fitting(detour.left, possible).empty()) {
      const States since = back_from(detour, possible);
      fit.insert(fit.end(), since.begin(), since.end());
    }
  if (!whole_ && input && bug_.inputs[*input].is_move()) {
    back = back_on_trail(at, possible);
    fit.insert(fit.end(), back.begin(), back.end());
  }
  if (fit.empty() && explained) fit = at.hidden;
  if (fit.empty()) {
    fit = nearest(known, possible);
    if (fit.empty()) return;
    if (!explained) at.held.insert(at.held.end(), left.begin(), left.end());
  }
  at.states = std::move(fit);
  sort_out(at.states), sort_out(at.held);
}

ScreenReader::States ScreenReader::hidden_after(const States& hidden, Performed input,
                                                std::uint64_t possible) const {
  States out;
  if (!input)
    for (std::uint32_t s = 0; s < out_.size(); ++s) out.push_back(s);
  else if (bug_.inputs[*input].is_move())
    out = closed(hidden);
  else
    out = closed(over(hidden, bug_.inputs[*input].label));
  std::erase_if(out, [&](std::uint32_t s) { return is_final(s); });
  return says_nothing(possible) ? out : fitting(out, possible);
}

/// Only a label that is proven to lead to where the run is then may have kept the crash from coming.
std::uint32_t ScreenReader::fuse_after(std::uint32_t fuse, const States& from, Performed input,
                                       std::uint64_t possible) const {
  std::uint32_t out = fuse > 0 ? fuse - 1 : 0;
  const bool labelled = input && !bug_.inputs[*input].is_move();
  for (const std::uint32_t s : from) {
    if (fuse_[s] <= out + 1) continue;
    const States to = labelled ? over({s}, bug_.inputs[*input].label, By::transitions) : States();
    if (fitting(to, possible).empty()) out = fuse_[s] - 1;
  }
  return out;
}

ScreenReader::At ScreenReader::after(const At& at, const Event& event, const Screen& before,
                                     const Screen* after) const {
  const States from = here(at, before);
  const Performed input = input_of(bug_.inputs, event, before);
  const auto crashes = [&](std::uint32_t s) { return is_final(s); };
  At out = at;
  const bool explained = take(input, from, out);
  if (!explained && out.states.empty()) out.states = std::exchange(out.lost, {});
  out.crash = out.fuse > 0 || std::ranges::any_of(closed(out.states), crashes) ||
              std::ranges::any_of(out.by_labels, crashes);
  if (after == nullptr) return out;
  std::erase_if(out.states, crashes);  // it did not crash
  if (out.states.empty() && !from.empty()) out.lost = from;
  const std::uint64_t possible = possible_on(*after);
  out.hidden = hidden_after(at.hidden, explained ? input : std::nullopt, possible);
  out.fuse = fuse_after(at.fuse, from, input, possible);
  place(at.states, input, explained, possible, out);
  follow(at, input, explained, out);
  if (!whole_ && input && !bug_.inputs[*input].is_move()) {
    if (out.trail.size() == longest_trail) out.trail.erase(out.trail.begin());
    out.trail.push_back(from);
  }
  return out;
}

std::optional<std::uint32_t> ScreenReader::distance(const At& at) const {
  if (at.crash) return 0;
  std::optional<std::uint32_t> out;
  for (const States* states : {&at.by_labels, &at.states})
    for (const std::uint32_t s : *states)
      if (far_[s] && (!out || *far_[s] < *out)) out = far_[s];
  return out;
}

RunRead read_run(const ScreenReader& reader, const Trace& run) {
  Screen unseen;
  unseen.kind = Screen::Kind::unseen;
  const Screen* before = run.start ? &run.start->screen : &unseen;
  ScreenReader::At at = reader.start();
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
      read_.emplace(n, reader_.start());
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

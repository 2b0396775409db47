#include "suite/fold.h"

#include <algorithm>
#include <numeric>

namespace norn {
namespace {

constexpr std::size_t fold_tried = 64;           ///< states that a moment is compared with
constexpr std::uint64_t fold_work = 20'000'000;  ///< comparisons of one fold; then nothing more is joined
constexpr std::size_t look_counts = 4;           ///< an equal look weighs as much as so many equal steps

}  // namespace

Folding::Folding(const History& tree, Material& material) : tree_(tree), material_(material) {
  moments_.push_back({tree.root(), 0, material.loose_start(), material.start(), {}});
  index_.emplace(tree.root(), 0);
}

void Folding::add(NodeId end) {
  Index before = 0;
  for (const NodeId node : tree_.path(end)) {
    const auto [at, fresh] = index_.try_emplace(node, static_cast<Index>(moments_.size()));
    if (fresh) {
      const Link link = material_.link(node);
      moments_.push_back({node, before, link.crash ? link.expect.value : link.loose, link.joint, link});
    }
    before = at->second;
  }
}

void Folding::begin() {
  const std::size_t n = moments_.size();
  group_.resize(n);
  std::iota(group_.begin(), group_.end(), Index{0});
  settled_.assign(n, 0);
  below_.assign(n, 0);
  steps_.assign(n, {});
  alike_.clear();
  waiting_.clear();
  work_ = n;
  for (Index i = 1; i < n; ++i) {
    auto& steps = steps_[moments_[i].before];
    const bool known = std::any_of(steps.begin(), steps.end(), [&](Index other) {
      return moments_[other].link.key == moments_[i].link.key;
    });
    if (!known) steps.push_back(i);
  }
  for (Index i = static_cast<Index>(n); --i > 0;) below_[moments_[i].before] += below_[i] + 1;
}

bool Folding::join_one(Index a, Index b) {
  if (moments_[a].alike != moments_[b].alike) return false;
  if (settled_[b] && (!settled_[a] || b < a)) std::swap(a, b);
  joined_.push_back({b, a, steps_[a].size()});
  group_[b] = a;
  for (const Index step : steps_[b]) {
    const auto end = steps_[a].begin() + static_cast<std::ptrdiff_t>(joined_.back().steps);
    const Link& link = moments_[step].link;
    const auto same = std::find_if(steps_[a].begin(), end,
                                   [&](Index other) { return moments_[other].link.key == link.key; });
    work_ += static_cast<std::uint64_t>(same - steps_[a].begin()) + 1;
    if (same == end) {
      steps_[a].push_back(step);
      continue;
    }
    if (moments_[*same].link.items != link.items) return false;
    open_.emplace_back(*same, step);
  }
  return true;
}

bool Folding::join(Index a, Index b) {
  joined_.clear();
  open_.assign(1, {a, b});
  while (!open_.empty()) {
    const auto [x, y] = open_.back();
    open_.pop_back();
    const Index left = find(x), right = find(y);
    if (left == right || join_one(left, right)) continue;
    undo();
    return false;
  }
  return true;
}

void Folding::undo() {
  for (; !joined_.empty(); joined_.pop_back()) {
    group_[joined_.back().from] = joined_.back().from;
    steps_[joined_.back().into].resize(joined_.back().steps);
  }
}

void Folding::await_steps(Index group) {
  for (const Index step : steps_[group]) {
    const Index at = find(step);
    if (settled_[at]) continue;
    waiting_.emplace_back(below_[at] + 1 + look_counts, ~at);  // of equals the first
    std::push_heap(waiting_.begin(), waiting_.end());
  }
}

Folding::Choice Folding::likest(Index moment) {
  Choice best;
  std::size_t tried = 0;
  for (const Index state : alike_[moments_[moment].alike]) {
    if (group_[state] != state || work_ > fold_work || ++tried > fold_tried) continue;
    if (!join(state, moment)) continue;
    const std::size_t evidence =
        joined_.size() + (moments_[state].look == moments_[moment].look ? look_counts : 0);
    undo();
    if (evidence > best.evidence) best = {evidence, state};
  }
  return best;
}

void Folding::settle(Index moment, const Choice& as) {
  if (as.evidence == 0) {
    settled_[moment] = 1;
    alike_[moments_[moment].alike].push_back(moment);
    await_steps(moment);
    return;
  }
  join(as.state, moment);
  for (const Union& u : joined_)
    if (const Index into = find(u.into); settled_[into]) await_steps(into);
}

void Folding::fold() {
  begin();
  settle(0, {});
  while (!waiting_.empty()) {
    std::pop_heap(waiting_.begin(), waiting_.end());
    const auto [hoped, moment] = waiting_.back();
    waiting_.pop_back();
    const Index at = find(~moment);
    if (settled_[at]) continue;
    const Choice choice = likest(at);
    if (choice.evidence > 0 && choice.evidence < hoped && !waiting_.empty() &&
        waiting_.front().first > choice.evidence) {
      waiting_.emplace_back(choice.evidence, moment);  // more speaks for another: that one first
      std::push_heap(waiting_.begin(), waiting_.end());
    } else {
      settle(at, choice);
    }
  }
  number_states();
}

void Folding::number_states() {
  number_.assign(moments_.size(), 0);
  ways_.clear();
  std::vector<Index> states;
  for (Index i = 0; i < moments_.size(); ++i)
    if (group_[i] == i) {
      number_[i] = static_cast<std::uint32_t>(states.size());
      states.push_back(i);
    }
  for (const Index state : states) {
    auto& ways = ways_.emplace_back();
    for (const Index step : steps_[state]) ways.push_back({number_[find(step)], &moments_[step].link, 1});
  }
  set_trust();
}

/// Of all the times that an event was done on such a screen, how often did that happen? The same look tells
/// most; where a state was seen with several looks, the abstract screen.
void Folding::set_trust() {
  std::unordered_map<std::uint64_t, std::uint32_t> times;
  const auto of = [](std::uint64_t screen, EventKey key) { return Hasher().add(screen).add(key).finish(); };
  const auto with = [](std::uint64_t one, StateId seen) {
    return Hasher().add(one).add(seen.value).finish();
  };
  std::vector<std::uint64_t> look(ways_.size(), 0);  // 1: several
  for (Index i = 0; i < moments_.size(); ++i) {
    std::uint64_t& of_state = look[number_[find(i)]];
    of_state = of_state == 0 || of_state == moments_[i].look ? moments_[i].look : 1;
    if (i == 0) continue;
    const Moment& before = moments_[moments_[i].before];
    for (const std::uint64_t screen : {before.alike, before.look}) {
      const std::uint64_t one = of(screen, moments_[i].link.key);
      ++times[one], ++times[with(one, moments_[i].link.expect)];
    }
  }
  for (Index i = 0; i < moments_.size(); ++i) {
    if (group_[i] != i) continue;
    const std::uint32_t state = number_[i];
    for (Way& way : ways_[state]) {
      const std::uint64_t one = of(look[state] == 1 ? moments_[i].alike : look[state], way.link->key);
      way.trust = times[with(one, way.link->expect)] / (times[one] + 0.05);
    }
  }
}

}  // namespace norn

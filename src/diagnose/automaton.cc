#include "diagnose/automaton.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_set>

#include "base/hash.h"
#include "base/text.h"

namespace norn {
namespace {

using Set = std::vector<std::uint32_t>;  ///< sorted, without repeats

void normalise(Set& set) {
  std::ranges::sort(set);
  set.erase(std::ranges::unique(set).begin(), set.end());
}

/// Numbers by value, then everything else by text: for events numbered along a trace, the trace's order.
bool natural_less(const std::string& a, const std::string& b) {
  const auto x = to_int(a), y = to_int(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;
}

/// An Nfa as adjacency lists over label indices, with epsilon closures.
class Graph {
 public:
  explicit Graph(const Nfa& nfa)
      : nfa_(nfa),
        labels_(labels_of(nfa)),
        epsilon_(nfa.states.size()),
        moves_(nfa.states.size()),
        seen_in_(nfa.states.size()) {
    std::map<std::string_view, Label> index;
    for (std::size_t i = 0; i < labels_.size(); ++i) index[labels_[i]] = static_cast<Label>(i);
    for (const Nfa::Transition& t : nfa.transitions) {
      if (t.label.empty())
        epsilon_[t.from].push_back(t.to);
      else
        moves_[t.from].emplace_back(index.at(t.label), t.to);
    }
  }

  const std::vector<std::string>& labels() const { return labels_; }
  std::size_t label_count() const { return labels_.size(); }

  Set closure(Set set) const {
    ++round_;
    std::erase_if(set, [&](auto s) { return std::exchange(seen_in_[s], round_) == round_; });
    for (std::size_t i = 0; i < set.size(); ++i)
      for (const auto to : epsilon_[set[i]])
        if (std::exchange(seen_in_[to], round_) != round_) set.push_back(to);
    std::ranges::sort(set);
    return set;
  }

  Set initial() const {
    Set set;
    for (std::uint32_t i = 0; i < nfa_.states.size(); ++i)
      if (nfa_.states[i].initial) set.push_back(i);
    return closure(std::move(set));
  }

  /// The successor sets of `set`, one per label.
  std::vector<Set> successors(const Set& set) const {
    std::vector<Set> out(labels_.size());
    for (const auto s : set)
      for (const auto& [label, to] : moves_[s]) out[label].push_back(to);
    for (Set& next : out)
      if (!next.empty()) next = closure(std::move(next));
    return out;
  }

  bool is_final(const Set& set) const {
    return std::ranges::any_of(set, [&](auto s) { return nfa_.states[s].final; });
  }
  bool can_move_silently(const Set& set) const {
    return std::ranges::any_of(set, [&](auto s) { return !epsilon_[s].empty(); });
  }

  /// Where a relaunch leads from `set`.
  Set relaunched(const Set& set, OnRelaunch restart) const {
    if (restart == OnRelaunch::reset || set.empty()) return initial();
    if (restart == OnRelaunch::keep) return set;
    if (restart == OnRelaunch::automatic && can_move_silently(set)) return set;
    Set joined = initial();
    joined.insert(joined.end(), set.begin(), set.end());
    normalise(joined);
    return joined;
  }

 private:
  const Nfa& nfa_;
  std::vector<std::string> labels_;
  std::vector<Set> epsilon_;
  std::vector<std::vector<std::pair<Label, std::uint32_t>>> moves_;
  // Marks of closure(): a state is in the present closure when its mark is the present round.
  mutable std::vector<std::uint64_t> seen_in_;
  mutable std::uint64_t round_ = 0;
};

/// Numbers the sets in the order they are met (breadth first), 0 the empty one.
class Construction {
 public:
  Construction(const Nfa& nfa, std::optional<OnRelaunch> restart, const DfaLimits& limits)
      : graph_(nfa), restart_(restart), limits_(limits) {}

  Result<RestartDfa> run() {
    if (graph_.label_count() > limits_.labels)
      return fail(Error::Kind::bad_input,
                  fmt::format("{} different labels, more than {}", graph_.label_count(), limits_.labels), {},
                  "a bug automaton names pivot events only");
    number({});
    const DfaState start = number(graph_.initial());
    for (DfaState state = 0; state < sets_.size(); ++state) {
      if (sets_.size() * std::max<std::size_t>(1, graph_.label_count()) > limits_.cells ||
          members_ > limits_.members)
        return fail(Error::Kind::bad_input,
                    fmt::format("the deterministic automaton has more than {} states", sets_.size() - 1), {},
                    "draw it with fewer nondeterministic choices");
      const Set set = sets_[state];
      for (Set& next : graph_.successors(set)) result_.dfa.next.push_back(number(std::move(next)));
      result_.dfa.final.push_back(graph_.is_final(set));
      result_.relaunch.push_back(restart_ ? number(graph_.relaunched(set, *restart_)) : state);
    }
    result_.dfa.labels = graph_.labels();
    result_.dfa.start = start;
    for (std::size_t s = 0; s < sets_.size(); ++s)
      result_.widened.push_back(restart_ && *restart_ != OnRelaunch::reset && s != 0 &&
                                result_.relaunch[s] != s);
    result_.dfa.members = std::move(sets_);
    return std::move(result_);
  }

 private:
  DfaState number(Set set) {
    sets_.push_back(std::move(set));
    const auto [at, fresh] = index_.insert(static_cast<DfaState>(sets_.size() - 1));
    if (fresh)
      members_ += sets_.back().size();
    else
      sets_.pop_back();
    return *at;
  }

  Graph graph_;
  std::optional<OnRelaunch> restart_;
  DfaLimits limits_;
  std::vector<Set> sets_;
  // Numbers of sets, found by what is in the set.
  struct HashOf {
    const std::vector<Set>* sets;
    std::size_t operator()(DfaState s) const {
      const Set& set = (*sets)[s];
      return hash_bytes({reinterpret_cast<const char*>(set.data()), set.size() * sizeof(set[0])});
    }
  };
  struct EqualOf {
    const std::vector<Set>* sets;
    bool operator()(DfaState a, DfaState b) const { return (*sets)[a] == (*sets)[b]; }
  };
  std::unordered_set<DfaState, HashOf, EqualOf> index_{64, HashOf{&sets_}, EqualOf{&sets_}};
  std::size_t members_ = 0;
  RestartDfa result_;
};

/// Keeps the states with renumber[s] != dead (and the dead one) under their new numbers.
void renumber(RestartDfa& all, const std::vector<DfaState>& number, std::size_t count) {
  const Dfa old = std::move(all.dfa);
  const std::size_t k = old.labels.size();
  RestartDfa out{{old.labels, number[old.start], std::vector<std::uint8_t>(count),
                  std::vector<DfaState>(count * k, dead), std::vector<Set>(count)},
                 std::vector<DfaState>(count),
                 std::vector<std::uint8_t>(count)};
  for (DfaState s = 0; s < old.size(); ++s) {
    const DfaState to = number[s];
    out.relaunch[to] = number[all.relaunch[s]];
    out.widened[to] = all.widened[s];
    if (to == dead) continue;
    out.dfa.final[to] = old.final[s];
    Set& members = out.dfa.members[to];
    members.insert(members.end(), old.members[s].begin(), old.members[s].end());
    normalise(members);
    for (std::size_t a = 0; a < k; ++a) out.dfa.next[to * k + a] = number[old.next[s * k + a]];
  }
  out.relaunch[dead] = out.dfa.start;
  out.widened[dead] = 0;
  all = std::move(out);
}

/// Merges every state from which no final one can be reached with the dead state.
void merge_dead(RestartDfa& all) {
  const auto distance = distances(all.dfa);
  std::vector<DfaState> number(all.dfa.size(), dead);
  DfaState count = 1;
  for (DfaState s = 1; s < all.dfa.size(); ++s)
    if (distance[s]) number[s] = count++;
  if (count < all.dfa.size()) renumber(all, number, count);
}

/// States in blocks; the marked ones of every block can be split off in time proportional to their number.
class Partition {
 public:
  explicit Partition(std::size_t n) : states_(n), place_(n), block_(n, 0), blocks_{{0, n, 0}} {
    for (DfaState s = 0; s < n; ++s) states_[s] = s, place_[s] = s;
  }

  std::uint32_t block(DfaState s) const { return block_[s]; }
  std::size_t count() const { return blocks_.size(); }
  std::size_t size(std::uint32_t block) const { return blocks_[block].end - blocks_[block].begin; }
  std::vector<DfaState> members(std::uint32_t block) const {
    return {states_.begin() + static_cast<std::ptrdiff_t>(blocks_[block].begin),
            states_.begin() + static_cast<std::ptrdiff_t>(blocks_[block].end)};
  }

  /// Marked states stand first in their block.
  void mark(DfaState s) {
    Block& b = blocks_[block_[s]];
    const std::size_t to = b.begin + b.marked;
    if (place_[s] < to) return;
    if (b.marked++ == 0) touched_.push_back(block_[s]);
    std::swap(states_[place_[s]], states_[to]);
    place_[states_[place_[s]]] = place_[s];
    place_[s] = to;
  }

  /// Makes the marked part of each block a block of its own; returns (old, new) where both are not empty.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> split() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    for (const std::uint32_t old : std::exchange(touched_, {})) {
      const std::size_t begin = blocks_[old].begin, middle = begin + std::exchange(blocks_[old].marked, 0);
      if (middle == blocks_[old].end) continue;
      const auto fresh = static_cast<std::uint32_t>(blocks_.size());
      blocks_[old].begin = middle;
      blocks_.push_back({begin, middle, 0});
      for (std::size_t i = begin; i < middle; ++i) block_[states_[i]] = fresh;
      out.emplace_back(old, fresh);
    }
    return out;
  }

 private:
  struct Block {
    std::size_t begin, end, marked;
  };
  std::vector<DfaState> states_;
  std::vector<std::size_t> place_;
  std::vector<std::uint32_t> block_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace

bool Dfa::accepts(std::span<const Label> word) const {
  DfaState state = start;
  for (const Label label : word) state = step(state, label);
  return final[state] != 0;
}

std::optional<Label> Dfa::find(std::string_view label) const {
  const auto at = std::ranges::find(labels, label);
  if (at == labels.end()) return std::nullopt;
  return static_cast<Label>(at - labels.begin());
}

std::vector<std::string> in_order(const std::set<std::string>& labels) {
  std::vector<std::string> out(labels.begin(), labels.end());
  std::ranges::sort(out, natural_less);
  return out;
}

std::vector<std::string> labels_of(const Nfa& nfa) {
  std::set<std::string> distinct;
  for (const Nfa::Transition& t : nfa.transitions)
    if (!t.label.empty()) distinct.insert(t.label);
  return in_order(distinct);
}

bool accepts(const Nfa& nfa, std::span<const std::string> word) {
  std::vector<std::uint8_t> here(nfa.states.size(), 0);
  const auto close = [&] {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Nfa::Transition& t : nfa.transitions)
        if (t.label.empty() && here[t.from] != 0 && here[t.to] == 0) here[t.to] = 1, changed = true;
    }
  };
  for (std::size_t s = 0; s < here.size(); ++s) here[s] = nfa.states[s].initial;
  close();
  for (const std::string& label : word) {
    std::vector<std::uint8_t> next(here.size(), 0);
    for (const Nfa::Transition& t : nfa.transitions)
      if (t.label == label && here[t.from] != 0) next[t.to] = 1;
    here = std::move(next);
    close();
  }
  for (std::size_t s = 0; s < here.size(); ++s)
    if (here[s] != 0 && nfa.states[s].final) return true;
  return false;
}

Nfa without_epsilon(const Nfa& nfa) {
  const Graph graph(nfa);
  Nfa out{nfa.states, {}, nfa.notes};
  std::set<Nfa::Transition> seen;
  for (std::uint32_t s = 0; s < nfa.states.size(); ++s) {
    const Set reach = graph.closure({s});
    out.states[s].final = graph.is_final(reach);
    const std::vector<Set> next = graph.successors(reach);
    for (std::size_t a = 0; a < next.size(); ++a)
      for (const auto to : next[a]) out.transitions.push_back({s, to, graph.labels()[a]});
  }
  return out;
}

Result<RestartDfa> determinise(const Nfa& nfa, OnRelaunch restart, const DfaLimits& limits) {
  NORN_TRY(RestartDfa all, Construction(nfa, restart, limits).run());
  merge_dead(all);
  return all;
}

Result<Dfa> determinise(const Nfa& nfa, const DfaLimits& limits) {
  NORN_TRY(RestartDfa all, Construction(nfa, std::nullopt, limits).run());
  merge_dead(all);
  return std::move(all.dfa);
}

// Hopcroft: begin with final and not final; a block that some label leads partly into a splitter is split, and
// only the smaller half has to become a splitter again. States x labels x log states.
Dfa minimise(const Dfa& dfa) {
  const std::size_t n = dfa.size(), k = dfa.labels.size();
  std::vector<std::vector<DfaState>> before(n * k);  // before[state * k + label]
  for (std::size_t i = 0; i < n * k; ++i)
    before[dfa.next[i] * k + i % k].push_back(static_cast<DfaState>(i / k));

  Partition parts(n);
  std::vector<std::uint32_t> splitters{0};
  std::vector<std::uint8_t> waiting{1};  // by block: it is among the splitters
  const auto split_marked = [&] {
    for (const auto& [kept, fresh] : parts.split()) {
      waiting.push_back(0);
      const std::uint32_t next = waiting[kept] || parts.size(fresh) <= parts.size(kept) ? fresh : kept;
      waiting[next] = 1;
      splitters.push_back(next);
    }
  };
  for (DfaState s = 0; s < n; ++s)
    if (dfa.final[s]) parts.mark(s);
  split_marked();
  while (!splitters.empty()) {
    const std::uint32_t block = splitters.back();
    splitters.pop_back();
    waiting[block] = 0;
    const std::vector<DfaState> splitter = parts.members(block);
    for (std::size_t a = 0; a < k; ++a) {
      for (const DfaState s : splitter)
        for (const DfaState from : before[s * k + a]) parts.mark(from);
      split_marked();
    }
  }
  std::vector<DfaState> number(n);
  const std::uint32_t dead_block = parts.block(dead);
  for (DfaState s = 0; s < n; ++s) {
    const std::uint32_t block = parts.block(s);
    number[s] = block == dead_block ? dead : block < dead_block ? block + 1 : block;
  }
  RestartDfa all{dfa, std::vector<DfaState>(n, dead), std::vector<std::uint8_t>(n)};
  renumber(all, number, parts.count());
  return std::move(all.dfa);
}

std::vector<std::optional<std::uint32_t>> distances(const Dfa& dfa) {
  const std::size_t n = dfa.size(), k = dfa.labels.size();
  std::vector<std::vector<DfaState>> before(n);
  for (std::size_t i = 0; i < n * k; ++i) before[dfa.next[i]].push_back(static_cast<DfaState>(i / k));
  std::vector<std::optional<std::uint32_t>> out(n);
  std::deque<DfaState> queue;
  for (DfaState s = 0; s < n; ++s)
    if (dfa.final[s]) {
      out[s] = 0;
      queue.push_back(s);
    }
  for (; !queue.empty(); queue.pop_front())
    for (const DfaState s : before[queue.front()])
      if (!out[s]) {
        out[s] = *out[queue.front()] + 1;
        queue.push_back(s);
      }
  return out;
}

std::vector<std::pair<Label, Label>> adjacent_pairs(const Dfa& dfa) {
  const std::size_t k = dfa.labels.size();
  std::vector<std::uint8_t> seen(k * k);
  for (DfaState s = 1; s < dfa.size(); ++s)
    for (std::size_t x = 0; x < k; ++x) {
      const DfaState middle = dfa.next[s * k + x];
      for (std::size_t y = 0; middle != dead && y < k; ++y)
        if (dfa.next[middle * k + y] != dead) seen[x * k + y] = 1;
    }
  std::vector<std::pair<Label, Label>> out;
  for (std::size_t x = 0; x < k; ++x)
    for (std::size_t y = 0; y < k; ++y)
      if (seen[x * k + y]) out.emplace_back(static_cast<Label>(x), static_cast<Label>(y));
  return out;
}

std::optional<std::vector<Label>> shortest_word(const Dfa& dfa, DfaState from) {
  const auto distance = distances(dfa);
  if (!distance[from]) return std::nullopt;
  std::vector<Label> word;
  for (DfaState s = from; *distance[s] > 0;)
    for (const Label a : dfa.each_label())
      if (const auto next = distance[dfa.step(s, a)]; next && *next + 1 == *distance[s]) {
        word.push_back(a);
        s = dfa.step(s, a);
        break;
      }
  return word;
}

std::optional<std::vector<Label>> shortest_word_to(const Dfa& dfa, DfaState to) {
  std::vector<std::optional<std::pair<DfaState, Label>>> came(dfa.size());
  std::deque<DfaState> queue{dfa.start};
  std::vector<std::uint8_t> seen(dfa.size());
  seen[dfa.start] = 1;
  for (; !queue.empty(); queue.pop_front())
    for (const Label a : dfa.each_label())
      if (const DfaState next = dfa.step(queue.front(), a); !seen[next]) {
        seen[next] = 1;
        came[next] = {queue.front(), a};
        queue.push_back(next);
      }
  if (!seen[to]) return std::nullopt;
  std::vector<Label> word;
  for (DfaState s = to; came[s]; s = came[s]->first) word.push_back(came[s]->second);
  std::ranges::reverse(word);
  return word;
}

}  // namespace norn

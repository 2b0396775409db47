#include "suite/splice.h"

#include <algorithm>
#include <bit>

namespace norn {
namespace {

using Word = std::uint64_t;
constexpr std::uint32_t exact_height = 64;  ///< fragments longer than that are bounded link by link
constexpr std::uint32_t no_place = 0xffffffff;

void unite(Word* to, const Word* from, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) to[i] |= from[i];
}
std::uint32_t count(const Word* bits, std::size_t words) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < words; ++i) n += static_cast<std::uint32_t>(std::popcount(bits[i]));
  return n;
}
std::uint32_t count_beyond(const Word* bits, const Word* had, std::size_t words) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < words; ++i) n += static_cast<std::uint32_t>(std::popcount(bits[i] & ~had[i]));
  return n;
}

}  // namespace

Splices::Splices(std::span<const Path> library, Joint start, const Knowledge& known, std::uint32_t k,
                 std::uint64_t work)
    : known_(known), k_(k), work_(work), library_(library.begin(), library.end()) {
  nodes_.push_back({.joint = start});
  for (const Path& path : library_) add(path);
  for (std::size_t i = nodes_.size(); i-- > 1;) {
    Node& parent = nodes_[nodes_[i].parent];
    parent.height = std::max(parent.height, nodes_[i].height + 1);
  }
  set_groups();
}

void Splices::add(const Path& path) {
  std::uint32_t at = 0;
  for (const Link& link : path) {
    const auto same = [&](std::uint32_t child) {
      const Link& other = *nodes_[child].link;
      return other.key == link.key && other.expect == link.expect && other.joint == link.joint &&
             other.items == link.items && other.crash == link.crash;
    };
    const auto& children = nodes_[at].children;
    const auto found = std::find_if(children.begin(), children.end(), same);
    if (found != children.end()) {
      at = *found;
      continue;
    }
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.link = &link, .parent = at, .joint = link.joint});
    nodes_[at].children.push_back(fresh);
    at = fresh;
  }
}

void Splices::set_groups() {
  std::unordered_map<Joint, std::uint32_t> number;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto [at, fresh] = number.try_emplace(nodes_[i].joint, static_cast<std::uint32_t>(groups_.size()));
    if (fresh) groups_.emplace_back();
    group_of_.push_back(at->second);
    if (!nodes_[i].children.empty()) groups_[at->second].push_back(i);
  }
}

// ---- bounds ----

void Splices::fill(const ItemSet& items, Word* bits) const {
  for (const std::uint32_t item : items.ids())
    if (item < place_.size() && place_[item] != no_place)
      bits[place_[item] / 64] |= Word{1} << place_[item] % 64;
}

void Splices::set_own(const ItemSet& wanted) {
  const auto ids = wanted.ids();
  words_ = (ids.size() + 63) / 64;
  place_.assign(ids.empty() ? 0 : ids.back() + 1U, no_place);
  for (std::uint32_t i = 0; i < ids.size(); ++i) place_[ids[i]] = i;
  own_.assign(nodes_.size() * words_, 0);
  std::unordered_map<ItemSetId, std::size_t> first;  // links of one set share the work
  for (std::size_t n = 1; n < nodes_.size(); ++n) {
    const auto [at, fresh] = first.try_emplace(nodes_[n].link->items, n);
    if (fresh)
      fill(known_.set(nodes_[n].link->items), row(own_, n));
    else
      std::copy_n(row(own_, at->second), words_, row(own_, n));
  }
}

/// Everything within reach of a node with r switches.
void Splices::set_reach(std::uint32_t r) {
  auto& reach = reach_[r];
  reach.assign(nodes_.size() * words_, 0);
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    if (r > 0) unite(row(reach, n), row(group_reach_[r - 1], group_of_[n]), words_);
    if (n == 0) break;
    Word* above = row(reach, nodes_[n].parent);
    unite(above, row(reach, n), words_);
    unite(above, row(own_, n), words_);
  }
  group_reach_[r].assign(groups_.size() * words_, 0);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const std::uint32_t n : groups_[g]) unite(row(group_reach_[r], g), row(reach, n), words_);
}

/// The most r switches could add: what the rest of this fragment has, exactly, plus the best that the next
/// could.
void Splices::set_most(std::uint32_t r) {
  auto& most = most_[r];
  most.assign(nodes_.size(), 0);
  std::vector<Word> sum(words_);
  for (std::uint32_t end = 0; end < nodes_.size(); ++end) {
    if (r == 0 && !nodes_[end].children.empty()) continue;
    const std::uint32_t then = r == 0 ? 0 : group_most_[r - 1][group_of_[end]];
    std::fill(sum.begin(), sum.end(), 0);
    most[end] = std::max(most[end], then);
    for (std::uint32_t n = end, up = 0; n != 0 && up < exact_height; n = nodes_[n].parent, ++up) {
      unite(sum.data(), row(own_, n), words_);
      auto& above = most[nodes_[n].parent];
      above = std::max(above, count(sum.data(), words_) + then);
    }
  }
  for (std::size_t n = nodes_.size(); n-- > 1;)
    if (nodes_[nodes_[n].parent].height > exact_height) {
      auto& above = most[nodes_[n].parent];
      above = std::max(above, count(row(own_, n), words_) + most[n]);
    }
  group_most_[r].assign(groups_.size(), 0);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const std::uint32_t n : groups_[g]) group_most_[r][g] = std::max(group_most_[r][g], most[n]);
}

/// The least number of links until one hits something wanted.
void Splices::set_least(std::uint32_t r) {
  auto& least = least_[r];
  least.assign(nodes_.size(), never);
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    if (r > 0) least[n] = std::min(least[n], group_least_[r - 1][group_of_[n]]);
    if (n == 0) break;
    auto& above = least[nodes_[n].parent];
    above = std::min(above, count(row(own_, n), words_) > 0 ? 1 : least[n] + 1);
  }
  group_least_[r].assign(groups_.size(), never);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const std::uint32_t n : groups_[g]) group_least_[r][g] = std::min(group_least_[r][g], least[n]);
}

void Splices::prepare(const ItemSet& wanted) {
  if (prepared_ && wanted == wanted_) return;
  prepared_ = true;
  wanted_ = wanted;
  set_own(wanted);
  for (auto* table : {&reach_, &group_reach_}) table->resize(k_);
  for (auto* table : {&most_, &group_most_, &least_, &group_least_}) table->resize(k_);
  for (std::uint32_t r = 0; r < k_; ++r) {
    set_reach(r);
    set_most(r);
    set_least(r);
  }
}

// ---- search ----

bool Splices::hopeless(const Move& move) const {
  if (move.bound != best_.gain) return move.bound < best_.gain;
  if (move.gain == best_.gain) return true;  // itself was looked at; anything longer is worse
  const std::uint32_t least = move.cost + least_[k_ - move.fragments][move.node];
  if (least != best_.path.size()) return least > best_.path.size();
  return move.fragments >= best_.fragments;
}

/// Whether a path that ends with this move is the best so far.
bool Splices::better(const Move& move) const {
  if (move.gain != best_.gain) return move.gain > best_.gain;
  if (move.gain == 0) return false;
  return move.cost != best_.path.size() ? move.cost < best_.path.size() : move.fragments < best_.fragments;
}

void Splices::remember(const Move& move) {
  best_.gain = move.gain, best_.fragments = move.fragments;
  best_.path.resize(move.cost);  // its links are filled in at the end
  best_nodes_.clear();
  for (const Frame& frame : stack_)
    if (frame.at.cost > 0) best_nodes_.push_back(frame.at.node);
  best_nodes_.push_back(move.node);
}

/// Gain and bound of a step with what it hits.
void Splices::rate(Move& move, const Word* has, const ItemSet* special) {
  next_has_.assign(has, has + words_);
  if (special)
    fill(*special, next_has_.data());
  else
    unite(next_has_.data(), row(own_, move.node), words_);
  const std::uint32_t r = k_ - move.fragments;
  move.gain = count(next_has_.data(), words_);
  move.bound = move.gain + most_[r][move.node];
  worked_ += 2 * words_ + 8;
  if (move.bound < best_.gain) return;
  worked_ += words_;
  move.bound =
      std::min(move.bound, move.gain + count_beyond(row(reach_[r], move.node), next_has_.data(), words_));
}

/// A step to `node`: is it the best path so far, and may it lead to a better one? What it is known by is
/// computed only where that matters: what trials taught makes a gain smaller, never larger.
void Splices::consider(const Move& from, std::uint32_t node, std::uint32_t fragments, const Word* has,
                       std::vector<Move>& moves) {
  Move move{.node = node, .fragments = fragments, .cost = from.cost + 1, .gain = 0, .bound = 0, .prefix = 0};
  rate(move, has, nullptr);
  if (!better(move) && hopeless(move)) return;
  move.prefix = extend(from.prefix, *nodes_[node].link);
  worked_ += 16;
  if (known_.fails(move.prefix)) return;
  if (const ItemSet* special = known_.special(move.prefix)) rate(move, has, special);
  if (better(move) && !known_.is_aside(move.prefix)) remember(move);
  if (!hopeless(move)) moves.push_back(move);
}

std::vector<Splices::Move> Splices::moves_from(const Move& at, const Word* has) {
  std::vector<Move> moves;
  for (const std::uint32_t child : nodes_[at.node].children) consider(at, child, at.fragments, has, moves);
  const std::uint32_t fragments = at.fragments + (at.cost > 0 ? 1 : 0);  // where the path begins is no switch
  if (fragments <= k_)
    for (const std::uint32_t other : groups_[group_of_[at.node]]) {
      if (other == at.node) continue;
      for (const std::uint32_t child : nodes_[other].children) consider(at, child, fragments, has, moves);
    }
  std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.fragments < b.fragments;
  });
  return moves;
}

std::optional<Splice> Splices::best(const ItemSet& wanted) {
  if (wanted.empty() || nodes_.size() == 1) return std::nullopt;
  prepare(wanted);
  best_ = {}, best_nodes_.clear(), worked_ = 0;
  stack_.clear();
  has_.assign(words_, 0);
  const Move start{
      .node = 0, .fragments = 1, .cost = 0, .gain = 0, .bound = most_[k_ - 1][0], .prefix = empty_prefix};
  stack_.push_back({start, {}, 0});
  stack_.back().moves = moves_from(start, has_.data());
  while (!stack_.empty()) {
    Frame& top = stack_.back();
    if (top.next == top.moves.size()) {
      stack_.pop_back();
      has_.resize(stack_.size() * words_);
      continue;
    }
    const Move move = top.moves[top.next++];
    if (hopeless(move)) continue;
    if (worked_ > work_) break;
    const std::size_t level = stack_.size();
    has_.resize((level + 1) * words_);
    std::copy_n(row(has_, level - 1), words_, row(has_, level));
    if (const ItemSet* seen = known_.special(move.prefix))
      fill(*seen, row(has_, level));
    else
      unite(row(has_, level), row(own_, move.node), words_);
    stack_.push_back({move, {}, 0});
    auto moves = moves_from(move, row(has_, level));
    stack_.back().moves = std::move(moves);
  }
  if (best_nodes_.empty()) return std::nullopt;
  Splice out{{}, best_.fragments, best_.gain};
  for (const std::uint32_t node : best_nodes_) out.path.push_back(*nodes_[node].link);
  return out;
}

}  // namespace norn

#include "suite/cuts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace norn {
namespace {

constexpr std::size_t most_classes = 64;
constexpr std::size_t most_lists = 512;  ///< beyond that, providers are chosen at once

using Steps = std::vector<std::uint32_t>;

bool touches(const Steps& steps, const std::vector<char>& must) {
  return std::any_of(steps.begin(), steps.end(), [&](std::uint32_t s) { return must[s - 1] != 0; });
}

/// Fewer providers first; a list that contains another is met whenever that one is.
std::vector<Steps> without_supersets(std::vector<Steps> lists) {
  std::stable_sort(lists.begin(), lists.end(),
                   [](const Steps& a, const Steps& b) { return a.size() < b.size(); });
  std::vector<Steps> kept;
  for (Steps& list : lists) {
    const bool implied = std::any_of(kept.begin(), kept.end(), [&](const Steps& k) {
      return std::includes(list.begin(), list.end(), k.begin(), k.end());
    });
    if (!implied) kept.push_back(std::move(list));
  }
  return kept;
}

}  // namespace

Cuts::Cuts(const Path& path, Joint start, const ItemSet& needed, const Knowledge& known, CutRules rules)
    : path_(path), start_(start), needed_(needed), known_(known), rules_(rules), must_(path.size(), 0) {
  for (std::uint32_t at = 0; at <= path.size(); ++at) places_[joint(at)].push_back(at);
  find_musts(needed);
  begin();
}

void Cuts::find_musts(const ItemSet& needed) {
  std::unordered_map<std::uint32_t, Steps> providers;
  for (std::uint32_t s = 1; s <= path_.size(); ++s)
    for (const std::uint32_t item : (known_.set(path_[s - 1].items) & needed).ids())
      providers[item].push_back(s);
  std::map<Steps, int> distinct;
  for (auto& [item, steps] : providers) distinct.emplace(std::move(steps), 0);
  std::vector<Steps> lists;
  for (const auto& [steps, unused] : distinct)
    if (steps.size() == 1)
      must_[steps.front() - 1] = 1;
    else
      lists.push_back(steps);
  keep_classes(std::move(lists));
}

/// Classes for the lists that no must meets; where they are too many, the first provider of a list becomes a
/// must.
void Cuts::keep_classes(std::vector<Steps> lists) {
  std::erase_if(lists, [&](const Steps& steps) { return touches(steps, must_); });
  if (lists.size() <= most_lists) lists = without_supersets(std::move(lists));
  const std::size_t room = pinned_ ? 0 : most_classes;
  while (lists.size() > room) {
    must_[lists.back().front() - 1] = 1;
    std::erase_if(lists, [&](const Steps& steps) { return touches(steps, must_); });
  }
  classes_ = static_cast<std::uint32_t>(lists.size());
  provides_.assign(path_.size() + 1, 0);
  due_.assign(path_.size() + 1, 0);
  for (std::size_t c = 0; c < lists.size(); ++c) {
    for (const std::uint32_t s : lists[c]) provides_[s] |= 1ULL << c;
    due_[lists[c].back()] |= 1ULL << c;
  }
  for (std::size_t at = 1; at < due_.size(); ++at) due_[at] |= due_[at - 1];
}

void Cuts::set_bounds() {
  const auto n = static_cast<std::uint32_t>(path_.size());
  next_must_.assign(n + 1U, n + 1);
  for (std::uint32_t at = n; at-- > 0;) next_must_[at] = must_[at] ? at + 1 : next_must_[at + 1];
  after_step_.assign(n + 1U, never);
  std::unordered_map<Joint, std::uint32_t> best;  // over later positions no must parts from here
  for (std::uint32_t at = n + 1; at-- > 0;) {
    if (at < n && must_[at]) best.clear();
    std::uint32_t stepping = at == n ? 0 : after_step_[at + 1] + 1;
    if (rules_.tail && next_must_[at] == n + 1) stepping = 0;
    auto& least = best.try_emplace(joint(at), never).first->second;
    least = std::min(least, stepping);
    after_step_[at] = least;
  }
}

void Cuts::begin() {
  set_bounds();
  ways_.clear();
  open_ = {};
  const Way nothing_done{.parent = 0,
                         .at = 0,
                         .cost = 0,
                         .failures = static_cast<std::uint32_t>(known_.failures()),
                         .has = 0,
                         .prefix = empty_prefix};
  push(nothing_done, after_step_[0]);
}

void Cuts::push(const Way& way, std::uint32_t still) {
  if (still >= never) return;
  ways_.push_back(way);
  open_.push({way.cost + still, way.at, static_cast<std::uint32_t>(ways_.size() - 1)});
}

/// Whether a prefix of it has failed in the meantime.
bool Cuts::dead(Way& way) const {
  if (way.failures == known_.failures()) return false;
  const Way* at = &way;
  for (;; at = &ways_[at->parent]) {
    if (at->cost > 0 && known_.fails(at->prefix)) return true;
    if (at->cost == 0) break;
  }
  way.failures = static_cast<std::uint32_t>(known_.failures());
  return false;
}

void Cuts::expand(std::uint32_t index) {
  const Way way = ways_[index];
  const auto n = static_cast<std::uint32_t>(path_.size());
  const bool complete = way.has == all_classes();
  if (rules_.tail && next_must_[way.at] == n + 1 && complete) {
    Way end = way;
    end.parent = index, end.ended = true;
    push(end, 0);
  }
  const auto& places = places_[joint(way.at)];
  for (auto at = std::lower_bound(places.begin(), places.end(), way.at); at != places.end(); ++at) {
    if (*at >= next_must_[way.at] || (due_[*at] & ~way.has) != 0) break;
    if (*at == n) {
      if (rules_.tail || !complete) continue;
      Way end = way;
      end.parent = index, end.ended = true;
      push(end, 0);
      continue;
    }
    const Link& link = path_[*at];
    const Way next{.parent = index,
                   .at = *at + 1,
                   .cost = way.cost + 1,
                   .failures = way.failures,
                   .has = way.has | provides_[*at + 1],
                   .prefix = extend(way.prefix, link)};
    if (!known_.fails(next.prefix)) push(next, after_step_[*at + 1]);
  }
}

std::optional<Path> Cuts::emit(std::uint32_t index) {
  if (!emitted_.insert(ways_[index].prefix).second || known_.is_aside(ways_[index].prefix))
    return std::nullopt;
  Path out;
  for (const Way* way = &ways_[ways_[index].parent]; way->cost > 0; way = &ways_[way->parent])
    out.push_back(path_[way->at - 1]);
  std::reverse(out.begin(), out.end());
  if (known_.anything_observed() && !needed_.within(items_of(out, known_))) return std::nullopt;
  return out;
}

std::optional<Path> Cuts::next() {
  while (!open_.empty()) {
    if (ways_.size() > rules_.ways) {
      if (pinned_) break;
      pinned_ = true;
      find_musts(needed_);
      begin();
    }
    const std::uint32_t way = open_.top().way;
    open_.pop();
    if (dead(ways_[way])) continue;
    if (!ways_[way].ended) {
      expand(way);
      continue;
    }
    if (auto path = emit(way)) return path;
  }
  // Given up: the whole of it is always one of them.
  if (open_.empty() || std::exchange(whole_given_, true)) return std::nullopt;
  open_ = {};
  return path_;
}

}  // namespace norn

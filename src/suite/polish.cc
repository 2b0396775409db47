// Phase 3: not in the paper. Everything that has replayed so far is known to; what is the cheapest suite of
// it, what can be cut now that it is known what each trace is kept for, and which traces can do without a
// restart?
#include <algorithm>
#include <limits>

#include "suite/making.h"
#include "suite/selection.h"

namespace norn {
namespace {

constexpr std::size_t most_joins = 60;                    ///< in a row that do not replay
constexpr std::size_t ways_again = std::size_t{1} << 15;  ///< looked at when a trace is cut again
constexpr std::size_t joins_at_once = 4;
constexpr std::size_t joins_each = 3;  ///< ways from one trace to another
constexpr double polish_runs = 40;     ///< runs of the suite that polishing it once may take
constexpr double polish_share = 0.75;  ///< of one run of what was given, at most

}  // namespace

std::vector<SuiteMember> Making::select(double seconds) {
  std::vector<SuiteMember> made;
  ItemSet wanted = promised_ - base_;
  for (const SuiteMember& m : members_)
    if (m.keep) {
      made.push_back(m);
      wanted -= m.confirmed;
      seconds -= this->seconds(m);
    }
  const auto ends = pool();
  std::vector<std::vector<ItemSet>> steps;
  std::vector<std::vector<double>> more;
  for (const NodeId end : ends) {
    auto& hits = steps.emplace_back();
    auto& beyond = more.emplace_back();
    for (const NodeId node : replay_.history().path(end)) {
      hits.push_back(material_.surely(node));
      beyond.push_back(material_.link(node).more);
    }
  }
  for (const auto& [trace, length] : cheapest_suite(steps, wanted, options_.prices, seconds, more))
    made.push_back(ran(ends[trace], length));
  return made;
}

void Making::reselect() {
  auto made = select(std::numeric_limits<double>::infinity());
  ItemSet covered = base_;
  for (const SuiteMember& m : made) covered |= m.confirmed;
  if (promised_.within(covered) && cost(made) < cost(members_)) members_ = std::move(made);
}

std::vector<std::uint32_t> Making::owners() const {
  std::vector<std::uint32_t> out;
  for (const SuiteMember& m : members_)
    for (const std::uint32_t item : m.confirmed.ids()) {
      if (item >= out.size()) out.resize(item + 1U, 0);
      ++out[item];
    }
  return out;
}

ItemSet Making::only(const SuiteMember& m, const std::vector<std::uint32_t>& owners) const {
  ItemSet out;
  for (const std::uint32_t item : matters(m.confirmed).ids())
    if (owners[item] == 1 && !base_.contains(item)) out.add(item);
  return out;
}

void Making::settle() {
  for (double before = cost(members_) + 1; cost(members_) < before && !trials_.over();) {
    before = cost(members_);
    if (options_.k > 0) join();
    polish();
    reselect();
  }
}

void Making::polish() {
  const double until = spare(polish_runs, polish_share);
  for (bool changed = true; changed && !enough(until);) {
    changed = false;
    const auto before = owners();
    std::stable_sort(members_.begin(), members_.end(), [&](const SuiteMember& a, const SuiteMember& b) {
      return only(a, before).count() < only(b, before).count();
    });
    for (std::size_t i = 0; i < members_.size() && !enough(until);) {
      SuiteMember& m = members_[i];
      const ItemSet needed = only(m, owners()) & promised_;
      say("polishing: trace {} of {}", i + 1, members_.size());
      if (!m.keep && needed.empty()) {
        members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
        continue;
      }
      const std::uint64_t question = Hasher().add(hash_of(m.path)).add(needed.hash()).finish();
      if (!m.keep && !polished_.contains(question)) {
        if (auto shorter = shortest(m, needed, {.tail = true, .ways = ways_again}, true)) {
          m = std::move(*shorter);
          changed = true;
        } else {
          polished_.insert(question);
        }
      }
      ++i;
    }
  }
}

void Making::join() {
  const Bridges bridges = all_bridges();
  for (bool joined = true; joined && !trials_.over();) joined = join(bridges, all_joins(bridges));
}

/// One round: every trace takes part in one join at most.
bool Making::join(const Bridges& bridges, const std::vector<Join>& joins) {
  std::vector<char> used(members_.size(), 0);
  std::size_t in_vain = 0;
  for (std::size_t i = 0; i < joins.size() && in_vain < most_joins && !trials_.over();) {
    std::vector<const Join*> batch;
    std::vector<Path> paths;
    for (; i < joins.size() && batch.size() < joins_at_once; ++i) {
      if (used[joins[i].first] || used[joins[i].second]) continue;
      Path path = bridges.joined(members_[joins[i].first].path, members_[joins[i].second].path, joins[i]);
      if (fails(path) || known_.is_aside(hash_of(path))) continue;
      batch.push_back(&joins[i]);
      paths.push_back(std::move(path));
    }
    say("joining: {} traces, {} candidates replayed of {}", members_.size(), trials_.replayed(),
        trials_.tried());
    const auto tried = trials_.ask(paths, Until::lowest_yes);
    for (std::size_t b = 0; b < batch.size(); ++b) {
      const bool joined = accept(*batch[b], paths[b], tried[b]);
      in_vain = joined ? 0 : in_vain + 1;
      if (!joined) continue;
      used[batch[b]->first] = used[batch[b]->second] = 1;
      i = static_cast<std::size_t>(batch[b] - joins.data()) + 1;  // those after it were not asked
      break;
    }
  }
  return std::erase_if(members_, [](const SuiteMember& m) { return m.path.empty(); }) > 0;
}

std::vector<Join> Making::all_joins(const Bridges& bridges) const {
  const auto owned = owners();
  std::vector<Bridges::Part> parts;
  for (const SuiteMember& m : members_) parts.push_back({&m.path, first_needed(m, owned)});
  std::vector<Join> all;
  for (std::uint32_t a = 0; a < parts.size(); ++a)
    for (std::uint32_t b = 0; b < parts.size(); ++b) {
      if (a == b || members_[a].keep || members_[b].keep) continue;
      for (Join& join : bridges.between(parts[a], parts[b], options_.prices, joins_each)) {
        join.first = a, join.second = b;
        all.push_back(join);
      }
    }
  std::stable_sort(all.begin(), all.end(), [](const Join& a, const Join& b) { return a.saving > b.saving; });
  return all;
}

std::uint32_t Making::first_needed(const SuiteMember& m, const std::vector<std::uint32_t>& owned) const {
  const ItemSet needed = only(m, owned);
  for (std::uint32_t i = 0; i < m.path.size(); ++i)
    if (!(known_.set(m.path[i].items) & needed).empty()) return i;
  return 0;
}

bool Making::accept(const Join& join, const Path& path, const Tried& tried) {
  if (tried.verdict == Verdict::unresolved && !tried.why.empty()) known_.set_aside(hash_of(path));
  if (tried.verdict != Verdict::yes) return false;
  ItemSet others = base_ | tried.confirmed;
  for (std::uint32_t i = 0; i < members_.size(); ++i)
    if (i != join.first && i != join.second) others |= members_[i].confirmed;
  if (!promised_.within(others)) {
    known_.set_aside(hash_of(path));
    return false;
  }
  members_[join.first] = {.path = path,
                          .end = tried.end,
                          .confirmed = tried.confirmed,
                          .fragments = members_[join.first].fragments + members_[join.second].fragments};
  members_[join.second] = {};  // its place is given up at the end of the round
  return true;
}

}  // namespace norn

#include "shrink/level.h"

#include <algorithm>
#include <iterator>

namespace norn {
namespace {

/// Candidates that leave out one run of members each.
class Drops final : public Batch {
 public:
  Drops(Level& level, const std::vector<Run>& runs) : level_(level), runs_(runs) {}
  std::optional<Candidate> next() override {
    if (i_ == runs_.size()) return std::nullopt;
    return level_.without(runs_[i_++]);
  }

 private:
  Level& level_;
  const std::vector<Run>& runs_;
  std::size_t i_ = 0;
};

/// What a round leaves out, in the order of trying: all but the last chunk, then single chunks backwards. Of
/// two chunks these are the same.
std::vector<Run> round_of(const std::vector<std::size_t>& borders) {
  std::size_t n = borders.size() - 1;
  std::vector<Run> runs{{0, borders[n - 1]}};
  for (std::size_t i = n - 1; n > 2 && i-- > 0;) runs.push_back({borders[i], borders[i + 1]});
  return runs;
}

}  // namespace

StateTree tree_of(const Problem& problem) {
  if (problem.states.size() == problem.size) return StateTree(problem.states);
  return StateTree(std::vector<StateId>(problem.size));
}

std::vector<Member> whole_subtrees(const StateTree& tree, const std::vector<std::uint32_t>& nodes) {
  std::vector<Member> members;
  for (std::uint32_t node : nodes) members.push_back({node, tree.weight(node)});
  return members;
}

Level::Level(const Indices& context, std::vector<Member> members) : members_(std::move(members)) {
  auto next = context.begin();
  for (const Member& m : members_) {
    for (; next != context.end() && *next < m.node; ++next) list_.push_back(*next);
    for (std::uint32_t i = 0; i < m.events; ++i) list_.push_back(m.node + i);
  }
  list_.insert(list_.end(), next, context.end());
  hash_ = set_hash(list_);
  place();
}

void Level::place() {
  offsets_.clear();
  sums_.assign(1, 0);
  auto at = list_.begin();
  for (const Member& m : members_) {
    at = std::lower_bound(at, list_.end(), m.node);
    offsets_.push_back(static_cast<std::size_t>(at - list_.begin()));
    sums_.push_back(sums_.back() + set_hash({at, m.events}));
  }
}

Candidate Level::without(Run members) {
  rest_.clear();
  std::size_t from = 0;
  auto copy_to = [&](std::size_t to) {
    rest_.insert(rest_.end(), list_.begin() + static_cast<std::ptrdiff_t>(from),
                 list_.begin() + static_cast<std::ptrdiff_t>(to));
  };
  for (std::size_t i = members.begin; i < members.end; ++i) {
    copy_to(offsets_[i]);
    from = offsets_[i] + members_[i].events;
  }
  copy_to(list_.size());
  return {rest_, hash_ - (sums_[members.end] - sums_[members.begin])};
}

void Level::drop(Run members) {
  hash_ = without(members).hash;
  list_.swap(rest_);
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(members.begin),
                 members_.begin() + static_cast<std::ptrdiff_t>(members.end));
  place();
}

std::vector<std::size_t> borders(const std::vector<Member>& members, std::size_t n, Cut cut) {
  std::vector<std::size_t> starts{0};
  std::uint64_t total = 0, weight = 0;
  for (const Member& m : members) total += m.events;
  for (std::size_t i = 0; i < members.size() && starts.size() < n; ++i) {
    weight += members[i].events;
    bool full =
        cut == Cut::events ? weight * n >= total : i + 1 == chunk(starts.size(), n, members.size()).begin;
    bool must = members.size() - i - 1 == n - starts.size();  // one each for the chunks still to come
    if (!full && !must) continue;
    starts.push_back(i + 1);
    weight = 0;
  }
  starts.push_back(members.size());
  return starts;
}

bool reduce_level(Level& level, Cut cut, Question& criterion) {
  bool dropped = false;
  std::size_t n = 2;
  while (level.size() >= 2 && !criterion.stopped()) {
    std::vector<Run> runs = round_of(borders(level.members(), n, cut));
    Drops drops(level, runs);
    if (Answers answers = ask_all(criterion, drops); answers.yes) {
      level.drop(runs[*answers.yes]);
      n = *answers.yes == 0 ? 2 : std::max<std::size_t>(n - 1, 2);
      dropped = true;
    } else if (n < level.size()) {
      n = std::min(2 * n, level.size());
    } else {
      break;
    }
  }
  return dropped;
}

std::vector<std::uint32_t> next_level(const StateTree& tree, const Level& level) {
  std::vector<std::uint32_t> nodes;
  for (const Member& m : level.members()) std::ranges::copy(tree.children(m.node), std::back_inserter(nodes));
  return nodes;
}

Indices with_nodes(const Indices& context, const Level& level) {
  Indices nodes, both;
  for (const Member& m : level.members()) nodes.push_back(m.node);
  std::ranges::merge(context, nodes, std::back_inserter(both));
  return both;
}

}  // namespace norn

// For the benchmark: why a bug is not found. An input shows a bug if it leads elsewhere with that bug alone
// off; so everything that was run is run again without it, side by side.
//   a  no input shows it: exploring never did what it takes
//   b  inputs show it, and no expectation about values fails there that holds without the bug
//   c  one does, but it is not learnt, or what is asked of a report drops it
// What pairs of ways say (neutral, hidden) is not asked again: a bug that only they could find counts under b.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/odin/anomaly.h"
#include "detect/pairs.h"
#include "detect/testing.h"
#include "detect/values/expectations.h"

namespace norn::testing {

/// The same inputs on another app: which of its nodes stands for which of ours, none where it did not get
/// there.
struct SideBySide {
  std::unique_ptr<Service> other;
  std::vector<NodeId> twin;
  std::vector<bool> differs;
  std::size_t different = 0;
};

inline void align(const History& tree, NodeId leaf, SideBySide& out) {
  Replay& replay = *out.other->replay;
  const History& there = replay.history();
  const Outcome o = replay.ask({.events = replay.intern(tree.events_to(leaf))});
  if (o.verdict == Verdict::unresolved) return;
  std::vector<NodeId> way;  // the other's nodes, by depth
  for (NodeId n = o.end; n != there.root(); n = there.parent(n)) way.push_back(n);
  way.push_back(there.root());
  std::ranges::reverse(way);
  for (NodeId n = leaf;; n = tree.parent(n)) {
    const std::uint32_t depth = tree.depth(n);
    if (depth < way.size() && !out.twin[n.value]) {
      out.twin[n.value] = way[depth];
      out.differs[n.value] = !tree.crash(n) && !alike(tree.screen(n), there.screen(way[depth]));
    } else if (depth >= way.size()) {
      out.differs[n.value] = true;
    }
    if (n == tree.root()) return;
  }
}

inline std::optional<SideBySide> side_by_side(const History& tree, const std::string& spec) {
  auto service = serve(spec, {});
  if (!service) return std::nullopt;
  SideBySide out{std::move(*service), std::vector<NodeId>(tree.size()), std::vector<bool>(tree.size()), 0};
  std::vector<bool> inner(tree.size());
  for (std::uint32_t n = 1; n < tree.size(); ++n) inner[tree.parent({n}).value] = true;
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (!inner[n]) align(tree, {n}, out);
  for (const bool d : out.differs) out.different += d;
  return out;
}

constexpr double speaks_at_all =
    0.2;  ///< what holds half of the time looks as good by chance: beyond this it says nothing

/// The situation of an expectation that speaks most clearly of the bug.
struct Speaks {
  std::string who = "";
  std::string words = "";
  std::size_t held = 0, failed = 0, nodes = 0;
  double p = 2;
};

inline Speaks speaks(const History& tree, SideBySide& side, MakeExpectation make) {
  const History& there = side.other->replay->history();
  DataCache data(tree), other_data(there);
  const auto here = make(tree, data), other = make(there, other_data);
  struct Tally {
    std::set<std::uint64_t> held, failed;
    std::size_t nodes = 0;
    std::string words;
  };
  std::map<std::uint64_t, Tally> all;
  std::vector<Case> cases, twins;
  const auto situation = [](const Case& c) { return Hasher().add(c.group).add(c.mode).finish(); };
  for (std::uint32_t n = 0; n < tree.size(); ++n) {
    if (tree.crash(NodeId{n}) || tree.screen(NodeId{n}).kind == Screen::Kind::unseen) continue;
    cases.clear(), twins.clear();
    here->look({n}, cases);
    const bool shows =
        side.differs[n] || (n > 0 && side.differs[tree.parent({n}).value]);  // some compare both
    if (shows && side.twin[n] && !there.crash(side.twin[n])) other->look(side.twin[n], twins);
    for (const Case& c : cases) {
      Tally& t = all[situation(c)];
      (c.held ? t.held : t.failed).insert(c.value);
      const bool without =
          std::ranges::any_of(twins, [&](const Case& x) { return !x.held && situation(x) == situation(c); });
      if (!c.held && shows && !without) ++t.nodes, t.words = c.words;
    }
  }
  Speaks best;
  for (const auto& [key, t] : all) {
    const double p = binomial_at_most(static_cast<std::uint32_t>(t.failed.size()),
                                      static_cast<std::uint32_t>(t.held.size() + t.failed.size()), 0.5);
    if (t.nodes > 0 && p < best.p)
      best = {std::string(here->name()), t.words, t.held.size(), t.failed.size(), t.nodes, p};
  }
  return best;
}

/// Prints why each of these bugs may have been missed. `without(bug)`: the app with that bug alone off.
template <class Without>
void why_missed(const History& tree, const std::set<std::string>& bugs, const std::set<std::string>& found,
                const std::string& app, Without without) {
  for (const std::string& bug : bugs) {
    auto side = side_by_side(tree, without(bug));
    if (!side) continue;
    char kind = 'a';
    std::vector<Speaks> all;
    if (side->different > 0) {
      kind = 'b';
      for (const MakeExpectation make : all_expectations)
        if (Speaks s = speaks(tree, *side, make); s.nodes > 0) {
          if (s.p <= speaks_at_all) kind = 'c';
          all.push_back(std::move(s));
        }
    }
    fmt::print("why {} {}: {}, shown by {} of {} nodes\n", app, bug,
               found.contains(bug) ? std::string("found") : std::string(1, kind), side->different,
               tree.size());
    for (const Speaks& s : all)
      fmt::print("    {:8} held {} failed {} p {:.2g} ({} nodes): {}\n", s.who, s.held, s.failed, s.p,
                 s.nodes, s.words);
  }
}

}  // namespace norn::testing

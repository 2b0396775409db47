// Phase 3, shrinking: a trace that is kept for a few things is reduced to them as a crash is, by taking
// events out and looking whether the rest still does it. Loops between equal places, which phase 1 cuts, are
// not all there is to cut: what an explorer did on its way is mostly of no consequence, whatever the screens
// looked like.
#include <algorithm>

#include "shrink/shrink.h"
#include "suite/making.h"

namespace norn {
namespace {

constexpr double dig_runs = 60, shrink_runs = 4;      ///< runs of the suite that each may take
constexpr double dig_share = 2, shrink_share = 0.25;  ///< of one run of what was given, at most
constexpr std::uint32_t deep = 12;                    ///< events to a thing, before a shorter way is sought

/// "Does this part of the trace still hit all of that?" An event whose target is not there is left out.
class StillHits final : public Question {
 public:
  StillHits(Trials& trials, Material& material, const Knowledge& known, const Path& path,
            const ItemSet& needed, const Prices& prices, double until)
      : trials_(trials),
        material_(material),
        known_(known),
        path_(path),
        needed_(needed),
        prices_(prices),
        until_(until) {}

  Verdict ask(const Candidate& candidate) override {
    if (stopped()) return Verdict::unresolved;
    std::vector<EventId> events;
    for (const std::uint32_t i : candidate.kept) events.push_back(path_[i].event);
    const auto end = trials_.run(events);
    if (!end) return Verdict::unresolved;
    const Path ran = material_.path(*end);
    if (!needed_.within(items_of(ran, known_))) return Verdict::no;
    if (best.empty() || ran.size() < best.size()) best = ran;
    return Verdict::yes;
  }
  bool stopped() const override { return trials_.over() || trials_.asked_seconds() > until_; }
  Prices prices() const override { return prices_; }

  Path best;  ///< the shortest way that did it, as it was run

 private:
  Trials& trials_;
  Material& material_;
  const Knowledge& known_;
  const Path& path_;
  const ItemSet& needed_;
  Prices prices_;
  double until_;
};

/// Up to the last step that is needed.
std::size_t useful_length(const Path& path, ItemSet needed, const Knowledge& known) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < path.size() && !needed.empty(); ++i) {
    const ItemSet& items = known.set(path[i].items);
    if ((items & needed).empty()) continue;
    needed -= items;
    length = i + 1;
  }
  return length;
}

}  // namespace

std::optional<Path> Making::shrunk(Path path, const ItemSet& needed, Algorithm reducer, double until) {
  path.resize(std::max<std::size_t>(1, useful_length(path, needed, known_)));
  Problem problem{.size = static_cast<std::uint32_t>(path.size()), .states = {}};
  StateId at{material_.loose_start()};
  for (const Link& link : path) {
    problem.states.push_back(at);
    at = StateId{link.loose};
  }
  StillHits still(trials_, material_, known_, path, needed, options_.prices, until);
  Remembering remembering(still);
  reducer(problem, remembering);
  Path best = still.best.empty() ? path : std::move(still.best);
  best.resize(std::max<std::size_t>(1, useful_length(best, needed, known_)));
  return best.size() < path.size() ? std::optional(std::move(best)) : std::nullopt;
}

/// A thing that was met by chance after a hundred events may be a few events away: the way there is shrunk,
/// the longest first, so that the search has short ways to everything.
void Making::dig() {
  if (!replay_.assumed_deterministic()) return;
  const double until = spare(dig_runs, dig_share);
  look();
  ItemSet left = promised_ - base_;
  while (!enough(until)) {
    NodeId deepest{};
    std::uint32_t depth = deep;
    for (const std::uint32_t item : left.ids()) {
      const auto at = nearest_.find(item);
      if (at == nearest_.end() || replay_.history().depth(at->second) <= depth) continue;
      deepest = at->second;
      depth = replay_.history().depth(deepest);
    }
    if (depth == deep) return;
    ItemSet goal;
    for (const std::uint32_t item : left.ids())
      if (const auto at = nearest_.find(item); at != nearest_.end() && at->second == deepest) goal.add(item);
    say("looking for a shorter way to what lies {} events deep", depth);
    shrunk(material_.path(deepest), goal, norn_reducer, until);
    left -= goal;
    look();
  }
}

void Making::shrink() {
  if (!replay_.assumed_deterministic()) return;
  const double until = spare(shrink_runs, shrink_share);
  // The longest first: there is most to gain.
  std::stable_sort(members_.begin(), members_.end(),
                   [](const SuiteMember& a, const SuiteMember& b) { return a.path.size() > b.path.size(); });
  for (std::size_t i = 0; i < members_.size() && !enough(until); ++i) {
    SuiteMember& m = members_[i];
    const ItemSet needed = only(m, owners()) & promised_;
    if (m.keep || needed.empty()) continue;
    say("shrinking: trace {} of {}, {} events", i + 1, members_.size(), m.path.size());
    const auto shorter = shrunk(m.path, needed, hdd, until);
    if (!shorter) continue;
    const Tried tried = trials_.ask(*shorter);
    if (tried.verdict == Verdict::yes && needed.within(tried.confirmed)) m = ran(tried.end, shorter->size());
  }
  trim(members_);
}

}  // namespace norn

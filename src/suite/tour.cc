// The tour: a suite from nothing, made of known steps. From where it stands it goes on to the nearest step that hits
// something still wanted, over steps between abstract states as the traces made them; a device says whether that
// replays. Where nothing near does, or a fresh start is cheaper, a new trace begins, with the shortest beginning known to
// replay. Splicing whole fragments carries their detours along; the tour does not, and every question shares its prefix
// with the one before, so that a snapshot pays for it.
#include <algorithm>

#include "suite/making.h"

namespace norn {
namespace {

constexpr std::size_t tries_each = 5;  ///< ways on from one place that are tried
constexpr std::uint32_t longest_way = 12;

}  // namespace

Member Making::beginning(std::size_t good, std::size_t length) {
  const auto& [path, end] = trials_.good()[good];
  const auto nodes = replay_.history().path(end);
  Member out{.path = Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)),
             .end = nodes[length - 1],
             .confirmed = {}};
  for (std::size_t i = 0; i < length; ++i) out.confirmed |= material_.surely(nodes[i]);
  return out;
}

std::optional<Member> Making::known_way(const ItemSet& wanted) {
  std::size_t best = 0, length = 0;
  const auto& good = trials_.good();
  for (std::size_t g = 0; g < good.size(); ++g) {
    const Path& path = good[g].first;
    const std::size_t limit = length == 0 ? path.size() : std::min(path.size(), length - 1);
    PrefixHash prefix = empty_prefix;
    for (std::size_t i = 0; i < limit; ++i) {
      prefix = extend(prefix, path[i]);
      if ((known_.items(prefix, path[i]) & wanted).empty()) continue;
      best = g, length = i + 1;
      break;
    }
  }
  if (length == 0) return std::nullopt;
  return beginning(best, length);
}

std::optional<Member> Making::onward(const Bridges& bridges, const Member& here, const ItemSet& wanted) {
  const auto fresh = known_way(wanted);
  double worth = fresh ? static_cast<double>(fresh->path.size()) : longest_way;  // longer: rather begin anew
  if (!here.path.empty()) worth += options_.prices.restart / std::max(options_.prices.event, 1e-9);
  if (here.path.empty()) worth -= 1;
  const auto longest = static_cast<std::uint32_t>(std::clamp(worth, 0.0, static_cast<double>(longest_way)));
  const Joint at = here.path.empty() ? material_.loose_start() : here.path.back().loose;
  std::size_t tries = 0;
  for (const Path& more : bridges.nearest(at, wanted, known_, longest, 4 * tries_each)) {
    Path path = here.path;
    path.insert(path.end(), more.begin(), more.end());
    if (fails(path) || known_.is_aside(hash_of(path)) || (items_of(path, known_) & wanted).empty()) continue;
    if (trials_.over() || ++tries > tries_each) break;
    const Tried tried = trials_.ask(path);
    if (tried.verdict == Verdict::unresolved) known_.set_aside(hash_of(path));
    if (tried.verdict == Verdict::yes && !(tried.confirmed & wanted).empty())
      return Member{.path = std::move(path), .end = tried.end, .confirmed = tried.confirmed};
  }
  return std::nullopt;
}

void Making::tour() {
  if (!replay_.assumed_deterministic()) return;  // every question would be several cold runs
  std::vector<Path> traces;
  for (const Input& input : inputs_) traces.push_back(input.path);
  const Bridges bridges(traces, material_.loose_start());
  std::vector<Member> made;
  ItemSet wanted = promised_ - base_;
  for (const Member& m : members_)
    if (m.keep) {
      made.push_back(m);
      wanted -= m.confirmed;
    }
  Member here;
  while (!wanted.empty() && !trials_.over() && cost(made) < cost(members_)) {
    say("touring: {} items to cover, {} traces, {} candidates replayed of {}", wanted.count(), made.size(),
        trials_.replayed(), trials_.tried());
    auto next = onward(bridges, here, wanted);
    if (!next) {
      if (!here.path.empty()) made.push_back(std::move(here));
      here = {};
      next = known_way(wanted);
      if (!next) break;
    }
    here = std::move(*next);
    wanted -= here.confirmed;
  }
  if (!here.path.empty()) made.push_back(std::move(here));
  complete(made, members_, wanted);
  if (cost(made) < cost(members_)) members_ = std::move(made);
}

}  // namespace norn

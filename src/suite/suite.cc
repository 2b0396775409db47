// Phases 0 to 2.
#include "suite/suite.h"

#include <algorithm>
#include <deque>
#include <set>

#include "suite/cover.h"
#include "suite/making.h"
#include "suite/splice.h"

namespace norn {
namespace {

constexpr std::size_t ways_each = std::size_t{1} << 17;  ///< of cutting a trace that are looked at
constexpr std::size_t most_ahead = 8;                    ///< splices
constexpr std::size_t ahead = 4;                         ///< candidates given to the devices at once
constexpr std::uint32_t most_tries = 50;                 ///< shorter forms of one trace that are tried
constexpr std::uint32_t most_unresolved = 8;             ///< in a row, before a phase is given up
constexpr std::uint32_t most_rounds_in_vain =
    100;                              ///< splices in a row that do not replay, before splicing is given up
constexpr double splice_runs = 10;    ///< runs of the suite that splicing may take
constexpr double splice_share = 0.5;  ///< of one run of what was given, at most
constexpr std::size_t most_links = 1000;  ///< in the library of fragments, beside those of phase 1

Path loosened(Path path) {
  for (Link& link : path) link.joint = link.loose;
  return path;
}

}  // namespace

Result<SuiteResult> Making::run(std::span<const NodeId> traces) {
  NORN_CHECK(take(traces));
  begin_phase();
  if (options_.paper)
    stabilise_all();
  else
    stabilise_chosen();
  promise();
  end_phase("stabilised");
  cut();
  end_phase("loops cut");
  if (options_.k > 0) splice();
  end_phase("spliced");
  if (!options_.paper) {
    reselect();
    polish();
    dig();
    if (options_.k > 0) tour();
    shrink();
    replan();
    end_phase("polished");
  }
  set_order();
  meet_target();
  certify();
  meet_target_as_measured();
  end_phase("checked");
  return report();
}

Status Making::take(std::span<const NodeId> traces) {
  const History& tree = replay_.history();
  std::set<NodeId> seen;
  const auto add = [&](NodeId node, bool keep) -> Status {
    if (!tree.contains(node))
      return fail(Error::Kind::bad_input, fmt::format("node {} is not in the tree", node.value));
    if (node == tree.root() || !seen.insert(node).second) return {};
    inputs_.push_back({.node = node, .path = material_.path(node), .claims = {}, .keep = keep});
    return {};
  };
  for (const NodeId node : options_.keep) NORN_CHECK(add(node, true));
  for (const NodeId node : traces) NORN_CHECK(add(node, false));
  if (inputs_.empty()) return fail(Error::Kind::bad_input, "there are no traces to make a suite of");
  base_ = material_.base();
  claimed_ = base_;
  result_.before.traces = inputs_.size();
  for (Input& input : inputs_) {
    const ItemSet all = items_of(input.path, known_);
    claimed_ |= all;
    input.claims = matters(all);
    result_.before.events += input.path.size();
    given_seconds_ += seconds(input.path);
  }
  count(claimed_, result_.before);
  return {};
}

void Making::stabilise_all() {
  for (std::size_t i = 0; i < inputs_.size() && !trials_.over(); ++i) {
    say("stabilising trace {} of {}", i + 1, inputs_.size());
    while (!inputs_[i].confirmed && !inputs_[i].path.empty() && !trials_.over())
      stabilised(inputs_[i], trials_.ask(inputs_[i].path));
  }
  ItemSet covered = base_;
  for (const Input& input : inputs_) {
    if (!input.confirmed || (!input.keep && input.claims.within(covered))) continue;
    covered |= input.claims;
    members_.push_back(member(input));
  }
}

void Making::stabilise_chosen() {
  std::vector<std::uint32_t> chosen;
  for (std::size_t round = 1; !trials_.over(); ++round) {
    chosen = choose();
    std::vector<std::uint32_t> open;
    for (const std::uint32_t i : chosen)
      if (!inputs_[i].confirmed && !inputs_[i].path.empty()) open.push_back(i);
    if (open.empty()) break;
    say("stabilising {} of {} traces, round {}", open.size(), inputs_.size(), round);
    std::vector<Path> paths;
    for (const std::uint32_t i : open) paths.push_back(inputs_[i].path);
    const auto tried = trials_.ask(paths, Until::all);
    for (std::size_t i = 0; i < open.size(); ++i) stabilised(inputs_[open[i]], tried[i]);
  }
  for (const std::uint32_t i : choose())
    if (inputs_[i].confirmed) members_.push_back(member(inputs_[i]));
}

std::vector<std::uint32_t> Making::choose() const {
  std::vector<std::uint32_t> chosen;
  ItemSet covered = base_;
  std::vector<ItemSet> claims;
  std::vector<double> costs;
  for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].keep) {
      chosen.push_back(i);
      covered |= inputs_[i].claims;
    }
    claims.push_back(inputs_[i].claims);
    costs.push_back(seconds(inputs_[i].path));
  }
  for (const std::uint32_t i : greedy_cover(claims, covered, costs)) chosen.push_back(i);
  return chosen;
}

void Making::stabilised(Input& input, const Tried& tried) {
  if (tried.verdict == Verdict::yes) {
    input.confirmed = true;
    input.end = tried.end;
    // It may have crashed as it should, but sooner.
    input.path.resize(std::min<std::size_t>(input.path.size(), replay_.history().depth(tried.end)));
    blame(input, input.claims - tried.confirmed, "it was hit in some runs only");
    input.claims = matters(tried.confirmed);
    return;
  }
  const ItemSet had = input.claims;
  const bool fails = tried.verdict == Verdict::no;
  if (fails && (result_.unstable.empty() || result_.unstable.back() != input.node))
    result_.unstable.push_back(input.node);
  if (fails)
    input.path.resize(tried.failing - 1);
  else
    input.path.clear();  // the rig could not say; others may have what it claims
  input.claims = matters(items_of(input.path, known_));
  blame(input, had - input.claims, tried.why.empty() ? "it was not run" : tried.why);
  if (input.keep)
    progress_.warning(
        fmt::format("a trace to keep {}: {}", fails ? "does not replay" : "could not be run", tried.why));
}

void Making::blame(const Input& input, const ItemSet& items, const std::string& why) {
  for (const std::uint32_t item : items.ids()) reasons_.try_emplace(item, why, input.node);
}

SuiteMember Making::member(const Input& input) const {
  return {.path = input.path, .end = input.end, .confirmed = input.claims, .keep = input.keep};
}

void Making::promise() {
  promised_ = base_;
  for (const SuiteMember& m : members_) promised_ |= m.confirmed;
  promised_ = matters(promised_);
  originals_ = members_;
  for (const Input& input : inputs_) {
    result_.replayable.traces += input.path.empty() ? 0 : 1;
    result_.replayable.events += input.path.size();
  }
  count(promised_ | base_, result_.replayable);
}

void Making::cut() {
  std::vector<SuiteMember> done;
  ItemSet covered = base_;
  for (const SuiteMember& m : members_)
    if (m.keep) {
      done.push_back(m);
      covered |= m.confirmed;
    }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    SuiteMember& m = members_[i];
    if (m.keep) continue;
    const ItemSet needed = matters(m.confirmed) - covered;
    if (needed.empty()) continue;
    say("cutting loops: trace {} of {}, {} candidates replayed of {}", i + 1, members_.size(),
        trials_.replayed(), trials_.tried());
    CutRules rules{.tail = options_.tail};
    if (!options_.paper) rules.ways = ways_each;
    if (auto shorter = shortest(m, needed, rules)) m = std::move(*shorter);
    covered |= m.confirmed;
    done.push_back(std::move(m));
  }
  members_ = std::move(done);
}

std::optional<SuiteMember> Making::shortest(const SuiteMember& m, const ItemSet& needed, CutRules rules,
                                            bool loose) {
  const Path whole = loose ? loosened(m.path) : m.path;
  Cuts cuts(whole, loose ? material_.loose_start() : material_.start(), needed, known_, rules);
  std::deque<Path> waiting;
  std::uint32_t tries = 0;
  const std::size_t width = options_.paper ? 1 : ahead;
  while (!trials_.over() && (options_.paper || tries < most_tries)) {
    while (waiting.size() < width)
      if (auto next = cuts.next())
        waiting.push_back(std::move(*next));
      else
        break;
    if (waiting.empty() || waiting.front().size() >= m.path.size()) return std::nullopt;
    const std::vector<Path> batch(waiting.begin(), waiting.end());
    const auto tried = trials_.ask(batch, Until::lowest_yes);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (tried[i].verdict == Verdict::unresolved && tried[i].why.empty()) break;
      waiting.pop_front();
      ++tries;
      if (tried[i].verdict == Verdict::unresolved) known_.set_aside(hash_of(batch[i]));
      if (tried[i].verdict != Verdict::yes) continue;
      if (needed.within(tried[i].confirmed))
        return SuiteMember{
            .path = batch[i], .end = tried[i].end, .confirmed = tried[i].confirmed, .fragments = m.fragments};
      break;
    }
  }
  return std::nullopt;
}

void Making::splice() {
  std::vector<Path> library;
  for (const SuiteMember& m : members_) library.push_back(m.path);
  std::vector<SuiteMember> made = splice(library, material_.start());
  if (!options_.paper) {
    // Once more with more fragments and looser joints: what replays is in the pool that phase 3 chooses from.
    enrich(library);
    for (Path& path : library) path = loosened(std::move(path));
    auto loose = splice(library, material_.loose_start());
    if (cost(loose) < cost(made)) made = std::move(loose);
  }
  if (options_.paper || cost(made) < cost(members_)) members_ = std::move(made);
}

std::vector<Splice> Making::best_ones(Splices& splices, const ItemSet& wanted, std::size_t most) {
  std::vector<Splice> out;
  while (out.size() < most) {
    auto next = splices.best(wanted);
    if (!next) break;
    known_.set_aside(hash_of(next->path));
    out.push_back(std::move(*next));
  }
  for (const Splice& one : out) known_.take_back(hash_of(one.path));
  return out;
}

std::vector<SuiteMember> Making::splice(const std::vector<Path>& library, Joint start) {
  std::vector<SuiteMember> made;
  ItemSet confirmed = base_, wanted;
  for (const SuiteMember& m : members_) {
    wanted |= matters(m.confirmed);
    if (!m.keep) continue;
    made.push_back(m);
    confirmed |= m.confirmed;
  }
  Splices splices(library, start, known_, options_.k);
  std::uint32_t unresolved = 0, in_vain = 0;
  std::size_t width = 1;  // asked at once; more after each failure, whatever the number of devices
  const double until =
      options_.paper ? std::numeric_limits<double>::infinity() : spare(splice_runs, splice_share);
  while (!enough(until) && unresolved < most_unresolved &&
         (options_.paper || in_vain < most_rounds_in_vain)) {
    const auto next = best_ones(splices, wanted - confirmed, width);
    if (next.empty()) break;
    say("splicing: {} items to cover, {} traces, {} candidates replayed of {}", (wanted - confirmed).count(),
        made.size(), trials_.replayed(), trials_.tried());
    std::vector<Path> paths;
    for (const Splice& one : next) paths.push_back(one.path);
    const auto tried = trials_.ask(paths, Until::lowest_yes);
    width = options_.paper ? 1 : std::min(2 * width, most_ahead);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (tried[i].verdict == Verdict::unresolved && tried[i].why.empty()) break;  // not asked
      unresolved = tried[i].verdict == Verdict::unresolved ? unresolved + 1 : 0;
      if (tried[i].verdict == Verdict::unresolved) known_.set_aside(hash_of(paths[i]));
      in_vain = tried[i].verdict == Verdict::yes ? 0 : in_vain + 1;
      if (tried[i].verdict != Verdict::yes) continue;
      width = 1;
      if (tried[i].lacking) break;  // what it has is known now
      made.push_back({.path = paths[i],
                      .end = tried[i].end,
                      .confirmed = tried[i].confirmed,
                      .fragments = next[i].fragments});
      confirmed |= tried[i].confirmed;
      break;
    }
  }
  complete(made, members_, wanted - confirmed);
  return made;
}

void Making::enrich(std::vector<Path>& library) {
  std::size_t links = 0;
  ItemSet covered = base_;
  for (const Input& input : inputs_) {
    if (input.claims.within(covered) || links + input.path.size() > most_links) continue;
    const ItemSet needed = input.claims - covered;
    covered |= input.claims;
    links += input.path.size();
    library.push_back(input.path);
    if (!replay_.assumed_deterministic() || trials_.over()) continue;
    const SuiteMember whole{.path = input.path, .end = input.end, .confirmed = input.claims};
    if (auto shorter = shortest(whole, needed, {.tail = true, .ways = ways_each}, true))
      library.push_back(std::move(shorter->path));
  }
}

void Making::complete(std::vector<SuiteMember>& made, const std::vector<SuiteMember>& from,
                      const ItemSet& missing) {
  if (missing.empty()) return;
  std::vector<ItemSet> sets;
  for (const SuiteMember& m : from) sets.push_back(m.confirmed & missing);
  for (const std::uint32_t i : greedy_cover(sets)) made.push_back(from[i]);
}

SuiteOptions SuiteOptions::as_published() {
  SuiteOptions out;
  out.joints = Joints::none;
  out.repeats = 10;
  out.paper = true;
  return out;
}

std::optional<By> by_name(std::string_view name) {
  if (name == "coverage") return By::coverage;
  if (name == "screens") return By::screens;
  if (name == "crashes") return By::crashes;
  if (name == "steps") return By::steps;
  return std::nullopt;
}

std::optional<Joints> joints_by_name(std::string_view name) {
  if (name == "none") return Joints::none;
  if (name == "structure") return Joints::structure;
  if (name == "exact") return Joints::exact;
  return std::nullopt;
}

Result<SuiteResult> make_suite(Replay& replay, std::span<const NodeId> traces, const SuiteOptions& options,
                               Progress& progress, std::stop_token stop) {
  return Making(replay, options, progress, std::move(stop)).run(traces);
}

}  // namespace norn

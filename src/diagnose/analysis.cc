#include "diagnose/analysis.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace norn {
namespace {

/// Where the bug's events stand in its trace: "ties in trace order".
std::vector<std::uint32_t> ranks(const std::vector<Label>& trace, std::size_t labels) {
  std::vector<std::uint32_t> rank(labels);
  for (std::size_t a = 0; a < labels; ++a) {
    const auto at = std::ranges::find(trace, static_cast<Label>(a)) - trace.begin();
    rank[a] = static_cast<std::uint32_t>(
        static_cast<std::size_t>(at) < trace.size() ? static_cast<std::size_t>(at) : trace.size() + a);
  }
  return rank;
}

/// The rule for one (state, label): step; where it died, the start and once more; at the crash, the start.
Bug::Cell make_cell(const Bug& bug, std::uint32_t state, Label label) {
  const Dfa& dfa = bug.walk.dfa;
  const auto none = static_cast<Label>(bug.labels());
  const bool ddroid = bug.options.rules == Semantics::ddroid;
  const std::uint32_t upper = state - bug.plain(state);
  Bug::Cell cell{dfa.step(bug.plain(state), label), label, 0, 0};
  if (cell.next != dead) {
    cell.next += upper;
  } else {
    cell.rejected = 1;
    cell.breaks = ddroid;
    cell.next = dfa.step(dfa.start, label);
  }
  const bool restart = cell.next == dead || dfa.final[bug.plain(cell.next)];
  if (restart) {
    cell.next = dfa.start;
    if (ddroid) cell.before = none;
  }
  if (bug.guard[label] != 0) cell.breaks = 2;
  return cell;
}

template <class T>
void add(std::vector<T>& to, const std::vector<T>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

/// The pairs of the language in which guards are no events, by the labels of `dfa`.
Result<std::vector<std::pair<Label, Label>>> pairs_over(const Nfa& nfa, const Dfa& dfa,
                                                        const std::set<std::string>& guards) {
  if (guards.empty()) return adjacent_pairs(dfa);
  Nfa counted = nfa;
  for (Nfa::Transition& t : counted.transitions)
    if (guards.contains(t.label)) t.label.clear();
  NORN_TRY(const Dfa without, determinise(counted));
  auto pairs = adjacent_pairs(without);
  for (auto& [x, y] : pairs) x = *dfa.find(without.labels[x]), y = *dfa.find(without.labels[y]);
  std::ranges::sort(pairs);
  return pairs;
}

/// Bug::way: Dijkstra from the final states backwards.
std::vector<std::uint64_t> ways_to_the_crash(const Bug& bug) {
  const Dfa& dfa = bug.walk.dfa;
  std::vector<std::vector<std::pair<DfaState, Label>>> before(dfa.size());
  for (DfaState s = 1; s < dfa.size(); ++s)
    for (const Label a : dfa.each_label()) before[dfa.step(s, a)].emplace_back(s, a);
  std::vector<std::uint64_t> out(dfa.size(), Bug::no_way);
  using Near = std::pair<std::uint64_t, DfaState>;
  std::priority_queue<Near, std::vector<Near>, std::greater<>> todo;
  for (DfaState s = 1; s < dfa.size(); ++s)
    if (dfa.final[s]) todo.emplace(out[s] = 0, s);
  while (!todo.empty()) {
    const auto [way, state] = todo.top();
    todo.pop();
    if (way > out[state]) continue;
    for (const auto& [from, label] : before[state])
      if (const std::uint64_t longer = way + bug.cost(from, label); longer < out[from])
        todo.emplace(out[from] = longer, from);
  }
  return out;
}

/// The first edges of shortest paths from `state`; the one that comes first in the trace.
std::optional<Label> next_needed(const Bug& bug, DfaState state) {
  std::optional<Label> best;
  for (const Label a : bug.dfa.each_label())
    if (bug.leads_on(state, a) && (!best || bug.rank[a] < bug.rank[*best])) best = a;
  return best;
}

/// The states that doing `label` in `state` passes through, the crash included.
std::vector<std::uint32_t> passed(const Bug& bug, std::uint32_t state, Label label) {
  const Dfa& dfa = bug.walk.dfa;
  const DfaState next = dfa.step(bug.plain(state), label);
  if (next != dead) return {next + (state - bug.plain(state))};
  const DfaState again = dfa.step(dfa.start, label);
  return again == dead ? std::vector<std::uint32_t>{dfa.start} : std::vector<std::uint32_t>{dfa.start, again};
}

}  // namespace

std::size_t Bug::pivots() const { return labels() - static_cast<std::size_t>(std::ranges::count(guard, 1)); }

Result<Bug> make_bug(std::string name, Nfa nfa, const MatchOptions& options,
                     const std::set<std::string>& guards) {
  const auto named = [&](Error error) {
    error.where = name;
    return std::unexpected(std::move(error));
  };
  auto dfa = determinise(nfa);
  if (!dfa) return named(dfa.error());
  Bug bug;
  // Unions of states after relaunches can be far more than the states themselves, in automata that are no
  // bugs'.
  constexpr DfaLimits unions{
      .labels = DfaLimits{}.labels, .cells = std::size_t{1} << 17, .members = std::size_t{1} << 21};
  const OnRelaunch restart = options.rules == Semantics::ddroid ? OnRelaunch::keep : options.restart;
  auto walk = determinise(nfa, restart,
                          restart == OnRelaunch::keep || restart == OnRelaunch::reset ? DfaLimits{} : unions);
  if (!walk && walk.error().kind == Error::Kind::bad_input) {
    bug.remarks.push_back(
        "too many unions of states after relaunches: a relaunch is taken as no event (--restart keep)");
    walk = determinise(nfa, OnRelaunch::keep);
  }
  if (!walk) return named(walk.error());

  bug.name = std::move(name);
  bug.options = options;
  bug.nfa = std::move(nfa);
  bug.dfa = std::move(*dfa);
  bug.minimal = minimise(bug.dfa).live();
  bug.walk = std::move(*walk);
  for (const std::string& label : bug.dfa.labels) bug.guard.push_back(guards.contains(label));
  bug.way = ways_to_the_crash(bug);
  for (const std::uint64_t way : bug.way)
    bug.distance.push_back(way == Bug::no_way ? std::nullopt
                                              : std::optional(static_cast<std::uint32_t>(way >> 32)));
  NORN_TRY(bug.pairs, pairs_over(bug.nfa, bug.dfa, guards));
  bug.trace = shortest_word(bug.walk.dfa, bug.walk.dfa.start).value_or(std::vector<Label>{});
  bug.rank = ranks(bug.trace, bug.labels());
  const bool marked = std::ranges::any_of(bug.walk.widened, [](auto w) { return w != 0; });
  const std::size_t rows = bug.states() * (marked ? 2 : 1);
  bug.cells.reserve(rows * bug.labels());
  for (std::uint32_t s = 0; s < rows; ++s)
    for (const Label a : bug.dfa.each_label()) bug.cells.push_back(make_cell(bug, s, a));
  return bug;
}

Analyser::Analyser(const Bug& bug) : bug_(bug) { begin(); }

void Analyser::begin() {
  const std::size_t k = bug_.labels();
  run_ = {};
  run_.bug = bug_.name;
  run_.moves.assign(bug_.cells.size(), 0);
  run_.warnings.assign(k, 0);
  run_.relaunched.assign(bug_.states(), 0);
  visited_.assign(bug_.states() * 2, 0);
  pairs_.assign((k + 1) * k, 0);
  prefix_.clear();
  state_ = bug_.walk.dfa.start;
  before_ = static_cast<Label>(k);
  reach(state_, 0, std::nullopt);
}

void Analyser::end() {
  const std::size_t k = bug_.labels();
  run_.pair_counts.assign(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(k * k));
  norn::finish(bug_, run_);
  const auto [mine, theirs] = std::ranges::mismatch(prefix_, bug_.trace);
  if (theirs != bug_.trace.end())
    run_.simple_tc = SimpleClue{static_cast<std::uint64_t>(theirs - bug_.trace.begin()),
                                mine == prefix_.end() ? std::nullopt : std::optional(*mine), *theirs};
  done_.push_back(std::move(run_));
}

std::vector<RunResult> Analyser::finish() {
  end();
  auto out = std::move(done_);
  done_.clear();
  begin();
  return out;
}

void Analyser::feed(const LabelBatch& batch) {
  const std::size_t k = bug_.labels(), n = batch.codes.size();
  const Label* codes = batch.codes.data();
  const auto time = [&](std::size_t i) {
    return batch.seconds.empty() ? std::nullopt : std::optional<double>(batch.seconds[i]);
  };
  for (std::size_t i = 0; i < n;) {
    for (std::size_t j = i; j < n && codes[j] < k && prefix_.size() < bug_.trace.size(); ++j)
      prefix_.push_back(codes[j]);
    // The loop that reads gigabytes: everything it touches is in registers or in three small tables.
    const Bug::Cell* cells = bug_.cells.data();
    std::uint64_t* moves = run_.moves.data();
    std::uint64_t* pairs = pairs_.data();
    std::size_t state = state_, before = before_;
    const std::size_t first = i;
    for (; i < n && codes[i] < k; ++i) {
      const std::size_t label = codes[i], at = state * k + label;
      const Bug::Cell cell = cells[at];
      if (moves[at]++ == 0) [[unlikely]]
        first_move(static_cast<std::uint32_t>(state), codes[i], run_.events + (i - first), time(i));
      ++pairs[(cell.breaks ? k : before) * k + label];
      before = cell.breaks == 2 ? before : cell.before;
      state = cell.next;
    }
    run_.events += i - first;
    state_ = static_cast<std::uint32_t>(state);
    before_ = static_cast<Label>(before);
    if (i < n) {
      signal(codes[i], time(i));
      ++i;
    }
  }
}

void Analyser::signal(Label code, std::optional<double> seconds) {
  const bool heed = bug_.options.rules == Semantics::norn;
  const auto none = static_cast<Label>(bug_.labels());
  const auto relaunch = [&] {
    const DfaState plain = bug_.plain(state_);
    const bool upper =
        bug_.walk.widened[plain] != 0 || (state_ != plain && bug_.walk.relaunch[plain] == plain);
    const DfaState to = bug_.walk.relaunch[plain];
    const bool stays = to == plain && !upper && bug_.walk.dfa.start != to;
    if (!stays && bug_.options.restart != OnRelaunch::keep) ++run_.relaunched[to];
    state_ = to + (upper ? static_cast<std::uint32_t>(bug_.states()) : 0);
    reach(state_, run_.events, seconds);
  };
  switch (code) {
    case signal::next_run:
      end();
      return begin();
    case signal::relaunch:
      ++run_.relaunches;
      if (heed) relaunch();
      return;
    case signal::clean_start:
      run_.begun_clean += run_.is_empty();
      ++run_.clean_starts;
      if (heed) state_ = bug_.walk.dfa.start, before_ = none;
      return;
    case signal::crash:
    case signal::other_crash:
      ++run_.crashes;
      if (code == signal::other_crash)
        ++run_.other_crashes;
      else if (!std::exchange(run_.found, true))
        run_.found_at = run_.events, run_.found_seconds = seconds;
      if (heed) relaunch(), before_ = none;
      return;
    case signal::undecided:
      ++run_.undecided;
      return;
    default:
      if (code >= signal::warning && code - signal::warning < none)
        ++run_.warnings[code - signal::warning];
      else
        ++run_.unknown;
  }
}

/// Which states a cell passes through, and whether it was a rejection, matter only the first time.
void Analyser::first_move(std::uint32_t state, Label label, std::uint64_t at, std::optional<double> seconds) {
  if (!run_.simple_rv && bug_.cells[state * bug_.labels() + label].rejected)
    run_.simple_rv = reject(state, label, at);
  for (const std::uint32_t s : passed(bug_, state, label)) reach(s, at + 1, seconds);
}

SimpleClue Analyser::reject(std::uint32_t state, Label label, std::uint64_t at) const {
  return {at, label, next_needed(bug_, bug_.plain(state))};
}

void Analyser::reach(std::uint32_t state, std::uint64_t at, std::optional<double> seconds) {
  if (bug_.plain(state) == dead || visited_[state]) return;
  visited_[state] = 1;
  run_.reached.push_back({state, at, seconds});
}

void finish(const Bug& bug, RunResult& run) {
  const std::size_t k = bug.labels();
  run.event_counts.assign(k, 0);
  for (std::size_t i = 0; i < run.moves.size(); ++i) run.event_counts[i % k] += run.moves[i];
  run.ec = 0;
  for (std::size_t a = 0; a < k; ++a) run.ec += run.event_counts[a] > 0 && bug.guard[a] == 0;
  run.epc = static_cast<std::size_t>(std::ranges::count_if(
      bug.pairs, [&](const auto& p) { return run.pair_counts[p.first * k + p.second] > 0; }));
  run.md.reset();
  for (const Reached& r : run.reached)
    if (const auto d = bug.distance[bug.plain(r.state)]; d && (!run.md || *d < *run.md)) run.md = d;
  run.md_after_relaunch = run.md.has_value();
  run.first_missed.reset();
  for (const Reached& r : run.reached) {
    const DfaState plain = bug.plain(r.state);
    if (!run.md || bug.distance[plain] != run.md) continue;
    if (plain == r.state) run.md_after_relaunch = false;
    const auto needed = next_needed(bug, plain);
    if (needed && (!run.first_missed || bug.rank[*needed] < bug.rank[*run.first_missed]))
      run.first_missed = needed;
  }
}

RunResult unite(const Bug& bug, const std::vector<const RunResult*>& runs) {
  RunResult all = *runs.front();
  all.simple_tc.reset();
  all.simple_rv.reset();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const RunResult& run = *runs[i];
    add(all.moves, run.moves);
    add(all.pair_counts, run.pair_counts);
    add(all.warnings, run.warnings);
    add(all.relaunched, run.relaunched);
    all.events += run.events, all.unknown += run.unknown, all.undecided += run.undecided,
        all.runs += run.runs;
    all.relaunches += run.relaunches, all.clean_starts += run.clean_starts, all.crashes += run.crashes;
    all.other_crashes += run.other_crashes, all.begun_clean += run.begun_clean;
    if (run.found && (!all.found || run.found_at < all.found_at))
      all.found_at = run.found_at, all.found_seconds = run.found_seconds;
    all.found = all.found || run.found;
    if (run.md_read && (!all.md_read || *run.md_read < *all.md_read)) all.md_read = run.md_read;
    for (const Reached& r : run.reached) {
      const auto same = std::ranges::find(all.reached, r.state, &Reached::state);
      if (same == all.reached.end())
        all.reached.push_back(r);
      else if (r.at < same->at)
        *same = r;
    }
  }
  std::ranges::stable_sort(all.reached, {}, &Reached::at);
  finish(bug, all);
  return all;
}

std::vector<std::uint64_t> visits(const Bug& bug, const RunResult& run) {
  std::vector<std::uint64_t> out = run.relaunched;
  out.resize(bug.states());
  if (bug.walk.dfa.start != dead) out[bug.walk.dfa.start] += run.runs + run.clean_starts - run.begun_clean;
  for (std::size_t i = 0; i < run.moves.size(); ++i) {
    if (run.moves[i] == 0) continue;
    const auto from = static_cast<std::uint32_t>(i / bug.labels());
    const auto label = static_cast<Label>(i % bug.labels());
    for (const std::uint32_t s : passed(bug, from, label)) out[bug.plain(s)] += run.moves[i];
  }
  return out;
}

}  // namespace norn

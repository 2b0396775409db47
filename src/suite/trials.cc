#include "suite/trials.h"

#include <fmt/core.h>

#include <algorithm>

namespace norn {

Trials::Trials(Replay& replay, Material& material, Knowledge& known, const SuiteOptions& options,
               std::stop_token stop)
    : replay_(replay), material_(material), known_(known), options_(options), stop_(std::move(stop)) {}

namespace {
std::uint64_t events_hash(std::span<const EventId> events) {
  Hasher hasher;
  for (const EventId event : events) hasher.add(event.value);
  return hasher.finish();
}
}  // namespace

Request Trials::request(const Path& path) const {
  Request out;
  for (const Link& link : path) {
    out.events.push_back(link.event);
    if (!link.crash) out.expect.push_back(link.expect);
  }
  out.expect_by = options_.state;
  if (!path.empty() && path.back().crash) out.watch = SameCrash{path.back().expect.value, Sameness::frames};
  out.sure = Sure::tested;
  return out;
}

void Trials::note(const Error& why, Tried& tried) {
  tried.why = why.message();
  over_ |= is_spent(why);
}

/// What the runs that came to `end` hit, step by step.
void Trials::confirm(const Path& path, Tried& tried) {
  const auto nodes = replay_.history().path(tried.end);
  PrefixHash prefix = empty_prefix;
  for (std::size_t i = 0; i < path.size() && i < nodes.size(); ++i) {
    prefix = extend(prefix, path[i]);
    const ItemSet seen = material_.surely(nodes[i]);
    tried.confirmed |= seen;
    if (known_.items(prefix, path[i]).within(seen)) continue;
    known_.observed(prefix, known_.items(prefix, path[i]) & seen);
    tried.lacking = true;
  }
}

Tried Trials::judge(const Path& path, const Outcome& outcome) {
  Tried out{.verdict = outcome.verdict, .yes = outcome.yes, .no = outcome.no};
  if (outcome.verdict == Verdict::unresolved) {
    if (outcome.why) note(*outcome.why, out);
    return out;
  }
  ++tried_;
  if (outcome.end) seen_.push_back(outcome.end);
  asked_seconds_ += seconds_of(path, options_.prices);
  if (outcome.verdict == Verdict::yes) {
    ++replayed_;
    out.end = outcome.end;
    confirm(path, out);
    return out;
  }
  out.failing =
      std::clamp<std::size_t>(outcome.diverged ? *outcome.diverged + 1 : outcome.used, 1, path.size());
  known_.fail(hash_of(std::span(path).first(out.failing)));
  known_.doubt(out.failing == 1 ? material_.loose_start() : path[out.failing - 2].loose,
               path[out.failing - 1]);
  const Crash* crash = outcome.end ? replay_.history().crash(outcome.end) : nullptr;
  if (outcome.diverged)
    out.why = fmt::format("event {} did not lead where it did ({} of {} runs)", out.failing, out.no.all(),
                          out.no.all() + out.yes.all());
  else if (crash)
    out.why = fmt::format("event {} crashed: {}", out.failing, headline(*crash));
  else
    out.why =
        fmt::format("it did not crash again ({} of {} runs)", out.no.all(), out.no.all() + out.yes.all());
  return out;
}

/// A certificate over no run at all is no answer: the budget may have ended on the way to its start.
Outcome Trials::answered(Outcome outcome) const {
  if (outcome.yes.all() + outcome.no.all() > 0 || outcome.verdict == Verdict::unresolved) return outcome;
  outcome.verdict = Verdict::unresolved;
  if (!outcome.why)
    outcome.why = replay_.left() > 0 ? Error{Error::Kind::device, "no run could be made", {}, {}}
                                     : Error{Error::Kind::budget, "the budget is spent", {}, {}};
  return outcome;
}

/// The paper's rule: so many cold runs, the first that differs ends it. One that could not be made ends it as
/// well, and then nothing is known, however many were a yes.
Tried Trials::repeat(const Path& path) {
  Request one = request(path);
  one.sure = Sure::certified;
  one.repeats = 1;
  failed_on_run_.resize(options_.repeats, 0);
  Outcome last;
  Counts yes;
  for (std::uint32_t run = 0; run < options_.repeats; ++run) {
    one.first_repeat = run;
    last = answered(replay_.ask(one, stop_));
    if (last.verdict != Verdict::yes) {
      if (last.verdict == Verdict::no) ++failed_on_run_[run];
      break;
    }
    yes += last.yes;
  }
  last.yes = yes;
  return judge(path, last);
}

Tried Trials::ask(const Path& path) { return ask(std::span(&path, 1), Until::all)[0]; }

std::vector<Tried> Trials::ask(std::span<const Path> paths, Until until) {
  std::vector<Tried> out(paths.size());
  std::vector<Request> requests;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (const auto known = yes_.find(hash_of(paths[i])); known != yes_.end()) {
      out[i] = known->second;
      if (until == Until::lowest_yes) break;
      continue;
    }
    if (options_.repeats > 0) {
      out[i] = repeat(paths[i]);
      if (out[i].verdict == Verdict::yes && until == Until::lowest_yes) break;
      continue;
    }
    requests.push_back(request(paths[i]));
    asked.push_back(i);
  }
  if (!requests.empty()) {
    const auto outcomes = replay_.ask(requests, until, stop_);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      out[asked[i]] = judge(paths[asked[i]], outcomes[i]);
      // Beyond it more devices know more: that must not steer what is asked next.
      if (until == Until::lowest_yes && out[asked[i]].verdict == Verdict::yes) break;
    }
  }
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (out[i].verdict == Verdict::yes) {
      if (!yes_.contains(hash_of(paths[i]))) good_.emplace_back(paths[i], out[i].end);
      Tried& kept = yes_[hash_of(paths[i])] = out[i];
      kept.lacking = false;
    }
  return out;
}

std::optional<NodeId> Trials::ran(const Request& request, const Outcome& outcome) {
  if (outcome.verdict == Verdict::unresolved) {
    Tried nothing;
    if (outcome.why) note(*outcome.why, nothing);
    return std::nullopt;
  }
  if (!run_.insert(events_hash(request.events)).second) return outcome.end;  // it was known already
  asked_seconds_ += options_.prices.restart + options_.prices.event * static_cast<double>(outcome.used);
  for (std::size_t i = 0; i < outcome.used; ++i) asked_seconds_ += material_.more(request.events[i]);
  seen_.push_back(outcome.end);
  return outcome.end;
}

std::optional<NodeId> Trials::run(const std::vector<EventId>& events) {
  const Request request{.events = events, .missing = Missing::skip};
  return ran(request, replay_.ask(request, stop_));
}

std::vector<std::optional<NodeId>> Trials::run(std::span<const Path> paths) {
  std::vector<Request> requests;
  for (const Path& path : paths) {
    Request& request = requests.emplace_back();
    request.missing = Missing::skip;
    for (const Link& link : path) request.events.push_back(link.event);
  }
  const auto outcomes = replay_.ask(requests, Until::all, stop_);
  std::vector<std::optional<NodeId>> out;
  for (std::size_t i = 0; i < outcomes.size(); ++i) out.push_back(ran(requests[i], outcomes[i]));
  return out;
}

std::vector<Tried> Trials::certify(std::span<const Path> paths, std::uint32_t runs) {
  std::vector<Request> requests;  // a request each run: where each ended is asked for
  for (const Path& path : paths) {
    Request fresh = request(path);
    fresh.sure = Sure::certified;
    fresh.repeats = 1;
    for (fresh.first_repeat = 0; fresh.first_repeat < runs; ++fresh.first_repeat) requests.push_back(fresh);
  }
  const auto outcomes = replay_.ask(requests, Until::all, stop_);
  std::vector<Tried> out;
  for (std::size_t i = 0; i < paths.size(); ++i)
    out.push_back(certificate(paths[i], std::span(outcomes).subspan(i * runs, runs)));
  return out;
}

Tried Trials::certificate(const Path& path, std::span<const Outcome> runs) {
  Tried out;
  std::vector<NodeId> sooner;
  std::uint32_t made = 0;
  for (const Outcome& one : runs) {
    const Outcome run = answered(one);
    if (run.why) note(*run.why, out);
    if (run.verdict == Verdict::unresolved) continue;
    ++made;
    out.seconds += run.seconds;
    const bool crashed = run.verdict == Verdict::yes && run.end;
    if (crashed && replay_.history().depth(run.end) == path.size()) {
      ++out.yes.cold;
      out.end = run.end;
      continue;
    }
    ++out.no.cold;
    if (crashed) sooner.push_back(run.end);
  }
  if (made > 0) out.seconds /= made;
  if (made == runs.size()) out.verdict = out.end ? Verdict::yes : Verdict::no;
  if (out.end)
    confirm(path, out);
  else
    out.sooner = most_frequent(std::move(sooner));
  return out;
}

/// Of equals the one that is come to first.
NodeId Trials::most_frequent(std::vector<NodeId> ends) const {
  NodeId best{};
  std::ptrdiff_t most = 0;
  std::stable_sort(ends.begin(), ends.end(), [&](NodeId a, NodeId b) {
    return replay_.history().depth(a) < replay_.history().depth(b);
  });
  for (const NodeId end : ends)
    if (const auto times = std::count(ends.begin(), ends.end(), end); times > most) best = end, most = times;
  return best;
}

}  // namespace norn

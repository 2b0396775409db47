#include "suite/trials.h"

#include <fmt/core.h>

#include <algorithm>

namespace norn {

Trials::Trials(Replay& replay, Material& material, Knowledge& known, const SuiteOptions& options,
               std::stop_token stop)
    : replay_(replay), material_(material), known_(known), options_(options), stop_(std::move(stop)) {}

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
    if (!outcome.why) return out;
    out.why = outcome.why->message();
    over_ |= outcome.why->kind == Error::Kind::budget || outcome.why->kind == Error::Kind::cancelled;
    return out;
  }
  ++tried_;
  asked_seconds_ += options_.prices.restart + options_.prices.event * static_cast<double>(path.size());
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

/// The paper's rule: so many cold runs, the first that differs ends it.
Tried Trials::repeat(const Path& path) {
  Request one = request(path);
  one.sure = Sure::certified;
  one.repeats = 1;
  failed_on_run_.resize(options_.repeats, 0);
  Outcome last;
  Counts yes;
  for (std::uint32_t run = 0; run < options_.repeats; ++run) {
    one.first_repeat = run;
    last = replay_.ask(one, stop_);
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

std::optional<NodeId> Trials::run(const std::vector<EventId>& events) {
  const Outcome outcome = replay_.ask({.events = events, .missing = Missing::skip}, stop_);
  if (outcome.verdict == Verdict::unresolved) {
    if (outcome.why)
      over_ |= outcome.why->kind == Error::Kind::budget || outcome.why->kind == Error::Kind::cancelled;
    return std::nullopt;
  }
  asked_seconds_ += options_.prices.restart + options_.prices.event * static_cast<double>(events.size());
  return outcome.end;
}

Tried Trials::certify(const Path& path, std::uint32_t runs) {
  Request fresh = request(path);
  fresh.sure = Sure::certified;
  fresh.repeats = runs;
  const Outcome outcome = replay_.ask(fresh, stop_);
  Tried out{.verdict = outcome.verdict, .yes = outcome.yes, .no = outcome.no};
  if (outcome.why) out.why = outcome.why->message();
  if (outcome.yes.all() == 0 || !outcome.end) return out;
  out.end = outcome.end;
  confirm(path, out);
  return out;
}

}  // namespace norn

#include "reduce/question.h"

namespace norn {
namespace {

/// Candidates handed to the service at once; it runs ahead as far as its devices allow.
constexpr std::size_t window = 16;

}  // namespace

std::vector<StateId> received_in(const Replay& replay, const Request& request, Abstraction abstraction) {
  const auto way = replay.likely_way(request);
  std::vector<StateId> states;
  for (std::size_t i = 0, at = 0; i < request.events.size(); ++i) {
    while (at + 1 < way.size() && way[at + 1].second <= i) ++at;
    states.push_back(abstract(replay.history().screen(way[at].first), abstraction));
  }
  return states;
}

ReplayQuestion::ReplayQuestion(Replay& replay, std::vector<EventId> events, Request like, Prices prices,
                               std::stop_token stop)
    : replay_(replay),
      events_(std::move(events)),
      like_(std::move(like)),
      prices_(prices),
      stop_(std::move(stop)) {}

Request ReplayQuestion::request(std::span<const std::uint32_t> kept) const {
  Request request = like_;
  request.events.clear();
  request.events.reserve(kept.size());
  for (const auto i : kept) request.events.push_back(events_[i]);
  return request;
}

Verdict ReplayQuestion::take(std::span<const std::uint32_t> kept, const Outcome& outcome, bool whole) {
  if (outcome.why && is_spent(*outcome.why)) spent_ = true;
  if (on_answer) on_answer(kept, whole ? outcome : Outcome{});
  return outcome.verdict;
}

Outcome ReplayQuestion::answer(Request request) {
  if (!from_clean_starts || request.sure != Sure::once) return replay_.ask(request, stop_);
  Outcome known = replay_.recall(request);
  if (known.yes.cold + known.no.cold > 0) {
    known.verdict = known.yes.cold > 0 ? Verdict::yes : Verdict::no;
    return known;
  }
  request.sure = Sure::certified;
  request.repeats = 1;
  return replay_.ask(request, stop_);
}

Verdict ReplayQuestion::ask(const Candidate& candidate) {
  if (stopped()) return Verdict::unresolved;
  Request strict = request(candidate.kept);
  if (steering_error > 0 && !replay_.assumed_deterministic()) {
    Request loose = strict;
    loose.error = steering_error;
    Outcome steers = replay_.ask(loose, stop_);
    if (steers.verdict != Verdict::yes) return take(candidate.kept, steers);
  }
  return take(candidate.kept, answer(std::move(strict)));
}

std::vector<Verdict> ReplayQuestion::ask_in_order(Batch& batch) {
  if (from_clean_starts) return Question::ask_in_order(batch);
  std::vector<Verdict> answers;
  for (bool more = true; more && !stopped();) {
    std::vector<Indices> lists;
    std::vector<Request> requests;
    while (requests.size() < window) {
      const auto candidate = batch.next();
      more = candidate.has_value();
      if (!more) break;
      lists.emplace_back(candidate->kept.begin(), candidate->kept.end());
      requests.push_back(request(lists.back()));
    }
    const auto outcomes = replay_.ask(requests, Until::lowest_yes, stop_);
    for (std::size_t i = 0; i < outcomes.size() && !stopped(); ++i) {
      answers.push_back(take(lists[i], outcomes[i]));
      if (answers.back() == Verdict::yes) return answers;
    }
  }
  return answers;
}

Verdict ReplayQuestion::reaches(const Candidate& candidate, StateId state) {
  if (stopped()) return Verdict::unresolved;
  Request local = request(candidate.kept);
  local.watch = Reaches{state, abstraction};
  return take(candidate.kept, answer(std::move(local)), false);
}

void ReplayQuestion::will_share(std::span<const std::uint32_t> list, std::span<const double> uses) {
  const auto way = replay_.likely_way(request(list));
  std::vector<Hint> hints;
  for (const auto& [node, taken] : way)
    if (taken < uses.size() && uses[taken] > 0) hints.push_back({node, uses[taken]});
  replay_.will_use(hints);
}

}  // namespace norn

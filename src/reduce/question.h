// A list reducer's question, answered by the replay service.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "replay/replay.h"
#include "shrink/shrink.h"

namespace norn {

/// The state in which each event of the request is received, in the way it usually goes.
std::vector<StateId> received_in(const Replay& replay, const Request& request, Abstraction abstraction);

class ReplayQuestion final : public Question {
 public:
  /// `like` says everything but the events: watch, missing rule, sureness, rate.
  ReplayQuestion(Replay& replay, std::vector<EventId> events, Request like, Prices prices,
                 std::stop_token stop);

  Verdict ask(const Candidate& candidate) override;
  std::vector<Verdict> ask_in_order(Batch& batch) override;
  Verdict reaches(const Candidate& candidate, StateId state) override;
  bool stopped() const override { return stop_.stop_requested() || spent_; }
  Prices prices() const override { return prices_; }
  void will_share(std::span<const std::uint32_t> list, std::span<const double> uses) override;

  std::vector<StateId> screens(const Candidate& candidate) override {
    return received_in(replay_, request(candidate.kept), Abstraction::exact);
  }

  /// Error of a *no* to a single candidate where the app is not deterministic: such answers steer a search,
  /// and what they keep wrongly a last pass (asked in order) takes out. A yes is always as sure as `like`
  /// says. 0: as `like` says.
  double steering_error = 0;
  /// Of what is asked once: only runs from clean starts answer, for snapshots have been seen to bring back
  /// another state.
  bool from_clean_starts = false;
  /// States are compared with this abstraction by reaches().
  Abstraction abstraction = Abstraction::activity;
  /// Called with every candidate asked and its answer; a local check answers nothing (unresolved).
  std::function<void(std::span<const std::uint32_t>, const Outcome&)> on_answer;

 private:
  Request request(std::span<const std::uint32_t> kept) const;
  Outcome answer(Request request);
  /// `whole`: the question itself was asked, not a local check.
  Verdict take(std::span<const std::uint32_t> kept, const Outcome& outcome, bool whole = true);

  Replay& replay_;
  std::vector<EventId> events_;
  Request like_;
  Prices prices_;
  std::stop_token stop_;
  bool spent_ = false;
};

}  // namespace norn

// A list reducer's question, answered by the replay service.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "replay/replay.h"
#include "shrink/shrink.h"

namespace norn {

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

  /// States are compared with this abstraction by reaches().
  Abstraction abstraction = Abstraction::activity;
  const Outcome& last() const { return last_; }
  /// Called after every answer of yes with the number of events and the outcome.
  std::function<void(std::span<const std::uint32_t>, const Outcome&)> on_yes;

 private:
  Request request(std::span<const std::uint32_t> kept) const;
  Verdict take(std::span<const std::uint32_t> kept, const Outcome& outcome);

  Replay& replay_;
  std::vector<EventId> events_;
  Request like_;
  Prices prices_;
  std::stop_token stop_;
  Outcome last_;
  bool spent_ = false;
};

}  // namespace norn

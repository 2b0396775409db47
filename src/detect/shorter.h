// Shortening an input by asking, so many times at most, whether part of it still does what the whole did.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "gui/event.h"
#include "shrink/shrink.h"

namespace norn {

class ShorterInput final : public Question {
 public:
  using Asked = std::function<Verdict(const std::vector<Event>&)>;
  ShorterInput(std::vector<Event> input, std::uint32_t most_asks, Asked asked)
      : input_(std::move(input)), most_asks_(most_asks), asked_(std::move(asked)) {}

  /// The events that a candidate keeps.
  std::vector<Event> chosen(std::span<const std::uint32_t> kept) const {
    std::vector<Event> out;
    for (const std::uint32_t i : kept) out.push_back(input_[i]);
    return out;
  }
  Verdict ask(const Candidate& candidate) override {
    if (stopped()) return Verdict::unresolved;
    ++count_;
    return asked_(chosen(candidate.kept));
  }
  bool stopped() const override { return count_ >= most_asks_; }

 private:
  std::vector<Event> input_;
  std::uint32_t most_asks_;
  Asked asked_;
  std::uint32_t count_ = 0;
};

}  // namespace norn

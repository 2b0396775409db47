// Shortening an input by asking, so many times at most, whether part of it still does what the whole did.
// Inputs of an exploration are long: what happened since the app showed its first page last is often enough,
// so that is tried first.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "gui/event.h"
#include "shrink/shrink.h"
#include "trace/history.h"

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

inline constexpr std::size_t longest_input = 30;  ///< nobody follows more steps than this
inline constexpr std::size_t suffixes =
    6;  ///< beginnings that are tried from the first page, the last ones first

/// The input that leads to `node`, or the shortest of its ends from the first page on for which `does` says so.
template <class Does>
std::vector<Event> from_first_page(const History& tree, NodeId node, const Does& does) {
  std::vector<Event> input = tree.events_to(node);
  if (node == tree.root()) return input;
  std::size_t tried = 0;
  for (NodeId n = tree.parent(node); n != tree.root() && tried < suffixes; n = tree.parent(n)) {
    if (tree.screen(n).activity != tree.screen(tree.root()).activity ||
        tree.screen(n).kind != Screen::Kind::app)
      continue;
    ++tried;
    std::vector<Event> shorter(input.begin() + tree.depth(n), input.end());
    if (does(shorter)) return shorter;
  }
  return input;
}

}  // namespace norn

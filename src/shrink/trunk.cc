#include "shrink/trunk.h"

#include <algorithm>

namespace norn {

Trunk::Trunk(Indices list, const Indices& base)
    : list_(std::move(list)), buffer_(list_), same_(list_.size()) {
  sums_.reserve(list_.size() + 1);
  sums_.push_back(0);
  for (const auto p : list_) sums_.push_back(sums_.back() + element_hash(p));
  auto at = list_.begin();
  for (const auto p : base) {
    at = std::lower_bound(at, list_.end(), p);
    if (at != list_.end() && *at == p) base_.push_back(static_cast<std::size_t>(at - list_.begin()));
  }
}

void Trunk::add_to_base(std::size_t place) {
  const auto at = std::ranges::lower_bound(base_, place);
  if (at == base_.end() || *at != place) base_.insert(at, place);
}

std::size_t Trunk::base_from(std::size_t place) const {
  return static_cast<std::size_t>(base_.end() - std::ranges::lower_bound(base_, place));
}

Candidate Trunk::cut(std::size_t first) {
  buffer_.resize(list_.size());
  if (first > same_)
    std::copy(list_.begin() + static_cast<std::ptrdiff_t>(same_),
              list_.begin() + static_cast<std::ptrdiff_t>(first),
              buffer_.begin() + static_cast<std::ptrdiff_t>(same_));
  same_ = first;
  std::size_t size = first;
  std::uint64_t hash = sums_[first];
  for (auto at = std::ranges::lower_bound(base_, first); at != base_.end(); ++at) {
    buffer_[size++] = list_[*at];
    hash += sums_[*at + 1] - sums_[*at];
  }
  return {std::span(buffer_).first(size), hash};
}

Within::Within(Question& outer, const Indices& part) : outer_(outer), part_(part) {
  hashes_.reserve(part.size());
  for (const auto p : part) hashes_.push_back(element_hash(p));
}

Candidate Within::mapped(const Candidate& candidate) {
  buffer_.resize(candidate.kept.size());
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < buffer_.size(); ++i) {
    buffer_[i] = part_[candidate.kept[i]];
    hash += hashes_[candidate.kept[i]];
  }
  return {buffer_, hash};
}

std::vector<Verdict> Within::ask_in_order(Batch& batch) {
  struct Mapped final : Batch {
    Mapped(Within& w, Batch& b) : within(w), inner(b) {}
    std::optional<Candidate> next() override {
      const auto candidate = inner.next();
      if (!candidate) return std::nullopt;
      return within.mapped(*candidate);
    }
    Within& within;
    Batch& inner;
  };
  Mapped mapped(*this, batch);
  return outer_.ask_in_order(mapped);
}

}  // namespace norn

// The list as it stands during a search, and the sub-lists asked of it: a run of it alone, or all but a run.
// Hashes come from prefix sums, and "all but" moves a hole through one buffer, so a question costs what
// changed since the last one and not the length of the list.
#pragma once

#include <cstddef>
#include <optional>

#include "shrink/shrink.h"

namespace norn {

/// Half-open range of places in a Row.
struct Run {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// Chunk i of n over a list of `size`: [floor(i size/n), floor((i+1) size/n)). Chunks cover the list, their
/// sizes differ by at most one.
inline Run chunk(std::size_t i, std::size_t n, std::size_t size) {
  return {i * size / n, (i + 1) * size / n};
}

Indices everything(std::uint32_t size);

class Row {
 public:
  explicit Row(Indices list);

  std::size_t size() const { return list_.size(); }
  const Indices& list() const { return list_; }
  std::uint64_t hash() const { return sums_.back(); }

  /// Views, valid until the next call of without(), keep() or drop().
  Candidate only(Run run) const;
  Candidate without(Run run);

  void keep(Run run);
  void drop(Run run);

 private:
  void changed();

  Indices list_;
  std::vector<std::uint64_t> sums_;  ///< sums_[i]: hash of the first i
  Indices rest_;                     ///< list_ without hole_
  Run hole_;
};

/// The answers of a batch, and which of them is the yes.
struct Answers {
  std::vector<Verdict> given;
  std::optional<std::size_t> yes;
};
Answers ask_all(Question& question, Batch& batch);

/// A search that ends with `kept`, the whole list or a part of it that was answered yes.
Shrunk ended(Indices kept, const Problem& problem, const Question& question);
/// Every one of the answers is a no, and there are answers.
bool all_no(const std::vector<Verdict>& answers);

}  // namespace norn

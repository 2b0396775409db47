// The list a bisecting search cuts, and what it asks: the first so many things of the list and, of the rest,
// only the *base*.
//
//     list   a b c d e f g h        base  b f h
//     cut(5) a b c d e f h          cut(0)  b f h
//
// All these candidates begin like the list, which is the point of asking so: a run can begin where an earlier
// one was saved. One buffer holds the candidate; what it has in common with the one before is not copied
// again, nor hashed.
#pragma once

#include <vector>

#include "shrink/shrink.h"

namespace norn {

class Trunk {
 public:
  Trunk() = default;
  /// REQUIRES: both ascending. Of `base` counts what is in `list`.
  Trunk(Indices list, const Indices& base);

  std::size_t size() const { return list_.size(); }
  const Indices& list() const { return list_; }
  /// Places, ascending.
  const std::vector<std::size_t>& base() const { return base_; }
  /// How many of them stand at `place` or behind it.
  std::size_t base_from(std::size_t place) const;
  void add_to_base(std::size_t place);

  /// A view, valid until the next call.
  Candidate cut(std::size_t first);

 private:
  Indices list_, buffer_;
  std::vector<std::size_t> base_;
  std::vector<std::uint64_t> sums_;  ///< sums_[i]: hash of the first i
  std::size_t same_ = 0;             ///< so many things of the buffer are as in the list
};

/// Asks only about a part of a list: positions are places in it.
class Within final : public Question {
 public:
  Within(Question& outer, const Indices& part);

  Verdict ask(const Candidate& candidate) override { return outer_.ask(mapped(candidate)); }
  std::vector<Verdict> ask_in_order(Batch& batch) override;
  Verdict reaches(const Candidate& candidate, StateId state) override {
    return outer_.reaches(mapped(candidate), state);
  }
  bool stopped() const override { return outer_.stopped(); }
  Prices prices() const override { return outer_.prices(); }

  /// What it stands for in the whole list; a view, valid until the next call.
  Candidate mapped(const Candidate& candidate);

 private:
  Question& outer_;
  const Indices& part_;
  std::vector<std::uint64_t> hashes_;  ///< of the part's things
  Indices buffer_;
};

}  // namespace norn

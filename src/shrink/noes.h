// Every no of a search, to see afterwards whether the app is monotone: whether what does it still does when more
// is done beside it. Most searches take that for granted; a list that failed although it holds all of a shorter
// one that did not says that it is not so here, and then "none can be left out" says little about several.
#pragma once

#include "shrink/shrink.h"

namespace norn {

class Noes final : public Question {
 public:
  explicit Noes(Question& inner) : inner_(inner) {}

  /// One of the lists that failed and that hold all of `kept`; nothing: there is none.
  std::optional<Indices> beyond(const Indices& kept) const;

  Verdict ask(const Candidate& candidate) override;
  std::vector<Verdict> ask_in_order(Batch& batch) override;
  Verdict reaches(const Candidate& candidate, StateId state) override {
    return inner_.reaches(candidate, state);
  }
  std::vector<StateId> screens(const Candidate& candidate) override { return inner_.screens(candidate); }
  bool stopped() const override { return inner_.stopped(); }
  Prices prices() const override { return inner_.prices(); }
  void will_share(std::span<const std::uint32_t> list, std::span<const double> uses) override {
    inner_.will_share(list, uses);
  }

 private:
  using Set = std::vector<std::uint64_t>;  ///< a bit for each position up to the last

  static Set set_of(const Candidate& candidate);
  static bool holds(const Set& set, std::uint32_t position);

  Question& inner_;
  std::vector<Set> failed_;
};

}  // namespace norn

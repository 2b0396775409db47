#include "shrink/noes.h"

#include <algorithm>

namespace norn {

Noes::Set Noes::set_of(const Candidate& candidate) {
  Set set(candidate.kept.empty() ? 0 : candidate.kept.back() / 64 + 1);
  for (auto p = candidate.kept.begin(); p != candidate.kept.end();) {
    const std::uint32_t word = *p / 64;
    std::uint64_t bits = 0;
    for (; p != candidate.kept.end() && *p / 64 == word; ++p) bits |= std::uint64_t{1} << *p % 64;
    set[word] = bits;
  }
  return set;
}

bool Noes::holds(const Set& set, std::uint32_t position) {
  return position / 64 < set.size() && (set[position / 64] >> position % 64 & 1) != 0;
}

std::optional<Indices> Noes::beyond(const Indices& kept) const {
  for (const Set& set : failed_) {
    if (!std::ranges::all_of(kept, [&](std::uint32_t p) { return holds(set, p); })) continue;
    Indices list;
    for (std::uint32_t p = 0; p < 64 * set.size(); ++p)
      if (holds(set, p)) list.push_back(p);
    return list;
  }
  return std::nullopt;
}

Verdict Noes::ask(const Candidate& candidate) {
  const Verdict verdict = inner_.ask(candidate);
  if (verdict == Verdict::no) failed_.push_back(set_of(candidate));
  return verdict;
}

std::vector<Verdict> Noes::ask_in_order(Batch& batch) {
  struct Copied final : Batch {
    explicit Copied(Batch& b) : source(b) {}
    std::optional<Candidate> next() override {
      const auto candidate = source.next();
      if (candidate) sets.push_back(set_of(*candidate));
      return candidate;
    }
    Batch& source;
    std::vector<Set> sets;
  };
  Copied copied(batch);
  std::vector<Verdict> answers = inner_.ask_in_order(copied);
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i] == Verdict::no) failed_.push_back(std::move(copied.sets[i]));
  return answers;
}

}  // namespace norn

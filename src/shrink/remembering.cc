// The memory in front of a question: a flat table of 8 bytes a slot, the hash of the set with the answer in
// its last bit. 62 bits of hash are taken for the set itself: among a million questions a false friend has a
// chance of 1 in 9 million.
#include <utility>

#include "base/hash.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

constexpr std::size_t kFirstSlots = 64;

std::uint64_t tag(std::uint64_t key) { return (key | 2) & ~std::uint64_t{1}; }  // never 0, the empty slot

/// Splits a batch: what is known is answered on the way, what is not is handed on.
class Unknown final : public Batch {
 public:
  Unknown(Batch& source, const Remembering& memory) : source_(source), memory_(memory) {}

  std::optional<Candidate> next() override {
    while (!found_) {
      std::optional<Candidate> candidate = source_.next();
      if (!candidate) return std::nullopt;
      Verdict known = memory_.recall(*candidate);
      answers.push_back(known);
      if (known == Verdict::unresolved) {
        places.push_back(answers.size() - 1);
        hashes.push_back(candidate->hash);
        return candidate;
      }
      found_ = known == Verdict::yes;
    }
    return std::nullopt;
  }

  std::vector<Verdict> answers;       ///< of all candidates taken from the source so far
  std::vector<std::size_t> places;    ///< where in `answers` those handed on belong
  std::vector<std::uint64_t> hashes;  ///< of those handed on

 private:
  Batch& source_;
  const Remembering& memory_;
  bool found_ = false;
};

}  // namespace

Remembering::Remembering(Question& inner) : inner_(inner), slots_(kFirstSlots) {}

std::uint64_t* Remembering::slot(std::uint64_t key) {
  return const_cast<std::uint64_t*>(std::as_const(*this).slot(key));
}

const std::uint64_t* Remembering::slot(std::uint64_t key) const {
  std::size_t mask = slots_.size() - 1;
  std::uint64_t wanted = tag(key);
  std::size_t i = static_cast<std::size_t>((wanted * 0x9e3779b97f4a7c15ULL) >> 32) & mask;
  while (slots_[i] != 0 && tag(slots_[i]) != wanted) i = (i + 1) & mask;
  return &slots_[i];
}

Verdict Remembering::at(std::uint64_t key) const {
  std::uint64_t found = *slot(key);
  if (found == 0) return Verdict::unresolved;
  return (found & 1) != 0 ? Verdict::yes : Verdict::no;
}

void Remembering::put(std::uint64_t key, Verdict verdict) {
  if (verdict == Verdict::unresolved) return;
  if (2 * (used_ + 1) > slots_.size()) {
    std::vector<std::uint64_t> old(slots_.size() * 2);
    old.swap(slots_);
    for (std::uint64_t entry : old)
      if (entry != 0) *slot(entry) = entry;
  }
  std::uint64_t* place = slot(key);
  if (*place == 0) ++used_;
  *place = tag(key) | (verdict == Verdict::yes ? 1 : 0);
}

void Remembering::count(Verdict fresh) {
  ++asked_;
  if (fresh == Verdict::unresolved) ++unresolved_;
}

Verdict Remembering::recall(const Candidate& candidate) const { return at(candidate.hash); }
void Remembering::learn(const Candidate& candidate, Verdict verdict) { put(candidate.hash, verdict); }
std::size_t Remembering::bytes() const { return slots_.capacity() * sizeof(std::uint64_t); }

Verdict Remembering::ask(const Candidate& candidate) {
  if (Verdict known = recall(candidate); known != Verdict::unresolved) {
    ++from_memory_;
    return known;
  }
  Verdict fresh = inner_.ask(candidate);
  count(fresh);
  learn(candidate, fresh);
  return fresh;
}

std::vector<Verdict> Remembering::ask_in_order(Batch& batch) {
  Unknown unknown(batch, *this);
  std::vector<Verdict> fresh = inner_.ask_in_order(unknown);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    count(fresh[i]);
    put(unknown.hashes[i], fresh[i]);
    unknown.answers[unknown.places[i]] = fresh[i];
  }
  std::size_t end = unknown.answers.size();
  if (!fresh.empty() && fresh.back() == Verdict::yes) {
    end = unknown.places[fresh.size() - 1] + 1;
  } else if (fresh.size() < unknown.places.size()) {
    end = unknown.places[fresh.size()];  // stopped
  }
  unknown.answers.resize(end);
  from_memory_ += end - fresh.size();
  return std::move(unknown.answers);
}

Verdict Remembering::reaches(const Candidate& candidate, StateId state) {
  std::uint64_t key = Hasher().add(candidate.hash).add(state.value).finish();
  if (Verdict known = at(key); known != Verdict::unresolved) {
    ++from_memory_;
    return known;
  }
  Verdict fresh = inner_.reaches(candidate, state);
  count(fresh);
  put(key, fresh);
  return fresh;
}

}  // namespace norn

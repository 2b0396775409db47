#include "shrink/shrink.h"

#include <array>
#include <utility>

namespace norn {

std::uint64_t element_hash(std::uint32_t position) {
  std::uint64_t z = (position + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t set_hash(std::span<const std::uint32_t> positions) {
  std::uint64_t sum = 0;
  for (std::uint32_t p : positions) sum += element_hash(p);
  return sum;
}

std::vector<Verdict> Question::ask_in_order(Batch& batch) {
  std::vector<Verdict> answers;
  while (!stopped()) {
    std::optional<Candidate> candidate = batch.next();
    if (!candidate) break;
    answers.push_back(ask(*candidate));
    if (answers.back() == Verdict::yes) break;
  }
  return answers;
}

Verdict Question::reaches(const Candidate&, StateId) { return Verdict::unresolved; }

namespace {
constexpr std::array<std::pair<std::string_view, Algorithm>, 8> kAlgorithms{{
    {"dd", dd},
    {"hdd", hdd},
    {"bhdd", bhdd},
    {"lhdd", lhdd},
    {"lhdd-nopre", lhdd_nopre},
    {"probdd", probdd},
    {"cdd", cdd},
    {"norn", norn_reducer},
}};
}  // namespace

std::optional<Algorithm> algorithm_by_name(std::string_view name) {
  for (const auto& [known, algorithm] : kAlgorithms)
    if (known == name) return algorithm;
  return std::nullopt;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const auto& entry : kAlgorithms) names.emplace_back(entry.first);
  return names;
}

}  // namespace norn

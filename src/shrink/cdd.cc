// CDD, the counter form of ProbDD (Zhang et al. 2024): within one round of ProbDD all p are practically
// equal, so a round needs no probabilities, only its number. Round r cuts the list into sets of the size that
// promises most at the round's p and tries to take out each in turn; a failed round raises p as Bayes does.
// The last round takes single things.
#include <algorithm>
#include <cmath>

#include "shrink/row.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

constexpr double kFirstChance = 0.1;

/// The size that maximises size * (1-p)^size.
std::size_t best_size(double p) {
  auto gain = [p](double size) { return size * std::pow(1 - p, size); };
  double size = std::max(1.0, std::floor(-1 / std::log1p(-p)));
  if (gain(size + 1) >= gain(size) * (1 - 1e-9)) ++size;
  return static_cast<std::size_t>(size);
}

/// Everything but the set at each place, from `from` on: sets are `size` long, the last what is left.
class Sets final : public Batch {
 public:
  Sets(Row& row, std::size_t from, std::size_t size) : row_(row), at_(from), size_(size) {}

  std::optional<Candidate> next() override {
    if (at_ >= row_.size()) return std::nullopt;
    Run run{at_, std::min(at_ + size_, row_.size())};
    at_ = run.end;
    return row_.without(run);
  }

 private:
  Row& row_;
  std::size_t at_, size_;
};

/// One round over the row.
void try_sets(Row& row, std::size_t size, Question& question) {
  std::size_t from = 0;
  while (from < row.size() && !question.stopped()) {
    Sets sets(row, from, size);
    Answers answers = ask_all(question, sets);
    if (!answers.yes) return;
    from += *answers.yes * size;
    row.drop({from, std::min(from + size, row.size())});
  }
}

}  // namespace

Shrunk cdd(const Problem& problem, Question& question) {
  Row row(everything(problem.size));
  std::size_t size = 0;
  for (double p = kFirstChance; size != 1 && !question.stopped();) {
    size = p < 1 ? best_size(p) : 1;
    try_sets(row, size, question);
    p /= 1 - std::pow(1 - std::min(p, 1.0), static_cast<double>(size));
  }
  return ended(row.list(), problem, question);
}

}  // namespace norn

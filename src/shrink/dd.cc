// ddmin (Zeller and Hildebrandt 2002) over the plain list: cut it into n chunks; if a chunk alone does it, go
// on with that chunk; if all but a chunk does it, go on without that chunk; otherwise cut finer, until chunks
// are single things. The last round has then shown that none of them can go: the result is 1-minimal.
#include <algorithm>

#include "shrink/row.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

/// Every chunk alone, or everything but each chunk; first to last.
class Chunks final : public Batch {
 public:
  enum class Ask : bool { alone, complement };
  Chunks(Row& row, std::size_t n, Ask what) : row_(row), n_(n), what_(what) {}

  std::optional<Candidate> next() override {
    if (i_ == n_) return std::nullopt;
    Run run = chunk(i_++, n_, row_.size());
    return what_ == Ask::alone ? row_.only(run) : row_.without(run);
  }

 private:
  Row& row_;
  std::size_t n_, i_ = 0;
  Ask what_;
};

}  // namespace

Shrunk dd(const Problem& problem, Question& question) {
  Row row(everything(problem.size));
  std::vector<Verdict> without;
  std::size_t n = 2;
  while (row.size() >= 2 && !question.stopped()) {
    Chunks alone(row, n, Chunks::Ask::alone), complements(row, n, Chunks::Ask::complement);
    if (Answers a = ask_all(question, alone); a.yes) {
      row.keep(chunk(*a.yes, n, row.size()));
      n = 2;
    } else if (Answers c = ask_all(question, complements); c.yes) {
      row.drop(chunk(*c.yes, n, row.size()));
      n = std::max<std::size_t>(n - 1, 2);
    } else if (n < row.size()) {
      n = std::min(2 * n, row.size());
    } else {
      if (c.given.size() == n) without = std::move(c.given);
      break;
    }
  }
  Shrunk result = ended(row.list(), problem, question);
  result.one_minimal = all_no(without);
  result.without = std::move(without);
  return result;
}

}  // namespace norn

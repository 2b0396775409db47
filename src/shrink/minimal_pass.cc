// The common last pass. From the back to the front, because the part before the deletion, and what a device
// has saved of it, then serves one candidate after another.
#include <algorithm>

#include "shrink/row.h"
#include "shrink/shrink.h"

namespace norn {
namespace {

/// Everything but one: for the places end-1 down to 0.
class Singles final : public Batch {
 public:
  Singles(Row& row, std::size_t end) : row_(row), left_(end) {}

  std::optional<Candidate> next() override {
    if (left_ == 0) return std::nullopt;
    --left_;
    return row_.without({left_, left_ + 1});
  }

 private:
  Row& row_;
  std::size_t left_;
};

}  // namespace

Shrunk minimal_pass(Indices start, Question& question) {
  Row row(std::move(start));
  Shrunk result;
  bool deleted = true;
  while (deleted && row.size() > 0 && !question.stopped()) {
    deleted = false;
    for (std::size_t end = row.size(); end > 0 && !question.stopped();) {
      Singles singles(row, end);
      Answers answers = ask_all(question, singles);
      if (!answers.yes) {
        if (!deleted && answers.given.size() == row.size()) result.without = std::move(answers.given);
        break;
      }
      end -= *answers.yes + 1;
      row.drop({end, end + 1});
      deleted = true;
      result.confirmed = true;
    }
  }
  std::ranges::reverse(result.without);
  result.kept = row.list();
  result.stopped = question.stopped();
  result.one_minimal = row.size() == 0 || all_no(result.without);
  return result;
}

}  // namespace norn

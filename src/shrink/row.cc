#include "shrink/row.h"

#include <algorithm>
#include <numeric>

namespace norn {

Indices everything(std::uint32_t size) {
  Indices all(size);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Row::Row(Indices list) : list_(std::move(list)) { changed(); }

void Row::changed() {
  sums_.assign(1, 0);
  sums_.reserve(list_.size() + 1);
  for (std::uint32_t p : list_) sums_.push_back(sums_.back() + element_hash(p));
  rest_ = list_;
  hole_ = {0, 0};
}

Candidate Row::only(Run run) const {
  return {std::span(list_).subspan(run.begin, run.size()), sums_[run.end] - sums_[run.begin]};
}

Candidate Row::without(Run run) {
  // Before both holes nothing differs; behind both nothing differs either if they are equally long.
  std::size_t from = std::min(hole_.begin, run.begin);
  std::size_t to = run.size() == hole_.size() ? std::max(hole_.end, run.end) : list_.size();
  rest_.resize(list_.size() - run.size());
  auto at = [](auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  std::copy(at(list_, from), at(list_, run.begin), at(rest_, from));
  std::copy(at(list_, run.end), at(list_, std::max(to, run.end)), at(rest_, run.begin));
  hole_ = run;
  return {rest_, hash() - (sums_[run.end] - sums_[run.begin])};
}

void Row::keep(Run run) {
  std::span<const std::uint32_t> kept = only(run).kept;
  list_ = Indices(kept.begin(), kept.end());
  changed();
}

void Row::drop(Run run) {
  if (hole_.begin != run.begin || hole_.end != run.end) (void)without(run);
  list_ = rest_;  // the list without the run was just asked about, mostly
  hole_ = {run.begin, run.begin};
  const std::uint64_t gone = sums_[run.end] - sums_[run.begin];
  sums_.erase(sums_.begin() + static_cast<std::ptrdiff_t>(run.begin) + 1,
              sums_.begin() + static_cast<std::ptrdiff_t>(run.end) + 1);
  for (std::size_t i = run.begin + 1; i < sums_.size(); ++i) sums_[i] -= gone;
}

Answers ask_all(Question& question, Batch& batch) {
  Answers answers{question.ask_in_order(batch), std::nullopt};
  if (!answers.given.empty() && answers.given.back() == Verdict::yes) answers.yes = answers.given.size() - 1;
  return answers;
}

Shrunk ended(Indices kept, const Problem& problem, const Question& question) {
  Shrunk result;
  result.kept = std::move(kept);
  result.confirmed = result.kept.size() < problem.size;
  result.stopped = question.stopped();
  return result;
}

bool all_no(const std::vector<Verdict>& answers) {
  return !answers.empty() && std::ranges::all_of(answers, [](Verdict v) { return v == Verdict::no; });
}

}  // namespace norn

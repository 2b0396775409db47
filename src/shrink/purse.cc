#include "shrink/purse.h"

#include <algorithm>
#include <functional>
#include <ranges>

namespace norn {
namespace {

/// Ends where the purse would be empty if all that was taken were answered.
class Affordable final : public Batch {
 public:
  Affordable(Batch& source, double spent, double limit, const std::function<double(const Candidate&)>& price)
      : source_(source), price_(price), spent_(spent), limit_(limit) {}

  std::optional<Candidate> next() override {
    if (spent_ > limit_) return std::nullopt;
    const auto candidate = source_.next();
    if (!candidate) return std::nullopt;
    prices.push_back(price_(*candidate));
    spent_ += prices.back();
    return candidate;
  }

  std::vector<double> prices;  ///< of those taken

 private:
  Batch& source_;
  const std::function<double(const Candidate&)>& price_;
  double spent_, limit_;
};

}  // namespace

double expected_seconds(const Prices& prices, std::size_t size, std::size_t shared, std::size_t length) {
  const double cold = prices.restart + prices.event * static_cast<double>(length);
  if (!prices.snapshots || shared == 0) return cold;
  const double gap = static_cast<double>(size) / 32;
  return std::min(cold, prices.load + prices.event * (gap + static_cast<double>(length - shared)));
}

/// A part of the list that is without one of its things is ahead of it from there on.
double Purse::Payer::price(const Candidate& candidate) const {
  const auto places = std::views::iota(std::size_t{0}, std::min(candidate.kept.size(), list_.size()));
  const auto apart =
      std::ranges::partition_point(places, [&](std::size_t i) { return candidate.kept[i] == list_[i]; });
  return expected_seconds(prices_, list_.size(), static_cast<std::size_t>(apart - places.begin()),
                          candidate.kept.size());
}

Verdict Purse::Payer::ask(const Candidate& candidate) {
  if (stopped()) return Verdict::unresolved;
  spent += price(candidate);
  return inner_.ask(candidate);
}

/// Paid are the answers, not what a pool of devices has taken ahead.
std::vector<Verdict> Purse::Payer::ask_in_order(Batch& batch) {
  const std::function<double(const Candidate&)> price_of = [&](const Candidate& c) { return price(c); };
  Affordable affordable(batch, spent, limit, price_of);
  std::vector<Verdict> answers = inner_.ask_in_order(affordable);
  for (std::size_t i = 0; i < answers.size(); ++i) spent += affordable.prices[i];
  return answers;
}

Verdict Purse::Payer::reaches(const Candidate& candidate, StateId state) {
  if (stopped()) return Verdict::unresolved;
  spent += price(candidate);
  return inner_.reaches(candidate, state);
}

void Purse::Payer::will_share(std::span<const std::uint32_t> list, std::span<const double> uses) {
  list_.assign(list.begin(), list.end());
  inner_.will_share(list, uses);
}

}  // namespace norn

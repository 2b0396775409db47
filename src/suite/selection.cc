#include "suite/selection.h"

#include <algorithm>
#include <numeric>

namespace norn {
namespace {

using StepLists =
    std::vector<std::vector<std::uint32_t>>;  ///< of one trace: what each step hits of what is wanted

class Selecting {
 public:
  Selecting(std::span<const std::vector<Coverage>> pool, const Coverage& wanted, const Prices& prices,
            double seconds, std::span<const std::vector<double>> more)
      : prices_(prices), left_(seconds), more_(more) {
    const auto ids = wanted.ids();
    std::vector<std::uint32_t> place(ids.empty() ? 0 : ids.back() + 1U, 0);
    for (std::uint32_t i = 0; i < ids.size(); ++i) place[ids[i]] = i;
    owners_.assign(ids.size(), 0);
    seen_.assign(ids.size(), 0);
    for (const auto& trace : pool) {
      StepLists& steps = traces_.emplace_back();
      for (const Coverage& hit : trace) {
        auto items = (hit & wanted).ids();
        for (auto& item : items) item = place[item];
        steps.push_back(std::move(items));
      }
    }
    length_.assign(traces_.size(), 0);
    stale_.assign(traces_.size(), 1e300);
  }

  std::vector<Selected> run() {
    while (take_best()) {
    }
    give_back();
    std::vector<Selected> out;
    for (std::uint32_t t = 0; t < traces_.size(); ++t)
      if (length_[t] > 0) out.push_back({t, length_[t]});
    return out;
  }

 private:
  struct Offer {
    double rate = 0;
    std::uint32_t length = 0;
    double cost = 0;
  };

  /// The best length to run a trace to, given what is covered.
  Offer offer(std::uint32_t t) {
    Offer best;
    ++stamp_;
    double gain = 0, more = 0;
    const StepLists& steps = traces_[t];
    for (std::uint32_t s = length_[t]; s < steps.size(); ++s) {
      for (const std::uint32_t item : steps[s])
        if (owners_[item] == 0 && seen_[item] != stamp_) seen_[item] = stamp_, ++gain;
      if (!more_.empty()) more += more_[t][s];
      const double cost =
          prices_.event * (s + 1 - length_[t]) + (length_[t] == 0 ? prices_.restart : 0) + more;
      if (cost > left_) break;
      if (gain > 0 && gain / cost > best.rate) best = {gain / cost, s + 1, cost};
    }
    return best;
  }

  /// Rates only fall, except that of a trace just taken, whose restart is paid: old ones are upper bounds.
  bool take_best() {
    Offer best;
    std::uint32_t which = 0;
    for (std::uint32_t t = 0; t < traces_.size(); ++t) {
      if (stale_[t] <= best.rate) continue;
      const Offer now = offer(t);
      stale_[t] = now.rate;
      if (now.rate > best.rate) best = now, which = t;
    }
    if (best.rate == 0) return false;
    set_length(which, best.length);
    left_ -= best.cost;
    stale_[which] = 1e300;
    return true;
  }

  void count(std::uint32_t t, std::uint32_t from, std::uint32_t to, bool add) {
    for (std::uint32_t s = from; s < to; ++s)
      for (const std::uint32_t item : traces_[t][s]) add ? ++owners_[item] : --owners_[item];
  }
  void set_length(std::uint32_t t, std::uint32_t length) {
    if (length > length_[t])
      count(t, length_[t], length, true);
    else
      count(t, length, length_[t], false);
    length_[t] = length;
  }

  /// From the most expensive down: the end of each that others cover as well.
  void give_back() {
    std::vector<std::uint32_t> order(traces_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return length_[a] > length_[b]; });
    for (const std::uint32_t t : order)
      while (length_[t] > 0 && !alone(t, length_[t] - 1)) set_length(t, length_[t] - 1);
  }
  bool alone(std::uint32_t t, std::uint32_t step) const {
    return std::any_of(traces_[t][step].begin(), traces_[t][step].end(),
                       [&](std::uint32_t item) { return owners_[item] == 1; });
  }

  Prices prices_;
  double left_;
  std::span<const std::vector<double>> more_;
  std::vector<StepLists> traces_;
  std::vector<std::uint32_t> owners_, length_;
  std::vector<std::uint64_t> seen_;
  std::vector<double> stale_;
  std::uint64_t stamp_ = 0;
};

}  // namespace

std::vector<Selected> cheapest_suite(std::span<const std::vector<Coverage>> pool, const Coverage& wanted,
                                     const Prices& prices, double seconds,
                                     std::span<const std::vector<double>> more) {
  return Selecting(pool, wanted, prices, seconds, more).run();
}

}  // namespace norn

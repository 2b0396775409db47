// What a search costs, and a limit to it. The seconds are those that a run is expected to take by the prices,
// not what a device's clock says: so where a search ends does not depend on how many devices there are, nor on
// what an earlier search left in memory, and the same search again goes the same way.
#pragma once

#include <limits>

#include "shrink/shrink.h"

namespace norn {

/// Of a run of `length` things that begins like a list of `size` for `shared` of them; snapshots, where there
/// are any, stand some 16 to a list.
double expected_seconds(const Prices& prices, std::size_t size, std::size_t shared, std::size_t length);

/// Pays for what is asked, once: what was asked before costs nothing. An empty purse has stopped(), and is not
/// empty any more when it is given more: a search that is begun anew then goes on where it stopped.
class Purse final : public Question {
 public:
  explicit Purse(Question& inner) : payer_(inner), single_(payer_), in_order_(payer_) {}

  /// So many seconds from now on, instead of what is left.
  void give(double seconds) { payer_.limit = payer_.spent + seconds; }
  double spent() const { return payer_.spent; }

  Verdict ask(const Candidate& candidate) override { return single_.ask(candidate); }
  std::vector<Verdict> ask_in_order(Batch& batch) override { return in_order_.ask_in_order(batch); }
  Verdict reaches(const Candidate& candidate, StateId state) override {
    return single_.reaches(candidate, state);
  }
  std::vector<StateId> screens(const Candidate& candidate) override { return payer_.screens(candidate); }
  bool stopped() const override { return payer_.stopped(); }
  Prices prices() const override { return payer_.prices(); }
  void will_share(std::span<const std::uint32_t> list, std::span<const double> uses) override {
    payer_.will_share(list, uses);
  }

 private:
  class Payer final : public Question {
   public:
    explicit Payer(Question& inner) : inner_(inner), prices_(inner.prices()) {}
    Verdict ask(const Candidate& candidate) override;
    std::vector<Verdict> ask_in_order(Batch& batch) override;
    Verdict reaches(const Candidate& candidate, StateId state) override;
    std::vector<StateId> screens(const Candidate& candidate) override { return inner_.screens(candidate); }
    bool stopped() const override { return spent > limit || inner_.stopped(); }
    Prices prices() const override { return prices_; }
    void will_share(std::span<const std::uint32_t> list, std::span<const double> uses) override;
    double price(const Candidate& candidate) const;

    double spent = 0, limit = std::numeric_limits<double>::infinity();

   private:
    Question& inner_;
    Prices prices_;
    Indices list_;  ///< what the coming candidates begin like
  };

  Payer payer_;
  Remembering single_, in_order_;  ///< apart, for what is asked in order may be answered with more care
};

}  // namespace norn

// Expectations about what one input shows. First more inputs like a person's, then one expectation after the other.
#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "detect/expectations.h"
#include "detect/users.h"

namespace norn {
namespace {

constexpr std::size_t walk_length =
    50;                             ///< long enough to make, change and delete something on the third page
constexpr double walk_share = 0.5;  ///< of this oracle's time: the rest is for confirming
constexpr std::uint32_t reports_a_value = 2;  ///< a value that is wrong after many events is one or two bugs
constexpr std::size_t unlimited_walks = 200;  ///< where there is no budget

Status walks(OracleContext& c) {
  User user(c.replay, c.options.seed);
  const double until = c.replay.left() - walk_share * (c.replay.left() - c.until);
  for (std::size_t k = 0;
       c.left() && !(c.replay.left() < until) && (std::isfinite(c.replay.left()) || k < unlimited_walks); ++k)
    if (const Status status = user.walk(walk_length, c.stop); !status) {
      if (status.error().kind == Error::Kind::budget || status.error().kind == Error::Kind::cancelled)
        return status;
    }
  return {};
}

/// Found by one of the expectations.
struct Found {
  Expecting* by = nullptr;
  Violation what;
};

/// What fails least often first: it is the least of a habit.
std::vector<Found> ranked(const std::vector<std::unique_ptr<Expecting>>& all) {
  std::vector<Found> out;
  for (const auto& one : all)
    for (const Violation& v : one->violations()) out.push_back({one.get(), v});
  std::ranges::stable_sort(out, {}, [](const Found& f) {
    return static_cast<double>(f.what.failed) / static_cast<double>(f.what.held + f.what.failed);
  });
  return out;
}

/// One report for what is wrong after the same kind of event, and few for one value.
Status confirm_all(OracleContext& c, const std::vector<Found>& found) {
  const History& tree = c.replay.history();
  std::map<std::uint64_t, std::uint32_t> reported;
  std::set<std::uint64_t> causes;
  for (const Found& f : found) {
    if (c.stop.stop_requested() || c.replay.left() <= 0) break;
    const std::uint64_t cause = Hasher().add(f.what.wrong).add(last_role(tree, f.what.node)).finish();
    if (causes.contains(cause) || reported[f.what.wrong] >= reports_a_value) continue;
    NORN_TRY(const bool stands, f.by->confirm(f.what));
    if (stands) ++reported[f.what.wrong], causes.insert(cause);
  }
  return {};
}

}  // namespace

Status values_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  NORN_CHECK(walks(c));
  std::vector<std::unique_ptr<Expecting>> all;
  for (const auto make : {expect_formats, expect_counts, expect_across, expect_derived, expect_rows,
                          expect_saved, expect_appears, expect_cancel, expect_once, expect_siblings}) {
    all.push_back(std::make_unique<Expecting>(c, "values", make(tree, data)));
    all.back()->look();
  }
  return confirm_all(c, ranked(all));
}

}  // namespace norn

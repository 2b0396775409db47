// Expectations about what one input shows. First more inputs like a person's, then one expectation after the
// other, and again while there is time: what is left of it after confirming is walked.
#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "detect/offers/settings.h"
#include "detect/offers/tours.h"
#include "detect/offers/users.h"
#include "detect/values/expectations.h"
#include "detect/values/obeyed.h"

namespace norn {
namespace {

constexpr std::size_t walk_length =
    50;  ///< long enough to make, change and delete something on the third page
constexpr double tour_share =
    0.25;  ///< of what values may spend: looks at other pages before and after a change
constexpr double walk_share = 0.5;       ///< of what values may spend: the rest is for confirming
constexpr double settings_share = 0.05;  ///< of what may be spent: which settings there are
constexpr double obeyed_share = 0.1;     ///< the same: every page under each of them
constexpr double forms_share = 0.08;     ///< the same: forms for something new, filled in and opened again
constexpr double codes_share = 0.05;  ///< the same: codes that the app shows, typed wherever one may be meant
constexpr std::uint32_t reports_a_value =
    1;  ///< a value that is wrong after many events is wrong for one reason
constexpr std::size_t unlimited_walks = 200;  ///< where there is no budget
constexpr std::size_t most_rounds = 6;        ///< of walking and confirming: what is left then is little

/// Walks until so many seconds are left.
Status walk_until(OracleContext& c, User& user, double until) {
  for (std::size_t k = 0;
       c.left() && !(c.replay.left() < until) && (std::isfinite(c.replay.left()) || k < unlimited_walks); ++k)
    if (const Status status = user.walk(walk_length, c.stop); !status) {
      if (is_spent(status.error())) return status;
    }
  return {};
}

/// Looks at what there is; where something is nearly known, walks there before it looks again.
Status learn(OracleContext& c, const std::vector<std::unique_ptr<Expecting>>& all,
             const std::vector<NodeId>& settings, std::size_t round) {
  const History& tree = c.replay.history();
  std::vector<std::string> pages;
  for (const auto& one : all) {
    if (c.stop.stop_requested()) return {};
    one->look();
    for (const NodeId n : one->undecided()) pages.push_back(tree.screen(n).activity);
  }
  User user(c.replay, c.options.seed + 1 + round);
  user.prefer(std::move(pages));
  user.begin_also_at(settings);
  NORN_CHECK(walk_until(c, user, c.replay.left() - walk_share * (c.replay.left() - c.until)));
  for (const auto& one : all) one->look();
  return {};
}

/// What one of the expectations says.
struct Doubt {
  Expecting* by = nullptr;
  Violation what;
};

/// What fails least often first: it is the least of a habit. What fails as seldom stands by the length of its
/// input.
std::vector<Doubt> ranked(const History& tree, const std::vector<std::unique_ptr<Expecting>>& all) {
  std::vector<Doubt> out;
  for (const auto& one : all)
    for (const Violation& v : one->violations()) out.push_back({one.get(), v});
  std::ranges::stable_sort(out, {}, [&](const Doubt& f) {
    return std::pair(static_cast<double>(f.what.failed) / static_cast<double>(f.what.held + f.what.failed),
                     tree.depth(f.what.node));
  });
  return out;
}

/// What was done on the way to a node, whatever the data.
std::vector<std::uint64_t> doings(const History& tree, DataCache& data, NodeId node) {
  std::vector<std::uint64_t> out;
  for (const NodeId n : tree.path(node)) out.push_back(data.deed(n));
  return out;
}

bool contains(const std::vector<std::uint64_t>& longer, const std::vector<std::uint64_t>& shorter) {
  std::size_t k = 0;
  for (const std::uint64_t x : longer) k += k < shorter.size() && x == shorter[k];
  return k == shorter.size();
}

/// Confirms one after the other. Of what is wrong with the same value one report is kept for inputs of which
/// one contains the other: the longer one shows the same again.
class Confirming {
 public:
  Confirming(OracleContext& c, DataCache& data) : c_(c), data_(data), tree_(c.replay.history()) {}

  Status one(const Doubt& f) {
    auto& known = reported_[f.what.wrong];
    const std::uint64_t cause = Hasher().add(f.what.wrong).add(data_.deed(f.what.node)).finish();
    const std::uint64_t tried = Hasher().add(f.by->name()).add(f.what.group).add(cause).finish();
    if (known.size() >= reports_a_value || causes_.contains(cause) || !tried_.insert(tried).second) return {};
    const auto stands = f.by->confirm(f.what);
    if (!stands && rig_failed(stands.error()) && !c_.replay.lost()) return {};  // the next may come through
    if (!stands) return std::unexpected(stands.error());
    if (!*stands) return {};
    causes_.insert(cause);
    const auto now = doings(tree_, data_, c_.out.reports.back().deviant_end);
    for (const auto& [doing, report] : known)
      if (contains(now, doing) || contains(doing, now)) {
        c_.out.reports[report].duplicates += 1 + c_.out.reports.back().duplicates;
        c_.out.reports.pop_back();
        return {};
      }
    known.emplace_back(now, c_.out.reports.size() - 1);
    return {};
  }

 private:
  OracleContext& c_;
  DataCache& data_;
  const History& tree_;
  std::map<std::uint64_t, std::vector<std::pair<std::vector<std::uint64_t>, std::size_t>>>
      reported_;  ///< by what is wrong
  std::set<std::uint64_t> causes_, tried_;
};

Status confirm_all(OracleContext& c, Confirming& confirming, const std::vector<Doubt>& found) {
  for (const Doubt& f : found) {
    if (c.stop.stop_requested() || c.replay.left() <= 0) break;
    NORN_CHECK(confirming.one(f));
  }
  return {};
}

/// What can be set near the first page.
std::vector<Setting> first_settings(OracleContext& c) {
  DataCache data(c.replay.history());
  OracleContext looking = c.part(settings_share);
  return settings_near(looking, data, c.replay.history().root());
}

/// The first page under each.
std::vector<NodeId> ends_of(const std::vector<Setting>& settings) {
  std::vector<NodeId> out;
  for (const Setting& setting : settings) out.push_back(setting.end);
  return out;
}

}  // namespace

Status ordinary_use(OracleContext& c) {
  User user(c.replay, c.options.seed);
  user.begin_also_at(ends_of(first_settings(c)));
  return walk_until(c, user, c.until);
}

Status values_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::vector<std::unique_ptr<Expecting>> all;
  for (const MakeExpectation make : all_expectations)
    all.push_back(std::make_unique<Expecting>(c, data, "values", make(tree, data)));
  OracleContext touring = c.part(tour_share);
  NORN_CHECK(make_tours(touring));
  Confirming confirming(c, data);
  const auto settings = first_settings(c);
  OracleContext obeying = c.part(obeyed_share);
  NORN_CHECK(ask_obeyed(obeying, settings));
  OracleContext filling = c.part(forms_share);
  tour_forms(filling);
  OracleContext typing = c.part(codes_share);
  tour_codes(typing);
  for (std::size_t round = 0; round < most_rounds && c.left(); ++round) {
    NORN_CHECK(learn(c, all, ends_of(settings), round));
    NORN_CHECK(confirm_all(c, confirming, ranked(tree, all)));
    if (!std::isfinite(c.replay.left())) break;
  }
  return {};
}

}  // namespace norn

// A page that is opened again computes what it shows from the data; one that was only kept up to date may
// have missed something. So after a step on a page, leaving it and opening it again must show the same
// numbers, if everything else it shows is the same: the rows, what is checked and filled in, the title. That
// a search, a tab or a draft is gone with the page is as it should be, and shows in what else differs. The
// first page is opened again by letting the process die.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/openings.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_step = 3;    ///< the same kind of step on the same page
constexpr std::uint32_t deepest_visit = 120;  ///< events before it: longer ones cost much

class Visits {
 public:
  explicit Visits(const History& tree) : tree_(tree), data_(tree), openings_(tree, data_) {}

  /// One of each kind of step a round, those that need fewest events first.
  std::vector<Pair> all() {
    std::vector<NodeId> order;
    for (std::uint32_t n = 1; n < tree_.size(); ++n)
      if (tree_.depth({n}) <= deepest_visit && tells({n})) order.push_back({n});
    std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree_.depth(n); });
    std::map<std::uint64_t, std::vector<Pair>> by_step;
    std::set<std::uint64_t> screens;
    for (const NodeId n : order) {
      const std::uint64_t step = Hasher().add(data_.of(n).page).add(data_.deed(n)).finish();
      auto& pairs = by_step[step];
      if (pairs.size() >= pairs_of_a_step ||
          !screens.insert(Hasher().add(step).add(tree_.key(n)).finish()).second)
        continue;
      if (auto pair = leaving_and_opening(n)) pairs.push_back(*std::move(pair));
    }
    return in_rounds(std::move(by_step));
  }

 private:
  /// A page with rows, and a number beside them.
  bool tells(NodeId node) {
    const ScreenData& here = data_.of(node);
    return stands_upright(tree_.screen(node)) && !tree_.crash(node) && !here.popup &&
           std::ranges::any_of(here.tables, [](const ShownTable& t) { return !t.rows.empty(); }) &&
           std::ranges::any_of(here.values, [](const ShownValue& v) {
             return v.kind == ShownValue::Kind::text && !numbers_in(v.text).empty();
           });
  }

  std::optional<Pair> leaving_and_opening(NodeId node) {
    const NodeId opened = data_.opened(node);
    if (opened == node) return std::nullopt;
    if (opened == tree_.root()) return again(node, {System{"kill", {}}, Launch{}});
    auto way = openings_.leave_and_open(node);
    return way.empty() ? std::nullopt : std::optional(again(node, std::move(way)));
  }
  Pair again(NodeId node, std::vector<Event> leave_and_open) {
    const std::size_t events = leave_and_open.size();
    return Pair{.family = "reopened",
                .name = "leaving the page and opening it again changes a number",
                .group = Hasher().add("reopened").add(data_.of(node).page).finish(),
                .base = node,
                .plain = {},
                .other = std::move(leave_and_open),
                .agree = {{0, events}}};
  }

  const History& tree_;
  DataCache data_;
  Openings openings_;
};

/// The same page with the same rows and settings, whatever the numbers beside them.
bool same_but_for_numbers(const ScreenData& a, const ScreenData& b) {
  const auto same_value = [](const ShownValue& x, const ShownValue& y) {
    return x.name == y.name && x.kind == y.kind &&
           (x.text == y.text || (x.kind == ShownValue::Kind::text &&
                                 words_beside_numbers(x.text) == words_beside_numbers(y.text)));
  };
  const auto same_table = [](const ShownTable& x, const ShownTable& y) {
    return x.name == y.name && x.whole && y.whole && x.content() == y.content();
  };
  return a.page == b.page && a.mode == b.mode && std::ranges::equal(a.values, b.values, same_value) &&
         std::ranges::equal(a.tables, b.tables, same_table);
}

/// What a page showed at four moments.
struct Visit {
  ScreenData first;   ///< when it was opened
  ScreenData left;    ///< after the step
  ScreenData again;   ///< opened again
  ScreenData thrice;  ///< and once more

  /// The number that opening it again corrected: it is another one than before, and stays so (it counts no
  /// visits). One that is as it was at first belonged to the visit.
  bool was_stale(const ShownValue& v) const {
    const ShownValue *begin = first.value(v.name), *now = again.value(v.name), *later = thrice.value(v.name);
    return begin && now && later && now->text != v.text && now->text != begin->text &&
           now->text == later->text;
  }
  bool shows_a_stale_number() const {
    return same_but_for_numbers(left, again) &&
           std::ranges::any_of(left.values, [&](const ShownValue& v) { return was_stale(v); });
  }
};

}  // namespace

Status try_reopened(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, Visits(tree).all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId left, NodeId again) {
    const std::vector<Event> twice = joined(cut.other, {cut.other.begin(), cut.other.end() - 1});  // no wait
    const Outcome thrice = c.replay.ask({.from = cut.base, .events = c.replay.intern(twice)}, c.stop);
    const auto shown = [&](NodeId n) { return data_of(tree.screen(n)); };
    return thrice.verdict == Verdict::yes &&
           Visit{shown(DataCache(tree).opened(cut.base)), shown(left), shown(again), shown(thrice.end)}
               .shows_a_stale_number();
  });
}

}  // namespace norn

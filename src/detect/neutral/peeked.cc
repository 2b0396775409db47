// Looking is not touching. Who opens a page, looks, and comes back to the very screen that was left has
// changed nothing; so whatever is done next does what it does without the look. What a look leaves behind
// cannot be seen at once: a safe whose paper was read stays open when it is locked, a total that was shown
// once is shown for the next choice, too.
//
// The tree knows steps that change a page, and taps that open another from there. One pair of each two: the
// step and then the tap, with a look before them and without. A page that shows something else every time it
// is opened is no mere look: a failure counts only if opening it again at once shows the same.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/detours.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/places.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/data.h"

namespace norn {
namespace {

constexpr std::size_t looks_at_a_page = 5;   ///< taps that open another page from there
constexpr std::size_t pairs_of_a_look = 6;   ///< the same look before the same step, from different screens
constexpr std::size_t longest_step = 4;      ///< events of a step: through a menu and a question
constexpr std::size_t rows_looked_at = 3;    ///< of each list
constexpr std::uint32_t deepest_look = 200;  ///< events before it: longer ones cost much and show little more

bool acts(const Event& event) {
  return std::holds_alternative<Tap>(event) || std::holds_alternative<LongPress>(event) ||
         std::holds_alternative<Type>(event);
}

class Looks {
 public:
  explicit Looks(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  /// One of each situation a round: first those where the page was not looked at before, then those that need
  /// fewest events. Before all others those where a tap takes away what opens the page: it may mean to hide
  /// it.
  std::vector<Pair> all() {
    std::vector<NodeId> order;
    for (std::uint32_t n = 1; n < tree_.size(); ++n)
      if (changed_from({n})) order.push_back({n});
    std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree_.depth(n); });
    for (const bool again : {false, true})
      for (const NodeId n : order) looks_before(n, again);
    std::vector<Pair> out = in_rounds(std::move(hidden_by_)), others = in_rounds(std::move(others_));
    std::ranges::move(others, std::back_inserter(out));
    return out;
  }

 private:
  /// Where a person's step on a page began that is still there and says something else after it: with the
  /// menus and questions on the way.
  NodeId changed_from(NodeId after) {
    if (tree_.depth(after) > deepest_look || tree_.crash(after) || data_.of(after).popup) return {};
    NodeId before = after;
    for (std::size_t k = 0; k < longest_step && before != tree_.root(); ++k) {
      if (!acts(tree_.event(tree_.event_id(before)))) return {};
      before = tree_.parent(before);
      if (!data_.of(before).popup) break;
    }
    const Screen &a = tree_.screen(before), &b = tree_.screen(after);
    const bool stays = before != after && data_.of(before).page == data_.of(after).page;
    return stays && a.kind == Screen::Kind::app && !alike(a, b) ? before : NodeId{};
  }

  /// Taps that open another page, and which, as far as is known; not one that lies below.
  std::vector<std::pair<Event, std::uint64_t>> opening(NodeId base) {
    std::vector<std::pair<Event, std::uint64_t>> out;
    for (const std::uint64_t key : c_.groups.of(c_.groups.layout_of(base))) {
      const Group& group = c_.groups.all().at(key);
      const NodeId after = group.behaviours.front().after;
      const ScreenData& there = data_.of(after);
      if (!std::holds_alternative<Tap>(group.event) || tree_.screen(after).kind != Screen::Kind::app ||
          there.popup || there.page == data_.of(base).page || data_.below(base, there.page))
        continue;
      if (const auto here = in_role(group.event, group.role, tree_.screen(base)); !here.empty())
        out.emplace_back(here.front(), there.page);
    }
    return out;
  }
  bool was_opened(NodeId node, std::uint64_t page) {
    for (; node != tree_.root(); node = tree_.parent(node))
      if (data_.of(node).page == page) return true;
    return false;
  }

  /// `again`: of pages that were opened before on the way, else only of others. A look that was taken leaves
  /// no more behind.
  void looks_before(NodeId after, bool again) {
    const NodeId base = changed_from(after);
    auto step = tree_.events_to(after);
    step.erase(step.begin(), step.begin() + tree_.depth(base));
    std::size_t looks = 0;
    for (const auto& [open, page] : opening(base)) {
      if (looks++ >= looks_at_a_page) break;
      if (was_opened(base, page) != again) continue;
      const std::uint64_t look = deed_of(open, tree_.screen(base), data_.of(base));
      const std::uint64_t situation =
          Hasher().add(data_.of(base).page).add(data_.deed(after)).add(look).finish();
      const bool hides = std::holds_alternative<Tap>(step.back()) && !receiver_of(open, tree_.screen(after));
      auto& pairs = (hides ? hidden_by_ : others_)[situation];
      if (pairs.size() < pairs_of_a_look &&
          seen_.insert(Hasher().add(situation).add(tree_.key(base)).finish()).second)
        pairs.push_back(with_and_without(base, open, step));
    }
  }

  /// A keyboard is closed first on both ways: the look closes it.
  Pair with_and_without(NodeId base, const Event& open, const std::vector<Event>& step) const {
    const Event back = Key{key::back};
    const std::vector<Event> calm(tree_.screen(base).keyboard ? 1 : 0, back);
    const std::size_t c = calm.size(), k = c + step.size();
    return {.family = "look",
            .name = fmt::format("{}, looking and coming back, leaves something behind", describe(open)),
            .group = Hasher().add("looks").finish(),
            .base = base,
            .plain = joined(joined(calm, step), {open}),
            .other = joined(joined(joined(calm, {open, back}), step), {open}),
            .agree = {{c, c + 2}, {k, k + 2}, {k + 1, k + 3}}};
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::vector<Pair>> hidden_by_, others_;  ///< by page, step and look
  std::set<std::uint64_t> seen_;
};

/// Rows whose pages are opened and left.
class LooksAtRows {
 public:
  explicit LooksAtRows(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::vector<Pair>> by_list;
    for (const NodeId page : untouched_lists(tree_, data_))
      for (const ShownTable& table : data_.of(page).tables) {
        const std::uint64_t list = Hasher().add(data_.of(page).page).add(table.name).finish();
        for (const ShownRow& row : table.rows)
          if (auto& pairs = by_list[list]; pairs.size() < rows_looked_at && c_.left())
            if (auto pair = opened_and_left(page, table, row, list)) pairs.push_back(*std::move(pair));
      }
    return in_rounds(std::move(by_list));
  }
  void note(const Pair& pair, NodeId plain, NodeId other) {
    (takes_its_row(pair, plain, other) ? taken_ : left_).insert(pair.group);
  }
  /// The row that was opened is gone, and nothing else of the lists; other lists keep theirs.
  bool is_wrong(const Pair& cut, NodeId plain, NodeId other) {
    return takes_its_row(cut, plain, other) && !left_.contains(cut.group) && left_.size() >= taken_.size();
  }

 private:
  std::optional<Pair> opened_and_left(NodeId page, const ShownTable& table, const ShownRow& row,
                                      std::uint64_t list) {
    const Screen& screen = tree_.screen(page);
    if (row.title().empty() || !named_alone(screen, table, row)) return std::nullopt;
    std::vector<Event> way{tap_on(screen, row.widget)};
    const NodeId opened = ends_of(c_, page, {way}).front();
    if (!opened || data_.of(opened).popup || data_.of(opened).page == data_.of(page).page ||
        tree_.screen(opened).kind != Screen::Kind::app ||
        !back_to(c_, data_, page, data_.of(page).page, way) || way.size() < 2)
      return std::nullopt;
    const std::size_t length = way.size();
    return Pair{.family = "look",
                .name = "a row whose page was opened and left is gone from its list",
                .group = list,
                .base = page,
                .plain = {},
                .other = std::move(way),
                .agree = {{0, length}},
                .any_order = true,
                .one_report = true};
  }
  bool takes_its_row(const Pair& pair, NodeId plain, NodeId other) {
    const ScreenData &before = data_.of(plain), &after = data_.of(other);
    const auto touched = receiver_of(pair.other.front(), tree_.screen(pair.base));
    const RowPlace place = touched ? row_of(data_.of(pair.base), *touched) : RowPlace{};
    const ShownTable *was = place.table ? before.table(place.table->name) : nullptr,
                     *is = place.table ? after.table(place.table->name) : nullptr;
    if (before.page != after.page || !was || (!is && was->rows.size() > 1)) return false;
    if (!is) return true;
    const auto gone = rows_missing(*was, *is);
    return gone.size() == 1 && gone[0]->title() == place.row->title() &&
           (is->is_notice() || rows_missing(*is, *was).empty());
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::set<std::uint64_t> left_, taken_;  ///< lists
};

/// Where the look begins: after the Back that closes a keyboard.
std::size_t look_begins(const Pair& pair) { return std::holds_alternative<Key>(pair.other.front()) ? 1 : 0; }

/// The page that was looked at shows the same when it is opened again right after the look.
bool shows_the_same_again(OracleContext& c, const Pair& cut) {
  const History& tree = c.replay.history();
  const auto at = cut.other.begin() + static_cast<std::ptrdiff_t>(look_begins(cut));
  const std::vector<Event> look(cut.other.begin(), at + 1),
      twice = joined({cut.other.begin(), at + 2}, {*at});
  const std::vector<Request> both{{.from = cut.base, .events = c.replay.intern(look)},
                                  {.from = cut.base, .events = c.replay.intern(twice)}};
  const auto ends = c.replay.ask(both, Until::all, c.stop);
  return ends[0].verdict == Verdict::yes && ends[1].verdict == Verdict::yes &&
         alike(tree.screen(ends[0].end), tree.screen(ends[1].end));
}

}  // namespace

Status try_looks(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  LooksAtRows rows(looking);
  Pairs taken(c, "neutral");
  taken.on_compared([&](const Pair& p, NodeId plain, NodeId other) { rows.note(p, plain, other); });
  NORN_CHECK(
      in_batches(c, rows.all(), [&](std::vector<Pair> batch) { return taken.attempt(std::move(batch)); }));
  NORN_CHECK(taken.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    return rows.is_wrong(cut, plain, other);
  }));
  Pairs pairs(c, "neutral");
  DataCache data(c.replay.history());
  WithoutDetours without(c, data);
  NORN_CHECK(in_batches(c, Looks(c).all(), [&](std::vector<Pair> batch) {
    std::vector<NodeId> bases;
    for (const Pair& p : batch) bases.push_back(p.base);
    bases = without.of(bases);
    for (std::size_t k = 0; k < batch.size(); ++k) batch[k].base = bases[k];
    return pairs.attempt(std::move(batch));
  }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId, NodeId) {
    // One event is the wait: what shows as soon as one is back is no secret.
    return cut.plain.size() > look_begins(cut) + 1 && shows_the_same_again(c, cut);
  });
}

}  // namespace norn

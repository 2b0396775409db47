// How a list is shown decides nothing about what is done to a row of it. Sorted, filtered or searched, what
// is done to a row does what it does without: done first and then shown otherwise, or shown otherwise first,
// the list looks the same. A row that is found again by its place does not: the place is that of the other
// order.
//
// Of the rows those are tried that stand at another place in the view (list_views.h), with all that can be
// done to them (row_actions.h). Reported is what needs no habit: in the view, the action does to this row
// what without the view it does to another one. And what takes a row off the list takes it off every view of
// it: a filter does not bring back what was archived. That is expected where most views keep to it, as some
// searches look everywhere; but what was deleted is in none.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/list_views.h"
#include "detect/offers/openings.h"
#include "detect/offers/places.h"
#include "detect/offers/row_actions.h"

namespace norn {
namespace {

constexpr std::size_t rows_of_a_view = 2;  ///< touched by each action
constexpr std::size_t reports_of_a_page = 2;
constexpr std::size_t rows_compared = 8;  ///< for which the touched one may have been taken

class Viewing {
 public:
  explicit Viewing(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_), views_(c, data_) {}

  std::vector<Pair> all() {
    for (const NodeId n : pages_with_lists(tree_, data_)) {
      if (!c_.left()) break;
      const auto views = views_.of(n);
      const auto actions = views.empty() ? std::vector<RowAction>{} : row_actions(c_, data_, n);
      const auto behind = views.empty() ? std::vector<RowAction>{} : actions_behind_rows(c_, data_, n);
      for (const ListView& view : views) {
        for (const RowAction& action : actions) {
          in_view(n, view, action);
          if (action.stays) taken_off(n, view, action);
        }
        for (const RowAction& action : behind) taken_off(n, view, action);
      }
    }
    return in_rounds(std::move(by_situation_));
  }
  /// A row taken off the list, and the view then.
  std::vector<Pair> off_the_list() { return in_rounds(std::move(taken_off_)); }
  /// The view lists what was taken off the list.
  bool comes_back(NodeId off, NodeId in_view) {
    std::set<std::string_view> listed;
    for (const ShownTable& t : data_.of(off).tables) {
      if (t.scrolls) return false;
      for (const ShownRow& row : t.rows) listed.insert(row.title());
    }
    return std::ranges::any_of(data_.of(in_view).tables, [&](const ShownTable& t) {
      return !t.is_notice() &&
             std::ranges::any_of(t.rows, [&](const ShownRow& row) { return !listed.contains(row.title()); });
    });
  }
  /// In the view, the action did to the row what it does to another one without it.
  bool took_another(const Pair& cut, NodeId other_end) {
    const auto at = made_.find(key(cut));
    if (at == made_.end() || told_enough(cut)) return false;
    const auto& [action, view, way] = at->second;
    const Event wait = cut.plain.back();
    if (!action.stays) return as_another(cut, action, {}, wait, other_end);
    if (!alike(tree_.screen(other_end), tree_.screen(view.shown)))
      return as_another(cut, action, view.there, wait, other_end);
    // Nothing is to be seen of it in the view.
    const Outcome back = c_.replay.ask(
        {.from = cut.base,
         .events = c_.replay.intern(joined(joined(view.there, way), joined(view.back, {wait})))},
        c_.stop);
    return back.verdict == Verdict::yes && !same_in_any_order(data_.of(back.end), data_.of(cut.base)) &&
           as_another(cut, action, {}, wait, back.end);
  }

 private:
  struct Made {
    RowAction action;
    ListView view;
    std::vector<Event> way;  ///< the action done to the row, in the view
  };

  static std::uint64_t key(const Pair& pair) {
    Hasher out;
    out.add(pair.base.value);
    for (const Event& e : pair.other)
      if (!std::holds_alternative<Wait>(e)) out.add(describe(e));
    return out.finish();
  }

  /// A page that takes one row for another does so for few reasons, whatever the view.
  bool told_enough(const Pair& cut) { return told_[data_.of(cut.base).page] >= reports_of_a_page; }

  /// Done to another row, and then this, it ends like that.
  bool as_another(const Pair& cut, const RowAction& action, const std::vector<Event>& then, const Event& wait,
                  NodeId end) {
    const Screen& screen = tree_.screen(cut.base);
    std::vector<Request> requests;
    for (const ShownRow& row : data_.of(cut.base).table(action.table)->rows)
      if (const auto way = done_to(action, screen, row);
          way && describe(way->front()) != describe(cut.plain.front()) && requests.size() < rows_compared)
        requests.push_back(
            {.from = cut.base, .events = c_.replay.intern(joined(joined(*way, then), {wait}))});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    const bool another = std::ranges::any_of(outcomes, [&](const Outcome& o) {
      return o.verdict == Verdict::yes && (alike(tree_.screen(o.end), tree_.screen(end)) ||
                                           same_in_any_order(data_.of(o.end), data_.of(end)));
    });
    if (another) ++told_[data_.of(cut.base).page];
    return another;
  }

  void in_view(NodeId base, const ListView& view, const RowAction& action) {
    const Screen& screen = tree_.screen(base);
    const ShownTable *before = data_.of(base).table(action.table),
                     *now = data_.of(view.shown).table(action.table);
    std::size_t rows = 0;
    for (std::size_t k = 0; before && now && k < before->rows.size() && rows < rows_of_a_view; ++k) {
      const auto at = std::ranges::find(now->rows, before->rows[k].texts, &ShownRow::texts);
      if (at == now->rows.end() || static_cast<std::size_t>(at - now->rows.begin()) == k ||
          std::ranges::count(before->rows, before->rows[k].texts, &ShownRow::texts) != 1)
        continue;  // several of one name are told apart by what else they say
      const auto way = done_to(action, screen, before->rows[k]),
                 in_view = done_to(action, tree_.screen(view.shown), *at);
      if (way && in_view) add(base, view, action, *way, *in_view), ++rows;
    }
  }
  /// The first row that the view shows, if the action takes it off the list.
  void taken_off(NodeId base, const ListView& view, const RowAction& action) {
    if (data_.chose_what_is_shown(base)) return;  // it shows a part itself
    const Screen& screen = tree_.screen(base);
    const ShownTable *before = data_.of(base).table(action.table),
                     *shown = data_.of(view.shown).table(action.table);
    if (!before || !shown || shown->rows.empty()) return;
    const std::string_view title = shown->rows.front().title();
    const auto row = std::ranges::find(before->rows, title, &ShownRow::title);
    const auto way = row != before->rows.end() && named_alone(screen, *before, *row)
                         ? done_to(action, screen, *row)
                         : std::nullopt;
    const NodeId end = way ? ends_of(c_, base, {*way}).front() : NodeId{};
    const ShownTable* after = end ? data_.of(end).table(action.table) : nullptr;
    if (!after || after->rows.size() + 1 != before->rows.size() ||
        std::ranges::find(after->rows, title, &ShownRow::title) != after->rows.end())
      return;
    Pair out{.family = "viewed",
             .name = "what was taken off a list is listed again when it is searched or filtered",
             .group = Hasher().add("taken off").add(data_.of(base).page).add(action.what()).finish(),
             .base = base,
             .plain = *way,
             .other = joined(*way, view.there),
             .agree = {{way->size(), way->size() + view.there.size()}},
             .one_report = true,
             .agrees = false};
    taken_off_[Hasher().add(out.group).add(describe(view.there.back())).finish()].push_back(std::move(out));
  }
  void add(NodeId base, const ListView& view, const RowAction& action, const std::vector<Event>& way,
           const std::vector<Event>& in_view) {
    Pair out{.family = "viewed",
             .name = "what is done to a row depends on how its list is shown: it is done to another one",
             .group = Hasher().add(data_.of(base).page).add(action.what()).add(action.kind).finish(),
             .base = base,
             .plain = action.stays ? joined(way, view.there) : way,
             .other = joined(view.there, in_view),
             .agree = {},
             .any_order = true,
             .one_report = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    made_.try_emplace(key(out), Made{action, view, in_view});
    by_situation_[Hasher().add(out.group).add(describe(view.there.back())).finish()].push_back(
        std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  ListViews views_;
  std::map<std::uint64_t, std::size_t> told_;  ///< reports, by page
  std::map<std::uint64_t, Made> made_;         ///< by key()
  std::map<std::uint64_t, std::vector<Pair>> by_situation_, taken_off_;
};

}  // namespace

Status try_viewed(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  Viewing viewing(looking);
  NORN_CHECK(
      in_batches(c, viewing.all(), [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  NORN_CHECK(pairs.report(
      Habit::none, [&](const Pair& cut, NodeId, NodeId other) { return viewing.took_another(cut, other); }));
  Pairs off(c, "neutral");
  std::map<std::string, Pairs::Tally> pages;
  const auto page = [&](const Pair& p) -> Pairs::Tally& {
    return pages[c.replay.history().screen(p.base).activity];
  };
  off.on_compared([&](const Pair& p, NodeId plain, NodeId other) {
    ++(viewing.comes_back(plain, other) ? page(p).failed : page(p).held);
  });
  NORN_CHECK(in_batches(c, viewing.off_the_list(),
                        [&](std::vector<Pair> batch) { return off.attempt(std::move(batch)); }));
  return off.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    const bool deleted = touched_between(c.replay.history(), cut.base, plain, says_deleting);
    return viewing.comes_back(plain, other) && (deleted || page(cut).failed <= page(cut).held);
  });
}

}  // namespace norn

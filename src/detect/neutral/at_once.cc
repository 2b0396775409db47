// What is done to selected rows is done to each of them and to no other. Done to one row and then to a second, it
// changes these two; so it does when both are selected first. A handler that takes but the first of them, or that
// counts on while rows go, changes others.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t rows_taken = 3;  ///< of a list, two at a time

class AtOnce {
 public:
  explicit AtOnce(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      for (const RowAction& action : row_actions(c_, data_, page, rows_taken))
        if (action.stays && action.events.size() > 1) on_two_rows(page, action);
    }
    return in_rounds(std::move(by_action_));
  }

  /// One after the other changes the two and no others; both at once does something else. What it leaves undone
  /// altogether may be for one row only.
  bool takes_others(const Pair& cut, NodeId plain, NodeId other) {
    const auto at = rows_.find(key(cut));
    if (at == rows_.end() || data_.of(plain).page != data_.of(other).page) return false;
    const auto at_once = changed(cut.base, other);
    return changed(cut.base, plain) == at->second && !at_once.empty() && at_once != at->second;
  }

 private:
  static std::uint64_t key(const Pair& pair) {
    Hasher out;
    out.add(pair.base.value);
    for (const Event& e : pair.other)
      if (!std::holds_alternative<Wait>(e)) out.add(event_key(e));
    return out.finish();
  }
  /// Titles of the rows that are gone or say something else now.
  std::set<std::string> changed(NodeId before, NodeId after) {
    std::set<std::string> out;
    for (const ShownTable& t : data_.of(before).tables) {
      const ShownTable* now = data_.of(after).table(t.name);
      for (const ShownRow& row : t.rows)
        if (!now || std::ranges::find(now->rows, row.texts, &ShownRow::texts) == now->rows.end())
          out.emplace(row.title());
    }
    return out;
  }

  void on_two_rows(NodeId page, const RowAction& action) {
    const ShownTable* table = data_.of(page).table(action.table);
    if (!table) return;
    std::vector<const ShownRow*> rows;
    for (const ShownRow& row : table->rows)
      if (rows.size() < rows_taken && named_alone(tree_.screen(page), *table, row)) rows.push_back(&row);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = i + 1; j < rows.size(); ++j) add(page, action, *rows[i], *rows[j]);
  }
  void add(NodeId page, const RowAction& action, const ShownRow& first, const ShownRow& second) {
    const auto to_first = done_to(action, tree_.screen(page), first);
    if (!to_first) return;
    const auto selecting = both_selected(page, action, to_first->front(), second);
    const NodeId once = ends_of(c_, page, {*to_first}).front();
    const ShownTable* left = once ? data_.of(once).table(action.table) : nullptr;
    if (selecting.empty() || !left || data_.of(once).page != data_.of(page).page) return;
    const auto row = std::ranges::find(left->rows, second.title(), &ShownRow::title);
    const auto to_second = row != left->rows.end() ? done_to(action, tree_.screen(once), *row) : std::nullopt;
    if (!to_second) return;
    Pair out{.family = "at once",
             .name = "what is done to selected rows is not done to them alone",
             .group = Hasher().add(data_.of(page).page).add(action.what()).finish(),
             .base = page,
             .plain = joined(*to_first, *to_second),
             .other = joined(selecting, {to_first->begin() + 1, to_first->end()}),
             .agree = {},
             .any_order = true,
             .one_report = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    rows_.emplace(key(out), std::set<std::string>{std::string(first.title()), std::string(second.title())});
    by_action_[out.group].push_back(std::move(out));
  }
  /// Selects the one and then the other; empty: a touch of another row does something else then.
  std::vector<Event> both_selected(NodeId page, const RowAction& action, const Event& select,
                                   const ShownRow& second) {
    const NodeId one = ends_of(c_, page, {{select}}).front();
    if (!one || data_.of(one).page != data_.of(page).page || data_.of(one).popup) return {};
    const ShownTable* rows = data_.of(one).table(action.table);
    const auto place = [&](const ShownTable* t) {
      return std::ranges::find_if(t->rows, [&](const ShownRow& r) {
        return without_signs(r.title()) == without_signs(second.title());
      });
    };
    if (!rows || place(rows) == rows->rows.end()) return {};
    const std::vector<Event> both{select, tap_on(tree_.screen(one), place(rows)->widget)};
    const NodeId two = ends_of(c_, page, {both}).front();
    const ShownTable* now = two ? data_.of(two).table(action.table) : nullptr;
    const bool selected =
        now && data_.of(two).page == data_.of(page).page && !data_.of(two).popup &&
        place(now) != now->rows.end() &&
        (place(now)->selected != place(rows)->selected || place(now)->content != place(rows)->content) &&
        now->rows.size() == rows->rows.size();
    return selected ? both : std::vector<Event>{};
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::set<std::string>> rows_;  ///< the two, by key()
  std::map<std::uint64_t, std::vector<Pair>> by_action_;
};

}  // namespace

Status try_at_once(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  AtOnce at_once(looking);
  NORN_CHECK(
      in_batches(c, at_once.all(), [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    return at_once.takes_others(cut, plain, other);
  });
}

}  // namespace norn

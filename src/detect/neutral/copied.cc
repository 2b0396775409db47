// A copy is a thing of its own. Something is copied (what does so calls itself that) and stands in its list
// once more; what is changed on the copy's page then leaves the page of the original as it was. And the rows
// of its page say what they said on the original's: none has lost a part. What else a copy begins anew
// (dates, ticks, a history) is for the app to say.
#include <algorithm>
#include <map>
#include <optional>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/openings.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t rows_copied = 3;         ///< of a list
constexpr std::size_t changes_of_a_copy = 16;  ///< tried on its page

std::optional<std::size_t> copying_in(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && says_copying(screen, i)) return i;
  return std::nullopt;
}

class Copying {
 public:
  explicit Copying(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  void all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      const auto actions = in_list(page);
      for (const ShownTable& table : data_.of(page).tables) on_rows(page, table, actions);
    }
  }
  std::vector<Pair> changed() { return in_rounds(std::move(changed_)); }
  std::vector<Pair> opened() { return std::move(opened_); }
  DataCache& data() { return data_; }

  /// A row of the original's page has lost something on the copy's.
  bool lost_a_part(NodeId original, NodeId copy) {
    for (const ShownTable& t : data_.of(original).tables)
      for (const ShownRow& row : t.rows) {
        const ShownTable* there = data_.of(copy).table(t.name);
        const auto same = [&](const ShownRow& r) { return r.title() == row.title(); };
        if (!there || row.title().empty() || std::ranges::count_if(t.rows, same) != 1 ||
            std::ranges::count_if(there->rows, same) != 1)
          continue;
        const ShownRow& now = *std::ranges::find_if(there->rows, same);
        if (std::ranges::any_of(row.cells, [&](const ShownValue& v) {
              const ShownValue* is = now.cell(v.name);
              return v.kind == ShownValue::Kind::text && !v.text.empty() && (!is || is->text.empty());
            }))
          return true;
      }
    return false;
  }

 private:
  void on_rows(NodeId page, const ShownTable& table, const std::vector<RowAction>& actions) {
    std::size_t rows = 0;
    for (const ShownRow& row : table.rows) {
      if (!named_alone(tree_.screen(page), table, row) || row.title().empty()) continue;
      std::vector<std::vector<Event>> ways;
      if (auto way = from_its_page(page, row); !way.empty()) ways.push_back(std::move(way));
      for (const RowAction& action : actions)
        if (const auto way =
                action.table == table.name ? done_to(action, tree_.screen(page), row) : std::nullopt)
          ways.push_back(*way);
      for (const auto& way : ways) one(page, table, row, way);
      if (ways.empty() || ++rows >= rows_copied || !c_.left()) break;  // what one offers all do
    }
  }
  /// What copies a row without leaving the list.
  std::vector<RowAction> in_list(NodeId page) {
    auto out = row_actions(c_, data_, page);
    std::erase_if(out, [&](const RowAction& a) {
      const NodeId end = ends_of(c_, page, {a.events}).front();
      return !end || !copies_between(tree_, page, end);
    });
    return out;
  }
  /// What copies it on its own page, or in a menu there. Empty: nothing does.
  std::vector<Event> from_its_page(NodeId page, const ShownRow& row) {
    const Event open = tap_on(tree_.screen(page), row.widget);
    const NodeId own = ends_of(c_, page, {{open}}).front();
    if (!own || data_.of(own).popup || data_.of(own).page == data_.of(page).page) return {};
    const auto copying = touching_it_or_in_menu(c_, data_, own, copying_in);
    return copying.empty() ? copying : joined({open}, copying);
  }
  /// Copies it. The copy is a row of the list then, or one stands on its page.
  void one(NodeId page, const ShownTable& table, const ShownRow& row, const std::vector<Event>& way) {
    std::vector<Event> to_list = way;
    const NodeId copied = ends_of(c_, page, {way}).front(),
                 listed = back_to(c_, data_, page, data_.of(page).page, to_list);
    const Event open = tap_on(tree_.screen(page), row.widget);
    const NodeId original = ends_of(c_, page, {{open}}).front();
    if (!copied || !listed || !original || data_.of(original).page == data_.of(page).page) return;
    const std::uint64_t group = Hasher().add(data_.of(page).page).add(describe(way.back())).finish();
    if (data_.of(copied).page == data_.of(original).page && way.size() > 1 &&
        contents_of(data_.of(copied)) != contents_of(data_.of(original)))
      change(page, joined(to_list, {open}), open, way, copied, group);
    else
      as_a_row(listed, table, row, group);
  }
  /// The row that has come names the other, which is still there.
  void as_a_row(NodeId listed, const ShownTable& table, const ShownRow& row, std::uint64_t group) {
    const ShownTable* now = data_.of(listed).table(table.name);
    if (!now || now->rows.size() != table.rows.size() + 1) return;
    const auto come = rows_missing(*now, table);
    const auto kept = std::ranges::find(now->rows, row.title(), &ShownRow::title);
    if (come.size() != 1 || !says_word(come[0]->title(), row.title()) || come[0]->title() == row.title() ||
        kept == now->rows.end())
      return;
    const Screen& screen = tree_.screen(listed);
    const Event original = tap_on(screen, kept->widget), copy = tap_on(screen, come[0]->widget);
    const auto ends = ends_of(c_, listed, {{original}, {copy}});
    if (!ends[0] || !ends[1] || data_.of(ends[0]).page != data_.of(ends[1]).page) return;
    opened_.push_back(
        pair("what is listed of a copy says less than of its original", group, listed, {original}, {copy}));
    change(listed, {original}, original, {copy}, ends[1], group);
  }
  /// Changes the copy, which is opened by `open`, and looks at the original; `plain` looks at it without.
  void change(NodeId base, const std::vector<Event>& plain, const Event& original,
              const std::vector<Event>& open, NodeId opened, std::uint64_t group) {
    const NodeId copied = ends_of(c_, base, {{plain.begin(), plain.end() - 1}}).front();
    const std::size_t copies = copied ? rows_by_texts(data_.of(copied)).size() : 0;
    std::size_t changes = 0;
    for (const auto& [what, events] : changes_on(opened)) {
      std::vector<Event> way = joined(open, events);
      const NodeId list = back_to(c_, data_, base, data_.of(base).page, way);
      if (!list || rows_by_texts(data_.of(list)).size() != copies) continue;  // it was put away or deleted
      if (changes++ >= changes_of_a_copy) break;
      way.push_back(original);
      changed_[what].push_back(
          pair("what is changed on a copy changes its original", group, base, plain, std::move(way)));
    }
  }
  /// What is changed on the page beside its rows, and what is done to a row of it.
  std::vector<std::pair<std::uint64_t, std::vector<Event>>> changes_on(NodeId page) {
    std::vector<std::pair<std::uint64_t, std::vector<Event>>> out;
    for (PageChange& change : page_changes(c_, data_, page))
      if (!touched_between(tree_, page, change.end, says_showing))  // maybe on all pages
        out.emplace_back(change.what, std::move(change.events));
    for (RowAction& action : row_actions(c_, data_, page, 1))
      if (action.stays)
        out.emplace_back(Hasher().add(data_.of(page).page).add(action.table).add(action.what()).finish(),
                         std::move(action.events));
    return out;
  }
  static Pair pair(std::string name, std::uint64_t group, NodeId base, std::vector<Event> plain,
                   std::vector<Event> other) {
    const std::size_t m = plain.size(), n = other.size();
    return {.family = "copied",
            .name = std::move(name),
            .group = group,
            .base = base,
            .plain = std::move(plain),
            .other = std::move(other),
            .agree = {{m, n}},
            .any_order = true,
            .one_report = true};
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, std::vector<Pair>> changed_;  ///< by what is changed
  std::vector<Pair> opened_;
};

}  // namespace

Status try_copied(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Copying copying(looking);
  copying.all();
  Pairs changed(c, "neutral"), opened(c, "neutral");
  NORN_CHECK(in_batches(c, copying.opened(),
                        [&](std::vector<Pair> batch) { return opened.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, copying.changed(),
                        [&](std::vector<Pair> batch) { return changed.attempt(std::move(batch)); }));
  NORN_CHECK(opened.report(Habit::none, [&](const Pair&, NodeId original, NodeId copy) {
    return copying.lost_a_part(original, copy);
  }));
  return changed.report(Habit::none, [&](const Pair&, NodeId plain, NodeId other) {
    const ScreenData &a = copying.data().of(plain), &b = copying.data().of(other);
    return a.page == b.page && says_otherwise(a, b) && !only_a_place_moves(a, b);
  });
}

}  // namespace norn

// Select all selects what is shown. A row is pressed long, and then Select all is touched, beside the list or
// in a menu: that looks as if each of the other rows had been touched, also where the list is searched or
// filtered and shows some of its rows. What it takes beside them would be deleted or moved unseen.
#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t most_rows = 10;  ///< touched one after the other
constexpr std::size_t views_of_a_page = 6;

/// "Select all", or an id like select_all.
std::optional<std::size_t> select_all_on(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && calls_itself(screen, i, "select") &&
        calls_itself(screen, i, "all") && !calls_itself(screen, i, "deselect"))
      return i;
  return std::nullopt;
}

class SelectingAll {
 public:
  explicit SelectingAll(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), views_(c, data_) {}

  std::vector<Pair> all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      if (!offered_on(page)) continue;
      shown_as(page, {});
      std::size_t views = 0;
      for (const ListView& view : views_.of(page))
        if (rows_by_texts(data_.of(view.shown)).size() < rows_by_texts(data_.of(page)).size() &&
            views++ < views_of_a_page)
          shown_as(page, view.there);
    }
    return std::move(out_);
  }

 private:
  bool offered_on(NodeId page) {
    return std::ranges::any_of(data_.of(page).tables, [&](const ShownTable& t) {
      const auto rows = that_can_be_pressed(page, t);
      return !rows.empty() && !selecting(page, press(page, *rows.front())).empty();
    });
  }
  /// Not the letters above them.
  std::vector<const ShownRow*> that_can_be_pressed(NodeId page, const ShownTable& t) {
    std::vector<const ShownRow*> out;
    for (const ShownRow& row : t.rows)
      if ((accepted_by(tree_.screen(page).widgets[row.widget]) & accepts_long) != 0) out.push_back(&row);
    return out;
  }
  Event press(NodeId page, const ShownRow& row) {
    const Event tap = tap_on(tree_.screen(page), row.widget);
    return LongPress{*target_of(tap), tree_.screen(page).widgets[row.widget].bounds.center()};
  }
  /// Selects all of the list as it is shown after `there`.
  void shown_as(NodeId page, const std::vector<Event>& there) {
    const NodeId shown = there.empty() ? page : ends_of(c_, page, {there}).front();
    for (const ShownTable& t : shown ? data_.of(shown).tables : std::vector<ShownTable>{}) {
      const Screen& screen = tree_.screen(shown);
      const auto rows = that_can_be_pressed(shown, t);
      if (t.scrolls || rows.empty() || rows.size() > most_rows ||
          !std::ranges::all_of(rows, [&](const ShownRow* r) { return named_alone(screen, t, *r); }))
        continue;
      std::vector<Event> one_by_one{press(shown, *rows.front())};
      for (std::size_t k = 1; k < rows.size(); ++k) one_by_one.push_back(tap_on(screen, rows[k]->widget));
      if (const auto at_once = selecting(shown, one_by_one.front()); !at_once.empty())
        add(page, joined(there, one_by_one), joined(there, at_once));
    }
  }
  /// Pressing the row, and Select all as it stands there then. Empty: there is none.
  std::vector<Event> selecting(NodeId shown, const Event& press) {
    const NodeId pressed = ends_of(c_, shown, {{press}}).front();
    if (!pressed || data_.of(pressed).page != data_.of(shown).page) return {};
    const auto all = touching_it_or_in_menu(c_, data_, pressed, select_all_on);
    return all.empty() ? all : joined({press}, all);
  }
  void add(NodeId page, std::vector<Event> plain, std::vector<Event> other) {
    const std::size_t m = plain.size(), n = other.size();
    out_.push_back({.family = "select all",
                    .name = "Select all takes something else than the rows that are shown",
                    .group = Hasher().add("select all").add(data_.of(page).page).finish(),
                    .base = page,
                    .plain = std::move(plain),
                    .other = std::move(other),
                    .agree = {{m, n}},
                    .one_report = true});
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  ListViews views_;
  std::vector<Pair> out_;
};

}  // namespace

Status try_select_all(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  NORN_CHECK(in_batches(c, SelectingAll(looking).all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  DataCache data(c.replay.history());
  return pairs.report(Habit::none, [&](const Pair&, NodeId plain, NodeId other) {
    const ScreenData &a = data.of(plain), &b = data.of(other);
    return a.page == b.page && rows_shown(a) == rows_shown(b) && says_otherwise(a, b);
  });
}

}  // namespace norn

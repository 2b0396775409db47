// Of two buttons that call themselves opposites (Move up and Move down, Earlier and Later, + and −) each takes
// back what the other did. A button pressed and then its opposite leaves the page as it was, also a step
// further on, or for most rows and values: what fails but once may have come to an end, or to the next round
// number. This needs no habit.
//
// Nor is one of them to forget what the other keeps: the line that was chosen beside the times is still chosen
// after Earlier, so it is after Later.
#include "detect/reading/opposites.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/page_changes.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

constexpr std::size_t pages_pressed_on = 2;  ///< from which a page that was opened in one way is tried
constexpr std::size_t rows_tried = 3;        ///< of each list

class Opposites {
 public:
  explicit Opposites(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    for (const NodeId page : opened_pages(tree_, data_, pages_pressed_on)) {
      const auto buttons = buttons_on(page);
      for (const std::size_t i : buttons)
        if (const auto j = opposite_of(page, i, buttons); j && c_.left()) add(page, i, *j);
    }
    return in_rounds(std::move(by_button_));
  }

  /// Something is chosen on the page, then one of them is pressed, or the other.
  std::vector<Pair> after_choices() {
    std::map<std::uint64_t, std::vector<Pair>> by_button;
    for (const NodeId page : opened_pages(tree_, data_, pages_pressed_on)) {
      const auto buttons = buttons_on(page);
      std::vector<std::pair<std::size_t, std::size_t>> both;
      for (const std::size_t i : buttons)
        if (const auto j = opposite_of(page, i, buttons); j && i < *j && !row_of(data_.of(page), i).row)
          both.emplace_back(i, *j);
      if (both.empty()) continue;
      for (const PageChange& change : c_.left() ? page_changes(c_, data_, page) : std::vector<PageChange>{})
        if (!choices(page, change.end).empty())
          for (const auto& [i, j] : both) keeps_and_forgets(page, change.end, i, j, by_button);
    }
    return in_rounds(std::move(by_button));
  }
  /// After the one all that was chosen still is, after the other none of it.
  bool forgets(const Pair& cut, NodeId kept, NodeId forgotten) {
    const auto at = chosen_on_.find(cut.base);
    if (at == chosen_on_.end()) return false;
    const auto& was = at->second;
    return all_say(kept, was.second, cut.base) && all_say(forgotten, was.second, was.first);
  }

  void note(const Pair& pair, NodeId before, NodeId after) {
    auto& [held, failed] = times_[pressed_.at(pair.group).kind];
    ++(is_otherwise(before, after) ? failed : held);
  }
  /// The page is not as it was, nor is it for most others, or a step further on, where the button still does
  /// something.
  bool is_wrong(const Pair& cut, NodeId before, NodeId after) {
    if (!is_otherwise(before, after)) return false;
    const auto& [kind, page, first, second, mid] = pressed_.at(cut.group);
    if (const auto& [held, failed] = times_[kind]; failed >= 2 && failed > held) return true;
    const auto again = press(mid, first, page);
    const NodeId further = again ? ends_of(c_, mid, {{*again}}).front() : NodeId{};
    if (!further || !is_otherwise(mid, further)) return false;
    const auto back = press(further, second, page);
    const NodeId returned = back ? ends_of(c_, mid, {{*again, *back}}).front() : NodeId{};
    return returned && is_otherwise(mid, returned);
  }

 private:
  struct Pressed {
    std::uint64_t kind;  ///< of button, wherever it stands
    NodeId page;
    std::size_t first, second;  ///< buttons, as they stand on the page
    NodeId mid;                 ///< after the first
  };

  /// The names of what can be touched or chosen beside the lists, and says something else now.
  std::set<std::uint64_t> choices(NodeId page, NodeId changed) {
    std::set<std::uint64_t> out;
    for (const ShownValue& v : data_.of(changed).values) {
      const ShownValue* was = data_.of(page).value(v.name);
      if (was && was->text != v.text && v.kind != ShownValue::Kind::field &&
          can_be_touched(changed, v.widget))
        out.insert(v.name);
    }
    return out;
  }
  /// It, or what it stands in (a choice shows one of its entries).
  bool can_be_touched(NodeId node, std::size_t i) const {
    const auto& widgets = tree_.screen(node).widgets;
    const auto touched = [&](const Widget& w) { return (accepted_by(w) & accepts_tap) != 0; };
    return touched(widgets[i]) ||
           (widgets[i].parent >= 0 && touched(widgets[static_cast<std::size_t>(widgets[i].parent)]));
  }
  /// These say there what they say at `as`.
  bool all_say(NodeId there, const std::set<std::uint64_t>& names, NodeId as) {
    return data_.of(there).page == data_.of(as).page && std::ranges::all_of(names, [&](std::uint64_t name) {
             const ShownValue *is = data_.of(there).value(name), *was = data_.of(as).value(name);
             return is && was && is->text == was->text;
           });
  }
  void keeps_and_forgets(NodeId page, NodeId changed, std::size_t i, std::size_t j,
                         std::map<std::uint64_t, std::vector<Pair>>& out) {
    const auto one = press(changed, i, page), other = press(changed, j, page);
    if (!one || !other) return;
    const auto ends = ends_of(c_, changed, {{*one}, {*other}});
    if (!ends[0] || !ends[1]) return;
    const auto names = choices(page, changed);
    for (const NodeId end : ends_of(c_, page, {{*one}, {*other}}))
      if (!end || !all_say(end, names, page)) return;  // each of the things that are turned over has its own
    chosen_on_[changed] = {page, names};
    for (const bool first : {true, false}) {
      Pair pair{.family = "opposite",
                .name = "of two buttons one forgets what was chosen and its opposite does not",
                .group = Hasher().add("forgets").add(data_.of(page).page).add(i).add(first).finish(),
                .base = changed,
                .plain = {first ? *one : *other},
                .other = {first ? *other : *one},
                .agree = {{1, 1}},
                .agrees = false};
      if (forgets(pair, ends[first ? 0 : 1], ends[first ? 1 : 0])) out[pair.group].push_back(std::move(pair));
    }
  }

  std::vector<std::size_t> buttons_on(NodeId page) {
    std::vector<std::size_t> out;
    const Screen& screen = tree_.screen(page);
    for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
      const Widget& w = screen.widgets[i];
      const RowPlace place = row_of(data_.of(page), i);
      if ((accepted_by(w) & (accepts_tap | accepts_text)) != accepts_tap || w.is(Flag::checkable)) continue;
      if (place.row &&
          (place.row->widget == i || number(place) >= rows_tried || !named_once(*place.table, *place.row)))
        continue;
      out.push_back(i);
    }
    return out;
  }
  static std::size_t number(const RowPlace& place) {
    return static_cast<std::size_t>(place.row - place.table->rows.data());
  }
  static bool named_once(const ShownTable& t, const ShownRow& row) {
    return std::ranges::count(t.rows, row.title(), &ShownRow::title) == 1;
  }
  /// The button beside it that calls itself the opposite, or the only one of the row or page that does, if
  /// neither bears an id that says of what.
  std::optional<std::size_t> opposite_of(NodeId page, std::size_t i,
                                         const std::vector<std::size_t>& buttons) {
    const Screen& screen = tree_.screen(page);
    const auto row = [&](std::size_t k) { return row_of(data_.of(page), k).row; };
    std::vector<std::size_t> out;
    std::ranges::copy_if(buttons, std::back_inserter(out), [&](std::size_t j) {
      return j != i && row(i) == row(j) && say_opposites(screen, i, j);
    });
    const auto beside = std::ranges::find(out, screen.widgets[i].parent,
                                          [&](std::size_t j) { return screen.widgets[j].parent; });
    if (beside != out.end()) return *beside;
    return out.size() == 1 && screen.widgets[i].id.empty() ? std::optional(out.front()) : std::nullopt;
  }

  /// The button of `page` where it stands now: in the row of the same name, or outside of lists. Nothing: it
  /// is not there, or cannot be pressed.
  std::optional<Event> press(NodeId now, std::size_t button, NodeId page) {
    const RowPlace place = row_of(data_.of(page), button);
    const Widget& w = tree_.screen(page).widgets[button];
    const Screen& screen = tree_.screen(now);
    std::size_t from = 0, end = screen.widgets.size();
    if (place.row) {
      const ShownTable* table = data_.of(now).table(place.table->name);
      if (!table || std::ranges::count(table->rows, place.row->title(), &ShownRow::title) != 1) return {};
      const auto row = std::ranges::find(table->rows, place.row->title(), &ShownRow::title);
      from = row->widget, end = row->end;
    }
    for (std::size_t i = from; i < end; ++i) {
      const Widget& one = screen.widgets[i];
      if (one.cls == w.cls && one.id == w.id && one.desc == w.desc && one.text == w.text &&
          (accepted_by(one) & accepts_tap) != 0)
        return tap_on(screen, i);
    }
    return {};
  }

  void add(NodeId page, std::size_t i, std::size_t j) {
    const Screen& screen = tree_.screen(page);
    const RowPlace place = row_of(data_.of(page), i);
    const std::uint64_t kind = Hasher()
                                   .add(data_.of(page).page)
                                   .add(screen.widgets[i].id)
                                   .add(label(screen, i))
                                   .add(place.row != nullptr)
                                   .finish();
    auto& pairs = by_button_[kind];
    const Event first = tap_on(screen, i);
    const NodeId mid = pairs.size() < rows_tried ? ends_of(c_, page, {{first}}).front() : NodeId{};
    if (!mid || !is_otherwise(page, mid)) return;
    const auto second = press(mid, j, page);
    if (!second) return;
    Pair out{.family = "opposite",
             .name = "what a button does its opposite does not take back",
             .group = Hasher().add(kind).add(page.value).add(i).finish(),
             .base = page,
             .plain = {},
             .other = {first, *second},
             .agree = {{0, 2}}};
    pressed_.try_emplace(out.group, kind, page, i, j, mid);
    pairs.push_back(std::move(out));
  }

  /// The same page, not saying the same, or with its rows in another order.
  bool is_otherwise(NodeId a, NodeId b) {
    const ScreenData &was = data_.of(a), &is = data_.of(b);
    return was.page == is.page && !is.popup &&
           (says_otherwise(was, is) || titles(was) != titles(is) || rows_shown(was) != rows_shown(is));
  }
  static std::vector<std::string_view> titles(const ScreenData& d) {
    std::vector<std::string_view> out;
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows) out.push_back(row.title());
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, Pressed> pressed_;                            ///< by group
  std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> times_;  ///< by kind: held, and failed
  std::map<std::uint64_t, std::vector<Pair>> by_button_;
  /// The page before something was chosen on it, and the names of what was.
  std::map<NodeId, std::pair<NodeId, std::set<std::uint64_t>>> chosen_on_;
};

}  // namespace

Status try_opposites(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Opposites opposites(looking);
  Pairs pairs(c, "neutral");
  pairs.on_compared([&](const Pair& p, NodeId before, NodeId after) { opposites.note(p, before, after); });
  NORN_CHECK(in_batches(c, opposites.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  Pairs forgetting(c, "neutral");
  NORN_CHECK(in_batches(c, opposites.after_choices(),
                        [&](std::vector<Pair> batch) { return forgetting.attempt(std::move(batch)); }));
  NORN_CHECK(forgetting.report(Habit::none, [&](const Pair& cut, NodeId kept, NodeId forgotten) {
    return opposites.forgets(cut, kept, forgotten);
  }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId before, NodeId after) {
    return opposites.is_wrong(cut, before, after);
  });
}

}  // namespace norn

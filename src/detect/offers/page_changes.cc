#include "detect/offers/page_changes.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/forms.h"
#include "detect/offers/places.h"
#include "detect/pairs.h"
#include "detect/reading/other_texts.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t touches_of_a_page = 24, choices_of_a_menu = 6, changes_of_a_page = 24;
constexpr std::size_t rows_touched = 2;     ///< of each list: its checks, and a long press
constexpr std::size_t menus_in_a_row = 3;   ///< over one another
constexpr std::uint32_t deepest_page = 60;  ///< events before it: longer ones cost much
constexpr std::size_t ways_to_a_page = 3;   ///< in which it was opened
constexpr std::uint32_t changed_text_salt = 3;
constexpr std::string_view some_word = "Kolore", some_number = "47";

/// Its lists have as many rows (a row may be selected now, and the bar may offer other things), or at least
/// half of what the page has beside its rows is still there: else something covers it that fills the screen.
bool still_there(const ScreenData& was, const ScreenData& now) {
  const bool lists = std::ranges::all_of(was.tables, [&](const ShownTable& t) {
    const ShownTable* shown = now.table(t.name);
    return shown && shown->rows.size() == t.rows.size();
  });
  if (lists && !was.tables.empty()) return true;
  std::size_t all = 0, same = 0;
  for (const ShownValue& v : was.values) ++all, same += now.value(v.name) != nullptr;
  for (const ShownTable& t : was.tables) ++all, same += now.table(t.name) != nullptr;
  return 2 * same >= all;
}

class Changing {
 public:
  Changing(OracleContext& c, DataCache& data, NodeId page)
      : c_(c), tree_(c.replay.history()), data_(data), page_(page) {}

  std::vector<PageChange> all() {
    std::vector<std::vector<Event>> ways = fields();
    touches(ways);
    for (std::size_t deep = 0; deep <= menus_in_a_row && !ways.empty() && c_.left(); ++deep)
      ways = go_on(ways);
    if (out_.size() > changes_of_a_page) out_.resize(changes_of_a_page);
    return std::move(out_);
  }

 private:
  std::vector<std::vector<Event>> fields() {
    std::vector<std::vector<Event>> out;
    const Screen& screen = tree_.screen(page_);
    for (const ShownValue& v : data_.of(page_).values) {
      const Widget& w = screen.widgets[v.widget];
      if (v.kind != ShownValue::Kind::field || (accepted_by(w) & accepts_text) == 0) continue;
      const auto type = [&](std::string text) {
        out.push_back(typed_into(screen, v.widget, std::move(text)));
      };
      if (!v.text.empty()) {
        type(other_text(v.text, changed_text_salt));
        continue;
      }
      for (const ShownTable& t : data_.of(page_).tables)  // it may search them
        if (!t.rows.empty()) type(first_characters(t.rows.back().title(), 4));
      type(std::string(some_word)), type(std::string(some_number));  // it may take but one of them
    }
    return out;
  }

  void touches(std::vector<std::vector<Event>>& out) {
    const Screen& screen = tree_.screen(page_);
    std::size_t taps = 0;
    for (std::size_t i = 0; i < screen.widgets.size() && taps < touches_of_a_page; ++i) {
      const Widget& w = screen.widgets[i];
      const std::uint8_t can = accepted_by(w);
      const RowPlace place = row_of(data_.of(page_), i);
      if ((can & accepts_text) != 0 || (place.row && number(place) >= rows_touched)) continue;
      const bool whole_row = place.row && place.row->widget == i;
      if (whole_row && (can & (accepts_tap | accepts_long)) != 0)
        out.push_back({LongPress{make_target(screen, i), w.bounds.center()}}), ++taps;
      if ((can & accepts_tap) == 0 || (whole_row && !w.is(Flag::checkable)) || says_undoing(screen, i))
        continue;
      out.push_back({tap_on(screen, i)}), ++taps;
    }
  }
  static std::size_t number(const RowPlace& place) {
    return static_cast<std::size_t>(place.row - place.table->rows.data());
  }

  /// Runs them; what changed the page is kept, what opened a menu comes back with each of its entries.
  std::vector<std::vector<Event>> go_on(const std::vector<std::vector<Event>>& ways) {
    std::vector<Request> requests;
    for (const auto& way : ways) requests.push_back({.from = page_, .events = c_.replay.intern(way)});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    std::vector<std::vector<Event>> next;
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const NodeId end = outcomes[k].end;
      if (outcomes[k].verdict != Verdict::yes || tree_.crash(end)) continue;
      const ScreenData& now = data_.of(end);
      if (now.page == data_.of(page_).page)
        keep(ways[k], end);
      else if (now.popup && !now.has_field())
        for (const Event& entry : entries_of(tree_.screen(end), choices_of_a_menu))
          next.push_back(joined(ways[k], {entry}));
    }
    return next;
  }
  void keep(const std::vector<Event>& way, NodeId end) {
    const ScreenData &was = data_.of(page_), &now = data_.of(end);
    const Screen& screen = tree_.screen(end);
    if (!stands_upright(screen) || same_in_any_order(was, now) || !still_there(was, now) ||
        !seen_.insert(contents_of(data_.of(end))).second)
      return;
    for (std::size_t i = 0; i < screen.widgets.size(); ++i)
      if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && says_undoing(screen, i)) return;
    Hasher what;
    what.add(was.page);
    for (NodeId n = end; n != page_; n = tree_.parent(n)) what.add(data_.deed(n));
    const bool typed = std::holds_alternative<Type>(way.front());
    if (!typed || std::ranges::find(out_, what.finish(), &PageChange::what) == out_.end())
      out_.push_back({way, end, what.finish()});
  }

  OracleContext& c_;
  const History& tree_;
  DataCache& data_;
  NodeId page_;
  std::set<std::uint64_t> seen_;  ///< screens
  std::vector<PageChange> out_;
};

}  // namespace

std::vector<PageChange> page_changes(OracleContext& c, DataCache& data, NodeId page) {
  return Changing(c, data, page).all();
}

std::vector<NodeId> opened_pages(const History& tree, DataCache& data, std::size_t most) {
  std::vector<NodeId> order;
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (const NodeId node{n}; tree.depth(node) <= deepest_page && !tree.crash(node) &&
                              stands_upright(tree.screen(node)) && !data.of(node).popup &&
                              data.opened(node) == node && undisturbed(tree, node))
      order.push_back(node);
  std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree.depth(n); });
  std::map<std::uint64_t, std::size_t> tried;
  std::set<std::uint64_t> seen;
  std::erase_if(order, [&](NodeId n) {
    const std::uint64_t kind = Hasher().add(data.of(n).page).add(data.opener(n)).finish();
    return !seen.insert(Hasher().add(kind).add(tree.key(n)).finish()).second || tried[kind]++ >= most ||
           tried[data.of(n).page]++ >= ways_to_a_page * most;
  });
  return order;
}

}  // namespace norn

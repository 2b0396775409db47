// What is done to a row happens to that row.
//   changed  between touching a row and coming back to its list (through a menu, a question, a page of its
//            own, and nothing was undone there) one row went or changed: it must be the one that was touched
//   acted    what a menu of the row does to rows as a rule (deletes, marks them), and has done to this one as it
//            stands, it does to this one
//   moved    where touching a row puts rows in another order, the others stand as they stood among themselves
//   deleted  what was touched to delete a row, swiped aside or pressed long has taken that row off, and so has
//            an entry of its own menu that takes one off, whatever is usual
//   opened   where the page that a row opens names the row, it does not name another row of the list
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/openings.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t done_remembered = 40;  ///< events before a touch
constexpr std::size_t longest_way = 8;       ///< events between the touch and the return
constexpr std::size_t menus_between =
    3;  ///< events on menus and questions between a row and the page it opens
constexpr std::size_t pages_between = 2;  ///< the row's own page and a form; further on other things are done
constexpr double rows_fail_at_most = 0.34;  ///< of the touches, where the row that changes is learnt
constexpr std::size_t shortest_title = 3;   ///< shorter ones are found in anything

struct Touch {
  NodeId list;   ///< the node whose row was touched
  NodeId after;  ///< the next one
  NodeId back;   ///< the node that shows the list again
  RowPlace row{};
  std::size_t pages = 0;  ///< in between, menus and questions not counted
  std::uint64_t role = 0;
  std::uint64_t way = 0;  ///< the pages in between, and how the list was come back to
  bool by_menu = false;   ///< nothing but menus and questions in between
};

/// A list that scrolls shows a part. It stands where it stood and one row has gone from it if the others are
/// there in their order, and what has come is at the end.
bool only_closes_up(const ShownTable& was, const ShownTable& now) {
  std::size_t i = 0, j = 0, gone = 0;
  while (i < was.rows.size() && j < now.rows.size()) {
    if (was.rows[i].content == now.rows[j].content)
      ++i, ++j;
    else
      ++i, ++gone;
  }
  return gone + (was.rows.size() - i) == 1 && now.rows.size() - j <= 1;
}

/// Finds them.
class RowTouches {
 public:
  RowTouches(const History& tree, DataCache& data) : tree_(tree), data_(data) {}

  /// The last time this page was left (or acted on) is by touching one of its rows.
  bool find(NodeId node, Touch& out) {
    if (node == tree_.root() || data_.of(node).popup) return false;
    const std::uint64_t page = data_.of(node).page;
    out.after = out.back = node, out.way = data_.deed(node);
    for (std::size_t k = 0; k < longest_way && out.after != tree_.root(); ++k) {
      out.list = tree_.parent(out.after);
      if (data_.of(out.list).page == page) break;
      if (!data_.of(out.list).popup && data_.of(out.list).page != data_.of(out.after).page) ++out.pages;
      out.way = Hasher().add(out.way).add(data_.of(out.list).page).finish();
      out.by_menu = (k == 0 || out.by_menu) && data_.of(out.list).popup;
      out.after = out.list;
    }
    if (data_.of(out.list).page != page) return false;
    const auto receiver = receiver_of(tree_.event(tree_.event_id(out.after)), tree_.screen(out.list));
    if (!receiver) return false;
    out.role = data_.deed(out.after);
    out.row = row_of(data_.of(out.list), *receiver);
    return out.row.row != nullptr;
  }

 private:
  const History& tree_;
  DataCache& data_;
};

class Rows final : public Expectation {
 public:
  Rows(const History& tree, DataCache& data) : tree_(tree), data_(data), touches_(tree, data) {}
  std::string_view name() const override { return "rows"; }
  Learnt learnt() const override { return {5, rows_fail_at_most}; }

  bool any_row() const override { return true; }

  void look(NodeId node, std::vector<Case>& out) override {
    opened(node, out);
    Touch touch;
    if (!touches_.find(node, touch)) return;
    const ScreenData &before = data_.of(touch.list), &here = data_.of(node);
    const ShownTable* now = here.table(touch.row.table->name);
    if (!now || before.mode != here.mode) return;
    const bool whole = now->whole && touch.row.table->whole;
    if (!whole && !only_closes_up(*touch.row.table, *now)) return;
    const auto gone = rows_missing(*touch.row.table, *now), come = rows_missing(*now, *touch.row.table);
    changed(before, touch, gone, come.size(), out);
    if (whole && gone.empty() && come.empty() && touch.row.table->content() != now->content() &&
        !went_on(touch))
      moved(before, touch, *now, out);
    else if (whole && touch.by_menu)
      acted(before, touch, node, gone, out);
  }

 private:
  void changed(const ScreenData& before, const Touch& touch, const std::vector<const ShownRow*>& gone,
               std::size_t come, std::vector<Case>& out) {
    if (gone.size() != 1 || come > 1) return;
    const std::uint64_t list = Hasher().add(before.page).add(touch.row.table->name).finish();
    if (touch.pages > pages_between || went_on(touch) ||
        touched_between(tree_, touch.list, touch.back, says_undoing))
      return;
    const bool held = gone[0]->content == touch.row.row->content;
    if (!held && gone[0]->title() == touch.row.row->title()) return;  // which is which?
    out.push_back(
        {Hasher().add("changed").add(list).add(touch.role).add(touch.way).add(come).finish(), held,
         Hasher().add(touch.row.row->content).add(gone[0]->content).add(touch.row.table->content()).finish(),
         Hasher().add(list).add(touch.role).finish(),
         held ? ""
              : fmt::format("row \"{}\" was touched, row \"{}\" {}", printable(touch.row.row->title()),
                            printable(gone[0]->title()), come == 0 ? "went" : "changed"),
         0, 0, before.filtered(), way_of(touch), hash_bytes(touch.row.row->title())});
  }
  void moved(const ScreenData& before, const Touch& touch, const ShownTable& now, std::vector<Case>& out) {
    const std::uint64_t content = touch.row.row->content;
    const bool held = other_rows_than(*touch.row.table, content) == other_rows_than(now, content);
    const std::uint64_t list = Hasher().add("moved").add(before.page).add(now.name).finish();
    out.push_back({.group = list,
                   .held = held,
                   .value = Hasher().add(touch.row.row->content).add(touch.row.table->content()).finish(),
                   .wrong = list,
                   .words = held ? ""
                                 : fmt::format("moving row \"{}\" also moves others",
                                               printable(touch.row.row->title())),
                   .aside = before.filtered(),
                   .cause = Hasher().add(touch.role).add(touch.way).finish(),
                   .row = hash_bytes(touch.row.row->title())});
  }
  /// The page that the row opened named it, and when it was left it named it no more: by Next it came to
  /// another row.
  bool went_on(const Touch& touch) {
    const std::string_view title = touch.row.row->title();
    const ScreenData &first = data_.of(touch.after), &last = data_.of(tree_.parent(touch.back));
    if (first.page != last.page) return false;
    return (first.says(title) && !last.says(title)) || titles_differ(first, last);
  }
  /// What stands first on the page says something else.
  static bool titles_differ(const ScreenData& a, const ScreenData& b) {
    const auto title = std::ranges::find(a.values, ShownValue::Kind::text, &ShownValue::kind);
    const ShownValue* other = title == a.values.end() ? nullptr : b.value(title->name);
    return other && words_beside_numbers(other->text) != words_beside_numbers(title->text);
  }
  /// How long the list was, and what the page said about itself: where it is sorted or filtered, another row
  /// may be meant.
  std::uint64_t way_of(const Touch& touch) {
    return Hasher().add(touch.row.table->rows.size()).add(data_.told(touch.list)).finish();
  }

  void acted(const ScreenData& before, const Touch& touch, NodeId node,
             const std::vector<const ShownRow*>& gone, std::vector<Case>& out) {
    const auto last = role_of(tree_.event(tree_.event_id(node)), tree_.screen(tree_.parent(node)));
    if (!last || (!gone.empty() && gone.size() != 1)) return;
    if (std::ranges::any_of(data_.of(tree_.parent(node)).values,
                            [](const ShownValue& v) { return v.kind == ShownValue::Kind::field; }))
      return;  // what it does depends on what was entered
    const std::uint64_t list = Hasher().add(before.page).add(touch.row.table->name).finish();
    const bool held = !gone.empty();
    const ScreenData& here = data_.of(node);
    if (!held && std::ranges::any_of(here.values, [&](const ShownValue& v) { return !before.value(v.name); }))
      return;  // a message says why not
    if (!held && touch.row.table->rows.size() == 1 && !before.filtered())
      return;                                           // the last one may have to stay
    if (!held && was_done_before(touch, node)) return;  // what is done need not be done again
    const std::uint64_t what = Hasher()
                                   .add("acted")
                                   .add(list)
                                   .add(touch.role)
                                   .add(last->specific)
                                   .add(data_.told(touch.list))
                                   .add(touch.row.row->kind)
                                   .finish();
    const std::uint64_t to_this_row = Hasher().add(what).add(touch.row.row->content).finish();
    if (held)
      effective_.insert(to_this_row);
    else if (!effective_.contains(to_this_row))
      return;  // it may have no effect on such a row
    out.push_back(
        {what, held,
         Hasher().add(touch.row.row->content).add(before.mode).add(touch.row.table->content()).finish(), list,
         held ? ""
              : fmt::format("row \"{}\" stays as it is after {}", printable(touch.row.row->title()),
                            describe(tree_.event(tree_.event_id(node)))),
         0, 0, before.filtered(), touch.row.table->rows.size(), hash_bytes(touch.row.row->title())});
  }

  /// The same touches were made on the way to the list, as far as it is remembered.
  bool was_done_before(const Touch& touch, NodeId node) const {
    const EventId first = tree_.event_id(touch.after), last = tree_.event_id(node);
    bool same_last = false;
    NodeId n = touch.list;
    for (std::size_t k = 0; k < done_remembered && n != tree_.root(); ++k, n = tree_.parent(n)) {
      same_last = same_last || tree_.event_id(n) == last;
      if (same_last && tree_.event_id(n) == first) return true;
    }
    return false;
  }

  /// The process died while the page was shown: who asked for a choice is forgotten.
  bool disturbed(NodeId node) {
    for (const NodeId first = data_.entered(node); node != first && node != tree_.root();
         node = tree_.parent(node))
      if (std::holds_alternative<System>(tree_.event(tree_.event_id(node)))) return true;
    return node != tree_.root() && std::holds_alternative<Launch>(tree_.event(tree_.event_id(node)));
  }

  /// The node whose touch led here, through menus and questions if there are any; `after` follows it.
  NodeId asked_at(NodeId node, NodeId& after) {
    after = node;
    for (std::size_t k = 0; k < menus_between && after != tree_.root(); ++k) {
      const NodeId before = tree_.parent(after);
      if (!data_.of(before).popup) return before;
      after = before;
    }
    return {};
  }

  void opened(NodeId node, std::vector<Case>& out) {
    if (node == tree_.root() || tree_.screen(node).kind != Screen::Kind::app) return;
    NodeId touch;
    const NodeId before = asked_at(node, touch);
    if (!before) return;
    const ScreenData &from = data_.of(before), &here = data_.of(node);
    const auto receiver = receiver_of(tree_.event(tree_.event_id(touch)), tree_.screen(before));
    if (!receiver || from.page == here.page || here.popup || disturbed(before)) return;
    const RowPlace place = row_of(from, *receiver);
    if (!place.row || place.row->title().size() < shortest_title) return;
    const std::uint64_t way = Hasher()
                                  .add(from.page)
                                  .add(place.table->name)
                                  .add(here.page)
                                  .add(touch == node ? data_.opener(before) : data_.deed(node))
                                  .finish();
    for (const ShownValue& v : here.values) {
      const ShownRow* named = place.row;
      if (v.text.find(place.row->title()) == std::string::npos) named = named_in(v.text, place);
      if (!named) continue;
      const bool held = named == place.row;
      out.push_back({Hasher().add("opened").add(way).add(v.name).finish(), held,
                     Hasher().add(place.row->title()).add(named->title()).finish(),
                     Hasher()
                         .add(Hasher().add(from.page).add(place.table->name).finish())
                         .add(data_.deed(node))
                         .finish(),
                     held ? ""
                          : fmt::format("row \"{}\" was touched, \"{}\" opens", printable(place.row->title()),
                                        printable(named->title()))});
    }
  }
  /// Another row of the list that is called by the same cell.
  static const ShownRow* named_in(std::string_view text, const RowPlace& place) {
    for (const ShownRow& row : place.table->rows)
      if (row.title().size() >= shortest_title && text.find(row.title()) != std::string_view::npos &&
          row.cells[row.naming].name == place.row->cells[place.row->naming].name)
        return &row;
    return nullptr;
  }

  const History& tree_;
  DataCache& data_;
  RowTouches touches_;
  std::set<std::uint64_t> effective_;  ///< what a menu has done to which row as it stood then
};

/// Who deletes a row deletes that row.
class Deleted final : public Expectation {
 public:
  Deleted(const History& tree, DataCache& data) : tree_(tree), data_(data), touches_(tree, data) {}
  std::string_view name() const override { return "deleted"; }
  /// It stands by itself: where it goes wrong at times only, `rows` says so.
  Learnt learnt() const override {
    return {.least = 0, .failing = 1, .failing_least = rows_fail_at_most, .fewest = 2, .chance = 1};
  }
  bool any_row() const override { return true; }

  void look(NodeId node, std::vector<Case>& out) override {
    Touch touch;
    if (!touches_.find(node, touch) ||
        !(done_to_itself(touch, node) || is_in_its_menu(touch, node) || calls_it_deleting(touch.list, node)))
      return;
    const ScreenData &before = data_.of(touch.list), &here = data_.of(node);
    const ShownTable* now = here.table(touch.row.table->name);
    if (!now || before.mode != here.mode || !now->whole || !touch.row.table->whole || before.filtered())
      return;
    const auto gone = rows_missing(*touch.row.table, *now), come = rows_missing(*now, *touch.row.table);
    if (gone.size() != 1 || !come.empty()) return;
    const std::string_view meant = touch.row.row->title(), went = gone[0]->title();
    const bool held = gone[0]->content == touch.row.row->content;
    if (!held && (meant == went || meant.empty() || went.empty())) return;  // which is which?
    const std::uint64_t list = Hasher().add(before.page).add(touch.row.table->name).add(touch.role).finish();
    out.push_back({.group = Hasher().add("deleted").add(list).finish(),
                   .held = held,
                   .value = Hasher().add(meant).add(went).finish(),
                   .wrong = list,
                   .words = held ? ""
                                 : fmt::format("row \"{}\" was to go, row \"{}\" is gone", printable(meant),
                                               printable(went)),
                   .row = hash_bytes(meant)});
  }

 private:
  /// The row itself was swiped or pressed long, and nothing else since. (Who touches one to choose it may well
  /// replace another.)
  bool done_to_itself(const Touch& touch, NodeId node) const {
    const Event& event = tree_.event(tree_.event_id(node));
    return touch.after == node &&
           (std::holds_alternative<Swipe>(event) || std::holds_alternative<LongPress>(event));
  }
  /// Chosen in the menu that touching the row or pressing it long brought up.
  bool is_in_its_menu(const Touch& touch, NodeId node) {
    const NodeId menu = tree_.parent(node);
    return touch.by_menu && menu == touch.after && !data_.of(menu).has_field();
  }
  /// On the way from the row, something that calls itself so was touched, on a page that was not turned to
  /// another thing since it was opened.
  bool calls_it_deleting(NodeId list, NodeId node) {
    for (; node != list; node = tree_.parent(node)) {
      const NodeId before = tree_.parent(node);
      const Screen& screen = tree_.screen(before);
      const auto i = receiver_of(tree_.event(tree_.event_id(node)), screen);
      if (i && says_deleting(screen, *i))
        return before == list || same_in_any_order(data_.of(before), data_.of(data_.entered(before)));
    }
    return false;
  }

  const History& tree_;
  DataCache& data_;
  RowTouches touches_;
};

}  // namespace

std::unique_ptr<Expectation> expect_deleted(const History& tree, DataCache& data) {
  return std::make_unique<Deleted>(tree, data);
}

std::unique_ptr<Expectation> expect_rows(const History& tree, DataCache& data) {
  return std::make_unique<Rows>(tree, data);
}

}  // namespace norn

// A screen as data: the values it shows outside its lists, each with a name that stays the same whatever it
// says, and its lists as tables whose rows have named cells. Expectations about values are stated on these,
// not on widgets.
//
// A value's name is its class and id, or, without an id, its place among its like below its parent: a title
// stays the first text of the toolbar whatever else the page shows. A list that scrolls shows only a part:
// its table is not `whole`; nor is one whose only row cannot be touched, which may be a notice that there is
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "detect/reading/wording.h"
#include "trace/history.h"

namespace norn {

struct ShownValue {
  enum class Kind : std::uint8_t { text, field, check };
  std::uint64_t name = 0;
  std::size_t widget = 0;
  Kind kind = Kind::text;
  std::string text;  ///< of a check: on or off
};

struct ShownRow {
  std::size_t widget = 0, end = 0;  ///< its widgets: [widget, end)
  std::uint64_t content = 0;        ///< hash of all cells
  std::uint64_t texts = 0;          ///< of its texts alone, without pictures, checks and what is selected
  std::uint64_t kind =
      0;  ///< which cells it has, with pictures and checks but without words: a folder is not a file
  bool selected = false;  ///< it, or something in it
  std::vector<ShownValue> cells;
  std::size_t naming = 0;  ///< the cell that title() says
  /// What a person calls it: the first cell that is no date, number or picture in most rows of its table;
  /// else its first text; of a row of checks alone, the first of them.
  std::string_view title() const;
  bool says(std::string_view text) const;
  const ShownValue* cell(std::uint64_t name) const;
};

struct ShownTable {
  std::uint64_t name = 0;
  std::size_t widget = 0;
  bool scrolls = false;  ///< it may hold more than it shows
  bool whole = true;     ///< these are its rows: it does not scroll, and shows no notice that there is none
  std::uint64_t row_kind = 0;  ///< class and id of its rows; 0: there is none, or they differ
  /// Rows of two kinds say the same sort of thing (boxes and things in a room): they are not counted
  /// together.
  bool mixed = false;
  std::vector<ShownRow> rows;
  std::uint64_t content() const;  ///< hash of all rows
  /// Its only row may say that there is none.
  bool is_notice() const { return rows.size() == 1 && !whole && !scrolls; }
};

struct ScreenData {
  std::uint64_t page = 0;  ///< activity, and whether a popup covers it
  bool popup = false;
  /// How the page is set: how the device is held, which values it shows, what is checked or selected, which
  /// fields are filled (beside a list: with what). Two screens of one page in different modes may well show
  /// different data.
  std::uint64_t mode = 0;
  std::uint64_t chosen = 0;  ///< what its choices (spinners) say
  std::vector<ShownValue> values;
  std::vector<ShownTable> tables;

  const ShownTable* table(std::uint64_t name) const;
  const ShownValue* value(std::uint64_t name) const;
  bool says(std::string_view text) const;  ///< some value or cell contains it
  bool filtered() const;                   ///< a field beside a list is filled: the list may show a part
  std::size_t fields() const;
  bool has_field() const;
  bool is_form() const;  ///< it has fields, and no list that they might search
};
ScreenData data_of(const Screen& screen);
/// Hash of all it says, what fields hold included.
std::uint64_t contents_of(const ScreenData& data);
/// The same values, and the same rows whatever their order.
bool same_in_any_order(const ScreenData& a, const ScreenData& b);

/// The contents of the rows, without those that say this.
std::vector<std::uint64_t> other_rows_than(const ShownTable& t, std::uint64_t content);
/// The same, but for one row of a list that stands at another place: it was taken out and put in again.
bool one_row_moved(const ScreenData& a, const ScreenData& b);

/// It belongs to one of several things of which another is selected: a tab that is not shown.
bool is_of_unselected(const Screen& screen, std::size_t widget);
/// A check in it is on.
bool is_ticked(const ShownRow& row);
/// Some cell says when it was: a record keeps what was so then.
bool is_dated(const ShownRow& row);

/// The rows of one table that are not in the other; one that is there twice must be there twice.
std::vector<const ShownRow*> rows_missing(const ShownTable& from, const ShownTable& in);

/// It may name something: no date, time, amount or picture; a plain number may be a name.
bool is_name(std::string_view text);

/// The row that holds this widget, with its table; null pointers where it is in none.
struct RowPlace {
  const ShownTable* table = nullptr;
  const ShownRow* row = nullptr;
};
RowPlace row_of(const ScreenData& data, std::size_t widget);

/// The entry of a menu that the event into this node touched, a widget of the screen before, if it can be
/// checked.
std::optional<std::size_t> touched_menu_check(const History& tree, NodeId node);

/// What DataCache::deed says, for an event on a screen.
std::uint64_t deed_of(const Event& event, const Screen& screen, const ScreenData& data);

/// Screens as data, each computed once.
class DataCache {
 public:
  explicit DataCache(const History& tree) : tree_(tree) {}
  const ScreenData& of(NodeId node);
  /// The page lies below this node's: it was left by opening others and not come back to since, so Back leads
  /// to it.
  bool below(NodeId node, std::uint64_t page);
  /// The last node before this one that showed its page, at most so many events ago; none.
  NodeId last_visit(NodeId node, std::size_t most);
  /// The first node of this visit of the page.
  NodeId entered(NodeId node);
  /// The node at which the page of this one was opened: coming back to it from a page above is no opening.
  NodeId opened(NodeId node);
  /// What opened the page of this node. 0: the start of the app.
  std::uint64_t opener(NodeId node);
  /// The rows by which this page and those below it were opened: what it is about, where the page itself does
  /// not say.
  std::string about(NodeId node);
  /// What the last event did to which kind of thing: any row of a list is the same kind, whatever it says. 0
  /// for the root.
  std::uint64_t deed(NodeId node);
  /// Something was touched on the way that decides what is shown: an entry of a menu that can be checked, or
  /// a check that calls itself showing or hiding. A page may show a part of what it has, and say so only
  /// there.
  bool chose_what_is_shown(NodeId node);
  /// If the last event touched a row, no other has its name: else which of them it was cannot be seen.
  bool of_one_row(NodeId node);
  /// What the page says about itself: its texts that are one of few, whatever the data ("New note",
  /// "Starred"). The same action may do something else under another title. A text that names a row of the
  /// page's lists at some time (the open folder) is data itself. Which texts are such is settled by the tree
  /// as it is when this is first asked.
  std::uint64_t told(NodeId node);

 private:
  /// A page that lies open at some node: what it lies on, and where it was opened.
  struct OpenPage {
    std::uint64_t page = 0;
    NodeId opened;
    std::uint32_t on = 0;  ///< index of the one below it; the first lies on itself
  };
  void learn_titles();
  const OpenPage& top(NodeId node);
  std::uint32_t come_to(std::uint32_t before, NodeId node);

  const History& tree_;
  std::unordered_map<std::uint64_t, std::set<std::string>>
      titles_;  ///< texts by page and value, if they are few
  bool titles_learnt_ = false;
  std::unordered_map<std::uint32_t, ScreenData> known_;
  std::unordered_map<std::uint32_t, bool> checked_;        ///< chose_what_is_shown()
  std::vector<OpenPage> open_;                             ///< each once; the first page's first
  std::unordered_map<std::uint32_t, std::uint32_t> tops_;  ///< index of the topmost, by node
};

}  // namespace norn

// A screen as data: the values it shows outside its lists, each with a name that stays the same whatever it says, and its
// lists as tables whose rows have named cells. Expectations about values are stated on these, not on widgets.
//
// A value's name is its class and id, or, without an id, its place among its like below its parent: a title stays the first
// text of the toolbar whatever else the page shows. A list that scrolls shows only a part: its table is not `whole`;
// nor is one whose only row cannot be touched, which may be a notice that there is nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  /// What a person calls it: the first cell that is no date, number or picture in most rows of its table; else its first text; of a row of
  /// checks alone, the first of them.
  std::string_view title() const;
  bool says(std::string_view text) const;
  const ShownValue* cell(std::uint64_t name) const;
};

struct ShownTable {
  std::uint64_t name = 0;
  std::size_t widget = 0;
  bool scrolls = false;  ///< it may hold more than it shows
  bool whole = true;     ///< these are its rows: it does not scroll, and shows no notice that there is none
  std::vector<ShownRow> rows;
  std::uint64_t content() const;  ///< hash of all rows
  /// Its only row may say that there is none.
  bool is_notice() const { return rows.size() == 1 && !whole && !scrolls; }
};

struct ScreenData {
  std::uint64_t page = 0;  ///< activity, and whether a popup covers it
  bool popup = false;
  /// How the page is set: how the device is held, which values it shows, what is checked or selected, which fields are filled (beside a list: with what). Two screens of one page in different modes
  /// may well show different data.
  std::uint64_t mode = 0;
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

/// The rows of one table that are not in the other; one that is there twice must be there twice.
std::vector<const ShownRow*> rows_missing(const ShownTable& from, const ShownTable& in);

/// The row that holds this widget, with its table; null pointers where it is in none.
struct RowPlace {
  const ShownTable* table = nullptr;
  const ShownRow* row = nullptr;
};
RowPlace row_of(const ScreenData& data, std::size_t widget);

/// The text says it in capitals or small letters; `small`: in small letters.
bool says_in_any_case(std::string_view text, std::string_view small);
/// It stands in the text with no letter or digit beside it: "Food" in "Food, Bank", not in "Foods".
bool says_word(std::string_view text, std::string_view word);
/// There is an address of mail in it: "ann@example.org".
bool says_an_address(std::string_view text);
/// The sign of money it shows, "$"; none where there is none.
std::string_view sign_of_money(std::string_view text);
std::string in_small_letters(std::string_view text);
/// The widget's label or id contains this word (in small letters).
bool calls_itself(const Screen& screen, std::size_t i, std::string_view word);

/// It calls itself copying something: what comes up then is about something new, whatever it holds.
bool says_copying(const Screen& screen, std::size_t i);

/// It calls itself starting or stopping something that goes on by itself (Play, Pause): no setting, and there is one at a time.
bool says_running(const Screen& screen, std::size_t i);

/// The arrow in the bar of a page that leads to the one above.
bool leads_up(const Widget& w);

/// The entry of a menu that the event into this node touched, a widget of the screen before, if it can be checked.
std::optional<std::size_t> touched_menu_check(const History& tree, NodeId node);

/// What DataCache::deed says, for an event on a screen.
std::uint64_t deed_of(const Event& event, const Screen& screen, const ScreenData& data);

/// The numbers in a text, in order: "3 of 12, 4.50 left" has three. A sign counts only where nothing but a space stands before
/// it and nothing but a sign of money behind it; "1:30" is 90.
std::vector<double> numbers_in(std::string_view text);
/// Those that two values of a page may add up to: none where there are times, which begin and end with the thing they belong to.
std::vector<double> amounts_in(std::string_view text);

/// What one more in the last digit of the last number means: 1 for "12", 0.01 for "3.50 kg".
double last_digit(std::string_view text);

/// What a text says beside its numbers: "3 entries" and "1 entry" say the same, "2.50 a litre" and "9.50 a gallon" do not. Of each word the first four
/// letters, since some of its end goes with the number.
std::string words_beside_numbers(std::string_view text);

/// What a number is a number of: "12.5 kg" is in "kg", "3 days" and "1 day" in "day", "To pay: 3" in nothing.
std::string_view unit_of(std::string_view text);

/// Screens as data, each computed once.
class DataCache {
 public:
  explicit DataCache(const History& tree) : tree_(tree) {}
  const ScreenData& of(NodeId node);
  /// The page lies below this node's: it was left by opening others and not come back to since, so Back leads to it.
  bool below(NodeId node, std::uint64_t page);
  /// The last node before this one that showed its page, at most so many events ago; none.
  NodeId last_visit(NodeId node, std::size_t most);
  /// The first node of this visit of the page.
  NodeId entered(NodeId node);
  /// The node at which the page of this one was opened: coming back to it from a page above is no opening.
  NodeId opened(NodeId node);
  /// What opened the page of this node. 0: the start of the app.
  std::uint64_t opener(NodeId node);
  /// What the last event did to which kind of thing: any row of a list is the same kind, whatever it says. 0 for the root.
  std::uint64_t deed(NodeId node);
  /// An entry of a menu that can be checked was touched on the way: a page may show a part of what it has, and say so only there.
  bool checked_in_menu(NodeId node);
  /// If the last event touched a row, no other has its name: else which of them it was cannot be seen.
  bool of_one_row(NodeId node);
  /// What the page says about itself: its texts that are one of few, whatever the data ("New note", "Starred"). The same action may do
  /// something else under another title. A text that names a row of the page's lists at some time (the open folder) is data itself. Which texts are such is
  /// settled by the tree as it is when this is first asked.
  std::uint64_t told(NodeId node);

 private:
  void learn_titles();

  const History& tree_;
  std::unordered_map<std::uint64_t, std::set<std::string>>
      titles_;  ///< texts by page and value, if they are few
  std::unordered_map<std::uint32_t, ScreenData> known_;
  std::unordered_map<std::uint32_t, bool> checked_;  ///< checked_in_menu()
};

}  // namespace norn

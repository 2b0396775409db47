// What was typed and accepted shows: a new name appears on the page one comes back to. Asked of forms and
// questions with one field; of several, a page shows what it likes, but a number that is shown beside the
// name that was entered with it, or in the row that came with it in a unit that the form names, as a rule, is
// so here, whatever that unit is. Learnt by the way the form or question is left and the page it leads to;
// Cancel never shows what was typed. What is shown after something was chosen from a menu (starred ones only),
// or by a switch that shows or hides something, need not be everything. A button that leaves the field where it
// is, but not what it says, has taken something else: "1:05" was entered, "0:01" is there.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_typed = 3;   ///< shorter ones are found in anything
constexpr std::size_t shortest_number = 2;  ///< compared as a number
constexpr std::size_t telling_name = 4;     ///< letters that two rows hardly share

class Appears final : public Expectation {
 public:
  Appears(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "appears"; }
  Learnt learnt() const override { return {5, 0.25}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const NodeId form = tree_.parent(node);
    const ScreenData &from = data_.of(form), &here = data_.of(node);
    if (std::holds_alternative<Key>(tree_.event(tree_.event_id(node)))) return;  // Back accepts nothing
    if (tree_.screen(node).kind != Screen::Kind::app) return;
    if (from.page == here.page) return taken(node, out);
    for (const ShownTable& t : here.tables) note_length(here, t);
    if (std::ranges::any_of(here.tables, &ShownTable::scrolls) || here.filtered() || set_by_menu(node) ||
        data_.chose_what_is_shown(node))
      return;
    if (std::ranges::count(from.values, ShownValue::Kind::field, &ShownValue::kind) != 1)
      return beside(node, out);
    if (chose_something(form)) return;
    for (const ShownValue& v : from.values) {
      if (v.kind != ShownValue::Kind::field || !just_typed(form, v)) continue;
      const bool number = is_number(v.text);
      if (v.text.size() < (number ? shortest_number : shortest_typed)) continue;
      const bool held = number ? says_number(here, numbers_in(v.text)[0]) : says_any_case(here, trim(v.text));
      if (!held && is_full(here)) continue;
      out.push_back({Hasher()
                         .add(from.page)
                         .add(from.mode)
                         .add(v.name)
                         .add(data_.deed(node))
                         .add(here.page)
                         .add(data_.told(node))
                         .add(is_fraction(v.text))  // a field for whole numbers cuts it off
                         .finish(),
                     held,
                     Hasher().add(v.text).add(here.tables.empty() ? 0 : here.tables[0].rows.size()).finish(),
                     Hasher().add(here.page).add(v.name).finish(),
                     held ? "" : fmt::format("\"{}\" was entered, but does not appear", printable(v.text)),
                     here.mode, 0, false, words(here)});
    }
  }

 private:
  void note_length(const ScreenData& here, const ShownTable& t) {
    auto& longest = longest_[Hasher().add(here.page).add(t.name).finish()];
    longest = std::max(longest, t.rows.size());
  }
  /// A list is as long as it ever was: it may take no more.
  bool is_full(const ScreenData& here) {
    return std::ranges::any_of(here.tables, [&](const ShownTable& t) {
      return t.rows.size() >= longest_[Hasher().add(here.page).add(t.name).finish()];
    });
  }
  /// Some apps begin names with a capital, or write them small.
  static bool says_any_case(const ScreenData& d, std::string_view text) {
    const std::string small = in_small_letters(text);
    const auto has = [&](const ShownValue& v) { return says_in_any_case(v.text, small); };
    return any_value(d, has);
  }
  template <class Has>
  static bool any_value(const ScreenData& d, const Has& has) {
    return std::ranges::any_of(d.values, has) || std::ranges::any_of(d.tables, [&](const ShownTable& t) {
             return std::ranges::any_of(t.rows,
                                        [&](const ShownRow& r) { return std::ranges::any_of(r.cells, has); });
           });
  }
  static bool is_fraction(std::string_view text) {
    return text.find('.') != std::string_view::npos && to_double(text);
  }
  static bool is_number(std::string_view text) { return std::ranges::all_of(text, is_digit); }
  static bool says_number(const ScreenData& d, double number) {
    return any_value(d, [&](const ShownValue& v) { return has_number(v, number); });
  }

  /// Of a form with several fields: the row that says the name says the number.
  void beside(NodeId node, std::vector<Case>& out) {
    const NodeId form = tree_.parent(node);
    const ScreenData &from = data_.of(form), &here = data_.of(node);
    const ShownRow* row = nullptr;
    for (const ShownValue& v : from.values)
      if (v.kind == ShownValue::Kind::field && v.text.size() >= telling_name && numbers_in(v.text).empty() &&
          just_typed(form, v) && !row)
        row = only_row_with(here, trim(v.text));
    const bool named = row != nullptr;
    if (!named) row = row_that_came(node);
    const bool said = row && says_units_of(form, *row);
    if (!row || (!named && !said)) return;
    const std::uint64_t units = units_of(*row);
    for (const ShownValue& v : from.values) {
      if (v.kind != ShownValue::Kind::field || v.text.size() < shortest_number || !is_number(v.text) ||
          !just_typed(form, v))
        continue;
      const bool held = std::ranges::any_of(
          row->cells, [&](const ShownValue& cell) { return has_number(cell, numbers_in(v.text)[0]); });
      out.push_back({Hasher()
                         .add("beside")
                         .add(said ? 0 : units)
                         .add(from.page)
                         .add(v.name)
                         .add(data_.deed(node))
                         .add(here.page)
                         .add(data_.told(node))
                         .finish(),
                     held, Hasher().add(v.text).finish(), Hasher().add(here.page).add(v.name).finish(),
                     held ? ""
                          : fmt::format("\"{}\" was entered, but is not beside \"{}\"", printable(v.text),
                                        printable(row->title())),
                     here.mode, 0, false, said ? units : v.text.size()});
    }
  }
  /// The one that was not listed before the form was opened; null: there is none, or several.
  const ShownRow* row_that_came(NodeId node) {
    const ScreenData& here = data_.of(node);
    NodeId before = data_.opened(tree_.parent(node));
    while (before != tree_.root() && data_.of(before).page != here.page) before = tree_.parent(before);
    const ShownRow* out = nullptr;
    for (const ShownTable& t : here.tables) {
      const ShownTable* was = data_.of(before).table(t.name);
      const auto came = rows_missing(t, was ? *was : ShownTable{});
      if (came.size() > 1 || (out && !came.empty())) return nullptr;
      if (!came.empty()) out = came.front();
    }
    return out;
  }
  /// The form names what the row's numbers are numbers of: "Weight in lb".
  bool says_units_of(NodeId form, const ShownRow& row) {
    const Screen& screen = tree_.screen(form);
    const auto says = [&](const std::string& unit) {
      for (std::size_t i = 0; i < screen.widgets.size(); ++i)
        if (says_word(label(screen, i), unit) || says_word(label(screen, i), unit + "s")) return true;
      return false;
    };
    return std::ranges::any_of(row.cells, [&](const ShownValue& cell) {
      return numbers_in(cell.text).size() == 1 && !unit_of(cell.text).empty() &&
             says(std::string(unit_of(cell.text)));
    });
  }
  static const ShownRow* only_row_with(const ScreenData& d, std::string_view name) {
    const ShownRow* out = nullptr;
    for (const ShownTable& t : d.tables)
      for (const ShownRow& r : t.rows)
        if (r.says(name)) {
          if (out) return nullptr;
          out = &r;
        }
    return out;
  }
  /// What its numbers are numbers of: grams are not ounces.
  static std::uint64_t units_of(const ShownRow& row) {
    Hasher out;
    for (const ShownValue& cell : row.cells)
      if (!numbers_in(cell.text).empty()) out.add(words_beside_numbers(cell.text));
    return out.finish();
  }
  static bool has_number(const ShownValue& v, double number) {
    const auto all = numbers_in(v.text);
    return std::ranges::find(all, number) != all.end();
  }

  /// A button of the form was touched, and the form is still there.
  void taken(NodeId node, std::vector<Case>& out) {
    const NodeId form = tree_.parent(node);
    const ScreenData &from = data_.of(form), &here = data_.of(node);
    if (from.filtered() || !std::holds_alternative<Tap>(tree_.event(tree_.event_id(node)))) return;
    for (const ShownValue& v : from.values) {
      const ShownValue* now = here.value(v.name);
      if (v.kind != ShownValue::Kind::field || !now || now->text.empty() || !just_typed(form, v)) continue;
      const bool held = now->text == v.text;
      out.push_back({Hasher().add("taken").add(from.page).add(v.name).add(data_.deed(node)).finish(), held,
                     Hasher().add(v.text).finish(), Hasher().add(from.page).add(v.name).finish(),
                     held ? ""
                          : fmt::format("\"{}\" was entered, \"{}\" is there after {}", printable(v.text),
                                        printable(now->text), describe(tree_.event(tree_.event_id(node))))});
    }
  }

  /// In this visit of the form something else than its field was changed: what was made may belong elsewhere.
  bool chose_something(NodeId form) {
    const ScreenData &last = data_.of(form), &first = data_.of(data_.opened(form));
    return std::ranges::any_of(last.values, [&](const ShownValue& v) {
      const ShownValue* was = first.value(v.name);
      return v.kind != ShownValue::Kind::field && was && was->text != v.text;
    });
  }
  /// On this way the page came to say something else about itself by a choice from a menu.
  bool set_by_menu(NodeId node) {
    const std::uint64_t page = data_.of(node).page;
    const ScreenData* last = nullptr;
    bool menu = false;
    for (const NodeId n : tree_.path(node)) {
      const ScreenData& here = data_.of(n);
      if (here.page == page) {
        if (last && menu && words(*last) != words(here)) return true;
        last = &here, menu = false;
      }
      menu = menu || here.popup;
    }
    return false;
  }
  static std::uint64_t words(const ScreenData& d) {
    Hasher out;
    for (const ShownValue& v : d.values)
      if (v.kind == ShownValue::Kind::text && numbers_in(v.text).empty()) out.add(v.text);
    return out.finish();
  }

  /// In this visit of the form.
  bool just_typed(NodeId form, const ShownValue& v) {
    for (NodeId n = form; n != tree_.root() && data_.of(tree_.parent(n)).page == data_.of(form).page;
         n = tree_.parent(n))
      if (const std::string* typed = typed_text(tree_.event(tree_.event_id(n))))
        if (*typed == v.text) return true;
    return false;
  }

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, std::size_t> longest_;  ///< rows, by list
};

}  // namespace

std::unique_ptr<Expectation> expect_appears(const History& tree, DataCache& data) {
  return std::make_unique<Appears>(tree, data);
}

}  // namespace norn

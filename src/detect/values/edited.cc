// What was changed is changed wherever it was shown. A form said X, says Y now, and was accepted; the page it
// was opened from showed X, as a value or in the row that was touched, and shows Y when one is back there. So
// does any other page that showed X before, if X was typed on this way: nothing else has that name. Learnt by
// field and by what accepts the form; a place that never follows counts once. What another field of the form
// says was left as it is.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/openings.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_look_back = 30;  ///< events since the form was left, and before it was opened
constexpr std::ptrdiff_t words_of_a_sentence = 3;  ///< beside the name
constexpr std::size_t telling_text = 4;            ///< letters: shorter ones are found in anything

/// One visit of a form.
struct FormEdit {
  NodeId before, opened, left,
      next;  ///< the page it was opened from, its first and last node, the one after it
};

/// As a word, or as the same number however it is written.
bool says(std::string_view text, std::string_view what) {
  if (!std::ranges::all_of(what, [](char c) { return is_digit(c) || c == '.'; }))
    return says_word(text, what);
  const auto all = numbers_in(text), one = numbers_in(what);
  return one.size() == 1 && all == one;
}

struct FieldChange {
  std::uint64_t field = 0;
  std::string was, is;
};

class Edited final : public Expectation {
 public:
  Edited(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "edited"; }
  Learnt learnt() const override { return {.least = 4, .failing = 0.25, .fewest = 2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    FormEdit edit;
    if (now.popup || now.filtered() || tree_.screen(node).kind != Screen::Kind::app || !last_edit(node, edit))
      return;
    const auto changes = changed(edit);
    for (const FieldChange& c : changes) {
      if (edit.next == node && data_.of(edit.before).page == now.page)
        back(node, edit, c, changes, out);
      else if (telling(c.was) && (typed_once(edit.opened, c.was) || names_the_row(edit, c.was)))
        elsewhere(node, edit, c, out);
    }
  }

 private:
  /// The last form that was left on the way to this node, by a touch, for a page that is no popup.
  bool last_edit(NodeId node, FormEdit& out) {
    NodeId n = node;
    for (std::size_t k = 0; k < longest_look_back && n != tree_.root(); ++k, n = tree_.parent(n)) {
      const NodeId form = tree_.parent(n);
      if (!data_.of(form).is_form() || data_.of(form).page == data_.of(n).page || data_.of(n).popup) continue;
      out.next = n, out.left = out.opened = form;
      return std::holds_alternative<Tap>(tree_.event(tree_.event_id(n))) && opening(out);
    }
    return false;
  }
  bool opening(FormEdit& out) {
    const std::uint64_t page = data_.of(out.left).page;
    for (NodeId n = out.left; n != tree_.root();) {
      n = tree_.parent(n);
      if (data_.of(n).page == page)
        out.opened = n;
      else if (!data_.of(n).popup)
        return out.before = n, !copies_between(tree_, n, out.opened);
    }
    return false;
  }

  std::vector<FieldChange> changed(const FormEdit& edit) {
    std::vector<FieldChange> out;
    for (const ShownValue& v : data_.of(edit.left).values)
      if (const ShownValue* was = data_.of(edit.opened).value(v.name);
          v.kind == ShownValue::Kind::field && was && !was->text.empty() && !v.text.empty() &&
          was->text != v.text && was->text.find(v.text) == std::string::npos &&
          v.text.find(was->text) == std::string::npos)
        out.push_back({v.name, was->text, v.text});
    return out;
  }
  bool typed_once(NodeId node, std::string_view text) const {
    std::size_t times = 0;
    for (NodeId n = node; n != tree_.root(); n = tree_.parent(n))
      if (const std::string* typed = typed_text(tree_.event(tree_.event_id(n)))) times += *typed == text;
    return times == 1;
  }

  static bool telling(std::string_view text) {
    return text.size() >= telling_text && numbers_in(text).empty();
  }
  /// The row that led to the form.
  RowPlace row_touched(const FormEdit& edit) {
    NodeId touched = edit.opened;
    while (tree_.parent(touched) != edit.before) touched = tree_.parent(touched);
    const auto receiver = receiver_of(tree_.event(tree_.event_id(touched)), tree_.screen(edit.before));
    return receiver ? row_of(data_.of(edit.before), *receiver) : RowPlace{};
  }
  /// What was changed is the name of a thing, not something about it.
  bool names_the_row(const FormEdit& edit, std::string_view text) {
    const RowPlace place = row_touched(edit);
    return place.row && place.row->title() == text;
  }

  /// Back on the page the form was opened from.
  void back(NodeId node, const FormEdit& edit, const FieldChange& c, const std::vector<FieldChange>& all,
            std::vector<Case>& out) {
    const ScreenData &was = data_.of(edit.before), &now = data_.of(node);
    const RowPlace place = row_touched(edit);
    if (!place.row) {
      if (!telling(c.was)) return;
      for (const ShownValue& v : was.values)
        if (v.kind == ShownValue::Kind::text && says(v.text, c.was))
          if (const ShownValue* is = now.value(v.name)) put(node, edit, c, v.name, *is, out);
      return;
    }
    const ShownRow* row = same_row(*place.row, now.table(place.table->name), all);
    if (!row || std::ranges::count(place.table->rows, place.row->title(), &ShownRow::title) != 1) return;
    const auto says_it = [&](const ShownValue& cell) { return says(cell.text, c.was); };
    if (std::ranges::count_if(place.row->cells, says_it) > 1) return;  // each day has a number of its own
    for (const ShownValue& cell : place.row->cells)
      if (says_it(cell))
        if (const ShownValue* is = row->cell(cell.name)) put(node, edit, c, cell.name, *is, out);
  }
  /// By its name, the old or the new one; null where there is none or several.
  static const ShownRow* same_row(const ShownRow& row, const ShownTable* now,
                                  const std::vector<FieldChange>& all) {
    const ShownRow* out = nullptr;
    if (!now) return nullptr;
    for (const ShownRow& r : now->rows) {
      const bool renamed = std::ranges::any_of(
          all, [&](const FieldChange& c) { return c.was == row.title() && c.is == r.title(); });
      if (r.title() != row.title() && !renamed) continue;
      if (out) return nullptr;
      out = &r;
    }
    return out;
  }

  /// On a page that showed it before the form was opened.
  void elsewhere(NodeId node, const FormEdit& edit, const FieldChange& c, std::vector<Case>& out) {
    const ScreenData& now = data_.of(node);
    if (data_.of(tree_.parent(node)).page == now.page || data_.of(edit.before).page == now.page) return;
    NodeId then = edit.opened;
    for (std::size_t k = 0; k < longest_look_back && data_.of(then).page != now.page; ++k)
      if (then == tree_.root())
        return;
      else
        then = tree_.parent(then);
    const ScreenData& was = data_.of(then);
    if (was.page != now.page || was_said_before_it_came(edit, now.page, c.was) ||
        is_a_label(tree_.screen(node), now, c.was))
      return;
    for (const ShownValue& v : was.values)
      if (v.kind == ShownValue::Kind::text && says(v.text, c.was))
        if (const ShownValue* is = now.value(v.name)) put(node, edit, c, v.name, *is, out);
    for (const ShownTable& t : was.tables)
      for (const ShownRow& row : t.rows)
        for (const ShownValue& cell : row.cells)
          if (says(cell.text, c.was) && !is_dated(row)) in_rows(node, edit, c, t.name, cell.name, out);
  }
  /// One of several tabs or choices of the page is called so, whatever the data.
  static bool is_a_label(const Screen& screen, const ScreenData& page, std::string_view text) {
    return std::ranges::any_of(page.values, [&](const ShownValue& v) {
      return v.text == text && is_of_unselected(screen, v.widget);
    });
  }
  /// Nobody typed it, and on this way the page said it when the list from which the form was opened had no
  /// such row yet: it speaks of something else that is called so (a pack that can be fetched).
  bool was_said_before_it_came(const FormEdit& edit, std::uint64_t page, std::string_view name) {
    if (typed_once(edit.opened, name)) return false;
    bool lacks = false;
    for (const NodeId n : way_to(edit.opened)) {
      const ScreenData& d = data_.of(n);
      if (d.page == data_.of(edit.before).page) lacks = !d.says(name);
      if (lacks && d.page == page && d.says(name)) return true;
    }
    return false;
  }
  /// From the first page on.
  std::vector<NodeId> way_to(NodeId node) const {
    std::vector<NodeId> out{node};
    while (out.back() != tree_.root()) out.push_back(tree_.parent(out.back()));
    std::ranges::reverse(out);
    return out;
  }
  /// Any row that says it in this cell: the old name is in none, or the new one is in none either (the row
  /// has gone).
  void in_rows(NodeId node, const FormEdit& edit, const FieldChange& c, std::uint64_t table,
               std::uint64_t cell, std::vector<Case>& out) {
    const ShownTable* now = data_.of(node).table(table);
    if (!now) return;
    const ShownValue* shown = nullptr;
    for (const ShownRow& row : now->rows)
      for (const ShownValue& v : row.cells)
        if (v.name == cell && (says(v.text, c.was) || (!shown && says(v.text, c.is)))) shown = &v;
    if (shown) put(node, edit, c, cell, *shown, out);
  }

  /// "Monstera deliciosa" is no Monstera that was not renamed: it may be called after it. Nor is "Toast the
  /// bread" about the recipe.
  static bool may_be_another(std::string_view text, std::string_view name) {
    const bool longer_name = text.starts_with(name) && text.size() > name.size() &&
                             text[name.size()] == ' ' && std::ranges::all_of(text, [](char c) {
                               return c == ' ' || std::isalpha(static_cast<unsigned char>(c)) != 0;
                             });
    return longer_name ||
           std::ranges::count(text, ' ') >= std::ranges::count(name, ' ') + words_of_a_sentence;
  }
  /// Another field of the form holds what is shown, or what in it says the old text: "Weekend in Bled".
  static bool is_of_another_field(const ScreenData& form, std::string_view shown, const FieldChange& c) {
    return std::ranges::any_of(form.values, [&](const ShownValue& v) {
      return v.kind == ShownValue::Kind::field && v.name != c.field && says(v.text, c.was) &&
             says_word(shown, v.text);
    });
  }
  void put(NodeId node, const FormEdit& edit, const FieldChange& c, std::uint64_t where, const ShownValue& is,
           std::vector<Case>& out) {
    const bool stale = says(is.text, c.was), held = says(is.text, c.is);
    if (stale == held) return;
    const std::uint64_t page = data_.of(node).page, place = Hasher().add(page).add(where).finish();
    const std::uint64_t followed = Hasher().add(place).add(c.field).finish();
    if (held) follow_.insert(followed);
    if (!held && may_be_another(is.text, c.was) && !follow_.contains(followed)) return;
    if (!held && is_of_another_field(data_.of(edit.left), is.text, c)) return;
    out.push_back(
        {.group = Hasher().add(data_.of(edit.left).page).add(c.field).add(data_.deed(edit.next)).finish(),
         .held = held,
         .value = Hasher().add(page).add(c.was).add(c.is).finish(),
         .wrong = place,
         .words = held ? ""
                       : fmt::format("\"{}\" was changed to \"{}\", \"{}\" is still shown", printable(c.was),
                                     printable(c.is), printable(is.text)),
         .cause = place});
  }

  const History& tree_;
  DataCache& data_;
  std::set<std::uint64_t> follow_;  ///< places and fields whose change they have shown
};

}  // namespace

std::unique_ptr<Expectation> expect_edited(const History& tree, DataCache& data) {
  return std::make_unique<Edited>(tree, data);
}

}  // namespace norn

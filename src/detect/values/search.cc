// A search finds what is there. Of a field beside a list:
//   found    what a row says is looked for, in capitals or small letters, and that row stays listed
//   nothing  a word that was made up, as no page says it, is looked for, and no row is listed that does not
//            say it: what it merely begins with was not asked for. Headings may stay
//   cleared  the field is emptied, by hand or by a button of its own, and the list is as it was before the
//            search
// A field that is no search changes nothing when it is filled, and never meets the second.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <span>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/remembered.h"
#include "detect/reading/typed.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_query = 2;
constexpr std::size_t longest_search = 12;  ///< events between the first letter and the empty field
constexpr std::size_t made_up = 4;          ///< letters: shorter ones are found in anything

/// Null: there is none, or several.
const ShownValue* only_field(const ScreenData& d) {
  const ShownValue* out = nullptr;
  for (const ShownValue& v : d.values) {
    if (v.kind != ShownValue::Kind::field) continue;
    if (out) return nullptr;
    out = &v;
  }
  return out;
}

/// In two cells: what one of them says may stand for something else.
bool says_twice(const ShownRow& row, const std::string& small) {
  return std::ranges::count_if(row.cells,
                               [&](const ShownValue& c) { return says_in_any_case(c.text, small); }) > 1;
}

bool row_says(const ShownRow& row, const std::string& small) {
  return std::ranges::any_of(row.cells, [&](const ShownValue& c) { return says_in_any_case(c.text, small); });
}

class Searched final : public Expectation {
 public:
  Searched(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "search"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.25, .fewest = 2}; }
  bool any_text() const override { return false; }  // what is looked for is there, or is not

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root() || tree_.screen(node).kind != Screen::Kind::app) return;
    const ScreenData &was = data_.of(tree_.parent(node)), &now = data_.of(node);
    const ShownValue* field = now.popup ? nullptr : only_field(now);
    const ShownValue* before = field && was.page == now.page ? was.value(field->name) : nullptr;
    if (!before || before->text == field->text) return;
    if (before->text.empty() && was.tables.size() == 1)
      begun(node, *field, out);
    else if (field->text.empty())
      cleared(node, *field, out);
  }

 private:
  static std::uint64_t group(std::string_view what, const ScreenData& d, const ShownValue& field) {
    return Hasher().add(what).add(d.page).add(field.name).finish();
  }
  /// The rows of a table; none where there is no table, or nothing but a notice that there is none.
  static std::span<const ShownRow> rows(const ShownTable* table) {
    return table && !table->is_notice() ? std::span(table->rows) : std::span<const ShownRow>();
  }

  void begun(NodeId node, const ShownValue& field, std::vector<Case>& out) {
    const ScreenData &was = data_.of(tree_.parent(node)), &now = data_.of(node);
    const ShownTable& all = was.tables[0];
    const auto listed = rows(now.table(all.name));
    if (may_be_covered(node, all)) return;
    const std::string query = in_small_letters(trim(field.text));
    if (query.size() < shortest_query || !typed_text(tree_.event(tree_.event_id(node)))) return;
    bool there = false;
    for (const ShownRow& row : all.rows)
      for (const ShownValue& cell : row.cells)
        if (says_in_any_case(cell.text, query)) {
          if (!says_twice(row, query)) stays(now, field, row, cell.name, query, listed, out);
          there = true;
        }
    if (!there && !rows(&all).empty() && query.size() >= made_up && is_made_up(node, query))
      nothing(node, field, listed, query, out);
  }

  /// The list shows its first rows, down to the keyboard, and the next one stood below that: nothing need have
  /// been looked for.
  bool may_be_covered(NodeId node, const ShownTable& all) {
    const Screen &was = tree_.screen(tree_.parent(node)), &is = tree_.screen(node);
    const ShownTable* listed = data_.of(node).table(all.name);
    if (!is.keyboard || !listed || listed->rows.size() >= all.rows.size()) return false;
    const std::size_t shown = listed->rows.size();
    return std::ranges::equal(listed->rows, std::span(all.rows).first(shown), {}, &ShownRow::content,
                              &ShownRow::content) &&
           was.widgets[all.rows[shown].widget].bounds.top >= is.widgets[listed->widget].bounds.bottom;
  }

  /// Whether what this cell says can be looked for is learnt by cell.
  static void stays(const ScreenData& now, const ShownValue& field, const ShownRow& row, std::uint64_t cell,
                    const std::string& query, std::span<const ShownRow> listed, std::vector<Case>& out) {
    // By all that they say: a list of one row may call it by another cell.
    const bool held = std::ranges::any_of(listed, [&](const ShownRow& r) { return r.says(row.title()); });
    out.push_back({.group = Hasher().add(group("found", now, field)).add(cell).finish(),
                   .held = held,
                   .value = Hasher().add(row.content).add(query).finish(),
                   .wrong = group("search", now, field),
                   .words = held ? ""
                                 : fmt::format("\"{}\" is looked for, row \"{}\" is not listed",
                                               printable(field.text), printable(row.title())),
                   .cause = Hasher().add(query.size()).add(row.says(trim(field.text))).finish()});
  }

  void nothing(NodeId node, const ShownValue& field, std::span<const ShownRow> listed,
               const std::string& query, std::vector<Case>& out) {
    const ScreenData& now = data_.of(node);
    const auto wrong = std::ranges::find_if(
        listed, [&](const ShownRow& r) { return !row_says(r, query) && !is_heading(node, r); });
    const bool held = wrong == listed.end();
    if (!held && shown_elsewhere(now.page, query)) return;
    out.push_back({.group = group("nothing", now, field),
                   .held = held,
                   .value = hash_bytes(query),
                   .wrong = group("search", now, field),
                   .words = held ? ""
                                 : fmt::format("\"{}\" is looked for, row \"{}\" is listed",
                                               printable(field.text), printable(wrong->title()))});
  }

  /// A row of the kind that the list began with before the search, where it had others, too.
  bool is_heading(NodeId node, const ShownRow& row) {
    const std::vector<ShownRow>& all = data_.of(tree_.parent(node)).tables[0].rows;
    return row.kind == all.front().kind &&
           std::ranges::any_of(all, [&](const ShownRow& r) { return r.kind != row.kind; });
  }

  /// Nothing that was shown or typed on this way says it.
  bool is_made_up(NodeId node, const std::string& query) {
    for (NodeId n = tree_.parent(node);; n = tree_.parent(n)) {
      const ScreenData& d = data_.of(n);
      for (const ShownValue& v : d.values)
        if (says_in_any_case(v.text, query)) return false;
      for (const ShownTable& t : d.tables)
        for (const ShownRow& row : t.rows)
          if (row_says(row, query)) return false;
      if (n == tree_.root()) return true;
    }
  }

  /// Some other page that was ever seen says it: a search may look where rows show nothing.
  bool shown_elsewhere(std::uint64_t page, const std::string& query) {
    const auto [at, fresh] = elsewhere_.try_emplace(Hasher().add(page).add(query).finish());
    for (std::uint32_t n = 0; fresh && !at->second && n < tree_.size(); ++n) {
      const ScreenData& d = data_.of({n});
      if (d.page == page) continue;
      at->second =
          std::ranges::any_of(d.values,
                              [&](const ShownValue& v) {
                                return v.kind == ShownValue::Kind::text && says_in_any_case(v.text, query);
                              }) ||
          std::ranges::any_of(d.tables, [&](const ShownTable& t) {
            return std::ranges::any_of(t.rows, [&](const ShownRow& row) { return row_says(row, query); });
          });
    }
    return at->second;
  }

  void cleared(NodeId node, const ShownValue& field, std::vector<Case>& out) {
    const NodeId begin = before_search(node, field.name);
    if (!begin) return;
    const ScreenData &was = data_.of(begin), &now = data_.of(node);
    if (was.tables.size() != 1 || rows(&was.tables[0]).empty()) return;
    const ShownTable *all = &was.tables[0], *again = now.table(all->name);
    const ShownTable* searched = data_.of(tree_.parent(node)).table(all->name);
    if (searched && searched->content() == all->content()) return;  // it found all of them, or is none
    if (again && shows_another_part(*all, *again)) return;
    const bool covered = tree_.screen(begin).keyboard != tree_.screen(node).keyboard;
    const bool held = again && one_begins_the_other(*all, *again, covered);
    out.push_back(
        {.group = group("cleared", now, field),
         .held = held,
         .value = Hasher().add(all->content()).add(again ? again->content() : 0).finish(),
         .wrong = group("cleared", now, field),
         .words = held ? ""
                       : fmt::format("the search is empty again, and {} of {} rows are listed",
                                     rows(again).size(), all->rows.size()),
         .sort =
             Hasher().add(all->content()).add(data_.of(tree_.parent(node)).value(field.name)->text).finish(),
         .cause = data_.deed(node)});
  }
  /// The node before this search, if nothing else was done since.
  NodeId before_search(NodeId node, std::uint64_t name) {
    const std::uint64_t page = data_.of(node).page;
    for (std::size_t k = 0; k < longest_search && node != tree_.root(); ++k) {
      const NodeId before = tree_.parent(node);
      const ScreenData &d = data_.of(before), &after = data_.of(node);
      const ShownValue *then = d.value(name), *now = after.value(name);
      if (d.page != page || !then || !now) return {};
      const bool closes_keyboard = std::holds_alternative<Key>(tree_.event(tree_.event_id(node)));
      if (then->text == now->text && (!closes_keyboard || values_say_otherwise(d, after))) return {};
      if (then->text.empty()) return before;
      node = before;
    }
    return {};
  }
  /// Both list something, and nothing of it twice: whoever looked for something on a later page is on the first.
  static bool shows_another_part(const ShownTable& a, const ShownTable& b) {
    return !rows(&a).empty() && !rows(&b).empty() && std::ranges::none_of(a.rows, [&](const ShownRow& row) {
      return std::ranges::find(b.rows, row.title(), &ShownRow::title) != b.rows.end();
    });
  }
  /// A keyboard may cover the end of one; a selection that ended took its marks along.
  static bool one_begins_the_other(const ShownTable& a, const ShownTable& b, bool covered) {
    const auto &shorter = a.rows.size() < b.rows.size() ? a : b, &longer = &shorter == &a ? b : a;
    if (rows(&a).empty() || rows(&b).empty()) return rows(&a).empty() && rows(&b).empty();
    if (a.whole && b.whole && !covered && a.rows.size() != b.rows.size()) return false;
    return std::ranges::equal(
        shorter.rows,
        std::ranges::subrange(longer.rows.begin(),
                              longer.rows.begin() + static_cast<std::ptrdiff_t>(shorter.rows.size())),
        {}, &ShownRow::title, &ShownRow::title);
  }

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, bool> elsewhere_;  ///< by page and query
};

}  // namespace

std::unique_ptr<Expectation> expect_search(const History& tree, DataCache& data) {
  return std::make_unique<Searched>(tree, data);
}

}  // namespace norn

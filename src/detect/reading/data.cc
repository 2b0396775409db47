#include "detect/reading/data.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "gui/difference.h"
#include "gui/popup.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t few_titles = 4;   ///< texts of one value: more are data
constexpr std::size_t telling_row = 3;  ///< letters of a row's name: shorter ones are found in anything
constexpr std::size_t rows_kept = 300;  ///< names of a page's rows

bool shows_something(const Widget& w) {
  return !w.text.empty() || !w.desc.empty() || w.is(Flag::checkable) || w.is(Flag::editable);
}

std::uint64_t kind_of(const Widget& w) { return Hasher().add(w.cls).add(w.id).finish(); }

ShownValue shown(const Screen& screen, std::size_t i) {
  const Widget& w = screen.widgets[i];
  ShownValue out{0, i, ShownValue::Kind::text, w.text.empty() ? w.desc : w.text};
  if (w.is(Flag::editable)) out.kind = ShownValue::Kind::field, out.text = w.text;
  if (w.is(Flag::checkable))
    out.kind = ShownValue::Kind::check, out.text = w.is(Flag::checked) ? "on" : "off";
  return out;
}

std::size_t end_of(const Screen& screen, std::size_t i) {
  return i + static_cast<std::size_t>(screen.widgets[i].subtree);
}

/// What a check in a row is called: a cell of its own beside whether it is on. Outside of rows the name of a
/// value says which check it is.
std::optional<ShownValue> label_of_check(const Screen& screen, std::size_t i) {
  const Widget& w = screen.widgets[i];
  if (!w.is(Flag::checkable) || w.text.empty()) return std::nullopt;
  return ShownValue{0, i, ShownValue::Kind::text, w.text};
}

ShownRow row_at(const Screen& screen, std::size_t i) {
  ShownRow out{i, end_of(screen, i), 0, 0, 0, false, {}, 0};
  std::map<std::uint64_t, std::uint64_t> before;
  Hasher content, texts, shape;
  for (std::size_t k = i; k < end_of(screen, i); ++k) {
    const Widget& w = screen.widgets[k];
    out.selected = out.selected || w.is(Flag::selected);
    if (!shows_something(w)) continue;
    const auto add = [&](ShownValue cell, std::uint64_t kind) {
      cell.name = Hasher().add(kind_of(screen.widgets[i])).add(kind).add(before[kind]++).finish();
      content.add(cell.name).add(cell.text).add(w.is(Flag::selected));
      shape.add(cell.name).add(w.is(Flag::selected));
      if (w.text.empty() || cell.kind == ShownValue::Kind::check)
        shape.add(cell.text);
      else
        texts.add(cell.name).add(cell.text);
      out.cells.push_back(std::move(cell));
    };
    if (auto label = label_of_check(screen, k))
      add(std::move(*label), Hasher().add(kind_of(w)).add("label").finish());
    add(shown(screen, k), kind_of(w));
  }
  out.content = content.finish(), out.texts = texts.finish(), out.kind = shape.finish();
  return out;
}

/// Its first text; without one, what its first picture is called.
std::size_t first_text(const Screen& screen, const ShownRow& row) {
  const auto text = [](const ShownValue& v) { return v.kind == ShownValue::Kind::text; };
  auto at = std::ranges::find_if(
      row.cells, [&](const ShownValue& v) { return text(v) && !screen.widgets[v.widget].text.empty(); });
  if (at == row.cells.end()) at = std::ranges::find_if(row.cells, text);
  return at == row.cells.end() ? 0 : static_cast<std::size_t>(at - row.cells.begin());
}

/// Settles by which cell a person calls each row: the first that says a name in most of them.
void name_rows(const Screen& screen, std::vector<ShownRow>& rows) {
  std::map<std::uint64_t, std::size_t> votes;  // by cell
  const auto says_name = [&](const ShownValue& v) {
    return v.kind == ShownValue::Kind::text && !screen.widgets[v.widget].text.empty() && is_name(v.text);
  };
  for (const ShownRow& row : rows)
    for (const ShownValue& cell : row.cells) votes[cell.name] += says_name(cell);
  const ShownValue* chosen = nullptr;
  for (const ShownRow& row : rows)
    for (const ShownValue& cell : row.cells)
      if (!chosen && 2 * votes[cell.name] > rows.size()) chosen = &cell;
  for (ShownRow& row : rows) {
    const auto at = std::ranges::find_if(
        row.cells, [&](const ShownValue& cell) { return chosen && cell.name == chosen->name; });
    row.naming =
        at == row.cells.end() ? first_text(screen, row) : static_cast<std::size_t>(at - row.cells.begin());
  }
}

bool touchable(const Screen& screen, const ShownRow& row) {
  for (std::size_t k = row.widget; k < row.end; ++k)
    if (accepted_by(screen.widgets[k]) != 0) return true;
  return false;
}

bool has_mixed_rows(const Screen& screen, const std::vector<ShownRow>& rows) {
  std::map<std::uint64_t, std::uint64_t> row_of;  // kind of row by kind of cell
  for (const ShownRow& row : rows)
    for (const ShownValue& cell : row.cells) {
      const std::uint64_t kind = kind_of(screen.widgets[row.widget]);
      if (row_of.try_emplace(kind_of(screen.widgets[cell.widget]), kind).first->second != kind) return true;
    }
  return false;
}

ShownTable table_at(const Screen& screen, std::size_t i) {
  const bool scrolls = screen.widgets[i].is(Flag::scrollable);
  ShownTable out{kind_of(screen.widgets[i]), i, scrolls, !scrolls, 0, false, {}};
  for (std::size_t k = i + 1; k < end_of(screen, i); k = end_of(screen, k))
    out.rows.push_back(row_at(screen, k));
  name_rows(screen, out.rows);
  out.mixed = has_mixed_rows(screen, out.rows);
  const auto kind = [&](const ShownRow& row) { return kind_of(screen.widgets[row.widget]); };
  if (!out.rows.empty() &&
      std::ranges::all_of(out.rows, [&](const ShownRow& row) { return kind(row) == kind(out.rows[0]); }))
    out.row_kind = kind(out.rows[0]);
  if (out.rows.size() == 1 && !touchable(screen, out.rows[0])) out.whole = false;
  return out;
}

std::uint64_t parents_kind(const Screen& screen, const Widget& w) {
  return w.parent < 0 ? 0 : kind_of(screen.widgets[static_cast<std::size_t>(w.parent)]);
}

}  // namespace

bool is_name(std::string_view text) {
  constexpr std::size_t few_letters = 3;  // of "9:05 am", "12 min", "01 Mar 2024"
  if (!text.empty() && without_signs(text).empty()) return false;
  std::size_t letters = 0, others = 0;
  for (const char c : text) {
    letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    others += static_cast<unsigned char>(c) >= 0x80;
  }
  if (const std::string_view sign = sign_of_money(text); others != sign.size() && others > 0) return true;
  return letters > few_letters || numbers_in(text).empty() ||
         std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

std::string_view ShownRow::title() const { return cells.empty() ? std::string_view() : cells[naming].text; }

bool ShownRow::says(std::string_view text) const {
  return std::ranges::any_of(cells,
                             [&](const ShownValue& c) { return c.text.find(text) != std::string::npos; });
}

const ShownValue* ShownRow::cell(std::uint64_t wanted) const {
  const auto at = std::ranges::find(cells, wanted, &ShownValue::name);
  return at == cells.end() ? nullptr : &*at;
}

std::uint64_t ShownTable::content() const {
  Hasher out;
  for (const ShownRow& row : rows) out.add(row.content);
  return out.finish();
}

const ShownTable* ScreenData::table(std::uint64_t wanted) const {
  const auto at = std::ranges::find(tables, wanted, &ShownTable::name);
  return at == tables.end() ? nullptr : &*at;
}

const ShownValue* ScreenData::value(std::uint64_t wanted) const {
  const auto at = std::ranges::find(values, wanted, &ShownValue::name);
  return at == values.end() ? nullptr : &*at;
}

std::size_t ScreenData::fields() const {
  return static_cast<std::size_t>(std::ranges::count(values, ShownValue::Kind::field, &ShownValue::kind));
}

bool ScreenData::has_field() const {
  return std::ranges::find(values, ShownValue::Kind::field, &ShownValue::kind) != values.end();
}

bool ScreenData::is_form() const { return tables.empty() && has_field(); }

bool ScreenData::filtered() const {
  return !tables.empty() && std::ranges::any_of(values, [](const ShownValue& v) {
    return v.kind == ShownValue::Kind::field && !v.text.empty();
  });
}

bool ScreenData::says(std::string_view text) const {
  const auto has = [&](const ShownValue& v) { return v.text.find(text) != std::string::npos; };
  if (std::ranges::any_of(values, has)) return true;
  return std::ranges::any_of(tables, [&](const ShownTable& t) {
    return std::ranges::any_of(t.rows, [&](const ShownRow& r) { return r.says(text); });
  });
}

namespace {

bool in_spinner(const Screen& screen, std::size_t i) {
  const std::int32_t parent = screen.widgets[i].parent;
  return parent >= 0 &&
         screen.widgets[static_cast<std::size_t>(parent)].cls.find("Spinner") != std::string::npos;
}

}  // namespace

ScreenData data_of(const Screen& screen) {
  ScreenData out;
  out.popup = is_popup(screen);
  out.page =
      Hasher().add(static_cast<std::uint64_t>(screen.kind)).add(screen.activity).add(out.popup).finish();
  std::map<std::uint64_t, std::uint64_t> before;
  Hasher mode, chosen;
  mode.add(screen.keyboard).add(static_cast<std::uint64_t>(screen.rotation));
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    if (is_list(w)) {
      out.tables.push_back(table_at(screen, i));
      i = end_of(screen, i) - 1;
      continue;
    }
    if (!shows_something(w)) continue;
    if (in_spinner(screen, i)) chosen.add(w.text);
    ShownValue value = shown(screen, i);
    const std::uint64_t kind =
        Hasher().add(kind_of(w)).add(w.id.empty() ? parents_kind(screen, w) : 0).finish();
    value.name = Hasher().add(kind).add(before[kind]++).finish();
    mode.add(value.name).add(w.is(Flag::selected));
    if (value.kind == ShownValue::Kind::check) mode.add(value.text);
    if (value.kind == ShownValue::Kind::field) fields.push_back(value.text);
    out.values.push_back(std::move(value));
  }
  // Beside a list a field is a filter: what it says matters. In a form it does not.
  for (const std::string& text : fields) mode.add(out.tables.empty() ? text.empty() : hash_bytes(text));
  out.mode = mode.finish(), out.chosen = chosen.finish();
  return out;
}

std::uint64_t contents_of(const ScreenData& data) {
  Hasher out;
  out.add(data.page);
  for (const ShownValue& v : data.values) out.add(v.name).add(v.text);
  for (const ShownTable& t : data.tables) out.add(t.name).add(t.content());
  return out.finish();
}

bool same_in_any_order(const ScreenData& a, const ScreenData& b) {
  const auto same_value = [](const ShownValue& x, const ShownValue& y) {
    return x.name == y.name && x.text == y.text;
  };
  const auto rows = [](const ShownTable& t) {
    std::vector<std::uint64_t> out;
    for (const ShownRow& row : t.rows) out.push_back(row.content);
    std::ranges::sort(out);
    return out;
  };
  return a.page == b.page && a.mode == b.mode && std::ranges::equal(a.values, b.values, same_value) &&
         std::ranges::equal(a.tables, b.tables, [&](const ShownTable& x, const ShownTable& y) {
           return x.name == y.name && rows(x) == rows(y);
         });
}

std::vector<std::uint64_t> other_rows_than(const ShownTable& t, std::uint64_t content) {
  std::vector<std::uint64_t> out;
  for (const ShownRow& row : t.rows)
    if (row.content != content) out.push_back(row.content);
  return out;
}

bool one_row_moved(const ScreenData& a, const ScreenData& b) {
  const auto moved = [](const ShownTable& x, const ShownTable& y) {
    return x.content() == y.content() || std::ranges::any_of(x.rows, [&](const ShownRow& row) {
             return other_rows_than(x, row.content) == other_rows_than(y, row.content);
           });
  };
  return same_in_any_order(a, b) && std::ranges::equal(a.tables, b.tables, moved);
}

bool is_of_unselected(const Screen& screen, std::size_t widget) {
  const auto is_chosen = [&](std::size_t i) {
    return screen.widgets[i].is(Flag::selected) || screen.widgets[i].is(Flag::checked);
  };
  for (std::size_t at = widget; screen.widgets[at].parent >= 0;) {
    if (is_chosen(at)) return false;
    const auto parent = static_cast<std::size_t>(screen.widgets[at].parent);
    for (std::size_t k = parent + 1; k < end_of(screen, parent); k = end_of(screen, k))
      if (k != at && is_chosen(k) && screen.widgets[k].cls == screen.widgets[at].cls) return true;
    at = parent;
  }
  return false;
}

bool is_ticked(const ShownRow& row) {
  return std::ranges::any_of(row.cells, [](const ShownValue& cell) {
    return cell.kind == ShownValue::Kind::check && cell.text == "on";
  });
}

bool is_dated(const ShownRow& row) {
  return std::ranges::any_of(row.cells, [](const ShownValue& cell) { return says_when(cell.text); });
}

std::vector<const ShownRow*> rows_missing(const ShownTable& from, const ShownTable& in) {
  std::vector<const ShownRow*> out;
  std::multiset<std::uint64_t> there;
  for (const ShownRow& row : in.rows) there.insert(row.content);
  for (const ShownRow& row : from.rows)
    if (const auto at = there.find(row.content); at != there.end())
      there.erase(at);
    else
      out.push_back(&row);
  return out;
}

RowPlace row_of(const ScreenData& data, std::size_t widget) {
  for (const ShownTable& t : data.tables)
    for (const ShownRow& row : t.rows)
      if (row.widget <= widget && widget < row.end) return {&t, &row};
  return {};
}

std::optional<std::size_t> touched_menu_check(const History& tree, NodeId node) {
  if (node == tree.root()) return std::nullopt;
  const Screen& menu = tree.screen(tree.parent(node));
  const auto i = is_popup(menu) ? receiver_of(tree.event(tree.event_id(node)), menu) : std::nullopt;
  return i && menu.widgets[*i].is(Flag::checkable) ? i : std::nullopt;
}

std::uint64_t deed_of(const Event& event, const Screen& screen, const ScreenData& data) {
  const auto receiver = receiver_of(event, screen);
  if (receiver)
    if (const RowPlace place = row_of(data, *receiver); place.row)
      return Hasher()
          .add(kind_name(event))
          .add(place.table->name)
          .add(kind_of(screen.widgets[*receiver]))
          .finish();
  const auto role = role_of(event, screen);
  return role ? role->specific : 0;
}

NodeId DataCache::last_visit(NodeId node, std::size_t most) {
  const std::uint64_t page = of(node).page;
  for (std::size_t k = 0; k < most && node != tree_.root(); ++k) {
    node = tree_.parent(node);
    if (of(node).page == page) return node;
  }
  return {};
}

NodeId DataCache::entered(NodeId node) {
  const std::uint64_t page = of(node).page;
  while (node != tree_.root() && of(tree_.parent(node)).page == page) node = tree_.parent(node);
  return node;
}

/// The page of this node after those that lie open before it: one of them, to which it comes back, or a new
/// one.
std::uint32_t DataCache::come_to(std::uint32_t before, NodeId node) {
  const std::uint64_t page = of(node).page;
  for (std::uint32_t k = before;; k = open_[k].on) {
    if (open_[k].page == page) return k;
    if (k == open_[k].on) break;
  }
  open_.push_back({page, node, before});
  return static_cast<std::uint32_t>(open_.size() - 1);
}

const DataCache::OpenPage& DataCache::top(NodeId node) {
  if (open_.empty()) {
    open_.push_back({of(tree_.root()).page, tree_.root(), 0});
    tops_[tree_.root().value] = 0;
  }
  std::vector<NodeId> way;  // down from where it is known
  for (; !tops_.contains(node.value); node = tree_.parent(node)) way.push_back(node);
  std::uint32_t at = tops_.at(node.value);
  for (std::size_t k = way.size(); k-- > 0; tops_[way[k].value] = at) at = come_to(at, way[k]);
  return open_[at];
}

bool DataCache::below(NodeId node, std::uint64_t page) {
  for (const OpenPage* p = &top(node);; p = &open_[p->on]) {
    if (p->page == page) return true;
    if (p == &open_[p->on]) return false;
  }
}

NodeId DataCache::opened(NodeId node) { return top(node).opened; }

std::uint64_t DataCache::opener(NodeId node) { return deed(opened(node)); }

std::string DataCache::about(NodeId node) {
  std::string out;
  for (NodeId n = opened(node); n != tree_.root(); n = opened(tree_.parent(n))) {
    const auto i = receiver_of(tree_.event(tree_.event_id(n)), tree_.screen(tree_.parent(n)));
    if (const RowPlace touched = i ? row_of(of(tree_.parent(n)), *i) : RowPlace{}; touched.row)
      out += std::string(touched.row->title()) + "\n";
  }
  return out;
}

std::uint64_t DataCache::deed(NodeId node) {
  if (node == tree_.root()) return 0;
  const NodeId before = tree_.parent(node);
  return deed_of(tree_.event(tree_.event_id(node)), tree_.screen(before), of(before));
}

namespace {

/// The event into this node touched a check that calls itself showing or hiding something.
bool touched_showing(const History& tree, NodeId node) {
  const Screen& before = tree.screen(tree.parent(node));
  const auto i = receiver_of(tree.event(tree.event_id(node)), before);
  return i && before.widgets[*i].is(Flag::checkable) && says_showing(before, *i);
}

}  // namespace

bool DataCache::chose_what_is_shown(NodeId node) {
  std::vector<NodeId> way;  // up to where it is known
  for (; node != tree_.root() && !checked_.contains(node.value); node = tree_.parent(node))
    way.push_back(node);
  bool checked = node != tree_.root() && checked_.at(node.value);
  for (std::size_t k = way.size(); k-- > 0;) {
    checked = checked || touched_menu_check(tree_, way[k]) || touched_showing(tree_, way[k]);
    checked_[way[k].value] = checked;
  }
  return checked;
}

bool DataCache::of_one_row(NodeId node) {
  if (node == tree_.root()) return true;
  const NodeId before = tree_.parent(node);
  const auto i = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(before));
  const RowPlace place = i ? row_of(of(before), *i) : RowPlace{};
  return !place.row || std::ranges::count(place.table->rows, place.row->title(), &ShownRow::title) == 1;
}

void DataCache::learn_titles() {
  std::unordered_map<std::uint64_t, std::set<std::string>> rows;  // by page
  std::unordered_map<std::uint64_t, std::uint64_t> page_of;       // by page and value
  for (std::uint32_t n = 0; n < tree_.size(); ++n) {
    const ScreenData& here = of({n});
    for (const ShownTable& t : here.tables)
      for (const ShownRow& row : t.rows)
        if (row.title().size() >= telling_row && rows[here.page].size() < rows_kept)
          rows[here.page].emplace(row.title());
    for (const ShownValue& v : here.values) {
      const std::uint64_t slot = Hasher().add(here.page).add(v.name).finish();
      page_of[slot] = here.page;
      if (auto& texts = titles_[slot]; texts.size() <= few_titles) texts.insert(v.text);
    }
  }
  std::erase_if(titles_, [&](const auto& slot) {
    const auto names_a_row = [&](const std::string& text) {
      return std::ranges::any_of(rows[page_of[slot.first]], [&](const std::string& title) {
        return text.find(title) != std::string::npos;
      });
    };
    return slot.second.size() > few_titles || std::ranges::any_of(slot.second, names_a_row);
  });
}

std::uint64_t DataCache::told(NodeId node) {
  if (!std::exchange(titles_learnt_, true)) learn_titles();
  const ScreenData& here = of(node);
  Hasher out;
  for (const ShownValue& v : here.values)
    if (const auto at = titles_.find(Hasher().add(here.page).add(v.name).finish());
        v.kind == ShownValue::Kind::text && at != titles_.end())
      out.add(v.text);
  return out.finish();
}

const ScreenData& DataCache::of(NodeId node) {
  const auto [at, fresh] = known_.try_emplace(tree_.screen_id(node).value);
  if (fresh) at->second = data_of(tree_.screen(node));
  return at->second;
}

}  // namespace norn

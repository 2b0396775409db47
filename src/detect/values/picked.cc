// What a page calls chosen was touched: a text beside a list that comes to name one of its rows ("Tea is
// chosen") names the one that was touched, and so does a row that comes to be marked as selected. Where
// nothing of the list was touched, the row at the place of the one that was chosen before is not chosen
// instead; but a page may begin anew with its first row.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t shortest_pick = 3;  ///< letters of a name: shorter ones are found in anything

class Picked final : public Expectation {
 public:
  Picked(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "picked"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.25}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const NodeId before = tree_.parent(node);
    const ScreenData &was = data_.of(before), &now = data_.of(node);
    if (was.page != now.page || now.popup || tree_.screen(node).kind != Screen::Kind::app) return;
    const Event& event = tree_.event(tree_.event_id(node));
    if (!std::holds_alternative<Tap>(event) && !std::holds_alternative<LongPress>(event)) return;
    const auto receiver = receiver_of(event, tree_.screen(before));
    const RowPlace touched = receiver ? row_of(was, *receiver) : RowPlace{};
    for (const ShownValue& v : now.values)
      if (const ShownRow* row = named_anew(v, was, now);
          row && (touched.row || stands_where(v, *row, was, now)))
        put(node, v.name, *row, touched, out);
    for (const ShownTable& t : now.tables)
      for (const ShownRow& row : t.rows)
        if (row.selected && was_shown(was, t, row) && !was_selected(was, t, row) &&
            (touched.row || (&row != &t.rows.front() && takes_the_place(t, was))))
          put(node, t.name, row, touched, out);
  }

 private:
  /// The only row that this text names, if it said something else before.
  static const ShownRow* named_anew(const ShownValue& v, const ScreenData& was, const ScreenData& now) {
    const ShownValue* old = was.value(v.name);
    return old && old->text != v.text ? named(v, now) : nullptr;
  }
  static const ShownRow* named(const ShownValue& v, const ScreenData& now) {
    if (v.kind != ShownValue::Kind::text) return nullptr;
    const ShownRow* out = nullptr;
    for (const ShownTable& t : now.tables)
      for (const ShownRow& row : t.rows) {
        if (row.title().size() < shortest_pick || v.text.find(row.title()) == std::string::npos) continue;
        if (out) return nullptr;
        out = &row;
      }
    return out;
  }
  /// The row that the text named before stood at the same place: the place was chosen, not the row. What is
  /// there to choose ("next", "play all") chooses another.
  static bool stands_where(const ShownValue& v, const ShownRow& row, const ScreenData& was,
                           const ScreenData& now) {
    const ShownRow* old = named(*was.value(v.name), was);
    return old && place_of(*old, was) == place_of(row, now);
  }
  /// A row that was selected is not any more: what only adds to the selection selects no other instead.
  static bool takes_the_place(const ShownTable& t, const ScreenData& was) {
    const ShownTable* old = was.table(t.name);
    return old && std::ranges::any_of(old->rows, [&](const ShownRow& r) {
             return r.selected && std::ranges::none_of(t.rows, [&](const ShownRow& row) {
                      return row.selected && row.texts == r.texts;
                    });
           });
  }
  static std::size_t place_of(const ShownRow& row, const ScreenData& d) {
    const ShownTable& t = *row_of(d, row.widget).table;
    return static_cast<std::size_t>(&row - t.rows.data());
  }
  /// Else it comes up as it was left: what lay below a row is shown again.
  static bool was_shown(const ScreenData& was, const ShownTable& t, const ShownRow& row) {
    const ShownTable* old = was.table(t.name);
    return !old || std::ranges::any_of(old->rows, [&](const ShownRow& r) {
      return without_signs(r.title()) == without_signs(row.title());
    });
  }
  static bool was_selected(const ScreenData& was, const ShownTable& t, const ShownRow& row) {
    const ShownTable* old = was.table(t.name);
    if (!old) return false;
    const auto at = static_cast<std::size_t>(&row - t.rows.data());
    if (at < old->rows.size() && old->rows[at].selected &&
        (is_same_thing(t, old->rows[at], row) || is_renamed(*old, t, old->rows[at], row)))
      return true;
    return std::ranges::any_of(old->rows,
                               [&](const ShownRow& r) { return r.selected && r.texts == row.texts; });
  }
  /// No row is what this one was, and there are as many, or what stands in its place is called so and more.
  static bool is_renamed(const ShownTable& old, const ShownTable& t, const ShownRow& was,
                         const ShownRow& row) {
    if (std::ranges::find(t.rows, was.texts, &ShownRow::texts) != t.rows.end()) return false;
    return old.rows.size() == t.rows.size() || row.title().starts_with(was.title()) ||
           was.title().starts_with(row.title());
  }
  /// It says something still that no other row says.
  static bool is_same_thing(const ShownTable& t, const ShownRow& was, const ShownRow& row) {
    return std::ranges::any_of(row.cells, [&](const ShownValue& cell) {
      const ShownValue* old = was.cell(cell.name);
      return old && old->text == cell.text &&
             std::ranges::count_if(t.rows, [&](const ShownRow& r) { return r.says(cell.text); }) == 1;
    });
  }

  /// All that the page says beside its lists.
  static std::uint64_t said(const ScreenData& d) {
    Hasher out;
    for (const ShownValue& v : d.values) out.add(v.text);
    return out.finish();
  }

  void put(NodeId node, std::uint64_t by, const ShownRow& row, const RowPlace& touched,
           std::vector<Case>& out) {
    const ScreenData& now = data_.of(node);
    const bool held = touched.row && touched.row->title() == row.title();
    const std::uint64_t what = Hasher().add(now.page).add(by).finish();
    const Event& event = tree_.event(tree_.event_id(node));
    const NodeId before = tree_.parent(node);
    const auto receiver = receiver_of(event, tree_.screen(before));
    const std::uint64_t kind = receiver ? hash_bytes(tree_.screen(before).widgets[*receiver].cls) : 0;
    out.push_back(
        {what, held, Hasher().add(row.title()).add(said(data_.of(before))).finish(), what,
         held ? "" : fmt::format("row \"{}\" is chosen by {}", printable(row.title()), describe(event)), 0,
         Hasher().add(row.title()).finish(), false, kind});
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_picked(const History& tree, DataCache& data) {
  return std::make_unique<Picked>(tree, data);
}

}  // namespace norn

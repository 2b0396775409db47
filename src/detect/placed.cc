// What was added or changed stands where the order of its list has it. A list is in order by one of its cells before a step; the step changes that cell of one row, or brings a new one; it is in order
// then, too. A list in which new rows stand last never meets this, so the order is learnt from rows that were put in their place; a deletion says nothing, nor does what is new
// and stands first or last: folders may stand above files.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

constexpr std::size_t fewest_rows = 3;
constexpr std::size_t longest_placing =
    12;  ///< events since the list was last seen: a form is filled in meanwhile

/// One cell of all rows, in a form that can be compared; nothing where some row lacks it.
struct Column {
  std::vector<std::string> texts;
  std::vector<double> numbers;  ///< empty: compared as texts
};

bool plain_text(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::optional<Column> column_of(const ShownTable& table, std::uint64_t cell) {
  Column out;
  std::string words;
  bool numbers = true;
  for (const ShownRow& row : table.rows) {
    const ShownValue* v = row.cell(cell);
    if (!v || v->kind != ShownValue::Kind::text || !plain_text(v->text)) return std::nullopt;
    const auto all = numbers_in(v->text);
    const std::string beside = words_beside_numbers(v->text);
    if (out.texts.empty()) words = beside;
    numbers = numbers && all.size() == 1 && beside == words;
    if (numbers) out.numbers.push_back(all[0]);
    out.texts.push_back(in_small_letters(v->text));
  }
  if (numbers) return out;
  out.numbers.clear();
  if (!std::ranges::all_of(out.texts, [](const std::string& t) { return t[0] >= 'a' && t[0] <= 'z'; }))
    return std::nullopt;  // where names that are numbers stand is anybody's guess
  return out;
}

bool in_order(const Column& c, bool falling) {
  const auto sorted = [&](const auto& values) {
    return falling ? std::ranges::is_sorted(values, std::ranges::greater{}) : std::ranges::is_sorted(values);
  };
  return c.numbers.empty() ? sorted(c.texts) : sorted(c.numbers);
}

class Placed final : public Expectation {
 public:
  Placed(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "placed"; }
  Learnt learnt() const override { return {.least = 6, .failing = 0.25, .fewest = 2}; }

  bool any_text() const override { return false; }  // another one may belong where it stands

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (node == tree_.root() || now.popup || now.filtered() || data_.checked_in_menu(node)) return;
    const NodeId before = data_.last_visit(node, longest_placing);
    if (!before || data_.of(before).mode != now.mode || !form_between(before, node)) return;
    for (const ShownTable& t : now.tables)
      if (const ShownTable* old = data_.of(before).table(t.name); old && t.rows.size() >= fewest_rows)
        if (const ShownRow* fresh = only_new(node, *old, t)) columns(node, *old, t, *fresh, out);
  }

 private:
  static bool saves(const Screen& screen) {
    for (std::size_t i = 0; i < screen.widgets.size(); ++i)
      if (calls_itself(screen, i, "save")) return true;
    return false;
  }
  /// Something was entered or chosen meanwhile: what changes by itself may be in order by chance.
  bool form_between(NodeId before, NodeId node) {
    for (NodeId n = tree_.parent(node); n != before; n = tree_.parent(n))
      if (data_.of(n).is_form() || saves(tree_.screen(n))) return true;
    return false;
  }
  /// The one row that was changed, or was not there and was entered: what a setting brings to light may come with another order.
  const ShownRow* only_new(NodeId node, const ShownTable& old, const ShownTable& now) const {
    const auto added = rows_missing(now, old), gone = rows_missing(old, now);
    if (added.size() != 1 || gone.size() > 1) return nullptr;
    return gone.size() == 1 || was_typed(tree_, node, added[0]->title()) ? added[0] : nullptr;
  }
  void columns(NodeId node, const ShownTable& old, const ShownTable& now, const ShownRow& fresh,
               std::vector<Case>& out) {
    for (const ShownValue& cell : fresh.cells) {
      const auto was = column_of(old, cell.name), is = column_of(now, cell.name);
      if (!was || !is || was->texts.size() < fewest_rows || was->numbers.empty() != is->numbers.empty())
        continue;
      if (std::ranges::find(was->texts, in_small_letters(cell.text)) != was->texts.end())
        continue;  // as before
      const bool at_an_end = &fresh == &now.rows.front() || &fresh == &now.rows.back();
      for (const bool falling : {false, true})
        if (in_order(*was, falling) &&
            (in_order(*is, falling) || !at_an_end || now.rows.size() == old.rows.size()))
          put(node, now, fresh, cell, in_order(*is, falling), falling, out);
    }
  }
  void put(NodeId node, const ShownTable& t, const ShownRow& fresh, const ShownValue& cell, bool held,
           bool falling, std::vector<Case>& out) {
    const std::uint64_t slot =
        Hasher().add(data_.of(node).page).add(t.name).add(cell.name).add(falling).finish();
    out.push_back({.group = slot,
                   .held = held,
                   .value = Hasher().add(cell.text).add(t.content()).finish(),
                   .wrong = Hasher().add(data_.of(node).page).add(t.name).finish(),
                   .words = held ? ""
                                 : fmt::format("row \"{}\" does not stand where \"{}\" belongs",
                                               printable(fresh.title()), printable(cell.text)),
                   .mode = data_.of(node).mode,
                   .cause = slot});
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_placed(const History& tree, DataCache& data) {
  return std::make_unique<Placed>(tree, data);
}

}  // namespace norn

// What is done to selected rows is done to those. A page shows some of its rows as selected (or checked), but
// not all of them; something that is no row is touched, perhaps a question answered, and rows have gone: they
// must be the selected ones. Learnt by what was touched: what deletes one row, whatever is checked, never
// meets it. What is chosen in a question and is what the row says already changes nothing.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_answer = 4;  ///< events from the touch to the list without those rows

bool is_selected(const ShownRow& row) { return row.selected || is_ticked(row); }

/// Rows by what they say, whether they are selected or not.
std::multiset<std::uint64_t> texts_of(const std::vector<ShownRow>& rows, bool selected_only) {
  std::multiset<std::uint64_t> out;
  for (const ShownRow& row : rows)
    if (!selected_only || is_selected(row)) out.insert(row.texts);
  return out;
}

std::string name_of(const ShownTable& t, std::uint64_t texts) {
  const auto at = std::ranges::find(t.rows, texts, &ShownRow::texts);
  return at == t.rows.end() ? std::string() : printable(at->title());
}

/// Some cell says this, maybe beside something else.
bool says_it(const ShownRow& row, const std::string& text) {
  return std::ranges::any_of(row.cells, [&](const ShownValue& c) { return says_word(c.text, text); });
}

/// A value beside the lists says this now, and did not.
bool comes_to_say(const ScreenData& was, const ScreenData& now, const std::string& text) {
  return !text.empty() && std::ranges::any_of(now.values, [&](const ShownValue& v) {
    const ShownValue* old = was.value(v.name);
    return v.kind == ShownValue::Kind::text && v.text == text && (!old || old->text != text);
  });
}

class Selected final : public Expectation {
 public:
  Selected(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "selected"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.25, .fewest = 2}; }
  bool any_text() const override { return false; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (node == tree_.root() || now.popup) return;
    NodeId after;
    const NodeId before = asked(node, after);
    if (!before) return;
    const ScreenData& was = data_.of(before);
    if (was.chosen != now.chosen || touched_menu_check(tree_, node)) return;  // a part is to be shown
    const auto receiver = receiver_of(tree_.event(tree_.event_id(after)), tree_.screen(before));
    if (!receiver || row_of(was, *receiver).row) return;
    const auto chosen = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(tree_.parent(node)));
    const std::string choice = chosen ? label(tree_.screen(tree_.parent(node)), *chosen) : "";
    if (comes_to_say(was, now, choice)) return;  // a part is shown, and which one
    for (const ShownTable& t : was.tables)
      if (std::ranges::any_of(t.rows,
                              [&](const ShownRow& row) { return is_selected(row) && says_it(row, choice); }))
        continue;  // moved to where it is
      else if (const ShownTable* left = now.table(t.name); t.whole && left && !left->scrolls)
        compare(was, t, *left, deeds(after, node), out);
  }

 private:
  /// The last node on this page, with nothing but menus and questions since; `after` follows it.
  NodeId asked(NodeId node, NodeId& after) {
    const std::uint64_t page = data_.of(node).page;
    after = node;
    for (std::size_t k = 0; k < longest_answer && after != tree_.root(); ++k) {
      const NodeId before = tree_.parent(after);
      if (data_.of(before).page == page) return before;
      if (!data_.of(before).popup) return {};
      after = before;
    }
    return {};
  }
  std::uint64_t deeds(NodeId after, NodeId node) {
    Hasher out;
    for (NodeId n = node;; n = tree_.parent(n)) {
      out.add(data_.deed(n));
      if (n == after) return out.finish();
    }
  }

  void compare(const ScreenData& was, const ShownTable& t, const ShownTable& left, std::uint64_t deeds,
               std::vector<Case>& out) {
    const auto selected = texts_of(t.rows, true);
    if (selected.empty() || selected.size() == t.rows.size()) return;
    auto gone = texts_of(t.rows, false);
    for (const ShownRow& row : left.rows)
      if (const auto at = gone.find(row.texts); at != gone.end()) gone.erase(at);
    if (gone.empty() && std::ranges::any_of(left.rows, is_selected)) return;  // nothing was done to them yet
    const bool held = gone == selected;
    const std::uint64_t list = Hasher().add(was.page).add(t.name).finish();
    const std::uint64_t deed = Hasher().add(list).add(deeds).finish();
    if (held && left.rows.size() >= t.rows.size()) leaves_them_.insert(deed);
    if (gone.empty() && leaves_them_.contains(deed)) return;  // it may have been done to them before
    out.push_back({.group = deed,
                   .held = held,
                   .value = t.content(),
                   .wrong = list,
                   .words = held ? "" : words(t, selected, gone),
                   .cause = was.mode});
  }

  static std::string words(const ShownTable& t, const std::multiset<std::uint64_t>& selected,
                           const std::multiset<std::uint64_t>& gone) {
    const std::string chosen = name_of(t, *selected.begin());
    if (gone.empty())
      return fmt::format("row \"{}\" of {} was selected, and is still there", chosen, selected.size());
    return fmt::format("row \"{}\" of {} was selected, row \"{}\" has gone", chosen, selected.size(),
                       name_of(t, *gone.begin()));
  }

  const History& tree_;
  DataCache& data_;
  std::set<std::uint64_t> leaves_them_;  ///< what changes selected rows and takes none off
};

}  // namespace

std::unique_ptr<Expectation> expect_selected(const History& tree, DataCache& data) {
  return std::make_unique<Selected>(tree, data);
}

}  // namespace norn

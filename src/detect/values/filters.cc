// A list shows what its filter says: where a text beside a list ("Food", a tab, a title) is said by every row
// as a rule, it is said by every row here. A tab that is not the selected one says nothing. Which text filters
// which list is learnt for each text apart; "All" is said by none.
//
// only: a check that calls itself "Only 2026" is set, some rows say 2026 and others do not, and the list stays
// as it was. It stands by itself.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t shortest_filter = 3;

const ShownValue* saying(const ShownRow& row, std::string_view text) {
  const auto at =
      std::ranges::find_if(row.cells, [&](const ShownValue& c) { return says_word(c.text, text); });
  return at == row.cells.end() ? nullptr : &*at;
}

class Filters final : public Expectation {
 public:
  Filters(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "filters"; }
  Learnt learnt() const override { return {.least = 4, .failing = 0.25, .fewest = 2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || tree_.screen(node).kind != Screen::Kind::app) return;
    for (const ShownValue& v : now.values)
      if (v.kind == ShownValue::Kind::text && v.text.size() >= shortest_filter &&
          numbers_in(v.text).empty() && !is_of_unselected(tree_.screen(node), v.widget))
        for (const ShownTable& t : now.tables) look_at(now, v, t, out);
  }

 private:
  static void look_at(const ScreenData& now, const ShownValue& v, const ShownTable& t,
                      std::vector<Case>& out) {
    const ShownRow* first = nullptr;
    const ShownValue* where = nullptr;
    for (const ShownRow& row : t.rows)
      if (const ShownValue* cell = first ? nullptr : saying(row, v.text)) first = &row, where = cell;
    if (!first) return;
    const auto says_otherwise = [&](const ShownRow& row) {  // one that is cut off says nothing
      return !saying(row, v.text) && row.cell(where->name);
    };
    const auto other = std::ranges::find_if(t.rows, says_otherwise);
    const bool held = other == t.rows.end();
    const std::uint64_t list = Hasher().add(now.page).add(t.name).add(v.name).finish();
    out.push_back({.group = Hasher().add(list).add(v.text).finish(),
                   .held = held,
                   .value = t.content(),
                   .wrong = list,
                   .words = held ? ""
                                 : fmt::format("row \"{}\" does not say \"{}\", as the others do",
                                               printable(other->title()), printable(v.text))});
  }

  const History& tree_;
  DataCache& data_;
};

class OnlyThese final : public Expectation {
 public:
  OnlyThese(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "only"; }
  Learnt learnt() const override {
    return {.least = 0, .failing = 1, .failing_least = 0.5, .fewest = 2, .chance = 1};
  }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const ScreenData &was = data_.of(tree_.parent(node)), &now = data_.of(node);
    if (now.popup || was.page != now.page) return;
    for (const ShownValue& v : now.values) {
      const ShownValue* before = was.value(v.name);
      if (v.kind != ShownValue::Kind::check || v.text != "on" || !before || before->text == "on") continue;
      const std::string says = label(tree_.screen(node), v.widget);
      if (!in_small_letters(says).starts_with(begins)) continue;
      for (const ShownTable& t : now.tables)
        if (const ShownTable* all = was.table(t.name)) look_at(now, says, *all, t, out);
    }
  }

 private:
  static constexpr std::string_view begins = "only ";

  static void look_at(const ScreenData& now, const std::string& says, const ShownTable& all,
                      const ShownTable& t, std::vector<Case>& out) {
    const std::string wanted = says.substr(begins.size());
    const auto says_so = [&](const ShownRow& row) { return saying(row, wanted) != nullptr; };
    const auto one = std::ranges::find_if(all.rows, says_so);
    const auto other = std::ranges::find_if(all.rows, [&](const ShownRow& r) {
      return one != all.rows.end() && r.kind == one->kind && !says_so(r);
    });
    if (wanted.size() < shortest_filter || other == all.rows.end()) return;
    const bool held = t.content() != all.content();
    const std::uint64_t list = Hasher().add("only").add(now.page).add(t.name).add(wanted).finish();
    out.push_back({.group = list,
                   .held = held,
                   .value = t.content(),
                   .wrong = list,
                   .words = held ? ""
                                 : fmt::format("\"{}\" is set, and row \"{}\" is listed as before",
                                               printable(says), printable(other->title()))});
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_only(const History& tree, DataCache& data) {
  return std::make_unique<OnlyThese>(tree, data);
}

std::unique_ptr<Expectation> expect_filters(const History& tree, DataCache& data) {
  return std::make_unique<Filters>(tree, data);
}

}  // namespace norn

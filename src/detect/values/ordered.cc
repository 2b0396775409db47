// An order that was chosen is kept. Something was touched, and the same rows stand in another order, by one
// of their cells up or down as they did not before: from then on the list is in that order, whatever is added
// or changed, until the rows are put in another one or the page is left. By which cell a choice sorts is
// learnt: that which holds most often (rivals).
//
// as_texts: nor are numbers sorted as texts, 100 before 20 before 6. That is seen at once when rows are put
// in another order: by the letters of a number they are in order, by the number they are not, and by nothing
// else that they say either. Four different numbers stand so by chance once in a dozen times, so it must be
// seen of several lists. Of lists whose rows say their place ("1.", "2.") it need not be seen that they are put
// in order: if all of them are in the order of one number or of its letters, that is what they are ranked by.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/phrases.h"
#include "detect/values/expectations.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t enough_rows = 3;  ///< fewer are in order by chance
constexpr std::size_t enough_numbers =
    4;  ///< that are different: fewer are sorted by their letters by chance
constexpr std::size_t telling_numbers = 5;   ///< in the order of their letters by chance in 1 list of 60
constexpr std::size_t enough_lists = 8;      ///< by which what a list is ranked by is known
constexpr std::size_t longest_memory = 100;  ///< events between two visits of the page
constexpr std::size_t longest_menu = 4;      ///< events of choosing an order

/// What a list may be sorted by, and which way.
struct Order {
  std::uint64_t cell = 0;
  bool down = false;
};

/// -1, 0, 1: by the numbers, where both begin with one, else by the letters. 0 where capitals decide: whether
/// they stand first is as_coded's.
int compared(std::string_view a, std::string_view b) {
  if (!without_signs(a).empty() && !without_signs(b).empty() && numbers_in(a).empty() &&
      numbers_in(b).empty())
    a = without_signs(a), b = without_signs(b);
  const auto x = numbers_in(a), y = numbers_in(b);
  if (!x.empty() && !y.empty() && words_beside_numbers(a) == words_beside_numbers(b) && x != y)
    return x < y ? -1 : 1;
  const int as_read = std::clamp(in_small_letters(a).compare(in_small_letters(b)), -1, 1);
  return as_read == std::clamp(a.compare(b), -1, 1) ? as_read : 0;
}

/// Some rows are ticked and others are not: that makes kinds of them which are none.
bool has_ticks(const ShownTable& t) {
  return std::ranges::any_of(t.rows, is_ticked) && !std::ranges::all_of(t.rows, is_ticked);
}

/// Whether row i may not stand below the one before it. Rows of another kind (folders) are sorted by
/// themselves.
bool out_of_place(const ShownTable& t, std::size_t i, const Order& order) {
  const ShownValue *before = t.rows[i - 1].cell(order.cell), *here = t.rows[i].cell(order.cell);
  return t.rows[i - 1].kind == t.rows[i].kind && before && here &&
         compared(before->text, here->text) * (order.down ? -1 : 1) > 0;
}

/// The pictures that a text begins with.
std::string_view signs_of(std::string_view text) {
  const std::string_view signs = text.substr(0, text.size() - without_signs(text).size());
  return std::ranges::all_of(signs, [](char c) { return static_cast<unsigned char>(c) < 0x80; })
             ? std::string_view()
             : signs;
}

/// Some say this cell after a picture that others do not have: starred ones may stand first.
bool has_kinds(const ShownTable& t, std::uint64_t cell) {
  return std::ranges::any_of(t.rows, [&](const ShownRow& row) {
    const ShownValue *first = t.rows[0].cell(cell), *v = row.cell(cell);
    return first && v && signs_of(v->text) != signs_of(first->text);
  });
}

/// All rows have the cell, and none is out of place.
bool is_in(const ShownTable& t, const Order& order) {
  for (std::size_t i = 0; i < t.rows.size(); ++i)
    if (!t.rows[i].cell(order.cell) || (i > 0 && out_of_place(t, i, order))) return false;
  return t.rows.size() >= enough_rows;
}

bool same_rows_otherwise(const ShownTable& a, const ShownTable& b) {
  std::vector<std::uint64_t> x, y;
  for (const ShownRow& row : a.rows) x.push_back(row.content);
  for (const ShownRow& row : b.rows) y.push_back(row.content);
  if (x == y) return false;
  std::ranges::sort(x), std::ranges::sort(y);
  return x == y;
}

/// At least half of the rows of either are in both.
bool half_common(const ShownTable& a, const ShownTable& b) {
  const auto common = std::ranges::count_if(a.rows, [&](const ShownRow& row) {
    return std::ranges::find(b.rows, row.texts, &ShownRow::texts) != b.rows.end();
  });
  return 2 * common >= std::max(std::ssize(a.rows), std::ssize(b.rows));
}

/// The same page lists the same rows in another order.
bool reordered(const ScreenData& was, const ScreenData& now) {
  return was.page == now.page && was.tables.size() == 1 && now.tables.size() == 1 &&
         was.tables[0].name == now.tables[0].name && !was.filtered() && !now.filtered() &&
         was.tables[0].rows.size() >= enough_rows && same_rows_otherwise(was.tables[0], now.tables[0]);
}

class Ordered final : public Expectation {
 public:
  Ordered(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "ordered"; }
  Learnt learnt() const override { return {.least = 5, .failing = 0.1, .fewest = 2, .rivals = true}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || now.filtered() || now.tables.size() != 1 || now.tables[0].rows.size() < enough_rows)
      return;
    const Choice chosen = choice(node);
    if (!chosen.after || data_.opened(chosen.after) != data_.opened(node)) return;
    if (chosen_again(chosen, node)) return;
    const ShownTable* then = data_.of(chosen.after).table(now.tables[0].name);
    const ShownTable* before = data_.of(chosen.before).table(now.tables[0].name);
    if (!then || !before || !half_common(*then, now.tables[0])) return;  // another list was put in order
    if (has_ticks(*then)) return;  // by what it was put in order is not clear
    for (const ShownValue& cell : now.tables[0].rows[0].cells)
      for (const bool down : {false, true}) {
        const Order order{cell.name, down};
        if (cell.kind == ShownValue::Kind::text && !has_kinds(now.tables[0], cell.name) &&
            is_in(*then, order) && !is_in(*before, order))
          compare(now, data_.deed(chosen.after), order, out);
      }
  }

 private:
  /// Two visits of a page between which its rows were put in another order, but not one row by itself.
  struct Choice {
    NodeId before, after;
  };

  /// The last one before this node; none.
  Choice choice(NodeId node) {
    std::vector<NodeId> visits;  // of the page, the latest first, as far as they are not known
    NodeId n = node;
    for (; n && !known_.contains(n); n = data_.last_visit(n, longest_memory)) visits.push_back(n);
    Choice last = n ? known_[n] : Choice{};
    for (std::size_t k = visits.size(); k-- > 0;) {
      if (n && reordered(data_.of(n), data_.of(visits[k])))
        last = by_hand(visits[k]) ? Choice{} : Choice{n, visits[k]};
      known_.emplace(visits[k], last);
      n = visits[k];
    }
    return last;
  }
  /// A part of a row was touched, which moved that row, or what moves the selected one: no order was chosen.
  bool by_hand(NodeId node) {
    const NodeId before = tree_.parent(node);
    const auto touched = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(before));
    if (!touched) return false;
    const Screen& screen = tree_.screen(before);
    if (calls_itself(screen, *touched, "move") || calls_itself(screen, *touched, "up") ||
        calls_itself(screen, *touched, "down"))
      return true;
    return data_.of(before).page == data_.of(node).page && row_of(data_.of(before), *touched).row;
  }
  /// Something else was chosen from the same menu since; which order it is may not show in few rows.
  bool chosen_again(const Choice& chosen, NodeId node) {
    const ScreenData& menu = data_.of(tree_.parent(chosen.after));
    for (NodeId n = node; n != chosen.after; n = tree_.parent(n)) {
      const ScreenData& here = data_.of(tree_.parent(n));
      const bool leaves = std::holds_alternative<Key>(tree_.event(tree_.event_id(n)));
      if (here.popup && menu.popup && !leaves &&
          std::ranges::equal(here.values, menu.values, {}, &ShownValue::name, &ShownValue::name) &&
          std::ranges::equal(here.tables, menu.tables, {}, &ShownTable::name, &ShownTable::name))
        return true;
    }
    return false;
  }
  static void compare(const ScreenData& now, std::uint64_t by, const Order& order, std::vector<Case>& out) {
    const ShownTable& t = now.tables[0];
    const bool held = is_in(t, order);
    const std::uint64_t list = Hasher().add(now.page).add(t.name).add(by).finish();
    out.push_back({.group = Hasher().add(list).add(order.cell).add(order.down).finish(),
                   .held = held,
                   .value = t.content(),
                   .wrong = list,
                   .words = held ? "" : first_wrong(t, order)});
  }
  static std::string first_wrong(const ShownTable& t, const Order& order) {
    for (std::size_t i = 1; i < t.rows.size(); ++i)
      if (out_of_place(t, i, order))
        return fmt::format("\"{}\" stands above \"{}\" in the order that was chosen",
                           printable(t.rows[i - 1].cell(order.cell)->text),
                           printable(t.rows[i].cell(order.cell)->text));
    return "a row has nothing to be sorted by in the order that was chosen";
  }

  const History& tree_;
  DataCache& data_;
  std::unordered_map<NodeId, Choice> known_;
};

/// A phrase of a cell from its first digit on, as a program would hold it: without what parts thousands.
/// Empty: the cell has no such phrase, or that has more numbers than one, or one below nought.
std::string number_written(const ShownValue& cell, std::size_t phrase) {
  const auto phrases = phrases_of(cell.text);
  const auto numbers = phrase < phrases.size() ? numbers_in(phrases[phrase]) : std::vector<double>{};
  if (numbers.size() != 1 || numbers[0] < 0) return {};
  std::string out = phrases[phrase].substr(phrases[phrase].find_first_of("0123456789"));
  std::erase(out, ',');
  return out;
}

/// How a number is written in the rows of a list, from the top down; empty: a row has none there, or it is
/// not of the same sort in all of them.
std::vector<std::string> written_numbers(const ShownTable& t, std::uint64_t cell, std::size_t phrase) {
  std::vector<std::string> out;
  for (const ShownRow& row : t.rows) {
    const ShownValue *v = row.cell(cell), *first = t.rows[0].cell(cell);
    if (!v || v->kind != ShownValue::Kind::text || row.kind != t.rows[0].kind) return {};
    out.push_back(number_written(*v, phrase));
    if (out.back().empty() || phrases_of(v->text).size() != phrases_of(first->text).size() ||
        words_beside_numbers(out.back()) != words_beside_numbers(out.front()))
      return {};
  }
  return out;
}

std::size_t different(const ShownTable& t, std::uint64_t cell) {
  std::set<std::string_view> texts;
  for (const ShownRow& row : t.rows)
    if (const ShownValue* v = row.cell(cell)) texts.insert(v->text);
  return texts.size();
}

class SortedAsTexts final : public Expectation {
 public:
  SortedAsTexts(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "as_texts"; }
  /// It stands by itself.
  Learnt learnt() const override {
    return {.least = 0, .failing = 1, .failing_least = 0.2, .fewest = 2, .chance = 1};
  }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup) return;
    for (const ShownTable& t : now.tables)
      if (t.rows.size() >= enough_rows && is_numbered(t)) ranked(now, t, out);
    if (now.tables.size() != 1) return;
    const ShownTable& t = now.tables[0];
    const NodeId before = data_.last_visit(node, longest_menu);
    if (!before || !reordered(data_.of(before), now)) return;
    if (one_row_moved(data_.of(before), now) && by_hand(before, node)) return;
    if (data_.opened(before) != data_.opened(node)) return;  // it is listed as usual again
    for (const ShownValue& cell : t.rows[0].cells)
      for (std::size_t phrase = 0; phrase < phrases_of(cell.text).size(); ++phrase) {
        const auto numbers = written_numbers(t, cell.name, phrase);
        const std::size_t all = std::set(numbers.begin(), numbers.end()).size();
        if (all < enough_numbers) continue;
        out.push_back(judged(now, t, data_.deed(node), cell.name, phrase, numbers));
        if (all < telling_numbers) continue;
        out.push_back(out.back());
        out.back().value = Hasher().add(out.back().value).add("as good as two").finish();
      }
  }

 private:
  /// Each row begins with its place, or with that of the one before it: "1. Ann", "1. Bob", "3. Cem".
  static bool is_numbered(const ShownTable& t) {
    double last = 0;
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
      const auto cell = std::ranges::find(t.rows[k].cells, ShownValue::Kind::text, &ShownValue::kind);
      if (cell == t.rows[k].cells.end() || cell->text.empty() || !is_digit(cell->text[0])) return false;
      const double place = numbers_in(cell->text).front();
      if (place != static_cast<double>(k + 1) && (k == 0 || place != last)) return false;
      last = place;
    }
    return true;
  }
  /// Whatever list of that kind was seen, it stood in the order of this number, or of its letters: then that
  /// is what it is ranked by.
  void ranked(const ScreenData& now, const ShownTable& t, std::vector<Case>& out) {
    for (const ShownValue& cell : t.rows[0].cells)
      for (std::size_t phrase = 0; phrase < phrases_of(cell.text).size(); ++phrase) {
        const auto numbers = written_numbers(t, cell.name, phrase);
        if (std::set(numbers.begin(), numbers.end()).size() < 2) continue;
        Case one = judged(now, t, 0, cell.name, phrase, numbers);
        RankedBy& by = ranked_by_[one.group];
        by.never |= !in_order(numbers) && !in_order_of_letters(numbers);
        if (by.never) continue;
        by.lists.insert(Hasher().add(fmt::format("{}", fmt::join(numbers, " "))).finish());
        one.held = in_order(numbers);
        if (!one.held) one.words = in_letters(numbers);
        if (one.held || by.lists.size() >= enough_lists) out.push_back(std::move(one));
      }
  }
  static bool in_order_of_letters(const std::vector<std::string>& numbers) {
    return std::ranges::is_sorted(numbers) || std::ranges::is_sorted(numbers, std::greater<>());
  }
  static std::string in_letters(const std::vector<std::string>& numbers) {
    return fmt::format("\"{}\" to \"{}\" are sorted by their letters, not as numbers",
                       printable(numbers.front()), printable(numbers.back()));
  }
  /// What was touched first was on a row, which it moved.
  bool by_hand(NodeId before, NodeId node) {
    while (tree_.parent(node) != before) node = tree_.parent(node);
    const auto touched = receiver_of(tree_.event(tree_.event_id(node)), tree_.screen(before));
    return !touched || row_of(data_.of(before), *touched).row;
  }
  /// The rows are in the order of something that they say.
  static bool explained(const ShownTable& t) {
    return std::ranges::any_of(t.rows[0].cells, [&](const ShownValue& cell) {
      return different(t, cell.name) >= enough_rows &&
             (is_in(t, {cell.name, false}) || is_in(t, {cell.name, true}));
    });
  }
  static bool in_order(const std::vector<std::string>& numbers) {
    const auto number = [](const std::string& text) { return numbers_in(text).front(); };
    return std::ranges::is_sorted(numbers, {}, number) ||
           std::ranges::is_sorted(numbers, std::greater<>(), number);
  }
  static Case judged(const ScreenData& now, const ShownTable& t, std::uint64_t by, std::uint64_t cell,
                     std::size_t phrase, const std::vector<std::string>& numbers) {
    const bool held = !in_order_of_letters(numbers) || in_order(numbers) || explained(t);
    const std::uint64_t list = Hasher().add(now.page).add(t.name).finish();
    return {.group = Hasher().add("as texts").add(list).add(by).add(cell).add(phrase).finish(),
            .held = held,
            .value = t.content(),
            .wrong = list,
            .words = held ? "" : in_letters(numbers)};
  }

  struct RankedBy {
    bool never = false;             ///< some list was in neither order
    std::set<std::uint64_t> lists;  ///< of different numbers, all in order
  };

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, RankedBy> ranked_by_;  ///< by list, cell and phrase
};

}  // namespace

std::unique_ptr<Expectation> expect_as_texts(const History& tree, DataCache& data) {
  return std::make_unique<SortedAsTexts>(tree, data);
}

std::unique_ptr<Expectation> expect_ordered(const History& tree, DataCache& data) {
  return std::make_unique<Ordered>(tree, data);
}

}  // namespace norn

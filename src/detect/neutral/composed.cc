// What a page says beside its list decides what the list shows. Two views of it (list_views.h) are chosen one
// after the other, in both orders:
//   order   both are to be seen beside the list then (what is looked for, the chosen tab), whichever came
//           first; it shows the rows that both of them show
//   sorted  one of them sorts the list, and both orders of choosing show the same rows: in that order
//   ignored both are to be seen beside the list; it shows what the second shows, whatever the first
//   gone    after the second the page looks as with the second alone; so the list does
//   closed  a search was closed, and nothing of it is to be seen: the list shows more than what it found
//   letters a name that is looked for in small letters finds what it finds as it is written, and the other way
//           round, also on a page that lists nothing until something is looked for
//   ticks   something is ticked in a row, then the list is shown otherwise and as usual again: it still is
// Which of the two orders is right is no matter of habit: the one that shows what both views have in common.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "base/text.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/places.h"
#include "detect/offers/row_actions.h"

namespace norn {
namespace {

constexpr std::size_t couples_of_a_page = 12, ticks_of_a_page = 4;
constexpr std::size_t names_looked_for = 3;  ///< of each cell, those that lists show most often
constexpr std::size_t letters_of_a_name = 4;

std::multiset<std::uint64_t> in_common(const std::multiset<std::uint64_t>& a,
                                       const std::multiset<std::uint64_t>& b) {
  std::multiset<std::uint64_t> out;
  std::ranges::set_intersection(a, b, std::inserter(out, out.end()));
  return out;
}

/// Two choices of one menu, or two texts for one field: the second takes the place of the first.
bool of_one_control(const ListView& a, const ListView& b) {
  const auto& [x, y] = std::pair(a.there, b.there);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const auto *type = std::get_if<Type>(&x[i]), *other = std::get_if<Type>(&y[i]);
    if (type && other) return type->target.id == other->target.id;
    if (describe(x[i]) != describe(y[i])) return i > 0 && i + 1 == x.size() && i + 1 == y.size();
  }
  return true;
}

class Composing {
 public:
  explicit Composing(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_), views_(c, data_) {}

  std::vector<Pair> all() {
    letters();
    for (const NodeId page : pages_with_lists(tree_, data_)) {
      if (!c_.left()) break;
      auto views = views_.of(page);
      searched_in_views(page, views);
      couples(page, views);
      if (!views.empty()) ticks(page, views);
      for (const ListView& search : views_.left_behind())
        add("closed", "a search was closed, and still decides which rows are listed", page, {},
            joined(search.there, search.back));
    }
    return std::move(out_);
  }

  /// Ticks are lost, and nothing else differs that would say why.
  bool only_ticks_differ(NodeId plain, NodeId other) {
    const ScreenData &a = data_.of(plain), &b = data_.of(other);
    return beside_lists(a) == beside_lists(b) && rows_by_texts(a) == rows_by_texts(b);
  }
  /// The second way lists what the first does not.
  bool lists_more(NodeId plain, NodeId other) {
    const auto few = rows_by_texts(data_.of(plain)), rows = rows_by_texts(data_.of(other));
    return in_common(few, rows) != rows;
  }

 private:
  /// Adds searches for what the other views list: what is looked for in all rows need not be among those.
  void searched_in_views(NodeId page, std::vector<ListView>& views) {
    const auto search = std::ranges::find_if(views, looks);
    if (search == views.end()) return;
    std::vector<ListView> more;
    std::vector<Request> requests;
    for (const ListView& view : views)
      for (const ShownTable& t : data_.of(view.shown).tables) {
        if (looks(view) || t.rows.size() < 2) continue;
        more.push_back(*search);
        std::get<Type>(more.back().there[typing(*search)]).text = query_for(t, t.rows.back());
        requests.push_back({.from = page, .events = c_.replay.intern(more.back().there)});
      }
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    for (std::size_t k = 0; k < more.size(); ++k)
      more[k].shown = outcomes[k].verdict == Verdict::yes ? outcomes[k].end : NodeId{};
    std::erase_if(more, [](const ListView& v) { return !v.shown; });
    views.insert(views.begin(), more.begin(), more.end());
  }
  static bool looks(const ListView& view) { return typing(view) != view.there.size(); }
  /// Which of its events types something.
  static std::size_t typing(const ListView& view) {
    const auto at =
        std::ranges::find_if(view.there, [](const Event& e) { return std::holds_alternative<Type>(e); });
    return static_cast<std::size_t>(at - view.there.begin());
  }

  void couples(NodeId page, const std::vector<ListView>& views) {
    std::vector<std::pair<const ListView*, const ListView*>> both;
    std::vector<Request> requests;
    for (const ListView& a : views)
      for (const ListView& b : views) {
        if (&a >= &b || both.size() >= couples_of_a_page || of_one_control(a, b)) continue;
        both.emplace_back(&a, &b);
        requests.push_back({.from = page, .events = c_.replay.intern(joined(a.there, b.there))});
        requests.push_back({.from = page, .events = c_.replay.intern(joined(b.there, a.there))});
      }
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    for (std::size_t k = 0; k < both.size(); ++k) {
      const Outcome &ab = outcomes[2 * k], &ba = outcomes[2 * k + 1];
      if (ab.verdict != Verdict::yes || ba.verdict != Verdict::yes) continue;
      in_order(page, *both[k].first, *both[k].second, ab.end, ba.end);
      sorted(page, *both[k].first, *both[k].second, ab.end, ba.end);
      sorted(page, *both[k].second, *both[k].first, ba.end, ab.end);
      ignored(page, *both[k].first, *both[k].second, ab.end, ba.end);
      ignored(page, *both[k].second, *both[k].first, ba.end, ab.end);
      gone(page, *both[k].first, *both[k].second, ab.end);
      gone(page, *both[k].second, *both[k].first, ba.end);
    }
  }

  /// Of the rows of the page, those that are listed here: a notice that there is none is no row.
  std::multiset<std::uint64_t> listed(NodeId page, NodeId here) {
    return in_common(rows_by_texts(data_.of(page)), rows_by_texts(data_.of(here)));
  }
  void in_order(NodeId page, const ListView& a, const ListView& b, NodeId ab, NodeId ba) {
    const auto base = beside_lists(data_.of(page)), with_a = beside_lists(data_.of(a.shown)),
               with_b = beside_lists(data_.of(b.shown)), with_both = beside_lists(data_.of(ab));
    if (with_a == base || with_b == base || with_both != beside_lists(data_.of(ba)) || with_both == with_a ||
        with_both == with_b)
      return;
    const auto common = in_common(listed(page, a.shown), listed(page, b.shown));
    const auto first = listed(page, ab), second = listed(page, ba);
    if (common.empty() || first == second || (first != common && second != common)) return;
    const bool right = second == common;
    add("order", "which rows are listed depends on what was chosen first, though all that is chosen is shown",
        page, right ? joined(b.there, a.there) : joined(a.there, b.there),
        right ? joined(a.there, b.there) : joined(b.there, a.there));
  }

  /// The rows of each list that shows what `order` puts in order: all in that order.
  bool follows(NodeId here, NodeId order) {
    for (const ShownTable& t : data_.of(here).tables) {
      const ShownTable* all = data_.of(order).table(t.name);
      if (!all) return false;
      auto at = all->rows.begin();
      for (const ShownRow& row : t.rows) {
        at = std::ranges::find(at, all->rows.end(), row.texts, &ShownRow::texts);
        if (at == all->rows.end()) return false;
        ++at;
      }
    }
    return true;
  }
  /// `order` shows the rows of the page in another order, `part` some of them; `later`: `part` chosen first.
  void sorted(NodeId page, const ListView& order, const ListView& part, NodeId both, NodeId later) {
    const auto all = rows_by_texts(data_.of(page)), rows = rows_by_texts(data_.of(both));
    if (rows_by_texts(data_.of(order.shown)) != all || rows.size() >= all.size() ||
        rows != rows_by_texts(data_.of(later)) ||
        beside_lists(data_.of(both)) != beside_lists(data_.of(later)) || follows(both, order.shown) ||
        !follows(later, order.shown))
      return;
    add("sorted", "a list that was sorted is in another order once a part of it is shown", page,
        joined(part.there, order.there), joined(order.there, part.there));
    out_.back().any_order = false;
  }

  /// All that `part` changes beside the list is to be seen here, too.
  bool is_shown(NodeId page, const ListView& part, NodeId here) {
    const auto base = beside_lists(data_.of(page)), now = beside_lists(data_.of(here));
    std::size_t changed = 0;
    for (const auto& [name, says] : beside_lists(data_.of(part.shown))) {
      const auto was = base.find(name), is = now.find(name);
      if (was != base.end() && was->second == says) continue;
      if (is == now.end() || is->second != says) return false;
      ++changed;
    }
    return changed > 0;
  }
  /// Both are choices of a part, and neither part holds the other: what shows either would show more. A search
  /// may look everywhere.
  void ignored(NodeId page, const ListView& part, const ListView& other, NodeId both, NodeId later) {
    if (looks(part) || looks(other) || !is_shown(page, part, both) || !is_shown(page, other, both)) return;
    const auto all = rows_by_texts(data_.of(page)), wanted = listed(page, part.shown),
               others = listed(page, other.shown), rows = listed(page, both),
               common = in_common(wanted, others);
    if (wanted.size() >= all.size() || others.size() >= all.size() || common.empty() || common == wanted ||
        common == others || rows != others || listed(page, later) != rows)
      return;
    add("ignored", "what was chosen beside a list is shown there and does not decide what is listed", page,
        part.there, joined(part.there, other.there));
    out_.back().agrees = false;
  }

  /// `both`: the second after the first.
  void gone(NodeId page, const ListView& first, const ListView& second, NodeId both) {
    const auto base = beside_lists(data_.of(page)), with_first = beside_lists(data_.of(first.shown)),
               with_second = beside_lists(data_.of(second.shown));
    auto with_both = beside_lists(data_.of(both));
    if (listed(page, both).empty())  // then it may say so
      std::erase_if(with_both,
                    [&](const auto& v) { return !base.contains(v.first) && !with_first.contains(v.first); });
    if (with_first == base || with_first == with_second || with_both != with_second) return;
    const auto wanted = listed(page, second.shown), rows = listed(page, both);
    if (rows == wanted || rows != in_common(listed(page, first.shown), wanted)) return;
    add("gone", "what was chosen before is not shown any more, but still decides which rows are listed", page,
        second.there, joined(first.there, second.there));
  }

  /// The beginnings of names that begin with a capital letter and go on, by the list and cell they stand in:
  /// of each, those that were seen most often first.
  std::vector<std::vector<std::string>> known_names() {
    std::map<std::uint64_t, std::map<std::string, std::size_t>> seen;
    for (std::uint32_t n = 0; n < tree_.size(); ++n)
      if (!data_.of({n}).popup)
        for (const ShownTable& t : data_.of({n}).tables)
          for (const ShownRow& row : t.rows)
            for (const ShownValue& cell : row.cells)
              if (begins_like_a_name(cell.text))
                ++seen[Hasher().add(t.name).add(cell.name).finish()]
                      [first_characters(cell.text, letters_of_a_name)];
    std::vector<std::vector<std::string>> out;
    for (auto& [cell, names] : seen) {
      out.emplace_back();
      for (const auto& [name, times] : names) out.back().push_back(name);
      std::ranges::stable_sort(out.back(), std::greater{},
                               [&](const std::string& name) { return names[name]; });
      out.back().resize(std::min(out.back().size(), names_looked_for));
    }
    std::ranges::stable_sort(out, std::greater{}, &std::vector<std::string>::size);
    return out;
  }
  static bool begins_like_a_name(const std::string& text) {
    return text.size() > letters_of_a_name && text[0] >= 'A' && text[0] <= 'Z' &&
           std::ranges::all_of(text.substr(1, letters_of_a_name - 1),
                               [](char c) { return c >= 'a' && c <= 'z'; });
  }

  /// Pages with one field, which is empty: where they come first on the way into the app.
  void letters() {
    const auto names = known_names();
    std::vector<NodeId> order;
    for (std::uint32_t k = 0; k < tree_.size(); ++k) order.push_back({k});
    std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree_.depth(n); });
    std::set<std::uint64_t> pages;
    for (const NodeId n : order) {
      if (!c_.left()) break;
      const ScreenData& d = data_.of(n);
      if (tree_.crash(n) || d.popup || !stands_upright(tree_.screen(n)) ||
          std::ranges::count(d.values, ShownValue::Kind::field, &ShownValue::kind) != 1)
        continue;
      const ShownValue& field = *std::ranges::find(d.values, ShownValue::Kind::field, &ShownValue::kind);
      if (field.text.empty() && pages.insert(d.page).second)
        for (const auto& of_a_cell : names) in_letters(n, field.widget, of_a_cell);
    }
  }
  void in_letters(NodeId page, std::size_t field, const std::vector<std::string>& names) {
    const Screen& screen = tree_.screen(page);
    std::vector<Request> requests;
    for (const std::string& name : names)
      for (const std::string& text : {name, in_small_letters(name)})
        requests.push_back({.from = page, .events = c_.replay.intern(typed_into(screen, field, text))});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    const auto finding = [&](std::size_t k, const std::string& small) {
      return outcomes[k].verdict == Verdict::yes && finds(page, outcomes[k].end, small);
    };
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string small = in_small_letters(names[k]);
      const bool as_written = finding(2 * k, small);
      if (!as_written && !finding(2 * k + 1, small)) continue;
      const auto& [plain, other] = as_written ? std::tie(names[k], small) : std::tie(small, names[k]);
      add("letters", "a search tells capitals from small letters", page, typed_into(screen, field, plain),
          typed_into(screen, field, other));
      out_.back().reads_as = {plain, other};
      return;
    }
  }
  /// What was looked for changed what is listed, and all that is listed says it, whatever the letters.
  bool finds(NodeId before, NodeId after, const std::string& small) {
    const ScreenData& now = data_.of(after);
    std::size_t rows = 0;
    for (const ShownTable& t : now.tables)
      for (const ShownRow& row : t.rows) {
        if (std::ranges::none_of(row.cells,
                                 [&](const ShownValue& v) { return says_in_any_case(v.text, small); }))
          return false;
        ++rows;
      }
    return rows > 0 && now.page == data_.of(before).page &&
           rows_by_texts(now) != rows_by_texts(data_.of(before));
  }

  void ticks(NodeId page, const std::vector<ListView>& views) {
    std::vector<RowAction> actions = row_actions(c_, data_, page);
    std::erase_if(actions, [](const RowAction& action) { return !action.stays; });
    std::vector<Request> requests;
    for (const RowAction& action : actions)
      requests.push_back({.from = page, .events = c_.replay.intern(action.events)});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    std::size_t ticked = 0;
    for (std::size_t k = 0; k < actions.size() && ticked < ticks_of_a_page; ++k) {
      if (outcomes[k].verdict != Verdict::yes || !ticks_something(page, outcomes[k].end)) continue;
      ++ticked;
      for (const ListView& view : views)
        add("ticks", "showing a list otherwise and as usual again takes ticks away", page, actions[k].events,
            joined(joined(actions[k].events, view.there), view.back));
    }
  }
  /// It ticked rows, and did nothing else to them.
  bool ticks_something(NodeId before, NodeId after) {
    const auto marks = [&](NodeId n) {
      std::size_t out = 0;
      for (const ShownTable& t : data_.of(n).tables)
        for (const ShownRow& row : t.rows)
          out += static_cast<std::size_t>(std::ranges::count_if(row.cells, [](const ShownValue& v) {
            return v.kind == ShownValue::Kind::check && v.text == "on";
          }));
      return out;
    };
    return rows_by_texts(data_.of(before)) == rows_by_texts(data_.of(after)) && marks(after) > marks(before);
  }

  void add(const char* rule, const char* words, NodeId page, std::vector<Event> plain,
           std::vector<Event> other) {
    Pair out{.family = std::string("composed ") + rule,
             .name = words,
             .group = Hasher().add(rule).add(data_.of(page).page).finish(),
             .base = page,
             .plain = std::move(plain),
             .other = std::move(other),
             .agree = {},
             .any_order = true,
             .one_report = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    out_.push_back(std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  ListViews views_;
  std::vector<Pair> out_;
};

}  // namespace

Status try_composed(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  Composing composing(looking);
  NORN_CHECK(in_batches(c, composing.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    if (cut.family == "composed ignored") return composing.lists_more(plain, other);
    return cut.family != "composed ticks" || composing.only_ticks_differ(plain, other);
  });
}

}  // namespace norn

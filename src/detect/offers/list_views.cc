#include "detect/offers/list_views.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/offers/forms.h"
#include "detect/offers/places.h"
#include "detect/pairs.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t menus_of_a_page = 6, buttons_of_a_page = 12, views_of_a_page = 8;
constexpr std::size_t deepest_menu = 3;  ///< menus over one another
constexpr std::size_t rows_looked_for = 3;
constexpr std::size_t query_letters = 4;
constexpr std::size_t backs_of_a_search = 7;  ///< ways that may lead back from it
constexpr std::uint32_t deepest_list = 60;    ///< events before it: longer ones cost much
constexpr std::size_t taps_of_a_drawer = 2;
constexpr std::size_t lists_of_a_page = 2;  ///< inputs for each way in which it was opened

/// Which values and lists a page has, whatever they say.
std::uint64_t layout_of(const ScreenData& d) {
  Hasher out;
  out.add(d.page);
  for (const ShownValue& v : d.values) out.add(v.name);
  for (const ShownTable& t : d.tables) out.add(t.name);
  return out.finish();
}

/// Something is typed on the way.
bool looks_for(const std::vector<Event>& way) {
  return std::ranges::any_of(way, [](const Event& e) { return std::holds_alternative<Type>(e); });
}

/// The button beside a field that begins the search.
std::optional<Event> starting(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    for (const std::string_view word : {"search", "find", "go"})
      if (const Widget& w = screen.widgets[i];
          (accepted_by(w) & (accepts_tap | accepts_text)) == accepts_tap && w.cls.ends_with("Button") &&
          (in_small_letters(w.text) == word || in_small_letters(w.desc) == word))
        return tap_on(screen, i);
  return std::nullopt;
}

}  // namespace

std::map<std::uint64_t, std::string> beside_lists(const ScreenData& d) {
  std::map<std::uint64_t, std::string> out;
  for (const ShownValue& v : d.values)
    out.emplace(v.name, v.kind == ShownValue::Kind::text ? words_beside_numbers(v.text) : v.text);
  return out;
}

std::multiset<std::uint64_t> rows_by_texts(const ScreenData& d) {
  std::multiset<std::uint64_t> out;
  for (const ShownTable& t : d.tables)
    for (const ShownRow& row : t.rows) out.insert(row.texts);
  return out;
}

namespace {

/// No row of the one list is in the other.
bool no_row_in_common(const ScreenData& a, const ScreenData& b) {
  const auto rows = rows_by_texts(b);
  return std::ranges::none_of(rows_by_texts(a), [&](std::uint64_t row) { return rows.contains(row); });
}

/// What is selected on the page, but for its rows: the tabs that are shown. 0: nothing.
std::uint64_t tabs_of(const Screen& screen, const ScreenData& data) {
  Hasher out;
  bool any = false;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if (screen.widgets[i].is(Flag::selected) && !row_of(data, i).row) any = true, out.add(label(screen, i));
  return any ? out.finish() : 0;
}

/// One or two taps, on no row, after which the page lists something else altogether, or another tab is selected.
bool turned_to(const History& tree, DataCache& data, NodeId opened, NodeId n) {
  const bool other_tab = tabs_of(tree.screen(opened), data.of(opened)) != tabs_of(tree.screen(n), data.of(n));
  if (tree.depth(n) - tree.depth(opened) > taps_of_a_drawer ||
      (!other_tab && !no_row_in_common(data.of(opened), data.of(n))))
    return false;
  for (NodeId at = n; at != opened; at = tree.parent(at)) {
    const NodeId before = tree.parent(at);
    const auto i = std::holds_alternative<Tap>(tree.event(tree.event_id(at)))
                       ? receiver_of(tree.event(tree.event_id(at)), tree.screen(before))
                       : std::nullopt;
    if (!i || (before == opened && row_of(data.of(before), *i).row)) return false;
  }
  return true;
}

}  // namespace

namespace {

/// The beginning of a word of this text of which `elsewhere` says that some other row does not say it.
template <class Elsewhere>
std::string telling_word(std::string_view text, Elsewhere lacks) {
  for (std::size_t i = 0; i < text.size();) {
    const auto letter = [&](std::size_t k) {
      return k < text.size() && std::isalnum(static_cast<unsigned char>(text[k])) != 0;
    };
    std::size_t end = i;
    while (letter(end)) ++end;
    const std::string word(text.substr(i, std::min(end - i, query_letters)));
    if (word.size() >= 3 && std::ranges::any_of(lacks.table.rows, [&](const ShownRow& r) {
          return lacks(r, in_small_letters(word));
        }))
      return word;
    i = end + 1;
  }
  return {};
}

struct LacksInTitle {
  const ShownTable& table;
  bool operator()(const ShownRow& row, const std::string& word) const {
    return !says_in_any_case(row.title(), word);
  }
};
struct LacksAnywhere {
  const ShownTable& table;
  bool operator()(const ShownRow& row, const std::string& word) const {
    return std::ranges::none_of(row.cells,
                                [&](const ShownValue& v) { return says_in_any_case(v.text, word); });
  }
};

}  // namespace

std::string query_for(const ShownTable& table, const ShownRow& row) {
  std::string out = telling_word(row.title(), LacksInTitle{table});
  for (std::size_t k = 0; out.empty() && k < row.cells.size(); ++k)
    if (row.cells[k].kind == ShownValue::Kind::text)
      out = telling_word(row.cells[k].text, LacksAnywhere{table});
  return out;
}

std::vector<NodeId> pages_with_lists(const History& tree, DataCache& data) {
  std::vector<NodeId> order;
  for (std::uint32_t k = 0; k < tree.size(); ++k)
    if (const NodeId n{k};
        !tree.crash(n) && tree.depth(n) <= deepest_list && stands_upright(tree.screen(n)) &&
        !data.of(n).popup && !swiped(tree, n) &&
        std::ranges::any_of(data.of(n).tables, [](const ShownTable& t) { return t.rows.size() >= 2; }))
      order.push_back(n);
  std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree.depth(n); });
  std::map<std::uint64_t, std::size_t> taken;
  std::set<std::uint64_t> seen;
  std::array<std::vector<NodeId>, lists_of_a_page> rounds;
  for (const NodeId n : order) {
    if (!seen.insert(tree.key(n)).second) continue;
    const std::uint64_t kind = Hasher()
                                   .add(layout_of(data.of(n)))
                                   .add(tabs_of(tree.screen(n), data.of(n)))
                                   .add(data.opener(n))
                                   .finish();
    if (const std::size_t round = taken[kind]++; round < rounds.size()) rounds[round].push_back(n);
  }
  std::vector<NodeId> out;
  for (const auto& round : rounds) out.insert(out.end(), round.begin(), round.end());
  return out;
}

std::vector<NodeId> untouched_lists(const History& tree, DataCache& data) {
  std::set<std::uint64_t> known;
  std::vector<NodeId> out = pages_with_lists(tree, data);
  std::erase_if(out, [&](NodeId n) {
    const NodeId opened = data.opened(n);
    if (n != opened && !turned_to(tree, data, opened, n)) return true;
    const std::string turning = n == opened ? "" : describe(tree.event(tree.event_id(n)));
    return !known.insert(Hasher().add(layout_of(data.of(n))).add(turning).finish()).second;
  });
  return out;
}

ListViews::ListViews(OracleContext& c, DataCache& data) : c_(c), tree_(c.replay.history()), data_(data) {
  learn_menus();
}

/// What opens menus and choices on a page, not on one of its rows.
void ListViews::learn_menus() {
  std::set<std::uint64_t> seen;
  for (std::uint32_t k = 1; k < tree_.size(); ++k) {
    const NodeId menu{k};
    if (tree_.crash(menu) || !data_.of(menu).popup || data_.of(menu).has_field()) continue;
    NodeId page = menu;
    Hasher way;
    for (std::size_t deep = 0; deep <= deepest_menu && page != tree_.root() && data_.of(page).popup; ++deep)
      way.add(data_.deed(page)), page = tree_.parent(page);
    if (data_.of(page).popup || !stands_upright(tree_.screen(page))) continue;
    auto open = tree_.events_to(menu);
    open.erase(open.begin(), open.begin() + tree_.depth(page));
    const auto touched = receiver_of(open.front(), tree_.screen(page));
    if (open.size() > deepest_menu || (touched && row_of(data_.of(page), *touched).row)) continue;
    auto& known = menus_[data_.of(page).page];
    if (known.size() < menus_of_a_page && seen.insert(way.add(data_.of(page).page).finish()).second)
      known.push_back(std::move(open));
  }
}

/// The same rows in another order, or some of them.
bool ListViews::shows_otherwise(NodeId page, NodeId other) {
  const ScreenData &was = data_.of(page), &now = data_.of(other);
  if (now.page != was.page || !stands_upright(tree_.screen(other))) return false;
  return std::ranges::any_of(was.tables, [&](const ShownTable& t) {
    const ShownTable* shown = now.table(t.name);
    return shown && !shown->rows.empty() && shown->rows.size() <= t.rows.size() &&
           shown->content() != t.content() && std::ranges::all_of(shown->rows, [&](const ShownRow& r) {
             return std::ranges::any_of(t.rows, [&](const ShownRow& old) { return old.texts == r.texts; });
           });
  });
}

void ListViews::entries(NodeId page, const std::vector<Event>& open, std::vector<Candidate>& out) {
  const Outcome o = c_.replay.ask({.from = page, .events = c_.replay.intern(open)}, c_.stop);
  if (o.verdict != Verdict::yes || !data_.of(o.end).popup) return;
  const Screen& menu = tree_.screen(o.end);
  std::vector<std::vector<Event>> ways, backs;
  for (const Event& entry : entries_of(menu)) {
    const auto i = receiver_of(entry, menu);
    ways.push_back(joined(open, {entry}));
    if (backs.empty() || (i && menu.widgets[*i].is(Flag::checked))) backs = {ways.back()};
  }
  for (const auto& way : ways) out.push_back({way, {way, backs.front(), ways.back()}});
}

void ListViews::buttons(NodeId page, std::vector<Candidate>& out) {
  const Screen& screen = tree_.screen(page);
  std::vector<std::vector<Event>> taps;
  std::vector<Request> requests;
  std::vector<Event> selected;
  for (std::size_t i = 0; i < screen.widgets.size() && taps.size() < buttons_of_a_page; ++i) {
    const Widget& w = screen.widgets[i];
    if ((accepted_by(w) & (accepts_tap | accepts_text)) != accepts_tap || row_of(data_.of(page), i).row)
      continue;
    if (w.is(Flag::selected) || w.is(Flag::checked)) selected = {tap_on(screen, i)};
    taps.push_back({tap_on(screen, i)});
    requests.push_back({.from = page, .events = c_.replay.intern(taps.back())});
  }
  const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
  for (std::size_t k = 0; k < taps.size(); ++k) {
    if (outcomes[k].verdict != Verdict::yes || data_.of(outcomes[k].end).page != data_.of(page).page)
      continue;
    out.push_back({taps[k], {taps[k], selected.empty() ? taps[k] : selected}});
    if (!data_.of(page).has_field())  // a field may have come up
      searches(page, tree_.screen(outcomes[k].end), taps[k], {{Key{key::back}}, taps[k]}, out);
  }
}

/// Fields beside the lists, with what some of their rows say. `before` brings the field up, `after` may close
/// it.
void ListViews::searches(NodeId page, const Screen& screen, const std::vector<Event>& before,
                         const std::vector<std::vector<Event>>& after, std::vector<Candidate>& out) {
  const auto start = starting(screen);
  for (const ShownValue& v : data_of(screen).values) {
    if (v.kind != ShownValue::Kind::field || (accepted_by(screen.widgets[v.widget]) & accepts_text) == 0)
      continue;
    const auto emptied = typed_into(screen, v.widget, v.text);
    for (const ShownTable& t : data_.of(page).tables)
      for (std::size_t k = t.rows.size(), tried = 0; k-- > 1 && tried < rows_looked_for;) {
        const std::string query = query_for(t, t.rows[k]);
        if (query.empty()) continue;
        Candidate found{joined(before, typed_into(screen, v.widget, query)), {}};
        for (const auto& close : after)
          found.backs.push_back(close), found.backs.push_back(joined(emptied, close));
        if (after.empty()) found.backs.push_back(emptied);
        out.push_back(std::move(found)), ++tried;
        if (start) out.push_back({joined(out.back().there, {*start}), {joined(emptied, {*start})}});
      }
  }
}

/// Something was looked for, and all is as before but the list, which shows what was found.
bool ListViews::left_filtered(NodeId page, const std::vector<Event>& search, NodeId found, NodeId after) {
  const auto rows = rows_by_texts(data_.of(after));
  return looks_for(search) && beside_lists(data_.of(page)) == beside_lists(data_.of(after)) &&
         rows != rows_by_texts(data_.of(page)) && rows == rows_by_texts(data_.of(found));
}

/// What came up with a search may end it.
void ListViews::add_what_closes(NodeId page, NodeId found, Candidate& search) {
  if (!looks_for(search.there)) return;
  const Screen& screen = tree_.screen(found);
  for (const std::size_t i : came_up(tree_.screen(page), screen))
    if ((accepted_by(screen.widgets[i]) & accepts_text) == 0 && !row_of(data_.of(found), i).row &&
        search.backs.size() < backs_of_a_search)
      search.backs.push_back({tap_on(screen, i)});
}

std::vector<ListView> ListViews::of(NodeId page) {
  const std::uint64_t layout =
      Hasher().add(layout_of(data_.of(page))).add(tabs_of(tree_.screen(page), data_.of(page))).finish();
  left_behind_.clear();
  if (without_.contains(layout)) return {};
  std::vector<Candidate> all;
  if (const auto known = menus_.find(data_.of(page).page); known != menus_.end())
    for (const auto& open : known->second) entries(page, open, all);
  buttons(page, all);
  searches(page, tree_.screen(page), {}, {}, all);
  std::vector<Request> requests;
  for (const Candidate& v : all) requests.push_back({.from = page, .events = c_.replay.intern(v.there)});
  const auto there = c_.replay.ask(requests, Until::all, c_.stop);
  std::vector<std::size_t> open;  // candidates without a way back yet
  std::set<std::uint64_t> looks;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (there[k].verdict == Verdict::yes && shows_otherwise(page, there[k].end) &&
        looks.insert(tree_.key(there[k].end)).second)
      open.push_back(k), add_what_closes(page, there[k].end, all[k]);
  std::vector<ListView> out;
  for (std::size_t way = 0; !open.empty() && out.size() < views_of_a_page && c_.left(); ++way) {
    std::erase_if(open, [&](std::size_t k) { return way >= all[k].backs.size(); });
    std::vector<Request> backs;
    for (const std::size_t k : open)
      backs.push_back({.from = page, .events = c_.replay.intern(joined(all[k].there, all[k].backs[way]))});
    const auto ends = c_.replay.ask(backs, Until::all, c_.stop);
    std::vector<std::size_t> still;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::size_t k = open[i];
      const ListView view{all[k].there, all[k].backs[way], there[k].end};
      const bool ran = ends[i].verdict == Verdict::yes;
      if (ran && alike(tree_.screen(ends[i].end), tree_.screen(page)))
        out.push_back(view);
      else
        still.push_back(k);
      if (ran && left_filtered(page, view.there, view.shown, ends[i].end)) left_behind_.push_back(view);
    }
    open = std::move(still);
  }
  out.resize(std::min(out.size(), views_of_a_page));
  if (out.empty() && c_.left()) without_.insert(layout);
  return out;
}

}  // namespace norn

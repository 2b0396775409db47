// What nobody sees should not matter for long. Two inputs show the same page: the same title, the same fields
// with the same texts, the same tab; only what its lists hold differs. Either the data differ, or one of them
// still obeys something that is not on the screen any more: a filter that outlived its tab, a selection of
// another page.
//
// To tell: after the second input let the process die, start the app afresh (its data stay) and go the first
// input's way. What depends on data is still there; what depended on hidden state is not.
#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "detect/contradicted.h"
#include "detect/offers/places.h"
#include "detect/pairs.h"
#include "detect/reading/data.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t hidden_batch = 12;
constexpr double contradictions_share = 0.25;  ///< of the time
constexpr std::uint32_t longest_gone = 6;      ///< of the input that is gone again: longer ones rarely arrive

bool has_page(const History& tree, NodeId node) {
  const Screen& screen = tree.screen(node);
  return !tree.crash(node) && screen.kind == Screen::Kind::app && screen.rotation == 0 && !is_popup(screen) &&
         std::ranges::any_of(screen.widgets, is_list);
}

/// Nodes that show the same page, reached by the same event: the shallowest of each content, shallow ones
/// first.
struct Page {
  std::vector<NodeId> nodes;
  NodeId straight{};        ///< one to which its way leads
  std::uint64_t looks = 0;  ///< what it shows beside its lists, and what was touched last
  std::vector<Event> way;   ///< from the first screen, straight
};

/// It goes straight there: no page is left and come back to. Who comes back has been somewhere else, and did
/// something there.
bool straight(const History& tree, NodeId node) {
  std::set<std::string> left;
  std::string at = tree.screen(tree.root()).activity;
  for (const NodeId n : tree.path(node)) {
    const std::string& next = tree.screen(n).activity;
    if (next == at) continue;
    left.insert(std::exchange(at, next));
    if (left.contains(at)) return false;
  }
  return true;
}

/// What the last event did to which widget; 0: it was none that a widget received.
std::uint64_t last_role(const History& tree, NodeId node) {
  if (node == tree.root()) return 0;
  const Event& event = tree.event(tree.event_id(node));
  const auto role = role_of(event, tree.screen(tree.parent(node)));
  return role && target_of(event) ? role->specific : 0;
}

/// The first text of the page it was reached from. "foo" below "foo" is another page than "foo", though both
/// look alike.
std::string reached_from(const History& tree, NodeId node) {
  for (const ScreenData before = data_of(tree.screen(tree.parent(node))); const ShownValue& v : before.values)
    if (v.kind == ShownValue::Kind::text &&
        (accepted_by(tree.screen(tree.parent(node)).widgets[v.widget])) == 0)
      return v.text;
  return {};
}

/// Going there only opens pages: no row is selected or held on the way, and none is touched on a page that
/// stays.
bool only_goes_there(const History& tree, NodeId node) {
  return std::ranges::all_of(tree.path(node), [&](NodeId n) {
    if (n == tree.root()) return true;
    const Event& event = tree.event(tree.event_id(n));
    const Screen &before = tree.screen(tree.parent(n)), &after = tree.screen(n);
    const auto i = receiver_of(event, before);
    const bool in_a_row = i && !is_popup(before) && row_of(data_of(before), *i).row;
    return std::holds_alternative<Key>(event) ||
           (std::holds_alternative<Tap>(event) && !(in_a_row && before.activity == after.activity));
  });
}

/// A page that was only reached by doing something before (searching) is the one that looks the same and has
/// a way, if there is but one.
void join_those_without_a_way(std::vector<Page>& pages) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> with_a_way;
  for (std::size_t i = 1; i < pages.size(); ++i)
    if (!pages[i].way.empty()) with_a_way[pages[i].looks].push_back(i);
  for (std::size_t i = 1; i < pages.size(); ++i) {
    const auto at = with_a_way.find(pages[i].looks);
    if (!pages[i].way.empty() || at == with_a_way.end() || at->second.size() != 1) continue;
    auto& nodes = pages[at->second.front()].nodes;
    nodes.insert(nodes.end(), pages[i].nodes.begin(), pages[i].nodes.end());
  }
}

std::vector<Page> pages_of(const History& tree) {
  std::vector<NodeId> order;
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (has_page(tree, {n})) order.push_back({n});
  std::ranges::stable_sort(order, {}, [&](NodeId n) { return tree.depth(n); });
  DataCache data(tree);
  std::unordered_map<std::uint64_t, std::size_t> index;
  std::set<std::uint64_t> contents;
  std::vector<Page> out(1);  // the first: whatever the app's first activity shows; starting it is the way
  const auto put = [&](std::size_t page, NodeId n) {
    const bool other = contents.insert(Hasher().add(page).add(tree.key(n)).finish()).second;
    if (other && (out[page].nodes.empty() || undisturbed(tree, n))) out[page].nodes.push_back(n);
  };
  for (const NodeId n : order) {
    if (tree.screen(n).activity == tree.screen(tree.root()).activity) put(0, n);
    const std::uint64_t last = last_role(tree, n);
    if (last == 0) continue;
    const std::uint64_t looks = Hasher().add(fixtures_shown(tree.screen(n))).add(last).finish();
    const std::uint64_t page = Hasher().add(looks).add(reached_from(tree, n)).add(data.about(n)).finish();
    const auto [at, fresh] = index.try_emplace(page, out.size());
    if (fresh) out.push_back({.nodes = {}, .straight = {}, .looks = looks, .way = {}});
    if (Page& p = out[at->second];
        p.way.empty() && straight(tree, n) && !tree.screen(n).keyboard && only_goes_there(tree, n))
      p.straight = n, p.way = tree.events_to(n);
    put(at->second, n);
  }
  join_those_without_a_way(out);
  const auto no_way = [&](const Page& p) { return p.way.empty() && &p != out.data(); };
  std::vector<Page> usable;
  for (Page& p : out)
    if (p.nodes.size() >= 2 && p.way.size() <= longest_gone && !no_way(p)) usable.push_back(std::move(p));
  return usable;
}

std::vector<Event> start_afresh(const History& tree) {
  const Screen& first = tree.screen(tree.root());
  return {System{"kill", {}}, Launch{}, Launch{first.package, first.activity}};
}

/// Both ways end on the page, without a keyboard; `group` is its number.
Pair afresh(const History& tree, NodeId node, const Page& page, std::uint64_t group) {
  const std::vector<Event> close(tree.screen(node).keyboard ? 1 : 0, Key{key::back});
  Pair out{.family = "hidden",
           .name = "the same page, reached afresh with the same data, shows something else",
           .group = group,
           .base = node,
           .plain = close,
           .other = joined(joined(close, start_afresh(tree)), page.way),
           .agree = {},
           .same_page = true,
           .any_order = true};  // an order that was chosen is nowhere on the screen, and need not be
  out.agree = {{close.size(), out.other.size()}};
  return out;
}

/// Going the page's way leaves the first screen as it was: it only looks.
Pair looks_only(const History& tree, const Page& page, std::uint64_t group) {
  const auto start = start_afresh(tree);
  auto way = joined(page.way, start);
  const std::size_t steps = way.size();
  return {"looks", "", group, tree.root(), start, std::move(way), {{start.size(), steps}}};
}

/// Whatever was listed is still there, perhaps otherwise, and perhaps more is. A row that is gone after a
/// fresh start was never stored: it was loaded, and would have to be loaded again. A list that scrolls shows
/// a part, and one row that cannot be touched is a notice that there is none: another notice says nothing.
bool keeps_all_rows(const ScreenData& before, const ScreenData& afresh) {
  const auto lists = [](const ShownTable* t) { return t && !t->rows.empty() && !t->is_notice(); };
  return std::ranges::all_of(before.tables, [&](const ShownTable& t) {
    const ShownTable* now = afresh.table(t.name);
    const auto still_there = [&](const ShownRow& row) {
      return std::ranges::any_of(now->rows, [&](const ShownRow& r) { return r.title() == row.title(); });
    };
    if (!lists(&t)) return lists(now) || t.content() == (now ? now->content() : ShownTable{}.content());
    return lists(now) && (!t.whole || !now->whole || std::ranges::all_of(t.rows, still_there));
  });
}

/// Lists that hold more than they show, and show some of the same rows: they stand elsewhere, or are in another
/// order. Nothing else differs.
bool only_another_part_shows(const ScreenData& before, const ScreenData& afresh) {
  const auto without = [](ScreenData d, const ScreenData& other) {
    std::erase_if(d.tables, [&](const ShownTable& t) {
      const ShownTable* there = other.table(t.name);
      return there && !t.whole && !there->whole && std::ranges::any_of(t.rows, [&](const ShownRow& row) {
               return std::ranges::find(there->rows, row.title(), &ShownRow::title) != there->rows.end();
             });
    });
    return d;
  };
  return same_in_any_order(without(before, afresh), without(afresh, before));
}

/// Rows are ticked that were not, or the other way round, and nothing else differs: that can be seen.
bool only_ticks_differ(const ScreenData& before, const ScreenData& afresh) {
  const auto but_ticks = [](const ScreenData& d) {
    std::multiset<std::pair<std::uint64_t, std::string>> out;
    const auto add = [&](const ShownValue& v) {
      if (v.kind != ShownValue::Kind::check) out.emplace(v.name, v.text);
    };
    std::ranges::for_each(d.values, add);
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows) std::ranges::for_each(row.cells, add);
    return out;
  };
  return contents_of(before) != contents_of(afresh) && but_ticks(before) == but_ticks(afresh);
}

/// Pages whose way leads to them again and changes nothing.
Result<std::vector<Page>> reliable(OracleContext& c, std::vector<Page> pages) {
  const History& tree = c.replay.history();
  Pairs again(c, "hidden"), looks(c, "hidden");
  for (std::size_t k = 0; k < pages.size() && c.left(); k += hidden_batch) {
    std::vector<Pair> back, unchanged;
    for (std::size_t i = k; i < std::min(pages.size(), k + hidden_batch); ++i) {
      if (pages[i].way.empty()) continue;
      back.push_back(afresh(tree, pages[i].straight, pages[i], i));
      unchanged.push_back(looks_only(tree, pages[i], i));
    }
    NORN_CHECK(again.attempt(std::move(back)));
    NORN_CHECK(looks.attempt(std::move(unchanged)));
  }
  std::vector<Page> out;
  for (std::size_t i = 0; i < pages.size(); ++i)
    if (pages[i].way.empty() || (again.tally(i).held > 0 && looks.tally(i).held > 0))
      out.push_back(std::move(pages[i]));
  return out;
}

/// A check of a menu that was set on the way still shows: who opens the menu sees what the page obeys.
bool shown_in_a_menu(OracleContext& c, NodeId node) {
  const History& tree = c.replay.history();
  for (const NodeId n : tree.path(node)) {
    const auto before = touched_menu_check(tree, n);
    if (!before || tree.parent(n) == tree.root()) continue;
    const NodeId menu = tree.parent(n);
    const Event& chosen = tree.event(tree.event_id(n));
    const Outcome o =
        c.replay.ask({.from = node, .events = {c.replay.intern(tree.event(tree.event_id(menu)))}}, c.stop);
    const auto now = o.verdict == Verdict::yes ? receiver_of(chosen, tree.screen(o.end)) : std::nullopt;
    if (now && tree.screen(o.end).widgets[*now].is(Flag::checked) !=
                   tree.screen(menu).widgets[*before].is(Flag::checked))
      return true;
  }
  return false;
}

}  // namespace

Status hidden_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  OracleContext part{c.replay, c.groups, c.options, c.stop, c.out, c.until};
  if (std::isfinite(c.replay.left())) part.until += (1 - contradictions_share) * (c.replay.left() - c.until);
  NORN_CHECK(contradictions(part));
  Pairs pairs(c, "hidden");
  NORN_TRY(const std::vector<Page> pages, reliable(c, pages_of(tree)));
  std::size_t longest = 0;
  for (const Page& p : pages) longest = std::max(longest, p.nodes.size());
  for (std::size_t round = 0; round < longest && c.left(); ++round)
    for (std::size_t k = 0; k < pages.size() && c.left(); k += hidden_batch) {
      std::vector<Pair> batch;
      for (std::size_t i = k; i < std::min(pages.size(), k + hidden_batch); ++i)
        if (round < pages[i].nodes.size()) batch.push_back(afresh(tree, pages[i].nodes[round], pages[i], i));
      NORN_CHECK(pairs.attempt(std::move(batch)));
    }
  return pairs.report(Habit::held_once, [&](const Pair& cut, NodeId before, NodeId afresh) {
    const ScreenData was = data_of(tree.screen(before)), is = data_of(tree.screen(afresh));
    return keeps_all_rows(was, is) && !only_ticks_differ(was, is) && !only_another_part_shows(was, is) &&
           !shown_in_a_menu(c, cut.base);
  });
}

}  // namespace norn

// What should change nothing changes nothing.
//
//   system    rotating and back, Home and return, the process dying and coming back, closing the keyboard. A screen that never
//             keeps its state there (a menu, a dialog) is left alone: listed is what is kept in one state and lost in another. A further event
//             on both ways shows what was forgotten behind the screen.
//   controls  a switch, a choice or a button that names its own state, until it is as it was: then so is the rest, here and
//             on the pages it opens and on the screens below (Back). Meant for settings; whatever else behaves like one takes part.
//   undo      a widget that calls itself Undo brings back the last screen of that kind before the undone action. Which actions can be
//             undone is learnt where nothing else could have been.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/data.h"
#include "detect/pairs.h"
#include "detect/places.h"
#include "detect/remembered.h"
#include "gui/difference.h"
#include "gui/popup.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t batch_size = 12;          ///< pairs run at once
constexpr std::size_t controls_per_screen = 6;  ///< more are settings of one kind
constexpr std::size_t taps_of_a_cycle = 4;      ///< a button with more states than this is not followed round
constexpr std::size_t screens_ahead = 3;        ///< pages opened from there on which they are looked for
constexpr std::size_t pages_of_an_entry = 4;    ///< on which an entry of a menu is tried
constexpr std::size_t screens_below = 2;        ///< how far back the traces of a control are looked for

std::uint64_t group(std::string_view name, LayoutId layout) {
  return Hasher().add(name).add(layout.value).finish();
}

// --- system ----------------------------------------------------------------------------------------------

/// Events that are known on this layout and possible here; `elsewhere`: those that open another page, not one that lies below.
std::vector<Event> known_events(OracleContext& c, LayoutId layout, NodeId node, bool elsewhere) {
  const History& tree = c.replay.history();
  std::set<std::string> below;
  for (const NodeId n : tree.path(node)) below.insert(tree.screen(n).activity);
  below.insert(tree.screen(tree.root()).activity);
  std::vector<Event> out;
  for (const std::uint64_t key : c.groups.of(layout)) {
    const Group& group = c.groups.all().at(key);
    const Screen& after = tree.screen(group.behaviours.front().after);
    if (!std::holds_alternative<Tap>(group.event) || after.kind != Screen::Kind::app) continue;
    if (elsewhere && below.contains(after.activity)) continue;
    if (const auto here = in_role(group.event, group.role, tree.screen(node)); !here.empty())
      out.push_back(here.front());
  }
  return out;
}

/// `then` is done on both ways after it, if there is one: what was forgotten may show only then.
Pair nothing_but(const std::string& name, NodeId base, std::uint64_t page, std::vector<Event> events,
                 const Event* then) {
  const std::size_t n = events.size();
  Pair out{.family = "system",
           .name = name + " changes what is shown",
           .group = Hasher().add(name).add(page).finish(),
           .base = base,
           .plain = {},
           .other = std::move(events),
           .agree = {{0, n}}};
  if (then) {
    out.plain.push_back(*then), out.other.push_back(*then);
    out.agree.emplace_back(1, n + 1);
  }
  return out;
}

std::vector<Pair> system_pairs(OracleContext& c, DataCache& data, LayoutId layout, NodeId node,
                               std::size_t round) {
  const Screen& screen = c.replay.history().screen(node);
  const std::uint64_t page = data.of(node).page;
  std::vector<Pair> out;
  if (screen.keyboard) return out;  // what it hides comes and goes with it
  const auto known = known_events(c, layout, node, false);
  const Event* then = known.empty() ? nullptr : &known[round % known.size()];
  out.push_back(nothing_but("rotating and back", node, page,
                            {Rotate{1 - screen.rotation % 2}, Rotate{screen.rotation}}, then));
  out.push_back(nothing_but("Home and return", node, page, {Key{key::home}, Launch{}}, then));
  out.push_back(
      nothing_but("the process dying and coming back", node, page, {System{"kill", {}}, Launch{}}, then));
  const bool telling = !changed_since_opened(data, c.replay.history(), node).empty();
  for (Pair& p : out) p.telling = telling;
  return out;
}

/// It shows at once, not only after a further event.
bool is_loss(const Pair& cut) {
  return std::ranges::all_of(cut.plain, [](const Event& e) { return std::holds_alternative<Wait>(e); });
}

/// The process died: what it had not stored is lost everywhere, so that alone is no finding.
bool kills(const Pair& pair) {
  return std::ranges::any_of(pair.other, [](const Event& e) { return std::holds_alternative<System>(e); });
}

/// Screens that rotation or a dying process empties are many in some apps, and seldom what one looks for: one report lists them. What
/// shows only after a further event is more than a loss and stays a report of its own.
void list_losses(std::vector<Report>& reports, std::size_t first) {
  std::optional<std::size_t> list;
  for (std::size_t i = first; i < reports.size();) {
    Report& r = reports[i];
    const bool loss = r.normal.size() + 2 == r.deviant.size();
    if (loss) r.kind = losses;
    if (!loss || !list) {
      if (loss) list = i;
      ++i;
      continue;
    }
    reports[*list].more.push_back({std::move(r.words), std::move(r.place), std::move(r.normal),
                                   std::move(r.deviant), std::move(r.expected), std::move(r.seen)});
    reports.erase(reports.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// --- controls --------------------------------------------------------------------------------------------

/// A target that finds the widget whatever it says now.
Target unlabelled(const Screen& screen, std::size_t i) {
  const Widget& w = screen.widgets[i];
  Target t{
      .cls = w.cls, .id = w.id, .label = {}, .path = w.id.empty() ? path_of(screen, i) : "", .ordinal = {}};
  if (w.id.empty()) return t;
  std::int32_t before = 0, all = 0;
  for (std::size_t k = 0; k < screen.widgets.size(); ++k)
    if (screen.widgets[k].id == w.id && screen.widgets[k].cls == w.cls) before += k < i, ++all;
  if (all > 1) t.ordinal = before;
  return t;
}

bool class_has(const Widget& w, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return w.cls.find(word) != std::string::npos; });
}

bool in_a_list(const Screen& screen, std::size_t i) {
  for (std::int32_t p = screen.widgets[i].parent; p >= 0;
       p = screen.widgets[static_cast<std::size_t>(p)].parent)
    if (is_list(screen.widgets[static_cast<std::size_t>(p)])) return true;
  return false;
}

/// What a control says about itself.
std::string state_of(const Widget& w) {
  return fmt::format("{}{}{}|{}", w.is(Flag::checked), w.is(Flag::selected), w.text, w.desc);
}

std::optional<std::size_t> found(const Target& target, const Screen& screen) {
  const auto r = resolve(target, screen);
  if (const auto* f = std::get_if<Found>(&r)) return f->widget;
  return std::nullopt;
}

/// Buttons that change what they say about themselves when they are tapped, by layout and role.
std::set<std::uint64_t> cycling_buttons(OracleContext& c) {
  const History& tree = c.replay.history();
  std::set<std::uint64_t> out;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId after{n}, before = tree.parent(after);
    const auto* tap = std::get_if<Tap>(&tree.event(tree.event_id(after)));
    if (!tap || tap->target.empty() || tree.crash(after)) continue;
    const Screen &a = tree.screen(before), &b = tree.screen(after);
    if (a.activity != b.activity || a.kind != Screen::Kind::app || b.kind != Screen::Kind::app) continue;
    const auto i = receiver_of(*tap, a);
    if (!i || in_a_list(a, *i) || a.widgets[*i].id.empty()) continue;
    const auto j = found(unlabelled(a, *i), b);
    if (j && state_of(a.widgets[*i]) != state_of(b.widgets[*j]))
      out.insert(group(a.widgets[*i].id, c.groups.layout_of(before)));
  }
  return out;
}

/// The taps that bring a control round, as far as can be told beforehand.
std::vector<Event> round_trip(const Screen& screen, std::size_t i, bool cycles) {
  const Widget& w = screen.widgets[i];
  const auto tap = [&](std::size_t k) {
    return Event(Tap{unlabelled(screen, k), screen.widgets[k].bounds.center()});
  };
  if (class_has(w, {"Radio", "CheckedTextView"}) && !w.is(Flag::checked)) {
    for (std::size_t k = 0; k < screen.widgets.size(); ++k)
      if (screen.widgets[k].cls == w.cls && screen.widgets[k].parent == w.parent &&
          screen.widgets[k].is(Flag::checked))
        return {tap(i), tap(k)};
    return {};
  }
  if (class_has(w, {"Switch", "CheckBox", "ToggleButton"})) return {tap(i), tap(i)};
  return cycles ? std::vector<Event>(taps_of_a_cycle, tap(i)) : std::vector<Event>{};
}

std::vector<Pair> control_pairs(OracleContext& c, const std::set<std::uint64_t>& cycling, LayoutId layout,
                                NodeId node) {
  const Screen& screen = c.replay.history().screen(node);
  std::vector<Pair> out;
  for (std::size_t i = 0; i < screen.widgets.size() && out.size() < controls_per_screen; ++i) {
    const Widget& w = screen.widgets[i];
    if ((accepted_by(w) & accepts_tap) == 0) continue;
    auto taps = round_trip(screen, i, cycling.contains(group(w.id, layout)) && !in_a_list(screen, i));
    if (taps.empty()) continue;
    const std::string name = fmt::format("{} there and back leaves something changed",
                                         describe(Event(Tap{make_target(screen, i), {}})));
    out.push_back({"control", name, Hasher().add("controls").finish(), node, {}, std::move(taps), {}});
  }
  return out;
}

/// How many taps brought the control back to what it said at first; 0: none did.
std::size_t came_round(const History& tree, const Pair& pair, const Outcome& taps) {
  const Target& first = *target_of(pair.other.front());
  const auto at_first = found(first, tree.screen(pair.base));
  if (!at_first) return 0;
  const std::string wanted = state_of(tree.screen(pair.base).widgets[*at_first]);
  std::vector<NodeId> way;
  for (NodeId n = taps.end; way.size() < taps.used; n = tree.parent(n)) way.push_back(n);
  std::ranges::reverse(way);
  bool moved = false;
  for (std::size_t k = 0; k < way.size(); ++k) {
    const auto now = found(first, tree.screen(way[k]));
    if (!now || tree.crash(way[k])) return 0;
    const bool same = state_of(tree.screen(way[k]).widgets[*now]) == wanted;
    if (same && moved) return k + 1;
    moved = moved || !same;
  }
  return 0;
}

/// The same control, seen from the pages that this one opens.
void look_ahead(OracleContext& c, const Pair& round, std::vector<Pair>& out) {
  const std::size_t taps = round.other.size();
  std::size_t ahead = 0;
  for (const Event& event : known_events(c, c.groups.layout_of(round.base), round.base, true)) {
    if (ahead++ >= screens_ahead) break;
    Pair p = round;
    p.plain = {event}, p.other.push_back(event), p.agree = {{1, taps + 1}};
    out.push_back(std::move(p));
  }
}

/// Follows the controls round, then looks at this screen, at those it opens and at those below it.
Status try_controls(OracleContext& c, Pairs& pairs, std::vector<Pair> controls) {
  const History& tree = c.replay.history();
  std::vector<Request> requests;
  requests.reserve(controls.size());
  for (const Pair& p : controls) requests.push_back({.from = p.base, .events = c.replay.intern(p.other)});
  const auto outcomes = c.replay.ask(requests, Until::all, c.stop);
  std::vector<Pair> batch;
  for (std::size_t k = 0; k < controls.size(); ++k) {
    Pair& p = controls[k];
    const std::size_t taps =
        outcomes[k].verdict == Verdict::unresolved ? 0 : came_round(tree, p, outcomes[k]);
    if (taps == 0) continue;
    p.other.resize(taps);
    look_ahead(c, p, batch);
    p.agree = {{0, taps}};
    for (std::size_t below = 1; below <= screens_below; ++below) {
      p.plain.emplace_back(Key{key::back}), p.other.emplace_back(Key{key::back});
      p.agree.emplace_back(below, taps + below);
    }
    batch.push_back(std::move(p));
  }
  return pairs.attempt(std::move(batch));
}

/// A checkable entry of a menu, chosen and chosen again: open, tap, open, tap.
std::vector<Pair> menu_pairs(OracleContext& c) {
  const History& tree = c.replay.history();
  std::map<std::uint64_t, std::size_t> tried;  // pages an entry was tried on
  std::set<std::uint64_t> seen;
  std::vector<Pair> out;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId menu{n}, page = tree.parent(menu);
    const Screen& shown = tree.screen(menu);
    if (tree.crash(menu) || !is_popup(shown) || is_popup(tree.screen(page)) || swiped(tree, page)) continue;
    for (std::size_t i = 0; i < shown.widgets.size(); ++i) {
      const Widget& w = shown.widgets[i];
      if (!w.is(Flag::checkable) || class_has(w, {"Radio", "CheckedTextView"})) continue;
      const std::uint64_t entry = Hasher().add(shown.activity).add(w.id).add(w.text).finish();
      if (tried[entry] >= pages_of_an_entry ||
          !seen.insert(Hasher().add(entry).add(tree.key(page)).finish()).second)
        continue;
      ++tried[entry];
      const Event open = tree.event(tree.event_id(menu)), tap = Tap{unlabelled(shown, i), w.bounds.center()};
      out.push_back({.family = "control",
                     .name = fmt::format("{} there and back leaves something changed",
                                         describe(Event(Tap{make_target(shown, i), {}}))),
                     .group = Hasher().add("controls").finish(),
                     .base = page,
                     .plain = {},
                     .other = {open, tap, open, tap},
                     .agree = {{0, 4}}});
    }
  }
  return out;
}

/// The entry says something else after the first tap, and what it said at first after the second.
bool entry_came_round(const History& tree, const Pair& pair, const Outcome& run) {
  if (run.verdict != Verdict::yes || run.used != 5) return false;
  std::vector<std::string> says;
  NodeId n = run.end;
  for (int k = 5; k >= 1; --k, n = tree.parent(n)) {
    if (k % 2 == 0) continue;
    const auto i = found(*target_of(pair.other[1]), tree.screen(n));
    if (!i) return false;
    says.push_back(state_of(tree.screen(n).widgets[*i]));
  }
  return says[0] == says[2] && says[1] != says[0];
}

Status try_menus(OracleContext& c, Pairs& pairs, std::vector<Pair> menus) {
  std::vector<Request> requests;
  for (const Pair& p : menus) {
    std::vector<Event> way = p.other;
    way.push_back(p.other.front());  // the menu once more, to see what it says
    requests.push_back({.from = p.base, .events = c.replay.intern(way)});
  }
  const auto outcomes = c.replay.ask(requests, Until::all, c.stop);
  std::vector<Pair> batch;
  for (std::size_t k = 0; k < menus.size(); ++k)
    if (entry_came_round(c.replay.history(), menus[k], outcomes[k])) batch.push_back(std::move(menus[k]));
  return pairs.attempt(std::move(batch));
}

// --- undo ------------------------------------------------------------------------------------------------

bool says_undo(const Screen& screen, std::size_t i) {
  std::string all = screen.widgets[i].id + " " + label(screen, i);
  std::ranges::transform(all, all.begin(),
                         [](char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch + 32) : ch; });
  return all.find("undo") != std::string::npos;
}

bool offers_undo(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && says_undo(screen, i)) return true;
  return false;
}

/// The last screen like the one that undoing led to, before the action that was undone. That is the action right before: if
/// one could have undone in between, it may be another.
std::optional<NodeId> before_the_undone(OracleContext& c, NodeId undone) {
  const History& tree = c.replay.history();
  const LayoutId layout = c.groups.layout_of(undone);
  for (NodeId n = tree.parent(undone); n != tree.root();) {
    n = tree.parent(n);
    if (c.groups.layout_of(n) == layout) return n;
    if (offers_undo(tree.screen(n))) break;
  }
  return std::nullopt;
}

/// An action and its Undo. `sure`: only where nothing could be undone before the action, so that it is the one undone.
std::vector<Pair> undo_pairs(OracleContext& c, bool sure) {
  const History& tree = c.replay.history();
  std::vector<Pair> out;
  std::set<std::uint64_t> seen;
  for (std::uint32_t n = 2; n < tree.size(); ++n) {
    const NodeId undone{n}, done = tree.parent(undone);
    const auto* tap = std::get_if<Tap>(&tree.event(tree.event_id(undone)));
    if (!tap || tree.crash(undone)) continue;
    const auto i = receiver_of(*tap, tree.screen(done));
    if (!i || !says_undo(tree.screen(done), *i)) continue;
    const auto base = before_the_undone(c, undone);
    if (!base || alike(tree.screen(*base), tree.screen(done))) continue;  // nothing was done
    if (offers_undo(tree.screen(*base)) == sure) continue;
    if (!seen.insert(Hasher().add(tree.key(*base)).add(tree.key(undone)).finish()).second) continue;
    const auto role = role_of(tree.event(tree.event_id(done)), tree.screen(tree.parent(done)));
    if (!role) continue;
    auto way = tree.events_to(undone);
    way.erase(way.begin(), way.begin() + tree.depth(*base));
    out.push_back({.family = "undo",
                   .name = "undoing does not bring back what was there",
                   .group = role->general,
                   .base = *base,
                   .plain = {},
                   .other = std::move(way),
                   .agree = {}});
    out.back().agree = {{0, out.back().other.size()}};
  }
  std::ranges::stable_sort(out, {}, [&](const Pair& p) { return tree.depth(p.base); });
  return out;
}

/// Attempts in batches while there is time.
Status in_batches(OracleContext& c, std::vector<Pair> all,
                  const std::function<Status(std::vector<Pair>)>& attempt) {
  for (std::size_t k = 0; k < all.size() && c.left(); k += batch_size) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(k);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), k + batch_size));
    NORN_CHECK(attempt({std::make_move_iterator(first), std::make_move_iterator(last)}));
  }
  return {};
}

}  // namespace

Status neutral_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs system(c, "neutral"), controls(c, "neutral"), undo(c, "neutral");
  const auto attempt = [](Pairs& pairs) {
    return [&pairs](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); };
  };
  NORN_CHECK(in_batches(c, undo_pairs(c, true), attempt(undo)));
  auto further = undo_pairs(c, false);
  std::erase_if(further, [&](const Pair& p) { return undo.tally(p.group).held == 0; });
  NORN_CHECK(in_batches(c, std::move(further), attempt(undo)));
  NORN_CHECK(undo.report(Habit::held_once));
  NORN_CHECK(in_batches(c, menu_pairs(c),
                        [&](std::vector<Pair> batch) { return try_menus(c, controls, std::move(batch)); }));
  const auto cycling = cycling_buttons(c);
  DataCache data(tree);
  std::set<std::uint64_t> known;  // a control is followed round once for each screen it is on
  Places places(c, false);
  std::size_t number = 0;
  Remembered remembered(data, tree);
  system.on_compared(
      [&](const Pair& p, NodeId plain, NodeId other) { remembered.note(p.group, p.base, plain, other); });
  for (auto round = places.next(); !round.empty() && c.left(); round = places.next(), ++number) {
    std::vector<Pair> kept, moved;
    for (const auto& [layout, node] : round) {
      std::ranges::move(system_pairs(c, data, layout, node, number), std::back_inserter(kept));
      for (Pair& p : control_pairs(c, cycling, layout, node))
        if (known.insert(Hasher().add(p.name).add(tree.key(node)).finish()).second)
          moved.push_back(std::move(p));
    }
    NORN_CHECK(in_batches(c, std::move(moved), [&](std::vector<Pair> batch) {
      return try_controls(c, controls, std::move(batch));
    }));
    NORN_CHECK(in_batches(c, std::move(kept), attempt(system)));
  }
  NORN_CHECK(controls.report(Habit::held_mostly));
  const std::size_t first = c.out.reports.size();
  NORN_CHECK(system.report(Habit::held_once, [&](const Pair& cut, NodeId plain, NodeId other) {
    return !is_loss(cut) || (!kills(cut) && remembered.loses_an_exception(cut.group, cut.base, plain, other));
  }));
  list_losses(c.out.reports, first);
  return {};
}

}  // namespace norn

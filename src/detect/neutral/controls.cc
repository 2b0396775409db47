// A switch, a choice or a button that names its own state, until it is as it was: then so is the rest, here
// and on the pages it opens and on the screens below (Back). Meant for settings; whatever else behaves like
// one takes part.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/places.h"
#include "detect/reading/data.h"
#include "gui/difference.h"
#include "gui/popup.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t controls_per_screen = 6;  ///< more are settings of one kind
constexpr std::size_t taps_of_a_cycle = 4;      ///< a button with more states than this is not followed round
constexpr std::size_t screens_ahead = 3;        ///< pages opened from there on which they are looked for
constexpr std::size_t pages_of_an_entry = 4;    ///< on which an entry of a menu is tried
constexpr std::size_t screens_below = 2;        ///< how far back the traces of a control are looked for

std::uint64_t group(std::string_view name, LayoutId layout) {
  return Hasher().add(name).add(layout.value).finish();
}

/// The same control, on whatever it is seen: what it leaves changed is one report.
std::uint64_t control(const Screen& screen, const Widget& w) {
  const bool by_text = w.id.empty() && w.cls.find("Radio") == std::string::npos;
  return Hasher().add(screen.activity).add(w.cls).add(w.id).add(by_text ? w.text : "").finish();
}

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
  return cycles ? std::vector<Event>(2 * taps_of_a_cycle, tap(i)) : std::vector<Event>{};
}

/// What the control said at first and after each tap; empty where it was not there or the app crashed.
std::vector<std::string> states_on_the_way(const History& tree, const Pair& pair, const Outcome& taps) {
  std::vector<std::string> out;
  std::string row;
  NodeId n = taps.end;
  for (std::size_t k = 0; k <= taps.used; ++k, n = n == tree.root() ? n : tree.parent(n)) {
    const auto i = found(*target_of(pair.other.front()), tree.screen(n));
    if (!i || tree.crash(n)) return {};
    if (in_a_list(tree.screen(n), *i)) {
      const ScreenData data = data_of(tree.screen(n));
      const RowPlace place = row_of(data, *i);
      const std::string title(place.row ? place.row->title() : "");
      if (k > 0 && title != row) return {};  // the rows have been put in another order
      row = title;
    }
    out.push_back(state_of(tree.screen(n).widgets[*i]));
  }
  std::ranges::reverse(out);
  return out;
}

/// How many taps brought the control back to what it said at first; 0: none did. A button must say the same
/// the second time round: one that only happens to bear a label again (an answer of the next question) is no
/// control.
std::size_t came_round(const History& tree, const Pair& pair, const Outcome& taps) {
  const auto says = states_on_the_way(tree, pair, taps);
  bool moved = false;
  for (std::size_t k = 1; k < says.size(); ++k) {
    if (says[k] == says[0] && moved) {
      if (pair.other.size() <= taps_of_a_cycle) return k;
      const bool twice =
          2 * k < says.size() && std::equal(says.begin(), says.begin() + static_cast<std::ptrdiff_t>(k),
                                            says.begin() + static_cast<std::ptrdiff_t>(k));
      return twice ? k : 0;
    }
    moved = moved || says[k] != says[0];
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

/// What became of an entry of a menu that was chosen twice.
enum class Twice : std::uint8_t {
  round,  ///< it says something else after the first tap, and what it said at first after the second
  stuck,  ///< it says something else after the first tap, and the same after the second
  other,
};

/// `menus`: the menu at first, after one tap and after two.
Twice chosen_twice(const Target& entry, const std::array<const Screen*, 3>& menus) {
  std::array<std::string, 3> says, others;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = found(entry, *menus[k]);
    if (!i) return Twice::other;
    says[k] = state_of(menus[k]->widgets[*i]);
    for (std::size_t w = 0; w < menus[k]->widgets.size(); ++w)
      if (w != *i && menus[k]->widgets[w].is(Flag::checkable)) others[k] += state_of(menus[k]->widgets[w]);
  }
  if (says[1] == says[0]) return Twice::other;
  if (says[2] == says[0]) return Twice::round;
  return says[2] == says[1] && others[0] == others[1] ? Twice::stuck
                                                      : Twice::other;  // one of several choices stays
}

Twice chosen_twice(const History& tree, const Pair& pair, const Outcome& run) {
  if (run.verdict != Verdict::yes || run.used != 5) return Twice::other;
  const NodeId last = run.end, second = tree.parent(tree.parent(last)),
               first = tree.parent(tree.parent(second));
  return chosen_twice(*target_of(pair.other[1]),
                      {&tree.screen(first), &tree.screen(second), &tree.screen(last)});
}

}  // namespace

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

bool only_labels_differ(OracleContext& c, const std::set<std::uint64_t>& cycling, NodeId a, NodeId b) {
  const LayoutId layout = c.groups.layout_of(a);
  return std::ranges::all_of(
      kinds_that_differ(c.replay.history().screen(a), c.replay.history().screen(b)), [&](const auto& kind) {
        return kind.first.ends_with(".Button") && cycling.contains(group(kind.second, layout));
      });
}

bool only_choices_differ(const History& tree, NodeId a, NodeId b) {
  const Screen &x = tree.screen(a), &y = tree.screen(b);
  if (x.widgets.size() != y.widgets.size()) return false;
  for (std::size_t i = 0; i < x.widgets.size(); ++i) {
    const Widget &v = x.widgets[i], &w = y.widgets[i];
    if (v.cls != w.cls || v.id != w.id || v.text != w.text || v.desc != w.desc) return false;
  }
  return true;
}

std::vector<Pair> control_pairs(OracleContext& c, const std::set<std::uint64_t>& cycling, LayoutId layout,
                                NodeId node) {
  const Screen& screen = c.replay.history().screen(node);
  std::vector<Pair> out;
  for (std::size_t i = 0; i < screen.widgets.size() && out.size() < controls_per_screen; ++i) {
    const Widget& w = screen.widgets[i];
    if ((accepted_by(w) & accepts_tap) == 0 || says_running(screen, i)) continue;
    auto taps = round_trip(screen, i, cycling.contains(group(w.id, layout)) && !in_a_list(screen, i));
    if (taps.empty()) continue;
    const std::string name = fmt::format("{} there and back leaves something changed",
                                         describe(Event(Tap{make_target(screen, i), {}})));
    out.push_back({.family = "control",
                   .name = name,
                   .group = control(screen, w),
                   .base = node,
                   .plain = {},
                   .other = std::move(taps),
                   .agree = {},
                   .one_report = true});
  }
  return out;
}

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

std::vector<Pair> menu_pairs(OracleContext& c) {
  const History& tree = c.replay.history();
  std::map<std::uint64_t, std::size_t> tried;  // pages an entry was tried on
  std::set<std::uint64_t> seen;
  std::vector<Pair> out;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId menu{n}, page = tree.parent(menu);
    const Screen& shown = tree.screen(menu);
    if (tree.crash(menu) || !is_popup(shown) || is_popup(tree.screen(page)) ||
        tree.screen(page).kind != Screen::Kind::app || swiped(tree, page))
      continue;
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
                     .group = control(shown, w),
                     .base = page,
                     .plain = {},
                     .other = {open, tap, open, tap},
                     .agree = {{0, 4}},
                     .one_report = true});
    }
  }
  return out;
}

Status try_menus(OracleContext& c, Pairs& pairs, Pairs& stuck, std::vector<Pair> menus) {
  const auto and_open = [](std::vector<Event> way) {  // the menu once more, to see what it says
    const Event open = way.front();
    way.push_back(open);
    return way;
  };
  std::vector<Request> requests;
  for (const Pair& p : menus)
    requests.push_back({.from = p.base, .events = c.replay.intern(and_open(p.other))});
  const auto outcomes = c.replay.ask(requests, Until::all, c.stop);
  std::vector<Pair> came_round, stayed;
  for (std::size_t k = 0; k < menus.size(); ++k) {
    Pair& p = menus[k];
    const Twice twice = chosen_twice(c.replay.history(), p, outcomes[k]);
    if (twice == Twice::round) {
      came_round.push_back(std::move(p));
    } else if (twice == Twice::stuck) {
      p.name = "a check of a menu that was set cannot be taken off";
      p.plain = {p.other.front()}, p.other = and_open(p.other), p.agree = {{1, 5}};
      stayed.push_back(std::move(p));
    }
  }
  NORN_CHECK(stuck.attempt(std::move(stayed)));
  return pairs.attempt(std::move(came_round));
}

}  // namespace norn

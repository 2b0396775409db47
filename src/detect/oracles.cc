#include "detect/oracles.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::int32_t settle_ms = 5000;           ///< longer than any short message stays
constexpr std::size_t nodes_per_layout = 6;        ///< inputs tried for each layout
constexpr std::size_t switches_per_screen = 4;     ///< settings tried there and back
constexpr std::size_t pairs_per_node = 6;          ///< of independent actions
constexpr std::uint32_t needed_share_of_runs = 2;  ///< more than half of the clean starts

/// Shallow nodes of each layout, in the app, with distinct screens; the first of every layout, then the second ...
std::vector<std::pair<LayoutId, NodeId>> places(OracleContext& c, std::size_t each) {
  const History& tree = c.replay.history();
  std::map<LayoutId, std::vector<NodeId>> all;
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (!tree.crash(NodeId{n}) && tree.screen(NodeId{n}).kind == Screen::Kind::app)
      all[c.groups.layout_of({n})].push_back({n});
  std::vector<std::pair<LayoutId, NodeId>> out;
  for (auto& [layout, nodes] : all) {
    std::ranges::stable_sort(nodes, {}, [&](NodeId n) { return tree.depth(n); });
    std::set<std::uint64_t> screens;
    std::erase_if(nodes, [&](NodeId n) { return !screens.insert(tree.key(n)).second; });
  }
  for (std::size_t k = 0; k < each; ++k)
    for (const auto& [layout, nodes] : all)
      if (k < nodes.size()) out.emplace_back(layout, nodes[k]);
  return out;
}

bool over(const OracleContext& c) { return c.stop.stop_requested() || c.replay.left() <= 0; }

/// What may differ although nothing happened: the focus.
Rules lenient() { return Rules{}.with(Rule::focused).with(Rule::posture); }

bool alike(const Screen& a, const Screen& b) {
  const HashedScreen x = HashedScreen(a).under(lenient()), y = HashedScreen(b).under(lenient());
  return x.tree().hash() == y.tree().hash() && x.whole() == y.whole();
}

std::optional<NodeId> run(OracleContext& c, NodeId from, const std::vector<Event>& events) {
  const Outcome o = c.replay.ask({.from = from, .events = c.replay.intern(events)}, c.stop);
  return o.verdict == Verdict::yes ? std::optional(o.end) : std::nullopt;
}

/// Two inputs that should end alike: does it come back from clean starts that they do not?
Status confirm(OracleContext& c, Report r) {
  const History& tree = c.replay.history();
  Request request{
      .events = c.replay.intern(r.deviant), .sure = Sure::certified, .repeats = c.options.repeats};
  request.watch = Reaches{abstract(r.seen, Abstraction::structure), Abstraction::structure};
  const Outcome o = c.replay.ask(request, c.stop);
  if (o.why) return std::unexpected(*o.why);
  r.came_back = o.yes.all(), r.runs = o.yes.all() + o.no.all() + o.not_staged;
  // The other side too: what is expected must be what really comes without the change.
  request.events = c.replay.intern(r.normal);
  request.watch = Reaches{abstract(r.expected, Abstraction::structure), Abstraction::structure};
  const Outcome usual = c.replay.ask(request, c.stop);
  if (usual.why) return std::unexpected(*usual.why);
  const bool sure = needed_share_of_runs * r.came_back > r.runs &&
                    needed_share_of_runs * usual.yes.all() > usual.yes.all() + usual.no.all();
  r.place = tree.screen(r.deviant_end).activity;
  (sure ? c.out.reports : c.out.flaky).push_back(std::move(r));
  return {};
}

std::vector<Event> input(const History& tree, NodeId node, const std::vector<Event>& more) {
  std::vector<Event> out = tree.events_to(node);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

struct Neutral {
  std::string name;
  std::vector<Event> events;
};

std::vector<Neutral> neutral_for(const Screen& screen) {
  std::vector<Neutral> out;
  const bool one_window = std::ranges::count(screen.widgets, -1, &Widget::parent) <= 1;
  if (one_window) {  // dialogs and menus are lost on rotation: so it is on Android
    out.push_back({"rotating and back", {Rotate{1 - screen.rotation % 2}, Rotate{screen.rotation}}});
    out.push_back({"dark mode and back", {System{"dark-mode", {}}, System{"dark-mode", {}}}});
  }
  out.push_back({"Home and return", {Key{key::home}, Launch{}}});
  if (screen.keyboard) out.push_back({"closing the keyboard", {Key{key::back}}});
  std::size_t switches = 0;
  for (std::size_t i = 0; i < screen.widgets.size() && switches < switches_per_screen; ++i) {
    const Widget& w = screen.widgets[i];
    const bool two_states =
        w.cls.find("Switch") != std::string::npos || w.cls.find("CheckBox") != std::string::npos;
    if (!two_states || (accepted_by(w) & accepts_tap) == 0) continue;
    const Event tap = Tap{make_target(screen, i), w.bounds.center()};
    out.push_back({fmt::format("switching there and back ({})", describe(tap)), {tap, tap}});
    ++switches;
  }
  return out;
}

}  // namespace

Status neutral_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  std::set<std::uint64_t> reported;
  for (const auto& [layout, node] : places(c, nodes_per_layout)) {
    if (over(c)) return {};
    const auto still = run(c, node, {Wait{settle_ms}});
    if (!still) continue;
    for (Neutral& n : neutral_for(tree.screen(node))) {
      n.events.push_back(Wait{settle_ms});
      const auto end = run(c, node, n.events);
      if (!end || alike(tree.screen(*end), tree.screen(*still))) continue;
      const std::uint64_t what =
          fingerprint(HashedScreen(tree.screen(*still)), HashedScreen(tree.screen(*end)));
      if (!reported.insert(Hasher().add(n.name).add(layout.value).finish()).second) continue;
      if (!reported.insert(Hasher().add(n.name).add(what).finish()).second) continue;
      Report r;
      r.oracle = "neutral", r.event = n.events.front();
      r.words = n.name + " changes the screen";
      r.difference = {n.name};
      r.normal = input(tree, node, {Wait{settle_ms}}), r.deviant = input(tree, node, n.events);
      r.before = tree.screen(node), r.expected = tree.screen(*still), r.seen = tree.screen(*end);
      r.normal_end = *still, r.deviant_end = *end;
      NORN_CHECK(confirm(c, std::move(r)));
    }
  }
  return {};
}

namespace {

/// Widgets of `before` that the event changed, and whether anything appeared.
std::set<std::size_t> touched(const Screen& before, const Screen& after, bool& more) {
  const HashedScreen x = HashedScreen(before).under(lenient()), y = HashedScreen(after).under(lenient());
  const TedMapping map = ted_map(x.tree(), y.tree());
  more = std::ranges::count(map.from, -1) > 0;
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < map.to.size(); ++i)
    if (map.to[i] < 0 || x.widgets()[i] != y.widgets()[static_cast<std::size_t>(map.to[i])]) out.insert(i);
  return out;
}

struct Action1 {
  Event event;
  std::size_t receiver;
  std::set<std::size_t> touches;
};

/// Actions known at this node that stay on its layout, change something and add nothing.
std::vector<Action1> local_actions(OracleContext& c, NodeId node) {
  const History& tree = c.replay.history();
  const Screen& screen = tree.screen(node);
  std::vector<Action1> out;
  for (const NodeId child : tree.children(node)) {
    const Event& event = tree.event(tree.event_id(child));
    const auto receiver = receiver_of(event, screen);
    if (!receiver || tree.crash(child) || c.groups.layout_of(child) != c.groups.layout_of(node)) continue;
    bool more = false;
    auto touches = touched(screen, tree.screen(child), more);
    if (more || touches.empty()) continue;
    touches.insert(*receiver);
    out.push_back({event, *receiver, std::move(touches)});
  }
  return out;
}

bool disjoint(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
  return std::ranges::none_of(a, [&](std::size_t i) { return b.contains(i); });
}

}  // namespace

Status independent_oracle(OracleContext& c) {
  const History& tree = c.replay.history();
  std::set<std::uint64_t> reported;
  for (const auto& [layout, node] : places(c, nodes_per_layout)) {
    const auto actions = local_actions(c, node);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < actions.size(); ++i)
      for (std::size_t j = i + 1; j < actions.size() && tried < pairs_per_node; ++j) {
        if (over(c)) return {};
        if (!disjoint(actions[i].touches, actions[j].touches)) continue;
        ++tried;
        const std::vector<Event> one{actions[i].event, actions[j].event},
            other{actions[j].event, actions[i].event};
        const auto x = run(c, node, one), y = run(c, node, other);
        if (!x || !y || alike(tree.screen(*x), tree.screen(*y))) continue;
        if (!reported.insert(group_key(layout, actions[i].receiver * 1000 + actions[j].receiver)).second)
          continue;
        Report r;
        r.oracle = "independent", r.event = actions[j].event;
        r.words = fmt::format("{} and {} do not touch each other, yet their order matters",
                              describe(actions[i].event), describe(actions[j].event));
        r.difference = {"the order of the last two events"};
        r.normal = input(tree, node, one), r.deviant = input(tree, node, other);
        r.before = tree.screen(node), r.expected = tree.screen(*x), r.seen = tree.screen(*y);
        r.normal_end = *x, r.deviant_end = *y;
        NORN_CHECK(confirm(c, std::move(r)));
      }
  }
  return {};
}

}  // namespace norn

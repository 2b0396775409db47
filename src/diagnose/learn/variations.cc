#include "diagnose/learn/variations.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/rng.h"
#include "gui/abstraction.h"
#include "gui/difference.h"
#include "gui/popup.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t rows_of_a_kind = 2;

/// What can be done on a screen, with a few texts and a few rows of each list; and what happens to apps
/// besides.
std::vector<Event> possible(const Screen& screen) {
  std::vector<Event> out{Key{key::back},     Key{key::menu},
                         Launch{},           Rotate{1 - screen.rotation % 2},
                         System{"kill", {}}, System{"network-off", {}}};
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  for (std::size_t w = 0; w < screen.widgets.size(); ++w) {
    const Widget& widget = screen.widgets[w];
    const std::uint8_t can = accepted_by(widget);
    if (can == 0 || (!widget.id.empty() && seen[{widget.cls, widget.id}]++ >= rows_of_a_kind)) continue;
    const Target target = make_target(screen, w);
    const Point at = widget.bounds.center();
    if (can & accepts_tap) out.emplace_back(Tap{target, at});
    if (can & accepts_long) out.emplace_back(LongPress{target, at});
    if (can & accepts_text)
      for (const char* text : {"", "12", "norn", "%[('"}) out.emplace_back(Type{target, at, text});
  }
  return out;
}

template <class T>
void shuffle(std::vector<T>& list, Rng& rng) {
  for (std::size_t i = 0; i + 1 < list.size(); ++i) std::swap(list[i], list[i + rng.below(list.size() - i)]);
}

class Wanderer final : public Chooser {
 public:
  Wanderer(std::span<const LearnInput> inputs, const WalkOptions& options)
      : inputs_(inputs), options_(options), rng_(options.seed) {}

  Choice next(const Place& here) override {
    if (here.crashed || here.history.depth(here.node) >= length_) {
      length_ = (1 + options_.length / 3 + rng_.below(options_.length)) * (rng_.chance(0.25) ? 5 : 1);
      return Restart{};
    }
    const Screen& screen = here.seen.screen;
    std::vector<Event> events;
    if (rng_.chance(0.6))
      for (const LearnInput& input : inputs_)
        if (auto event = input.is_move() ? std::nullopt : event_on(input, screen)) events.push_back(*event);
    if (events.empty()) events = possible(screen);
    return Do{events[rng_.below(events.size())]};
  }

 private:
  std::span<const LearnInput> inputs_;
  WalkOptions options_;
  Rng rng_;
  std::size_t length_ = 10;
};

}  // namespace

Status wander(Replay& replay, std::span<const LearnInput> inputs, const WalkOptions& options,
              std::stop_token stop) {
  Wanderer wanderer(inputs, options);
  const auto end =
      replay.walk(replay.history().root(), wanderer, {.seconds = options.seconds}, std::move(stop));
  return end ? Status() : std::unexpected(end.error());
}

namespace {

/// Asks for all of them, some at a time, while there is something left to spend.
std::vector<NodeId> crashing(Replay& replay, const std::vector<std::vector<Event>>& lists, SameCrash crash,
                             std::stop_token stop) {
  std::vector<NodeId> out;
  constexpr std::size_t at_once = 16;
  for (std::size_t k = 0; k < lists.size() && !stop.stop_requested() && replay.left() > 0; k += at_once) {
    std::vector<Request> requests;
    for (std::size_t i = k; i < std::min(k + at_once, lists.size()); ++i)
      requests.push_back({.events = replay.intern(lists[i]), .watch = crash, .missing = Missing::skip});
    for (const Outcome& outcome : replay.ask(requests, Until::all, stop))
      if (outcome.verdict == Verdict::yes) out.push_back(outcome.end);
  }
  return out;
}

/// What was done to come to a node: the kind of event, and the id it went to.
std::string way_into(const History& tree, NodeId node) {
  if (node == tree.root()) return {};
  const Event& event = tree.event(tree.event_id(node));
  const Target* target = target_of(event);
  return std::string(kind_name(event)) + " " + (target == nullptr ? std::string() : target->id);
}

/// The nearest node of each kind of screen, of screen before it and of what was done there: a page may be
/// reached in several ways.
std::vector<NodeId> kinds_of_screens(const History& tree) {
  const auto kind = [&](NodeId node) { return abstract(tree.screen(node), Abstraction::resource_ids); };
  std::map<std::tuple<StateId, StateId, std::string>, NodeId> nearest;
  for (std::uint32_t n = 0; n < tree.size(); ++n) {
    const NodeId node{n};
    if (tree.crash(node) || tree.screen(node).kind != Screen::Kind::app) continue;
    const NodeId before = node == tree.root() ? node : tree.parent(node);
    const auto [at, is_new] = nearest.try_emplace({kind(node), kind(before), way_into(tree, node)}, node);
    if (!is_new && tree.depth(node) < tree.depth(at->second)) at->second = node;
  }
  std::vector<NodeId> out;
  for (const auto& [kinds, node] : nearest) out.push_back(node);
  std::ranges::sort(out);
  return out;
}

/// The trace with one event replaced by two: what was seen to open a menu or dialog there, and one of its
/// entries.
std::vector<std::vector<Event>> through_menus(const History& tree, std::span<const Performed> trace) {
  std::vector<std::vector<Event>> out;
  NodeId node = tree.root();
  std::vector<Event> before;
  for (std::size_t k = 0; k < trace.size(); ++k) {
    for (const NodeId menu : tree.children(node)) {
      if (tree.crash(menu) || !is_popup(tree.screen(menu)) || is_popup(*trace[k].before)) continue;
      for (const Event& entry : possible(tree.screen(menu))) {
        if (!std::holds_alternative<Tap>(entry)) continue;
        out.push_back(before);
        out.back().push_back(tree.event(tree.event_id(menu)));
        out.back().push_back(entry);
        for (std::size_t i = k + 1; i < trace.size(); ++i) out.back().push_back(trace[i].event);
      }
    }
    const auto next = tree.children(node, event_key(trace[k].event));
    if (next.empty()) return out;
    node = next.front();
    before.push_back(trace[k].event);
  }
  return out;
}

/// Whether these very events were run already.
bool is_known(const History& tree, std::span<const Event> events) {
  NodeId node = tree.root();
  for (const Event& event : events) {
    const auto next = tree.children(node, event_key(event));
    if (next.empty()) return false;
    node = next.front();
  }
  return true;
}

bool can_begin(const Performed& step, const Screen& screen) {
  if (step.before->activity != screen.activity) return false;
  return event_on({.label = "x", .event = step.event, .any_row = true}, screen).has_value();
}

}  // namespace

void run_endings(Replay& replay, std::span<const std::vector<Performed>> traces, SameCrash crash,
                 std::size_t most, std::stop_token stop) {
  const History& tree = replay.history();
  struct Ending {
    NodeId after;
    std::span<const Performed> steps;
  };
  std::vector<Ending> endings;
  for (const NodeId node : kinds_of_screens(tree))
    for (const auto& trace : traces)
      for (std::size_t k = 0; k < trace.size(); ++k)
        if (can_begin(trace[k], tree.screen(node))) endings.push_back({node, std::span(trace).subspan(k)});
  std::ranges::stable_sort(endings, {},
                           [&](const Ending& e) { return tree.depth(e.after) + e.steps.size(); });
  std::vector<std::vector<Event>> runs;
  for (std::size_t i = 0; i < endings.size() && runs.size() < most; ++i) {
    std::vector<Event> events = tree.events_to(endings[i].after);
    for (const Performed& step : endings[i].steps) events.push_back(step.event);
    if (!is_known(tree, events)) runs.push_back(std::move(events));
  }
  (void)crashing(replay, runs, crash, std::move(stop));
}

std::vector<NodeId> crashing_variations(Replay& replay, std::span<const Performed> trace, SameCrash crash,
                                        std::size_t most, std::uint64_t seed, std::stop_token stop) {
  std::vector<std::vector<Event>> replaced, inserted;
  for (std::size_t k = 0; k < trace.size(); ++k)
    for (const Event& other : possible(*trace[k].before)) {
      if (event_key(other) == event_key(trace[k].event)) continue;
      std::vector<Event> events;
      for (const Performed& step : trace) events.push_back(step.event);
      const auto place = [&](std::size_t i) { return events.begin() + static_cast<std::ptrdiff_t>(i); };
      const bool system = std::holds_alternative<System>(other);
      events[k] = other;
      if (system) events.insert(place(k + 1), Launch{});
      replaced.push_back(events);
      events.insert(place(k + (system ? 2 : 1)), trace[k].event);
      inserted.push_back(std::move(events));
    }
  Rng rng(seed);
  shuffle(replaced, rng), shuffle(inserted, rng);
  replaced.insert(replaced.end(), inserted.begin(), inserted.end());
  replaced.resize(std::min(replaced.size(), most));
  std::vector<NodeId> out = crashing(replay, replaced, crash, stop);
  auto menus = through_menus(replay.history(), trace);
  shuffle(menus, rng);
  menus.resize(std::min(menus.size(), most / 2));
  const auto more = crashing(replay, menus, crash, std::move(stop));
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

namespace {

/// The trace from its k-th event on, with the page that is there then started by its name after each earlier
/// beginning.
void start_instead(std::span<const Performed> trace, std::size_t k, std::vector<std::vector<Event>>& out) {
  for (std::size_t j = 0; j <= k; ++j) {
    std::vector<Event>& run = out.emplace_back();
    for (std::size_t i = 0; i < j; ++i) run.push_back(trace[i].event);
    run.emplace_back(Launch{trace[k].before->package, trace[k].before->activity});
    for (std::size_t i = k; i < trace.size(); ++i) run.push_back(trace[i].event);
  }
}

/// Each part of what is done on the page that is there before the k-th event, done later.
void start_later(std::span<const Performed> trace, std::size_t k, std::vector<std::vector<Event>>& out) {
  const Screen& page = *trace[k].before;
  for (std::size_t end = k + 1; end < trace.size() && trace[end - 1].before->activity == page.activity; ++end)
    for (std::size_t later = end; later <= trace.size(); ++later) {
      std::vector<Event>& run = out.emplace_back();
      const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) run.push_back(trace[i].event);
      };
      add(0, k), add(end, later);
      run.emplace_back(Launch{page.package, page.activity});
      add(k, end);
      run.emplace_back(Key{key::back});
      add(later, trace.size());
    }
}

/// The pages that were seen, by package and name.
std::set<std::pair<std::string, std::string>> pages_seen(const History& tree) {
  std::set<std::pair<std::string, std::string>> out;
  for (std::uint32_t n = 0; n < tree.size(); ++n)
    if (const Screen& screen = tree.screen(NodeId{n});
        screen.kind == Screen::Kind::app && !screen.activity.empty())
      out.emplace(screen.package, screen.activity);
  return out;
}

/// Each beginning of the trace with any page started after it: it may crash at once.
void start_any(std::span<const Performed> trace, const History& tree, std::vector<std::vector<Event>>& out) {
  for (const auto& [package, activity] : pages_seen(tree))
    for (std::size_t k = 0; k < trace.size(); ++k) {
      std::vector<Event>& run = out.emplace_back();
      for (std::size_t i = 0; i < k; ++i) run.push_back(trace[i].event);
      run.emplace_back(Launch{package, activity});
    }
}

}  // namespace

std::vector<NodeId> crashing_by_name(Replay& replay, std::span<const Performed> trace, SameCrash crash,
                                     std::size_t most, std::stop_token stop) {
  std::vector<std::vector<Event>> runs;
  start_any(trace, replay.history(), runs);
  for (std::size_t k = 0; k < trace.size(); ++k) {
    if (trace[k].before->kind != Screen::Kind::app || trace[k].before->activity.empty()) continue;
    start_instead(trace, k, runs);
    start_later(trace, k, runs);
  }
  std::ranges::stable_sort(runs, {}, [](const auto& run) { return run.size(); });
  runs.resize(std::min(runs.size(), most));
  return crashing(replay, runs, crash, std::move(stop));
}

}  // namespace norn

// The tree at a million nodes: memory a node and appends a second, on walks through an app whose screens have
// 94 widgets and come back 98 % of the time.
#include <fmt/core.h>

#include <chrono>
#include <fstream>

#include "base/rng.h"
#include "trace/history.h"

namespace norn {
namespace {

double resident_mb() {
  std::ifstream in("/proc/self/statm");
  double total = 0, resident = 0;
  in >> total >> resident;
  return resident * 4096 / 1e6;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Screen make_screen(std::uint32_t number) {
  Screen s;
  s.package = "org.example.app";
  s.activity = fmt::format("org.example.app.Activity{}", number % 40);
  std::vector<std::int32_t> depths;
  for (std::uint32_t i = 0; i < 94; ++i) {
    Widget w;
    w.cls = i % 3 == 0 ? "android.widget.LinearLayout" : "android.widget.TextView";
    if (i % 4 != 0) w.id = fmt::format("org.example.app:id/item_{}", i % 20);
    if (i % 3 != 0) w.text = fmt::format("Entry {} of list {}", i, i % 7 == 0 ? number : 0);
    w.package = s.package;
    w.bounds = {0, static_cast<std::int32_t>(i * 20), 1080, static_cast<std::int32_t>(i * 20 + 20)};
    w.set(Flag::enabled);
    w.set(Flag::visible);
    s.widgets.push_back(std::move(w));
    depths.push_back(i == 0 ? 0 : 1 + static_cast<std::int32_t>(i % 3));
  }
  link_by_depth(s.widgets, depths);
  return s;
}

Event make_event(std::uint32_t number) {
  Target t;
  t.cls = "android.widget.TextView";
  t.id = fmt::format("org.example.app:id/item_{}", number % 20);
  t.label = fmt::format("Entry {}", number);
  return Tap{t, {10, static_cast<std::int32_t>(number)}};
}

Coverage make_coverage(std::uint32_t number) {
  Coverage c;
  for (std::uint32_t i = 0; i < 120; ++i) c.add(number * 37 % 5000 + i);
  return c;
}

struct Known {
  std::vector<Sample> seen;
  std::vector<EventId> events;
};

void run(std::uint32_t nodes) {
  const double before = resident_mb();
  History h;
  Known known;
  for (std::uint32_t i = 0; i < 500; ++i) known.events.push_back(h.put_event(make_event(i)));
  Rng rng(1);
  NodeId at = h.root();
  const double start = seconds();
  double interning = 0;
  while (h.size() < nodes) {
    if (known.seen.size() < h.size() / 50 + 1) {
      const double t = seconds();
      const auto n = static_cast<std::uint32_t>(known.seen.size());
      known.seen.push_back({h.put_screen(make_screen(n)), h.put_coverage(make_coverage(n)), {}, 0});
      interning += seconds() - t;
    }
    const Sample& sample = known.seen[rng.below(known.seen.size())];
    at = h.append(at, known.events[rng.below(known.events.size())], sample, Heat::cold).node;
    if (rng.chance(0.01)) at = NodeId{static_cast<std::uint32_t>(rng.below(h.size()))};
  }
  const double took = seconds() - start - interning, used = resident_mb() - before;
  fmt::print(
      "{:>9} nodes  {:>6} screens  {:>7.1f} MB  {:>5.0f} bytes/node  {:>5.2f} M appends/s (ids)  {:>5.0f} us "
      "a new screen\n",
      h.size(), h.screens(), used, used * 1e6 / static_cast<double>(h.size()),
      static_cast<double>(h.size()) / took / 1e6, interning / static_cast<double>(h.screens()) * 1e6);
}

void values() {
  History h;
  std::vector<Observation> seen(50);
  std::vector<Event> events;
  for (std::uint32_t i = 0; i < 50; ++i) {
    seen[i].screen = make_screen(i);
    seen[i].hit = make_coverage(i);
    events.push_back(make_event(i));
  }
  Rng rng(2);
  NodeId at = h.root();
  const int n = 100000;
  const double start = seconds();
  for (int i = 0; i < n; ++i) at = h.append(at, events[rng.below(50)], seen[rng.below(50)], Heat::cold).node;
  fmt::print("whole values (hash of 94 widgets each): {:.2f} us an append\n", (seconds() - start) / n * 1e6);
  std::vector<EventKey> keys;
  for (const NodeId node : h.path(at)) keys.push_back(h.event_key(h.event_id(node)));
  const double asked = seconds();
  const Walk walk = h.longest_prefix(h.root(), keys);
  fmt::print("longest_prefix over {} events: {:.0f} ns an event\n", walk.used,
             (seconds() - asked) / static_cast<double>(walk.used) * 1e9);
}

}  // namespace
}  // namespace norn

int main() {
  for (const std::uint32_t nodes : {10000U, 100000U, 1000000U}) norn::run(nodes);
  norn::values();
}

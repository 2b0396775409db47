#include "store/testing.h"

#include <fmt/core.h>
#include <stdlib.h>
#include <unistd.h>

namespace norn::testing {

TemporaryFolder::TemporaryFolder(Where where) {
  const bool memory = where == Where::memory && ::access("/dev/shm", W_OK) == 0;
  const std::filesystem::path parent = memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  std::string name = (parent / "norn-store-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

MemoryKey made_up_app(const std::string& name) {
  MemoryKey key;
  key.app.name = name;
  key.app.version = "1";
  key.app.setup = {Key{key::enter}};
  key.device_kind = "made-up";
  key.width = 1080;
  key.height = 1920;
  key.locale = "en_US";
  return key;
}

Screen made_up_screen(std::uint32_t number) {
  Screen s;
  s.package = "org.example.app";
  s.activity = fmt::format("org.example.app.Activity{}", number % 20);
  s.width = 1080;
  s.height = 1920;
  std::vector<std::int32_t> depths;
  Rng rng(number % 20);
  for (std::uint32_t i = 0; i < 94; ++i) {
    Widget w;
    w.cls = i % 3 == 0 ? "android.widget.LinearLayout" : "android.widget.TextView";
    if (rng.chance(0.6)) w.id = fmt::format("org.example.app:id/item_{}", rng.below(40));
    if (i % 3 != 0) w.text = fmt::format("Entry {} of list {}", rng.below(1000), i % 30 == 1 ? number : 0);
    w.package = s.package;
    const auto top = static_cast<std::int32_t>(i * 20 + rng.below(5));
    w.bounds = {static_cast<std::int32_t>(rng.below(60)), top, 1080, top + 20};
    w.set(Flag::enabled);
    w.set(Flag::visible);
    w.set(Flag::clickable, rng.chance(0.3));
    s.widgets.push_back(std::move(w));
    depths.push_back(i == 0 ? 0 : 1 + static_cast<std::int32_t>(i % 3));
  }
  link_by_depth(s.widgets, depths);
  return s;
}

namespace {

Crash made_up_crash(std::uint64_t number) {
  Crash crash;
  crash.process = "org.example.app";
  crash.chain.push_back({Thrown::Role::top,
                         "java.lang.IllegalStateException",
                         "made up",
                         {{fmt::format("org.example.app.Main.m{}", number % 5), "Main.java", 10}},
                         0});
  return crash;
}

MadeUpStep made_up_step(std::uint64_t number, std::uint32_t period) {
  Rng rng(number * 7919 + 1);
  MadeUpStep s;
  if (rng.chance(0.02)) s.parent_choice = rng.next() | 1;
  Target target;
  target.id = fmt::format("org.example.app:id/item_{}", rng.below(40));
  target.label = fmt::format("Entry {}", rng.below(10));
  s.event = Tap{target, {static_cast<std::int32_t>(rng.below(3)), 5}};
  const auto known = static_cast<std::uint32_t>(number / period) + 1;
  const auto screen = number % period == 0 ? known - 1 : static_cast<std::uint32_t>(rng.below(known));
  s.seen.screen = made_up_screen(screen);
  for (std::uint32_t i = 0; i < 60; ++i) s.seen.hit.add(screen % 97 * 40 + i);
  if (rng.chance(0.01)) s.seen.crash = made_up_crash(number);
  s.seen.at = static_cast<double>(number) * 0.65;
  s.heat = rng.chance(0.3) ? Heat::warm : Heat::cold;
  return s;
}

/// Where the step is taken: below the newest node, or anywhere, but never below a crash.
NodeId parent_for(const MadeUpStep& step, const History& tree) {
  const std::uint64_t nodes = tree.size();
  auto node =
      NodeId{static_cast<std::uint32_t>(step.parent_choice == 0 ? nodes - 1 : step.parent_choice % nodes)};
  while (tree.crash(node)) node = tree.parent(node);
  return node;
}

Appended append_to(History& tree, const MadeUpStep& step, std::uint64_t number) {
  if (number > 0) return tree.append(parent_for(step, tree), step.event, step.seen, step.heat);
  Observation start = step.seen;
  start.crash.reset();
  return tree.append_root(start, step.heat);
}

}  // namespace

Walker::Walker(Store& store, AppId app, RunId run, History& tree, std::uint32_t screen_period)
    : store_(store), app_(app), run_(run), tree_(tree), period_(screen_period) {}

Status Walker::step(std::uint64_t number) {
  const MadeUpStep made = made_up_step(number, period_);
  return store_.append(app_, run_, tree_, append_to(tree_, made, number), made.seen.at);
}

std::unique_ptr<History> walked(std::uint64_t steps, std::uint32_t screen_period) {
  auto tree = std::make_unique<History>();
  for (std::uint64_t i = 0; i < steps; ++i) append_to(*tree, made_up_step(i, screen_period), i);
  return tree;
}

std::uint64_t steps_in(const History& tree) {
  std::uint64_t steps = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) steps += tree.counts(NodeId{i}).all();
  return steps;
}

namespace {

bool same_samples(const History& a, const History& b, NodeId node) {
  const auto left = a.samples(node), right = b.samples(node);
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Sample &l = left[i], &r = right[i];
    if (l.count != r.count || a.hash(l.screen) != b.hash(r.screen)) return false;
    if (a.packed(l.screen) != b.packed(r.screen) || a.coverage(l.hit) != b.coverage(r.hit)) return false;
    if (bool(l.crash) != bool(r.crash) || (l.crash && a.crash(l.crash) != b.crash(r.crash))) return false;
  }
  return true;
}

}  // namespace

std::string difference(const History& a, const History& b) {
  if (a.size() != b.size()) return fmt::format("{} nodes against {}", a.size(), b.size());
  if (a.mask() != b.mask()) return "the masks";
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    const NodeId n{i};
    if (a.parent(n) != b.parent(n) || a.key(n) != b.key(n)) return fmt::format("the place of node {}", i);
    if (a.counts(n) != b.counts(n)) return fmt::format("the counts of node {}", i);
    if (i > 0 && a.event(a.event_id(n)) != b.event(b.event_id(n)))
      return fmt::format("the event of node {}", i);
    if (!same_samples(a, b, n)) return fmt::format("the samples of node {}", i);
  }
  return {};
}

}  // namespace norn::testing

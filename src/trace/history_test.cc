// The tree against a model that cannot be wrong: the plain list of all runs, searched anew for each question.
#include "trace/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "base/rng.h"
#include "trace/volatile.h"

namespace norn {
namespace {

Screen screen_of(const std::string& text, const std::string& clock = "") {
  Screen s;
  s.package = "org.app";
  s.activity = "Main";
  for (const auto& [id, value] : {std::pair{"title", text}, std::pair{"clock", clock}}) {
    Widget w;
    w.cls = "android.widget.TextView";
    w.id = std::string("org.app:id/") + id;
    w.text = value;
    w.set(Flag::visible);
    w.bounds = {0, 0, 100, 50};
    s.widgets.push_back(w);
  }
  return s;
}

Observation seen(const std::string& text, const std::string& clock = "") {
  Observation o;
  o.screen = screen_of(text, clock);
  o.hit.add(static_cast<std::uint32_t>(text.size()));
  return o;
}

Observation crashed(const std::string& type) {
  Observation o;
  o.screen.kind = Screen::Kind::nothing;
  o.crash = Crash{};
  o.crash->chain.push_back({Thrown::Role::top, type, "boom", {{"org.app.Main.onClick", "Main.java", 7}}, 0});
  return o;
}

Event tap(const std::string& label, Point at = {}) {
  Target t;
  t.label = label;
  return Tap{t, at};
}

TEST(History, NewTreeHasARootThatShowsNothing) {
  const History h;
  EXPECT_EQ(h.size(), 1U);
  EXPECT_TRUE(h.contains(h.root()));
  EXPECT_EQ(h.screen(h.root()).kind, Screen::Kind::unseen);
  EXPECT_TRUE(h.hit(h.root()).empty());
  EXPECT_FALSE(h.parent(h.root()));
  EXPECT_TRUE(h.walks(h.root(), std::vector{tap("a")}).front().used == 0);
}

TEST(History, ChildIsEventAndOutcome) {
  History h;
  h.append_root(seen("main"), Heat::cold);
  const Appended first = h.append(h.root(), tap("a"), seen("one"), Heat::cold);
  EXPECT_TRUE(first.new_node && first.new_sample);
  EXPECT_FALSE(first.repeated || first.disagreed);
  const Appended again = h.append(h.root(), tap("a", {5, 5}), seen("one"), Heat::warm);
  EXPECT_EQ(again.node, first.node) << "a point is no part of the key";
  EXPECT_NE(again.event, first.event) << "but it is kept";
  EXPECT_TRUE(again.repeated);
  EXPECT_FALSE(again.new_node || again.new_sample || again.disagreed);
  EXPECT_EQ(again.sample.count, 2U);
  const Appended other = h.append(h.root(), tap("a"), seen("two"), Heat::cold);
  EXPECT_NE(other.node, first.node);
  EXPECT_TRUE(other.new_node && other.repeated && other.disagreed);
  const Appended crash = h.append(h.root(), tap("a"), crashed("E"), Heat::cold);
  EXPECT_NE(h.crash(crash.node), nullptr);
  EXPECT_EQ(h.crash(first.node), nullptr);

  EXPECT_EQ(h.counts(first.node), (Counts{1, 1}));
  EXPECT_EQ(h.children(h.root(), event_key(tap("a"))), (std::vector{first.node, other.node, crash.node}));
  EXPECT_EQ(h.child(h.root(), event_key(tap("a")), h.observation_key(seen("two"))), other.node);
  EXPECT_FALSE(h.child(h.root(), event_key(tap("b")), h.observation_key(seen("two"))));
  EXPECT_EQ(h.agreement().repeats, 3U);
  EXPECT_EQ(h.agreement().disagreed, 2U);
  EXPECT_EQ(h.screen(other.node), screen_of("two"));
}

TEST(History, CrashesAreOneOutcomeBySignature) {
  History h;
  Observation a = crashed("E"), b = crashed("E"), c = crashed("F");
  b.crash->chain[0].message = "another message";
  const NodeId first = h.append(h.root(), tap("x"), a, Heat::cold).node;
  EXPECT_EQ(h.append(h.root(), tap("x"), b, Heat::cold).node, first);
  EXPECT_NE(h.append(h.root(), tap("x"), c, Heat::cold).node, first);
  EXPECT_EQ(h.samples(first).size(), 2U);
  EXPECT_EQ(h.crashes(), 3U);
}

TEST(History, SamplesAreOrderedByFrequency) {
  History h;
  const auto at = [](int x) {
    Observation o = seen("s");
    o.screen.widgets[0].bounds.left = x;  // no part of the structure: another sample of the same outcome
    return o;
  };
  const NodeId n = h.append(h.root(), tap("a"), at(1), Heat::cold).node;
  for (const int x : {2, 3, 3, 2, 3}) EXPECT_EQ(h.append(h.root(), tap("a"), at(x), Heat::cold).node, n);
  std::vector<int> lefts;
  for (const Sample& s : h.samples(n)) lefts.push_back(h.screen(s.screen).widgets[0].bounds.left);
  EXPECT_EQ(lefts, (std::vector{3, 2, 1}));
  EXPECT_EQ(h.screen(n).widgets[0].bounds.left, 3);
}

TEST(History, PathAndTrace) {
  History h;
  h.append_root(seen("main"), Heat::cold);
  const NodeId a = h.append(h.root(), tap("a"), seen("one"), Heat::cold).node;
  const NodeId b = h.append(a, tap("b"), crashed("E"), Heat::cold).node;
  EXPECT_EQ(h.path(b), (std::vector{a, b}));
  EXPECT_EQ(h.events_to(b), (std::vector{tap("a"), tap("b")}));
  const Trace t = h.trace(b);
  ASSERT_EQ(t.steps.size(), 2U);
  EXPECT_EQ(t.start->screen, screen_of("main"));
  EXPECT_EQ(t.steps[0].seen.screen, screen_of("one"));
  EXPECT_TRUE(t.steps[0].seen.hit.contains(3));
  EXPECT_NE(t.crash(), nullptr);
  EXPECT_EQ(h.depth(b), 2U);
}

// ---- volatile texts ----

TEST(Volatile, ThreeValuesOnAlikeScreens) {
  const std::vector<Screen> two{screen_of("a", "1"), screen_of("a", "2")};
  EXPECT_TRUE(volatile_places(two).empty());
  const std::vector<Screen> three{screen_of("a", "1"), screen_of("a", "2"), screen_of("a", "3")};
  EXPECT_EQ(volatile_places(three), (std::set{place_of(three[0], 1)}));
  std::vector<Screen> unlike = three;
  unlike[2].widgets[0].id = "another";
  EXPECT_TRUE(volatile_places(unlike).empty()) << "another structure is another outcome";
  std::vector<Screen> field = three;
  for (Screen& s : field) s.widgets[1].set(Flag::editable);
  EXPECT_TRUE(volatile_places(field).empty());
}

TEST(History, LearnsAClockAndMergesIntoTheOldest) {
  History h;
  h.append_root(seen("main"), Heat::cold);
  std::vector<NodeId> nodes;
  for (const char* time : {"1", "2", "3"}) {
    const Appended done = h.append(h.root(), tap("a"), seen("one", time), Heat::cold);
    nodes.push_back(done.node);
    EXPECT_EQ(done.new_mask, nodes.size() == 3);
    h.append(done.node, tap(std::string("after ") + time), seen("leaf"), Heat::cold);
  }
  EXPECT_EQ(h.mask_version(), 1U);
  EXPECT_EQ(h.mask().places.size(), 1U);
  EXPECT_EQ(h.agreement().disagreed, 0U) << "under the mask they agree";
  const Appended fourth = h.append(h.root(), tap("a"), seen("one", "4"), Heat::cold);
  EXPECT_EQ(fourth.node, nodes[0]);
  EXPECT_TRUE(fourth.new_sample);
  EXPECT_FALSE(fourth.new_node || fourth.disagreed);
  EXPECT_TRUE(h.append(h.root(), tap("a"), seen("other", "4"), Heat::cold).disagreed);
  EXPECT_EQ(h.walks(h.root(), std::vector{tap("a")}).size(), 4U) << "what was seen stays evidence";
  const Walk deep = h.longest_prefix(h.root(), std::vector{tap("a"), tap("after 3")});
  EXPECT_EQ(deep.used, 2U) << "the path goes on below the youngest of the merged";
  EXPECT_EQ(h.parent(deep.end), nodes[2]);
}

TEST(History, LearnsFromTheRoot) {
  History h;
  for (const char* time : {"1", "2", "3"}) h.append_root(seen("main", time), Heat::cold);
  EXPECT_EQ(h.mask_version(), 1U);
  EXPECT_FALSE(h.append_root(seen("main", "4"), Heat::cold).disagreed);
  EXPECT_TRUE(h.append_root(seen("other", "4"), Heat::cold).disagreed);
  EXPECT_EQ(h.size(), 1U);
}

TEST(History, ChaoticEdgeStaysCheap) {
  History h;
  for (int i = 0; i < 3000; ++i) {
    Observation o = seen("x");
    o.screen.widgets[0].id = "id" + std::to_string(i);
    EXPECT_TRUE(h.append(h.root(), tap("a"), o, Heat::cold).new_node);
  }
  EXPECT_EQ(h.mask_version(), 0U);
  EXPECT_EQ(h.children(h.root(), event_key(tap("a"))).size(), 3000U);
  EXPECT_EQ(h.agreement().disagreed, 2999U);
}

// ---- against the list of all runs ----

struct RunStep {
  std::string event, seen;
  Heat heat;
};
using Run = std::vector<RunStep>;
using Outcomes = std::vector<std::string>;  ///< what was seen, step by step: names a node

struct Model {
  std::vector<Run> runs;

  /// Every distinct way the events went from the root, maximal ones only, with how often its end was reached.
  std::map<Outcomes, Counts> walks(const std::vector<std::string>& events) const {
    std::map<Outcomes, Counts> ways;
    for (const Run& run : runs) {
      Outcomes way;
      ways.try_emplace(way);
      for (std::size_t i = 0; i < std::min(run.size(), events.size()) && run[i].event == events[i]; ++i) {
        way.push_back(run[i].seen);
        Counts& c = ways[way];
        ++(run[i].heat == Heat::cold ? c.cold : c.warm);
      }
    }
    std::map<Outcomes, Counts> longest;
    for (const auto& [way, counts] : ways) {
      const auto next = ways.upper_bound(way);  // an extension, if any, follows at once in this order
      const bool extended = next != ways.end() && next->first.size() > way.size() &&
                            std::equal(way.begin(), way.end(), next->first.begin());
      if (!extended) longest.emplace(way, counts);
    }
    return longest;
  }
};

Outcomes outcomes_to(const History& h, NodeId end) {
  Outcomes out;
  for (const NodeId n : h.path(end)) out.push_back(h.crash(n) ? "crash" : h.screen(n).widgets[0].text);
  return out;
}

/// Each event's outcome is a number that depends on what was done, sometimes on chance.
Run random_run(Rng& rng, History& h) {
  static const char* names[] = {"a", "b", "c"};
  Run run;
  NodeId at = h.root();
  h.append_root(seen("main"), Heat::cold);
  const Heat heat = rng.chance(0.3) ? Heat::warm : Heat::cold;
  for (std::size_t i = 0, n = rng.below(7); i < n; ++i) {
    const std::string event = names[rng.below(3)];
    const bool crash = event == "c" && i > 1 && rng.chance(0.5);
    const std::string text = crash ? "crash" : event + (event == "b" && rng.chance(0.3) ? "!" : "");
    const Appended done = h.append(at, tap(event), crash ? crashed("E") : seen(text), heat);
    run.push_back({event, text, heat});
    at = done.node;
    if (crash) break;
  }
  return run;
}

void compare_walks(const History& h, const Model& model, const std::vector<std::string>& names) {
  std::vector<Event> events;
  for (const auto& name : names) events.push_back(tap(name));
  std::map<Outcomes, Counts> found;
  for (const Walk& w : h.walks(h.root(), events)) {
    EXPECT_EQ(w.counts, h.counts(w.end));
    EXPECT_EQ(w.used, h.depth(w.end));
    EXPECT_TRUE(found.emplace(outcomes_to(h, w.end), w.end == h.root() ? Counts{} : w.counts).second);
  }
  EXPECT_EQ(found, model.walks(names));
}

/// The most frequent outcome at each step, by counting runs.
Outcomes likeliest(const Model& model, const std::vector<std::string>& names) {
  Outcomes way;
  for (;;) {
    std::map<std::string, std::size_t> next;
    std::vector<std::string> order;  // oldest first, for ties
    for (const Run& run : model.runs) {
      bool on_way = run.size() > way.size() && way.size() < names.size();
      for (std::size_t i = 0; on_way && i <= way.size(); ++i)
        on_way = run[i].event == names[i] && (i == way.size() || run[i].seen == way[i]);
      if (on_way && next[run[way.size()].seen]++ == 0) order.push_back(run[way.size()].seen);
    }
    if (order.empty()) return way;
    way.push_back(*std::ranges::max_element(order, {}, [&](const std::string& s) { return next[s]; }));
  }
}

TEST(History, AgreesWithTheListOfRuns) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Rng rng(seed);
    History h;
    Model model;
    for (std::size_t i = 0, n = 1 + rng.below(40); i < n; ++i) model.runs.push_back(random_run(rng, h));
    for (int question = 0; question < 20; ++question) {
      std::vector<std::string> names;
      std::vector<Event> events;
      for (std::size_t i = rng.below(7); i-- > 0;) names.push_back(std::string(1, "abc"[rng.below(3)]));
      for (const auto& name : names) events.push_back(tap(name));
      compare_walks(h, model, names);
      const Walk prefix = h.longest_prefix(h.root(), events);
      EXPECT_EQ(outcomes_to(h, prefix.end), likeliest(model, names)) << "seed " << seed;
    }
    EXPECT_EQ(h.counts(h.root()).all(), model.runs.size());
  }
}

/// Counts, homes and agreement again, from the children alone.
void check_homes(const History& h) {
  History::Agreement expected;
  for (std::uint32_t i = 0; i < h.size(); ++i) {
    const NodeId node{i};
    std::set<EventKey> edges;
    for (const NodeId child : h.children(node)) edges.insert(h.event_key(h.event_id(child)));
    for (const EventKey edge : edges) {
      std::map<std::uint64_t, NodeId> oldest;
      std::uint64_t runs = 0;
      for (const NodeId child : h.children(node, edge)) {
        oldest.try_emplace(h.key(child), child);
        runs += h.counts(child).all();
      }
      for (const auto& [key, home] : oldest) EXPECT_EQ(h.child(node, edge, key), home);
      expected.repeats += runs - 1;
      expected.disagreed += oldest.size() - 1;
    }
  }
  EXPECT_EQ(h.agreement().repeats, expected.repeats);
  EXPECT_EQ(h.agreement().disagreed, expected.disagreed);
}

TEST(History, HomesAndAgreementHoldWhileMasksGrow) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    History h;
    std::uint32_t versions = 0;
    for (int run = 0; run < 40; ++run) {
      NodeId at = h.root();
      for (std::size_t i = 0; i < 4; ++i) {
        const std::string name(1, "abc"[rng.below(3)]);
        Observation o = seen(name, rng.chance(0.3) ? std::to_string(rng.below(100)) : "");
        if (name == "c") o.screen.activity = "Other";  // its clock is another place: another growth
        if (rng.chance(0.1)) o.screen.widgets[0].desc = std::to_string(rng.below(5));
        const Appended done = h.append(at, tap(name), o, Heat::cold);
        EXPECT_EQ(done.new_mask, h.mask_version() > versions);
        EXPECT_EQ(h.key(done.node), h.observation_key(o));
        versions = h.mask_version();
        at = done.node;
      }
    }
    EXPECT_GT(versions, 0U);
    check_homes(h);
  }
}

/// Copies a tree part by part, as a store does.
void copy_into(const History& from, History& to) {
  to.set_mask(from.mask());
  for (std::uint32_t i = 0; i < from.screens(); ++i)
    ASSERT_TRUE(to.put_packed_screen(std::string(from.packed(ScreenId{i})), from.hash(ScreenId{i})));
  for (std::uint32_t i = 0; i < from.events(); ++i) to.put_event(from.event(EventId{i}));
  for (std::uint32_t i = 0; i < from.coverages(); ++i) to.put_coverage(from.coverage(CoverageId{i}));
  for (std::uint32_t i = 0; i < from.crashes(); ++i) to.put_crash(from.crash(CrashId{i}));
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    Counts counts = from.counts(NodeId{i});
    const auto samples = from.samples(NodeId{i});
    to.put_node(from.parent(NodeId{i}), from.event_id(NodeId{i}),
                samples.empty() ? Sample{} : samples.front());
    for (const Sample& s : samples) to.put_sample(NodeId{i}, s, std::exchange(counts, {}));
  }
}

TEST(History, PutBackIsTheSameTree) {
  Rng rng(7);
  History h;
  for (int i = 0; i < 100; ++i) random_run(rng, h);
  for (const char* time : {"1", "2", "3", "4"}) h.append(h.root(), tap("t"), seen("one", time), Heat::cold);
  History back;
  copy_into(h, back);
  ASSERT_EQ(back.size(), h.size());
  EXPECT_EQ(back.mask(), h.mask());
  EXPECT_EQ(back.agreement().repeats, h.agreement().repeats);
  EXPECT_EQ(back.agreement().disagreed, h.agreement().disagreed);
  for (std::uint32_t i = 0; i < h.size(); ++i) {
    EXPECT_EQ(back.key(NodeId{i}), h.key(NodeId{i}));
    EXPECT_EQ(back.counts(NodeId{i}), h.counts(NodeId{i}));
    EXPECT_EQ(back.samples(NodeId{i}), h.samples(NodeId{i}));
    EXPECT_EQ(back.children(NodeId{i}), h.children(NodeId{i}));
  }
  EXPECT_EQ(back.append(back.root(), tap("t"), seen("one", "5"), Heat::cold),
            h.append(h.root(), tap("t"), seen("one", "5"), Heat::cold));
}

// ---- readers beside the writer ----

/// What a reader may rely on at any moment.
void check_reader_view(const History& h, Rng& rng) {
  const auto n = static_cast<std::uint32_t>(h.size());
  const NodeId node{static_cast<std::uint32_t>(rng.below(n))};
  ASSERT_FALSE(h.samples(node).empty());
  ASSERT_FALSE(h.screen(node).widgets.empty() && !h.crash(node));
  for (const NodeId child : h.children(node)) ASSERT_EQ(h.parent(child), node);
  const auto events = h.events_to(node);
  bool found = false;
  for (const Walk& w : h.walks(h.root(), events))
    for (const NodeId on : h.path(w.end)) found = found || on == node;
  ASSERT_TRUE(found || node == h.root());
  ASSERT_LE(h.longest_prefix(h.root(), events).used, events.size());
}

TEST(History, ReadersBesideTheWriter) {
  History h;
  h.append_root(seen("main"), Heat::cold);
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    readers.emplace_back([&, seed] {
      Rng rng(seed);
      while (!stop) check_reader_view(h, rng);
    });
  Rng rng(99);
  for (int i = 0; i < 400; ++i) {
    NodeId at = h.root();
    for (int depth = 0; depth < 12; ++depth) {
      const std::string name(1, static_cast<char>('a' + rng.below(4)));
      const std::string clock = rng.chance(0.05) ? std::to_string(i) : "";  // makes the mask grow on the way
      at = h.append(at, tap(name), seen(name, clock), Heat::cold).node;
    }
  }
  stop = true;
  for (auto& reader : readers) reader.join();
  EXPECT_GT(h.size(), 1000U);
  EXPECT_GT(h.mask_version(), 0U);
}

}  // namespace
}  // namespace norn

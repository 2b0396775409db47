#include "model/model.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <map>

#include "base/patience.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

Widget widget(const std::string& cls, const std::string& id, const std::string& text = {}) {
  Widget w;
  w.cls = "android.widget." + cls, w.id = id, w.text = text;
  w.set(Flag::enabled), w.set(Flag::visible);
  if (cls == "Button") w.set(Flag::clickable);
  return w;
}

Screen page(const std::string& activity, const std::vector<std::string>& buttons,
            const std::vector<std::string>& rows = {}, const std::string& note = {}) {
  Screen s;
  s.package = "org.app", s.activity = activity;
  std::vector<std::int32_t> depths{0, 1};
  s.widgets = {widget("FrameLayout", ""), widget("TextView", "note", note)};
  for (const auto& b : buttons) s.widgets.push_back(widget("Button", b)), depths.push_back(1);
  s.widgets.push_back(widget("ListView", "list")), depths.push_back(1);
  for (const auto& r : rows) s.widgets.push_back(widget("Button", "row", r)), depths.push_back(2);
  link_by_depth(s.widgets, depths);
  return s;
}

Event tap(const std::string& id) {
  Tap t;
  t.target.cls = "android.widget.Button", t.target.id = id;
  return t;
}

NodeId go(History& tree, NodeId from, const Event& event, const Screen& to) {
  Observation seen;
  seen.screen = to;
  return tree.append(from, event, seen, Heat::cold).node;
}
NodeId begin(History& tree, const Screen& screen) {
  Observation seen;
  seen.screen = screen;
  return tree.append_root(seen, Heat::cold).node;
}

TEST(Layouts, SimilarMeansTheSameEvents) {
  Layouts layouts;
  const Screen a = page("Main", {"ok", "more"}, {"x"}, "one"),
               b = page("Main", {"ok", "more"}, {"y", "z"}, "two"), c = page("Main", {"ok"}, {"x"}),
               d = page("Other", {"ok", "more"}, {"x"});
  EXPECT_TRUE(layouts.similar(a, c));  // nothing was ever sent to "more"
  EXPECT_TRUE(layouts.saw(tap("more"), a));
  EXPECT_FALSE(layouts.saw(tap("more"), b));
  layouts.reset();
  EXPECT_TRUE(layouts.similar(a, b));   // texts and the number of equal rows do not count
  EXPECT_FALSE(layouts.similar(a, c));  // "more" has no counterpart
  EXPECT_FALSE(layouts.similar(a, d));
  EXPECT_EQ(layouts.of(a), layouts.of(b));
  EXPECT_NE(layouts.of(a), layouts.of(c));
  Screen home;
  home.kind = Screen::Kind::outside, home.package = "launcher";
  EXPECT_NE(layouts.of(home), layouts.of(c));
  EXPECT_TRUE(layouts.similar(home, home));
}

TEST(Role, FindsTheSameEventOnOtherData) {
  const Screen a = page("Main", {}, {"milk"}), b = page("Main", {}, {"eggs", "milk"});
  Tap t;
  t.target = make_target(a, 3);
  const auto role = role_of(t, a);
  ASSERT_TRUE(role);
  const auto there = in_role(t, *role, b);
  ASSERT_EQ(there.size(), 2U);
  EXPECT_EQ(receiver_of(there[0], b), 4U);  // the same label first
  EXPECT_EQ(role_of(there[0], b)->specific, role->specific);
  EXPECT_NE(role_of(there[1], b)->specific, role->specific);
  EXPECT_EQ(role_of(there[1], b)->general, role->general);
}

/// Main -more-> List -back-> Main ..., twice, and a dialog.
struct Small {
  History tree;
  Screen main = page("Main", {"more", "ask"}), list = page("List", {"back"}, {"a"}),
         dialog = page("Main", {"yes", "no"});
  std::vector<NodeId> ends;
  Small() {
    const NodeId root = begin(tree, main);
    NodeId at = go(tree, root, tap("more"), list);
    at = go(tree, at, tap("back"), main);
    at = go(tree, at, tap("more"), list);
    ends.push_back(go(tree, at, tap("back"), main));
    at = go(tree, root, tap("ask"), dialog);
    ends.push_back(go(tree, at, tap("no"), main));
  }
};

TEST(Model, FoldsLoops) {
  Small s;
  Model model(s.tree);
  for (const NodeId end : s.ends) model.add(end);
  model.mine();
  EXPECT_EQ(model.states(), 3U) << model.text();
  EXPECT_EQ(model.state_of(s.ends[0]), model.initial());
  EXPECT_EQ(model.members(model.initial()).size(), 4U);
  EXPECT_NE(model.dot().find("->"), std::string::npos);
}

TEST(Model, DissimilarOutcomesSplitAndAFailedMergeLeavesNothing) {
  Small s;
  // After "no", "more" leads to a page without anything: main-after-no cannot be main.
  const NodeId odd = go(s.tree, s.ends[1], tap("more"), page("Empty", {"back"}));
  Model model(s.tree);
  for (const NodeId end : {s.ends[0], s.ends[1], odd}) model.add(end);
  model.mine();
  EXPECT_NE(model.state_of(s.ends[1]), model.initial());
  EXPECT_EQ(model.layout_of(s.ends[1]), model.layout(model.initial()));
  EXPECT_EQ(model.state_of(s.ends[0]), model.initial());
}

TEST(Model, FlakyEdgesAreShownNotWalked) {
  History tree;
  const NodeId root = begin(tree, page("Main", {"go"}));
  const NodeId one = go(tree, root, tap("go"), page("A", {"x"}));
  const NodeId two = go(tree, root, tap("go"), page("B", {"y"}));
  Model model(tree);
  model.add(one), model.add(two);
  model.mine();
  ASSERT_EQ(model.edges(model.initial()).size(), 1U);
  EXPECT_TRUE(model.edges(model.initial())[0].flaky);
  Rng rng(1);
  EXPECT_TRUE(model.random_walk(model.state_of(one), 5, rng).empty());
}

/// A random app over a few pages: mined step by step or at once, the model is deterministic and explains
/// every trace.
RC_GTEST_PROP(Model, IncrementalModelsExplainEveryTrace, ()) {
  const auto pages = *rc::gen::inRange<std::size_t>(2, 6);
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<Screen> screens;
  for (std::size_t p = 0; p < pages; ++p)
    screens.push_back(page(fmt::format("P{}", p % 3), {fmt::format("b{}", p / 3), "c"}));
  History tree;
  begin(tree, screens[0]);
  Model model(tree);
  std::vector<NodeId> ends;
  for (int t = 0; t < 6; ++t) {
    NodeId at = tree.root();
    std::size_t p = 0;
    bool odd = false;
    for (int i = 0; i < 8; ++i) {
      const bool c = rng.chance(0.5);
      odd = odd != c;
      p = (p * 3 + (c ? 1 : 2) + (odd ? 1 : 0)) % pages;  // depends on something the screens do not show
      at = go(tree, at, tap(c ? "c" : fmt::format("b{}", i % 2)), screens[p]);
    }
    model.add(at);
    model.mine();
    ends.push_back(at);
  }
  for (const NodeId end : ends)
    for (const NodeId node : tree.path(end)) {
      const ModelState from = model.state_of(tree.parent(node)), to = model.state_of(node);
      RC_ASSERT(bool(from) && bool(to));
      bool explained = false;
      for (const ModelEdge& e : model.edges(from))
        if (tree.event_key(e.event) == tree.event_key(tree.event_id(node))) explained = e.to == to || e.flaky;
      RC_ASSERT(explained);
      RC_ASSERT(model.layout(to) == model.layout_of(node));
    }
}

TEST(Model, RandomWalksEndAtTheirTargetAndChooseEvenly) {
  Small s;
  Model model(s.tree);
  for (const NodeId end : s.ends) model.add(end);
  model.mine();
  const ModelState dialog = model.state_of(s.tree.parent(s.ends[1]));
  Rng rng(3);
  std::map<std::size_t, int> lengths;
  for (int i = 0; i < 2000; ++i) {
    const auto walk = model.random_walk(dialog, 8, rng);
    ASSERT_FALSE(walk.empty());
    ASSERT_LE(walk.size(), 8U);
    EXPECT_EQ(walk.back().to, dialog);
    ++lengths[walk.size()];
  }
  // From main half of the walks go straight to the dialog, and half of those stop there.
  EXPECT_NEAR(lengths[1] / 2000.0, 0.25, 0.04);
}

TEST(Model, TwentyThousandStepsTakeSeconds) {
  History tree;
  std::vector<Screen> screens;
  for (int p = 0; p < 40; ++p)
    for (int n = 0; n < 5; ++n)
      screens.push_back(page(fmt::format("P{}", p), {"next", "back", fmt::format("own{}", p)},
                             std::vector<std::string>(static_cast<std::size_t>(n), "row"),
                             fmt::format("{} items", n)));
  begin(tree, screens[0]);
  Model model(tree);
  Rng rng(1);
  for (int t = 0; t < 200; ++t) {
    NodeId at = tree.root();
    std::size_t p = 0;
    for (int i = 0; i < 100; ++i) {
      const bool next = rng.chance(0.6);
      p = next ? (p + 7) % screens.size() : (p + screens.size() - 3) % screens.size();
      at = go(tree, at, tap(next ? "next" : "back"), screens[p]);
    }
    model.add(at);
  }
  const auto begun = ComputingClock::now();
  model.mine();
  const double seconds = std::chrono::duration<double>(ComputingClock::now() - begun).count();
  EXPECT_GT(model.nodes(), 10000U);
  EXPECT_LT(seconds, 5) << model.states();
}

}  // namespace
}  // namespace norn

#include "detect/odin/cluster.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace norn {
namespace {

Widget widget(const std::string& cls, const std::string& id, const std::string& text = {}) {
  Widget w;
  w.cls = "android.widget." + cls, w.id = id, w.text = text;
  w.set(Flag::enabled), w.set(Flag::visible);
  if (cls == "Button") w.set(Flag::clickable);
  return w;
}
Screen page(const std::string& activity, const std::vector<std::string>& rows,
            const std::string& clock = {}) {
  Screen s;
  s.package = "org.app", s.activity = activity;
  std::vector<std::int32_t> depths{0, 1, 1};
  s.widgets = {widget("FrameLayout", ""), widget("TextView", "clock", clock), widget("ListView", "list")};
  for (const auto& r : rows) s.widgets.push_back(widget("Button", "row", r)), depths.push_back(2);
  link_by_depth(s.widgets, depths);
  return s;
}

/// A tree whose root has one child per pair: before and after of each behaviour are made to measure.
class Pairs {
 public:
  Pairs() {
    Observation seen;
    seen.screen = page("Start", {});
    tree.append_root(seen, Heat::cold);
  }
  void add(const Screen& before, const Screen& after) {
    Observation seen;
    seen.screen = before;
    const NodeId b =
        tree.append(tree.root(), Wait{static_cast<std::int32_t>(all.size())}, seen, Heat::cold).node;
    seen.screen = after;
    all.push_back({b, tree.append(b, Key{key::enter}, seen, Heat::cold).node});
  }
  Clustering run(ClusterOptions options = {}) {
    Prints prints(tree, options.texts || options.simple);
    return cluster(all, prints, options);
  }
  History tree;
  std::vector<Behaviour> all;
};

TEST(Cluster, DataIsForgottenDeviationIsNot) {
  Pairs p;
  for (int i = 0; i < 19; ++i)  // opens a detail page, whatever the row is called
    p.add(page("Main", {fmt::format("row {}", i)}, "10:00"), page("Detail", {}, fmt::format("about {}", i)));
  p.add(page("Main", {"row 99"}, "11:00"), page("Installer", {}, "install?"));
  const Clustering found = p.run();
  ASSERT_EQ(found.clusters.size(), 2U);
  EXPECT_EQ(found.clusters[1].judged.finding, Finding::anomalous);
  EXPECT_EQ(found.clusters[1].members, (std::vector<std::uint32_t>{19}));
  // With texts compared, the data must be forgotten first, and then the same is found.
  const Clustering texts = p.run({.texts = true});
  EXPECT_TRUE(texts.any(Finding::anomalous));
  EXPECT_TRUE(texts.rules.has(Rule::text));
}

TEST(Cluster, TextDeviationsAreFoundWhenAskedFor) {
  Pairs p;
  for (int i = 0; i < 19; ++i) p.add(page("Main", {"a"}, "1"), page("Main", {"a"}, "2"));
  p.add(page("Main", {"a"}, "1"), page("Main", {"a"}, "-1"));
  EXPECT_FALSE(p.run().any(Finding::anomalous));
  EXPECT_TRUE(p.run({.texts = true}).any(Finding::anomalous));
}

TEST(Cluster, AlikeBehavioursAreOneCluster) {
  Pairs p;
  for (int i = 0; i < 20; ++i) p.add(page("Main", {"a"}), page("Main", {"a", fmt::format("new {}", i)}));
  EXPECT_EQ(p.run().clusters.size(), 1U);
}

TEST(Cluster, SimpleSeesClassesOfInteractiveWidgetsOnly) {
  Pairs p;
  for (int i = 0; i < 19; ++i) p.add(page("Main", {}), page("Main", {}, "saved"));
  p.add(page("Main", {}), page("Error", {}, "failed"));
  ClusterOptions simple{.simple = true};
  simple.anomaly.rule = AnomalyRule::all;
  EXPECT_FALSE(p.run(simple).any(Finding::anomalous));
  EXPECT_EQ(p.run(simple).clusters.size(), 1U);
  EXPECT_TRUE(p.run().any(Finding::anomalous));
}

}  // namespace
}  // namespace norn

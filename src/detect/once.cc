// A list does not hold everything twice: one event that adds two or more rows, each equal to one that is there, has loaded or copied
// again what was there already. A single equal row may well be meant.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

class Once final : public Expectation {
 public:
  Once(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "once"; }
  Learnt learnt() const override { return {.least = 0, .failing = 1, .chance = 1}; }  // stands by itself

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const ScreenData &before = data_.of(tree_.parent(node)), &here = data_.of(node);
    if (before.page != here.page) return;
    for (const ShownTable& t : here.tables) {
      const ShownTable* was = before.table(t.name);
      if (!was || t.rows.size() < 2) continue;
      const bool held = again(*was, t) < 2;
      out.push_back(
          {Hasher().add(here.page).add(t.name).finish(), held, t.content(),
           Hasher().add(here.page).add(t.name).finish(),
           held ? "" : fmt::format("\"{}\" and others are there twice", printable(t.rows.back().title()))});
    }
  }

 private:
  /// Different rows of `was` that are there more often than before, if nothing else is new.
  static std::size_t again(const ShownTable& was, const ShownTable& now) {
    std::multiset<std::uint64_t> before, after;
    for (const ShownRow& r : was.rows) before.insert(r.content);
    for (const ShownRow& r : now.rows) after.insert(r.content);
    std::size_t out = 0;
    for (auto at = after.begin(); at != after.end(); at = after.upper_bound(*at)) {
      if (!before.contains(*at)) return 0;
      out += after.count(*at) > before.count(*at);
    }
    return out;
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_once(const History& tree, DataCache& data) {
  return std::make_unique<Once>(tree, data);
}

}  // namespace norn

// What comes once does not come twice.
//   again   one event that adds two or more rows, each equal to one that is there, has loaded or copied again
//           what was there already. A single equal row may well be meant
//   double  what adds one row whenever it is done adds two that say the same
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr std::size_t often = 4;  ///< different lists to which something added one row: so it does as a rule

class Once final : public Expectation {
 public:
  Once(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "once"; }
  Learnt learnt() const override { return {.least = 0, .failing = 1, .chance = 1}; }  // stands by itself

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root()) return;
    const ScreenData &before = data_.of(tree_.parent(node)), &here = data_.of(node);
    if (before.page != here.page) return;
    const bool touched = !std::holds_alternative<Type>(tree_.event(tree_.event_id(node))) &&
                         before.mode == here.mode;  // else another part of the list may show
    for (const ShownTable& t : here.tables) {
      const ShownTable* was = before.table(t.name);
      if (!was) continue;
      if (touched) added(node, *was, t, out);
      if (t.rows.size() < 2 || std::ranges::any_of(t.rows, is_nameless)) continue;
      const bool held = again(*was, t) < 2;
      out.push_back(
          {Hasher().add(here.page).add(t.name).finish(), held, t.content(),
           Hasher().add(here.page).add(t.name).finish(),
           held ? "" : fmt::format("\"{}\" and others are there twice", printable(t.rows.back().title()))});
    }
  }

 private:
  /// Nothing but a check or a picture: it looks like others.
  static bool is_nameless(const ShownRow& row) {
    return std::ranges::none_of(
        row.cells, [](const ShownValue& v) { return v.kind == ShownValue::Kind::text && !v.text.empty(); });
  }
  /// Rows were added and none went. What was there before may have been a notice that there is nothing.
  void added(NodeId node, const ShownTable& was, const ShownTable& now, std::vector<Case>& out) {
    std::multiset<std::uint64_t> come;
    for (const ShownRow& r : now.rows) come.insert(r.content);
    for (const ShownRow& r : was.rows)
      if (const auto at = come.find(r.content); at != come.end())
        come.erase(at);
      else if (was.rows.size() > 1 || was.whole)
        return;
    if (come.empty()) return;
    const std::uint64_t deed = Hasher().add(data_.of(node).page).add(now.name).add(data_.deed(node)).finish();
    if (come.size() == 1) ones_[deed].insert(now.content());
    if (come.size() != 2 || *come.begin() != *come.rbegin() || ones_[deed].size() < often ||
        were_listed(node, *come.begin()))
      return;
    out.push_back({Hasher().add("double").add(deed).finish(), false, now.content(),
                   Hasher().add("double").add(data_.of(node).page).add(now.name).finish(),
                   fmt::format("one {} adds \"{}\" twice", describe(tree_.event(tree_.event_id(node))),
                               printable(now.rows.back().title()))});
  }

  /// Both were there at some time on the way: they are shown again.
  bool were_listed(NodeId node, std::uint64_t content) {
    while (node != tree_.root()) {
      node = tree_.parent(node);
      for (const ShownTable& t : data_.of(node).tables)
        if (std::ranges::count(t.rows, content, &ShownRow::content) > 1) return true;
    }
    return false;
  }

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
  std::map<std::uint64_t, std::set<std::uint64_t>> ones_;  ///< lists to which this was seen to add one row
};

}  // namespace

std::unique_ptr<Expectation> expect_once(const History& tree, DataCache& data) {
  return std::make_unique<Once>(tree, data);
}

}  // namespace norn

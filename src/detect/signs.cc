// One sign of money at a time: two pages, one opened from the other, show amounts in the same currency. Learnt over the whole app, from at least two currencies: whoever chooses another one sees it on
// every page. A page that shows several has its reasons.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/expectations.h"

namespace norn {
namespace {

class Signs final : public Expectation {
 public:
  Signs(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "signs"; }
  Learnt learnt() const override { return {.least = 2, .failing = 0.25, .fewest = 2}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root() || tree_.screen(node).kind != Screen::Kind::app) return;
    NodeId before = tree_.parent(node);
    while (data_.of(before).popup && before != tree_.root()) before = tree_.parent(before);  // through a menu
    const ScreenData &was = data_.of(before), &now = data_.of(node);
    if (was.page == now.page || was.popup || now.popup) return;
    const std::string_view there = only_sign(was), here = only_sign(now);
    if (there.empty() || here.empty()) return;
    const bool held = there == here;
    out.push_back(
        {.group = hash_bytes("signs"),
         .held = held,
         .value = Hasher().add(was.page).add(now.page).add(there).add(here).finish(),
         .wrong = Hasher().add("signs").add(std::min(was.page, now.page)).finish(),
         .words = held ? "" : fmt::format("amounts are in {} on one page and in {} on the next", there, here),
         .sort = hash_bytes(here)});
  }

 private:
  /// Beside the amounts of a page; none: there is none, or there are several.
  static std::string_view only_sign(const ScreenData& d) {
    std::string_view out;
    bool several = false;
    const auto look_at = [&](const ShownValue& v) {
      if (v.kind != ShownValue::Kind::text || numbers_in(v.text).empty()) return;
      if (const std::string_view sign = sign_of_money(v.text); !sign.empty())
        several = several || (!out.empty() && out != sign), out = sign;
    };
    std::ranges::for_each(d.values, look_at);
    for (const ShownTable& t : d.tables)
      for (const ShownRow& row : t.rows) std::ranges::for_each(row.cells, look_at);
    return several ? std::string_view() : out;
  }

  const History& tree_;
  DataCache& data_;
};

}  // namespace

std::unique_ptr<Expectation> expect_signs(const History& tree, DataCache& data) {
  return std::make_unique<Signs>(tree, data);
}

}  // namespace norn

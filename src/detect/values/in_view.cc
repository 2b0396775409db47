// A number that counts or adds up the rows of a list counts those that are shown: where a filter, a search or
// a tab that leaves some of them changes it with them as a rule, every one does. Compared are two visits of a
// page, the second showing some of the rows of the first, with the number right for the first: it is right
// for the second, or still says what it said. It must follow whatever is done to show fewer, of which at
// least three different things were seen: a balance follows the account that is chosen, and nothing else.
// What can be touched speaks of what is behind it: the number on a tab is that of its own list.
#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/aggregates.h"
#include "detect/values/expectations.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t longest_choosing_of_a_view = 5;  ///< events, through menus

/// It, or what holds it: a tab with its text.
bool can_be_touched(const Screen& screen, std::size_t widget) {
  for (auto i = static_cast<std::int32_t>(widget); i >= 0;
       i = screen.widgets[static_cast<std::size_t>(i)].parent)
    if ((accepted_by(screen.widgets[static_cast<std::size_t>(i)]) & accepts_tap) != 0) return true;
  return false;
}

class InView final : public Expectation {
 public:
  InView(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "in_view"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.34}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || now.tables.empty()) return;
    const NodeId before = data_.last_visit(node, longest_choosing_of_a_view);
    if (!before || data_.of(before).mode == now.mode) return;
    const ScreenData& was = data_.of(before);
    for (const ShownTable& t : now.tables)
      if (const ShownTable* all = was.table(t.name); all && t.whole && all->whole && some_of(t, *all))
        numbers(node, was, *all, t, out);
  }

 private:
  static bool some_of(const ShownTable& some, const ShownTable& all) {
    return !some.rows.empty() && some.rows.size() < all.rows.size() && rows_missing(some, all).empty();
  }

  void numbers(NodeId node, const ScreenData& was, const ShownTable& all, const ShownTable& some,
               std::vector<Case>& out) {
    const ScreenData& now = data_.of(node);
    const auto of_all = aggregates_of(all, marks_.of(was, all)),
               of_some = aggregates_of(some, marks_.of(now, some));
    const auto before = numbers_of(was);
    auto after = numbers_of(now);
    std::erase_if(after,
                  [&](const Number& n) { return can_be_touched(tree_.screen(node), n.shown->widget); });
    for (const Aggregate& a : of_all)
      for (const Aggregate& b : of_some)
        for (const Number& m : before)
          for (const Number& n : after)
            if (a.name == b.name && m.name == n.name && b.expected && same_number(a.is, m.is) &&
                std::abs(a.is - b.is) > a.slack + b.slack + 1e-9)
              compare(node, some, b, m, n, out);
  }
  void compare(NodeId node, const ShownTable& t, const Aggregate& a, const Number& was, const Number& is,
               std::vector<Case>& out) {
    const ScreenData& now = data_.of(node);
    const bool held = same_number(a.is, is.is);
    if (!held && !same_number(was.is, is.is)) return;
    out.push_back({.group = Hasher().add(now.page).add(t.name).add(a.name).add(is.name).finish(),
                   .held = held,
                   .value = Hasher().add(now.mode).add(t.content()).finish(),
                   .wrong = Hasher().add(now.page).add(is.name).finish(),
                   .words = held ? ""
                                 : fmt::format("\"{}\" as before, but {} {:g} now", printable(is.shown->text),
                                               a.words, a.is),
                   .sort = data_.deed(node),
                   .cause = data_.deed(node)});
  }

  const History& tree_;
  DataCache& data_;
  Marks marks_;
};

}  // namespace

std::unique_ptr<Expectation> expect_in_view(const History& tree, DataCache& data) {
  return std::make_unique<InView>(tree, data);
}

}  // namespace norn

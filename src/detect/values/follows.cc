// A number beside a list goes with it: whatever else it counts, when rows come or go, it changes by as much.
// So "3 out" may count two tabs of which one is shown. Compared are two visits of a page in the same mode
// with nothing else of that page between them; what changes while another tab is shown or something else is
// chosen says nothing. It must
// go with the list whatever is done, of which at least three different things were seen. What changes it for
// some rows only (unread ones) fails as often as it does.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/reading/aggregates.h"
#include "detect/values/expectations.h"

namespace norn {
namespace {

constexpr std::size_t longest_absence = 12;  ///< events between two visits

class Follows final : public Expectation {
 public:
  Follows(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "follows"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.25, .rivals = true}; }

  void look(NodeId node, std::vector<Case>& out) override {
    const ScreenData& now = data_.of(node);
    if (now.popup || now.filtered() || now.tables.empty()) return;
    const NodeId before = data_.last_visit(node, longest_absence);
    const bool part = first_chosen_.try_emplace(now.page, now.chosen).first->second != now.chosen;
    if (!before || data_.of(before).mode != now.mode || data_.of(before).chosen != now.chosen) return;
    const ScreenData& was = data_.of(before);
    for (const ShownTable& t : now.tables)
      if (const ShownTable* old = was.table(t.name); old && t.whole && old->whole)
        changes(before, node, was, now, *old, t, part, out);
  }

 private:
  /// What was done last on the way back to the page, but for going back.
  std::uint64_t done(NodeId before, NodeId node) {
    for (NodeId n = node; n != before; n = tree_.parent(n))
      if (!std::holds_alternative<Key>(tree_.event(tree_.event_id(n)))) return data_.deed(n);
    return data_.deed(node);
  }

  void changes(NodeId before, NodeId node, const ScreenData& was, const ScreenData& now,
               const ShownTable& old, const ShownTable& t, bool part, std::vector<Case>& out) {
    const double by = static_cast<double>(t.rows.size()) - static_cast<double>(old.rows.size());
    if (same_number(by, 0)) return;
    // Of another thing, of rows that are not all alike, of ticked ones, which it may leave out, or where it was
    // chosen what is shown (a row that is changed may go from it), it need not hold: where it does not, it is no
    // rule.
    const bool tells = !part && !t.mixed && !old.mixed && data_.about(before) == data_.about(node) &&
                       !data_.chose_what_is_shown(node) && !any_ticked(rows_missing(old, t)) &&
                       !any_ticked(rows_missing(t, old));
    const auto numbers = numbers_of(was);
    for (const Number& n : numbers_of(now))
      for (const Number& m : numbers)
        if (n.name == m.name && !somebody_typed(tree_, node, n.shown->text))
          compare(now, t, done(before, node), by, n, n.is - m.is, tells && !adds_up(old, t, n.is - m.is),
                  out);
  }
  static bool any_ticked(const std::vector<const ShownRow*>& rows) {
    return std::ranges::any_of(rows, [](const ShownRow* row) { return is_ticked(*row); });
  }
  /// It has changed as what the rows add up to: it is a sum of theirs, and no count.
  bool adds_up(const ShownTable& old, const ShownTable& t, double changed) const {
    const auto was = aggregates_of(old, {}), is = aggregates_of(t, {});
    return changed != 0 && std::ranges::any_of(is, [&](const Aggregate& a) {
             const auto before = std::ranges::find(was, a.name, &Aggregate::name);
             return a.words == "the rows add up to" && before != was.end() &&
                    same_number(a.is - before->is, changed);
           });
  }

  void compare(const ScreenData& now, const ShownTable& t, std::uint64_t deed, double by, const Number& n,
               double changed, bool tells, std::vector<Case>& out) {
    const bool held = same_number(by, changed);
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    const std::uint64_t numbers =
        Hasher().add(t.rows.size()).add(bits(by)).add(bits(n.is)).add(bits(changed)).finish();
    const std::uint64_t group = Hasher().add(now.page).add(t.name).add(n.name).finish();
    out.push_back({group, held, Hasher().add(deed).add(numbers).finish(),
                   Hasher().add(now.page).add(n.name).finish(),
                   held || !tells ? ""
                                  : fmt::format("\"{}\" has changed by {:g}, the rows by {:g}",
                                                printable(n.shown->text), changed, by),
                   now.mode, deed, false, deed});
  }

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, std::uint64_t> first_chosen_;  ///< by page: what its choices said at first
};

}  // namespace

std::unique_ptr<Expectation> expect_follows(const History& tree, DataCache& data) {
  return std::make_unique<Follows>(tree, data);
}

}  // namespace norn

// Numbers of different pages that go together: when what the entries of one page add up to has changed, the
// balance on another has changed by as much, whatever was done. They need not be equal, since each may count
// more than the other shows. Compared are two visits of each page in the same mode, with nothing but going
// from one to the other between the first two visits and between the last two. Which go together is learnt,
// from at least three different things that were done; what is done may leave them alike in one way only
// (adding, not deleting), and this way counts once.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/list_steps.h"
#include "detect/reading/aggregates.h"
#include "detect/values/expectations.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t longest_round = 40;  ///< events from the first of the four visits to the last

class Together final : public Expectation {
 public:
  Together(const History& tree, DataCache& data) : tree_(tree), data_(data) {}
  std::string_view name() const override { return "together"; }
  Learnt learnt() const override { return {.least = 3, .failing = 0.2, .fewest = 2, .rivals = true}; }

  void look(NodeId node, std::vector<Case>& out) override {
    if (node == tree_.root() || !countable(node)) return;
    if (data_.of(tree_.parent(node)).page == data_.of(node).page) return;
    const NodeId there = came_from(node);
    const NodeId was_here = there ? before(there, node) : NodeId{};
    if (!was_here) return;
    const NodeId was_there = beside(was_here, there);
    if (was_there && of_one_thing(was_here) && of_one_thing(was_there) && of_one_thing(there) &&
        set_as_usual(node) && set_as_usual(there))
      compare(was_here, node, was_there, there, out);
  }

 private:
  /// The page was opened by no row whose name another has, too: else which of them it is about cannot be seen.
  bool of_one_thing(NodeId node) { return data_.of_one_row(data_.opened(node)); }
  /// What can be chosen beside its lists says what it said when the page was first seen: of another category
  /// other rows are shown.
  bool set_as_usual(NodeId node) {
    std::string choices;
    const Screen& screen = tree_.screen(node);
    for (const ShownValue& v : data_.of(node).values)
      if (v.kind == ShownValue::Kind::text && can_be_touched(screen, v.widget))
        choices += words_beside_numbers(v.text) + "\n";
    return usual_.try_emplace(data_.of(node).page, choices).first->second == choices;
  }
  static bool can_be_touched(const Screen& screen, std::size_t i) {
    const std::int32_t parent = screen.widgets[i].parent;
    return (accepted_by(screen.widgets[i]) & accepts_tap) != 0 ||
           (parent >= 0 &&
            (accepted_by(screen.widgets[static_cast<std::size_t>(parent)]) & accepts_tap) != 0);
  }
  bool countable(NodeId node) {
    const ScreenData& d = data_.of(node);
    return !d.popup && !d.filtered() && tree_.screen(node).kind == Screen::Kind::app &&
           std::ranges::all_of(d.tables, &ShownTable::whole);
  }
  /// The event into this node does nothing but open a page, a menu, or go back.
  bool only_goes(NodeId node) {
    const ScreenData &was = data_.of(tree_.parent(node)), &now = data_.of(node);
    const Event& event = tree_.event(tree_.event_id(node));
    const auto i = receiver_of(event, tree_.screen(tree_.parent(node)));
    return was.page != now.page && !was.has_field() &&
           (std::holds_alternative<Tap>(event) || std::holds_alternative<Key>(event)) &&
           !(i && says_deleting(tree_.screen(tree_.parent(node)), *i));
  }
  /// The last other page with numbers before this one, with nothing but going since; a menu may lead from one
  /// page to another, not back to the same.
  NodeId came_from(NodeId node) {
    NodeId page = node;
    for (NodeId n = node; n != tree_.root() && only_goes(n);) {
      n = tree_.parent(n);
      const ScreenData& d = data_.of(n);
      if (d.popup) continue;
      if (d.page == data_.of(page).page) return {};
      if (countable(n) && d.page != data_.of(node).page && has_numbers(d)) return n;
      page = n;
    }
    return {};
  }
  static bool has_numbers(const ScreenData& d) { return !numbers_of(d).empty() || !d.tables.empty(); }

  /// The last visit of the node's page before `there`, as it is set now.
  NodeId before(NodeId there, NodeId node) {
    const ScreenData& now = data_.of(node);
    for (std::size_t k = 0; k < longest_round && there != tree_.root(); ++k) {
      there = tree_.parent(there);
      if (data_.of(there).page == now.page)
        return only_data_differs(data_.of(there), now) && countable(there) ? there : NodeId{};
    }
    return {};
  }
  /// A visit of the page of `there` just before or after the first visit of the other.
  NodeId beside(NodeId was_here, NodeId there) {
    const auto alike = [&](NodeId n) {
      return n && only_data_differs(data_.of(n), data_.of(there)) && countable(n);
    };
    if (const NodeId n = came_from(was_here); alike(n)) return n;
    std::vector<NodeId> way;  // from the first visit to the last one of the other page
    for (NodeId n = there; n != was_here; n = tree_.parent(n)) way.push_back(n);
    for (std::size_t k = way.size(); k-- > 1;) {
      if (!only_goes(way[k])) return {};
      if (data_.of(way[k]).page == data_.of(there).page) return alike(way[k]) ? way[k] : NodeId{};
    }
    return {};
  }

  struct Total {
    std::uint64_t name = 0;
    double is = 0;
    std::string text;
    bool of_a_list = false;
  };
  static std::vector<Total> totals(const ScreenData& d) {
    std::vector<Total> out;
    for (const Number& n : numbers_of(d)) out.push_back({n.name, n.is, n.shown->text});
    for (const ShownTable& t : d.tables)
      for (const Aggregate& a : aggregates_of(t, {}))
        if (a.expected) out.push_back({Hasher().add(t.name).add(a.name).finish(), a.is, a.words, true});
    return out;
  }
  /// A number of this page that some list of the page itself comes to: what the page lists says why it
  /// changed, or did not.
  static bool is_shown_why(const ScreenData& was, const ScreenData& now, std::uint64_t number) {
    const auto of = [&](const ScreenData& d) {
      std::set<std::uint64_t> out;
      const auto all = numbers_of(d);
      const auto at = std::ranges::find(all, number, &Number::name);
      for (const ShownTable& t : d.tables)
        for (const Aggregate& a : aggregates_of(t, {}))
          if (at != all.end() && same_number(a.is, at->is))
            out.insert(Hasher().add(t.name).add(a.name).finish());
      return out;
    };
    const auto before = of(was), after = of(now);
    return std::ranges::any_of(after, [&](std::uint64_t a) { return before.contains(a); });
  }
  /// Of the rows of a list some say more than they did and others less: something was moved from one to
  /// another.
  static bool moves(const ScreenData& was, const ScreenData& now) {
    bool more = false, less = false;
    for (const ShownTable& t : now.tables)
      for (const ShownRow& row : t.rows)
        for (const ShownTable* old = was.table(t.name); const ShownValue& cell : row.cells) {
          const auto at = !old ? nullptr : row_called(*old, row.title());
          const ShownValue* then = at ? at->cell(cell.name) : nullptr;
          const auto a = then ? numbers_in(then->text) : std::vector<double>(), b = numbers_in(cell.text);
          for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
            more = more || b[k] > a[k], less = less || b[k] < a[k];
        }
    return more && less;
  }
  static const ShownRow* row_called(const ShownTable& t, std::string_view title) {
    const auto at = std::ranges::find(t.rows, title, &ShownRow::title);
    return at == t.rows.end() ? nullptr : &*at;
  }
  static std::vector<Total> changes(const ScreenData& was, const ScreenData& now) {
    std::vector<Total> out = totals(now);
    const auto old = totals(was);
    for (Total& t : out) {
      const auto at = std::ranges::find(old, t.name, &Total::name);
      t.name = at == old.end() ? 0 : t.name;
      t.is -= at == old.end() ? 0 : at->is;
    }
    std::erase_if(out, [](const Total& t) { return t.name == 0; });
    return out;
  }

  void compare(NodeId was_here, NodeId here, NodeId was_there, NodeId there, std::vector<Case>& out) {
    const ScreenData &now = data_.of(here), &other = data_.of(there);
    const auto mine = changes(data_.of(was_here), now), its = changes(data_.of(was_there), other);
    const std::uint64_t deed = done(was_here, there);
    const bool moved = moves(data_.of(was_here), now);
    for (const Total& a : mine) {
      const bool says_why = moved || (!a.of_a_list && is_shown_why(data_.of(was_here), now, a.name));
      for (const Total& b : its) {
        const bool held = same_number(a.is, b.is);
        if (same_number(a.is, 0) && same_number(b.is, 0)) continue;
        const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
        out.push_back(
            {.group = Hasher().add(now.page).add(a.name).add(other.page).add(b.name).finish(),
             .held = held,
             .value = Hasher().add(deed).add(bits(a.is)).add(bits(b.is)).finish(),
             .wrong = Hasher().add(now.page).add(other.page).finish(),  // whatever number shows it
             .words = held || says_why
                          ? ""
                          : fmt::format("\"{}\" has changed by {:g}, on the page before \"{}\" by {:g}",
                                        printable(a.text), a.is, printable(b.text), b.is),
             .mode = Hasher().add(now.mode).add(other.mode).finish(),
             .sort = deed,
             .cause = deed});
      }
    }
  }
  /// The last thing between the first and the last two visits that does more than going.
  std::uint64_t done(NodeId was_here, NodeId there) {
    for (NodeId n = there; n != was_here; n = tree_.parent(n))
      if (!only_goes(n)) return data_.deed(n);
    return data_.deed(there);
  }

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, std::string> usual_;  ///< by page: what its choices said first
};

}  // namespace

std::unique_ptr<Expectation> expect_together(const History& tree, DataCache& data) {
  return std::make_unique<Together>(tree, data);
}

}  // namespace norn

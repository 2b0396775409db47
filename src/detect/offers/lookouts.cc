#include "detect/offers/lookouts.h"

#include <algorithm>
#include <set>

#include "detect/offers/forms.h"
#include "detect/offers/openings.h"
#include "detect/pairs.h"
#include "detect/reading/remembered.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t buttons_looked_behind = 16;
constexpr std::size_t pages_below = 2;
constexpr std::size_t times_back = 3;
constexpr std::size_t taps_of_a_tab = 2;  ///< by which a page is turned to it, maybe in a drawer
constexpr std::size_t entries_of_a_drawer = 2;

class LookingRound {
 public:
  LookingRound(OracleContext& c, DataCache& data, NodeId page)
      : c_(c), tree_(c.replay.history()), data_(data), page_(page) {}

  std::vector<Lookout> all() {
    keep({}, page_);
    std::vector<Event> down;
    NodeId at = page_;
    for (std::size_t k = 0; k <= pages_below && c_.left(); ++k) {
      from(down, at);
      down.emplace_back(Key{key::back});
      const Outcome o = c_.replay.ask({.from = page_, .events = c_.replay.intern(down)}, c_.stop);
      if (o.verdict != Verdict::yes || !keep(down, o.end)) break;
      at = o.end;
    }
    return std::move(out_);
  }

 private:
  /// What can be touched there that is no row, and the entries of what that opens.
  void from(const std::vector<Event>& way, NodeId at) {
    std::vector<Lookout> menus;
    for (Lookout& there : run(way, buttons(at)))
      if (leads_elsewhere(at, there.end) && keep(there.way, there.end) &&
          (data_.of(there.end).popup || data_.of(there.end).page == data_.of(at).page))
        menus.push_back(std::move(there));
    for (const Lookout& menu : menus)
      for (const Lookout& there :
           run(menu.way, data_.of(menu.end).popup ? entries_of(tree_.screen(menu.end))
                                                  : touching_what_came_up(at, menu.end)))
        if (leads_elsewhere(at, there.end)) keep(there.way, there.end);
  }
  /// To another page or tab, or to a drawer over this page: what stays here and changes something else (Play
  /// all) is no look.
  bool leads_elsewhere(NodeId at, NodeId end) {
    return data_.of(at).page != data_.of(end).page || choices_differ(tree_.screen(at), tree_.screen(end)) ||
           touching_what_came_up(at, end).size() >= entries_of_a_drawer;
  }
  /// Touches what came up, rows last: their pages are many.
  std::vector<Event> touching_what_came_up(NodeId before, NodeId after) {
    auto all = came_up(tree_.screen(before), tree_.screen(after));
    std::ranges::stable_partition(all, [&](std::size_t i) { return !row_of(data_.of(after), i).row; });
    std::vector<Event> out;
    for (const std::size_t i : all)
      if (out.size() < buttons_looked_behind) out.push_back(tap_on(tree_.screen(after), i));
    return out;
  }
  std::vector<Event> buttons(NodeId at) {
    std::vector<Event> out;
    const Screen& screen = tree_.screen(at);
    for (std::size_t i = 0; i < screen.widgets.size() && out.size() < buttons_looked_behind; ++i)
      if ((accepted_by(screen.widgets[i]) & (accepts_tap | accepts_text)) == accepts_tap &&
          !row_of(data_.of(at), i).row && !says_undoing(screen, i) && !says_running(screen, i))
        out.push_back(tap_on(screen, i));
    return out;
  }
  /// Each of them, after this way.
  std::vector<Lookout> run(const std::vector<Event>& way, const std::vector<Event>& next) {
    std::vector<Request> requests;
    for (const Event& e : next)
      requests.push_back({.from = page_, .events = c_.replay.intern(joined(way, {e}))});
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    std::vector<Lookout> out;
    for (std::size_t k = 0; k < next.size(); ++k)
      if (outcomes[k].verdict == Verdict::yes) out.push_back({joined(way, {next[k]}), outcomes[k].end});
    return out;
  }
  bool keep(const std::vector<Event>& way, NodeId end) {
    const Screen& screen = tree_.screen(end);
    if (tree_.crash(end) || screen.kind != Screen::Kind::app || screen.rotation != 0) return false;
    if (seen_.insert(contents_of(data_.of(end))).second) out_.push_back({way, end});
    return true;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache& data_;
  NodeId page_;
  std::set<std::uint64_t> seen_;  ///< screens
  std::vector<Lookout> out_;
};

}  // namespace

namespace {

/// The page lists something else than at `from`: another of its tabs.
bool on_another_tab(DataCache& data, NodeId from, NodeId now) {
  return std::ranges::any_of(data.of(from).tables,
                             [&](const ShownTable& t) { return !data.of(now).table(t.name); });
}

}  // namespace

NodeId back_to(OracleContext& c, DataCache& data, NodeId from, std::uint64_t page, std::vector<Event>& way) {
  const History& tree = c.replay.history();
  const auto is_there = [&](NodeId n) { return n && data.of(n).page == page && !data.of(n).popup; };
  for (std::size_t k = 0; k <= times_back; ++k, way.emplace_back(Key{key::back})) {
    const NodeId end = ends_of(c, from, {way}).front();
    if (!end || tree.screen(end).kind != Screen::Kind::app) return {};
    if (!is_there(end)) continue;
    if (data.of(from).page != page || !on_another_tab(data, from, end)) return end;
    const std::vector<Event> turning = events_between(tree, data.opened(from), from);
    const NodeId turned =
        turning.size() <= taps_of_a_tab ? ends_of(c, from, {joined(way, turning)}).front() : NodeId{};
    if (!is_there(turned) || on_another_tab(data, from, turned)) return end;
    way = joined(way, turning);
    return turned;
  }
  return {};
}

std::vector<Event> touching_it_or_in_menu(OracleContext& c, DataCache& data, NodeId page,
                                          FindsWidget wanted) {
  const History& tree = c.replay.history();
  const Screen& screen = tree.screen(page);
  if (const auto i = wanted(screen)) return {tap_on(screen, *i)};
  std::vector<std::vector<Event>> menus;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & (accepts_tap | accepts_text)) == accepts_tap &&
        !row_of(data.of(page), i).row)
      menus.push_back({tap_on(screen, i)});
  const auto ends = ends_of(c, page, menus);
  for (std::size_t k = 0; k < menus.size(); ++k)
    if (ends[k] && data.of(ends[k]).popup)
      if (const auto i = wanted(tree.screen(ends[k]))) return {menus[k][0], tap_on(tree.screen(ends[k]), *i)};
  return {};
}

std::vector<Lookout> lookouts(OracleContext& c, DataCache& data, NodeId page) {
  return LookingRound(c, data, page).all();
}

}  // namespace norn

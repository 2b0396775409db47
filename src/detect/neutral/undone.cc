// A widget that calls itself Undo brings back the last screen of that kind before the undone action. Which
// actions can be undone is learnt where nothing else could have been; and whatever can be done to rows
// (row_actions.h) and then undone, beside the list or in the menu of the row, is done to every row: not each
// has what is lost. Of an action that is done to one row and then, while Undo is still shown, to another,
// Undo brings back the second: what is there then is what the first one left. And where all looks as before,
// the row that was touched is opened: its page says what it said, as do other pages, those that name it first.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/data.h"
#include "detect/reading/other_texts.h"
#include "detect/reading/remembered.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t undone_twice = 3;     ///< pairs of the same action
constexpr std::size_t undone_and_seen = 2;  ///< inputs with it from which other pages are looked at
constexpr std::size_t rows_seen_elsewhere = 6;
constexpr std::size_t rows_undone = 12;  ///< of a list, each with the same action
constexpr std::size_t undone_and_opened = rows_undone;
constexpr std::size_t longest_selection = 4;  ///< touches
constexpr std::size_t points_of_a_board = 24, boards_undone = 8;

bool offers_undo(const Screen& screen) { return touchable_called(screen, "undo").has_value(); }

/// A message that offers Undo says what was done: both screens show the same one.
bool same_message(const Screen& a, const Screen& b) {
  const auto message = [](const Screen& screen) {
    const auto at = std::ranges::find_if(screen.widgets,
                                         [](const Widget& w) { return w.id.ends_with("id/snackbar_text"); });
    return at == screen.widgets.end() ? std::string() : at->text;
  };
  return !message(a).empty() && message(a) == message(b);
}

/// The step into this node did something to a page that is still there.
bool does_something(const History& tree, DataCache& data, NodeId node) {
  const ScreenData &before = data.of(tree.parent(node)), &after = data.of(node);
  return before.page == after.page && !before.popup &&
         !alike(tree.screen(tree.parent(node)), tree.screen(node));
}

/// The last screen like the one that undoing led to, before the action that was undone. That is the action
/// right before: if one could have undone in between, did something else on that page (typed into a search),
/// on another or in a form before the action, it may be another.
std::optional<NodeId> before_the_undone(OracleContext& c, DataCache& data, NodeId undone) {
  const History& tree = c.replay.history();
  const LayoutId layout = c.groups.layout_of(undone);
  for (NodeId n = tree.parent(undone); n != tree.root();) {
    n = tree.parent(n);
    if (c.groups.layout_of(n) == layout) return n;
    if (offers_undo(tree.screen(n)) || data.of(n).page == data.of(undone).page) break;
    if (data.of(n).is_form() || (n != tree.root() && does_something(tree, data, n))) break;
  }
  return std::nullopt;
}

/// What was done: on a drawn board each point is an action of its own.
std::uint64_t action_of(const Event& event, const Role& role) {
  const Target* target = target_of(event);
  return target && target->empty() ? Hasher().add(describe(event)).finish() : role.general;
}

Pair undoing(NodeId base, std::vector<Event> way, std::uint64_t group) {
  Pair out{.family = "undo",
           .name = "undoing does not bring back what was there",
           .group = group,
           .base = base,
           .plain = {},
           .other = std::move(way),
           .agree = {},
           .one_report = true};
  out.agree = {{0, out.other.size()}};
  return out;
}

/// An action and its Undo. `sure`: only where nothing could be undone before the action, so that it is the
/// one undone.
std::vector<Pair> undo_pairs(OracleContext& c, bool sure) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  std::vector<Pair> out;
  std::set<std::uint64_t> seen;
  for (std::uint32_t n = 2; n < tree.size(); ++n) {
    const NodeId undone{n}, done = tree.parent(undone);
    const auto* tap = std::get_if<Tap>(&tree.event(tree.event_id(undone)));
    if (!tap || tree.crash(undone)) continue;
    const auto i = receiver_of(*tap, tree.screen(done));
    if (!i || !says_undoing(tree.screen(done), *i)) continue;
    if (data.of(done).popup) continue;  // opening a menu that offers it is not what it undoes
    const auto base = before_the_undone(c, data, undone);
    if (!base || alike(tree.screen(*base), tree.screen(done))) continue;  // nothing was done
    if (data.about(*base) != data.about(undone)) continue;                // to another thing
    if (offers_undo(tree.screen(*base)) == sure) continue;
    if (!sure && same_message(tree.screen(*base), tree.screen(done)))
      continue;  // it is about something before
    if (!seen.insert(Hasher().add(tree.key(*base)).add(tree.key(undone)).finish()).second) continue;
    const auto role = role_of(tree.event(tree.event_id(done)), tree.screen(tree.parent(done)));
    if (!role) continue;
    auto way = tree.events_to(undone);
    way.erase(way.begin(), way.begin() + tree.depth(*base));
    out.push_back(undoing(*base, std::move(way), action_of(tree.event(tree.event_id(done)), *role)));
  }
  std::ranges::stable_sort(out, {}, [&](const Pair& p) { return tree.depth(p.base); });
  return out;
}

/// Every point of a drawn board that was touched, touched and undone on boards that look different. Something
/// could be undone before on most of them, so which points can be undone is learnt from those where it was
/// done.
std::vector<Pair> undone_points(OracleContext& c, DataCache& data) {
  const History& tree = c.replay.history();
  struct Board {
    std::map<std::string, Event> points;
    std::vector<NodeId> bases;
    std::set<std::uint64_t> seen;
    Event undo;
  };
  std::map<std::uint64_t, Board> boards;  // by page
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId after{n}, before = tree.parent(after);
    const auto* tap = std::get_if<Tap>(&tree.event(tree.event_id(after)));
    const auto undo = touchable_called(tree.screen(after), "undo");
    if (!tap || !tap->target.empty() || !undo || tree.crash(after) || data.of(after).popup ||
        data.of(before).page != data.of(after).page || tree.screen(after).rotation != 0)
      continue;
    Board& board = boards[data.of(after).page];
    if (board.points.size() < points_of_a_board) board.points.emplace(describe(*tap), *tap);
    if (board.bases.size() < boards_undone && board.seen.insert(tree.key(after)).second)
      board.bases.push_back(after);
    board.undo = tap_on(tree.screen(after), *undo);
  }
  std::map<std::uint64_t, std::vector<Pair>> by_point;
  for (const auto& [page, board] : boards)
    for (const NodeId base : board.bases) {
      std::vector<std::vector<Event>> touched;  // what does nothing, after a while, is not what is undone
      for (const auto& [name, point] : board.points) touched.push_back({point, Wait{c.options.settle_ms}});
      const auto ends = c.left() ? ends_of(c, base, touched) : std::vector<NodeId>(touched.size());
      std::size_t k = 0;
      for (const auto& [name, point] : board.points) {
        const NodeId end = ends[k++];
        if (!end || alike(tree.screen(end), tree.screen(base))) continue;
        const std::uint64_t group = Hasher().add(page).add(name).finish();
        by_point[group].push_back(undoing(base, {point, board.undo}, group));
      }
    }
  return in_rounds(std::move(by_point));
}

/// What can be done to a row and undone, done to every row.
class UndoneRows {
 public:
  UndoneRows(OracleContext& c, DataCache& data) : c_(c), tree_(c.replay.history()), data_(data) {}

  std::vector<Pair> all() {
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      if (offers_undo(tree_.screen(page))) continue;
      for (const RowAction& action : row_actions(c_, data_, page)) {
        const std::uint64_t group = Hasher().add(data_.of(page).page).add(action.what()).finish();
        if (!action.stays || !known_.insert(group).second) continue;
        if (const auto undo = undo_after(page, action); !undo.empty()) on_each_row(page, action, undo, group);
      }
    }
    return std::move(out_);
  }

 private:
  /// Undo as it stands beside the list after the action, or in what opens when the row is touched again.
  /// Empty: there is none.
  std::vector<Event> undo_after(NodeId page, const RowAction& action) {
    const std::vector<Event> again{action.events.front()};
    const auto outcomes = c_.replay.ask(
        std::vector<Request>{{.from = page, .events = c_.replay.intern(action.events)},
                             {.from = page, .events = c_.replay.intern(joined(action.events, again))}},
        Until::all, c_.stop);
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      if (outcomes[k].verdict != Verdict::yes || tree_.crash(outcomes[k].end)) continue;
      const Screen& screen = tree_.screen(outcomes[k].end);
      const auto undo = touchable_called(screen, "undo");
      if (undo && data_.of(outcomes[k].end).popup == (k == 1))
        return joined(k == 1 ? again : std::vector<Event>{}, {tap_on(screen, *undo)});
    }
    return {};
  }
  void on_each_row(NodeId page, const RowAction& action, const std::vector<Event>& undo,
                   std::uint64_t group) {
    const Screen& screen = tree_.screen(page);
    const ShownTable* table = data_.of(page).table(action.table);
    std::size_t rows = 0;
    for (const ShownRow& row : table ? table->rows : std::vector<ShownRow>{}) {
      const auto done = named_alone(screen, *table, row) ? done_to(action, screen, row) : std::nullopt;
      if (!done || rows++ >= rows_undone) continue;
      std::vector<Event> way = undo;
      if (way.size() > 1) way.front() = done->front();
      out_.push_back(undoing(page, joined(*done, way), group));
    }
  }

  OracleContext& c_;
  const History& tree_;
  DataCache& data_;
  std::set<std::uint64_t> known_;
  std::vector<Pair> out_;
};

/// `pair` does something to a row and undoes it; this does it to that row and to another one before it undoes.
std::optional<Pair> second_undone(const History& tree, const Pair& pair) {
  const auto others = on_other_rows(pair.other.front(), tree.screen(pair.base), true);
  if (others.empty()) return std::nullopt;
  const std::vector<Event> first(pair.other.begin(), pair.other.end() - 1);
  std::vector<Event> second = pair.other;
  second.front() = others.front();
  Pair out = pair;
  out.name = "undoing the second of two actions does not bring back what the first one left";
  out.plain = first, out.other = joined(first, second);
  out.agree = {{out.plain.size(), out.other.size()}};
  return out;
}

/// A row of the list in which the event touches one, as it stands at `now`: another one.
std::optional<Event> touching_another(const History& tree, DataCache& data, NodeId base, const Event& event,
                                      NodeId now) {
  const auto i = receiver_of(event, tree.screen(base));
  const RowPlace place = i ? row_of(data.of(base), *i) : RowPlace{};
  const ShownTable* table = place.row ? data.of(now).table(place.table->name) : nullptr;
  if (!table || table->rows.size() != place.table->rows.size() || table->rows.size() < 2) return std::nullopt;
  const auto at = static_cast<std::size_t>(place.row - place.table->rows.data());
  return tap_on(tree.screen(now), table->rows[at == 0 ? 1 : at - 1].widget);
}

/// `pair` selects a row, does something to what is selected and undoes it; this selects another one, too.
/// Nothing: a second one cannot be selected by touching it.
std::optional<Pair> both_undone(OracleContext& c, DataCache& data, const Pair& pair) {
  const History& tree = c.replay.history();
  const Event& first = pair.other.front();
  if (!std::holds_alternative<LongPress>(first) || pair.other.size() < 3) return std::nullopt;
  const NodeId selected = ends_of(c, pair.base, {{first}}).front();
  const auto touch = selected ? touching_another(tree, data, pair.base, first, selected) : std::nullopt;
  const NodeId both = touch ? ends_of(c, selected, {{*touch}}).front() : NodeId{};
  if (!both || data.of(both).popup || data.of(both).page != data.of(pair.base).page ||
      alike(tree.screen(selected), tree.screen(both)))
    return std::nullopt;
  Pair out = pair;
  out.name = "undoing what was done to two rows does not bring back what was there";
  out.other.insert(out.other.begin() + 1, *touch);
  out.agree = {{0, out.other.size()}};
  return out;
}

/// `pair` does something to a row and undoes it; this opens the row then, and without. Nothing: it touches no
/// row.
std::optional<Pair> opened_then(const History& tree, DataCache& data, const Pair& pair) {
  const auto i = receiver_of(pair.other.front(), tree.screen(pair.base));
  const RowPlace place = i ? row_of(data.of(pair.base), *i) : RowPlace{};
  const Target* target = target_of(pair.other.front());
  if (!place.row || !target || !names_one_row(pair.other.front(), tree.screen(pair.base)))
    return std::nullopt;
  const Event open = Tap{*target, tree.screen(pair.base).widgets[*i].bounds.center()};
  Pair out = pair;
  out.name = "what was undone is not all there when it is opened";
  out.plain = {open}, out.other.push_back(open);
  out.agree = {{1, out.other.size()}};
  return out;
}

/// `pair` does something and undoes it; this looks from another page then, and without.
Pair seen_from(const Pair& pair, const std::vector<Event>& look) {
  Pair out = pair;
  out.name = "what was undone is not all there, seen from another page";
  out.plain = look, out.other = joined(out.other, look);
  out.agree = {{out.plain.size(), out.other.size()}}, out.any_order = true;
  return out;
}

/// `pair` does something and undoes it; this looks from other pages. What was done to a row: from those that
/// name it, for it and for other rows, and for it from all others after that.
std::vector<Pair> seen_elsewhere(OracleContext& c, DataCache& data, const Pair& pair,
                                 const std::vector<Lookout>& places) {
  const Screen& screen = c.replay.history().screen(pair.base);
  std::vector<Event> rows = on_other_rows(pair.other.front(), screen, true);
  rows.insert(rows.begin(), pair.other.front());
  if (rows.size() > rows_seen_elsewhere) rows.resize(rows_seen_elsewhere);
  std::vector<Pair> out, last;
  for (const Event& touch : rows) {
    const auto i = receiver_of(touch, screen);
    const RowPlace place = i ? row_of(data.of(pair.base), *i) : RowPlace{};
    if (place.row && !names_one_row(touch, screen)) continue;
    Pair one = pair;
    one.other.front() = touch;
    for (const Lookout& from : places) {
      if (from.way.empty()) continue;
      const bool names = place.row && data.of(from.end).says(place.row->title());
      if (names || &touch == &rows.front()) (names ? out : last).push_back(seen_from(one, from.way));
    }
  }
  std::ranges::move(last, std::back_inserter(out));
  return out;
}

/// It ends on what was there some events before the base: a row was selected since, and what is done to a
/// selection ends it.
bool is_as_before_selecting(const History& tree, NodeId base, NodeId end) {
  for (std::size_t k = 0; k < longest_selection && base != tree.root(); ++k) {
    base = tree.parent(base);
    if (alike(tree.screen(base), tree.screen(end))) return true;
  }
  return false;
}

/// Both actions of the pair by themselves can be undone.
bool each_is_undone(OracleContext& c, const Pair& cut) {
  const History& tree = c.replay.history();
  const auto action = static_cast<std::ptrdiff_t>(cut.plain.size() - 1);  // the last one waits
  const Event wait = cut.plain.back(), undo = cut.other[cut.other.size() - 2];
  for (const auto begin : {cut.other.begin(), cut.other.begin() + action}) {
    const auto events = c.replay.intern(joined({begin, begin + action}, {undo, wait}));
    const Outcome alone = c.replay.ask({.from = cut.base, .events = events}, c.stop);
    if (alone.verdict != Verdict::yes || !alike(tree.screen(alone.end), tree.screen(cut.base))) return false;
  }
  return true;
}

}  // namespace

Status try_undo(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs sure(c, "neutral"), further(c, "neutral"), second(c, "neutral"), both(c, "neutral"),
      opened(c, "neutral"), boards(c, "neutral");
  const auto attempt = [&](std::vector<Pair> all, Pairs& pairs) {
    return in_batches(c, std::move(all),
                      [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); });
  };
  DataCache data(tree);
  OracleContext acting = c.part(looking_share);
  auto first = undo_pairs(c, true);
  std::ranges::move(UndoneRows(acting, data).all(), std::back_inserter(first));
  NORN_CHECK(attempt(first, sure));
  auto more = undo_pairs(c, false);
  std::erase_if(more, [&](const Pair& p) { return sure.tally(p.group).held == 0; });
  NORN_CHECK(attempt(std::move(more), further));
  OracleContext touching = c.part(looking_share);
  NORN_CHECK(attempt(undone_points(touching, data), boards));
  /// What is made of those actions that can be undone, at most so many of each.
  const auto further_of = [&](std::size_t most, const auto& make) {
    std::map<std::uint64_t, std::vector<Pair>> out;
    for (const Pair& p : first)
      if (auto& pairs = out[p.group]; sure.tally(p.group).held > 0 && pairs.size() < most)
        if (auto pair = make(p)) pairs.push_back(*std::move(pair));
    return in_rounds(std::move(out));
  };
  NORN_CHECK(
      attempt(further_of(undone_twice, [&](const Pair& p) { return second_undone(tree, p); }), second));
  NORN_CHECK(attempt(further_of(undone_twice, [&](const Pair& p) { return both_undone(c, data, p); }), both));
  NORN_CHECK(attempt(further_of(undone_and_opened, [&](const Pair& p) { return opened_then(tree, data, p); }),
                     opened));
  OracleContext looking = c.part(looking_share);
  std::map<std::uint64_t, std::vector<Pair>> pages;
  std::map<std::uint64_t, std::size_t> inputs;
  for (const Pair& p : first)
    if (looking.left() && sure.tally(p.group).held > 0 && inputs[p.group]++ < undone_and_seen)
      std::ranges::move(seen_elsewhere(c, data, p, lookouts(looking, data, p.base)),
                        std::back_inserter(pages[p.group]));
  NORN_CHECK(attempt(in_rounds(std::move(pages)), opened));
  NORN_CHECK(sure.report(Habit::none, [&](const Pair& cut, NodeId, NodeId other) {
    return !is_as_before_selecting(tree, cut.base, other);
  }));
  NORN_CHECK(both.report(Habit::none, [&](const Pair& cut, NodeId, NodeId other) {
    return !is_as_before_selecting(tree, cut.base, other);
  }));
  NORN_CHECK(further.report(Habit::none));
  NORN_CHECK(boards.report(Habit::held_once));
  NORN_CHECK(opened.report(Habit::none, [&](const Pair&, NodeId plain, NodeId other) {
    return data.of(plain).page == data.of(other).page && says_otherwise(data.of(plain), data.of(other));
  }));
  return second.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId other) {
    return offers_undo(tree.screen(plain)) == offers_undo(tree.screen(other)) && each_is_undone(c, cut);
  });
}

}  // namespace norn

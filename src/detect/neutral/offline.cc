// The connection lost and found again. What needs it fails meanwhile, and says so; once it is back, the same
// touch does what it does where it never went: a page that goes on calling itself offline, shows the old
// beside the new, or never asks again is one that nobody tried in a tunnel.
//
// What needs the connection is found by touching everything without it. An app that keeps what could not be
// sent and sends it later has done it once more then; so ending as after one more touch is as good.
//
// And without a connection a page lists what it lists with one, or less, but not what another thing's page
// lists that was opened before.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/row_actions.h"

namespace norn {
namespace {

const Event lost = System{"network-off", {}}, found_again = System{"network-on", {}};

/// A touch that does something else without a connection, with the way back to its page after it.
struct Needing {
  NodeId page;
  std::vector<Event> touch, back;  ///< with a connection
  std::vector<Event> in_vain;      ///< without one, and back
};

class Offline {
 public:
  explicit Offline(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), wait_(Wait{c.options.settle_ms}) {}

  std::vector<Needing> all() {
    std::vector<Needing> out;
    const std::vector<Touch> touches = staying_first(known_touches());
    in_chunks(touches, [&](std::span<const Touch> chunk) { add_needing(chunk, out); });
    return out;
  }
  /// On the page as it was opened.
  Pair at_first(const Needing& n) { return pair_of(n, {}, "at first"); }
  /// Once the touch was done there: what it brought may be in the way then. None: to do it twice is not to do
  /// it once (Play, which is Pause then).
  std::optional<Pair> again(const Needing& n) {
    const std::vector<Event> before = joined(n.touch, n.back);
    const auto ends = ends_of(c_, n.page, {n.touch, joined(before, n.touch)});
    if (!ends[0] || !ends[1] || !alike(tree_.screen(ends[0]), tree_.screen(ends[1]))) return std::nullopt;
    return pair_of(n, before, "again");
  }
  /// The touch once more after the plain way ends there.
  bool ends_as_after_one_more(const Pair& cut, NodeId end) {
    const auto& n = needing_.at(cut.group);
    const NodeId more = ends_of(c_, n.page, {joined(joined(plain_.at(cut.group), n.back), n.touch)}).front();
    return more && alike(tree_.screen(more), tree_.screen(end));
  }

 private:
  static constexpr std::size_t touches_at_once = 24;  ///< so that all devices work

  Pair pair_of(const Needing& n, const std::vector<Event>& before, const char* when) {
    Pair out{.family = "offline",
             .name = "a connection that was lost and is back leaves something changed",
             .group = Hasher().add(data_.of(n.page).page).add(describe(n.touch.front())).add(when).finish(),
             .base = n.page,
             .plain = joined(before, n.touch),
             .other = joined(joined(before, n.in_vain), joined({found_again}, n.touch)),
             .agree = {},
             .any_order = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    needing_.emplace(out.group, n), plain_.emplace(out.group, out.plain);
    return out;
  }

  struct Touch {
    NodeId page;
    Event event;
    NodeId end{};  ///< with a connection; none: not known, or it crashed
  };

  template <class Touches, class Work>
  void in_chunks(Touches& touches, Work work) {
    for (std::size_t k = 0; k < touches.size() && c_.left(); k += touches_at_once)
      work(std::span(touches).subspan(k, std::min(touches.size() - k, touches_at_once)));
  }
  /// Where each ends after these events in the place of its own.
  template <class Events>
  std::vector<NodeId> ends(std::span<const Touch> touches, Events events) {
    std::vector<Request> requests;
    for (const Touch& t : touches)
      requests.push_back({.from = t.page, .events = c_.replay.intern(std::vector<Event>(events(t)))});
    std::vector<NodeId> out;
    for (const Outcome& o : c_.replay.ask(requests, Until::all, c_.stop))
      out.push_back(o.verdict == Verdict::yes && !tree_.crash(o.end) ? o.end : NodeId{});
    return out;
  }
  std::vector<Touch> known_touches() {
    std::vector<Touch> known, out;
    for (const Touch& opened : loaded_pages())
      for (Event& touch : known_events(c_, c_.groups.layout_of(opened.page), opened.page, false))
        known.push_back({opened.end, std::move(touch)});
    in_chunks(known, [&](std::span<const Touch> chunk) {
      const auto there = ends(chunk, [](const Touch& t) { return std::vector{t.event}; });
      for (std::size_t k = 0; k < chunk.size(); ++k)
        if (there[k]) out.push_back({chunk[k].page, chunk[k].event, there[k]});
    });
    return out;
  }
  /// Each page, and it once it has fetched what it shows by itself: failing at that is no matter of the touch.
  std::vector<Touch> loaded_pages() {
    std::vector<Touch> out;
    for (const NodeId page : opened_pages(tree_, data_, 1)) out.push_back({page, wait_, page});
    in_chunks(out, [&](std::span<Touch> chunk) {
      const auto later = ends(chunk, [](const Touch& t) { return std::vector{t.event}; });
      for (std::size_t k = 0; k < chunk.size(); ++k)
        if (later[k] && !alike(tree_.screen(chunk[k].page), tree_.screen(later[k]))) chunk[k].end = later[k];
    });
    return out;
  }
  /// Those first that leave one on their page: it remembers that they failed; one that is opened anew begins
  /// anew.
  std::vector<Touch> staying_first(std::vector<Touch> touches) {
    std::ranges::stable_partition(
        touches, [&](const Touch& t) { return data_.of(t.end).page == data_.of(t.page).page; });
    return touches;
  }
  void add_needing(std::span<const Touch> touches, std::vector<Needing>& out) {
    const auto failed = ends(touches, [&](const Touch& t) { return std::vector{lost, t.event, wait_}; });
    for (std::size_t k = 0; k < touches.size(); ++k)
      if (failed[k] && !alike(tree_.screen(touches[k].end), tree_.screen(failed[k])))
        if (auto needing = needing_of(touches[k], failed[k])) out.push_back(std::move(*needing));
  }
  /// None: with time to settle it ends as without a connection, there is no simple way back to its page, or it
  /// is no failure of the whole.
  std::optional<Needing> needing_of(const Touch& touch, NodeId failed) {
    const std::vector<Event> once{touch.event, wait_}, in_vain{lost, touch.event, wait_};
    const NodeId settled = ends_of(c_, touch.page, {once}).front();
    if (!settled || alike(tree_.screen(settled), tree_.screen(failed))) return std::nullopt;
    const auto without = way_back(touch.page, in_vain, failed), with = way_back(touch.page, once, settled);
    if (!without || !with || did_a_part(touch.page, without->end, with->end)) return std::nullopt;
    return Needing{touch.page, once, with->events, joined(in_vain, without->events)};
  }
  struct Back {
    std::vector<Event> events;
    NodeId end;
  };
  /// From where these events led to the page they began on: nothing, the only answer that a question has, or
  /// Back.
  std::optional<Back> way_back(NodeId page, const std::vector<Event>& done, NodeId end) {
    const auto is_there = [&](NodeId n) {
      return n && !data_.of(n).popup && data_.of(n).page == data_.of(page).page;
    };
    if (is_there(end)) return Back{{}, end};
    const auto answers = data_.of(end).popup ? entries_of(tree_.screen(end)) : std::vector<Event>{};
    const Event back = answers.size() == 1 ? answers.front() : Event(Key{key::back});
    const NodeId there = ends_of(c_, page, {joined(done, {back})}).front();
    if (!is_there(there)) return std::nullopt;
    return Back{{back}, there};
  }
  /// Without a connection something came that comes with one too: to do it again is to do the next thing.
  bool did_a_part(NodeId before, NodeId without, NodeId with) {
    const auto was = shown(before), as_well = shown(with);
    return std::ranges::any_of(shown(without),
                               [&](const auto& w) { return !was.contains(w) && as_well.contains(w); });
  }
  std::set<std::array<std::string, 3>> shown(NodeId node) const {
    std::set<std::array<std::string, 3>> out;
    for (const Widget& w : tree_.screen(node).widgets) out.insert({w.id, w.text, w.desc});
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  Event wait_;
  std::map<std::uint64_t, Needing> needing_;           ///< by the group of its pair
  std::map<std::uint64_t, std::vector<Event>> plain_;  ///< its way with time to settle
};

/// The page of one row, opened without a connection after that of another one was opened with it.
class OfAnother {
 public:
  explicit OfAnother(OracleContext& c) : c_(c), tree_(c.replay.history()), data_(tree_) {}

  std::vector<Pair> all() {
    std::vector<Pair> out;
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      for (const ShownTable& table : data_.of(page).tables)
        if (auto pair = first_two(page, table)) out.push_back(*std::move(pair));
    }
    return out;
  }
  /// It lists rows that the other thing's page lists, and its own does not.
  bool lists_anothers(const Pair& cut, NodeId own, NodeId without) {
    if (data_.of(own).page != data_.of(without).page) return false;
    const auto its = rows_by_texts(data_.of(own)), others = rows_by_texts(data_.of(other_.at(cut.group)));
    return std::ranges::any_of(rows_by_texts(data_.of(without)),
                               [&](std::uint64_t row) { return others.contains(row) && !its.contains(row); });
  }

 private:
  std::optional<Pair> first_two(NodeId page, const ShownTable& table) {
    const Screen& screen = tree_.screen(page);
    std::vector<Event> rows;
    for (const ShownRow& row : table.rows)
      if (rows.size() < 2 && named_alone(screen, table, row)) rows.push_back(tap_on(screen, row.widget));
    if (rows.size() < 2) return std::nullopt;
    const Wait wait{c_.options.settle_ms};
    std::vector<Event> before{rows[0], wait};
    const auto ends = ends_of(c_, page, {before, {rows[1], wait}, {lost, rows[1], wait}});
    if (!ends[0] || !ends[1] || !ends[2] || data_.of(ends[0]).page != data_.of(ends[1]).page ||
        data_.of(ends[0]).tables.empty() || alike(tree_.screen(ends[1]), tree_.screen(ends[2])) ||
        !back_to(c_, data_, page, data_.of(page).page, before))
      return std::nullopt;
    const std::uint64_t list = Hasher().add("of another").add(data_.of(page).page).add(table.name).finish();
    other_.try_emplace(list, ends[0]);
    Pair out{.family = "offline",
             .name = "without a connection a page lists what belongs to another thing",
             .group = list,
             .base = page,
             .plain = {rows[1], wait},
             .other = joined(before, {lost, rows[1], wait}),
             .agree = {},
             .any_order = true,
             .one_report = true,
             .agrees = false};
    out.agree = {{out.plain.size(), out.other.size()}};
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  std::map<std::uint64_t, NodeId> other_;  ///< the other thing's page, by group
};

Status ask_of_another(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  OfAnother of_another(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, of_another.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId own, NodeId without) {
    return of_another.lists_anothers(cut, own, without);
  });
}

}  // namespace

Status try_offline(OracleContext& c) {
  NORN_CHECK(ask_of_another(c));
  OracleContext looking = c.part(looking_share);
  Offline offline(looking);
  std::vector<Pair> tried;
  const std::vector<Needing> needing = offline.all();
  for (const Needing& n : needing) tried.push_back(offline.at_first(n));
  for (const Needing& n : needing)
    if (auto again = offline.again(n)) tried.push_back(std::move(*again));
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, std::move(tried),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId, NodeId other) {
    return !offline.ends_as_after_one_more(cut, other);
  });
}

}  // namespace norn

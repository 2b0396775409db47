// There and back. A list shows the same rows and numbers as some events ago, and one more meanwhile that was
// entered, and nothing was done but on it, in forms and in questions: something was added and deleted. Then
// other pages say the same as well: a balance that an entry raised and its deletion left alone does not. A
// page that lists what was done (a bin, a log) has other rows and is left alone; so is a number that every
// such round leaves changed, which counts them.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_steps.h"
#include "detect/offers/list_views.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/data.h"
#include "detect/reading/other_texts.h"
#include "detect/reading/remembered.h"
#include "detect/reading/typed.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t longest_return = 16;     ///< events of adding and deleting something
constexpr std::size_t rounds_of_a_kind = 2;    ///< the same things done on the same page
constexpr std::size_t most_put_together = 60;  ///< rounds that are tried though nobody made them
constexpr std::size_t pages_of_a_round = 6;    ///< looked at after it

class Rounds {
 public:
  explicit Rounds(const History& tree) : tree_(tree), steps_(tree), data_(steps_.data()) {}

  std::vector<Pair> pairs() {
    std::map<std::uint64_t, std::vector<Pair>> by_kind;
    std::map<std::uint64_t, std::size_t> rounds;
    for (const NodeId end : steps_.nodes()) {
      const NodeId begin = begun(end);
      if (!begin || puts_it_elsewhere(end)) continue;
      const std::uint64_t kind = kind_of(begin, end);
      if (rounds[kind]++ >= rounds_of_a_kind) continue;
      for (const auto& way : steps_.ways_from(end, pages_of_a_round))
        by_kind[Hasher().add(kind).add(rounds[kind]).finish()].push_back(pair(begin, end, way));
    }
    return in_rounds(std::move(by_kind));
  }
  /// Adding something and deleting it, put together from ways in which each was done: input and events after
  /// it.
  std::vector<std::pair<NodeId, std::vector<Event>>> put_together() {
    std::map<std::uint64_t, std::vector<NodeId>> added,
        deleted;  // by page and what was done; the nodes after it
    for (const NodeId n : steps_.nodes()) {
      const NodeId before = steps_.last_before(n);
      if (!before) continue;
      const auto was = rows_shown(data_.of(before)), now = rows_shown(data_.of(n));
      const std::uint64_t kind = Hasher().add(data_.of(n).page).add(data_.deed(n)).finish();
      const bool more = now.size() == was.size() + 1, less = now.size() + 1 == was.size();
      if (more && added[kind].size() < rounds_of_a_kind) added[kind].push_back(n);
      if (less && deleted[kind].size() < rounds_of_a_kind && deletion_begun(n) && !puts_it_elsewhere(n))
        deleted[kind].push_back(n);
    }
    std::vector<std::pair<NodeId, std::vector<Event>>> out;
    for (const auto& [how, more] : added)
      for (const auto& [way, less] : deleted)
        for (const NodeId a : more)
          for (const NodeId d : less)
            if (auto events = deleting(d, a); !events.empty()) out.emplace_back(a, std::move(events));
    return out;
  }
  DataCache& data() { return data_; }

 private:
  /// Where a row was touched that is gone at this node: right before, or it was selected first. None:
  /// something else was done.
  NodeId deletion_begun(NodeId node) {
    const NodeId last = steps_.last_before(node);
    if (!last || deletes_touched_row(last, node)) return last;
    const NodeId selected = steps_.last_before(last);
    return selected && deletes_touched_row(selected, node) ? selected : NodeId{};
  }
  /// What was touched after the row says that it goes elsewhere.
  bool puts_it_elsewhere(NodeId node) {
    for (NodeId n = node; n != tree_.root(); n = tree_.parent(n)) {
      const ScreenData& data = data_.of(tree_.parent(n));
      const Screen& screen = tree_.screen(tree_.parent(n));
      const auto i = receiver_of(tree_.event(tree_.event_id(n)), screen);
      if (!i) continue;
      if (row_of(data, *i).row && !data.popup) break;
      if (calls_itself(screen, *i, "remove")) continue;
      if (calls_itself(screen, *i, "move") || calls_itself(screen, *i, "archive")) return true;
    }
    return false;
  }
  bool deletes_touched_row(NodeId before, NodeId node) {
    const RowPlace place = steps_.touched(before, node);
    const ShownTable* now = place.table ? data_.of(node).table(place.table->name) : nullptr;
    for (NodeId n = tree_.parent(node); n != before; n = tree_.parent(n))
      if (data_.of(n).has_field() && data_.of(n).page != data_.of(node).page) return false;
    return now && std::ranges::find(now->rows, place.row->content, &ShownRow::content) == now->rows.end();
  }
  /// What led to `deleted`, done to the row that has come at `added`; empty: it cannot be.
  std::vector<Event> deleting(NodeId deleted, NodeId added) {
    const NodeId before = deletion_begun(deleted), empty = steps_.last_before(added);
    const RowPlace place = steps_.touched(before, deleted);
    const ShownTable* now = data_.of(added).table(place.table->name);
    const ShownTable* was = data_.of(empty).table(place.table->name);
    if (data_.of(deleted).page != data_.of(added).page || !now || !was) return {};
    auto events = events_between(tree_, before, deleted);
    for (const Event& event : on_other_rows(events.front(), tree_.screen(added), false)) {
      const auto i = receiver_of(event, tree_.screen(added));
      const RowPlace row = i ? row_of(data_.of(added), *i) : RowPlace{};
      if (!row.row || std::ranges::find(was->rows, row.row->content, &ShownRow::content) != was->rows.end())
        continue;
      events.front() = event;
      return events;
    }
    return {};
  }

  static bool shows_the_same(const ScreenData& a, const ScreenData& b) {
    return !says_otherwise(a, b) && rows_shown(a) == rows_shown(b);
  }
  /// The nearest node before this one that shows the same, if the page showed a row more meanwhile that was
  /// entered, and nothing was left but forms and questions.
  NodeId begun(NodeId end) {
    const ScreenData& now = data_.of(end);
    if (now.tables.empty() || now.filtered()) return {};
    const auto rows = rows_shown(now);
    std::vector<std::string_view> typed;
    NodeId n = end, other;
    for (std::size_t k = 0; k < longest_return && n != tree_.root(); ++k) {
      if (const std::string* text = typed_text(tree_.event(tree_.event_id(n)))) typed.push_back(*text);
      n = tree_.parent(n);
      const ScreenData& was = data_.of(n);
      if (asks(was) && (other || !was.has_field())) continue;  // deleting needs no form
      if (!set_the_same(was, now)) return {};
      const auto then = rows_shown(was);
      if (then == rows)
        return other && steps_.plain(n) && shows_the_same(was, now) && says_any(other, rows, typed)
                   ? n
                   : NodeId{};
      if (then.size() + 1 != rows.size() && then.size() != rows.size() + 1) return {};
      other = n;
    }
    return {};
  }
  /// A row at this node that is not among these says something that was typed: it was made, not merely shown.
  bool says_any(NodeId node, const std::multiset<std::uint64_t>& rows,
                const std::vector<std::string_view>& typed) {
    for (const ShownTable& t : data_.of(node).tables)
      for (const ShownRow& row : t.rows)
        if (!rows.contains(row.content) && std::ranges::any_of(typed, [&](std::string_view text) {
              return !text.empty() && row.says(text);
            }))
          return true;
    return false;
  }
  /// What was done on the way, whatever the data.
  std::uint64_t kind_of(NodeId begin, NodeId end) {
    std::set<std::uint64_t> deeds;
    for (NodeId n = end; n != begin; n = tree_.parent(n)) deeds.insert(data_.deed(n));
    Hasher out;
    out.add(data_.of(end).page);
    for (const std::uint64_t deed : deeds) out.add(deed);
    return out.finish();
  }
  Pair pair(NodeId begin, NodeId end, const std::vector<Event>& way) {
    const auto round = events_between(tree_, begin, end);
    return {.family = "returned",
            .name = "what was done and taken back has changed another page",
            .group = Hasher().add("returned").add(data_.of(end).page).finish(),
            .base = begin,
            .plain = way,
            .other = joined(round, way),
            .agree = {{way.size(), round.size() + way.size()}},
            .any_order = true};
  }

  const History& tree_;
  ListSteps steps_;
  DataCache& data_;
};

/// Makes something in each form for new things, and does to a row of each list what can be done: so that it
/// is known how to add and to delete.
void add_and_delete(OracleContext& c) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  SaveButtons buttons(tree, data);
  std::vector<Request> requests;
  std::set<std::uint64_t> forms, pages;
  for (const OpenedForm& form : opened_forms(tree, data)) {
    const auto save = buttons.of(form.form);
    const std::uint64_t kind = Hasher().add(data.of(form.page).page).add(data.deed(form.form)).finish();
    if (!save || data.of(form.page).tables.empty() || !forms.insert(kind).second) continue;
    for (const Texts& texts : {Texts{"Tarragon", "37", "Chervil"}, Texts{"37", "52", "64"}})
      requests.push_back(
          {.from = form.page,
           .events = c.replay.intern(joined(joined(form.opening, filled_in(tree.screen(form.form), texts)),
                                            {Key{key::back}, *save}))});
  }
  c.replay.ask(requests, Until::all, c.stop);
  for (const NodeId page : pages_with_lists(tree, data))
    if (c.left() && pages.insert(data.of(page).page).second) row_actions(c, data, page);
}

bool lists_what_was_typed(const std::vector<Event>& events, const ScreenData& page) {
  return std::ranges::any_of(events, [&](const Event& e) {
    const std::string* text = typed_text(e);
    return text && std::ranges::any_of(page.tables, [&](const ShownTable& t) {
             return std::ranges::any_of(t.rows, [&](const ShownRow& r) { return r.title() == *text; });
           });
  });
}

}  // namespace

Status try_returned(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  add_and_delete(looking);
  std::vector<Request> requests;
  for (const auto& [node, events] : Rounds(c.replay.history()).put_together())
    if (requests.size() < most_put_together)
      requests.push_back({.from = node, .events = c.replay.intern(events)});
  if (c.left()) c.replay.ask(requests, Until::all, c.stop);
  Rounds rounds(c.replay.history());
  Pairs pairs(c, "neutral");
  std::set<NodeId>
      elsewhere;  // rounds after which some page lists what was made: it was put away (an archive, a bin)
  pairs.on_compared([&](const Pair& p, NodeId, NodeId other) {
    if (lists_what_was_typed(p.other, rounds.data().of(other))) elsewhere.insert(p.base);
  });
  NORN_CHECK(in_batches(c, rounds.pairs(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::held_mostly, [&](const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData &a = rounds.data().of(plain), &b = rounds.data().of(other);
    return !elsewhere.contains(cut.base) && a.page == b.page && a.mode == b.mode && says_otherwise(a, b) &&
           same_names(a, b);
  });
}

}  // namespace norn

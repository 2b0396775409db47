// Who changes something in a form, saves it, and then changes it back has changed nothing: once the form says
// what it said at first, so do the page below and others near by. What is counted at the place it was moved
// to and still at the one it came from, what saving drops though the form does not show it, and a second
// thing that comes of it show there. This needs no habit, but a page that says something else when the form
// is merely saved twice says when that was, and what a page only lists in addition may be a log. Where the
// change itself had a page say something else, in words, that was begun anew ("Not checked yet").
//
// A field is given other text, a choice another entry, a check is touched; what was changed is the row that
// the list did not have before.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t forms_of_a_kind = 2;  ///< inputs from which a form that is opened in one way is tried
constexpr std::size_t pages_seen = 8;       ///< after each change

class ChangingBack {
 public:
  explicit ChangingBack(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::size_t> tried;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const auto save = buttons_.of_existing(form);
      const std::uint64_t kind =
          Hasher().add(data_.of(form.page).page).add(data_.of(form.form).page).finish();
      if (!c_.left() || !save || !names_its_row(form) || tried[kind]++ >= forms_of_a_kind) continue;
      const auto looks = looks_from(form);
      for (const PageChange& change : page_changes(c_, data_, form.form))
        if (c_.left()) there_and_back(form, change, *save, looks);
    }
    return in_rounds(std::move(by_change_));
  }

  /// The form is as it was, merely saving it changes nothing here, and the page does not only list more.
  bool is_wrong(const Pair& cut, NodeId before, NodeId after) {
    const auto at = rounds_.find(cut.group);
    if (at == rounds_.end() || data_.of(before).page != data_.of(after).page ||
        !says_otherwise(data_.of(before), data_.of(after)))
      return false;
    const Round& round = at->second;
    const std::vector<Event> saved = joined(round.form.opening, {round.save});
    const auto ends =
        ends_of(c_, round.form.page,
                {joined(round.events, round.reopening),
                 joined(joined(joined(saved, round.home), saved), joined(round.home, cut.plain)),
                 joined(round.changed, cut.plain)});
    return ends[0] && holds_the_same(data_.of(round.form.form), data_.of(ends[0])) && ends[1] &&
           same_in_any_order(data_.of(before), data_.of(ends[1])) &&
           (cut.plain.size() <= 1 || !only_lists_more(data_.of(before), data_.of(after))) &&
           !(ends[2] && was_begun_anew(before, ends[2], after));
  }

 private:
  /// A change and the way back, from the page below the form to that page.
  struct Round {
    OpenedForm form;
    Event save;
    std::vector<Event> events;
    std::vector<Event> changed;    ///< the first half of them
    std::vector<Event> reopening;  ///< the form, after it
    std::vector<Event> home;       ///< from where saving leads to the page below
  };

  bool names_its_row(const OpenedForm& form) {
    const auto i = receiver_of(form.opening.front(), tree_.screen(form.page));
    const RowPlace place = i ? row_of(data_.of(form.page), *i) : RowPlace{};
    return i && (!place.row || named_alone(tree_.screen(form.page), *place.table, *place.row));
  }
  /// The page below itself, the page of the row that opens the form, and what lies near.
  std::vector<std::vector<Event>> looks_from(const OpenedForm& form) {
    std::vector<std::vector<Event>> out;
    for (const Lookout& place : lookouts(c_, data_, form.page))
      if (out.size() < pages_seen && !data_.of(place.end).popup) out.push_back(place.way);
    return out;
  }

  void there_and_back(const OpenedForm& form, const PageChange& change, const Event& save,
                      const std::vector<std::vector<Event>>& looks) {
    const auto inverse = taken_back(form, change);
    if (!inverse) return;
    std::vector<Event> way = joined(joined(form.opening, change.events), {save});
    const std::size_t saved = way.size();
    const NodeId there = back_to(c_, data_, form.page, data_.of(form.page).page, way);
    const auto opening = there ? opening_then(form, there) : std::nullopt;
    if (!opening) return;
    const std::vector<Event> home(way.begin() + static_cast<std::ptrdiff_t>(saved), way.end());
    const std::vector<Event> changed = way;
    way = joined(joined(joined(way, *opening), joined(*inverse, {save})), home);
    const NodeId back = ends_of(c_, form.page, {way}).front();
    if (!back || data_.of(back).page != data_.of(form.page).page || data_.of(back).popup) return;
    const auto reopening = opening_then(form, back);
    if (!reopening) return;
    const Round round{form, save, way, changed, *reopening, home};
    for (const auto& look : looks) add(round, change, look);
  }
  void add(const Round& round, const PageChange& change, const std::vector<Event>& look) {
    Pair out{.family = "changed back",
             .name = "what was changed in a form and changed back is not as it was",
             .group = Hasher()
                          .add(round.form.form.value)
                          .add(change.what)
                          .add(look.empty() ? "" : describe(look.back()))
                          .finish(),
             .base = round.form.page,
             .plain = look,
             .other = joined(round.events, look),
             .agree = {{look.size(), round.events.size() + look.size()}},
             .any_order = true};
    rounds_.try_emplace(out.group, round);
    by_change_[change.what].push_back(std::move(out));
  }

  /// What takes the change back on the form as it is when it is opened again; nothing: that is not known.
  std::optional<std::vector<Event>> taken_back(const OpenedForm& form, const PageChange& change) {
    const Screen& screen = tree_.screen(form.form);
    const auto touched = receiver_of(change.events.front(), screen);
    if (!touched) return std::nullopt;
    const Widget& w = screen.widgets[*touched];
    if (calls_itself(screen, *touched, "password")) return std::nullopt;  // when it was changed is told
    if (std::holds_alternative<Type>(change.events.front())) return typed_into(screen, *touched, w.text);
    if (change.events.size() == 1) return w.is(Flag::checkable) ? std::optional(change.events) : std::nullopt;
    return chosen_again(change, label(screen, *touched));
  }
  /// The same menus, and the entry that says what the choice said.
  std::optional<std::vector<Event>> chosen_again(const PageChange& change, std::string_view said) {
    const Screen& menu = tree_.screen(tree_.parent(change.end));
    if (said.empty()) return std::nullopt;
    for (std::size_t i = 0; i < menu.widgets.size(); ++i)
      if (menu.widgets[i].text == said && (accepted_by(menu.widgets[i]) & accepts_tap) != 0) {
        std::vector<Event> out = change.events;
        out.back() = tap_on(menu, i);
        return out;
      }
    return std::nullopt;
  }
  /// What opens the form from the page below as it is now: the row that was not there before is the one that
  /// was changed. Nothing: which it is cannot be told.
  std::optional<std::vector<Event>> opening_then(const OpenedForm& form, NodeId now) {
    const Screen& screen = tree_.screen(form.page);
    const auto i = receiver_of(form.opening.front(), screen);
    const RowPlace place = i ? row_of(data_.of(form.page), *i) : RowPlace{};
    if (!place.row) return form.opening;
    const ShownTable* table = data_.of(now).table(place.table->name);
    if (!table) return std::nullopt;
    const auto come = rows_missing(*table, *place.table);
    const auto same = std::ranges::find(table->rows, place.row->content, &ShownRow::content);
    if (come.size() > 1 || (come.empty() && same == table->rows.end())) return std::nullopt;
    const ShownRow& row = come.empty() ? *same : *come.front();
    const std::size_t widget = row.widget + (*i - place.row->widget);
    std::vector<Event> out = form.opening;
    Target* target = target_of(out.front());
    if (widget >= row.end || !target) return std::nullopt;
    *target = make_target(tree_.screen(now), widget);
    return out;
  }
  /// What is entered or chosen in the form is the same.
  static bool holds_the_same(const ScreenData& a, const ScreenData& b) {
    return a.page == b.page && std::ranges::all_of(a.values, [&](const ShownValue& v) {
             const ShownValue* now = b.value(v.name);
             return now && now->text == v.text;
           });
  }
  /// What the page says now and did not say at first are words that it said after the change alone.
  bool was_begun_anew(NodeId before, NodeId changed, NodeId after) {
    const auto was = texts_on(before), then = texts_on(changed);
    bool anew = false;
    for (const std::string& text : texts_on(after)) {
      if (was.contains(text)) continue;
      if (!then.contains(text) || !numbers_in(text).empty()) return false;
      anew = true;
    }
    return anew;
  }
  std::set<std::string> texts_on(NodeId node) {
    std::set<std::string> out;
    for (const Widget& w : tree_.screen(node).widgets)
      if (!w.text.empty()) out.insert(w.text);
    return out;
  }
  /// Nothing went from the lists, and nothing else differs but numbers.
  static bool only_lists_more(const ScreenData& a, const ScreenData& b) {
    const auto was = rows_shown(a), is = rows_shown(b);
    return was != is && std::ranges::includes(is, was);
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, Round> rounds_;  ///< by group
  std::map<std::uint64_t, std::vector<Pair>> by_change_;
};

}  // namespace

Status try_changed_back(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  ChangingBack changing(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, changing.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId before, NodeId after) {
    return changing.is_wrong(cut, before, after);
  });
}

}  // namespace norn

// What is made in a form and deleted again has changed nothing, also where the thing is listed elsewhere than on
// the page below the form: a transfer stands on the pages of two accounts. After it was made it is looked for on
// the pages near by and behind the rows that say something else since; it is deleted there, in its menu or on its
// own page, and then the page below the form, those pages and the others say what they said before.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/openings.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t looks_of_a_page = 10, rows_looked_behind = 3;
constexpr Texts words_first{"Tarragon", "37", "Chervil"}, numbers_first{"37", "52", "64"};

class Unmaking {
 public:
  explicit Unmaking(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    std::set<std::uint64_t> forms;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const auto save = buttons_.of(form.form);
      const std::uint64_t kind = Hasher()
                                     .add(data_.of(form.page).page)
                                     .add(data_.of(form.form).page)
                                     .add(data_.deed(form.form))
                                     .finish();
      if (!c_.left() || !save || data_.of(form.page).popup || buttons_.of_existing(form) ||
          !forms.insert(kind).second)
        continue;
      for (const Texts& texts : {words_first, numbers_first})
        if (made_in(form, texts, *save)) break;
    }
    return in_rounds(std::move(by_form_));
  }
  DataCache& data() { return data_; }

 private:
  using Way = std::vector<Event>;

  /// False: nothing was made so that could be found and deleted.
  bool made_in(const OpenedForm& form, const Texts& texts, const Event& save) {
    Way made =
        joined(joined(form.opening, filled_in(tree_.screen(form.form), texts)), {Key{key::back}, save});
    const NodeId home = back_to(c_, data_, form.page, data_.of(form.page).page, made);
    if (!home) return false;
    std::vector<Way> looks{{}};
    for (const Lookout& place : lookouts(c_, data_, form.page))
      if (looks.size() < looks_of_a_page && !place.way.empty() && !data_.of(place.end).popup)
        looks.push_back(place.way);
    behind_changed_rows(form.page, home, looks);
    std::vector<Way> later;
    for (const Way& look : looks) later.push_back(joined(made, look));
    const auto before = ends_of(c_, form.page, looks), after = ends_of(c_, form.page, later);
    for (std::size_t k = 0; k < looks.size(); ++k) {
      if (!before[k] || !after[k]) continue;
      const auto deleting = deleted_at(before[k], after[k]);
      Way undone = joined(later[k], deleting);
      if (deleting.empty() || !back_to(c_, data_, form.page, data_.of(form.page).page, undone)) continue;
      for (const Way& look : looks) add(form, look, undone);
      return true;
    }
    return false;
  }
  /// Taps on the rows that say something else now.
  void behind_changed_rows(NodeId before, NodeId now, std::vector<Way>& looks) {
    std::size_t rows = 0;
    for (const ShownTable& t : data_.of(before).tables)
      if (const ShownTable* is = data_.of(now).table(t.name))
        for (const ShownRow* row : rows_missing(t, *is))
          if (rows++ < rows_looked_behind) looks.push_back({tap_on(tree_.screen(before), row->widget)});
  }
  /// What deletes the one row that has come; empty: there is none, or nothing does.
  Way deleted_at(NodeId before, NodeId after) {
    if (data_.of(before).page != data_.of(after).page) return {};
    for (const ShownTable& now : data_.of(after).tables) {
      const ShownTable* was = data_.of(before).table(now.name);
      const auto come = was ? rows_missing(now, *was) : std::vector<const ShownRow*>{};
      if (!was || come.size() != 1 || now.rows.size() != was->rows.size() + 1) continue;
      std::vector<RowAction> actions = row_actions(c_, data_, after, 1, Showing::anywhere);
      std::ranges::move(actions_behind_rows(c_, data_, after, 1, Showing::anywhere),
                        std::back_inserter(actions));
      for (const RowAction& action : actions)
        if (const auto way =
                action.table == now.name ? done_to(action, tree_.screen(after), *come[0]) : std::nullopt;
            way && takes_off(after, *way, now.name, *come[0]))
          return *way;
    }
    return {};
  }
  /// It calls itself deleting, and the list is there again without the row.
  bool takes_off(NodeId list, const Way& way, std::uint64_t table, const ShownRow& row) {
    const NodeId end = ends_of(c_, list, {way}).front();
    if (!end || !touched_between(tree_, list, end, says_deleting)) return false;
    Way back = way;
    const NodeId again = back_to(c_, data_, list, data_.of(list).page, back);
    const ShownTable* now = again ? data_.of(again).table(table) : nullptr;
    return again &&
           (!now || std::ranges::find(now->rows, row.content, &ShownRow::content) == now->rows.end());
  }
  void add(const OpenedForm& form, const Way& look, const Way& undone) {
    const std::uint64_t group = Hasher().add("unmade").add(data_.of(form.page).page).finish();
    by_form_[Hasher().add(group).add(look.empty() ? "" : describe(look.back())).finish()].push_back(
        {.family = "returned",
         .name = "what was made and deleted again has changed a page",
         .group = group,
         .base = form.page,
         .plain = look,
         .other = joined(undone, look),
         .agree = {{look.size(), undone.size() + look.size()}},
         .any_order = true});
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, std::vector<Pair>> by_form_;
};

/// Some row says a name that was typed.
bool lists_a_name(const Pair& pair, const ScreenData& page) {
  return std::ranges::any_of(pair.other, [&](const Event& e) {
    const auto* type = std::get_if<Type>(&e);
    return type && !type->text.empty() && numbers_in(type->text).empty() &&
           std::ranges::any_of(page.tables, [&](const ShownTable& t) {
             return std::ranges::any_of(t.rows, [&](const ShownRow& r) { return r.says(type->text); });
           });
  });
}

}  // namespace

Status try_unmade(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Unmaking unmaking(looking);
  Pairs pairs(c, "neutral");
  std::set<NodeId> put_away;  // some page lists what was deleted: a bin, a log
  pairs.on_compared([&](const Pair& p, NodeId, NodeId other) {
    if (lists_a_name(p, unmaking.data().of(other))) put_away.insert(p.base);
  });
  NORN_CHECK(in_batches(c, unmaking.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::held_once, [&](const Pair& cut, NodeId plain, NodeId other) {
    const ScreenData &a = unmaking.data().of(plain), &b = unmaking.data().of(other);
    return !put_away.contains(cut.base) && a.page == b.page && a.mode == b.mode && says_otherwise(a, b) &&
           rows_shown(a).size() >= rows_shown(b).size();
  });
}

}  // namespace norn

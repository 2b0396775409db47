// Saving what nobody changed changes nothing: a form that is opened on something that exists and left at once
// by the button that takes what it holds says the same when it is opened again. Notes that were not touched
// and are cleared, a tick that is dropped, a date that moves with every saving show there. This needs no
// habit. That the page below shows the same rows and numbers, too, does: it may say when something was saved
// last, or how often. But that only ever goes forwards: what was set back by saving was changed. What is for
// something new adds a row when it is saved, and does not count.
//
// Nor is it refused: the button leaves the form, if it does so once something in it was changed.
//
// The same is asked under each setting that can be chosen near by (settings.h): a form that shows miles and
// takes them for kilometres stores something else with every saving.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/settings.h"
#include "detect/reading/other_texts.h"
#include "detect/reading/remembered.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_filling = 3;  ///< of a form with the same fields filled and checks set
constexpr std::size_t rows_of_a_page = 12;
constexpr std::uint32_t deepest_form = 5;  ///< events from the first page: what is tried under each setting

class Savings {
 public:
  explicit Savings(const History& tree) : tree_(tree), data_(tree), buttons_(tree, data_) {}

  /// `again`: opened again; else the page below.
  std::vector<Pair> all(bool again) {
    std::map<std::uint64_t, std::vector<Pair>> by_filling;
    std::set<std::uint64_t> seen;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const ScreenData& shown = data_.of(form.form);
      const auto save = buttons_.of_existing(form);
      if (!save || (again && !names_one_row(form.opening.front(), tree_.screen(form.page)))) continue;
      if (!again && !changed_since_opened(data_, tree_, form.page).empty())
        continue;  // it may begin anew with what was saved
      const std::uint64_t opened =
          Hasher().add(data_.of(form.page).page).add(shown.page).add(data_.deed(form.form)).finish();
      auto& pairs = by_filling[Hasher().add(opened).add(shown.mode).finish()];
      if (pairs.size() < pairs_of_a_filling && seen.insert(contents(opened, shown)).second)
        pairs.push_back(pair(form, *save, opened, again));
      if (seen.insert(opened).second) on_all_rows(form, *save, opened, again, by_filling[opened]);
    }
    return in_rounds(std::move(by_filling));
  }

  /// Opened again from the first page, with each setting that can be chosen near by.
  std::vector<Pair> under_settings(OracleContext& c) {
    std::map<std::uint64_t, std::vector<Pair>> by_setting;
    std::set<std::uint64_t> kinds;
    const auto settings = settings_near(c, data_, tree_.root());
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const ScreenData& shown = data_.of(form.form);
      const auto save = buttons_.of_existing(form);
      const std::uint64_t opened = Hasher().add(data_.of(form.page).page).add(shown.page).finish();
      if (!save || tree_.depth(form.form) > deepest_form || !kinds.insert(opened).second) continue;
      for (const Setting& setting : settings) {
        const OpenedForm there{setting.end, form.form, tree_.events_to(form.form)};
        by_setting[Hasher().add(setting.end.value).finish()].push_back(pair(there, *save, opened, true));
        // Saved, it is opened again from the page on which that leaves one.
        Pair& p = by_setting[Hasher().add(setting.end.value).finish()].back();
        p.other = joined(joined(there.opening, {*save}), form.opening);
        p.agree = {{p.plain.size(), p.other.size()}};
      }
    }
    return in_rounds(std::move(by_setting));
  }

  /// Saved once, with each setting that can be chosen near by, and seen from the page below: of forms whose
  /// saving changes nothing there without it.
  std::vector<Pair> below_under_settings(OracleContext& c) {
    std::map<std::uint64_t, std::vector<Pair>> by_setting;
    std::set<std::uint64_t> kinds;
    const auto settings = settings_near(c, data_, tree_.root());
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const auto save = buttons_.of_existing(form);
      const std::uint64_t kind =
          Hasher().add(data_.of(form.page).page).add(data_.of(form.form).page).finish();
      if (!save || tree_.depth(form.form) > deepest_form || kinds.contains(kind)) continue;
      const std::vector<Event> to_page = tree_.events_to(form.page);
      const NodeId plain = ends_of(c, form.page, {joined(form.opening, {*save})}).front();
      if (!plain || !same_in_any_order(data_.of(form.page), data_.of(plain))) continue;
      kinds.insert(kind);
      for (const Setting& setting : settings) {
        const NodeId page = ends_of(c, setting.end, {to_page}).front();
        const auto first = page ? at_the_same_place(form, page) : std::nullopt;
        if (!first) continue;
        OpenedForm there{page, form.form, form.opening};
        there.opening.front() = *first;
        by_setting[Hasher().add(setting.end.value).finish()].push_back(pair(there, *save, kind, false));
      }
    }
    return in_rounds(std::move(by_setting));
  }

 private:
  /// What opens the form, on the page as it looks now: of rows, which may say something else, the one at the
  /// same place.
  std::optional<Event> at_the_same_place(const OpenedForm& form, NodeId page) {
    const Event& open = form.opening.front();
    const auto i = receiver_of(open, tree_.screen(form.page));
    if (receiver_of(open, tree_.screen(page)) || !i || !std::holds_alternative<Tap>(open)) return open;
    const RowPlace place = row_of(data_.of(form.page), *i);
    const ShownTable* now = place.row ? data_.of(page).table(place.table->name) : nullptr;
    const auto row = place.row ? static_cast<std::size_t>(place.row - place.table->rows.data()) : 0;
    if (!now || now->rows.size() != place.table->rows.size()) return std::nullopt;
    const std::size_t widget = now->rows[row].widget + (*i - place.row->widget);
    return widget < now->rows[row].end ? std::optional(tap_on(tree_.screen(page), widget)) : std::nullopt;
  }
  static std::uint64_t contents(std::uint64_t opened, const ScreenData& form) {
    Hasher out;
    out.add(opened);
    for (const ShownValue& v : form.values) out.add(v.text);
    return out.finish();
  }
  /// The same for the other things that are listed where the form was opened.
  void on_all_rows(OpenedForm form, const Event& save, std::uint64_t opened, bool again,
                   std::vector<Pair>& out) const {
    for (const Event& event : on_other_rows(form.opening.front(), tree_.screen(form.page), false)) {
      if (out.size() >= rows_of_a_page || (again && !names_one_row(event, tree_.screen(form.page)))) continue;
      form.opening.front() = event;
      out.push_back(pair(form, save, opened, again));
    }
  }
  Pair pair(const OpenedForm& form, const Event& save, std::uint64_t opened, bool again) const {
    const std::vector<Event> saved = joined(form.opening, {save});
    Pair out{.family = "resaved",
             .name = again ? "saving a form that nobody changed changes what it says when it is opened again"
                           : "saving a form that nobody changed changes the page below",
             .group = opened,
             .base = form.page,
             .plain = {},
             .other = saved,
             .agree = {{0, saved.size()}},
             .any_order = true};
    if (again) {
      out.plain = form.opening, out.other = joined(saved, form.opening);
      out.agree = {{out.plain.size(), out.other.size()}};
    }
    return out;
  }

  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
};

bool set_back(const ShownValue& was, const ShownValue& is) {
  const auto before = numbers_in(was.text), after = numbers_in(is.text);
  return was.name == is.name && words_beside_numbers(was.text) == words_beside_numbers(is.text) &&
         before.size() == after.size() && after < before;
}

/// One row changed, and a number or a date in it, read from its left, is smaller now.
bool row_set_back(const ScreenData& before, const ScreenData& after) {
  return std::ranges::any_of(before.tables, [&](const ShownTable& t) {
    const ShownTable* now = after.table(t.name);
    if (!now) return false;
    const auto was = rows_missing(t, *now), is = rows_missing(*now, t);
    if (was.size() != 1 || is.size() != 1 || was[0]->cells.size() != is[0]->cells.size()) return false;
    for (std::size_t k = 0; k < was[0]->cells.size(); ++k)
      if (set_back(was[0]->cells[k], is[0]->cells[k])) return true;
    return false;
  });
}

bool as_many_rows(const ScreenData& a, const ScreenData& b) {
  return a.page == b.page &&
         std::ranges::equal(a.tables, b.tables, [](const ShownTable& x, const ShownTable& y) {
           return x.name == y.name && x.rows.size() == y.rows.size();
         });
}

/// What is touched first of the last `opening` events, before the wait, is there by its name: else another
/// thing is opened the second time.
bool names_the_same(const History& tree, const Pair& cut, std::size_t opening, NodeId end) {
  for (std::size_t k = 0; k <= opening; ++k) end = tree.parent(end);
  const Target* target = target_of(cut.other[cut.other.size() - 1 - opening]);
  return !target || target->label.empty() || data_of(tree.screen(end)).says(target->label);
}

std::size_t fields_that_differ(const ScreenData& a, const ScreenData& b) {
  return static_cast<std::size_t>(std::ranges::count_if(a.values, [&](const ShownValue& v) {
    const ShownValue* other = b.value(v.name);
    return v.kind == ShownValue::Kind::field && other && other->text != v.text;
  }));
}

/// Forms that saving does not leave as they are, and leaves once something in them was changed.
class Refusals {
 public:
  explicit Refusals(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::vector<Pair>> by_form;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const auto save = buttons_.of_existing(form);
      const std::uint64_t kind =
          Hasher().add(data_.of(form.page).page).add(data_.of(form.form).page).finish();
      if (auto& pairs = by_form[kind]; save && c_.left() && pairs.size() < pairs_of_a_filling)
        if (auto pair = refused(form, *save, kind)) pairs.push_back(*std::move(pair));
    }
    return in_rounds(std::move(by_form));
  }
  /// The first way has left the form, the second has not.
  bool is_refused(const Pair& cut, NodeId changed, NodeId unchanged) {
    return data_.of(changed).page == data_.of(cut.base).page &&
           data_.of(unchanged).page != data_.of(changed).page;
  }

 private:
  bool is_still_open(const OpenedForm& form, NodeId end) {
    return end && data_.of(end).page == data_.of(form.form).page;
  }
  bool fills_an_empty_field(NodeId form, NodeId changed) {
    return std::ranges::any_of(data_.of(form).values, [&](const ShownValue& v) {
      const ShownValue* now = data_.of(changed).value(v.name);
      return v.kind == ShownValue::Kind::field && v.text.empty() && now && !now->text.empty();
    });
  }
  std::optional<Pair> refused(const OpenedForm& form, const Event& save, std::uint64_t kind) {
    const std::vector<Event> unchanged = joined(form.opening, {save});
    if (!is_still_open(form, ends_of(c_, form.page, {unchanged}).front())) return std::nullopt;
    for (const PageChange& change : page_changes(c_, data_, form.form)) {
      if (fills_an_empty_field(form.form, change.end)) continue;  // it may have to be filled in
      const std::vector<Event> changed = joined(joined(form.opening, change.events), {save});
      const NodeId end = ends_of(c_, form.page, {changed}).front();
      if (!end || data_.of(end).page != data_.of(form.page).page) continue;
      return Pair{
          .family = "refused",
          .name = "a form that nobody changed cannot be saved, and can when something in it was changed",
          .group = kind,
          .base = form.page,
          .plain = changed,
          .other = unchanged,
          .agree = {{changed.size(), unchanged.size()}},
          .one_report = true};
    }
    return std::nullopt;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
};

}  // namespace

Status try_refused(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Refusals refusals(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, refusals.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId changed, NodeId unchanged) {
    return refusals.is_refused(cut, changed, unchanged);
  });
}

Status try_resaved(OracleContext& c) {
  const History& tree = c.replay.history();
  Pairs again(c, "neutral"), below(c, "neutral");
  Savings savings(tree);
  NORN_CHECK(in_batches(c, savings.all(true),
                        [&](std::vector<Pair> batch) { return again.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, savings.all(false),
                        [&](std::vector<Pair> batch) { return below.attempt(std::move(batch)); }));
  NORN_CHECK(again.report(Habit::none, [&](const Pair& cut, NodeId first, NodeId second) {
    NodeId saved = second;
    for (std::size_t k = 0; k < cut.plain.size(); ++k) saved = tree.parent(saved);  // opening, and the wait
    const ScreenData was = data_of(tree.screen(first)), is = data_of(tree.screen(second));
    return was.page == is.page && says_otherwise(was, is) &&  // "Not saved yet" may go
           as_many_rows(data_of(tree.screen(cut.base)), data_of(tree.screen(saved))) &&
           names_the_same(tree, cut, cut.plain.size() - 1, second);
  }));
  return below.report(Habit::none, [&](const Pair& cut, NodeId before, NodeId after) {
    const ScreenData was = data_of(tree.screen(before)), is = data_of(tree.screen(after));
    const Pairs::Tally tally = below.tally(cut.group);
    return again.tally(cut.group).failed == 0 && as_many_rows(was, is) &&
           (tally.held > tally.failed || row_set_back(was, is));
  });
}

Status try_resaved_under_settings(OracleContext& c) {
  Pairs pairs(c, "neutral"), below(c, "neutral");
  Savings savings(c.replay.history());
  OracleContext looking = c.part(looking_share);
  NORN_CHECK(in_batches(c, savings.under_settings(looking),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  NORN_CHECK(in_batches(c, savings.below_under_settings(looking),
                        [&](std::vector<Pair> batch) { return below.attempt(std::move(batch)); }));
  const History& tree = c.replay.history();
  NORN_CHECK(below.report(Habit::none, [&](const Pair&, NodeId before, NodeId after) {
    const ScreenData was = data_of(tree.screen(before)), is = data_of(tree.screen(after));
    return as_many_rows(was, is) && says_otherwise(was, is);
  }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId first, NodeId second) {
    const ScreenData was = data_of(tree.screen(first)), is = data_of(tree.screen(second));
    return was.page == is.page &&
           names_the_same(tree, cut, cut.other.size() - cut.plain.size() - 1, second) &&
           fields_that_differ(was, is) == 1;  // another thing has another name as well
  });
}

}  // namespace norn

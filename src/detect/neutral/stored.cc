// What was changed in a form is there when it is opened again after it was saved: one field, one check or one
// choice is changed, or a field emptied that does not name the thing, everything else left alone. A form that
// stores a field only together with another, or not at all, shows what it showed before. It must store most of
// what is changed in it: a template is filled in and stays as it is. (That a field is emptied is expected where
// most of the app's are then.) A form may reject or tidy up what it is given, so what counts is that the old
// text is back. A check or choice that is the same whenever the form is opened is no part of what is stored:
// "tell my calendar" is done once.
//
// A form that is left by Back instead keeps nothing of what was changed, or all of it: where at least twice
// as many kinds of changes are forgotten as are kept, those that are kept were stored too soon.
//
// Nor does saving one change make another: all fields that were left alone but one are as they were, and that
// one is not. Where what was entered is not there either, the form put both in order. Nor does it make a
// second thing: the list from which the form was opened has as many rows as before.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/page_changes.h"
#include "detect/reading/other_texts.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t forms_of_a_kind = 3;  ///< inputs from which a form that is opened in one way is tried

/// What can be entered or chosen in a form, by name: fields and checks, also those in rows, and texts, which
/// may say what was chosen ("Work").
std::map<std::uint64_t, std::string> held_in(const ScreenData& form) {
  std::map<std::uint64_t, std::string> out;
  for (const ShownValue& v : form.values) out[v.name] = v.text;
  for (const ShownTable& t : form.tables)
    for (const ShownRow& row : t.rows)
      for (const ShownValue& cell : row.cells)
        if (cell.kind == ShownValue::Kind::check)
          out[Hasher().add(t.name).add(row.texts).add(cell.name).finish()] = cell.text;
  return out;
}

class Storing {
 public:
  explicit Storing(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {
    for (const OpenedForm& form : opened_forms(tree_, data_))
      for (const auto& [name, text] : held_in(data_.of(form.form)))
        opened_with_[Hasher().add(data_.of(form.form).page).add(name).finish()].insert(text);
  }

  /// A change of a form that is saved then; `left`: that is left by Back.
  std::vector<Pair> all(bool left) {
    std::map<std::uint64_t, std::vector<Pair>> by_change;
    std::map<std::uint64_t, std::size_t> tried;
    std::set<std::uint64_t> seen;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const ScreenData& shown = data_.of(form.form);
      const auto save = buttons_.of_existing(form);
      const std::uint64_t kind = Hasher().add(shown.page).add(data_.deed(form.form)).finish();
      if (!save || !names_one_row(form.opening.front(), tree_.screen(form.page)) ||
          !seen.insert(Hasher().add(kind).add(tree_.key(form.form)).finish()).second ||
          tried[kind]++ >= forms_of_a_kind)
        continue;
      for (const PageChange& change : changes(form.form))
        if (auto& pairs = by_change[change.what]; left)
          pairs.push_back(gone_back(form, change.events, change.what));
        else
          pairs.push_back(saved(form, change.events, *save, kind));
      for (const auto& [what, events] : left ? Emptied{} : emptied(form))
        by_change[what].push_back(saved(form, events, *save, Hasher().add("emptied").finish()));
    }
    return in_rounds(std::move(by_change));
  }

  /// The same changes, seen from the list on which the form was opened.
  std::vector<Pair> on_the_list(const std::vector<Pair>& saved) {
    std::vector<Pair> out;
    for (const Pair& p : saved) {
      const auto i = receiver_of(p.plain.front(), tree_.screen(p.base));
      if (!i || !row_of(data_.of(p.base), *i).row) continue;
      Pair seen = p;
      seen.family = "stored twice", seen.name = "saving a change of something that exists adds another one";
      seen.plain = {}, seen.agrees = false, seen.one_report = true;
      seen.other.resize(p.plain.size() + 1);  // up to saving
      seen.agree = {{0, seen.other.size()}};
      out.push_back(std::move(seen));
    }
    return out;
  }
  /// All rows are there as they were, and one more.
  bool adds_a_row(NodeId before, NodeId after) {
    const ScreenData &was = data_.of(before), &is = data_.of(after);
    return was.page == is.page && std::ranges::any_of(was.tables, [&](const ShownTable& t) {
             const ShownTable* now = is.table(t.name);
             return now && rows_missing(t, *now).empty() && rows_missing(*now, t).size() == 1;
           });
  }

  /// One field that was left alone says something else now, and all others that were, two at least, say the
  /// same, as does what was changed. That one is empty is wrong also where there is no other.
  bool changes_another(const Pair& cut, const ScreenData& changed, const ScreenData& again) {
    const ScreenData* first = opened_as(cut);
    if (!first || changed.page != again.page) return false;
    std::size_t same = 0, other = 0, emptied = 0;
    for (const ShownValue& v : changed.values) {
      const ShownValue *was = first->value(v.name), *is = again.value(v.name);
      if (was && is && was->text != v.text && is->text != v.text) return false;  // 60 seconds are a minute
      if (v.kind == ShownValue::Kind::text || v.text.empty() || !was || was->text != v.text || !is) continue;
      ++(is->text == v.text ? same : other);
      emptied += v.kind == ShownValue::Kind::field && is->text.empty();
    }
    return other == 1 && (same >= 2 || emptied == 1);
  }
  /// Something that was changed is again as it was when the form was opened first.
  bool is_as_before(const Pair& cut, const ScreenData& changed, const ScreenData& again) {
    const ScreenData* first = opened_as(cut);
    if (!first || changed.page != again.page || !same_item(*first, changed, again) ||
        first->fields() != changed.fields())  // what comes up empty need not be stored
      return false;
    const auto was = held_in(*first), is = held_in(again);
    return std::ranges::any_of(held_in(changed), [&](const auto& one) {
      const auto before = was.find(one.first), now = is.find(one.first);
      return before != was.end() && now != is.end() && before->second != one.second &&
             before->second == now->second && is_kept(*first, one.first);
    });
  }

 private:
  /// The form of this pair as it was opened first; null: it is not known.
  const ScreenData* opened_as(const Pair& cut) {
    const auto at = first_.find(Hasher().add(cut.base.value).add(describe(cut.plain[0])).finish());
    return at == first_.end() ? nullptr : &data_.of(at->second);
  }
  /// What was not changed is there again, too: else the row that is touched is another one now.
  static bool same_item(const ScreenData& first, const ScreenData& changed, const ScreenData& again) {
    return std::ranges::all_of(changed.values, [&](const ShownValue& v) {
      const ShownValue *was = first.value(v.name), *is = again.value(v.name);
      return v.kind != ShownValue::Kind::field || !was || was->text != v.text || (is && is->text == v.text);
    });
  }
  /// A field, or a choice that is not the same whenever the form is opened.
  bool is_kept(const ScreenData& form, std::uint64_t name) {
    const ShownValue* v = form.value(name);
    return (v && v->kind == ShownValue::Kind::field) ||
           opened_with_[Hasher().add(form.page).add(name).finish()].size() > 1;
  }
  /// Ways to change one thing, found on the first form of its kind.
  const std::vector<PageChange>& changes(NodeId form) {
    const auto [at, fresh] = changes_.try_emplace(data_.of(form).page);
    if (fresh && c_.left()) at->second = page_changes(c_, data_, form);
    return at->second;
  }
  using Emptied = std::vector<std::pair<std::uint64_t, std::vector<Event>>>;
  /// Each field that holds something, emptied; but the first one, and what the row is called by, may have to
  /// say something.
  Emptied emptied(const OpenedForm& form) {
    const Screen& screen = tree_.screen(form.form);
    const Target* row = target_of(form.opening.front());
    Emptied out;
    bool first = true;
    for (const ShownValue& v : data_.of(form.form).values) {
      if (v.kind != ShownValue::Kind::field || std::exchange(first, false)) continue;
      if (!v.text.empty() && row && !row->label.contains(v.text) &&
          (accepted_by(screen.widgets[v.widget]) & accepts_text) != 0)
        out.emplace_back(Hasher().add("emptied").add(screen.activity).add(v.name).finish(),
                         typed_into(screen, v.widget, ""));
    }
    return out;
  }
  /// What opens the form, where its first event finds the row by its name: the new one, if that was changed.
  std::vector<Event> opened_again(const OpenedForm& form, const std::vector<Event>& change) {
    std::vector<Event> out = form.opening;
    const auto* type = std::get_if<Type>(&change.front());
    const auto field = type ? receiver_of(*type, tree_.screen(form.form)) : std::nullopt;
    Target* row = target_of(out.front());
    if (!field || !row) return out;
    const std::string& was = tree_.screen(form.form).widgets[*field].text;
    if (const std::size_t at = row->label.find(was); !was.empty() && at != std::string::npos)
      row->label.replace(at, was.size(), type->text);
    return out;
  }
  Pair saved(const OpenedForm& form, const std::vector<Event>& change, const Event& save,
             std::uint64_t kind) {
    first_.try_emplace(Hasher().add(form.page.value).add(describe(form.opening.front())).finish(), form.form);
    const std::vector<Event> changed = joined(form.opening, change);
    Pair out{.family = "stored",
             .name = "what was changed in a form and saved is as before when it is opened again",
             .group = kind,
             .base = form.page,
             .plain = changed,
             .other = joined(joined(changed, {save}), opened_again(form, change)),
             .agree = {},
             .any_order = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    return out;
  }

  /// The form as it is opened, and opened again after something was changed in it that was not saved.
  static Pair gone_back(const OpenedForm& form, const std::vector<Event>& change, std::uint64_t kind) {
    Pair out{.family = "left",
             .name = "one change in a form is kept although the form was left, where others are forgotten",
             .group = kind,
             .base = form.page,
             .plain = form.opening,
             .other = joined(joined(joined(form.opening, change), {Key{key::back}}), form.opening),
             .agree = {},
             .any_order = true};
    out.agree = {{out.plain.size(), out.other.size()}};
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, std::vector<PageChange>> changes_;    ///< by form
  std::map<std::uint64_t, std::set<std::string>> opened_with_;  ///< by form and value: what it said
  std::map<std::uint64_t, NodeId> first_;  ///< by page and opening: the form as it is opened
};

/// The same page, and what can be entered or chosen on it is not the same.
bool holds_otherwise(const ScreenData& a, const ScreenData& b) {
  const auto other = held_in(b);
  return a.page == b.page && std::ranges::any_of(held_in(a), [&](const auto& one) {
           const auto at = other.find(one.first);
           return at != other.end() && at->second != one.second;
         });
}

Status tell_what_is_kept(OracleContext& c, std::vector<Pair> all) {
  const History& tree = c.replay.history();
  DataCache data(tree);
  struct Changes {
    std::set<std::uint64_t> kept, forgotten;  ///< kinds of changes
  };
  std::map<std::uint64_t, Changes> forms;
  Pairs pairs(c, "neutral");
  pairs.on_compared([&](const Pair& p, NodeId first, NodeId again) {
    const ScreenData &a = data.of(first), &b = data.of(again);
    NodeId changed = again;
    for (std::size_t k = 0; k <= p.plain.size(); ++k) changed = tree.parent(changed);
    if (a.page == b.page && holds_otherwise(a, data.of(changed)))  // else this one said so already
      (holds_otherwise(a, b) ? forms[a.page].kept : forms[a.page].forgotten).insert(p.group);
  });
  NORN_CHECK(in_batches(c, std::move(all),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId first, NodeId again) {
    const Changes& form = forms[data.of(first).page];
    return holds_otherwise(data.of(first), data.of(again)) && !form.forgotten.contains(cut.group) &&
           form.forgotten.size() >= 2 * form.kept.size();
  });
}

}  // namespace

Status try_stored(OracleContext& c) {
  const History& tree = c.replay.history();
  OracleContext looking = c.part(looking_share);
  Storing storing(looking);
  const auto tell = [&](std::vector<Pair> all,
                        bool (Storing::*wrong)(const Pair&, const ScreenData&, const ScreenData&)) -> Status {
    Pairs pairs(c, "neutral");
    NORN_CHECK(in_batches(c, std::move(all),
                          [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
    return pairs.report(Habit::held_mostly, [&](const Pair& cut, NodeId changed, NodeId again) {
      return (storing.*wrong)(cut, data_of(tree.screen(changed)), data_of(tree.screen(again)));
    });
  };
  NORN_CHECK(tell_what_is_kept(c, storing.all(true)));
  std::vector<Pair> all = storing.all(false);
  NORN_CHECK(tell(all, &Storing::is_as_before));
  Pairs listed(c, "neutral");
  NORN_CHECK(in_batches(c, storing.on_the_list(all),
                        [&](std::vector<Pair> batch) { return listed.attempt(std::move(batch)); }));
  NORN_CHECK(listed.report(Habit::none, [&](const Pair&, NodeId before, NodeId after) {
    return storing.adds_a_row(before, after);
  }));
  for (Pair& p : all)
    p.family = "stored beside", p.name = "saving a change in a form changes something else in it";
  return tell(std::move(all), &Storing::changes_another);  // the same runs, which are remembered
}

}  // namespace norn

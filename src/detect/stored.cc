// What was changed in a form is there when it is opened again after it was saved: one field, one check or one choice is changed, everything else left alone. A form that
// stores a field only together with another, or not at all, shows what it showed before. It must store most of what is changed in it: a template is filled in and stays as it is. A form may reject or tidy up what it is given, so what
// counts is that the old text is back. A check or choice that is the same whenever the form is opened is no part of what is stored: "tell my calendar" is done once.
//
// A form that is left by Back instead keeps nothing of what was changed, or all of it: where at least twice as many kinds of changes are forgotten as are kept, those that are kept were stored too soon.
//
// Nor does saving one change make another: all fields that were left alone but one are as they were, and that one is not.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/forms.h"
#include "detect/neutral.h"
#include "detect/other_texts.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t forms_of_a_kind = 3;   ///< inputs from which a form that is opened in one way is tried
constexpr std::size_t longest_choosing = 3;  ///< events of a choice: through a menu
constexpr std::size_t choices_of_a_form = 8;
constexpr std::uint32_t other_salt = 2;

class Storing {
 public:
  explicit Storing(const History& tree) : tree_(tree), data_(tree), buttons_(tree, data_) { learn_choices(); }

  /// A change of a form that is saved then; `left`: that is left by Back.
  std::vector<Pair> all(bool left) {
    std::map<std::uint64_t, std::vector<Pair>> by_change;
    std::map<std::uint64_t, std::size_t> tried;
    std::set<std::uint64_t> seen;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const ScreenData& shown = data_.of(form.form);
      const auto save = shows_an_item(shown) ? buttons_.of(form.form) : std::nullopt;
      const std::uint64_t kind = Hasher().add(shown.page).add(data_.deed(form.form)).finish();
      if (!save || !names_one_row(form.opening.front(), tree_.screen(form.page)) ||
          !seen.insert(Hasher().add(kind).add(tree_.key(form.form)).finish()).second ||
          tried[kind]++ >= forms_of_a_kind)
        continue;
      std::size_t number = 0;
      for (const auto& change : changes(form.form))
        if (auto& pairs = by_change[Hasher().add(kind).add(number++).finish()]; left)
          pairs.push_back(gone_back(form, change, Hasher().add(kind).add(number).finish()));
        else
          pairs.push_back(saved(form, change, *save, kind));
    }
    return in_rounds(std::move(by_change));
  }

  /// One field that was left alone says something else now, and all others that were, two at least, say the same.
  bool changes_another(const Pair& cut, const ScreenData& changed, const ScreenData& again) {
    const ScreenData* first = opened_as(cut);
    if (!first || changed.page != again.page) return false;
    std::size_t same = 0, other = 0;
    for (const ShownValue& v : changed.values) {
      const ShownValue *was = first->value(v.name), *is = again.value(v.name);
      if (v.kind == ShownValue::Kind::text || v.text.empty() || !was || was->text != v.text || !is) continue;
      ++(is->text == v.text ? same : other);
    }
    return same >= 2 && other == 1;
  }
  /// Something that was changed shows again what it showed when the form was opened first.
  bool is_as_before(const Pair& cut, const ScreenData& changed, const ScreenData& again) {
    const ScreenData* first = opened_as(cut);
    if (!first || changed.page != again.page) return false;
    return same_item(*first, changed, again) && std::ranges::any_of(changed.values, [&](const ShownValue& v) {
             const ShownValue *was = first->value(v.name), *is = again.value(v.name);
             return was && is && was->text != v.text && was->text == is->text && is_kept(first->page, v);
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
  bool is_kept(std::uint64_t form, const ShownValue& v) {
    return v.kind == ShownValue::Kind::field ||
           opened_with_[Hasher().add(form).add(v.name).finish()].size() > 1;
  }
  /// Ways to change one thing, from the form as it is opened.
  std::vector<std::vector<Event>> changes(NodeId form) {
    const Screen& screen = tree_.screen(form);
    std::vector<std::vector<Event>> out;
    for (const ShownValue& v : data_.of(form).values)
      if (v.kind == ShownValue::Kind::field && !v.text.empty() &&
          (accepted_by(screen.widgets[v.widget]) & accepts_text) != 0)
        out.push_back({Type{make_target(screen, v.widget), screen.widgets[v.widget].bounds.center(),
                            other_text(v.text, other_salt)},
                       Key{key::back}});  // closes the keyboard
    std::ranges::copy(choices_[data_.of(form).page], std::back_inserter(out));
    return out;
  }
  /// Checks and choices of forms, as they were made right after opening one.
  void learn_choices() {
    std::set<NodeId> forms;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      forms.insert(form.form);
      for (const ScreenData& shown = data_.of(form.form); const ShownValue& v : shown.values)
        opened_with_[Hasher().add(shown.page).add(v.name).finish()].insert(v.text);
    }
    std::set<std::uint64_t> seen;
    for (std::uint32_t n = 1; n < tree_.size(); ++n) {
      const NodeId end{n};
      Hasher deeds;
      NodeId at = end;
      std::size_t events = 0;
      for (; at != tree_.root() && events < longest_choosing && !forms.contains(at); ++events) {
        if (!std::holds_alternative<Tap>(tree_.event(tree_.event_id(at)))) break;
        deeds.add(data_.deed(at));
        at = tree_.parent(at);
      }
      auto& known = choices_[data_.of(at).page];
      if (events == 0 || !forms.contains(at) || !changes_form(at, end) || known.size() >= choices_of_a_form)
        continue;
      auto way = tree_.events_to(end);
      way.erase(way.begin(), way.begin() + tree_.depth(at));
      if (seen.insert(deeds.add(data_.of(at).page).finish()).second) known.push_back(std::move(way));
    }
  }
  /// The same form is shown at the end, with something else; in between nothing but it and what is asked over it.
  bool changes_form(NodeId form, NodeId end) {
    const Screen& screen = tree_.screen(end);
    const ScreenData &first = data_.of(form), &last = data_.of(end);
    for (NodeId n = tree_.parent(end); n != form; n = tree_.parent(n))
      if (first.popup || (!data_.of(n).popup && data_.of(n).page != first.page)) return false;
    return !tree_.crash(end) && !screen.keyboard && screen.rotation == 0 && first.page == last.page &&
           std::ranges::equal(first.values, last.values, {}, &ShownValue::name, &ShownValue::name) &&
           std::ranges::equal(fields_of(first), fields_of(last)) && !same_in_any_order(first, last);
  }
  static std::vector<std::string> fields_of(const ScreenData& form) {
    std::vector<std::string> out;
    for (const ShownValue& v : form.values)
      if (v.kind == ShownValue::Kind::field) out.push_back(v.text);
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
             .other = joined(joined(changed, {save}), form.opening),
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

  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, std::vector<std::vector<Event>>> choices_;  ///< by form
  std::map<std::uint64_t, std::set<std::string>> opened_with_;        ///< by form and value: what it said
  std::map<std::uint64_t, NodeId> first_;  ///< by page and opening: the form as it is opened
};

/// The same page, and what can be entered or chosen on it is not the same.
bool holds_otherwise(const ScreenData& a, const ScreenData& b) {
  return a.page == b.page && std::ranges::any_of(a.values, [&](const ShownValue& v) {
           const ShownValue* other = b.value(v.name);
           return v.kind != ShownValue::Kind::text && other && other->text != v.text;
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
    if (a.page == b.page)
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
  Storing storing(tree);
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
  for (Pair& p : all)
    p.family = "stored beside", p.name = "saving a change in a form changes something else in it";
  return tell(std::move(all), &Storing::changes_another);  // the same runs, which are remembered
}

}  // namespace norn

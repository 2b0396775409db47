// A form for something new begins empty. It is opened, filled in and saved, which adds a row to the page below,
// and opened once more: where it then holds all that was entered for the last thing, its name too, nobody
// cleared it, and who is in a hurry enters that twice. It may propose some of it, a place or a day, so the names
// and all else that was typed must be there. This needs no habit.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/lookouts.h"
#include "detect/reading/remembered.h"

namespace norn {
namespace {

constexpr std::string_view words[] = {"Molida", "Tarvon", "Sebric"};
constexpr std::string_view number = "37";  ///< for a field that takes no words

class Beginning {
 public:
  explicit Beginning(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    std::vector<Pair> out;
    std::set<std::uint64_t> kinds;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const auto save = data_.of(form.form).has_field() ? buttons_.of(form.form) : std::nullopt;
      if (!c_.left() || !save || buttons_.of_existing(form) ||
          !kinds.insert(Hasher().add(data_.of(form.page).page).add(data_.of(form.form).page).finish()).second)
        continue;
      const std::vector<Event> filling = filled(form);
      const NodeId full = ends_of(c_, form.page, {joined(form.opening, filling)}).front();
      std::vector<Event> saved = joined(joined(form.opening, filling), {*save});
      if (!full || data_.of(full).page != data_.of(form.form).page) continue;
      const NodeId back = back_to(c_, data_, form.page, data_.of(form.page).page, saved);
      if (!back || rows_shown(data_.of(back)).size() <= rows_shown(data_.of(form.page)).size()) continue;
      Pair pair{.family = "begun",
                .name = "a form for something new begins with what was entered for the last",
                .group = Hasher().add("begun").add(form.form.value).finish(),
                .base = form.page,
                .plain = form.opening,
                .other = joined(saved, form.opening),
                .agree = {},
                .one_report = true};
      pair.agree = {{pair.plain.size(), pair.other.size()}};
      full_.try_emplace(pair.group, full);
      out.push_back(std::move(pair));
    }
    return out;
  }
  /// All fields that came to hold something hold that again, a word among them.
  bool holds_the_last(const Pair& cut, NodeId fresh, NodeId again) {
    const auto at = full_.find(cut.group);
    if (at == full_.end() || data_.of(fresh).page != data_.of(again).page) return false;
    bool word = false;
    for (const ShownValue& v : data_.of(at->second).values) {
      const ShownValue *was = data_.of(fresh).value(v.name), *is = data_.of(again).value(v.name);
      if (v.kind != ShownValue::Kind::field || !was || was->text == v.text) continue;
      if (!is || is->text != v.text) return false;
      word = word || std::ranges::find(words, v.text) != std::end(words);
    }
    return word;
  }

 private:
  /// Types into each empty field a word, or else a number.
  std::vector<Event> filled(const OpenedForm& form) {
    const Screen& screen = tree_.screen(form.form);
    std::vector<Event> out;
    std::size_t fields = 0;
    for (const ShownValue& v : data_.of(form.form).values) {
      if (v.kind != ShownValue::Kind::field || !v.text.empty() ||
          (accepted_by(screen.widgets[v.widget]) & accepts_text) == 0)
        continue;
      const auto word = typed_into(screen, v.widget, std::string(words[fields++ % std::size(words)]));
      const NodeId typed = ends_of(c_, form.form, {word}).front();
      const ShownValue* is = typed ? data_.of(typed).value(v.name) : nullptr;
      out = joined(out, is && !is->text.empty() ? word : typed_into(screen, v.widget, std::string(number)));
    }
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, NodeId> full_;  ///< the form as it was filled in, by group
};

}  // namespace

Status try_begun(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Beginning beginning(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, beginning.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId fresh, NodeId again) {
    return beginning.holds_the_last(cut, fresh, again);
  });
}

}  // namespace norn

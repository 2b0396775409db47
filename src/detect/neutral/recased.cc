// Capitals decide no place in a list. A name is saved in small letters, and once as it was: the list has the
// same rows in the same order. A list in the order of names that stands otherwise then is sorted by the codes of
// letters, "zoe" behind all others. This needs no habit.
#include <algorithm>
#include <map>
#include <optional>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/reading/other_texts.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t names_recased = 4;
constexpr std::size_t fewest_rows = 3;

/// The names of the rows of all lists in their order, in small letters.
std::vector<std::string> names_shown(const ScreenData& d) {
  std::vector<std::string> out;
  for (const ShownTable& t : d.tables)
    for (const ShownRow& row : t.rows) out.push_back(in_small_letters(row.title()));
  return out;
}

class Recasing {
 public:
  explicit Recasing(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      const auto save = buttons_.of_existing(form);
      if (!save || !c_.left()) continue;
      const Screen& screen = tree_.screen(form.page);
      std::vector<Event> rows = on_other_rows(form.opening.front(), screen, true);
      rows.insert(rows.begin(), form.opening.front());
      for (const Event& row : rows) {
        const auto i = receiver_of(row, screen);
        const RowPlace place = i ? row_of(data_.of(form.page), *i) : RowPlace{};
        if (place.row && place.table->rows.size() >= fewest_rows && names_one_row(row, screen))
          of_row(form, *save, row, *place.row);
      }
    }
    return in_rounds(std::move(by_form_));
  }
  /// The same names in another order.
  bool is_moved(NodeId as_it_was, NodeId in_small) {
    auto a = names_shown(data_.of(as_it_was)), b = names_shown(data_.of(in_small));
    if (data_.of(as_it_was).page != data_.of(in_small).page || a == b) return false;
    std::ranges::sort(a), std::ranges::sort(b);
    return a == b;
  }

 private:
  void of_row(const OpenedForm& form, const Event& save, const Event& touch, const ShownRow& row) {
    auto& pairs = by_form_[Hasher().add(data_.of(form.page).page).add(data_.of(form.form).page).finish()];
    const std::string small = in_small_letters(row.title());
    if (pairs.size() >= names_recased || small == row.title()) return;
    std::vector<Event> opening = form.opening;
    opening.front() = touch;
    const NodeId opened = ends_of(c_, form.page, {opening}).front();
    if (!opened || data_.of(opened).page != data_.of(form.form).page) return;
    const ScreenData& shown = data_.of(opened);
    const auto field = std::ranges::find_if(shown.values, [&](const ShownValue& v) {
      return v.kind == ShownValue::Kind::field && v.text == row.title();
    });
    if (field == shown.values.end()) return;
    Pair out{.family = "recased",
             .name = "a row stands elsewhere when its name is written in small letters",
             .group = Hasher().add("recased").add(data_.of(form.page).page).finish(),
             .base = form.page,
             .plain = joined(opening, {save}),
             .other = joined(joined(opening, typed_into(tree_.screen(opened), field->widget, small)), {save}),
             .agree = {},
             .one_report = true,
             .reads_as = {std::string(row.title()), small}};
    out.agree = {{out.plain.size(), out.other.size()}};
    pairs.push_back(std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, std::vector<Pair>> by_form_;
};

}  // namespace

Status try_recased(OracleContext& c) {
  OracleContext looking = c.part(looking_share);
  Recasing recasing(looking);
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, recasing.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair&, NodeId as_it_was, NodeId in_small) {
    return recasing.is_moved(as_it_was, in_small);
  });
}

}  // namespace norn

// A field that is emptied is emptied, whoever does it: the list that it searches shows the same when a button
// takes the text away and when somebody deletes it. A list that still shows what was found, beside an empty field,
// was not told. This needs no habit: that the field searches the list shows when its text is deleted. (A button
// that sends what was typed empties the field, too; the list it does not search stays either way.)
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/places.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_button = 3;
constexpr std::uint32_t deepest_search = 60;  ///< events before it: longer ones cost much

class Clearing {
 public:
  explicit Clearing(const History& tree) : tree_(tree), data_(tree) {}

  std::vector<Pair> all() {
    std::map<std::uint64_t, std::vector<Pair>> by_button;
    std::set<std::uint64_t> seen;
    for (std::uint32_t k = 1; k < tree_.size(); ++k) {
      const NodeId after{k}, before = tree_.parent(after);
      const ShownValue* field = emptied_by_touch(before, after);
      if (!field) continue;
      auto& pairs = by_button[Hasher().add(data_.of(before).page).add(data_.deed(after)).finish()];
      if (pairs.size() < pairs_of_a_button && seen.insert(tree_.key(before)).second)
        pairs.push_back(pair(before, after, field->widget));
    }
    return in_rounds(std::move(by_button));
  }
  /// Deleting the text lists something else, and the button left the lists as they were.
  bool is_wrong(const Pair& cut, NodeId deleted, NodeId touched) {
    const auto searched = rows_by_texts(data_.of(cut.base));
    return data_.of(deleted).page == data_.of(touched).page && rows_by_texts(data_.of(touched)) == searched &&
           rows_by_texts(data_.of(deleted)) != searched;
  }

 private:
  /// The field on this page that held something and is empty after the touch; null: none.
  const ShownValue* emptied_by_touch(NodeId before, NodeId after) {
    const ScreenData &was = data_.of(before), &is = data_.of(after);
    if (tree_.depth(before) > deepest_search || was.page != is.page || was.popup || tree_.crash(after) ||
        was.tables.empty() || !stands_upright_but_for_keyboard(before) ||
        !std::holds_alternative<Tap>(tree_.event(tree_.event_id(after))))
      return nullptr;
    for (const ShownValue& v : was.values) {
      const ShownValue* now = is.value(v.name);
      if (v.kind == ShownValue::Kind::field && !v.text.empty() && now && now->text.empty()) return &v;
    }
    return nullptr;
  }
  bool stands_upright_but_for_keyboard(NodeId n) const {
    return tree_.screen(n).kind == Screen::Kind::app && tree_.screen(n).rotation == 0;
  }
  Pair pair(NodeId before, NodeId after, std::size_t field) {
    std::vector<Event> deleting = typed_into(tree_.screen(before), field, "");
    if (tree_.screen(after).keyboard) deleting.pop_back();
    const std::size_t deleted = deleting.size();
    return {.family = "cleared",
            .name = "a search is emptied by a button, and its list shows what was found",
            .group = Hasher().add("cleared").add(data_.of(before).page).finish(),
            .base = before,
            .plain = std::move(deleting),
            .other = {tree_.event(tree_.event_id(after))},
            .agree = {{deleted, 1}},
            .any_order = true,
            .one_report = true};
  }

  const History& tree_;
  DataCache data_;
};

}  // namespace

Status try_cleared(OracleContext& c) {
  Clearing clearing(c.replay.history());
  Pairs pairs(c, "neutral");
  NORN_CHECK(in_batches(c, clearing.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId deleted, NodeId touched) {
    return clearing.is_wrong(cut, deleted, touched);
  });
}

}  // namespace norn

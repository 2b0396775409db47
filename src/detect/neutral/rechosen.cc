// What is chosen beside a list decides what is listed, also after something was done: something in a row's form
// changed and saved, a row opened and left, the device turned and back, an entry of its menu. The page says as
// before which part it shows, and lists rows of the other part; when the same is chosen once more, they are gone.
// A row that was changed may stay until then, so only rows count that were not listed before and were not made.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_views.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/openings.h"
#include "detect/offers/page_changes.h"
#include "detect/offers/row_actions.h"
#include "detect/reading/remembered.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t views_of_a_page = 4, forms_of_a_view = 2, changes_of_a_form = 2, actions_of_a_view = 4;

class Rechoosing {
 public:
  explicit Rechoosing(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), views_(c, data_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    const auto forms = opened_forms(tree_, data_);
    for (const NodeId page : untouched_lists(tree_, data_)) {
      if (!c_.left()) break;
      for (const Chosen& chosen : choices(page))
        for (const auto& step : steps(page, chosen, forms)) add(page, chosen, step);
    }
    return in_rounds(std::move(by_step_));
  }

  /// After the step the same is said beside the list, and rows are listed that choosing it once more takes off,
  /// which the chosen part did not have before and nobody entered.
  bool is_forgotten(const Pair& cut, NodeId plain, NodeId again) {
    const auto before = parts_.find(cut.group);
    if (before == parts_.end() || data_.of(plain).page != data_.of(again).page ||
        beside_lists(data_.of(plain)) != beside_lists(data_.of(again)))
      return false;
    const auto had = titles(before->second), now = titles(plain), then = titles(again);
    return std::ranges::includes(now, then) && std::ranges::any_of(now, [&](const std::string& title) {
             return !then.contains(title) && !had.contains(title) && !entered(cut, title);
           });
  }

 private:
  /// A part that is shown: how it is chosen, and how it is chosen once more.
  struct Chosen {
    std::vector<Event> there, again;
    NodeId shown;
  };

  std::set<std::string> titles(NodeId n) {
    std::set<std::string> out;
    for (const ShownTable& t : data_.of(n).tables)
      for (const ShownRow& row : t.rows) out.emplace(row.title());
    return out;
  }
  static bool entered(const Pair& cut, const std::string& title) {
    return std::ranges::any_of(cut.other, [&](const Event& e) {
      const auto* type = std::get_if<Type>(&e);
      return type && !type->text.empty() && title.find(type->text) != std::string::npos;
    });
  }

  /// Views that choosing twice does not leave, and what is chosen as the page is opened.
  std::vector<Chosen> choices(NodeId page) {
    std::vector<ListView> views = views_.of(page);
    std::erase_if(views, [](const ListView& v) {
      return std::ranges::any_of(v.there, [](const Event& e) { return std::holds_alternative<Type>(e); });
    });
    std::vector<Chosen> candidates;
    for (const ListView& v : views) candidates.push_back({v.there, v.there, v.shown});
    for (const ListView& v : views) candidates.push_back({{}, v.back, page});
    std::vector<std::vector<Event>> twice;
    for (const Chosen& chosen : candidates) twice.push_back(joined(chosen.there, chosen.again));
    const auto ends = ends_of(c_, page, twice);
    std::vector<Chosen> out;
    std::set<std::uint64_t> seen;
    for (std::size_t k = 0; k < candidates.size(); ++k)
      if (out.size() < views_of_a_page && ends[k] &&
          alike(tree_.screen(ends[k]), tree_.screen(candidates[k].shown)) &&
          seen.insert(tree_.key(candidates[k].shown)).second)
        out.push_back(std::move(candidates[k]));
    return out;
  }

  /// What is done on the list that shows the part, from there until one is on it again.
  std::vector<std::vector<Event>> steps(NodeId page, const Chosen& chosen,
                                        const std::vector<OpenedForm>& forms) {
    const Screen& screen = tree_.screen(chosen.shown);
    std::vector<std::vector<Event>> out{{Rotate{1}, Rotate{0}}};
    const ShownRow* row = nullptr;
    for (const ShownTable& t : data_.of(chosen.shown).tables)
      if (!row && !t.rows.empty()) row = &t.rows.front();
    if (!row) return out;
    const std::vector<Event> open{tap_on(screen, row->widget)};
    out.push_back(open);
    const NodeId own = ends_of(c_, chosen.shown, {open}).front();
    std::size_t tried = 0;
    for (const OpenedForm& form : forms)
      if (tried < forms_of_a_view)
        if (auto saved = saved_through(form, page, open, own); !saved.empty())
          ++tried, std::ranges::move(saved, std::back_inserter(out));
    std::size_t acted = 0;
    for (const RowAction& action : row_actions(c_, data_, chosen.shown, 1))
      if (const auto way = action.stays ? done_to(action, screen, *row) : std::nullopt;
          way && acted++ < actions_of_a_view)
        out.push_back(*way);
    return out;
  }
  /// Changes in this form, if it is opened by that row, or from its page.
  std::vector<std::vector<Event>> saved_through(const OpenedForm& form, NodeId page,
                                                const std::vector<Event>& open, NodeId own) {
    const auto save = buttons_.of_existing(form);
    const auto touched = receiver_of(form.opening.front(), tree_.screen(form.page));
    const bool by_row = touched && row_of(data_.of(form.page), *touched).row;
    std::vector<Event> way;
    if (save && by_row && data_.of(form.page).page == data_.of(page).page)
      way = joined(open, {form.opening.begin() + 1, form.opening.end()});
    else if (save && own && !by_row && data_.of(form.page).page == data_.of(own).page)
      way = joined(open, form.opening);
    std::vector<std::vector<Event>> out;
    if (!way.empty() && c_.left())
      for (const PageChange& change : page_changes(c_, data_, form.form))
        if (out.size() < changes_of_a_form) out.push_back(joined(joined(way, change.events), {*save}));
    return out;
  }

  void add(NodeId page, const Chosen& chosen, const std::vector<Event>& step) {
    std::vector<Event> plain = joined(chosen.there, step);
    const NodeId end = back_to(c_, data_, page, data_.of(page).page, plain);
    if (!end || beside_lists(data_.of(end)) != beside_lists(data_.of(chosen.shown))) return;
    const std::vector<Event> other = joined(plain, chosen.again);
    Hasher kind;
    kind.add(data_.of(page).page).add(chosen.there.empty() ? "" : describe(chosen.there.back()));
    for (const Event& e : step) kind.add(kind_name(e));
    Pair out{.family = "rechosen",
             .name = "a list shows more than what is chosen beside it, until the same is chosen once more",
             .group = kind.finish(),
             .base = page,
             .plain = plain,
             .other = other,
             .agree = {{plain.size(), other.size()}},
             .any_order = true,
             .one_report = true};
    parts_.emplace(out.group, chosen.shown);
    by_step_[out.group].push_back(std::move(out));
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  ListViews views_;
  SaveButtons buttons_;
  std::map<std::uint64_t, NodeId> parts_;  ///< what was listed before the step, by group
  std::map<std::uint64_t, std::vector<Pair>> by_step_;
};

}  // namespace

Status try_rechosen(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  Rechoosing rechoosing(looking);
  NORN_CHECK(in_batches(c, rechoosing.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId plain, NodeId again) {
    return rechoosing.is_forgotten(cut, plain, again);
  });
}

}  // namespace norn

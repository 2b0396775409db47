// Forms for something new, filled in wholly. Walks like a person's fill in what they come across; whether all of it is stored, also what a button brings up, beside everything else, is seen where nothing is left empty and what was made is opened
// again. A second thing is made after the first: two of a kind say more about a list than one.
#include <algorithm>
#include <set>

#include "base/hash.h"
#include "detect/expect.h"
#include "detect/forms.h"
#include "detect/list_steps.h"
#include "detect/pairs.h"
#include "detect/tours.h"
#include "gui/difference.h"

namespace norn {
namespace {

/// Forms for something new.
class FormTour {
 public:
  explicit FormTour(OracleContext& c)
      : c_(c),
        tree_(c.replay.history()),
        steps_(tree_),
        data_(steps_.data()),
        buttons_(tree_, data_),
        ways_(steps_.openings().ways_to_pages(steps_.nodes())) {}

  void all() {
    std::set<std::uint64_t> known;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      if (!c_.left() || known.size() >= forms_filled_in) break;
      const ScreenData& shown = data_.of(form.form);
      if (shown.popup || shows_an_item(shown) ||
          !known.insert(Hasher().add(shown.page).add(data_.deed(form.form)).finish()).second)
        continue;
      std::vector<std::vector<Event>> ways{form.opening};
      more_fields(form, ways);
      for (const auto& way : ways) fill_in(form.page, way);
    }
  }

 private:
  static constexpr std::size_t forms_filled_in = 12, buttons_of_a_form = 12, times_filled_in = 3;

  static std::size_t fields_of(const ScreenData& d) {
    return static_cast<std::size_t>(std::ranges::count(d.values, ShownValue::Kind::field, &ShownValue::kind));
  }
  /// Adds the ways to the form by which it has more fields.
  void more_fields(const OpenedForm& form, std::vector<std::vector<Event>>& ways) {
    const Screen& screen = tree_.screen(form.form);
    std::vector<std::vector<Event>> tried;
    for (std::size_t i = 0; i < screen.widgets.size() && tried.size() < buttons_of_a_form; ++i)
      if ((accepted_by(screen.widgets[i]) & (accepts_tap | accepts_text)) == accepts_tap)
        tried.push_back(joined(form.opening, {tap_on(screen, i)}));
    const auto ends = run(form.page, tried);
    for (std::size_t k = 0; k < tried.size(); ++k)
      if (ends[k] && data_.of(ends[k]).page == data_.of(form.form).page &&
          fields_of(data_.of(ends[k])) > fields_of(data_.of(form.form)))
        ways.push_back(tried[k]);
  }
  /// With words, with numbers, and with both in turn; what is saved twice, with a second thing after the first.
  void fill_in(NodeId page, const std::vector<Event>& way) {
    const NodeId form = run(page, {way}).front();
    if (!form) return;
    const auto save = buttons_.of(form);
    std::vector<std::vector<Event>> left;
    for (std::size_t k = 0; k < times_filled_in; ++k) {
      const auto first = joined(way, filled(tree_.screen(form), k, false));
      left.push_back(joined(first, {Key{key::back}}));
      if (!save) continue;
      left.push_back(joined(first, {*save}));
      left.push_back(joined(joined(joined(left.back(), way), filled(tree_.screen(form), k, true)), {*save}));
    }
    const auto ends = run(page, left);
    for (std::size_t k = 0; k < left.size(); ++k)
      if (ends[k] && data_.of(ends[k]).page != data_.of(form).page) open_again(page, left[k], ends[k]);
  }
  /// Every field with another text.
  std::vector<Event> filled(const Screen& form, std::size_t round, bool second) {
    std::vector<Event> out;
    std::size_t field = 0;
    for (std::size_t i = 0; i < form.widgets.size(); ++i) {
      if ((accepted_by(form.widgets[i]) & accepts_text) == 0) continue;
      const bool number = round == 1 || (round == 2 && field % 2 == 1);
      out =
          joined(std::move(out), typed_into(form, i, number ? std::to_string(11 + ++texts_) : word(second)));
      ++field;
    }
    return out;
  }
  /// The second of two comes later in the alphabet, and is the only one with a capital.
  std::string word(bool second) {
    ++texts_;
    return std::string(second ? "Tol" : "arv") + "aeiou"[texts_ % 5] + "bdfgklmnprst"[texts_ / 5 % 12] +
           "aeiou"[texts_ / 60 % 5];
  }
  /// From the page that the form led to, and from those that can be opened there, the rows that say what was entered.
  void open_again(NodeId page, const std::vector<Event>& left, NodeId end) {
    std::vector<std::vector<Event>> looks{left};
    if (const auto ways = ways_.find(data_.of(end).page); ways != ways_.end())
      for (const auto& [to, way] : ways->second)
        looks.push_back(joined(left, as_it_stands(tree_.screen(end), way)));
    const auto ends = run(page, looks);
    std::vector<std::vector<Event>> opened;
    for (std::size_t k = 0; k < looks.size(); ++k)
      for (const ShownTable& t : ends[k] ? data_.of(ends[k]).tables : std::vector<ShownTable>{})
        for (const ShownRow& row : t.rows)
          if (std::ranges::any_of(left, [&](const Event& e) { return says_what_was_typed(row, e); }))
            opened.push_back(joined(looks[k], {tap_on(tree_.screen(ends[k]), row.widget)}));
    run(page, opened);
  }
  static bool says_what_was_typed(const ShownRow& row, const Event& event) {
    const std::string* text = typed_text(event);
    return text && text->size() > 2 && row.says(*text);
  }
  /// Where each of them ends; none: it could not be done, or crashed.
  std::vector<NodeId> run(NodeId from, const std::vector<std::vector<Event>>& ways) {
    std::vector<Request> requests;
    for (const auto& way : ways) requests.push_back({.from = from, .events = c_.replay.intern(way)});
    std::vector<NodeId> out;
    for (const Outcome& o : c_.replay.ask(requests, Until::all, c_.stop))
      out.push_back(o.verdict == Verdict::yes && !tree_.crash(o.end) ? o.end : NodeId{});
    return out;
  }

  OracleContext& c_;
  const History& tree_;
  ListSteps steps_;
  DataCache& data_;
  SaveButtons buttons_;
  Openings::Ways ways_;
  std::size_t texts_ = 0;
};

}  // namespace

void tour_forms(OracleContext& c) { FormTour(c).all(); }

}  // namespace norn

// Forms for something new, filled in wholly. Walks like a person's fill in what they come across; whether all
// of it is stored, also what a button brings up, beside everything else, is seen where nothing is left empty
// and what was made is opened again. A form has several ways out: what saves, the entries of its menus, Back
// and the answers to what is asked then; and what was made may be listed on another page than the one they
// lead to. A second thing is made after the first: two of a kind say more about a list than one.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/hash.h"
#include "detect/offers/forms.h"
#include "detect/offers/list_steps.h"
#include "detect/offers/lookouts.h"
#include "detect/offers/tours.h"
#include "detect/pairs.h"
#include "detect/reading/typed.h"
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
      if (!is_for_something_new(shown)) continue;
      if (shown.popup) answer(form);
      if (shown.popup || !known.insert(Hasher().add(shown.page).add(data_.deed(form.form)).finish()).second)
        continue;
      std::vector<Form> ways{{form.page, form.opening, {}}};
      touch_buttons(form, ways);
      for (const Form& way : ways) fill_in(way);
    }
  }

 private:
  static constexpr std::size_t forms_filled_in = 12, buttons_of_a_form = 12, rounds_of_words = 3,
                               rounds_of_addresses = 2, pages_of_a_question = 4, answers_of_a_question = 2;

  /// How it is opened, and menus that open there.
  struct Form {
    NodeId page;
    std::vector<Event> way;
    std::vector<std::vector<Event>> menus;
  };
  /// What takes one off a form that was filled in, and the ways on to where that may be seen.
  struct Exit {
    std::vector<Event> leaving;
    std::vector<std::vector<Event>> looks;
  };

  /// Most fields are empty: a signature may be there from the beginning.
  static bool is_for_something_new(const ScreenData& d) {
    const auto filled = std::ranges::count_if(
        d.values, [](const ShownValue& v) { return v.kind == ShownValue::Kind::field && !v.text.empty(); });
    return 2 * static_cast<std::size_t>(filled) < d.fields();
  }
  /// Adds the ways to the form by which it has more fields; what opens a menu is noted.
  void touch_buttons(const OpenedForm& form, std::vector<Form>& ways) {
    const Screen& screen = tree_.screen(form.form);
    std::vector<std::vector<Event>> tried;
    for (std::size_t i = 0; i < screen.widgets.size() && tried.size() < buttons_of_a_form; ++i)
      if ((accepted_by(screen.widgets[i]) & (accepts_tap | accepts_text)) == accepts_tap)
        tried.push_back(joined(form.opening, {tap_on(screen, i)}));
    const auto ends = ends_of(c_, form.page, tried);
    for (std::size_t k = 0; k < tried.size(); ++k) {
      if (!ends[k]) continue;
      const ScreenData& now = data_.of(ends[k]);
      if (now.page == data_.of(form.form).page && now.fields() > data_.of(form.form).fields())
        ways.push_back({form.page, tried[k], {}});
      if (now.popup && !now.has_field())
        for (const Event& entry : entries_of(tree_.screen(ends[k])))
          ways.front().menus.push_back({tried[k].back(), entry});
    }
    for (Form& way : ways) way.menus = ways.front().menus;
  }
  /// A question for something new is asked on many pages that look alike, and what is made belongs to the one
  /// that is open: answered with words, with others and with numbers on some that show different things.
  void answer(const OpenedForm& question) {
    auto& pages =
        asked_on_[Hasher().add(data_.of(question.form).page).add(data_.deed(question.form)).finish()];
    if (pages.size() >= pages_of_a_question || !pages.insert(contents_of(data_.of(question.page))).second)
      return;
    const Screen& screen = tree_.screen(question.form);
    for (const Event& answer : entries_of(screen, answers_of_a_question))
      for (const auto& [round, second] : {std::pair{0, false}, std::pair{0, true}, std::pair{1, false}}) {
        const auto typed = joined(question.opening, filled(screen, static_cast<std::size_t>(round), second));
        open_again(question.page, joined(typed, {answer}), {{}});
      }
  }
  /// With words, with numbers, with both in turn, and with addresses where the app has such; what is saved
  /// twice, with a second thing after the first.
  void fill_in(const Form& at) {
    const NodeId form = ends_of(c_, at.page, {at.way}).front();
    if (!form) return;
    const auto save = buttons_.of(form);
    const auto exits = exits_of(at, form, save);
    const std::size_t rounds = rounds_of_words + (shows_addresses() ? rounds_of_addresses : 0);
    for (std::size_t k = 0; k < rounds; ++k) {
      const auto first = joined(at.way, filled(tree_.screen(form), k, false));
      for (const Exit& exit : exits) open_again(at.page, joined(first, exit.leaving), exit.looks);
      if (!save) continue;
      const auto second = joined(joined(first, {*save}), joined(at.way, filled(tree_.screen(form), k, true)));
      open_again(at.page, joined(second, {*save}), {{}});
    }
  }
  /// Back and the answers to what it asks, the button that saves, and entries of menus: what leads off the
  /// form.
  std::vector<Exit> exits_of(const Form& at, NodeId form, const std::optional<Event>& save) {
    const auto first = joined(at.way, filled(tree_.screen(form), 0, false));
    std::vector<std::vector<Event>> leaving{{Key{key::back}}};
    if (save) leaving.push_back({*save});
    leaving.insert(leaving.end(), at.menus.begin(), at.menus.end());
    if (const NodeId asked = ends_of(c_, at.page, {joined(first, leaving.front())}).front();
        asked && data_.of(asked).popup)
      for (const Event& answer : entries_of(tree_.screen(asked)))
        leaving.push_back(joined(leaving.front(), {answer}));
    std::vector<std::vector<Event>> tried;
    for (const auto& events : leaving) tried.push_back(joined(first, events));
    const auto ends = ends_of(c_, at.page, tried);
    std::vector<Exit> out;
    for (std::size_t k = 0; k < tried.size(); ++k)
      if (ends[k] && !data_.of(ends[k]).popup && data_.of(ends[k]).page != data_.of(form).page)
        out.push_back({leaving[k], looks_from(ends[k], tried[k])});
    return out;
  }
  /// To stay, to open what is known to be opened there; and where none of that says what was entered,
  /// whatever else does that can be reached.
  std::vector<std::vector<Event>> looks_from(NodeId end, const std::vector<Event>& left) {
    std::vector<std::vector<Event>> out{{}};
    if (const auto ways = ways_.find(data_.of(end).page); ways != ways_.end())
      for (const auto& [to, way] : ways->second) out.push_back(as_it_stands(tree_.screen(end), way));
    const auto ends = ends_of(c_, end, out);
    if (std::ranges::any_of(ends, [&](NodeId n) { return n && !rows_that_say(n, left).empty(); })) return out;
    for (const Lookout& there : lookouts(c_, data_, end))
      if (!rows_that_say(there.end, left).empty()) out.push_back(there.way);
    return out;
  }
  /// Every field with another text.
  std::vector<Event> filled(const Screen& form, std::size_t round, bool second) {
    std::vector<Event> out;
    std::size_t field = 0;
    for (std::size_t i = 0; i < form.widgets.size(); ++i) {
      if ((accepted_by(form.widgets[i]) & accepts_text) == 0) continue;
      const bool number = round == 1 || (round == 2 && field % 2 == 1);
      std::string text = number ? std::to_string(11 + ++texts_) : word(second);
      if (round >= rounds_of_words) text += "@example.org";
      out = joined(std::move(out), typed_into(form, i, std::move(text)));
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
  /// Opens the rows that say what was entered.
  void open_again(NodeId page, const std::vector<Event>& left, const std::vector<std::vector<Event>>& looks) {
    std::vector<std::vector<Event>> there, opened;
    for (const auto& look : looks) there.push_back(joined(left, look));
    const auto ends = ends_of(c_, page, there);
    for (std::size_t k = 0; k < there.size(); ++k)
      if (ends[k])
        for (const std::size_t row : rows_that_say(ends[k], left))
          opened.push_back(joined(there[k], {tap_on(tree_.screen(ends[k]), row)}));
    ends_of(c_, page, opened);
  }
  /// Rows with something that these events typed.
  std::vector<std::size_t> rows_that_say(NodeId node, const std::vector<Event>& events) {
    std::vector<std::size_t> out;
    for (const ShownTable& t : data_.of(node).tables)
      for (const ShownRow& row : t.rows)
        if (std::ranges::any_of(events, [&](const Event& e) { return says_what_was_typed(row, e); }))
          out.push_back(row.widget);
    return out;
  }
  bool shows_addresses() {
    if (!addresses_)
      addresses_ = std::ranges::any_of(steps_.nodes(), [&](NodeId n) {
        return std::ranges::any_of(tree_.screen(n).widgets,
                                   [](const Widget& w) { return says_an_address(w.text); });
      });
    return *addresses_;
  }
  static bool says_what_was_typed(const ShownRow& row, const Event& event) {
    const std::string* text = typed_text(event);
    return text && text->size() > 2 && row.says(*text);
  }

  OracleContext& c_;
  const History& tree_;
  ListSteps steps_;
  DataCache& data_;
  SaveButtons buttons_;
  Openings::Ways ways_;
  std::map<std::uint64_t, std::set<std::uint64_t>> asked_on_;  ///< contents of pages, by question
  std::size_t texts_ = 0;
  std::optional<bool> addresses_;
};

}  // namespace

void tour_forms(OracleContext& c) { FormTour(c).all(); }

}  // namespace norn

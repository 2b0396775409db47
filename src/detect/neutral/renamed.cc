// Who changes a name changes it wherever it is shown, and nothing else. A form is opened on something that
// exists, its name replaced by another, and saved; then every page near by that showed the name shows what it
// showed, with the new name in the place of the old one: the same rows in any order, the same marks, numbers
// and choices. A copy of the name that nobody brings up to date, a mark that saving drops and members that
// were tied to the old name show there. This needs no habit.
//
// Times and dates may differ (something was changed just now), and initials go with the name.
#include <algorithm>
#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "detect/offers/lookouts.h"
#include "detect/reading/other_texts.h"
#include "detect/reading/remembered.h"
#include "gui/difference.h"
#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t names_of_a_form = 8;  ///< changed: not each thing has what may be lost
constexpr std::size_t places_of_a_name = 10;
constexpr std::size_t visits_of_a_page = 200;  ///< that are looked at
constexpr std::size_t shortest_name = 4;
constexpr std::size_t reports_of_a_form = 2;
constexpr std::uint32_t new_name_salt = 5;

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return text.size() >= shortest_name && letter(text[0]) && letter(text[1]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || c == ' ' || c == '.' || c == '-'; });
}

/// How often it says that, and nothing else.
auto times_said(const Screen& screen, std::string_view name) {
  return std::ranges::count(screen.widgets, name, &Widget::text);
}

/// A time, a date or an initial.
bool goes_by_itself(std::string_view text) {
  const bool initial = text.size() <= 2 && std::ranges::all_of(text, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                       });
  return initial || text.find(':') != std::string_view::npos || numbers_in(text).size() >= 3;
}

/// What the screen says and how its parts are marked, but for what goes by itself.
std::multiset<std::uint64_t> shown_on(const Screen& screen) {
  std::multiset<std::uint64_t> out;
  for (const Widget& w : screen.widgets)
    if (!goes_by_itself(w.text))
      out.insert(Hasher()
                     .add(w.cls)
                     .add(w.id)
                     .add(w.text)
                     .add(w.desc)
                     .add(w.is(Flag::checked))
                     .add(w.is(Flag::selected))
                     .finish());
  return out;
}

class Renaming {
 public:
  explicit Renaming(OracleContext& c)
      : c_(c), tree_(c.replay.history()), data_(tree_), buttons_(tree_, data_) {}

  std::vector<Pair> all() {
    std::set<std::uint64_t> kinds;
    for (const OpenedForm& form : opened_forms(tree_, data_)) {
      if (!c_.left()) break;
      if (!changed_since_opened(data_, tree_, form.page).empty())
        continue;  // it may begin anew with what was saved
      names_in(form);
      if (kinds.insert(Hasher().add(data_.of(form.form).page).add(data_.of(form.page).page).finish()).second)
        for (const OpenedForm& other : for_other_rows(form)) names_in(other);
    }
    return in_rounds(std::move(by_place_));
  }

  /// The old name is still there, or something else is not as it was.
  bool wrong(const Pair& cut, NodeId before, NodeId after) {
    if (data_.of(before).page != data_.of(after).page || told_[data_.of(cut.base).page] >= reports_of_a_form)
      return false;
    if (is_left_to_records(after, cut.reads_as.first)) return false;
    const bool scrolls = std::ranges::any_of(data_.of(after).tables, &ShownTable::scrolls);
    const bool is_wrong = times_said(tree_.screen(after), cut.reads_as.first) > 0 ||
                          (!scrolls && shown_on(as_read(cut, tree_.screen(before), true)) !=
                                           shown_on(as_read(cut, tree_.screen(after), false)));
    told_[data_.of(cut.base).page] += is_wrong;
    return is_wrong;
  }

 private:
  /// The old name is said by rows that say when they were, and by nothing else: a history.
  bool is_left_to_records(NodeId page, std::string_view name) {
    std::ptrdiff_t dated = 0;
    const auto says_it = [&](const ShownValue& cell) { return cell.text == name; };
    for (const ShownTable& t : data_.of(page).tables)
      for (const ShownRow& row : t.rows)
        if (is_dated(row)) dated += std::ranges::count_if(row.cells, says_it);
    return dated > 0 && dated == times_said(tree_.screen(page), name);
  }
  /// Renames what the form is about.
  void names_in(const OpenedForm& form) {
    const ScreenData& shown = data_.of(form.form);
    const auto save = buttons_.of_existing(form);
    for (const ShownValue& v : shown.values) {
      if (!save || v.kind != ShownValue::Kind::field || !is_name(v.text) || !its_own(form, v.text)) continue;
      const std::uint64_t kind = Hasher().add(shown.page).add(data_.of(form.page).page).add(v.name).finish();
      if (seen_.insert(Hasher().add(kind).add(v.text).finish()).second && tried_[kind]++ < names_of_a_form)
        rename(form, v, *save);
    }
  }
  /// The form opened in the same way on the other rows of the list.
  std::vector<OpenedForm> for_other_rows(const OpenedForm& form) {
    const Screen& screen = tree_.screen(form.page);
    const auto role = role_of(form.opening.front(), screen);
    std::vector<OpenedForm> out;
    std::vector<Request> requests;
    for (const Event& event : role ? in_role(form.opening.front(), *role, screen) : std::vector<Event>{})
      if (describe(event) != describe(form.opening.front()) && out.size() < names_of_a_form) {
        out.push_back(form), out.back().opening.front() = event;
        requests.push_back({.from = form.page, .events = c_.replay.intern(out.back().opening)});
      }
    const auto outcomes = c_.replay.ask(requests, Until::all, c_.stop);
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k].form = outcomes[k].verdict == Verdict::yes ? outcomes[k].end : NodeId{};
    std::erase_if(out, [&](const OpenedForm& f) {
      return !f.form || tree_.crash(f.form) || data_.of(f.form).page != data_.of(form.form).page;
    });
    return out;
  }
  /// Of the row that was touched to open the form, or else of the page: what else is changed (the album of a
  /// song) may belong to others as well, and of two fields that say the same one is another matter.
  bool its_own(const OpenedForm& form, std::string_view name) {
    if (std::ranges::count(data_.of(form.form).values, name, &ShownValue::text) > 1) return false;
    const auto i = receiver_of(form.opening.front(), tree_.screen(form.page));
    const RowPlace place = i ? row_of(data_.of(form.page), *i) : RowPlace{};
    if (place.row) return says_word(place.row->title(), name);
    return std::ranges::any_of(data_.of(form.page).values,
                               [&](const ShownValue& v) { return says_word(v.text, name); });
  }
  void rename(const OpenedForm& form, const ShownValue& field, const Event& save) {
    const Screen& screen = tree_.screen(form.form);
    const std::string name = other_text(field.text, new_name_salt);
    const std::vector<Event> edit =
        joined(joined(form.opening, typed_into(screen, field.widget, name)), {save});
    const Outcome saved = c_.replay.ask({.from = form.page, .events = c_.replay.intern(edit)}, c_.stop);
    if (saved.verdict != Verdict::yes || data_.of(saved.end).page != data_.of(form.page).page) return;
    const auto reads_as = name_shown(form.page, saved.end, {field.text, name});
    std::vector<Lookout> places = lookouts(c_, data_, form.page);
    const auto said = [&](const Lookout& l) { return times_said(tree_.screen(l.end), reads_as.first); };
    if (times_said(tree_.screen(form.page), reads_as.first) > 1 || two_rows_say(form.page, reads_as.first))
      return;  // two are called so
    std::erase_if(places, [&](const Lookout& l) {
      return said(l) != 1 || data_.of(l.end).filtered() ||  // what is looked for may be the old name
             is_proposed(data_.of(l.end), reads_as.first) ||
             said_without(form, reads_as.first, data_.of(l.end).page);
    });
    if (places.size() > places_of_a_name) places.resize(places_of_a_name);
    for (const Lookout& place : places) {
      Pair out{
          .family = "renamed",
          .name = "a name that was changed is still the old one elsewhere, or something else changed with it",
          .group = Hasher().add(data_.of(form.form).page).add(field.name).finish(),
          .base = form.page,
          .plain = place.way,
          .other = joined(edit, place.way),
          .agree = {},
          .any_order = true,
          .reads_as = reads_as};
      out.agree = {{out.plain.size(), out.other.size()}};
      by_place_[Hasher().add(out.group).add(tree_.screen(place.end).activity).add(place.way.size()).finish()]
          .push_back(std::move(out));
    }
  }

  /// A field holds it: for something else.
  static bool is_proposed(const ScreenData& d, std::string_view name) {
    return std::ranges::any_of(
        d.values, [&](const ShownValue& v) { return v.kind == ShownValue::Kind::field && v.text == name; });
  }
  /// The page was seen to say the name where the list has no such row and never had: it speaks of something
  /// else that is called so (a pack that can be fetched).
  bool said_without(const OpenedForm& form, std::string_view name, std::uint64_t page) {
    const auto i = receiver_of(form.opening.front(), tree_.screen(form.page));
    const RowPlace place = i ? row_of(data_.of(form.page), *i) : RowPlace{};
    if (!place.row || page == data_.of(form.page).page) return false;
    for (const NodeId n : seen_on(page)) {
      std::size_t lists = 0, having = 0;
      for (NodeId at = n; times_said(tree_.screen(n), name) > 0; at = tree_.parent(at)) {
        const ScreenData& d = data_.of(at);
        const ShownTable* list = d.page == data_.of(form.page).page ? d.table(place.table->name) : nullptr;
        lists += list && list->whole && !d.filtered();
        having += list && std::ranges::any_of(list->rows, [&](const ShownRow& r) { return r.says(name); });
        if (at == tree_.root()) break;
      }
      if (lists > 0 && having == 0) return true;
    }
    return false;
  }
  /// A few visits of the page, the shallowest.
  const std::vector<NodeId>& seen_on(std::uint64_t page) {
    const auto [at, fresh] = visits_.try_emplace(page);
    for (std::uint32_t n = 0; fresh && n < tree_.size(); ++n)
      if (!data_.of({n}).popup && data_.of({n}).page == page && data_.opened({n}) == NodeId{n})
        at->second.push_back({n});
    std::ranges::stable_sort(at->second, {}, [&](NodeId n) { return tree_.depth(n); });
    if (at->second.size() > visits_of_a_page) at->second.resize(visits_of_a_page);
    return at->second;
  }

  /// A list on the way has two rows of that name.
  bool two_rows_say(NodeId node, std::string_view name) {
    for (;; node = tree_.parent(node)) {
      for (const ShownTable& t : data_.of(node).tables)
        if (std::ranges::count_if(t.rows, [&](const ShownRow& r) { return says_word(r.title(), name); }) > 1)
          return true;
      if (node == tree_.root()) return false;
    }
  }

  /// What the page calls it, before and after: the field may be a part of that.
  std::pair<std::string, std::string> name_shown(NodeId page, NodeId saved,
                                                 std::pair<std::string, std::string> field) const {
    const auto& widgets = tree_.screen(page).widgets;
    if (std::ranges::find(widgets, field.first, &Widget::text) != widgets.end()) return field;
    for (const Widget& w : widgets) {
      const std::size_t at = w.text.find(field.first);
      if (!says_word(w.text, field.first) || times_said(tree_.screen(saved), w.text) > 0) continue;
      std::string now = w.text;
      now.replace(at, field.first.size(), field.second);
      if (times_said(tree_.screen(saved), now) > 0) return {w.text, now};
    }
    return field;
  }

  OracleContext& c_;
  const History& tree_;
  DataCache data_;
  SaveButtons buttons_;
  std::map<std::uint64_t, std::size_t> tried_;  ///< names, by form and field
  std::set<std::uint64_t> seen_;
  std::map<std::uint64_t, std::vector<NodeId>> visits_;  ///< by page
  std::map<std::uint64_t, std::size_t> told_;            ///< reports, by the page it was opened from
  std::map<std::uint64_t, std::vector<Pair>> by_place_;
};

}  // namespace

Status try_renamed(OracleContext& c) {
  Pairs pairs(c, "neutral");
  OracleContext looking = c.part(looking_share);
  Renaming renaming(looking);
  NORN_CHECK(in_batches(c, renaming.all(),
                        [&](std::vector<Pair> batch) { return pairs.attempt(std::move(batch)); }));
  return pairs.report(Habit::none, [&](const Pair& cut, NodeId before, NodeId after) {
    return renaming.wrong(cut, before, after);
  });
}

}  // namespace norn

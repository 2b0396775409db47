#include "detect/tours.h"

#include <map>
#include <set>

#include "base/hash.h"
#include "detect/expect.h"
#include "detect/forms.h"
#include "detect/list_steps.h"
#include "detect/pairs.h"
#include "detect/remembered.h"
#include "gui/difference.h"
#include "model/role.h"

namespace norn {
namespace {

constexpr std::size_t steps_of_a_kind = 4;  ///< the same thing done on the same page
constexpr std::size_t pages_of_a_tour = 6;  ///< each in a tour of its own
constexpr std::size_t tours_at_once = 24;

struct Tour {
  NodeId from;
  std::vector<Event> events;
};

/// There, back, the step, there again. Of a way that leads through the page below, the page is opened again on the way back.
std::vector<Event> there_and_again(ListSteps& steps, NodeId before, const std::vector<Event>& step,
                                   const std::vector<Event>& way) {
  std::vector<Event> out = way;
  const bool from_below = std::holds_alternative<Key>(way.front());
  if (!from_below || way.size() > 1) out.push_back(Key{key::back});
  if (from_below) {
    const auto again = steps.openings().leave_and_open(before);
    if (again.empty()) return {};
    out.insert(out.end(), again.begin() + 1, again.end());
  }
  return joined(joined(std::move(out), step), way);
}

/// The first of each kind of step, then the second, and so on.
std::vector<Tour> tours_of(const History& tree) {
  ListSteps steps(tree);
  std::map<std::uint64_t, std::size_t> known;
  std::vector<std::vector<Tour>> rounds(steps_of_a_kind);
  for (const NodeId n : steps.nodes()) {
    const NodeId before = steps.last_before(n);
    if (!before || !steps.plain(before) ||
        rows_shown(steps.data().of(before)) == rows_shown(steps.data().of(n)))
      continue;
    const std::size_t round =
        known[Hasher().add(steps.data().of(n).page).add(steps.data().deed(n)).finish()]++;
    if (round >= steps_of_a_kind) continue;
    const auto step = events_between(tree, before, n);
    for (const auto& way : steps.ways_from(before, pages_of_a_tour))
      if (auto events = there_and_again(steps, before, step, way); !events.empty())
        rounds[round].push_back({before, std::move(events)});
  }
  std::vector<Tour> out;
  for (auto& round : rounds) std::ranges::move(round, std::back_inserter(out));
  return out;
}

/// What is not there under its name is the first of its like: a row may say another unit now.
std::vector<Event> as_it_stands(const Screen& screen, std::vector<Event> way) {
  Target* target = target_of(way.front());
  if (target && !target->id.empty() && !receiver_of(way.front(), screen))
    *target = {.cls = target->cls, .id = target->id, .label = {}, .path = {}, .ordinal = 0};
  return way;
}

/// Every page of the app, opened from one after the other, beginning at one node.
class SettingTour {
 public:
  SettingTour(OracleContext& c, DataCache& data, const Openings::Ways& ways)
      : c_(c), data_(data), ways_(ways) {}

  void from(NodeId begin) {
    std::set<std::uint64_t> seen{data_.of(begin).page};
    std::vector<NodeId> pages{begin};
    while (!pages.empty() && c_.left()) {
      std::vector<Request> requests;
      for (const NodeId page : pages)
        if (const auto ways = ways_.find(data_.of(page).page); ways != ways_.end())
          for (const auto& [to, way] : ways->second)
            if (seen.insert(to).second)
              requests.push_back(
                  {.from = page,
                   .events = c_.replay.intern(as_it_stands(c_.replay.history().screen(page), way))});
      pages.clear();
      for (const Outcome& o : c_.replay.ask(requests, Until::all, c_.stop))
        if (o.verdict == Verdict::yes && !c_.replay.history().crash(o.end)) pages.push_back(o.end);
    }
  }

 private:
  OracleContext& c_;
  DataCache& data_;
  const Openings::Ways& ways_;
};

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

void tour_under(OracleContext& c, const std::vector<NodeId>& settings) {
  const History& tree = c.replay.history();
  ListSteps steps(tree);
  const Openings::Ways ways = steps.openings().ways_to_pages(steps.nodes());
  SettingTour tour(c, steps.data(), ways);
  for (const NodeId begin : settings) tour.from(begin);
}

Status make_tours(OracleContext& c) {
  const auto all = tours_of(c.replay.history());
  for (std::size_t k = 0; k < all.size() && c.left(); k += tours_at_once) {
    std::vector<Request> requests;
    for (std::size_t i = k; i < std::min(all.size(), k + tours_at_once); ++i)
      requests.push_back({.from = all[i].from, .events = c.replay.intern(all[i].events)});
    c.replay.ask(requests, Until::all, c.stop);
  }
  return {};
}

}  // namespace norn

// Who cancels has done nothing: a question or a form that is opened, filled in and left by what calls itself
// Cancel leaves the page below as it was, and opened again it says what it said. So does a question that is
// left by Back, and a form that asks on the way back whether to discard what was changed, if one does. (A
// form that asks nothing may well store what it holds on the way back.)
//
// The tree knows where questions and forms are opened; each gets its fields filled in with words, then with
// numbers, and what else can be changed on it is touched, and it is left. Counted is only what leads back to
// the page from which it was opened.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/hash.h"
#include "base/text.h"
#include "detect/neutral/neutral.h"
#include "detect/offers/forms.h"
#include "gui/difference.h"

namespace norn {
namespace {

constexpr std::size_t pairs_of_a_form =
    3;  ///< from different screens, for each way to fill it in and to leave it
constexpr std::size_t touches_of_a_form = 4;
constexpr Texts some_words = {"Tarragon", "Lovage", "Chervil"};
constexpr Texts some_numbers = {"37", "52", "64"};
const Event back_key = Key{key::back};

std::vector<std::size_t> touchable_widgets(const Screen& screen) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0) out.push_back(i);
  return out;
}

/// What closes the form without taking it: what calls itself so, and in a question that has such a thing, or
/// fields, Back does, too. (Where nothing takes what is chosen, it is taken at once.)
std::vector<std::vector<Event>> ways_out(const Screen& form, bool popup, bool typed) {
  std::vector<std::vector<Event>> out;
  for (const std::size_t i : touchable_widgets(form))
    if (calls_itself(form, i, "cancel")) out.push_back({tap_on(form, i)});
  if (popup && (typed || !out.empty()))
    out.emplace_back(typed ? 2 : 1, back_key);  // the first one closes the keyboard
  return out;
}

/// The pair without its way out: `other` opens the form and changes what it says.
Pair begun(const OpenedForm& form, const std::vector<Event>& change) {
  return {.family = "dismissed",
          .name = "a form that was filled in and cancelled leaves something changed",
          .group = Hasher().add("dismissed").finish(),
          .base = form.page,
          .plain = form.opening,
          .other = joined(form.opening, change),
          .agree = {}};
}

/// Leaves the form, looks at the page below, and opens it again.
Pair left_by(Pair pair, const std::vector<Event>& leaving) {
  pair.other = joined(std::move(pair.other), leaving);
  const std::size_t left = pair.other.size(), opening = pair.plain.size();
  pair.other = joined(std::move(pair.other), pair.plain);
  pair.agree = {{0, left}, {opening, left + opening}};
  return pair;
}

struct Dismissals {
  std::vector<Pair> sure;    ///< it is known how to leave
  std::vector<Pair> asking;  ///< only begun: pages that may ask on the way back
};

/// Which form it is: an activity may ask several questions.
std::uint64_t kind_of_form(const Screen& screen, const ScreenData& data) {
  std::set<std::pair<std::string_view, std::string_view>> parts;
  for (const Widget& w : screen.widgets) parts.emplace(w.cls, w.id);
  Hasher out;
  out.add(data.page);
  for (const auto& [cls, id] : parts) out.add(cls).add(id);
  return out.finish();
}

/// What else than its fields can be changed on a form, by form: touches that are known to leave it open and
/// to change what it says.
using Touches = std::map<std::uint64_t, std::map<std::uint64_t, Event>>;
Touches known_touches(const History& tree, DataCache& data) {
  Touches out;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId after{n}, form = tree.parent(after);
    const ScreenData &was = data.of(form), &now = data.of(after);
    if (!std::holds_alternative<Tap>(tree.event(tree.event_id(after))) || was.page != now.page ||
        tree.crash(after) ||
        (!is_filled_in(tree.screen(form), was) && !is_chosen_in(tree.screen(form), was)) ||
        same_in_any_order(was, now))
      continue;
    if (auto& touches = out[kind_of_form(tree.screen(form), was)]; touches.size() < touches_of_a_form)
      touches.try_emplace(data.deed(after), tree.event(tree.event_id(after)));
  }
  return out;
}

Dismissals dismissals(const History& tree) {
  DataCache data(tree);
  std::map<std::uint64_t, std::size_t> tried;  // by form and what opens it
  Dismissals out;
  const Touches touches = known_touches(tree, data);
  auto forms = opened_forms(tree, data);
  std::ranges::move(opened_forms(tree, data, is_chosen_in), std::back_inserter(forms));
  for (const OpenedForm& form : forms) {
    if (data.of(form.page).popup) continue;  // one question over another
    if (tried[Hasher().add(data.of(form.form).page).add(data.deed(form.form)).finish()]++ >= pairs_of_a_form)
      continue;
    const Screen& screen = tree.screen(form.form);
    std::vector<std::vector<Event>> changes;
    if (data.of(form.form).has_field())
      for (const Texts& texts : {some_words, some_numbers}) changes.push_back(filled_in(screen, texts));
    if (const auto known = touches.find(kind_of_form(screen, data.of(form.form))); known != touches.end())
      for (const auto& [deed, touch] : known->second) changes.push_back({touch});
    for (const auto& change : changes) {
      const bool typed =
          std::ranges::any_of(change, [](const Event& e) { return std::holds_alternative<Type>(e); });
      for (const auto& leaving : ways_out(screen, data.of(form.form).popup, typed))
        out.sure.push_back(left_by(begun(form, change), leaving));
      if (!data.of(form.form).popup) out.asking.push_back(begun(form, change));
    }
  }
  return out;
}

std::vector<Outcome> run_others(OracleContext& c, const std::vector<Pair>& batch,
                                const std::vector<Event>& then) {
  std::vector<Request> requests;
  for (const Pair& p : batch)
    requests.push_back({.from = p.base, .events = c.replay.intern(joined(p.other, then))});
  return c.replay.ask(requests, Until::all, c.stop);
}

/// Those that lead back to the page they begin on.
std::vector<Pair> that_come_back(OracleContext& c, std::vector<Pair> batch) {
  const History& tree = c.replay.history();
  const auto outcomes = run_others(c, batch, {});
  std::vector<Pair> out;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const Outcome& o = outcomes[k];
    const std::size_t left = batch[k].agree.front().second;
    if (o.verdict == Verdict::unresolved || o.used < left || tree.crash(o.end)) continue;
    NodeId n = o.end;
    for (std::size_t i = o.used; i > left; --i) n = tree.parent(n);
    if (data_of(tree.screen(n)).page == data_of(tree.screen(batch[k].base)).page)
      out.push_back(std::move(batch[k]));
  }
  return out;
}

/// Those whose form asks on the way back, left by the answer that discards.
std::vector<Pair> that_ask(OracleContext& c, std::vector<Pair> batch) {
  const History& tree = c.replay.history();
  std::vector<Pair> out;
  for (const std::size_t backs : {1, 2}) {  // where there is a keyboard, the first one closes it
    const std::vector<Event> leaving(backs, back_key);
    const auto outcomes = run_others(c, batch, leaving);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const Outcome& o = outcomes[k];
      if (o.verdict != Verdict::yes || tree.crash(o.end) || !is_popup(tree.screen(o.end))) continue;
      if (const auto answer = discarding(tree.screen(o.end)))
        out.push_back(left_by(batch[k], joined(leaving, {*answer})));
    }
  }
  return out;
}

/// A form that says something else whenever it is opened (a password that is proposed), though nothing was
/// done in it.
bool is_made_anew(OracleContext& c, DataCache& data, const Pair& cut, NodeId opened) {
  if (data.of(opened).page == data.of(cut.base).page) return false;
  const std::vector<Event> opening(cut.plain.begin(), cut.plain.end() - 1);  // without the wait
  const NodeId again =
      ends_of(c, cut.base, {joined(joined(joined(opening, {back_key}), opening), {cut.plain.back()})})
          .front();
  return again && data.of(again).page == data.of(opened).page &&
         !same_in_any_order(data.of(again), data.of(opened));
}

}  // namespace

Status try_dismissed(OracleContext& c) {
  Pairs pairs(c, "neutral");
  Dismissals all = dismissals(c.replay.history());
  NORN_CHECK(in_batches(c, std::move(all.sure), [&](std::vector<Pair> batch) {
    return pairs.attempt(that_come_back(c, std::move(batch)));
  }));
  NORN_CHECK(in_batches(c, std::move(all.asking), [&](std::vector<Pair> batch) {
    return pairs.attempt(that_come_back(c, that_ask(c, std::move(batch))));
  }));
  DataCache data(c.replay.history());
  return pairs.report(
      Habit::none, [&](const Pair& cut, NodeId plain, NodeId) { return !is_made_anew(c, data, cut, plain); });
}

}  // namespace norn

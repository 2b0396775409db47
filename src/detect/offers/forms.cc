#include "detect/offers/forms.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/hash.h"
#include "base/text.h"
#include "detect/offers/openings.h"
#include "detect/offers/places.h"
#include "detect/reading/typed.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::size_t shortest_proof = 3;   ///< letters of a text that shows that a form was taken
constexpr std::uint32_t deepest_form = 60;  ///< events before it: longer ones cost much

/// Some list has a row more, and lacks none.
bool has_more_rows(const ScreenData& now, const ScreenData& before) {
  return std::ranges::any_of(now.tables, [&](const ShownTable& t) {
    const ShownTable* was = before.table(t.name);
    return was && t.rows.size() > was->rows.size() && rows_missing(*was, t).empty();
  });
}

/// What stands first on it says that something new is made: "New harvest".
bool is_titled_new(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if (!screen.widgets[i].text.empty())
      return !screen.widgets[i].is(Flag::editable) && says_making(screen, i);
  return false;
}

/// The button that says that it takes what is chosen.
std::optional<std::size_t> taking(const Screen& screen) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    if ((accepted_by(w) & accepts_tap) == 0 || w.is(Flag::checkable)) continue;
    const std::string says = in_small_letters(label(screen, i));
    if (says_word(says, "save") || says_word(says, "done") || says_word(says, "apply")) return i;
  }
  return std::nullopt;
}

}  // namespace

bool is_filled_in(const Screen& screen, const ScreenData& data) {
  return data.has_field() || (!data.popup && data.tables.empty() && taking(screen));
}

bool is_chosen_in(const Screen& screen, const ScreenData& data) {
  const bool offers = std::ranges::any_of(screen.widgets, [](const Widget& w) {
    return w.is(Flag::checkable) && (accepted_by(w) & accepts_tap) != 0;
  });
  return data.popup && !data.has_field() && (offers || touchable_called(screen, "cancel"));
}

std::vector<OpenedForm> opened_forms(const History& tree, DataCache& data, KindOfForm kind) {
  std::vector<OpenedForm> out;
  const auto is_form = [&](NodeId n) { return kind(tree.screen(n), data.of(n)); };
  Openings openings(tree, data);
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId form{n};
    if (tree.depth(form) > deepest_form || tree.crash(form) || !is_form(form) ||
        (data.of(tree.parent(form)).page == data.of(form).page && is_form(tree.parent(form))))
      continue;
    const NodeId page = openings.from(form);
    // A question that is asked of a device on its side covers so much that it looks like a page.
    if (data.of(page).popup || data.of(page).page == data.of(form).page ||
        data.below(page, data.of(form).page) || !stands_upright(tree.screen(page)) ||
        !stands_upright(tree.screen(form)) || copies_between(tree, page, form))
      continue;
    bool open_before = false;  // something was chosen on it since
    for (NodeId over = tree.parent(form); over != page; over = tree.parent(over))
      open_before = open_before || (data.of(over).page == data.of(form).page && is_form(over));
    if (open_before) continue;
    OpenedForm opened{page, form, events_between(tree, page, form)};
    if (openings.stands_open(page, opened.opening.front())) out.push_back(std::move(opened));
  }
  std::ranges::stable_sort(out, {}, [&](const OpenedForm& f) { return tree.depth(f.form); });
  return out;
}

SaveButtons::Button& SaveButtons::button(const ScreenData& form, std::uint64_t deed) {
  return buttons_[Hasher().add(form.page).add(deed).finish()];
}

SaveButtons::Saving& SaveButtons::saving(NodeId page, NodeId form) {
  return savings_[Hasher().add(data_.of(page).page).add(data_.of(form).page).add(data_.deed(form)).finish()];
}

SaveButtons::SaveButtons(const History& tree, DataCache& data) : tree_(tree), data_(data) {
  Openings openings(tree, data);
  for (std::uint32_t n = 1; n < tree_.size(); ++n) {
    const NodeId after{n}, form = tree_.parent(after);
    if (tree_.crash(after) || !std::holds_alternative<Tap>(tree_.event(tree_.event_id(after))) ||
        data_.of(after).page == data_.of(form).page)
      continue;
    if (const NodeId opened = data_.opened(form);
        is_filled_in(tree_.screen(form), data_.of(form)) && opened != tree_.root())
      if (const NodeId page = openings.from(opened); data_.of(page).page == data_.of(after).page) {
        Saving& s = saving(page, opened);
        ++(has_more_rows(data_.of(after), data_.of(page)) ? s.added : s.others);
      }
    const std::string text = typed_last(form);
    if (text.size() < shortest_proof) continue;
    Button& b = button(data_.of(form), data_.deed(after));
    ++b.left, b.shown += data_.of(after).says(text);
  }
}

/// On this visit of the form, and was not to be seen on the page before it.
std::string SaveButtons::typed_last(NodeId form) {
  std::string out;
  NodeId n = form;
  for (; n != tree_.root() && data_.of(n).page == data_.of(form).page; n = tree_.parent(n))
    if (const std::string* text = typed_text(tree_.event(tree_.event_id(n))); text && out.empty())
      out = *text;
  return data_.of(n).says(out) ? "" : out;
}

std::optional<Event> SaveButtons::of(NodeId form) {
  const Screen& screen = tree_.screen(form);
  const ScreenData& data = data_.of(form);
  if (!data.has_field()) {
    const auto button = taking(screen);
    return button ? std::optional(tap_on(screen, *button)) : std::nullopt;
  }
  std::optional<Event> known;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    if ((accepted_by(screen.widgets[i]) & accepts_tap) == 0) continue;
    Event tap = tap_on(screen, i);
    if (calls_itself(screen, i, "save")) return tap;
    if (!known && !leads_up(screen.widgets[i]) && button(data, deed_of(tap, screen, data)).takes())
      known = tap;
  }
  return known;
}

std::optional<Event> SaveButtons::of_existing(const OpenedForm& form) {
  const Saving& known = saving(form.page, form.form);
  const bool filled = !data_.of(form.form).has_field() ||
                      std::ranges::any_of(data_.of(form.form).values, [](const ShownValue& v) {
                        return v.kind == ShownValue::Kind::field && !v.text.empty();
                      });
  const Screen& screen = tree_.screen(form.form);
  const bool for_something_new =
      touched_between(tree_, form.page, form.form, says_making) || is_titled_new(screen);
  return filled && known.added <= known.others && !for_something_new ? of(form.form) : std::nullopt;
}

std::vector<Event> typed_into(const Screen& screen, std::size_t field, std::string text) {
  return {Type{make_target(screen, field), screen.widgets[field].bounds.center(), std::move(text)},
          Key{key::back}};
}

std::optional<std::size_t> touchable_called(const Screen& screen, std::string_view word) {
  for (std::size_t i = 0; i < screen.widgets.size(); ++i)
    if ((accepted_by(screen.widgets[i]) & accepts_tap) != 0 && calls_itself(screen, i, word)) return i;
  return std::nullopt;
}

std::vector<std::size_t> came_up(const Screen& before, const Screen& now) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const Widget& w : before.widgets) known.emplace(w.cls, w.id);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < now.widgets.size(); ++i)
    if (const Widget& w = now.widgets[i];
        (accepted_by(w) & accepts_tap) != 0 && !known.contains({w.cls, w.id}))
      out.push_back(i);
  return out;
}

std::optional<Event> discarding(const Screen& question) {
  for (std::size_t i = 0; i < question.widgets.size(); ++i) {
    if ((accepted_by(question.widgets[i]) & accepts_tap) == 0) continue;
    for (const std::string_view word : {"discard", "don't save", "don’t save", "without saving"})
      if (calls_itself(question, i, word)) return tap_on(question, i);
    if (in_small_letters(trim(question.widgets[i].text)) == "no") return tap_on(question, i);
  }
  return std::nullopt;
}

Event tap_on(const Screen& screen, std::size_t widget) {
  return Tap{make_target(screen, widget), screen.widgets[widget].bounds.center()};
}

std::vector<Event> entries_of(const Screen& menu, std::size_t most) {
  std::vector<Event> out;
  for (std::size_t i = 0; i < menu.widgets.size() && out.size() < most; ++i)
    if ((accepted_by(menu.widgets[i]) & accepts_tap) != 0 && !calls_itself(menu, i, "cancel") &&
        !calls_itself(menu, i, "button2"))
      out.push_back(tap_on(menu, i));
  return out;
}

std::vector<Event> filled_in(const Screen& form, const Texts& texts) {
  std::vector<Event> out;
  for (std::size_t i = 0; i < form.widgets.size(); ++i)
    if ((accepted_by(form.widgets[i]) & accepts_text) != 0)
      out.push_back(Type{make_target(form, i), form.widgets[i].bounds.center(),
                         std::string(texts[out.size() % texts.size()])});
  return out;
}

}  // namespace norn

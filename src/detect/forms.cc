#include "detect/forms.h"

#include <algorithm>

#include "detect/openings.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::uint32_t deepest_form = 60;  ///< events before it: longer ones cost much

bool has_fields(const ScreenData& data) {
  return std::ranges::any_of(data.values,
                             [](const ShownValue& v) { return v.kind == ShownValue::Kind::field; });
}

/// A question that is asked of a device on its side covers so much that it looks like a page.
bool stands_upright(const Screen& screen) {
  return screen.kind == Screen::Kind::app && screen.rotation == 0 && !screen.keyboard;
}

}  // namespace

std::vector<OpenedForm> opened_forms(const History& tree, DataCache& data) {
  std::vector<OpenedForm> out;
  Openings openings(tree, data);
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId form{n};
    if (tree.depth(form) > deepest_form || tree.crash(form) || !has_fields(data.of(form)) ||
        (data.of(tree.parent(form)).page == data.of(form).page && has_fields(data.of(tree.parent(form)))))
      continue;
    const NodeId page = openings.from(form);
    if (data.of(page).popup || data.of(page).page == data.of(form).page ||
        data.below(page, data.of(form).page) || !stands_upright(tree.screen(page)) ||
        !stands_upright(tree.screen(form)))
      continue;
    OpenedForm opened{page, form, events_between(tree, page, form)};
    if (openings.stands_open(page, opened.opening.front())) out.push_back(std::move(opened));
  }
  std::ranges::stable_sort(out, {}, [&](const OpenedForm& f) { return tree.depth(f.form); });
  return out;
}

Event tap_on(const Screen& screen, std::size_t widget) {
  return Tap{make_target(screen, widget), screen.widgets[widget].bounds.center()};
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

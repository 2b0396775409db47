#include "detect/forms.h"

#include <algorithm>

#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

constexpr std::uint32_t deepest_form = 60;  ///< events before it: longer ones cost much

bool has_fields(const ScreenData& data) {
  return std::ranges::any_of(data.values,
                             [](const ShownValue& v) { return v.kind == ShownValue::Kind::field; });
}

/// The page from which it was opened, maybe through a menu.
NodeId page_below(const History& tree, DataCache& data, NodeId form) {
  NodeId n = tree.parent(form);
  while (data.of(n).popup && !has_fields(data.of(n)) && n != tree.root()) n = tree.parent(n);
  return n;
}

/// A question that is asked of a device on its side covers so much that it looks like a page.
bool stands_upright(const Screen& screen) {
  return screen.kind == Screen::Kind::app && screen.rotation == 0 && !screen.keyboard;
}

}  // namespace

std::vector<OpenedForm> opened_forms(const History& tree, DataCache& data) {
  std::vector<OpenedForm> out;
  for (std::uint32_t n = 1; n < tree.size(); ++n) {
    const NodeId form{n};
    if (tree.depth(form) > deepest_form || tree.crash(form) || !has_fields(data.of(form))) continue;
    const NodeId page = page_below(tree, data, form);
    if (data.of(page).popup || data.of(page).page == data.of(form).page ||
        data.below(page, data.of(form).page) || !stands_upright(tree.screen(page)) ||
        !stands_upright(tree.screen(form)))
      continue;
    auto opening = tree.events_to(form);
    opening.erase(opening.begin(), opening.begin() + tree.depth(page));
    out.push_back({page, form, std::move(opening)});
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

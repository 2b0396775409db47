#include "model/role.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "gui/difference.h"
#include "gui/target.h"

namespace norn {
namespace {

/// What counts beside the receiver.
struct Detail {
  std::uint64_t operator()(const Swipe& e) const { return static_cast<std::uint64_t>(e.direction); }
  std::uint64_t operator()(const Pinch& e) const { return e.to > e.from; }
  std::uint64_t operator()(const Type& e) const { return static_cast<std::uint64_t>(text_class(e.text)); }
  template <class Other>
  std::uint64_t operator()(const Other&) const {
    return 0;
  }
};

Role of_widget(const Event& event, const Screen& screen, std::size_t widget) {
  const Widget& w = screen.widgets[widget];
  Hasher h;
  h.add(kind_name(event)).add(std::visit(Detail{}, event)).add(w.cls).add(w.id);
  const std::string_view label = w.is(Flag::scrollable) ? own_label(w) : label_view(screen, widget);
  const std::uint64_t specific = Hasher(h).add(label).finish();
  return {specific, w.id.empty() ? specific : h.finish()};
}

}  // namespace

TextClass text_class(std::string_view text) {
  if (text.empty()) return TextClass::empty;
  return to_double(text) ? TextClass::number : TextClass::words;
}

bool accepts(const Widget& w, const Event& event) {
  const std::uint8_t can = accepted_by(w);
  if (std::holds_alternative<Tap>(event)) return (can & (accepts_tap | accepts_text)) != 0;
  if (std::holds_alternative<LongPress>(event)) return (can & accepts_long) != 0;
  if (std::holds_alternative<Swipe>(event)) return (can & accepts_swipe) != 0;
  if (std::holds_alternative<Type>(event)) return (can & accepts_text) != 0;
  return w.is(Flag::enabled) && w.is(Flag::visible);
}

std::optional<std::size_t> receiver_of(const Event& event, const Screen& screen) {
  const Target* target = target_of(event);
  if (!target) return std::nullopt;
  if (!target->empty()) {
    const Resolution found = resolve(*target, screen);
    if (const auto* one = std::get_if<Found>(&found)) return one->widget;
    return std::nullopt;
  }
  const Point* at = point_of(event);
  return at ? widget_at(screen, *at) : std::nullopt;
}

std::optional<Role> role_of(const Event& event, const Screen& screen) {
  if (!target_of(event)) {
    std::uint64_t role = Hasher().add(0x6b6579).add(event_key(event)).finish();
    if (const auto* turn = std::get_if<Rotate>(&event))
      role = Hasher().add(0x7475726e).add(turn->rotation == screen.rotation).finish();
    return Role{role, role};
  }
  const auto widget = receiver_of(event, screen);
  if (!widget) return std::nullopt;
  return of_widget(event, screen, *widget);
}

std::vector<Event> in_role(const Event& event, const Role& role, const Screen& screen) {
  if (!target_of(event)) return {event};
  std::vector<Event> same, alike;
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    if (!accepts(screen.widgets[i], event)) continue;
    const Role here = of_widget(event, screen, i);
    if (here.specific != role.specific && here.general != role.general) continue;
    Event aimed = event;
    *target_of(aimed) = make_target(screen, i);
    if (Point* at = point_of(aimed)) *at = screen.widgets[i].bounds.center();
    (here.specific == role.specific ? same : alike).push_back(std::move(aimed));
  }
  same.insert(same.end(), alike.begin(), alike.end());
  return same;
}

}  // namespace norn

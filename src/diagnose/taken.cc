#include "diagnose/taken.h"

#include <optional>

#include "gui/target.h"
#include "model/role.h"

namespace norn {
namespace {

/// The widget by which a touch on this one is known.
std::size_t known_by(const Event& event, const Screen& screen, std::size_t widget) {
  if (!screen.widgets[widget].id.empty()) return widget;
  const std::size_t end = widget + static_cast<std::size_t>(screen.widgets[widget].subtree);
  for (std::size_t w = widget + 1; w < end && w < screen.widgets.size(); ++w)
    if (!screen.widgets[w].id.empty() && !accepts(screen.widgets[w], event)) return w;
  return widget;
}

}  // namespace

Event as_taken(const Event& event, const Screen& before) {
  const auto* tap = std::get_if<Tap>(&event);
  const auto* press = std::get_if<LongPress>(&event);
  const auto widget = tap != nullptr || press != nullptr ? receiver_of(event, before) : std::nullopt;
  if (!widget) return event;
  Event taken = event;
  if (press != nullptr && !is_taken(event, before, *widget)) taken = Tap{press->target, press->at};
  if (const std::size_t known = known_by(taken, before, *widget); known != *widget)
    *target_of(taken) = make_target(before, known);
  return taken;
}

bool is_taken(const Event& event, const Screen& screen, std::size_t widget) {
  for (auto w = static_cast<std::int32_t>(widget); w >= 0;
       w = screen.widgets[static_cast<std::size_t>(w)].parent)
    if (accepts(screen.widgets[static_cast<std::size_t>(w)], event)) return true;
  return false;
}

}  // namespace norn

// What "the same event" means on another screen. An event names one widget of one screen; its role is what it
// does to which kind of widget, so that it can be found again where data differs:
//   specific  kind, class, id and label:  tap Button id/ok "Delete"
//   general   kind, class and id:         tap LinearLayout id/row        any row of the list
// A widget without an id is known by its label, one with neither by its class alone. What is typed counts as
// empty, a number or other text; a key, a direction, a rotation or a system event counts as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

/// What is typed, as far as it matters for a role.
enum class TextClass : std::uint8_t { empty, number, words };
TextClass text_class(std::string_view text);

struct Role {
  std::uint64_t specific = 0, general = 0;
  bool operator==(const Role&) const = default;
};

/// The widget that receives it on this screen: by target, else by point. Nothing for keys and the like.
std::optional<std::size_t> receiver_of(const Event& event, const Screen& screen);

/// The role of an event performed on this screen. Nothing: it has a target that is not there.
std::optional<Role> role_of(const Event& event, const Screen& screen);

/// The same event on another screen: aimed at widgets in the same role, those with the same label first. Events
/// without a target are returned as they are.
std::vector<Event> in_role(const Event& event, const Role& role, const Screen& screen);

/// Whether the widget accepts events of this kind.
bool accepts(const Widget& widget, const Event& event);

}  // namespace norn

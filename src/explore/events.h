// What can be done on a screen, as events: the alphabet that widget-level strategies choose from.
//
// A widget that takes clicks can be tapped, one that takes long clicks pressed, a scrollable one swiped, a
// field typed into; a large leaf without words that takes touches (a canvas, a map, a game) is a *surface*:
// there single points matter, so a coarse grid of taps, two drags and two pinches stand for it. Beside the
// widgets there are the keys a phone has. What lies under a dialog cannot be touched and is left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

/// An event that is possible now. `type` says what it is, whatever the texts of today: rows of one list that
/// share an id have one type, so that a list of hundred rows does not look like hundred different things to
/// do.
struct Possible {
  Event event;               ///< a Type event has no text yet: the chooser fills it in
  std::int32_t widget = -1;  ///< index in the screen; -1: keys and the like
  std::uint64_t type = 0;
};

struct EventRules {
  bool keys = true;  ///< back, menu
  bool rotate = true;
  bool surfaces = true;  ///< grids over canvases
  bool shade = false;    ///< pull the notifications down
};

/// In a fixed order: widgets as on the screen, then keys. Linear in the screen but for the targets it makes.
std::vector<Possible> possible_events(const Screen& screen, const EventRules& rules = {});

}  // namespace norn

// What an app takes an event for. Tools record what they touched; two records of the same deed may name it
// differently: a row without an id, or the text inside it that has one.
#pragma once

#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

/// A long press that neither the widget nor what it is in takes is a tap. A touch on a widget without an id
/// is one on the first widget below it that has an id and takes no touches itself: they end in the same
/// place.
Event as_taken(const Event& event, const Screen& before);

/// Whether an event on this widget is taken by it or by what it is in.
bool is_taken(const Event& event, const Screen& screen, std::size_t widget);

}  // namespace norn

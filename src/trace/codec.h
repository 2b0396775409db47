// The values of a trace as compact bytes and back: what the tree keeps of screens that nobody looks at, and
// what the store compresses and writes. docs/store.md ("Records") gives the layout; its first byte is a
// version.
//
// encode() is a function of the content alone, so equal values have equal bytes: the hash of the bytes is the
// identity of events and crashes. decode_x(encode(x)) == x. Bytes that no encode() made are refused, never
// trusted: a decoded screen's parents and subtrees lie inside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "trace/crash.h"

namespace norn {

/// About 3 KB for 94 widgets: each distinct string once, then numbers, attribute by attribute.
std::string encode(const Screen& screen);
Result<Screen> decode_screen(std::string_view bytes);

/// The whole event, its recorded points included (unlike event_key).
std::string encode(const Event& event);
Result<Event> decode_event(std::string_view bytes);

std::string encode(const std::vector<Event>& events);
Result<std::vector<Event>> decode_events(std::string_view bytes);

std::string encode(const Crash& crash);
Result<Crash> decode_crash(std::string_view bytes);

}  // namespace norn

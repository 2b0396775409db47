// Everything about a simulated device that is not inside the app's memory, as one plain value: a snapshot is
// a copy of it beside a copy of the app's memory. Whatever Lua value it needs it holds as a reference into
// the machine's registry, an integer that is valid again when that memory is put back.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "device/sim/plain.h"
#include "device/sim/view.h"
#include "trace/crash.h"

namespace norn::sim {

/// What the runtime keeps for a widget under its key: survives re-rendering, and rotation where it has an id.
struct WidgetState {
  std::optional<std::string> text{};
  std::optional<bool> checked{};
  std::optional<double> selected{};
  std::int32_t scroll = 0;     ///< scroll: pixels; list: rows above
  std::int32_t viewport = 0;   ///< height at the last layout
  std::int32_t ended_at = -1;  ///< list: number of items when on_end was last called
};
using WidgetStates = std::map<std::string, WidgetState, std::less<>>;

using Token = std::uint32_t;  ///< names an activity instance for ever; 0: none

struct Activity {
  Token token = 0;
  std::size_t decl = 0;
  int self = LUA_NOREF;  ///< the instance; none while it only exists as saved state
  Packed intent{};
  std::optional<Packed> saved{};
  bool started = false, resumed = false, finishing = false;
  bool stale = false;  ///< the configuration changed while it was not in front
  Token caller = 0;
  Packed request{}, result{};
  bool has_result = false;
  WidgetStates widgets{};
  std::string focus{};
  bool drawer = false;
};

struct Candidate {
  std::string package, label{};
  std::int32_t decl = -1;  ///< an activity of this app
};

/// What lies over the activity; the last one is in front and takes all input.
struct Overlay {
  enum class Kind : std::uint8_t { dialog, menu, spinner, permission, chooser, crash, shade };
  Kind kind = Kind::dialog;
  std::uint32_t id = 0;
  Token owner = 0;
  int ref = LUA_NOREF;  ///< dialog: its table; menu: its items; permission: the function to tell
  std::string name{};   ///< permission; spinner's key
  std::int32_t handler = 0;
  std::vector<std::string> items{};
  std::vector<Candidate> candidates{};
  Packed intent{}, request{};
  WidgetStates widgets{};
  std::string focus{};
  Rect anchor{};
};

struct Timer {
  std::uint32_t id = 0;
  std::int64_t due = 0, period = 0;
  Token owner = 0;
  int ref = LUA_NOREF;
  bool reply = false;  ///< of the network
  Packed request{};
};

struct Receiver {
  std::string action{};
  Token owner = 0;
  int ref = LUA_NOREF;
};

struct Notification {
  std::string id, title, text, activity{};
  Packed extras{};
};

/// Another app in front: a browser, a picker, the launcher.
struct Elsewhere {
  std::string package, title{};
  bool picker = false, launcher = true;
  Token caller = 0;
  Packed request{};
};

struct Settings {
  bool online = true, dark = false;
  std::string locale = "en_US", timezone = "UTC";
  std::int32_t battery = 90;
};

struct World {
  std::int64_t clock = 0;             ///< the app's time in ms since the start
  std::int64_t transition_until = 0;  ///< windows are moving: what is done meanwhile may get lost
  Rng rng{1};
  Token next_token = 1;
  std::uint32_t next_id = 1;
  std::int32_t rotation = 0;
  bool alive = false;  ///< the process
  std::vector<Activity> stack{};
  std::vector<Overlay> overlays{};
  std::vector<Timer> timers{};
  std::vector<Receiver> receivers{};
  std::vector<Notification> notifications{};
  std::optional<Elsewhere> elsewhere{};
  std::string toast{};
  std::int64_t toast_until = 0;
  std::string snack, snack_action{};
  int snack_ref = LUA_NOREF;
  Token snack_owner = 0;
  std::int64_t snack_until = 0;
  std::map<std::string, std::int32_t> permissions{};  ///< 1: granted, -n: denied n times
  Packed storage{}, prefs{}, server{};                ///< while the process is dead
  std::string clipboard{};
  Settings settings;
  bool keyboard = false;
  std::optional<Crash> crash{};  ///< not yet told
  std::vector<std::string> log{};
  /// Shared and never changed: snapshots of one moment need no copy each.
  std::shared_ptr<const View> view{};
};

}  // namespace norn::sim

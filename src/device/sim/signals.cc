// What the system does to the app: process death, broadcasts, changes of settings; and who handles an implicit
// intent.
#include <algorithm>

#include "base/text.h"
#include "device/sim/runtime.h"

namespace norn::sim {
namespace {

struct SystemHandler {
  std::string_view action, scheme, type, package, label;
  bool picker;
};

constexpr std::array<SystemHandler, 18> kHandlers = {{
    {"VIEW", "http", "", "com.android.chrome", "Chrome", false},
    {"VIEW", "https", "", "com.android.chrome", "Chrome", false},
    {"VIEW", "geo", "", "com.google.android.apps.maps", "Maps", false},
    {"VIEW", "tel", "", "com.android.dialer", "Phone", false},
    {"VIEW", "mailto", "", "com.google.android.gm", "Gmail", false},
    {"VIEW", "", "image/", "com.google.android.apps.photos", "Photos", false},
    {"VIEW", "", "video/", "com.google.android.apps.photos", "Photos", false},
    {"VIEW", "", "audio/", "com.google.android.music", "Music", false},
    {"VIEW", "", "text/", "com.android.htmlviewer", "HTML Viewer", false},
    {"VIEW", "", "application/pdf", "com.google.android.apps.pdfviewer", "PDF Viewer", false},
    {"VIEW", "", "application/vnd.android.package-archive", "com.android.packageinstaller",
     "Package installer", false},
    {"SEND", "", "*", "com.google.android.gm", "Gmail", false},
    {"SEND", "", "*", "com.google.android.apps.messaging", "Messages", false},
    {"SENDTO", "", "*", "com.google.android.apps.messaging", "Messages", false},
    {"DIAL", "", "*", "com.android.dialer", "Phone", false},
    {"PICK", "", "*", "com.android.documentsui", "Files", true},
    {"GET_CONTENT", "", "*", "com.android.documentsui", "Files", true},
    {"SETTINGS", "", "*", "com.android.settings", "Settings", false},
}};

std::string_view short_action(std::string_view action) {
  for (const std::string_view prefix :
       {"android.intent.action.", "android.media.action.", "android.settings."})
    if (action.starts_with(prefix)) return action.substr(prefix.size());
  return action;
}

std::string_view scheme_of(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  return colon == std::string_view::npos ? std::string_view{} : uri.substr(0, colon);
}

bool same_type(std::string_view wanted, std::string_view given) {
  if (wanted == "*" || wanted == "*/*") return true;
  if (wanted.ends_with('*')) wanted.remove_suffix(1);
  return !given.empty() && given.starts_with(wanted);
}

}  // namespace

std::vector<Candidate> Runtime::handlers_of(const ImplicitIntent& intent) const {
  std::vector<Candidate> out;
  const std::string_view action = short_action(intent.action), scheme = scheme_of(intent.uri);
  for (std::size_t i = 0; i < declarations_.size(); ++i)
    for (const Declaration::Filter& f : declarations_[i].filters)
      if (short_action(f.action) == action && (f.scheme.empty() || f.scheme == scheme) &&
          (f.type.empty() || same_type(f.type, intent.type))) {
        out.push_back(Candidate{manifest_.package, manifest_.title, static_cast<std::int32_t>(i)});
        break;
      }
  for (const SystemHandler& h : kHandlers) {
    if (h.action != action) continue;
    const bool fits = h.type == "*" || (!h.scheme.empty() ? intent.type.empty() && h.scheme == scheme
                                                          : same_type(h.type, intent.type));
    if (fits) out.push_back(Candidate{std::string(h.package), std::string(h.label), h.picker ? -2 : -1});
  }
  if (action == "IMAGE_CAPTURE") out.push_back(Candidate{"com.android.camera2", "Camera", -2});
  return out;
}

void Runtime::go_to(const Candidate& who, const Packed& extras, Token caller, const Packed& request) {
  if (who.decl >= 0) return start_activity(static_cast<std::size_t>(who.decl), extras, caller, request);
  const Token token = caller;
  if (!world_.stack.empty() && world_.stack.back().token == token) pause_top(true);
  if (!world_.alive) return;
  world_.elsewhere = Elsewhere{.package = who.package,
                               .title = who.label,
                               .picker = who.decl == -2,
                               .launcher = false,
                               .caller = caller,
                               .request = request};
  begin_transition();
}

bool Runtime::start_implicit(const ImplicitIntent& intent, Token caller, Packed request, Packed extras) {
  std::vector<Candidate> all = handlers_of(intent);
  if (all.empty()) return false;
  Overlay o;
  o.kind = Overlay::Kind::chooser;
  o.owner = caller;
  o.candidates = std::move(all);
  o.intent = std::move(extras);
  o.request = std::move(request);
  wanted_ = std::move(o);  // gone through when the handler has returned
  return true;
}

/// Goes where the app asked to go outside, once its handler has returned.
void Runtime::follow_intent() {
  if (!wanted_ || !world_.alive) {
    wanted_.reset();
    return;
  }
  Overlay o = *std::exchange(wanted_, std::nullopt);
  if (o.candidates.size() > 1) return open_overlay(std::move(o));
  go_to(o.candidates.front(), o.intent, o.owner, o.request);
}

void Runtime::broadcast(std::string_view action, const Packed& extras) {
  const std::vector<Receiver> all = world_.receivers;  // receivers may register more
  for (const Receiver& r : all) {
    const auto still = std::find_if(world_.receivers.begin(), world_.receivers.end(),
                                    [&](const Receiver& x) { return x.ref == r.ref && x.owner == r.owner; });
    if (r.action != action || !world_.alive || still == world_.receivers.end()) continue;
    lua_State* lua = vm_.lua();
    lua_rawgeti(lua, LUA_REGISTRYINDEX, r.ref);
    unpack(lua, extras);
    if (!lua_istable(lua, -1)) {
      lua_pop(lua, 1);
      lua_newtable(lua);
    }
    if (!call(1, 0)) return;
  }
}

void Runtime::signal(const System& what) {
  lua_State* lua = vm_.lua();
  lua_newtable(lua);
  for (const auto& [key, value] : what.extras) {
    lua_pushlstring(lua, value.data(), value.size());
    lua_setfield(lua, -2, key.c_str());
  }
  const Packed extras = world_.alive ? pack(lua, -1) : Packed{};
  lua_pop(lua, 1);
  const auto extra = [&](const char* name, const char* fallback) {
    const auto at = what.extras.find(name);
    return at == what.extras.end() ? std::string(fallback) : at->second;
  };
  if (what.name == "kill") {
    std::erase_if(world_.overlays, [](const Overlay& o) { return o.kind == Overlay::Kind::crash; });
    if (world_.alive && !world_.elsewhere) pause_top(true);
    if (!world_.overlays.empty() && world_.overlays.back().kind == Overlay::Kind::crash)
      return;  // save() crashed
    const bool before = world_.alive;
    die();
    if (before || !world_.elsewhere) to_launcher();
    return;
  }
  if (what.name == "network-off" || what.name == "network-on") {
    world_.settings.online = what.name == "network-on";
    return broadcast("connectivity", extras);
  }
  if (what.name == "battery") {
    world_.settings.battery = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(to_int(extra("level", "15")).value_or(15), 0, 100));
    return broadcast("battery", extras);
  }
  if (what.name == "locale" || what.name == "dark-mode") {
    if (what.name == "locale")
      world_.settings.locale = extra("value", world_.settings.locale == "de_DE" ? "en_US" : "de_DE");
    else
      world_.settings.dark = !world_.settings.dark;
    if (world_.alive && !world_.elsewhere) return recreate(false);
    for (Activity& a : world_.stack) a.stale = true;
    return;
  }
  if (what.name == "time-zone") {
    world_.settings.timezone = extra("value", "Asia/Tokyo");
    return broadcast("time-zone", extras);
  }
  if (what.name == "call" && world_.alive && !world_.elsewhere && world_.overlays.empty()) {
    pause_top(false);
    if (world_.alive) broadcast("call", extras);
    return;  // settle_stack resumes
  }
  broadcast(what.name == "broadcast" ? extra("action", "") : what.name, extras);
}

}  // namespace norn::sim

// Keys, and what touches mean inside dialogs, popups and the system's windows.
#include <algorithm>
#include <array>

#include "device/sim/runtime.h"

namespace norn::sim {

void Runtime::open_overlay(Overlay overlay) {
  overlay.id = world_.next_id++;
  world_.keyboard = false;
  world_.overlays.push_back(std::move(overlay));
  begin_transition();
}

void Runtime::close_overlay(std::uint32_t id) {
  const auto at = std::find_if(world_.overlays.begin(), world_.overlays.end(),
                               [&](const Overlay& o) { return o.id == id; });
  if (at == world_.overlays.end()) return;
  unref(at->ref);
  world_.overlays.erase(at);
  world_.keyboard = false;
  begin_transition();
}

namespace {

/// Pushes field `name` of the table behind `ref`.
void push_field(lua_State* lua, int ref, const char* name) {
  lua_rawgeti(lua, LUA_REGISTRYINDEX, ref);
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
}

}  // namespace

/// Back, or a touch outside.
void Runtime::cancel_overlay() {
  const Overlay o = world_.overlays.back();
  switch (o.kind) {
    case Overlay::Kind::crash:
      return;
    case Overlay::Kind::permission:
      return system_act(static_cast<std::int32_t>(SystemAct::deny));
    case Overlay::Kind::dialog: {
      lua_State* lua = vm_.lua();
      push_field(lua, o.ref, "cancelable");
      const bool cancelable = lua_isnil(lua, -1) || lua_toboolean(lua, -1);
      lua_pop(lua, 1);
      if (!cancelable) return;
      push_field(lua, o.ref, "on_cancel");
      const bool told = lua_isfunction(lua, -1);
      close_overlay(o.id);
      if (told)
        call(0, 0);
      else
        lua_pop(lua, 1);
      return;
    }
    case Overlay::Kind::chooser:
    case Overlay::Kind::menu:
    case Overlay::Kind::spinner:
    case Overlay::Kind::shade:
      close_overlay(o.id);
  }
  if (o.kind == Overlay::Kind::chooser) deliver_result(o.owner, o.request, {}, false);
}

/// An item of a dialog or of a spinner's popup.
void Runtime::choose(std::size_t index) {
  if (world_.overlays.empty()) return;
  const Node n = node(index);
  const Overlay o = world_.overlays.back();
  lua_State* lua = vm_.lua();
  if (o.kind == Overlay::Kind::spinner) {
    if (o.ref != LUA_NOREF)
      lua_rawgeti(lua, LUA_REGISTRYINDEX, o.ref);
    else
      lua_pushnil(lua);
    close_overlay(o.id);
    if (o.handler == 0) front_states()[o.name].selected = n.arg;
  } else {
    push_field(lua, o.ref, "on_item");
  }
  if (!lua_isfunction(lua, -1)) {
    lua_pop(lua, 1);
  } else {
    lua_pushinteger(lua, n.arg);
    lua_pushlstring(lua, n.text.data(), n.text.size());
    if (!call(2, 0)) return;
  }
  close_overlay(o.id);
}

void Runtime::dialog_button(std::size_t index) {
  if (world_.overlays.empty()) return;
  const Act act = node(index).act;
  const Overlay o = world_.overlays.back();
  lua_State* lua = vm_.lua();
  push_field(lua, o.ref,
             act == Act::dialog_ok       ? "on_ok"
             : act == Act::dialog_cancel ? "on_cancel"
                                         : "on_neutral");
  bool keep = false;
  if (lua_isfunction(lua, -1)) {
    if (!call(0, 1)) return;
    keep = lua_isboolean(lua, -1) && lua_toboolean(lua, -1) != 0;
  }
  lua_pop(lua, 1);
  if (!keep) close_overlay(o.id);
}

void Runtime::system_act(std::int32_t what) {
  const auto is = [&](SystemAct act) { return what == static_cast<std::int32_t>(act); };
  if (is(SystemAct::close_crash)) {
    world_.overlays.clear();
    to_launcher();
  } else if (is(SystemAct::restart)) {
    world_.overlays.clear();
    launch("");
  } else if (world_.elsewhere) {
    if (world_.elsewhere->launcher) return launch("");
    if (what < static_cast<std::int32_t>(SystemAct::picked)) return;
    const Elsewhere from = *std::exchange(world_.elsewhere, std::nullopt);
    lua_State* lua = vm_.lua();
    lua_createtable(lua, 0, 1);
    lua_pushfstring(lua, "content://%s/%d", from.package.c_str(),
                    what - static_cast<std::int32_t>(SystemAct::picked) + 1);
    lua_setfield(lua, -2, "uri");
    const Packed result = pack(lua, -1);
    lua_pop(lua, 1);
    deliver_result(from.caller, from.request, result, true);
    begin_transition();
  } else if (!world_.overlays.empty() && world_.overlays.back().kind == Overlay::Kind::permission) {
    const Overlay o = world_.overlays.back();
    const bool granted = is(SystemAct::allow);
    std::int32_t& state = world_.permissions[o.name];
    state = granted ? 1 : std::min(state, 0) - 1;
    lua_State* lua = vm_.lua();
    lua_rawgeti(lua, LUA_REGISTRYINDEX, o.ref);
    close_overlay(o.id);
    if (Activity* a = find(o.owner); a != nullptr && a == top() && !a->resumed) resume_top();
    if (!world_.alive) return;
    if (!lua_isfunction(lua, -1)) {
      lua_pop(lua, 1);
      return;
    }
    lua_pushboolean(lua, granted);
    call(1, 0);
  } else if (!world_.overlays.empty() && world_.overlays.back().kind == Overlay::Kind::chooser) {
    const Overlay o = world_.overlays.back();
    const auto i = static_cast<std::size_t>(what - static_cast<std::int32_t>(SystemAct::chosen));
    close_overlay(o.id);
    if (i < o.candidates.size()) go_to(o.candidates[i], o.intent, o.owner, o.request);
  } else if (what >= static_cast<std::int32_t>(SystemAct::notification)) {
    const auto i = static_cast<std::size_t>(what - static_cast<std::int32_t>(SystemAct::notification));
    if (i >= world_.notifications.size()) return;
    const Notification n = world_.notifications[i];
    world_.notifications.erase(world_.notifications.begin() + static_cast<std::ptrdiff_t>(i));
    close_overlay(world_.overlays.back().id);
    if (const auto decl = declaration(n.activity)) start_activity(*decl, n.extras, 0, {});
  }
}

// ---- keys ----

void Runtime::back() {
  log_themis("back", nullptr);
  if (world_.keyboard) {
    world_.keyboard = false;
    return;
  }
  if (!world_.overlays.empty()) return cancel_overlay();
  if (world_.elsewhere) {
    if (world_.elsewhere->launcher) return;
    const Elsewhere from = *std::exchange(world_.elsewhere, std::nullopt);
    deliver_result(from.caller, from.request, {}, false);
    begin_transition();
    return;
  }
  Activity* a = top();
  if (a == nullptr) return;
  if (a->drawer) {
    a->drawer = false;
    return;
  }
  const Token token = a->token;
  if (!method(token, "back", 1)) return;
  const bool handled = lua_toboolean(vm_.lua(), -1) != 0;
  lua_pop(vm_.lua(), 1);
  if (!handled) finish(token, {}, false);
}

void Runtime::menu_key() {
  if (!world_.overlays.empty() || world_.elsewhere) return;
  Activity* a = top();
  if (a == nullptr) return;
  log_themis("menu", nullptr);
  const Token token = a->token;
  if (!method(token, "menu", 1)) return;
  if (!lua_istable(vm_.lua(), -1)) {
    lua_pop(vm_.lua(), 1);
    return;
  }
  open_menu(luaL_ref(vm_.lua(), LUA_REGISTRYINDEX), token);
}

void Runtime::press(std::int32_t code) {
  switch (code) {
    case key::back:
      return back();
    case key::menu:
      return menu_key();
    case key::home:
    case key::app_switch:
      std::erase_if(world_.overlays, [](const Overlay& o) {
        return o.kind == Overlay::Kind::crash || o.kind == Overlay::Kind::shade;
      });
      if (world_.elsewhere && world_.elsewhere->launcher) return;
      if (world_.alive && !world_.elsewhere) pause_top(true);
      if (world_.overlays.empty() || world_.overlays.back().kind != Overlay::Kind::crash) to_launcher();
      return;
    case key::enter:
      if (const auto field = focused_field()) {
        const Node n = node(*field);
        if (n.input == "multiline") return enter_text(*field, n.text + "\n");
        world_.keyboard = false;
        call_handler(n.handler(On::submit), 0, [&](lua_State* lua) {
          lua_pushlstring(lua, n.text.data(), n.text.size());
          return 1;
        });
      }
      return;
    case key::del:
      if (const auto field = focused_field()) {
        std::string text = node(*field).text;
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
        if (!text.empty()) text.pop_back();
        enter_text(*field, text);
      }
      return;
    default:
      return;
  }
}

void Runtime::log_themis(std::string_view kind, const Node* n) {
  if (manifest_.themis.empty() || world_.stack.empty() || world_.elsewhere) return;
  const std::string& activity = declarations_[world_.stack.back().decl].name;
  for (const ThemisLine& line : manifest_.themis) {
    if (line.kind != kind || (!line.activity.empty() && line.activity != activity)) continue;
    if (!line.id.empty() && (n == nullptr || n->id != line.id)) continue;
    if (!line.text.empty() && (n == nullptr || (n->text != line.text && n->desc != line.text))) continue;
    world_.log.push_back("Event " + std::to_string(line.n) + ": " + std::string(kind) +
                         (line.id.empty() ? "" : " " + line.id));
  }
}

/// What an action does at once; time passes afterwards.
void Runtime::act(const Action& action, bool settled) {
  const bool moving = world_.clock < world_.transition_until;
  const bool is_input = std::holds_alternative<Touch>(action) || std::holds_alternative<Move>(action) ||
                        std::holds_alternative<Text>(action) || std::holds_alternative<TwoFingers>(action);
  if (!settled && moving && is_input && world_.transition_until - world_.clock > 100) return;  // lost
  struct Visitor {
    Runtime& rt;
    void operator()(const Touch& a) const { rt.touch(a.at, a.ms); }
    void operator()(const Move& a) const { rt.move(a.from, a.to, a.ms); }
    void operator()(const TwoFingers& a) const { rt.pinch(a); }
    void operator()(const Text& a) const { rt.type(a); }
    void operator()(const Press& a) const { rt.press(a.key); }
    void operator()(const Open& a) const { rt.launch(a.activity); }
    void operator()(const Turn& a) const { rt.rotate(a.rotation); }
    void operator()(const Signal& a) const { rt.signal(a.what); }
    void operator()(const Sleep&) const {}
  };
  std::visit(Visitor{*this}, action);
  settle_stack();
  if (settled) return;  // settle() renders
  render();
}

}  // namespace norn::sim

// The methods of self.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "device/sim/runtime.h"
#include "device/sim/sandbox.h"

namespace norn::sim {
namespace {

Runtime& runtime(lua_State* lua) { return Vm::of(lua).runtime(); }

/// The live activity behind self, or a typed exception: the race with a loader.
Token live(lua_State* lua, const char* exception, const char* message) {
  Runtime& rt = runtime(lua);
  const Token token = rt.token_of_self(lua);
  Activity* a = rt.find(token);
  if (a == nullptr || a->finishing) throw_exception(lua, exception, message);
  return token;
}

Token live_window(lua_State* lua) {
  return live(lua, "android.view.WindowManager$BadTokenException",
              "Unable to add window: is your activity running?");
}

Token live_activity(lua_State* lua) {
  return live(lua, "java.lang.IllegalStateException", "Activity has been destroyed");
}

std::size_t checked_declaration(lua_State* lua, int index) {
  const char* name = luaL_checkstring(lua, index);
  const auto decl = runtime(lua).declaration(name);
  if (!decl)
    throw_exception(
        lua, "android.content.ActivityNotFoundException",
        ("Unable to find explicit activity class {" + runtime(lua).manifest().package + "/" + name + "}")
            .c_str());
  return *decl;
}

int start(lua_State* lua) {
  const Token token = live_activity(lua);
  const std::size_t decl = checked_declaration(lua, 2);
  runtime(lua).start_activity(decl, pack(lua, lua_gettop(lua) < 3 ? (lua_settop(lua, 3), 3) : 3), token, {});
  return 0;
}

int start_for_result(lua_State* lua) {
  const Token token = live_activity(lua);
  const std::size_t decl = checked_declaration(lua, 2);
  luaL_checkany(lua, 3);
  lua_settop(lua, 4);
  Packed request = pack(lua, 3);
  runtime(lua).start_activity(decl, pack(lua, 4), token, std::move(request));
  return 0;
}

int finish(lua_State* lua) {
  const Token token = runtime(lua).token_of_self(lua);
  lua_settop(lua, 2);
  runtime(lua).finish(token, pack(lua, 2), !lua_isnil(lua, 2));
  return 0;
}

std::string field_text(lua_State* lua, int table, const char* name) {
  lua_getfield(lua, table, name);
  std::string out = lua_isstring(lua, -1) ? lua_tostring(lua, -1) : "";
  lua_pop(lua, 1);
  return out;
}

int start_implicit(lua_State* lua) {
  const Token token = live_activity(lua);
  luaL_checktype(lua, 2, LUA_TTABLE);
  const ImplicitIntent intent{.action = field_text(lua, 2, "action"),
                              .uri = field_text(lua, 2, "uri"),
                              .type = field_text(lua, 2, "type")};
  lua_getfield(lua, 2, "request");
  Packed request = pack(lua, -1);
  if (!runtime(lua).start_implicit(intent, token, std::move(request), pack(lua, 2)))
    throw_exception(lua, "android.content.ActivityNotFoundException",
                    ("No Activity found to handle Intent { act=" + intent.action +
                     (intent.uri.empty() ? "" : " dat=" + intent.uri) +
                     (intent.type.empty() ? "" : " typ=" + intent.type) + " }")
                        .c_str());
  return 0;
}

int function_at(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TFUNCTION);
  lua_pushvalue(lua, index);
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

int timer(lua_State* lua, bool repeats) {
  const Token token = runtime(lua).token_of_self(lua);
  if (runtime(lua).find(token) == nullptr) return 0;  // destroyed: it would be cancelled at once
  const auto ms = static_cast<std::int64_t>(std::clamp<lua_Number>(luaL_checknumber(lua, 2), 0, 1e12));
  if (runtime(lua).world().timers.size() > 10'000)
    throw_exception(lua, "java.lang.OutOfMemoryError", "too many timers");
  const int ref = function_at(lua, 3);
  lua_pushinteger(lua, runtime(lua).add_timer(token, ms, repeats ? std::max<std::int64_t>(ms, 10) : 0, ref));
  return 1;
}

int after(lua_State* lua) { return timer(lua, false); }
int every(lua_State* lua) { return timer(lua, true); }

// ---- widgets ----

std::string checked_id(lua_State* lua) {
  std::size_t size = 0;
  const char* id = luaL_checklstring(lua, 2, &size);
  return {id, size};
}

int text(lua_State* lua) {
  const WidgetState* s = runtime(lua).find_state(runtime(lua).token_of_self(lua), checked_id(lua));
  const std::string value = s != nullptr && s->text ? *s->text : "";
  lua_pushlstring(lua, value.data(), value.size());
  return 1;
}

int set_text(lua_State* lua) {
  const std::string id = checked_id(lua);
  const Token token = runtime(lua).token_of_self(lua);
  std::size_t size = 0;
  const char* value = luaL_optlstring(lua, 3, "", &size);
  if (runtime(lua).find(token) != nullptr)
    runtime(lua).state_of(token, id).text =
        to_utf8(std::string_view(value, std::min<std::size_t>(size, 20'000)));
  return 0;
}

int checked(lua_State* lua) {
  const WidgetState* s = runtime(lua).find_state(runtime(lua).token_of_self(lua), checked_id(lua));
  lua_pushboolean(lua, s != nullptr && s->checked.value_or(false));
  return 1;
}

int set_checked(lua_State* lua) {
  const std::string id = checked_id(lua);
  const Token token = runtime(lua).token_of_self(lua);
  if (runtime(lua).find(token) != nullptr)
    runtime(lua).state_of(token, id).checked = lua_toboolean(lua, 3) != 0;
  return 0;
}

int selected(lua_State* lua) {
  const WidgetState* s = runtime(lua).find_state(runtime(lua).token_of_self(lua), checked_id(lua));
  if (s == nullptr || !s->selected) {
    lua_pushnil(lua);
    return 1;
  }
  const double value = *s->selected;
  if (value == static_cast<double>(static_cast<lua_Integer>(value)))
    lua_pushinteger(lua, static_cast<lua_Integer>(value));
  else
    lua_pushnumber(lua, value);
  return 1;
}

int select(lua_State* lua) {
  const std::string id = checked_id(lua);
  const Token token = runtime(lua).token_of_self(lua);
  const lua_Number value = luaL_checknumber(lua, 3);
  if (runtime(lua).find(token) != nullptr && value > -1e15 && value < 1e15)
    runtime(lua).state_of(token, id).selected = value;
  return 0;
}

int focus(lua_State* lua) {
  const std::string id = checked_id(lua);
  if (runtime(lua).find(runtime(lua).token_of_self(lua)) == runtime(lua).top()) runtime(lua).set_focus(id);
  return 0;
}

int hide_keyboard(lua_State* lua) {
  runtime(lua).show_keyboard(false);
  return 0;
}

int scroll_to(lua_State* lua) {
  const std::string id = checked_id(lua);
  const Token token = runtime(lua).token_of_self(lua);
  const lua_Integer row = luaL_checkinteger(lua, 3);
  if (runtime(lua).find(token) != nullptr)
    runtime(lua).state_of(token, id).scroll =
        static_cast<std::int32_t>(std::clamp<lua_Integer>(row - 1, 0, 1'000'000));
  return 0;
}

int size(lua_State* lua) {
  const std::string id = checked_id(lua);
  const auto& view = runtime(lua).world().view;
  if (view)
    for (const Node& n : view->nodes)
      if (n.id == id) {
        lua_pushinteger(lua, n.box.right - n.box.left);
        lua_pushinteger(lua, n.box.bottom - n.box.top);
        return 2;
      }
  const Metrics m = runtime(lua).metrics();
  lua_pushinteger(lua, m.width);
  lua_pushinteger(lua, m.height);
  return 2;
}

int set_drawer(lua_State* lua, bool open) {
  if (Activity* a = runtime(lua).find(runtime(lua).token_of_self(lua))) a->drawer = open;
  return 0;
}
int open_drawer(lua_State* lua) { return set_drawer(lua, true); }
int close_drawer(lua_State* lua) { return set_drawer(lua, false); }

// ---- windows ----

int open_with_table(lua_State* lua, Overlay::Kind kind, const char* name) {
  const Token token = live_window(lua);
  luaL_checktype(lua, 2, LUA_TTABLE);
  if (runtime(lua).world().overlays.size() >= 30)
    throw_exception(lua, "android.view.WindowManager$BadTokenException", "too many windows");
  Overlay o;
  o.kind = kind;
  o.owner = token;
  o.name = name;
  lua_pushvalue(lua, 2);
  o.ref = luaL_ref(lua, LUA_REGISTRYINDEX);
  runtime(lua).open_overlay(std::move(o));
  return 0;
}

int dialog(lua_State* lua) { return open_with_table(lua, Overlay::Kind::dialog, ""); }
int popup(lua_State* lua) { return open_with_table(lua, Overlay::Kind::menu, "popup"); }

int dismiss(lua_State* lua) {
  const Token token = runtime(lua).token_of_self(lua);
  const auto& all = runtime(lua).world().overlays;
  for (std::size_t i = all.size(); i-- > 0;)
    if (all[i].owner == token &&
        (all[i].kind == Overlay::Kind::dialog || all[i].kind == Overlay::Kind::menu)) {
      runtime(lua).close_overlay(all[i].id);
      break;
    }
  return 0;
}

int snackbar(lua_State* lua) {
  const Token token = live_window(lua);
  World& w = runtime(lua).world();
  w.snack = to_utf8(luaL_checkstring(lua, 2));
  w.snack_action = to_utf8(luaL_optstring(lua, 3, ""));
  if (w.snack_ref != LUA_NOREF) luaL_unref(lua, LUA_REGISTRYINDEX, w.snack_ref);
  w.snack_ref = lua_isfunction(lua, 4) ? function_at(lua, 4) : LUA_NOREF;
  w.snack_owner = token;
  w.snack_until = w.clock + 4000;
  return 0;
}

int ask_permission(lua_State* lua) {
  const Token token = live_activity(lua);
  Runtime& rt = runtime(lua);
  const std::string name = luaL_checkstring(lua, 2);
  luaL_checktype(lua, 3, LUA_TFUNCTION);
  const auto& declared = rt.manifest().permissions;
  if (std::find(declared.begin(), declared.end(), name) == declared.end())
    throw_exception(lua, "java.lang.SecurityException", ("permission " + name + " is not declared").c_str());
  const auto known = rt.world().permissions.find(name);
  const std::int32_t state = known == rt.world().permissions.end() ? 0 : known->second;
  if (state == 1 || state <= -2) {
    lua_pushvalue(lua, 3);
    lua_pushboolean(lua, state == 1);
    lua_call(lua, 1, 0);
    return 0;
  }
  Overlay o;
  o.kind = Overlay::Kind::permission;
  o.owner = token;
  o.name = name;
  o.ref = function_at(lua, 3);
  rt.open_overlay(std::move(o));
  return 0;
}

int register_receiver(lua_State* lua) {
  const Token token = live_activity(lua);
  Receiver r;
  r.action = luaL_checkstring(lua, 2);
  r.owner = token;
  r.ref = function_at(lua, 3);
  if (runtime(lua).world().receivers.size() > 1000)
    throw_exception(lua, "java.lang.OutOfMemoryError", "too many receivers");
  runtime(lua).world().receivers.push_back(std::move(r));
  return 0;
}

int is_finishing(lua_State* lua) {
  Activity* a = runtime(lua).find(runtime(lua).token_of_self(lua));
  lua_pushboolean(lua, a == nullptr || a->finishing);
  return 1;
}

int is_front(lua_State* lua) {
  Activity* a = runtime(lua).find(runtime(lua).token_of_self(lua));
  lua_pushboolean(lua, a != nullptr && a->resumed);
  return 1;
}

}  // namespace

Token Runtime::token_of_self(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_pushstring(lua, "_token");
  lua_rawget(lua, 1);
  if (!lua_isinteger(lua, -1)) luaL_error(lua, "bad argument #1: self expected (call it with ':')");
  const auto token = static_cast<Token>(lua_tointeger(lua, -1));
  lua_pop(lua, 1);
  return token;
}

/// Dialogs of the activity are looked through first, the one in front before the others.
const WidgetState* Runtime::find_state(Token owner, std::string_view key) const {
  for (std::size_t i = world_.overlays.size(); i-- > 0;) {
    if (world_.overlays[i].owner != owner) continue;
    const auto at = world_.overlays[i].widgets.find(key);
    if (at != world_.overlays[i].widgets.end()) return &at->second;
  }
  for (const Activity& a : world_.stack) {
    if (a.token != owner) continue;
    const auto at = a.widgets.find(key);
    return at == a.widgets.end() ? nullptr : &at->second;
  }
  return nullptr;
}

WidgetState& Runtime::state_of(Token owner, std::string_view key) {
  if (const WidgetState* s = find_state(owner, key)) return const_cast<WidgetState&>(*s);
  return find(owner)->widgets[std::string(key)];
}

WidgetStates& Runtime::front_states() {
  if (!world_.overlays.empty()) return world_.overlays.back().widgets;
  if (!world_.stack.empty()) return world_.stack.back().widgets;
  nowhere_.clear();
  return nowhere_;
}

void open_activity_methods(lua_State* lua) {
  constexpr std::array<luaL_Reg, 29> methods = {{{"start", start},
                                                 {"start_for_result", start_for_result},
                                                 {"finish", finish},
                                                 {"start_implicit", start_implicit},
                                                 {"after", after},
                                                 {"every", every},
                                                 {"text", text},
                                                 {"set_text", set_text},
                                                 {"checked", checked},
                                                 {"set_checked", set_checked},
                                                 {"selected", selected},
                                                 {"select", select},
                                                 {"focus", focus},
                                                 {"hide_keyboard", hide_keyboard},
                                                 {"scroll_to", scroll_to},
                                                 {"size", size},
                                                 {"open_drawer", open_drawer},
                                                 {"close_drawer", close_drawer},
                                                 {"dialog", dialog},
                                                 {"popup", popup},
                                                 {"dismiss", dismiss},
                                                 {"snackbar", snackbar},
                                                 {"ask_permission", ask_permission},
                                                 {"register_receiver", register_receiver},
                                                 {"is_finishing", is_finishing},
                                                 {"is_front", is_front},
                                                 {nullptr, nullptr}}};
  luaL_setfuncs(lua, methods.data(), 0);
}

}  // namespace norn::sim

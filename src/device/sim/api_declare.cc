// app{...}, activity "Name" {...} and the widgets' constructors: what the top level of an app calls.
#include <array>

#include "base/text.h"
#include "device/sim/runtime.h"
#include "device/sim/sandbox.h"
#include "device/sim/view_builder.h"

namespace norn::sim {

/// The app's calls see the runtime's inside through this.
struct Api {
  static Runtime& of(lua_State* lua) { return Vm::of(lua).runtime(); }
  static Manifest& manifest(lua_State* lua) { return of(lua).manifest_; }
  static std::vector<Declaration>& declarations(lua_State* lua) { return of(lua).declarations_; }
  static bool loading(lua_State* lua) { return of(lua).loading_; }
  static int methods(lua_State* lua) { return of(lua).methods_; }
  static void set_methods(lua_State* lua, int ref) { of(lua).methods_ = ref; }
};

namespace {

std::string text_field(lua_State* lua, int table, const char* name, bool required) {
  lua_pushstring(lua, name);
  lua_rawget(lua, table);
  if (lua_type(lua, -1) != LUA_TSTRING) {
    if (required) luaL_error(lua, "app{...} needs a text '%s'", name);
    lua_pop(lua, 1);
    return {};
  }
  std::string out = to_utf8(lua_tostring(lua, -1));
  lua_pop(lua, 1);
  return out;
}

std::vector<std::string> text_list(lua_State* lua, int table, const char* name) {
  std::vector<std::string> out;
  lua_getfield(lua, table, name);
  if (lua_istable(lua, -1))
    for (lua_Integer i = 1; lua_rawgeti(lua, -1, i) == LUA_TSTRING; ++i) {
      out.emplace_back(lua_tostring(lua, -1));
      lua_pop(lua, 1);
    }
  lua_settop(lua, table);
  return out;
}

int function_ref(lua_State* lua, int table, const char* name) {
  lua_getfield(lua, table, name);
  if (!lua_isfunction(lua, -1)) {
    lua_pop(lua, 1);
    return LUA_NOREF;
  }
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

std::vector<ThemisLine> themis_lines(lua_State* lua, int table) {
  std::vector<ThemisLine> out;
  lua_getfield(lua, table, "themis");
  const int list = lua_gettop(lua);
  if (lua_istable(lua, list))
    for (lua_Integer i = 1; lua_rawgeti(lua, list, i) == LUA_TTABLE; ++i) {
      ThemisLine line;
      const int entry = lua_gettop(lua);
      lua_getfield(lua, entry, "n");
      line.n = lua_tointeger(lua, -1);
      line.activity = text_field(lua, entry, "activity", false);
      line.id = text_field(lua, entry, "id", false);
      line.kind = text_field(lua, entry, "kind", false);
      line.text = text_field(lua, entry, "text", false);
      out.push_back(std::move(line));
      lua_settop(lua, list);
    }
  lua_settop(lua, table);
  return out;
}

int app(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  Manifest& m = Api::manifest(lua);
  if (m.declared || !Api::loading(lua))
    return luaL_error(lua, "app{...} may be called once, at the top level");
  lua_settop(lua, 1);
  m.package = text_field(lua, 1, "package", true);
  m.title = text_field(lua, 1, "title", true);
  m.main = text_field(lua, 1, "main", true);
  m.permissions = text_list(lua, 1, "permissions");
  m.bugs = text_list(lua, 1, "bugs");
  m.themis = themis_lines(lua, 1);
  m.server = function_ref(lua, 1, "server");
  m.application = function_ref(lua, 1, "application");
  m.declared = true;
  return 0;
}

bool flag_field(lua_State* lua, int table, const char* name) {
  lua_getfield(lua, table, name);
  const bool on = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  return on;
}

/// Second half of `activity "Name" {...}`. Upvalue: the name. The table becomes the class of its instances.
int activity_body(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (!Api::loading(lua)) return luaL_error(lua, "activities are declared at the top level");
  lua_settop(lua, 1);
  Declaration d;
  d.name = lua_tostring(lua, lua_upvalueindex(1));
  for (const Declaration& other : Api::declarations(lua))
    if (other.name == d.name) return luaL_error(lua, "activity \"%s\" is declared twice", d.name.c_str());
  lua_getfield(lua, 1, "view");
  if (!lua_isfunction(lua, -1)) return luaL_error(lua, "activity \"%s\" has no view", d.name.c_str());
  lua_pop(lua, 1);
  d.single_top = flag_field(lua, 1, "single_top");
  d.portrait = flag_field(lua, 1, "portrait");
  d.handles_rotation = flag_field(lua, 1, "handles_rotation");
  lua_getfield(lua, 1, "filters");
  if (lua_istable(lua, -1))
    for (lua_Integer i = 1; lua_rawgeti(lua, 2, i) == LUA_TTABLE; ++i) {
      d.filters.push_back({text_field(lua, 3, "action", false), text_field(lua, 3, "scheme", false),
                           text_field(lua, 3, "type", false)});
      lua_settop(lua, 2);
    }
  lua_settop(lua, 1);
  lua_newtable(lua);  // the metatable of instances
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "__index");
  lua_setfield(lua, 1, "__meta");
  lua_pushlstring(lua, d.name.data(), d.name.size());
  lua_setfield(lua, 1, "name");
  lua_rawgeti(lua, LUA_REGISTRYINDEX, Api::methods(lua));  // {__index = methods of every activity}
  lua_setmetatable(lua, 1);
  d.table = luaL_ref(lua, LUA_REGISTRYINDEX);
  Api::declarations(lua).push_back(std::move(d));
  return 0;
}

int activity(lua_State* lua) {
  luaL_checkstring(lua, 1);
  lua_settop(lua, 1);
  lua_pushcclosure(lua, activity_body, 1);
  return 1;
}

/// Upvalue: the metatable that marks the kind.
int widget(lua_State* lua) {
  const int type = lua_type(lua, 1);
  if (type == LUA_TSTRING || type == LUA_TNUMBER) {
    lua_createtable(lua, 1, 0);
    lua_pushvalue(lua, 1);
    lua_rawseti(lua, -2, 1);
    lua_replace(lua, 1);
  } else if (type != LUA_TTABLE) {
    return luaL_error(lua, "attempt to make a widget of a %s value", luaL_typename(lua, 1));
  }
  lua_settop(lua, 1);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_setmetatable(lua, 1);
  return 1;
}

}  // namespace

void open_widgets(lua_State* lua) {
  for (int i = 0; i < static_cast<int>(Kind::count_); ++i) {
    lua_createtable(lua, 1, 0);
    lua_pushinteger(lua, i);
    lua_rawseti(lua, -2, 1);
    lua_pushcclosure(lua, widget, 1);
    lua_setglobal(lua, std::string(name_of(static_cast<Kind>(i))).c_str());
  }
}

void open_api(lua_State* lua) {
  lua_newtable(lua);
  lua_newtable(lua);
  open_activity_methods(lua);  // fills the table at the top
  lua_setfield(lua, -2, "__index");
  Api::set_methods(lua, luaL_ref(lua, LUA_REGISTRYINDEX));
  lua_pushcfunction(lua, app);
  lua_setglobal(lua, "app");
  lua_pushcfunction(lua, activity);
  lua_setglobal(lua, "activity");
  open_widgets(lua);
  open_system_calls(lua);
  open_helpers(lua);
}

}  // namespace norn::sim

// Small functions for app authors: exceptions, lists, texts.
#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "device/sim/runtime.h"
#include "device/sim/sandbox.h"

namespace norn::sim {
namespace {

std::string_view paid_text(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  Vm::of(lua).spend(static_cast<std::int64_t>(size / 16 + 1));
  return {text, size};
}

void push(lua_State* lua, std::string_view text) { lua_pushlstring(lua, text.data(), text.size()); }

int throw_(lua_State* lua) {
  const char* type = luaL_checkstring(lua, 1);
  throw_exception(lua, type, luaL_optstring(lua, 2, ""));
}

int list_get(lua_State* lua) {
  if (lua_isnil(lua, 1)) return luaL_error(lua, "attempt to index a nil value (list)");
  luaL_checktype(lua, 1, LUA_TTABLE);
  const lua_Integer i = luaL_checkinteger(lua, 2), size = static_cast<lua_Integer>(lua_rawlen(lua, 1));
  if (i < 1 || i > size)
    throw_exception(lua, "java.lang.IndexOutOfBoundsException",
                    ("Index: " + std::to_string(i - 1) + ", Size: " + std::to_string(size)).c_str());
  lua_rawgeti(lua, 1, i);
  return 1;
}

int need(lua_State* lua) {
  if (lua_isnoneornil(lua, 1)) {
    const std::string what = luaL_optstring(lua, 2, "value");
    throw_exception(lua, "java.lang.NullPointerException", (what + " must not be null").c_str());
  }
  lua_settop(lua, 1);
  return 1;
}

int parse(lua_State* lua, bool integer) {
  if (lua_isnil(lua, 1)) throw_exception(lua, "java.lang.NumberFormatException", "null");
  lua_pushvalue(lua, 1);
  const std::string text(paid_text(lua, -1));
  if (integer) {
    if (const auto n = to_int(text)) return lua_pushinteger(lua, *n), 1;
  } else if (const auto n = to_double(std::string(trim(text)))) {
    return lua_pushnumber(lua, *n), 1;
  }
  throw_exception(lua, "java.lang.NumberFormatException",
                  ("For input string: \"" + shorten(text, 100) + "\"").c_str());
}
int parse_int(lua_State* lua) { return parse(lua, true); }
int parse_number(lua_State* lua) { return parse(lua, false); }

/// Length of the list at 1; nil is a crash as in Java.
lua_Integer list_size(lua_State* lua) {
  if (lua_isnoneornil(lua, 1)) luaL_error(lua, "attempt to iterate over a nil value");
  luaL_checktype(lua, 1, LUA_TTABLE);
  const auto n = static_cast<lua_Integer>(lua_rawlen(lua, 1));
  Vm::of(lua).spend(n);
  return n;
}

/// Calls fn(item, i) for item i of the list at 1; leaves its one result.
void call_for(lua_State* lua, lua_Integer i) {
  lua_pushvalue(lua, 2);
  lua_rawgeti(lua, 1, i);
  lua_pushinteger(lua, i);
  lua_call(lua, 2, 1);
}

int each(lua_State* lua) {
  const lua_Integer n = list_size(lua);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  lua_newtable(lua);
  for (lua_Integer i = 1, out = 0; i <= n; ++i) {
    call_for(lua, i);
    if (lua_isnil(lua, -1))
      lua_pop(lua, 1);
    else
      lua_rawseti(lua, 3, ++out);
  }
  return 1;
}

int filter(lua_State* lua) {
  const lua_Integer n = list_size(lua);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  lua_newtable(lua);
  for (lua_Integer i = 1, out = 0; i <= n; ++i) {
    call_for(lua, i);
    if (lua_toboolean(lua, -1)) {
      lua_rawgeti(lua, 1, i);
      lua_rawseti(lua, 3, ++out);
    }
    lua_pop(lua, 1);
  }
  return 1;
}

int find(lua_State* lua) {
  const lua_Integer n = list_size(lua);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  for (lua_Integer i = 1; i <= n; ++i) {
    call_for(lua, i);
    if (lua_toboolean(lua, -1)) {
      lua_rawgeti(lua, 1, i);
      lua_pushinteger(lua, i);
      return 2;
    }
    lua_pop(lua, 1);
  }
  lua_pushnil(lua);
  return 1;
}

int index_of(lua_State* lua) {
  const lua_Integer n = list_size(lua);
  luaL_checkany(lua, 2);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_rawgeti(lua, 1, i);
    if (lua_rawequal(lua, -1, 2)) return lua_pushinteger(lua, i), 1;
    lua_pop(lua, 1);
  }
  lua_pushnil(lua);
  return 1;
}

/// One level deep.
int copy(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  lua_newtable(lua);
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    Vm::of(lua).spend(1);
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, 2);
  }
  return 1;
}

int split_(lua_State* lua) {
  const std::string_view text = paid_text(lua, 1),
                         separator = lua_isnoneornil(lua, 2) ? "," : paid_text(lua, 2);
  lua_newtable(lua);
  if (separator.empty()) return luaL_argerror(lua, 2, "empty separator");
  lua_Integer count = 0;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    push(lua, text.substr(at, end == std::string_view::npos ? end : end - at));
    lua_rawseti(lua, -2, ++count);
    Vm::of(lua).spend(1);
    if (end == std::string_view::npos) return 1;
    at = end + separator.size();
  }
}

int trim_(lua_State* lua) { return push(lua, trim(paid_text(lua, 1))), 1; }
int starts_with(lua_State* lua) {
  return lua_pushboolean(lua, paid_text(lua, 1).starts_with(paid_text(lua, 2))), 1;
}
int contains(lua_State* lua) {
  return lua_pushboolean(lua, paid_text(lua, 1).find(paid_text(lua, 2)) != std::string_view::npos), 1;
}

}  // namespace

void open_helpers(lua_State* lua) {
  constexpr std::array<luaL_Reg, 15> functions = {{{"throw", throw_},
                                                   {"list_get", list_get},
                                                   {"need", need},
                                                   {"parse_int", parse_int},
                                                   {"parse_number", parse_number},
                                                   {"each", each},
                                                   {"filter", filter},
                                                   {"find", find},
                                                   {"index_of", index_of},
                                                   {"copy", copy},
                                                   {"split", split_},
                                                   {"trim", trim_},
                                                   {"starts_with", starts_with},
                                                   {"contains", contains},
                                                   {nullptr, nullptr}}};
  lua_pushglobaltable(lua);
  luaL_setfuncs(lua, functions.data(), 0);
  lua_getglobal(lua, "string");
  lua_getfield(lua, -1, "format");
  lua_setglobal(lua, "format");
  lua_settop(lua, 0);
}

}  // namespace norn::sim

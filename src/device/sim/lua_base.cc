// pairs, next, tostring, pcall and friends, and what is taken unchanged from the standard library.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "device/sim/sandbox.h"
#include "device/sim/vm.h"

namespace norn::sim {
namespace {

// ---- pcall and xpcall that cannot swallow doom ----

int finish_call(lua_State* lua, int status, int first) {
  Vm& vm = Vm::of(lua);
  if (status == LUA_ERRMEM && !vm.doomed()) vm.set_doom(Doom::no_memory);
  if (vm.doomed()) lua_error(lua);
  if (status != LUA_OK) vm.spend(300);  // unwinding costs more than instructions do,
  if (status == LUA_ERRERR)
    vm.spend(20'000);  // and a handler that fails was tried again to the depth of the stack
  if (status == LUA_OK) return lua_gettop(lua) - first + 1;
  lua_pushboolean(lua, false);
  lua_insert(lua, -2);
  return 2;
}

int pcall(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_pushboolean(lua, true);
  lua_insert(lua, 1);
  return finish_call(lua, lua_pcall(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0), 1);
}

/// Upvalue: the app's own handler. It is not asked when the app is doomed: the hook raised that error, and
/// while a hook runs no other does, so a handler that never ends would never end.
int handle(lua_State* lua) {
  if (Vm::of(lua).doomed()) return 1;
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, 1);
  return 1;
}

int xpcall(lua_State* lua) {
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  const int arguments = lua_gettop(lua) - 2;
  lua_pushvalue(lua, 2);
  lua_pushcclosure(lua, handle, 1);
  lua_replace(lua, 2);
  lua_pushboolean(lua, true);
  lua_pushvalue(lua, 1);
  lua_rotate(lua, 3, 2);  // f, handler, true, f, arguments
  return finish_call(lua, lua_pcall(lua, arguments, LUA_MULTRET, 2), 3);
}

// ---- a fixed order of traversal ----

SortKey sort_key(lua_State* lua, int index) {
  SortKey key;
  switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
      if (lua_isinteger(lua, index))
        key.rank = 0, key.integer = lua_tointeger(lua, index);
      else
        key.rank = 1, key.number = lua_tonumber(lua, index);
      break;
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(lua, index, &size);
      key.rank = 2, key.text = {text, size};
      break;
    }
    case LUA_TBOOLEAN:
      key.rank = 3, key.integer = lua_toboolean(lua, index);
      break;
    default:
      break;
  }
  return key;
}

[[noreturn]] void refuse_key(lua_State* lua) {
  throw_exception(lua, "java.lang.UnsupportedOperationException",
                  "pairs over tables as keys has no fixed order");
}

/// next(t, k): the smallest key after k. One pass: fine for "is it empty", slow as a loop (pairs is not).
int next(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 2);
  const bool from_start = lua_isnil(lua, 2);
  const SortKey last = sort_key(lua, 2);
  SortKey best;      // none yet: it comes after all
  lua_pushnil(lua);  // 3: the best key so far
  lua_pushnil(lua);
  Vm& vm = Vm::of(lua);
  while (lua_next(lua, 1) != 0) {
    vm.spend(1);
    lua_pop(lua, 1);
    const SortKey key = ordered_key(lua, -1);
    if ((from_start || last < key) && key < best) {
      best = key;
      lua_pushvalue(lua, -1);
      lua_replace(lua, 3);
    }
  }
  lua_settop(lua, 3);
  if (lua_isnil(lua, 3)) return 1;
  lua_pushvalue(lua, 3);
  lua_rawget(lua, 1);
  return 2;
}

/// Upvalues: the table, its keys in order, the place in them.
int step(lua_State* lua) {
  lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3));
  for (;;) {
    if (lua_rawgeti(lua, lua_upvalueindex(2), ++at) == LUA_TNIL) return 1;
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) break;  // else: removed meanwhile
    lua_pop(lua, 2);
    Vm::of(lua).spend(1);
  }
  lua_pushinteger(lua, at);
  lua_replace(lua, lua_upvalueindex(3));
  return 2;
}

int pairs(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 3);
    return 3;
  }
  if (lua_type(lua, 1) == LUA_TNIL) return luaL_error(lua, "attempt to iterate over a nil value");
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_pushvalue(lua, 1);
  push_sorted_keys(lua, 1);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, step, 3);
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

// ---- no addresses in texts ----

int to_string(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__tostring") != LUA_TNIL) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 1);
    if (!lua_isstring(lua, -1)) return luaL_error(lua, "'__tostring' must return a string");
    return 1;
  }
  switch (lua_type(lua, 1)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING:
      luaL_tolstring(lua, 1, nullptr);
      return 1;
    default:
      lua_pushstring(lua, luaL_typename(lua, 1));
      return 1;
  }
}

int set_metatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (lua_type(lua, 2) == LUA_TTABLE) {
    for (const char* name : {"__gc", "__mode"}) {
      lua_pushstring(lua, name);
      if (lua_rawget(lua, 2) != LUA_TNIL) return luaL_error(lua, "%s is not available", name);
      lua_pop(lua, 1);
    }
  } else if (!lua_isnoneornil(lua, 2)) {
    return luaL_typeerror(lua, 2, "nil or table");
  }
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL)
    return luaL_error(lua, "cannot change a protected metatable");
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

}  // namespace

void throw_exception(lua_State* lua, const char* type, const char* message) {
  lua_createtable(lua, 0, 2);
  lua_pushstring(lua, type);
  lua_setfield(lua, -2, "type");
  lua_pushstring(lua, message);
  lua_setfield(lua, -2, "message");
  lua_error(lua);
  std::unreachable();
}

SortKey ordered_key(lua_State* lua, int index) {
  const SortKey key = sort_key(lua, index);
  if (!key.has_order()) refuse_key(lua);
  return key;
}

void push_sorted_keys(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  lua_newtable(lua);
  const int found = lua_gettop(lua);
  std::vector<SortKey> keys;
  bool sorted = true;
  Vm& vm = Vm::of(lua);
  lua_pushnil(lua);
  while (lua_next(lua, index) != 0) {
    vm.spend(1);
    lua_pop(lua, 1);
    SortKey key = ordered_key(lua, -1);
    sorted = sorted && (keys.empty() || keys.back() < key);
    key.place = static_cast<lua_Integer>(keys.size()) + 1;
    keys.push_back(key);
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, found, key.place);
  }
  if (sorted) return;
  vm.spend(sorting_costs(keys.size()));
  std::sort(keys.begin(), keys.end());
  lua_createtable(lua, static_cast<int>(keys.size()), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    lua_rawgeti(lua, found, keys[i].place);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_remove(lua, found);
}

void open_base(lua_State* lua) {
  luaL_requiref(lua, "_G", luaopen_base, 0);
  lua_pop(lua, 1);
  lua_pushglobaltable(lua);
  for (const char* name : {"collectgarbage", "dofile", "load", "loadfile", "print", "warn", "_G", "_VERSION",
                           "pcall", "xpcall", "pairs", "next", "tostring", "setmetatable"}) {
    lua_pushnil(lua);
    lua_setfield(lua, -2, name);
  }
  constexpr std::array<luaL_Reg, 7> own = {{{"pcall", pcall},
                                            {"xpcall", xpcall},
                                            {"pairs", pairs},
                                            {"next", next},
                                            {"tostring", to_string},
                                            {"setmetatable", set_metatable},
                                            {nullptr, nullptr}}};
  luaL_setfuncs(lua, own.data(), 0);
  lua_getfield(lua, -1, "tonumber");
  lua_pushcclosure(lua, charged, 1);
  lua_setfield(lua, -2, "tonumber");
  lua_pop(lua, 1);
}

void open_sandbox(lua_State* lua) {
  open_base(lua);
  open_tables(lua);
  open_strings(lua);
  luaL_requiref(lua, "math", luaopen_math, 1);
  for (const char* name : {"random", "randomseed"}) {
    lua_pushnil(lua);
    lua_setfield(lua, -2, name);
  }
  lua_pop(lua, 1);
  lua_pushnil(lua);
  lua_setfield(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
}

}  // namespace norn::sim

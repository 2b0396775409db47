// pairs, next, tostring, pcall and friends, and what is taken unchanged from the standard library.
#include <array>
#include <cstring>
#include <utility>

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

/// Upvalue: the app's own handler. It is not asked when the app is doomed: the hook raised that error, and while a hook
/// runs no other does, so a handler that never ends would never end.
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

int rank_of(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
      return lua_isinteger(lua, index) ? 0 : 1;
    case LUA_TSTRING:
      return 2;
    case LUA_TBOOLEAN:
      return 3;
    default:
      return 4;
  }
}

/// Is the key at a before the key at b?
bool before(lua_State* lua, int a, int b) {
  const int rank_a = rank_of(lua, a), rank_b = rank_of(lua, b);
  if (rank_a != rank_b) return rank_a < rank_b;
  if (rank_a == 0) return lua_tointeger(lua, a) < lua_tointeger(lua, b);
  if (rank_a == 1) return lua_tonumber(lua, a) < lua_tonumber(lua, b);
  if (rank_a == 3) return !lua_toboolean(lua, a) && lua_toboolean(lua, b);
  std::size_t size_a = 0, size_b = 0;
  const char* text_a = lua_tolstring(lua, a, &size_a);
  const char* text_b = lua_tolstring(lua, b, &size_b);
  return std::string_view(text_a, size_a) < std::string_view(text_b, size_b);
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
  lua_pushnil(lua);  // 3: the best key so far
  lua_pushnil(lua);
  Vm& vm = Vm::of(lua);
  while (lua_next(lua, 1) != 0) {
    vm.spend(1);
    lua_pop(lua, 1);
    if (rank_of(lua, -1) == 4) refuse_key(lua);
    const bool later = from_start || before(lua, 2, -1);
    if (later && (lua_isnil(lua, 3) || before(lua, -1, 3))) {
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

void push_sorted_keys(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  lua_Integer count = 0;
  bool sorted = true;
  lua_newtable(lua);
  const int keys = lua_gettop(lua);
  lua_pushnil(lua);  // the key before
  lua_pushnil(lua);
  Vm& vm = Vm::of(lua);
  while (lua_next(lua, index) != 0) {
    vm.spend(1);
    lua_pop(lua, 1);
    if (rank_of(lua, -1) == 4) refuse_key(lua);
    if (count > 0 && !before(lua, keys + 1, -1)) sorted = false;
    lua_pushvalue(lua, -1);
    lua_rawseti(lua, keys, ++count);
    lua_pushvalue(lua, -1);
    lua_replace(lua, keys + 1);
  }
  lua_settop(lua, keys);
  if (sorted) return;
  // Heap sort in place over the key list: no recursion, bounded, and order needs no stability (keys differ).
  const auto less_at = [&](lua_Integer a, lua_Integer b) {
    vm.spend(1);
    lua_rawgeti(lua, keys, a);
    lua_rawgeti(lua, keys, b);
    const bool less = before(lua, -2, -1);
    lua_pop(lua, 2);
    return less;
  };
  const auto swap = [&](lua_Integer a, lua_Integer b) {
    lua_rawgeti(lua, keys, a);
    lua_rawgeti(lua, keys, b);
    lua_rawseti(lua, keys, a);
    lua_rawseti(lua, keys, b);
  };
  const auto sink = [&](lua_Integer root, lua_Integer end) {
    for (lua_Integer child; (child = root * 2) <= end; root = child) {
      if (child < end && less_at(child, child + 1)) ++child;
      if (!less_at(root, child)) return;
      swap(root, child);
    }
  };
  for (lua_Integer i = count / 2; i >= 1; --i) sink(i, count);
  for (lua_Integer end = count; end > 1; --end) {
    swap(1, end);
    sink(1, end - 1);
  }
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

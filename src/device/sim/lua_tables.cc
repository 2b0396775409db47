// table.*: raw access, every loop charged, a stable merge sort. Lengths are raw lengths, so a metamethod
// cannot make a loop of 10^18 turns out of an empty table.
#include <algorithm>
#include <array>
#include <string>

#include "device/sim/sandbox.h"
#include "device/sim/vm.h"

namespace norn::sim {
namespace {

lua_Integer length(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(lua, index));
}

int insert(lua_State* lua) {
  const lua_Integer end = length(lua, 1) + 1;
  if (lua_gettop(lua) == 2) {
    lua_rawseti(lua, 1, end);
    return 0;
  }
  if (lua_gettop(lua) != 3) return luaL_error(lua, "wrong number of arguments to 'insert'");
  const lua_Integer at = luaL_checkinteger(lua, 2);
  if (at < 1 || at > end) return luaL_argerror(lua, 2, "position out of bounds");
  Vm::of(lua).spend((end - at) / 4);
  for (lua_Integer i = end; i > at; --i) {
    lua_rawgeti(lua, 1, i - 1);
    lua_rawseti(lua, 1, i);
  }
  lua_rawseti(lua, 1, at);
  return 0;
}

int remove(lua_State* lua) {
  const lua_Integer size = length(lua, 1);
  const lua_Integer at = luaL_optinteger(lua, 2, size);
  if (lua_gettop(lua) >= 2 && size + 1 != at && (at < 1 || at > size + 1) && !(size == 0 && at == 0))
    return luaL_argerror(lua, 2, "position out of bounds");
  lua_rawgeti(lua, 1, at);
  Vm::of(lua).spend(std::max<lua_Integer>(size - at, 0) / 4);
  for (lua_Integer i = at; i < size; ++i) {
    lua_rawgeti(lua, 1, i + 1);
    lua_rawseti(lua, 1, i);
  }
  if (at >= 1 && at <= size) {
    lua_pushnil(lua);
    lua_rawseti(lua, 1, size);
  }
  return 1;
}

/// How many places [first, last] has, charged and refused when it is absurd.
lua_Integer count_between(lua_State* lua, lua_Integer first, lua_Integer last) {
  if (first > last) return 0;
  const auto n = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first);
  if (n >= 10'000'000) luaL_error(lua, "bad argument: range too large");
  Vm::of(lua).spend(static_cast<lua_Integer>(n) / 4 + 1);
  return static_cast<lua_Integer>(n) + 1;
}

int concat(lua_State* lua) {
  const lua_Integer size = length(lua, 1);
  std::size_t between_size = 0;
  const char* between = luaL_optlstring(lua, 2, "", &between_size);
  const lua_Integer first = luaL_optinteger(lua, 3, 1), last = luaL_optinteger(lua, 4, size);
  const lua_Integer count = count_between(lua, first, last);
  std::string out;
  for (lua_Integer i = 0; i < count; ++i) {
    lua_rawgeti(lua, 1, first + i);
    if (!lua_isstring(lua, -1))
      return luaL_error(lua, "attempt to concatenate a %s value at index %I", luaL_typename(lua, -1),
                        static_cast<LUAI_UACINT>(first + i));
    std::size_t part_size = 0;
    const char* part = lua_tolstring(lua, -1, &part_size);
    if (i > 0) out.append(between, between_size);
    out.append(part, part_size);
    Vm::of(lua).spend(static_cast<std::int64_t>((part_size + between_size) / 64));
    if (out.size() > Vm::kLongestString) return luaL_error(lua, "not enough memory");
    lua_pop(lua, 1);
  }
  lua_pushlstring(lua, out.data(), out.size());
  return 1;
}

int unpack(lua_State* lua) {
  const lua_Integer size = length(lua, 1);
  const lua_Integer first = luaL_optinteger(lua, 2, 1), last = luaL_optinteger(lua, 3, size);
  const lua_Integer count = count_between(lua, first, last);
  if (count > 10'000 || !lua_checkstack(lua, static_cast<int>(count)))
    return luaL_error(lua, "too many results to unpack");
  for (lua_Integer i = 0; i < count; ++i) lua_rawgeti(lua, 1, first + i);
  return static_cast<int>(count);
}

int pack(lua_State* lua) {
  const int n = lua_gettop(lua);
  lua_createtable(lua, n, 1);
  lua_insert(lua, 1);
  for (int i = n; i >= 1; --i) lua_rawseti(lua, 1, i);
  lua_pushinteger(lua, n);
  lua_setfield(lua, 1, "n");
  return 1;
}

int move(lua_State* lua) {
  length(lua, 1);
  const lua_Integer from = luaL_checkinteger(lua, 2), end = luaL_checkinteger(lua, 3),
                    to = luaL_checkinteger(lua, 4);
  const int target = lua_isnoneornil(lua, 5) ? 1 : 5;
  length(lua, target);
  const lua_Integer count = count_between(lua, from, end);
  if (count > 0 && to > LUA_MAXINTEGER - count) return luaL_error(lua, "bad argument: range too large");
  const bool backwards = target == 1 && to > from && to <= end;
  for (lua_Integer k = 0; k < count; ++k) {
    const lua_Integer i = backwards ? count - 1 - k : k;
    lua_rawgeti(lua, 1, from + i);
    lua_rawseti(lua, target, to + i);
  }
  lua_pushvalue(lua, target);
  return 1;
}

/// Is the value at index a before the one at b: by the function at 2, or by <.
bool sort_before(lua_State* lua, int a, int b) {
  a = lua_absindex(lua, a);
  b = lua_absindex(lua, b);
  Vm::of(lua).spend(2);
  if (lua_isnil(lua, 2)) return lua_compare(lua, a, b, LUA_OPLT) != 0;
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, a);
  lua_pushvalue(lua, b);
  lua_call(lua, 2, 1);
  const bool less = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  return less;
}

/// Merges runs [low, middle) and [middle, high) of the table at `from` into the one at `to`.
void merge(lua_State* lua, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer left = low, right = middle;
  for (lua_Integer out = low; out < high; ++out) {
    bool take_right = left == middle;
    if (left < middle && right < high) {
      lua_rawgeti(lua, from, left);
      lua_rawgeti(lua, from, right);
      take_right = sort_before(lua, -1, -2);
      lua_pop(lua, 2);
    }
    lua_rawgeti(lua, from, take_right ? right++ : left++);
    lua_rawseti(lua, to, out);
  }
}

int sort(lua_State* lua) {
  const lua_Integer size = length(lua, 1);
  lua_settop(lua, 2);
  if (!lua_isnil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
  if (size > 1'000'000) return luaL_error(lua, "bad argument: array too big");
  lua_createtable(lua, static_cast<int>(size), 0);  // 3: values are copied, so that comparing cannot disturb
  lua_createtable(lua, static_cast<int>(size), 0);  // 4
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(lua, 1, i);
    lua_rawseti(lua, 3, i);
  }
  int from = 3, to = 4;
  for (lua_Integer width = 1; width < size; width *= 2) {
    for (lua_Integer low = 1; low <= size; low += 2 * width)
      merge(lua, from, to, low, std::min(low + width, size + 1), std::min(low + 2 * width, size + 1));
    std::swap(from, to);
  }
  for (lua_Integer i = 1; i <= size; ++i) {
    lua_rawgeti(lua, from, i);
    lua_rawseti(lua, 1, i);
  }
  return 0;
}

}  // namespace

void open_tables(lua_State* lua) {
  constexpr std::array<luaL_Reg, 8> functions = {{{"insert", insert},
                                                  {"remove", remove},
                                                  {"concat", concat},
                                                  {"unpack", unpack},
                                                  {"pack", pack},
                                                  {"move", move},
                                                  {"sort", sort},
                                                  {nullptr, nullptr}}};
  lua_newtable(lua);
  luaL_setfuncs(lua, functions.data(), 0);
  lua_setglobal(lua, "table");
}

}  // namespace norn::sim

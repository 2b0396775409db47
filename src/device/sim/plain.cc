#include "device/sim/plain.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "device/sim/sandbox.h"
#include "device/sim/vm.h"

namespace norn::sim {
namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kLargest = std::size_t{8} << 20;

template <class T>
void put(Packed& out, char tag, const T& value) {
  out += tag;
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

bool is_plain(lua_State* lua, int index) {
  const int type = lua_type(lua, index);
  return type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE;
}

void pack_value(lua_State* lua, int index, Packed& out, int depth);

/// A packed key with its value: where in the text.
struct Entry {
  SortKey key;
  std::size_t begin = 0, end = 0;
};

void put_in_order(Packed& out, std::vector<Entry>& entries) {
  const std::size_t first = entries.front().begin;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  Packed ordered;
  ordered.reserve(out.size() - first);
  for (const Entry& e : entries) ordered.append(out, e.begin, e.end - e.begin);
  out.replace(first, Packed::npos, ordered);
}

void pack_table(lua_State* lua, int index, Packed& out, int depth) {
  luaL_checkstack(lua, 8, "plain data nested too deep");
  out += '{';
  std::vector<Entry> entries;
  bool sorted = true;
  lua_pushnil(lua);
  for (; lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    const SortKey key = ordered_key(lua, -2);
    if (!is_plain(lua, -1) || (lua_type(lua, -1) == LUA_TTABLE && depth >= kDeepest)) continue;
    const std::size_t begin = out.size();
    pack_value(lua, lua_absindex(lua, -2), out, depth);
    pack_value(lua, lua_absindex(lua, -1), out, depth + 1);
    sorted = sorted && (entries.empty() || entries.back().key < key);
    entries.push_back({key, begin, out.size()});
  }
  if (!sorted) {
    Vm::of(lua).spend(sorting_costs(entries.size()));
    put_in_order(out, entries);
  }
  out += '}';
}

void pack_value(lua_State* lua, int index, Packed& out, int depth) {
  Vm::of(lua).spend(1);
  if (out.size() > kLargest)
    throw_exception(lua, "android.os.TransactionTooLargeException", "data parcel too large");
  switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
      out += lua_toboolean(lua, index) ? 't' : 'f';
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(lua, index))
        put(out, 'i', lua_tointeger(lua, index));
      else
        put(out, 'd', lua_tonumber(lua, index));
      break;
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(lua, index, &size);
      put(out, 's', static_cast<std::uint32_t>(size));
      out.append(text, size);
      break;
    }
    case LUA_TTABLE:
      pack_table(lua, index, out, depth);
      break;
    default:
      out += 'n';
  }
}

template <class T>
T take(std::string_view& in) {
  T value;
  std::memcpy(&value, in.data(), sizeof value);
  in.remove_prefix(sizeof value);
  return value;
}

/// Pushes one value that is no table; false at the end of a table, and for its beginning (`open`).
bool push_scalar(lua_State* lua, std::string_view& in, bool& open) {
  const char tag = in.front();
  in.remove_prefix(1);
  open = tag == '{';
  switch (tag) {
    case 't':
    case 'f':
      lua_pushboolean(lua, tag == 't');
      return true;
    case 'i':
      lua_pushinteger(lua, take<lua_Integer>(in));
      return true;
    case 'd':
      lua_pushnumber(lua, take<lua_Number>(in));
      return true;
    case 's': {
      const auto size = take<std::uint32_t>(in);
      lua_pushlstring(lua, in.data(), size);
      in.remove_prefix(size);
      return true;
    }
    case 'n':
      lua_pushnil(lua);
      return true;
    default:
      return false;
  }
}

/// Fills the table at the top until its end; nested tables by the Lua stack, which bounds the depth.
void fill(lua_State* lua, std::string_view& in) {
  luaL_checkstack(lua, 3 * kDeepest + 8, "plain data nested too deep");
  for (int depth = 0; !in.empty();) {
    bool open = false;
    if (!push_scalar(lua, in, open)) {  // the end of the innermost table: a key never is a table
      if (depth-- == 0) return;
      lua_rawset(lua, -3);
      continue;
    }
    if (push_scalar(lua, in, open)) {
      lua_rawset(lua, -3);
    } else if (open) {
      lua_newtable(lua);
      ++depth;
    }
  }
}

}  // namespace

Packed pack(lua_State* lua, int index) {
  Packed out;
  pack_value(lua, lua_absindex(lua, index), out, 0);
  return out == "n" ? Packed{} : out;
}

void unpack(lua_State* lua, std::string_view packed) {
  bool open = false;
  if (packed.empty()) {
    lua_pushnil(lua);
  } else if (!push_scalar(lua, packed, open)) {
    lua_newtable(lua);
    fill(lua, packed);
  }
}

void unpack_into(lua_State* lua, int index, std::string_view packed) {
  index = lua_absindex(lua, index);
  lua_pushnil(lua);
  while (lua_next(lua, index) != 0) {
    lua_pop(lua, 1);
    lua_pushvalue(lua, -1);
    lua_pushnil(lua);
    lua_rawset(lua, index);
  }
  if (packed.empty() || packed.front() != '{') return;
  packed.remove_prefix(1);
  lua_pushvalue(lua, index);
  fill(lua, packed);
  lua_pop(lua, 1);
}

}  // namespace norn::sim

// The Lua that apps get: the language and the harmless part of its libraries, made repeatable (fixed order of
// pairs, stable sort, no addresses) and bounded (every loop in C is charged to the budget).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string_view>
#include <tuple>

namespace norn::sim {

/// Installs all of it as globals. REQUIRES: an empty stack and Vm::of(lua).
void open_sandbox(lua_State* lua);

// The parts, one file each.
void open_base(lua_State* lua);
void open_tables(lua_State* lua);
void open_strings(lua_State* lua);
/// Adds find, match, gmatch, gsub to the table at the top of the stack.
void add_pattern_functions(lua_State* lua);

/// A standard function (upvalue 1) that walks its arguments once: the texts among them are charged first.
int charged(lua_State* lua);

/// A table's key as C++ can compare it, in the fixed order: integers ascending, other numbers, strings by
/// bytes, booleans. Valid while the key is in its table.
struct SortKey {
  int rank = 4;             ///< 4: has no order
  lua_Integer integer = 0;  ///< rank 0, and false and true of rank 3
  lua_Number number = 0;    ///< rank 1
  std::string_view text;    ///< rank 2
  lua_Integer place = 0;    ///< not part of the order

  bool has_order() const { return rank < 4; }
  bool operator<(const SortKey& other) const {
    return std::tie(rank, integer, number, text) <
           std::tie(other.rank, other.integer, other.number, other.text);
  }
};
/// Raises an error for a key that has no order (a table, a function).
SortKey ordered_key(lua_State* lua, int index);
/// What sorting so many keys is charged.
inline std::int64_t sorting_costs(std::size_t keys) {
  return static_cast<std::int64_t>(keys) * static_cast<std::int64_t>(std::bit_width(keys));
}

/// Pushes the keys of the table at `index` as a list in that order.
void push_sorted_keys(lua_State* lua, int index);

/// Raises the typed exception {type, message}.
[[noreturn]] void throw_exception(lua_State* lua, const char* type, const char* message);

}  // namespace norn::sim

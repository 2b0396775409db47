// The Lua that apps get: the language and the harmless part of its libraries, made repeatable (fixed order of
// pairs, stable sort, no addresses) and bounded (every loop in C is charged to the budget).
#pragma once

#include <lua.hpp>

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

/// Pushes the keys of the table at `index` as a list in the fixed order: integers ascending, other numbers, strings
/// by bytes, booleans. Raises an error for other keys.
void push_sorted_keys(lua_State* lua, int index);

/// Raises the typed exception {type, message}.
[[noreturn]] void throw_exception(lua_State* lua, const char* type, const char* message);

}  // namespace norn::sim

// Plain Lua data (nil, booleans, numbers, texts, tables of those) as bytes outside the machine: what survives
// the process. Intents, saved state, storage and network bodies travel this way.
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>

namespace norn::sim {

using Packed = std::string;

/// Packs the value at `index`. Other values (functions) and tables nested too deep are dropped.
Packed pack(lua_State* lua, int index);
/// Pushes the value. Empty bytes are nil.
void unpack(lua_State* lua, std::string_view packed);
/// Replaces the content of the table at `index` (same identity) by the packed table's.
void unpack_into(lua_State* lua, int index, std::string_view packed);

}  // namespace norn::sim

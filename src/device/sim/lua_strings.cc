// string.* and utf8.*: the standard functions that only walk their arguments once, charged by length; rep and
// format with bounds; pattern functions of our own (lua_patterns.cc).
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>

#include "device/sim/sandbox.h"
#include "device/sim/vm.h"

namespace norn::sim {
namespace {

int rep(lua_State* lua) {
  std::size_t size = 0, between_size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  const lua_Integer n = luaL_checkinteger(lua, 2);
  const char* between = luaL_optlstring(lua, 3, "", &between_size);
  if (n <= 0 || size + between_size == 0) {
    lua_pushstring(lua, "");
    return 1;
  }
  if (static_cast<lua_Unsigned>(n) > Vm::kLongestString / (size + between_size))
    throw_exception(lua, "java.lang.OutOfMemoryError", "Failed to allocate the resulting string");
  std::string out;
  for (lua_Integer i = 0; i < n; ++i) {
    if (i > 0) out.append(between, between_size);
    out.append(text, size);
  }
  Vm::of(lua).spend(static_cast<std::int64_t>(out.size() / 16 + 1));
  lua_pushlstring(lua, out.data(), out.size());
  return 1;
}

/// One conversion: '%', flags, at most two digits of width, at most two of precision, the letter.
struct Conversion {
  std::string spec;  ///< without the letter
  char letter = 0;
};

Conversion read_conversion(lua_State* lua, const char*& at, const char* end) {
  Conversion c{"%", 0};
  const auto digits = [&] {
    for (int n = 0; n < 2 && at < end && std::isdigit(static_cast<unsigned char>(*at)); ++n) c.spec += *at++;
  };
  while (at < end && std::strchr("-+ #0", *at) != nullptr && *at != '\0' && c.spec.size() < 6)
    c.spec += *at++;
  digits();
  if (at < end && *at == '.') {
    c.spec += *at++;
    digits();
  }
  if (at == end) luaL_error(lua, "bad argument: invalid conversion '%s' to 'format'", c.spec.c_str());
  c.letter = *at++;
  return c;
}

template <class T>
void append_printf(std::string& out, const std::string& spec, T value) {
  std::array<char, 512> buffer;
  const int n = std::snprintf(buffer.data(), buffer.size(), spec.c_str(), value);
  out.append(buffer.data(), static_cast<std::size_t>(std::clamp(n, 0, 511)));
}

/// %s goes through tostring (with metamethods); long texts are not cut unless a precision says so.
void append_text(lua_State* lua, std::string& out, const Conversion& c, int argument) {
  lua_getglobal(lua, "tostring");
  if (!lua_isfunction(lua, -1)) luaL_error(lua, "tostring is gone");
  lua_pushvalue(lua, argument);
  lua_call(lua, 1, 1);
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, -1, &size);
  if (text == nullptr) luaL_error(lua, "bad argument #%d to 'format' (no text)", argument);
  if (c.spec == "%" || size >= 100)
    out.append(text, size);
  else
    append_printf(out, c.spec + "s", std::string(text, size).c_str());
  lua_pop(lua, 1);
}

void append_conversion(lua_State* lua, std::string& out, const Conversion& c, int argument) {
  switch (c.letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'x':
    case 'X':
      append_printf(out, c.spec + "ll" + c.letter, static_cast<long long>(luaL_checkinteger(lua, argument)));
      break;
    case 'c':
      out += static_cast<char>(luaL_checkinteger(lua, argument));
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      append_printf(out, c.spec + c.letter, luaL_checknumber(lua, argument));
      break;
    case 's':
      luaL_checkany(lua, argument);
      append_text(lua, out, c, argument);
      break;
    default:
      luaL_error(lua, "bad argument: invalid conversion '%s%c' to 'format'", c.spec.c_str(), c.letter);
  }
}

int format(lua_State* lua) {
  std::size_t size = 0;
  const char* at = luaL_checklstring(lua, 1, &size);
  const char* end = at + size;
  std::string out;
  int argument = 1;
  while (at < end) {
    if (*at != '%') {
      out += *at++;
      continue;
    }
    if (++at < end && *at == '%') {
      out += *at++;
      continue;
    }
    const Conversion c = read_conversion(lua, at, end);
    append_conversion(lua, out, c, ++argument);
    Vm::of(lua).spend(static_cast<std::int64_t>(1 + out.size() / 4096));
    if (out.size() > Vm::kLongestString)
      throw_exception(lua, "java.lang.OutOfMemoryError", "Failed to allocate the resulting string");
  }
  Vm::of(lua).spend(static_cast<std::int64_t>(out.size() / 16 + 1));
  lua_pushlstring(lua, out.data(), out.size());
  return 1;
}

/// Wraps each function of the table at the top that is in `names`; removes all others.
void keep_charged(lua_State* lua, std::initializer_list<const char*> names) {
  lua_newtable(lua);
  for (const char* name : names) {
    lua_getfield(lua, -2, name);
    lua_pushcclosure(lua, charged, 1);
    lua_setfield(lua, -2, name);
  }
  lua_remove(lua, -2);
}

}  // namespace

int charged(lua_State* lua) {
  std::size_t bytes = 0;
  for (int i = 1; i <= lua_gettop(lua); ++i)
    if (lua_type(lua, i) == LUA_TSTRING) bytes += lua_rawlen(lua, i);
  Vm::of(lua).spend(static_cast<std::int64_t>(bytes / 16 + 1));
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

void open_strings(lua_State* lua) {
  luaL_requiref(lua, "string", luaopen_string, 0);
  keep_charged(lua, {"byte", "char", "len", "lower", "upper", "sub", "reverse"});
  lua_pushcfunction(lua, rep);
  lua_setfield(lua, -2, "rep");
  lua_pushcfunction(lua, format);
  lua_setfield(lua, -2, "format");
  add_pattern_functions(lua);
  lua_pushvalue(lua, -1);
  lua_setglobal(lua, "string");
  lua_pushstring(lua, "");  // methods of texts: s:upper()
  lua_getmetatable(lua, -1);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_settop(lua, 0);

  luaL_requiref(lua, "utf8", luaopen_utf8, 0);
  lua_getfield(lua, -1, "charpattern");
  lua_getfield(lua, -2, "codes");
  lua_pushvalue(lua, -3);
  keep_charged(lua, {"char", "codepoint", "len", "offset"});
  lua_insert(lua, -3);  // utf8, new, charpattern, codes
  lua_setfield(lua, -3, "codes");
  lua_setfield(lua, -2, "charpattern");
  lua_setglobal(lua, "utf8");
  lua_settop(lua, 0);
}

}  // namespace norn::sim

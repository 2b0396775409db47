// Lua's patterns, matched by a machine of our own that counts its steps: backtracking in C never sees a hook,
// so a pattern such as ("a*"):rep(20).."b" would hang the standard one for ever. Same language: classes,
// sets, * + - ?, anchors, captures, position captures, %1, %b(), %f[set].
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "device/sim/sandbox.h"
#include "device/sim/vm.h"

namespace norn::sim {
namespace {

constexpr int kCaptures = 32;
constexpr int kDeepest = 180;  // nested choices; deeper is "pattern too complex", as in standard Lua
constexpr std::ptrdiff_t kOpen = -1, kPosition = -2;

bool in_class(unsigned char c, char letter) {
  bool yes = false;
  switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'a':
      yes = std::isalpha(c);
      break;
    case 'c':
      yes = std::iscntrl(c);
      break;
    case 'd':
      yes = std::isdigit(c);
      break;
    case 'g':
      yes = std::isgraph(c);
      break;
    case 'l':
      yes = std::islower(c);
      break;
    case 'p':
      yes = std::ispunct(c);
      break;
    case 's':
      yes = std::isspace(c);
      break;
    case 'u':
      yes = std::isupper(c);
      break;
    case 'w':
      yes = std::isalnum(c);
      break;
    case 'x':
      yes = std::isxdigit(c);
      break;
    default:
      return static_cast<unsigned char>(letter) == c;
  }
  return std::isupper(static_cast<unsigned char>(letter)) ? !yes : yes;
}

class Matcher {
 public:
  Matcher(lua_State* lua, std::string_view subject, std::string_view pattern)
      : lua_(lua), vm_(Vm::of(lua)), subject_(subject), pattern_(pattern) {}

  /// The end of a match that begins at `s`, or nothing.
  std::optional<std::size_t> match_at(std::size_t s, std::size_t p) {
    level_ = 0;
    depth_ = 0;
    return match(s, p);
  }

  /// Pushes capture i, or the whole match where there is none.
  void push(int i, std::size_t start, std::size_t end) {
    if (i >= level_) {
      if (i > 0) luaL_error(lua_, "invalid capture index %%%d", i + 1);
      lua_pushlstring(lua_, subject_.data() + start, end - start);
      return;
    }
    const Capture& c = capture_[static_cast<std::size_t>(i)];
    if (c.size == kPosition)
      lua_pushinteger(lua_, static_cast<lua_Integer>(c.start) + 1);
    else if (c.size == kOpen)
      luaL_error(lua_, "unfinished capture");
    else
      lua_pushlstring(lua_, subject_.data() + c.start, static_cast<std::size_t>(c.size));
  }
  int push_all(std::size_t start, std::size_t end, bool whole_if_none) {
    const int n = level_ == 0 && whole_if_none ? 1 : level_;
    luaL_checkstack(lua_, n, "too many captures");
    for (int i = 0; i < n; ++i) push(i, start, end);
    return n;
  }

 private:
  struct Capture {
    std::size_t start = 0;
    std::ptrdiff_t size = kOpen;
  };
  using End = std::optional<std::size_t>;

  unsigned char at(std::size_t s) const { return static_cast<unsigned char>(subject_[s]); }

  /// Where the single-character item at p ends.
  std::size_t item_end(std::size_t p) {
    const char c = pattern_[p++];
    if (c == '%') {
      if (p >= pattern_.size()) luaL_error(lua_, "malformed pattern (ends with '%%')");
      return p + 1;
    }
    if (c != '[') return p;
    if (p < pattern_.size() && pattern_[p] == '^') ++p;
    do {
      if (p >= pattern_.size()) luaL_error(lua_, "malformed pattern (missing ']')");
      if (pattern_[p++] == '%') ++p;
    } while (p >= pattern_.size() || pattern_[p] != ']');
    return p + 1;
  }

  /// Is c in the set that begins at p ('[') and ends before `end`?
  bool in_set(unsigned char c, std::size_t p, std::size_t end) const {
    bool in = true;
    const std::size_t last = end - 1;  // the ']'
    if (pattern_[++p] == '^') {
      in = false;
      ++p;
    }
    for (; p < last; ++p) {
      const auto low = static_cast<unsigned char>(pattern_[p]);
      if (low == '%' && p + 1 < last) {
        if (in_class(c, pattern_[++p])) return in;
      } else if (p + 2 < last && pattern_[p + 1] == '-') {
        if (low <= c && c <= static_cast<unsigned char>(pattern_[p + 2])) return in;
        p += 2;
      } else if (low == c) {
        return in;
      }
    }
    return !in;
  }

  bool one(std::size_t s, std::size_t p, std::size_t end) {
    vm_.spend(1);
    if (s >= subject_.size()) return false;
    switch (pattern_[p]) {
      case '.':
        return true;
      case '%':
        return in_class(at(s), pattern_[p + 1]);
      case '[':
        return in_set(at(s), p, end);
      default:
        return static_cast<unsigned char>(pattern_[p]) == at(s);
    }
  }

  End balanced(std::size_t s, std::size_t p) {
    if (p + 1 >= pattern_.size()) luaL_error(lua_, "malformed pattern (missing arguments to '%%b')");
    if (s >= subject_.size() || subject_[s] != pattern_[p]) return {};
    const char open = pattern_[p], close = pattern_[p + 1];
    int nesting = 1;
    while (++s < subject_.size()) {
      vm_.spend(1);
      if (subject_[s] == close) {
        if (--nesting == 0) return s + 1;
      } else if (subject_[s] == open) {
        ++nesting;
      }
    }
    return {};
  }

  End greedy(std::size_t s, std::size_t p, std::size_t end, std::size_t least) {
    std::size_t n = 0;
    while (one(s + n, p, end)) ++n;
    for (std::size_t i = n + 1; i-- > least;)
      if (End found = match(s + i, end + 1)) return found;
    return {};
  }

  End lazy(std::size_t s, std::size_t p, std::size_t end) {
    for (;; ++s) {
      if (End found = match(s, end + 1)) return found;
      if (!one(s, p, end)) return {};
    }
  }

  End open_capture(std::size_t s, std::size_t p, std::ptrdiff_t size) {
    if (level_ >= kCaptures) luaL_error(lua_, "too many captures");
    capture_[static_cast<std::size_t>(level_++)] = Capture{s, size};
    End found = match(s, p);
    if (!found) --level_;
    return found;
  }

  End close_capture(std::size_t s, std::size_t p) {
    int i = level_ - 1;
    while (i >= 0 && capture_[static_cast<std::size_t>(i)].size != kOpen) --i;
    if (i < 0) luaL_error(lua_, "invalid pattern capture");
    Capture& c = capture_[static_cast<std::size_t>(i)];
    c.size = static_cast<std::ptrdiff_t>(s - c.start);
    End found = match(s, p);
    if (!found) c.size = kOpen;
    return found;
  }

  /// After a back reference %1: what it captured, once more.
  End again(std::size_t s, char digit) {
    const int i = digit - '1';
    if (i < 0 || i >= level_ || capture_[static_cast<std::size_t>(i)].size < 0)
      luaL_error(lua_, "invalid capture index %%%c", digit);
    const Capture& c = capture_[static_cast<std::size_t>(i)];
    const auto size = static_cast<std::size_t>(c.size);
    vm_.spend(static_cast<std::int64_t>(size / 16 + 1));
    if (subject_.size() - s < size || subject_.compare(s, size, subject_, c.start, size) != 0) return {};
    return s + size;
  }

  bool frontier(std::size_t s, std::size_t p, std::size_t end) {
    const unsigned char before = s == 0 ? '\0' : at(s - 1);
    const unsigned char here = s < subject_.size() ? at(s) : '\0';
    return !in_set(before, p, end) && in_set(here, p, end);
  }

  End match(std::size_t s, std::size_t p) {
    if (++depth_ > kDeepest) luaL_error(lua_, "pattern too complex");
    End found = run(s, p);
    --depth_;
    return found;
  }

  /// Items that need no choice are taken in a loop; each choice is a nested match.
  End run(std::size_t s, std::size_t p) {
    while (p < pattern_.size()) {
      vm_.spend(1);
      const char c = pattern_[p];
      if (c == '(') {
        const bool position = p + 1 < pattern_.size() && pattern_[p + 1] == ')';
        return open_capture(s, position ? p + 2 : p + 1, position ? kPosition : kOpen);
      }
      if (c == ')') return close_capture(s, p + 1);
      if (c == '$' && p + 1 == pattern_.size()) return s == subject_.size() ? End(s) : End();
      if (c == '%' && p + 1 < pattern_.size()) {
        const char kind = pattern_[p + 1];
        if (kind == 'b' || std::isdigit(static_cast<unsigned char>(kind))) {
          End after = kind == 'b' ? balanced(s, p + 2) : again(s, kind);
          if (!after) return {};
          s = *after;
          p += kind == 'b' ? 4 : 2;
          continue;
        }
        if (kind == 'f') {
          p += 2;
          if (p >= pattern_.size() || pattern_[p] != '[')
            luaL_error(lua_, "missing '[' after '%%f' in pattern");
          const std::size_t end = item_end(p);
          if (!frontier(s, p, end)) return {};
          p = end;
          continue;
        }
      }
      const std::size_t end = item_end(p);
      const char suffix = end < pattern_.size() ? pattern_[end] : '\0';
      if (suffix == '*') return greedy(s, p, end, 0);
      if (suffix == '+') return greedy(s, p, end, 1);
      if (suffix == '-') return lazy(s, p, end);
      if (suffix == '?') {
        if (one(s, p, end))
          if (End found = match(s + 1, end + 1)) return found;
        p = end + 1;
        continue;
      }
      if (!one(s, p, end)) return {};
      ++s;
      p = end;
    }
    return s;
  }

  lua_State* lua_;
  Vm& vm_;
  std::string_view subject_, pattern_;
  std::array<Capture, kCaptures> capture_;
  int level_ = 0, depth_ = 0;
};

std::string_view text_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  return {text, size};
}

/// The optional start argument as a position from 0; nothing if it lies beyond the end.
std::optional<std::size_t> start_at(lua_State* lua, int index, std::size_t size) {
  lua_Integer init = luaL_optinteger(lua, index, 1);
  const auto length = static_cast<lua_Integer>(size);
  if (init < 0) init = std::max<lua_Integer>(init + length, 0) + 1;
  if (init == 0) init = 1;
  if (init > length + 1) return {};
  return static_cast<std::size_t>(init - 1);
}

int plain_find(lua_State* lua, std::string_view subject, std::string_view what, std::size_t from) {
  Vm::of(lua).spend(static_cast<std::int64_t>((subject.size() - from) * (what.size() / 64 + 1) / 16 + 1));
  const std::size_t found = subject.find(what, from);
  if (found == std::string_view::npos) {
    lua_pushnil(lua);
    return 1;
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(found) + 1);
  lua_pushinteger(lua, static_cast<lua_Integer>(found + what.size()));
  return 2;
}

int search(lua_State* lua, bool positions) {
  const std::string_view subject = text_at(lua, 1), pattern = text_at(lua, 2);
  const auto start = start_at(lua, 3, subject.size());
  if (!start) {
    lua_pushnil(lua);
    return 1;
  }
  if (positions && (lua_toboolean(lua, 4) || pattern.find_first_of("^$*+?.([%-") == std::string_view::npos))
    return plain_find(lua, subject, pattern, *start);
  Matcher matcher(lua, subject, pattern);
  const bool anchored = pattern.starts_with('^');
  for (std::size_t s = *start; s <= subject.size(); ++s) {
    if (const auto end = matcher.match_at(s, anchored ? 1 : 0)) {
      if (!positions) return matcher.push_all(s, *end, true);
      lua_pushinteger(lua, static_cast<lua_Integer>(s) + 1);
      lua_pushinteger(lua, static_cast<lua_Integer>(*end));
      return 2 + matcher.push_all(s, *end, false);
    }
    if (anchored) break;
  }
  lua_pushnil(lua);
  return 1;
}

int find(lua_State* lua) { return search(lua, true); }
int match(lua_State* lua) { return search(lua, false); }

/// Upvalues: subject, pattern, where to go on, end of the last match (or -1).
int gmatch_step(lua_State* lua) {
  const std::string_view subject = text_at(lua, lua_upvalueindex(1)),
                         pattern = text_at(lua, lua_upvalueindex(2));
  Matcher matcher(lua, subject, pattern);
  const lua_Integer last = lua_tointeger(lua, lua_upvalueindex(4));
  for (auto s = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(3))); s <= subject.size(); ++s) {
    const auto end = matcher.match_at(s, 0);
    if (!end || static_cast<lua_Integer>(*end) == last) continue;
    lua_pushinteger(lua, static_cast<lua_Integer>(*end));
    lua_pushvalue(lua, -1);
    lua_replace(lua, lua_upvalueindex(3));
    lua_replace(lua, lua_upvalueindex(4));
    return matcher.push_all(s, *end, true);
  }
  return 0;
}

int gmatch(lua_State* lua) {
  const std::string_view subject = text_at(lua, 1);
  text_at(lua, 2);
  const auto start = start_at(lua, 3, subject.size());
  lua_settop(lua, 2);
  lua_pushinteger(lua, static_cast<lua_Integer>(start.value_or(subject.size() + 1)));
  lua_pushinteger(lua, -1);
  lua_pushcclosure(lua, gmatch_step, 4);
  return 1;
}

/// Appends a replacement text in which %0..%9 stand for captures.
void expand(lua_State* lua, Matcher& matcher, std::string& out, std::size_t start, std::size_t end) {
  const std::string_view repl = text_at(lua, 3);
  for (std::size_t i = 0; i < repl.size(); ++i) {
    if (repl[i] != '%') {
      out += repl[i];
      continue;
    }
    if (++i == repl.size() || (!std::isdigit(static_cast<unsigned char>(repl[i])) && repl[i] != '%'))
      luaL_error(lua, "invalid use of '%%' in replacement string");
    if (repl[i] == '%') {
      out += '%';
      continue;
    }
    if (repl[i] == '0')
      lua_pushlstring(lua, text_at(lua, 1).data() + start, end - start);
    else
      matcher.push(repl[i] - '1', start, end);
    luaL_tolstring(lua, -1, nullptr);
    out += text_at(lua, -1);
    lua_pop(lua, 2);
  }
}

void replace_one(lua_State* lua, Matcher& matcher, std::string& out, std::size_t start, std::size_t end) {
  switch (lua_type(lua, 3)) {
    case LUA_TFUNCTION:
      lua_pushvalue(lua, 3);
      lua_call(lua, matcher.push_all(start, end, true), 1);
      break;
    case LUA_TTABLE:
      matcher.push(0, start, end);
      lua_gettable(lua, 3);
      break;
    default:
      return expand(lua, matcher, out, start, end);
  }
  if (!lua_toboolean(lua, -1))
    out += text_at(lua, 1).substr(start, end - start);
  else if (lua_isstring(lua, -1))
    out += text_at(lua, -1);
  else
    luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
  lua_pop(lua, 1);
}

int gsub(lua_State* lua) {
  const std::string_view subject = text_at(lua, 1), pattern = text_at(lua, 2);
  const int type = lua_type(lua, 3);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE)
    return luaL_typeerror(lua, 3, "string/function/table");
  const lua_Integer most = luaL_optinteger(lua, 4, static_cast<lua_Integer>(subject.size()) + 1);
  const bool anchored = pattern.starts_with('^');
  Matcher matcher(lua, subject, pattern);
  std::string out;
  lua_Integer count = 0;
  std::size_t s = 0;
  std::optional<std::size_t> last;
  while (count < most) {
    const auto end = matcher.match_at(s, anchored ? 1 : 0);
    if (end && end != last) {
      ++count;
      replace_one(lua, matcher, out, s, *end);
      s = *end;
      last = end;
    } else if (s < subject.size()) {
      out += subject[s++];
    } else {
      break;
    }
    if (out.size() > Vm::kLongestString)
      throw_exception(lua, "java.lang.OutOfMemoryError", "Failed to allocate the resulting string");
    if (anchored || s > subject.size()) break;
  }
  if (s < subject.size()) out += subject.substr(s);
  lua_pushlstring(lua, out.data(), out.size());
  lua_pushinteger(lua, count);
  return 2;
}

}  // namespace

void add_pattern_functions(lua_State* lua) {
  constexpr std::array<luaL_Reg, 5> functions = {
      {{"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {nullptr, nullptr}}};
  luaL_setfuncs(lua, functions.data(), 0);
}

}  // namespace norn::sim

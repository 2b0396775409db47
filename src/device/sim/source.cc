// Lua 5.4's binary chunk, as far as line tables need it:
//   header: 4 signature, 1 version, 1 format, 6 data, 3 sizes, 8 integer, 8 number, 1 upvalue count
//   function: source, first line, last line, 3 bytes, code, constants, upvalues (3 bytes each), functions, then
//   debug: line deltas (1 byte each; -128: look into the absolute table), absolute (pc, line), locals, names
// Sizes are 7 bits a byte, most significant first, the last byte marked by its top bit.
#include "device/sim/source.h"

#include <algorithm>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"

namespace norn::sim {
namespace {

class ChunkReader {
 public:
  explicit ChunkReader(std::string_view bytes) : bytes_(bytes) {}

  void skip(std::size_t n) { at_ += n; }
  int byte() { return at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_++]) : 0x80; }
  std::size_t size() {
    std::size_t value = 0;
    for (;;) {
      const int b = byte();
      value = (value << 7) | static_cast<std::size_t>(b & 0x7f);
      if (b & 0x80) return value;
    }
  }
  std::int32_t number() { return static_cast<std::int32_t>(size()); }
  void string() {
    if (const std::size_t n = size(); n > 0) skip(n - 1);
  }
  void constants() {
    for (std::size_t n = size(); n > 0; --n) {
      switch (byte()) {
        case LUA_TNUMBER | (1 << 4):
        case LUA_TNUMBER:
          skip(8);
          break;
        case LUA_TSTRING:
        case LUA_TSTRING | (1 << 4):
          string();
          break;
        default:
          break;  // nil and booleans have no payload
      }
    }
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Proto {
  std::int32_t first = 0, last = 0;
  int parent = -1;
  bool vararg = false;
};

/// Walks all functions of a chunk without recursion: a function's debug part comes after its inner functions.
class Protos {
 public:
  explicit Protos(std::string_view chunk) : in_(chunk) {
    in_.skip(4 + 1 + 1 + 6 + 3 + 8 + 8 + 1);
    enter(-1);
    while (!open_.empty()) {
      if (open_.back().second > 0) {
        --open_.back().second;
        enter(open_.back().first);
      } else {
        leave(open_.back().first);
        open_.pop_back();
      }
    }
  }

  std::vector<Proto> protos;
  std::set<std::int32_t> lines;

 private:
  void enter(int parent) {
    Proto p;
    p.parent = parent;
    in_.string();
    p.first = in_.number();
    p.last = in_.number();
    in_.byte();
    p.vararg = in_.byte() != 0;
    in_.byte();
    in_.skip(in_.size() * 4);
    in_.constants();
    in_.skip(in_.size() * 3);
    protos.push_back(p);
    open_.emplace_back(static_cast<int>(protos.size()) - 1, in_.size());
  }

  void leave(int index) {
    const Proto& p = protos[static_cast<std::size_t>(index)];
    std::vector<signed char> deltas(in_.size());
    for (signed char& d : deltas) d = static_cast<signed char>(in_.byte());
    std::vector<std::pair<std::int32_t, std::int32_t>> absolute(in_.size());
    for (auto& [pc, line] : absolute) {
      pc = in_.number();
      line = in_.number();
    }
    for (std::size_t n = in_.size(); n > 0; --n) {
      in_.string();
      in_.size();
      in_.size();
    }
    for (std::size_t n = in_.size(); n > 0; --n) in_.string();
    collect(p, deltas, absolute);
  }

  void collect(const Proto& p, const std::vector<signed char>& deltas,
               const std::vector<std::pair<std::int32_t, std::int32_t>>& absolute) {
    std::int32_t line = p.first;
    std::size_t next = 0;
    for (std::size_t pc = 0; pc < deltas.size(); ++pc) {
      if (deltas[pc] == -128)
        line = next < absolute.size() ? absolute[next++].second : line;
      else
        line += deltas[pc];
      if (p.parent >= 0 && (pc > 0 || !p.vararg)) lines.insert(line);
    }
  }

  ChunkReader in_;
  std::vector<std::pair<int, std::size_t>> open_;  ///< function, inner ones still to come
};

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == ':';
}

/// What the line that begins a function calls it: `function a.b(`, `b = function(`; empty if it does not.
std::string name_in_line(std::string_view line) {
  const std::size_t at = line.find("function");
  if (at == std::string_view::npos) return {};
  std::string_view after = trim(line.substr(at + 8));
  std::size_t n = 0;
  while (n < after.size() && is_name(after[n])) ++n;
  if (n > 0) return std::string(after.substr(0, n));
  std::string_view before = trim(line.substr(0, at));
  if (!before.ends_with('=')) return {};
  before = trim(before.substr(0, before.size() - 1));
  std::size_t begin = before.size();
  while (begin > 0 && is_name(before[begin - 1])) --begin;
  return std::string(before.substr(begin));
}

/// The activity whose declaration a top-level function lies in: the last `activity "Name"` before it.
std::string activity_in_line(std::string_view line) {
  std::string_view t = trim(line);
  if (!t.starts_with("activity")) return {};
  const std::size_t open = t.find_first_of("\"'");
  if (open == std::string_view::npos) return {};
  const std::size_t close = t.find(t[open], open + 1);
  return close == std::string_view::npos ? std::string{} : std::string(t.substr(open + 1, close - open - 1));
}

std::vector<Function> name_functions(const std::vector<Proto>& protos, std::string_view text) {
  const std::vector<std::string_view> all = lines(text);
  std::vector<std::string> owner(all.size() + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string name = activity_in_line(all[i]);
    if (name.empty() && i > 0 && !all[i - 1].starts_with("}")) name = owner[i];
    owner[i + 1] = std::move(name);
  }
  std::vector<Function> out;
  for (const Proto& p : protos) {
    const auto line = static_cast<std::size_t>(p.first);
    std::string name = line >= 1 && line <= all.size() ? name_in_line(all[line - 1]) : "<main>";
    if (name.empty()) name = "lambda";
    if (p.parent == 0 && line < owner.size() && !owner[line].empty()) name = owner[line] + "." + name;
    if (p.parent > 0) name = out[static_cast<std::size_t>(p.parent)].name + "." + name;
    out.push_back(Function{shorten(name, 120), p.first, p.last});
  }
  return out;
}

int append_chunk(lua_State*, const void* bytes, std::size_t size, void* out) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return 0;
}

}  // namespace

const Function* Source::function_at(std::int32_t first, std::int32_t last) const {
  auto f = std::ranges::lower_bound(functions, first, {}, &Function::first);
  while (f != functions.end() && f->first == first && f->last != last) ++f;
  return f != functions.end() && f->first == first ? &*f : nullptr;
}

/// Functions that begin and end on the same lines cannot be told apart and count as one.
Coverable Source::coverable() const {
  Coverable out{.lines = lines.size(), .first_function = static_cast<std::uint32_t>(last_line()) + 1};
  for (const Function& f : functions) out.functions += f.first > 0 && function_at(f.first, f.last) == &f;
  return out;
}

Result<Source> read_source(std::string file, std::string text) {
  std::unique_ptr<lua_State, void (*)(lua_State*)> lua(luaL_newstate(), lua_close);
  if (!lua) return fail(Error::Kind::io, "there is no memory to compile the app", file);
  if (luaL_loadbufferx(lua.get(), text.data(), text.size(), ("@" + file).c_str(), "t") != LUA_OK) {
    const char* why = lua_tostring(lua.get(), -1);
    return fail(Error::Kind::bad_input, "the app is no Lua program: " + printable(why ? why : "?"), file);
  }
  std::string chunk;
  lua_dump(lua.get(), append_chunk, &chunk, 0);
  Protos protos(chunk);
  Source source;
  source.lines.assign(protos.lines.begin(), protos.lines.end());
  source.functions = name_functions(protos.protos, text);
  source.file = std::move(file);
  source.text = std::move(text);
  return source;
}

}  // namespace norn::sim

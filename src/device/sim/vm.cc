#include "device/sim/vm.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#include "base/patience.h"
#include "base/text.h"
#include "device/sim/hash_seed.h"

namespace norn::sim {
namespace {

constexpr int kCountStep = 1000;
constexpr int kDeepest = 64;  // frames kept of a stack
constexpr int kFew = 100;     // functions whose values need no wide stack

double seconds_on(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Without "notes.lua:12: ".
std::string_view without_place(std::string_view message, std::string_view file) {
  if (!message.starts_with(file)) return message;
  std::string_view rest = message.substr(file.size());
  if (!rest.starts_with(':')) return message;
  const std::size_t end = rest.find(": ");
  return end == std::string_view::npos ? message : rest.substr(end + 2);
}

std::string field(lua_State* lua, int table, const char* name) {
  lua_pushstring(lua, name);
  lua_rawget(lua, table);
  std::string out = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
  lua_pop(lua, 1);
  return out;
}

}  // namespace

std::string exception_type(std::string_view m) {
  if (has(m, "by zero") || has(m, "n//0") || has(m, "n%%0") || has(m, "n%0") ||
      has(m, "integer representation"))
    return "java.lang.ArithmeticException";
  if (has(m, "stack overflow")) return "java.lang.StackOverflowError";
  if (has(m, "not enough memory")) return "java.lang.OutOfMemoryError";
  if (has(m, "bad argument")) return "java.lang.IllegalArgumentException";
  if (!has(m, "attempt to")) return "java.lang.RuntimeException";
  if (has(m, "nil")) return "java.lang.NullPointerException";
  if (has(m, "arithmetic on a string") || (has(m, " with a '") && has(m, "string")))
    return "java.lang.NumberFormatException";
  return "java.lang.ClassCastException";
}

std::pair<std::string, std::string> describe_error(lua_State* lua, std::string_view file) {
  if (lua_type(lua, -1) == LUA_TTABLE) {
    const int top = lua_gettop(lua);
    std::string type = field(lua, top, "type"), message = field(lua, top, "message");
    return {type.empty() ? "java.lang.RuntimeException" : shorten(to_utf8(type), 200),
            shorten(to_utf8(message), 500)};
  }
  if (lua_type(lua, -1) != LUA_TSTRING && lua_type(lua, -1) != LUA_TNUMBER)
    return {"java.lang.RuntimeException", luaL_typename(lua, -1)};
  lua_pushvalue(lua, -1);  // lua_tolstring changes a number in place
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, -1, &size);
  const std::string message = to_utf8(std::string_view(text, std::min<std::size_t>(size, 2000)));
  lua_pop(lua, 1);
  const std::string_view plain = without_place(message, file);
  return {exception_type(plain), shorten(plain.substr(0, plain.find("\nstack traceback")), 500)};
}

Vm::Vm(const Source& source, Runtime& runtime)
    : source_(source),
      runtime_(runtime),
      arena_(kMemory, 4 * kMemory),
      hit_((static_cast<std::size_t>(source.last_line()) + source.functions.size()) / 64 + 1) {
  if (!arena_.ok()) return;
  lua_ = lua_newstate(allocate, this);
  if (lua_ == nullptr) return;
  *static_cast<Vm**>(lua_getextraspace(lua_)) = this;
  lua_atpanic(lua_, [](lua_State*) -> int { throw Panic{}; });
  lua_gc(lua_, LUA_GCINC, 150, 200, 13);
  lua_sethook(lua_, hook, LUA_MASKLINE | LUA_MASKCALL | LUA_MASKCOUNT, kCountStep);
  begin_action();  // reading the app is one
}

Vm::~Vm() = default;  // the arena goes as a whole: nothing in it owns anything outside

void* Vm::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  Vm& vm = *static_cast<Vm*>(self);
  if (new_size == 0) {
    vm.follow_stack(block);
    vm.arena_.release(block, old_size);
    return nullptr;
  }
  if (block == nullptr && old_size == LUA_TSTRING && new_size > kLongestString) {
    vm.note_failure();
    return nullptr;
  }
  if (vm.lua_ == nullptr) vm.fix_hash_seed();
  if (vm.too_wide(block, old_size, new_size)) {
    vm.note_failure();
    return nullptr;
  }
  if (new_size >= 256) vm.budget_ -= static_cast<std::int64_t>(new_size / 64);
  void* fresh = block == nullptr ? vm.arena_.allocate(new_size) : vm.arena_.resize(block, old_size, new_size);
  if (fresh == nullptr) vm.note_failure();
  vm.last_ = {fresh, new_size};
  if (vm.newborn_ == nullptr)
    vm.newborn_ = static_cast<std::byte*>(fresh);
  else if (vm.arena_.marked().block == nullptr)
    vm.arena_.mark(vm.last_);  // the second block of all is the stack
  return fresh;
}

/// Lua moves its stack by taking a new block, copying, and giving the old one back.
void Vm::follow_stack(const void* released) {
  if (released != nullptr && released == arena_.marked().block) arena_.mark(last_);
}

/// A table that is its own __call makes Lua push it again and again, each time moving all that was pushed,
/// without an instruction at which a hook could end it. But the stack is doubled while few functions run.
bool Vm::too_wide(const void* block, std::size_t old_size, std::size_t new_size) const {
  constexpr std::size_t spare = 5 * 16;  // bytes of a stack beyond its size
  if (new_size <= kWidestStack || block != nullptr || old_size != 0) return false;
  if (new_size != 2 * arena_.marked().size - spare) return false;
  lua_Debug at;
  return lua_getstack(lua_, kFew, &at) == 0;
}

/// Called when a state that is being made asks for its second block, and for later ones: see hash_seed.h.
void Vm::fix_hash_seed() {
  constexpr std::uint32_t seed = 0x6e6f726e;
  if (const auto place = hash_seed_place(); place && newborn_ != nullptr)
    std::memcpy(newborn_ + *place, &seed, sizeof seed);
}

/// An error for want of memory asks no handler, so the stack is looked at here. A very deep one *is* the want.
void Vm::note_failure() {
  if (lua_ == nullptr) return;
  lua_Debug at;
  too_deep_ = lua_getstack(lua_, 50'000, &at) != 0;
  frames_ = stack();
}

void Vm::hook(lua_State* lua, lua_Debug* at) {
  Vm& vm = of(lua);
  if (at->event == LUA_HOOKCOUNT) {
    vm.budget_ -= kCountStep;
    vm.watch_clock();
  } else if (at->event == LUA_HOOKLINE) {
    vm.note_hit(static_cast<std::size_t>(at->currentline));
  } else if (lua_getinfo(lua, "S", at); at->linedefined > 0) {
    if (const Function* entered = vm.source_.function_at(at->linedefined, at->lastlinedefined))
      vm.note_hit(vm.source_.coverage_id(*entered));
  }
  if (vm.budget_ < 0 || vm.doomed()) vm.out_of_time();
}

void Vm::begin_action() {
  allowance_ = kAllowance;
  stuck_ = false;
  begun_ = seconds_on(CLOCK_MONOTONIC);
  begun_computing_ = seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

/// Computing time decides: a busy machine is no reason to give up.
void Vm::watch_clock() {
  if (seconds_on(CLOCK_MONOTONIC) - begun_ < kPatience * patience) return;
  if (seconds_on(CLOCK_THREAD_CPUTIME_ID) - begun_computing_ < kPatience * patience) return;
  stuck_ = true;
  budget_ = -1;
}

void Vm::out_of_time() {
  if (doom_ == Doom::none) {
    doom_ = Doom::too_long;
    doom_frames_ = stack();
  }
  lua_pushstring(lua_, doom_ == Doom::no_memory ? "not enough memory" : "not responding");
  lua_error(lua_);
  std::unreachable();
}

void Vm::add_busy(std::int64_t ms) {
  busy_ms_ += std::clamp<std::int64_t>(ms, 0, 1'000'000);
  if (busy_ms_ > 5000) {
    budget_ = -1;
    out_of_time();
  }
}

std::vector<Frame> Vm::stack() const {
  std::vector<Frame> frames;
  lua_Debug at;
  for (int level = 0; static_cast<int>(frames.size()) < kDeepest && lua_getstack(lua_, level, &at); ++level) {
    lua_getinfo(lua_, "Sl", &at);
    if (at.currentline < 0) continue;  // a function in C: the runtime's own
    const Function* function =
        source_.function_at(at.linedefined, at.linedefined == 0 ? 0 : at.lastlinedefined);
    frames.push_back(Frame{function ? function->name : "?", source_.file, at.currentline});
  }
  return frames;
}

int Vm::on_error(lua_State* lua) {
  Vm& vm = of(lua);
  vm.frames_ = vm.stack();
  return 1;
}

Failure Vm::failure_at_top(int status) {
  if (status == LUA_ERRMEM && doom_ == Doom::none) doom_ = Doom::no_memory;
  Failure failure;
  failure.doom = doom_;
  failure.frames = doom_ == Doom::too_long ? doom_frames_ : frames_;
  if (doom_ == Doom::too_long) {
    failure.type = "ANR";
    failure.message = "Input dispatching timed out";
  } else if (doom_ == Doom::no_memory) {
    failure.type = too_deep_ ? "java.lang.StackOverflowError" : "java.lang.OutOfMemoryError";
    failure.message = too_deep_ ? "stack overflow" : "Failed to allocate";
  } else {
    std::tie(failure.type, failure.message) = describe_error(lua_, source_.file);
  }
  return failure;
}

std::optional<Failure> Vm::load() {
  const std::string chunk = "@" + source_.file;
  const int status = luaL_loadbufferx(lua_, source_.text.data(), source_.text.size(), chunk.c_str(), "t");
  if (status == LUA_OK) return std::nullopt;
  Failure failure = failure_at_top(status);
  lua_settop(lua_, 0);
  return failure;
}

std::optional<Failure> Vm::call(int arguments, int results) {
  const int function = lua_gettop(lua_) - arguments;
  const std::int64_t granted = std::min(kBudget, std::max<std::int64_t>(allowance_, 0));
  if (depth_ == 0) {
    budget_ = granted;
    busy_ms_ = 0;
    doom_ = Doom::none;
    doom_frames_.clear();
  }
  frames_.clear();
  lua_pushcfunction(lua_, on_error);
  lua_insert(lua_, function);
  ++depth_;
  const int status = lua_pcall(lua_, arguments, results, function);
  --depth_;
  if (depth_ == 0) {
    allowance_ -= granted - budget_;
    budget_ = kBudget;  // the runtime's own work on the machine is charged too, but afresh
  }
  lua_remove(lua_, function);
  if (status == LUA_OK && doom_ == Doom::none) return std::nullopt;
  Failure failure = failure_at_top(status);
  lua_settop(lua_, function - 1);
  return failure;
}

Coverage Vm::take_coverage() {
  std::vector<std::uint32_t> ids;
  for (std::size_t word = 0; word < hit_.size(); ++word)
    for (std::uint64_t bits = std::exchange(hit_[word], 0); bits != 0; bits &= bits - 1)
      ids.push_back(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
  return Coverage(ids);
}

}  // namespace norn::sim

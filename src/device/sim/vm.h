// The Lua machine of one app: its memory, its limits, its coverage, and the stack of its last error.
//
// Limits that no pcall can swallow work by *doom*: once the time or the memory is spent, a flag says so; the
// sandbox's own pcall and xpcall raise again while it is set, and so does the hook at the next line of Lua.
// Time is a budget of instructions; library functions and allocations are charged to it as well, because a
// loop of few instructions over huge values takes just as long. What cannot be charged (Lua comparing or
// converting huge texts, copying thousands of arguments) is caught by the clock of the real world, far above
// anything else: then the machine is *stuck*, which is the simulator's failure and no answer about the app.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/sim/arena.h"
#include "device/sim/source.h"
#include "trace/coverage.h"
#include "trace/crash.h"

namespace norn::sim {

class Runtime;

enum class Doom : std::uint8_t { none, too_long, no_memory };

/// Why a call into the app failed.
struct Failure {
  Doom doom = Doom::none;
  std::string type, message;
  std::vector<Frame> frames;  ///< innermost first
};

/// Thrown where the machine has no memory left outside of any call into the app; Runtime's borders catch it.
struct Panic {};

class Vm {
 public:
  static constexpr std::size_t kMemory = std::size_t{64} << 20;
  static constexpr std::int64_t kBudget = 5'000'000;        ///< instructions of one call from outside
  static constexpr std::int64_t kAllowance = 10 * kBudget;  ///< of all calls one action leads to
  static constexpr double kPatience = 10;  ///< seconds of real computing that one action may take
  static constexpr std::size_t kWidestStack = std::size_t{1} << 20;  ///< bytes for few functions
  static constexpr std::size_t kLongestString = std::size_t{256} << 10;

  Vm(const Source& source, Runtime& runtime);
  ~Vm();
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  lua_State* lua() const { return lua_; }
  Runtime& runtime() const { return runtime_; }
  static Vm& of(lua_State* lua) { return **static_cast<Vm**>(lua_getextraspace(lua)); }

  /// Loads the source and leaves its main function on the stack.
  std::optional<Failure> load();
  /// lua_pcall with fresh limits (nested calls share the outer one's) and a recorded stack.
  std::optional<Failure> call(int arguments, int results);

  /// Something is done to the device: the timers, views and handlers it leads to share one allowance, so that
  /// thousands of calls, each just short of its limit, end as one that is too long.
  void begin_action();
  /// The last action took longer than anybody waits; whatever was seen since is no answer.
  bool stuck() const { return stuck_; }

  /// Charges work done in C. Raises a Lua error when the budget is spent.
  void spend(std::int64_t units) {
    budget_ -= units;
    if (budget_ < 0) out_of_time();
  }
  bool doomed() const { return doom_ != Doom::none; }
  void set_doom(Doom doom) { doom_ = doom; }
  /// Simulated work of the main thread.
  void add_busy(std::int64_t ms);

  Image save() const { return arena_.save(); }
  void restore(const Image& image) { arena_.restore(image); }
  std::size_t used() const { return arena_.used(); }

  /// Lines and functions hit since the last call, as coverage ids.
  Coverage take_coverage();

 private:
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  void fix_hash_seed();
  bool too_wide(const void* block, std::size_t old_size, std::size_t new_size) const;
  void follow_stack(const void* released);
  void watch_clock();
  void note_hit(std::size_t id) {
    if (id / 64 < hit_.size()) hit_[id / 64] |= std::uint64_t{1} << (id % 64);
  }
  static void hook(lua_State* lua, lua_Debug* at);
  static int on_error(lua_State* lua);
  [[noreturn]] void out_of_time();
  void note_failure();
  std::vector<Frame> stack() const;
  Failure failure_at_top(int status);

  const Source& source_;
  Runtime& runtime_;
  Arena arena_;
  lua_State* lua_ = nullptr;
  std::byte* newborn_ = nullptr;  ///< the first block, while the machine is being made
  Arena::Marked last_{};          ///< the last block given out
  std::int64_t budget_ = kBudget, allowance_ = kAllowance;
  std::int64_t busy_ms_ = 0;
  int depth_ = 0;
  Doom doom_ = Doom::none;
  double begun_ = 0;  ///< real time and computing time when the action began
  double begun_computing_ = 0;
  bool stuck_ = false;
  bool too_deep_ = false;  ///< when memory last failed
  std::vector<Frame> frames_, doom_frames_;
  std::vector<std::uint64_t> hit_;  ///< a bit per coverage id
};

/// "notes.lua:12: attempt to index a nil value (field 'x')" -> what Android would have called it.
std::string exception_type(std::string_view message);

/// The error value at the top of the stack as type and message; pops nothing, calls nothing.
std::pair<std::string, std::string> describe_error(lua_State* lua, std::string_view file);

}  // namespace norn::sim

// Time. The app's clock moves only here: due timers and network replies run in the order of their times, each
// followed by what it moved on the stack; the window is built anew once at the end (and before, only if
// somebody looks).
#include <algorithm>

#include "device/sim/runtime.h"

namespace norn::sim {
namespace {

constexpr std::int64_t kStep = 500;       // what a settled event takes
constexpr std::int64_t kPatience = 5000;  // how long an endless animation is waited for
constexpr std::int64_t kAnimation = 300;  // a timer that repeats faster than this moves the screen

}  // namespace

std::int64_t Runtime::jittered(std::int64_t ms) {
  ms = std::clamp<std::int64_t>(ms, 0, std::int64_t{1} << 40);
  if (!options_.random_timing) return ms;
  return static_cast<std::int64_t>(static_cast<double>(ms) * (0.5 + world_.rng.unit()));
}

std::uint32_t Runtime::add_timer(Token owner, std::int64_t ms, std::int64_t period, int ref) {
  Timer t;
  t.id = world_.next_id++;
  t.due = world_.clock + std::max<std::int64_t>(jittered(ms), 1);
  t.period = period;
  t.owner = owner;
  t.ref = ref;
  world_.timers.push_back(std::move(t));
  return world_.timers.back().id;
}

/// Runs the first timer due until then; false if there is none (or the process died).
bool Runtime::run_due_timer(std::int64_t until) {
  if (!world_.alive || world_.timers.empty()) return false;
  const auto next = std::min_element(
      world_.timers.begin(), world_.timers.end(),
      [](const Timer& a, const Timer& b) { return a.due != b.due ? a.due < b.due : a.id < b.id; });
  if (next->due > until) return false;
  world_.clock = std::max(world_.clock, next->due);
  Timer t = *next;
  if (t.period > 0)
    next->due = world_.clock + std::max<std::int64_t>(t.period, 10);
  else
    world_.timers.erase(next);
  if (t.reply) {
    deliver_reply(std::move(t));
  } else {
    lua_rawgeti(vm_.lua(), LUA_REGISTRYINDEX, t.ref);
    if (t.period == 0) unref(t.ref);
    call(0, 0);
  }
  settle_stack();
  return true;
}

void Runtime::advance(std::int64_t ms) {
  const std::int64_t until = world_.clock + ms;
  bool ran = false;
  for (int i = 0; i < 10'000 && run_due_timer(until); ++i) ran = true;
  world_.clock = until;
  if (!world_.snack.empty() && world_.clock >= world_.snack_until) {
    world_.snack.clear();
    ran = true;
  }
  if (!world_.toast.empty() && world_.clock > world_.toast_until) {
    world_.toast.clear();
    ran = true;
  }
  if (ran) render();
}

bool Runtime::settle(std::int64_t& waited_ms) {
  const std::int64_t until = world_.clock + kStep;
  for (int i = 0; i < 10'000 && run_due_timer(until); ++i) {
  }
  world_.clock = until;
  if (!world_.snack.empty() && world_.clock >= world_.snack_until) world_.snack.clear();
  if (!world_.toast.empty() && world_.clock > world_.toast_until) world_.toast.clear();
  render();
  notice_list_ends();
  const auto moves = [&] {
    const bool fast = std::any_of(world_.timers.begin(), world_.timers.end(),
                                  [](const Timer& t) { return t.period > 0 && t.period < kAnimation; });
    return (world_.view && world_.view->spinning) || fast;
  };
  std::int64_t extra = 0;
  while (moves() && extra < kPatience) {
    const std::int64_t next = world_.clock + kStep;
    for (int i = 0; i < 10'000 && run_due_timer(next); ++i) {
    }
    world_.clock = next;
    extra += kStep;
    render();
  }
  waited_ms += extra;
  return !moves();
}

/// A reply of the network: the app's server function answers now, unless there is no connection or luck fails.
void Runtime::deliver_reply(Timer timer) {
  lua_State* lua = vm_.lua();
  const bool lost = !world_.settings.online || (options_.flaky > 0 && world_.rng.chance(options_.flaky));
  struct Data {
    Runtime* rt;
    Timer* timer;
    bool lost;
  } data{this, &timer, lost};
  lua_pushcfunction(lua, [](lua_State* l) {
    const Data& d = *static_cast<const Data*>(lua_touserdata(l, 1));
    lua_rawgeti(l, LUA_REGISTRYINDEX, d.timer->ref);  // 2: whom to tell
    lua_createtable(l, 0, 4);                         // 3: the reply
    lua_Integer status = 0;
    if (d.lost || d.rt->manifest_.server == LUA_NOREF) {
      lua_pushstring(l, d.rt->world_.settings.online ? "java.net.SocketTimeoutException"
                                                     : "java.net.UnknownHostException");
      lua_setfield(l, 3, "error");
    } else {
      lua_rawgeti(l, LUA_REGISTRYINDEX, d.rt->manifest_.server);
      unpack(l, d.timer->request);
      lua_rawgeti(l, LUA_REGISTRYINDEX, d.rt->server_);
      lua_call(l, 2, 2);
      status = lua_isinteger(l, -1) ? lua_tointeger(l, -1) : 200;
      const Packed body = pack(l, -2);  // a copy: the server's tables are its own
      lua_settop(l, 3);
      unpack(l, body);
      lua_setfield(l, 3, "body");
      if (status >= 400) {
        lua_pushfstring(l, "HTTP %d", static_cast<int>(status));
        lua_setfield(l, 3, "error");
      }
    }
    lua_pushinteger(l, status);
    lua_setfield(l, 3, "status");
    lua_pushboolean(l, status >= 200 && status < 400);
    lua_setfield(l, 3, "ok");
    lua_call(l, 1, 0);
    return 0;
  });
  lua_pushlightuserdata(lua, &data);
  call(1, 0);
  unref(timer.ref);
}

}  // namespace norn::sim

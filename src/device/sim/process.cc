// Birth and death of the app's process, and the border over which calls into it go.
//
// The top level of the source runs once, when the app is loaded; the memory after it is the base image. A
// process is born by putting that image back (no parsing) and handing it its stored data; it dies by packing
// that data and forgetting the rest.
#include <utility>

#include "base/hash.h"
#include "device/sim/runtime.h"
#include "device/sim/sandbox.h"

namespace norn::sim {
namespace {

int new_table_ref(lua_State* lua, const char* global) {
  lua_newtable(lua);
  if (global != nullptr) {
    lua_pushvalue(lua, -1);
    lua_setglobal(lua, global);
  }
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

}  // namespace

Runtime::Runtime(Source source, Options options)
    : source_(std::move(source)), options_(std::move(options)), vm_(source_, *this) {}

Result<std::unique_ptr<Runtime>> Runtime::load(Source source, Options options) {
  std::unique_ptr<Runtime> runtime(new Runtime(std::move(source), std::move(options)));
  if (runtime->vm_.lua() == nullptr) return fail(Error::Kind::io, "there is no memory for the simulated app");
  NORN_CHECK(runtime->run_top_level());
  return runtime;
}

Status Runtime::run_top_level() {
  lua_State* lua = vm_.lua();
  lua_pushcfunction(lua, [](lua_State* l) {
    open_sandbox(l);
    open_api(l);
    return 0;
  });
  const auto failed = [&](const Failure& f) {
    const std::int32_t line = f.frames.empty() ? 0 : f.frames.front().line;
    return fail(Error::Kind::bad_input, f.type + ": " + f.message,
                source_.file + (line > 0 ? ":" + std::to_string(line) : ""), "see docs/sim-apps.md");
  };
  if (auto f = vm_.call(0, 0)) return failed(*f);
  storage_ = new_table_ref(lua, "storage");
  prefs_ = new_table_ref(lua, "prefs");
  server_ = new_table_ref(lua, nullptr);
  if (auto f = vm_.load()) return failed(*f);
  if (auto f = vm_.call(0, 0)) return failed(*f);
  if (!manifest_.declared) return fail(Error::Kind::bad_input, "the app never calls app{...}", source_.file);
  if (!declaration(manifest_.main))
    return fail(Error::Kind::bad_input, "there is no activity \"" + manifest_.main + "\" (main)",
                source_.file);
  loading_ = false;
  lua_settop(lua, 0);
  lua_gc(lua, LUA_GCCOLLECT);
  vm_.take_coverage();
  base_ = vm_.save();
  return {};
}

void Runtime::start(Nonce nonce) {
  World fresh;
  const bool random = options_.random_content || options_.random_timing || options_.flaky > 0;
  Hasher seed;
  seed.add(options_.seed).add(random ? nonce : 0);
  fresh.rng = Rng(seed.finish());
  fresh.settings.locale = options_.locale;
  world_ = std::move(fresh);
  vm_.take_coverage();
  guarded([&] {
    launch("");
    render();
  });
}

void Runtime::spawn() {
  vm_.restore(base_);
  lua_State* lua = vm_.lua();
  world_.alive = true;
  world_.receivers = declared_receivers_;
  struct Data {
    Runtime* self;
  } data{this};
  lua_pushcfunction(lua, [](lua_State* l) {
    Runtime& self = *static_cast<Data*>(lua_touserdata(l, 1))->self;
    for (const auto& [ref, packed] : {std::pair<int, const Packed*>{self.storage_, &self.world_.storage},
                                      {self.prefs_, &self.world_.prefs},
                                      {self.server_, &self.world_.server}}) {
      lua_rawgeti(l, LUA_REGISTRYINDEX, ref);
      unpack_into(l, -1, *packed);
      lua_pop(l, 1);
    }
    return 0;
  });
  lua_pushlightuserdata(lua, &data);
  if (!call(1, 0)) return;
  if (manifest_.application != LUA_NOREF) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, manifest_.application);
    call(0, 0);
  }
}

void Runtime::die() {
  if (!world_.alive) return;
  lua_State* lua = vm_.lua();
  lua_settop(lua, 0);
  lua_pushcfunction(lua, [](lua_State* l) {
    Runtime& self = Vm::of(l).runtime();
    for (const auto& [ref, packed] : {std::pair<int, Packed*>{self.storage_, &self.world_.storage},
                                      {self.prefs_, &self.world_.prefs},
                                      {self.server_, &self.world_.server}}) {
      lua_rawgeti(l, LUA_REGISTRYINDEX, ref);
      *packed = pack(l, -1);
      lua_pop(l, 1);
    }
    return 0;
  });
  vm_.call(0, 0);  // data that cannot be packed is lost, as a half-written file would be
  world_.alive = false;
  world_.timers.clear();
  world_.receivers.clear();
  world_.overlays.clear();
  world_.snack.clear();
  world_.snack_ref = LUA_NOREF;
  world_.keyboard = false;
  world_.view.reset();
  for (Activity& a : world_.stack) a.self = LUA_NOREF, a.started = a.resumed = false;
  vm_.restore(base_);
}

bool Runtime::call(int arguments, int results) {
  auto failure = vm_.call(arguments, results);
  if (!failure) return true;
  crash(*failure);
  return false;
}

void Runtime::crash(const Failure& failure) {
  Crash crash;
  crash.kind = failure.doom == Doom::too_long ? Crash::Kind::anr : Crash::Kind::exception;
  crash.process = manifest_.package;
  crash.chain.push_back(Thrown{Thrown::Role::top, failure.type, failure.message, failure.frames, 0});
  if (!world_.crash) world_.crash = std::move(crash);
  vm_.begin_action();  // what is left to do is not the app's
  die();
  world_.stack.clear();
  world_.elsewhere.reset();
  Overlay dialog;
  dialog.kind = Overlay::Kind::crash;
  dialog.name = failure.doom == Doom::too_long ? "anr" : "";
  dialog.id = world_.next_id++;
  world_.overlays.push_back(std::move(dialog));
}

void Runtime::panicked() {
  lua_settop(vm_.lua(), 0);
  crash(Failure{Doom::no_memory, "java.lang.OutOfMemoryError", "Failed to allocate", {}});
  render();
}

void Runtime::unref(int& ref) {
  if (ref != LUA_NOREF && world_.alive) luaL_unref(vm_.lua(), LUA_REGISTRYINDEX, ref);
  ref = LUA_NOREF;
}

void Runtime::push_handler(std::int32_t index) const {
  lua_rawgeti(vm_.lua(), LUA_REGISTRYINDEX, world_.view->handlers);
  lua_rawgeti(vm_.lua(), -1, index);
  lua_remove(vm_.lua(), -2);
}

/// Nothing is tidied up first: a run must not depend on whether somebody took a picture of it.
Moment Runtime::save() { return Moment{vm_.save(), world_}; }

void Runtime::restore(const Moment& moment, Nonce nonce) {
  vm_.restore(moment.memory);
  vm_.take_coverage();
  world_ = moment.world;
  world_.crash.reset();
  world_.log.clear();
  const bool random = options_.random_content || options_.random_timing || options_.flaky > 0;
  if (nonce != 0 && random)
    world_.rng = Rng(Hasher().add(options_.seed).add(nonce).add(world_.rng.state()).finish());
}

}  // namespace norn::sim

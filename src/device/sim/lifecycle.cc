// The activity stack. The app's own calls (start, finish) only note what is wanted: an activity is pushed or
// marked as finishing, and settle_stack() does the moves once the handler has returned, as Android's message
// queue would.
#include <algorithm>

#include "device/sim/runtime.h"

namespace norn::sim {

Activity* Runtime::find(Token token) {
  const auto at = std::find_if(world_.stack.begin(), world_.stack.end(),
                               [&](const Activity& a) { return a.token == token; });
  return at == world_.stack.end() ? nullptr : &*at;
}

std::optional<std::size_t> Runtime::declaration(std::string_view name) const {
  for (std::size_t i = 0; i < declarations_.size(); ++i)
    if (declarations_[i].name == name) return i;
  return {};
}

/// Calls self:name() where the activity has it; arguments and results beyond self are the caller's business.
bool Runtime::method(Token token, const char* name, int results) {
  Activity* activity = find(token);
  if (activity == nullptr || activity->self == LUA_NOREF) return world_.alive;
  lua_State* lua = vm_.lua();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, declarations_[activity->decl].table);
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  if (!lua_isfunction(lua, -1)) {
    lua_pop(lua, 1);
    for (int i = 0; i < results; ++i) lua_pushnil(lua);
    return true;
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, activity->self);
  return call(1, results);
}

bool Runtime::create(Activity& activity) {
  lua_State* lua = vm_.lua();
  const Token token = activity.token;
  struct Data {
    Activity* activity;
    int table;
  } data{&activity, declarations_[activity.decl].table};
  lua_pushcfunction(lua, [](lua_State* l) {
    const Data& d = *static_cast<const Data*>(lua_touserdata(l, 1));
    lua_newtable(l);  // self
    lua_rawgeti(l, LUA_REGISTRYINDEX, d.table);
    lua_getfield(l, -1, "__meta");
    lua_setmetatable(l, -3);
    lua_pop(l, 1);
    lua_pushinteger(l, d.activity->token);
    lua_setfield(l, -2, "_token");
    unpack(l, d.activity->intent);
    if (!lua_istable(l, -1)) {
      lua_pop(l, 1);
      lua_newtable(l);
    }
    lua_setfield(l, -2, "intent");
    lua_pushvalue(l, -1);
    d.activity->self = luaL_ref(l, LUA_REGISTRYINDEX);
    lua_rawgeti(l, LUA_REGISTRYINDEX, d.table);
    lua_pushstring(l, "create");
    if (lua_rawget(l, -2) != LUA_TFUNCTION) return 0;
    lua_pushvalue(l, -3);
    lua_getfield(l, -1, "intent");
    if (d.activity->saved)
      unpack(l, *d.activity->saved);
    else
      lua_pushnil(l);
    lua_call(l, 3, 0);
    return 0;
  });
  lua_pushlightuserdata(lua, &data);
  if (!call(1, 0)) return false;
  if (Activity* a = find(token)) a->started = true;
  return true;
}

void Runtime::start_activity(std::size_t decl, Packed intent, Token caller, Packed request) {
  if (declarations_[decl].single_top && !world_.stack.empty() && world_.stack.back().decl == decl &&
      !world_.stack.back().finishing) {
    const Token token = world_.stack.back().token;
    lua_State* lua = vm_.lua();
    lua_rawgeti(lua, LUA_REGISTRYINDEX, declarations_[decl].table);
    lua_getfield(lua, -1, "new_intent");
    lua_remove(lua, -2);
    if (lua_isfunction(lua, -1) && find(token)->self != LUA_NOREF) {
      lua_rawgeti(lua, LUA_REGISTRYINDEX, find(token)->self);
      unpack(lua, intent);
      call(2, 0);
    } else {
      lua_pop(lua, 1);
    }
    return;
  }
  Activity a;
  a.token = world_.next_token++;
  a.decl = decl;
  a.intent = std::move(intent);
  a.caller = caller;
  a.request = std::move(request);
  world_.stack.push_back(std::move(a));
}

void Runtime::finish(Token token, Packed result, bool has_result) {
  Activity* a = find(token);
  if (a == nullptr || a->finishing) return;
  a->finishing = true;
  a->result = std::move(result);
  a->has_result = has_result;
}

void Runtime::deliver_result(Token caller, const Packed& request, const Packed& result, bool has_result) {
  Activity* a = find(caller);
  if (a == nullptr || request.empty()) return;
  if (a->stale && a->self != LUA_NOREF) {  // the device was turned meanwhile: the new one gets it
    const auto place = a - world_.stack.data();
    if (!bury(caller)) return;
    a = &world_.stack[static_cast<std::size_t>(place)];
    a->stale = false;
    caller = a->token;
  }
  if (a->self == LUA_NOREF && !create(*a)) return;
  a = find(caller);
  lua_State* lua = vm_.lua();
  lua_rawgeti(lua, LUA_REGISTRYINDEX, declarations_[a->decl].table);
  lua_pushstring(lua, "result");
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  if (!lua_isfunction(lua, -1)) {
    lua_pop(lua, 1);
    return;
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, a->self);
  unpack(lua, request);
  unpack(lua, has_result ? result : Packed{});
  if (has_result && lua_isnil(lua, -1)) {
    lua_pop(lua, 1);
    lua_newtable(lua);
  }
  call(3, 0);
}

void Runtime::stop(Token token) {
  Activity* a = find(token);
  if (a == nullptr || !a->started || a->self == LUA_NOREF) return;
  lua_State* lua = vm_.lua();
  struct Data {
    Packed out;
    int self, table;
  } data{{}, a->self, declarations_[a->decl].table};
  lua_pushcfunction(lua, [](lua_State* l) {
    Data& d = *static_cast<Data*>(lua_touserdata(l, 1));
    lua_rawgeti(l, LUA_REGISTRYINDEX, d.table);
    lua_pushstring(l, "save");
    if (lua_rawget(l, -2) != LUA_TFUNCTION) return 0;
    lua_rawgeti(l, LUA_REGISTRYINDEX, d.self);
    lua_newtable(l);
    lua_pushvalue(l, -1);
    lua_insert(l, 2);
    lua_call(l, 2, 0);
    d.out = pack(l, 2);
    return 0;
  });
  lua_pushlightuserdata(lua, &data);
  if (!a->finishing) {
    if (!call(1, 0)) return;
    if (Activity* b = find(token)) b->saved = data.out.empty() ? Packed("{}") : data.out;
  } else {
    lua_pop(lua, 2);
  }
  if (!method(token, "stop")) return;
  if (Activity* b = find(token)) b->started = false;
}

void Runtime::pause_top(bool with_stop) {
  Activity* a = top();
  if (a == nullptr) return;
  const Token token = a->token;
  if (a->resumed) {
    a->resumed = false;
    if (!method(token, "pause")) return;
  }
  world_.keyboard = false;
  if (with_stop) stop(token);
}

/// Timers, receivers and windows that belong to an instance go with it.
void Runtime::forget_owner(Token owner) {
  close_overlays_of(owner);
  for (Timer& t : world_.timers)
    if (t.owner == owner) unref(t.ref);
  std::erase_if(world_.timers, [&](const Timer& t) { return t.owner == owner; });
  for (Receiver& r : world_.receivers)
    if (r.owner == owner) unref(r.ref);
  std::erase_if(world_.receivers, [&](const Receiver& r) { return r.owner == owner; });
  if (world_.snack_owner == owner) world_.snack.clear();
}

void Runtime::close_overlays_of(Token owner) {
  for (Overlay& o : world_.overlays)
    if (o.owner == owner) unref(o.ref);
  std::erase_if(world_.overlays, [&](const Overlay& o) { return o.owner == owner; });
}

void Runtime::destroy(Token token) {
  Activity* a = find(token);
  if (a == nullptr) return;
  if (a->self != LUA_NOREF) {
    stop(token);
    if (!world_.alive || !method(token, "destroy")) return;
  }
  forget_owner(token);
  if (Activity* b = find(token)) unref(b->self);
  std::erase_if(world_.stack, [&](const Activity& x) { return x.token == token; });
}

void Runtime::resume_top() {
  Activity* a = top();
  if (a == nullptr || a->resumed || a->finishing) return;
  if (a->stale && a->self != LUA_NOREF && !bury(a->token)) return;
  a = top();
  a->stale = false;
  const Token token = a->token;
  if (a->self == LUA_NOREF) {
    if (!create(*a)) return;
  } else if (!a->started) {
    a->started = true;
    if (!method(token, "restart")) return;
  }
  a = find(token);
  if (a == nullptr || a->finishing || a != top())
    return;  // create() went on at once: settle_stack looks again
  a->resumed = true;
  method(token, "resume");
}

/// Takes a finished activity off the stack: it is paused, its caller gets the result, and where it was in
/// front, the one below is resumed before it is destroyed. False: the process did not survive that.
bool Runtime::take_off(Activity& doomed, bool was_top) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the stack changes below
  const Activity gone = doomed;
  begin_transition();
  if (gone.resumed) {
    doomed.resumed = false;
    if (!method(gone.token, "pause")) return false;
  }
  world_.keyboard = false;
  if (gone.caller != 0) {
    deliver_result(gone.caller, gone.request, gone.result, gone.has_result);
    if (!world_.alive) return false;
  }
  if (was_top && world_.stack.size() > 1 && !world_.stack[world_.stack.size() - 2].finishing) {
    Activity below = std::move(world_.stack.back());  // it is destroyed after the one below is resumed
    world_.stack.pop_back();
    resume_top();
    if (!world_.alive) return false;
    world_.stack.insert(world_.stack.begin(), std::move(below));
    destroy(world_.stack.front().token);
  } else {
    destroy(gone.token);
  }
  return true;
}

/// Resumes the top of the stack, after the activity that was in front until now has left it. False: that one
/// could not be paused.
bool Runtime::bring_to_front() {
  begin_transition();
  if (world_.stack.size() > 1) {
    const auto front = std::find_if(world_.stack.begin(), world_.stack.end() - 1,
                                    [](const Activity& x) { return x.resumed; });
    if (front != world_.stack.end() - 1) {
      const Token token = front->token;
      front->resumed = false;
      if (!method(token, "pause")) return false;
      resume_top();
      if (world_.alive) stop(token);
      return true;
    }
  }
  resume_top();
  return true;
}

/// Moves until the top of the stack is in front and nothing is left to finish. An app that starts activities
/// for ever is stopped by the bound: what it has is then what is shown.
void Runtime::settle_stack() {
  follow_intent();
  for (int round = 0; round < 50 && world_.alive && !world_.elsewhere; ++round) {
    follow_intent();
    if (world_.elsewhere || !world_.alive) return;
    Activity* a = top();
    if (a == nullptr) {
      die();
      to_launcher();
      return;
    }
    const auto doomed = std::find_if(world_.stack.rbegin(), world_.stack.rend(),
                                     [](const Activity& x) { return x.finishing; });
    if (doomed != world_.stack.rend()) {
      if (!take_off(*doomed, doomed->token == a->token)) return;
      continue;
    }
    const bool asked = !world_.overlays.empty() && world_.overlays.back().kind == Overlay::Kind::permission &&
                       world_.overlays.back().owner == a->token;
    if (asked && a->resumed) pause_top(false);  // the system's window is in front
    if (asked || a->resumed) return;
    if (!bring_to_front()) return;
  }
  if (world_.alive && world_.stack.size() > 1000)
    crash(Failure{Doom::none, "java.lang.OutOfMemoryError", "too many activities", {}});
}

void Runtime::to_launcher() {
  world_.elsewhere = Elsewhere{.package = "com.android.launcher3", .title = {}, .caller = 0, .request = {}};
  world_.view.reset();
  begin_transition();
}

void Runtime::launch(std::string_view activity) {
  std::erase_if(world_.overlays, [](const Overlay& o) {
    return o.kind == Overlay::Kind::crash || o.kind == Overlay::Kind::shade;
  });
  const auto came_back = std::exchange(world_.elsewhere, std::nullopt);
  if (!world_.alive) {
    spawn();
    if (!world_.alive) return;
  }
  if (came_back && came_back->caller != 0) deliver_result(came_back->caller, came_back->request, {}, false);
  if (!world_.alive) return;
  const auto wanted = declaration(activity);
  if (world_.stack.empty() || wanted)
    start_activity(wanted.value_or(*declaration(manifest_.main)), {}, 0, {});
  begin_transition();
  settle_stack();
}

/// The activity in front begins anew, as after a change of configuration.
void Runtime::recreate(bool rotated) {
  Activity* a = top();
  if (a == nullptr || !world_.alive) return;
  const Token token = a->token;
  const Declaration& decl = declarations_[a->decl];
  begin_transition();
  if (rotated && decl.handles_rotation) {
    method(token, "rotate");
    return;
  }
  const bool front = a->resumed;
  for (Activity& other : world_.stack)
    if (other.token != token) other.stale = !(rotated && declarations_[other.decl].handles_rotation);
  pause_top(true);
  if (!world_.alive || !bury(token)) return;
  if (front) settle_stack();
}

/// Ends an instance whose place in the stack stays: it will be created anew from its saved state, under a new
/// token, so that whoever still holds the old self holds a dead one. False: it crashed.
bool Runtime::bury(Token token) {
  if (!method(token, "destroy")) return false;
  forget_owner(token);
  Activity* a = find(token);
  unref(a->self);
  a->token = world_.next_token++;
  a->started = a->drawer = false;
  for (Activity& other : world_.stack)
    if (other.caller == token) other.caller = a->token;
  std::erase_if(a->widgets, [](const auto& entry) { return entry.first.find('#') != std::string::npos; });
  return true;
}

void Runtime::rotate(std::int32_t rotation) {
  rotation = ((rotation % 4) + 4) % 4;
  if (rotation == world_.rotation) return;
  const bool portrait_only =
      !world_.stack.empty() && !world_.elsewhere && declarations_[world_.stack.back().decl].portrait;
  if (portrait_only) return;
  log_themis("rotate", nullptr);
  world_.rotation = rotation;
  if (!world_.elsewhere) recreate(true);
}

}  // namespace norn::sim

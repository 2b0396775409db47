// Calls that are not methods: time, network, messages, the device, chance, bugs, logs.
#include <algorithm>
#include <array>
#include <ctime>

#include "base/text.h"
#include "device/sim/runtime.h"
#include "device/sim/sandbox.h"

namespace norn::sim {

/// A second look into the runtime, for what only these calls need.
struct SystemApi {
  static std::vector<Receiver>& declared_receivers(Runtime& rt) { return rt.declared_receivers_; }
  static bool loading(Runtime& rt) { return rt.loading_; }
};

namespace {

constexpr std::int64_t kEpoch = 1'709'280'000'000;  // 2024-03-01 08:00 UTC: when every clean start happens

Runtime& runtime(lua_State* lua) { return Vm::of(lua).runtime(); }

Runtime& running(lua_State* lua) {
  Runtime& rt = runtime(lua);
  if (SystemApi::loading(rt)) luaL_error(lua, "not at the top level: nothing runs yet");
  return rt;
}

std::string utf8_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  return to_utf8(std::string_view(text, std::min<std::size_t>(size, 20'000)));
}

std::string field_text(lua_State* lua, int table, const char* name) {
  lua_getfield(lua, table, name);
  std::string out = lua_isstring(lua, -1) ? utf8_at(lua, -1) : "";
  lua_pop(lua, 1);
  return out;
}

int function_at(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TFUNCTION);
  lua_pushvalue(lua, index);
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

// ---- time ----

int now(lua_State* lua) {
  lua_pushinteger(lua, kEpoch + running(lua).world().clock);
  return 1;
}

int date(lua_State* lua) {
  const bool has_time = lua_isnumber(lua, 1) != 0;
  const auto ms = has_time
                      ? static_cast<std::int64_t>(std::clamp<lua_Number>(lua_tonumber(lua, 1), -1e14, 1e14))
                      : kEpoch + running(lua).world().clock;
  const char* format = luaL_optstring(lua, has_time || lua_isnil(lua, 1) ? 2 : 1, "%Y-%m-%d");
  for (const char* at = format; *at != '\0'; ++at)
    if (*at == '%' &&
        (*++at == '\0' || std::string_view("YmdHMSyjbBaA%").find(*at) == std::string_view::npos))
      return luaL_error(lua, "bad argument to 'date' (use %%Y %%m %%d %%H %%M %%S %%y %%j %%b %%B %%a %%A)");
  const std::time_t seconds = static_cast<std::time_t>((ms - (ms < 0 ? 999 : 0)) / 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 256> buffer{};
  const std::size_t n = std::strftime(buffer.data(), buffer.size(), format, &parts);
  lua_pushlstring(lua, buffer.data(), n);
  return 1;
}

int timer(lua_State* lua, bool repeats) {
  Runtime& rt = running(lua);
  const auto ms = static_cast<std::int64_t>(std::clamp<lua_Number>(luaL_checknumber(lua, 1), 0, 1e12));
  if (rt.world().timers.size() > 10'000)
    throw_exception(lua, "java.lang.OutOfMemoryError", "too many timers");
  const int ref = function_at(lua, 2);
  lua_pushinteger(lua, rt.add_timer(0, ms, repeats ? std::max<std::int64_t>(ms, 10) : 0, ref));
  return 1;
}
int after(lua_State* lua) { return timer(lua, false); }
int every(lua_State* lua) { return timer(lua, true); }

int cancel(lua_State* lua) {
  if (lua_isnoneornil(lua, 1)) return 0;
  const lua_Integer id = luaL_checkinteger(lua, 1);
  auto& timers = running(lua).world().timers;
  const auto at = std::find_if(timers.begin(), timers.end(), [&](const Timer& t) { return t.id == id; });
  if (at == timers.end()) return 0;
  luaL_unref(lua, LUA_REGISTRYINDEX, at->ref);
  timers.erase(at);
  return 0;
}

int busy(lua_State* lua) {
  const auto ms = static_cast<std::int64_t>(std::clamp<lua_Number>(luaL_checknumber(lua, 1), 0, 1e6));
  running(lua).world().clock += ms;
  Vm::of(lua).add_busy(ms);
  return 0;
}

// ---- network ----

/// Pushes {method, url, path, query, body} for the body at the top (which it replaces).
void push_request(lua_State* lua, const char* method, const std::string& url) {
  lua_createtable(lua, 0, 5);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "body");
  lua_pushstring(lua, method);
  lua_setfield(lua, -2, "method");
  lua_pushlstring(lua, url.data(), url.size());
  lua_setfield(lua, -2, "url");
  std::string_view rest = url;
  if (const std::size_t at = rest.find("://"); at != std::string_view::npos) rest.remove_prefix(at + 3);
  rest = rest.find('/') == std::string_view::npos ? std::string_view("/") : rest.substr(rest.find('/'));
  const std::size_t mark = rest.find('?');
  const std::string_view path = rest.substr(0, mark);
  lua_pushlstring(lua, path.data(), path.size());
  lua_setfield(lua, -2, "path");
  lua_newtable(lua);
  if (mark != std::string_view::npos)
    for (const std::string_view pair : split(rest.substr(mark + 1), '&')) {
      const std::size_t equals = std::min(pair.find('='), pair.size());
      const std::string_view value = equals < pair.size() ? pair.substr(equals + 1) : std::string_view{};
      lua_pushlstring(lua, pair.data(), equals);
      lua_pushlstring(lua, value.data(), value.size());
      lua_rawset(lua, -3);
    }
  lua_setfield(lua, -2, "query");
}

void send(lua_State* lua, const char* method, const std::string& url, std::int64_t latency, int ref) {
  Runtime& rt = running(lua);
  if (rt.world().timers.size() > 10'000)
    throw_exception(lua, "java.lang.OutOfMemoryError", "too many requests");
  push_request(lua, method, url);
  const Packed request = pack(lua, -1);
  rt.add_timer(0, latency, 0, ref);
  rt.world().timers.back().reply = true;
  rt.world().timers.back().request = request;
}

/// net.get(url, fn), net.post(url, body, fn), or either with {url=, body=, latency=, on_reply=}.
int net_call(lua_State* lua, const char* method, bool has_body) {
  if (lua_istable(lua, 1)) {
    const std::string url = field_text(lua, 1, "url");
    lua_getfield(lua, 1, "latency");
    const auto latency =
        static_cast<std::int64_t>(std::clamp<lua_Number>(luaL_optnumber(lua, -1, 800), 0, 1e9));
    lua_getfield(lua, 1, "on_reply");
    const int ref = function_at(lua, -1);
    lua_getfield(lua, 1, "body");
    send(lua, method, url, latency, ref);
    return 0;
  }
  const std::string url = utf8_at(lua, 1);
  const int ref = function_at(lua, has_body ? 3 : 2);
  if (has_body)
    lua_pushvalue(lua, 2);
  else
    lua_pushnil(lua);
  send(lua, method, url, 800, ref);
  return 0;
}
int net_get(lua_State* lua) { return net_call(lua, "GET", false); }
int net_post(lua_State* lua) { return net_call(lua, "POST", true); }

// ---- messages ----

int toast(lua_State* lua) {
  World& w = running(lua).world();
  w.toast = utf8_at(lua, 1);
  w.toast_until = w.clock + 500;
  return 0;
}

int notify(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  Notification n;
  n.id = field_text(lua, 1, "id");
  n.title = field_text(lua, 1, "title");
  n.text = field_text(lua, 1, "text");
  n.activity = field_text(lua, 1, "activity");
  lua_getfield(lua, 1, "extras");
  n.extras = pack(lua, -1);
  auto& all = running(lua).world().notifications;
  std::erase_if(all, [&](const Notification& x) { return !n.id.empty() && x.id == n.id; });
  all.push_back(std::move(n));
  if (all.size() > 50) all.erase(all.begin());
  return 0;
}

int cancel_notification(lua_State* lua) {
  const std::string id = utf8_at(lua, 1);
  std::erase_if(running(lua).world().notifications, [&](const Notification& x) { return x.id == id; });
  return 0;
}

int clipboard_set(lua_State* lua) {
  running(lua).world().clipboard = utf8_at(lua, 1);
  return 0;
}

int clipboard_get(lua_State* lua) {
  const std::string& text = running(lua).world().clipboard;
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int log(lua_State* lua) {
  auto& lines = running(lua).world().log;
  if (lines.size() < 10'000) lines.push_back(shorten(utf8_at(lua, 1), 1000));
  return 0;
}

int log_event(lua_State* lua) {
  const lua_Integer n = luaL_checkinteger(lua, 1);
  auto& lines = running(lua).world().log;
  if (lines.size() < 10'000)
    lines.push_back("Event " + std::to_string(n) + ": " +
                    shorten(lua_isnoneornil(lua, 2) ? "" : utf8_at(lua, 2), 1000));
  return 0;
}

// ---- the device ----

int has_permission(lua_State* lua) {
  const auto& all = running(lua).world().permissions;
  const auto at = all.find(luaL_checkstring(lua, 1));
  lua_pushboolean(lua, at != all.end() && at->second == 1);
  return 1;
}

int can_handle(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const ImplicitIntent intent{.action = field_text(lua, 1, "action"),
                              .uri = field_text(lua, 1, "uri"),
                              .type = field_text(lua, 1, "type")};
  lua_pushboolean(lua, !running(lua).handlers_of(intent).empty());
  return 1;
}

int receiver(lua_State* lua) {
  Receiver r;
  r.action = utf8_at(lua, 1);
  r.ref = function_at(lua, 2);
  Runtime& rt = runtime(lua);
  auto& all = SystemApi::loading(rt) ? SystemApi::declared_receivers(rt) : rt.world().receivers;
  if (all.size() > 1000) throw_exception(lua, "java.lang.OutOfMemoryError", "too many receivers");
  all.push_back(std::move(r));
  return 0;
}

/// Delivered by the message queue, as a timer that is due at once would be.
int broadcast(lua_State* lua) {
  Runtime& rt = running(lua);
  lua_settop(lua, 2);
  const std::string action = utf8_at(lua, 1);
  const std::vector<Receiver> all = rt.world().receivers;
  for (const Receiver& r : all) {
    if (r.action != action) continue;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, r.ref);
    if (lua_istable(lua, 2))
      unpack(lua, pack(lua, 2));
    else
      lua_newtable(lua);
    lua_call(lua, 1, 0);
  }
  return 0;
}

int device_online(lua_State* lua) { return lua_pushboolean(lua, running(lua).world().settings.online), 1; }
int device_dark(lua_State* lua) { return lua_pushboolean(lua, running(lua).world().settings.dark), 1; }
int device_landscape(lua_State* lua) { return lua_pushboolean(lua, running(lua).world().rotation % 2), 1; }
int device_battery(lua_State* lua) { return lua_pushinteger(lua, running(lua).world().settings.battery), 1; }
int device_width(lua_State* lua) { return lua_pushinteger(lua, running(lua).metrics().width), 1; }
int device_height(lua_State* lua) { return lua_pushinteger(lua, running(lua).metrics().height), 1; }
int device_locale(lua_State* lua) {
  return lua_pushstring(lua, running(lua).world().settings.locale.c_str()), 1;
}
int device_timezone(lua_State* lua) {
  return lua_pushstring(lua, running(lua).world().settings.timezone.c_str()), 1;
}

// ---- chance and bugs ----

/// random() in [0, 1), random(n) in 1..n, random(a, b).
int random(lua_State* lua) {
  Rng& rng = running(lua).world().rng;
  if (lua_gettop(lua) == 0) {
    lua_pushnumber(lua, rng.unit());
    return 1;
  }
  const lua_Integer low = lua_gettop(lua) >= 2 ? luaL_checkinteger(lua, 1) : 1;
  const lua_Integer high = luaL_checkinteger(lua, lua_gettop(lua) >= 2 ? 2 : 1);
  if (low > high) return luaL_argerror(lua, 1, "interval is empty");
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t draw = span == 0 ? rng.next() : rng.below(span);
  lua_pushinteger(lua, static_cast<lua_Integer>(static_cast<std::uint64_t>(low) + draw));
  return 1;
}

int shuffle(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  Runtime& rt = running(lua);
  const auto n = static_cast<lua_Integer>(lua_rawlen(lua, 1));
  Vm::of(lua).spend(n);
  lua_createtable(lua, static_cast<int>(std::min<lua_Integer>(n, 1'000'000)), 0);
  const int out = lua_gettop(lua);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_rawgeti(lua, 1, i);
    lua_rawseti(lua, out, i);
  }
  if (rt.options().random_content)
    for (lua_Integer i = n; i > 1; --i) {
      const auto j = static_cast<lua_Integer>(rt.world().rng.below(static_cast<std::size_t>(i))) + 1;
      lua_rawgeti(lua, out, i);
      lua_rawgeti(lua, out, j);
      lua_rawseti(lua, out, i);
      lua_rawseti(lua, out, j);
    }
  return 1;
}

int chance(lua_State* lua) {
  luaL_checkstring(lua, 1);
  Runtime& rt = running(lua);
  lua_pushboolean(lua, rt.options().flaky > 0 && rt.world().rng.chance(rt.options().flaky));
  return 1;
}

int bug(lua_State* lua) {
  const std::string id = luaL_checkstring(lua, 1);
  const auto& declared = runtime(lua).manifest().bugs;
  if (std::find(declared.begin(), declared.end(), id) == declared.end())
    return luaL_error(lua, "bug(\"%s\") is not among app{bugs = ...}", id.c_str());
  lua_pushboolean(lua, runtime(lua).options().has_bug(id));
  return 1;
}

template <std::size_t N>
void global_table(lua_State* lua, const char* name, const std::array<luaL_Reg, N>& functions) {
  lua_newtable(lua);
  luaL_setfuncs(lua, functions.data(), 0);
  lua_setglobal(lua, name);
}

}  // namespace

void open_system_calls(lua_State* lua) {
  constexpr std::array<luaL_Reg, 21> globals = {{{"now", now},
                                                 {"date", date},
                                                 {"after", after},
                                                 {"every", every},
                                                 {"cancel", cancel},
                                                 {"busy", busy},
                                                 {"toast", toast},
                                                 {"notify", notify},
                                                 {"cancel_notification", cancel_notification},
                                                 {"log", log},
                                                 {"log_event", log_event},
                                                 {"has_permission", has_permission},
                                                 {"can_handle", can_handle},
                                                 {"receiver", receiver},
                                                 {"broadcast", broadcast},
                                                 {"random", random},
                                                 {"shuffle", shuffle},
                                                 {"chance", chance},
                                                 {"bug", bug},
                                                 {nullptr, nullptr}}};
  lua_pushglobaltable(lua);
  luaL_setfuncs(lua, globals.data(), 0);
  lua_pop(lua, 1);
  global_table(lua, "net",
               std::array<luaL_Reg, 3>{{{"get", net_get}, {"post", net_post}, {nullptr, nullptr}}});
  global_table(lua, "clipboard",
               std::array<luaL_Reg, 3>{{{"set", clipboard_set}, {"get", clipboard_get}, {nullptr, nullptr}}});
  global_table(lua, "device",
               std::array<luaL_Reg, 9>{{{"online", device_online},
                                        {"dark", device_dark},
                                        {"landscape", device_landscape},
                                        {"battery", device_battery},
                                        {"width", device_width},
                                        {"height", device_height},
                                        {"locale", device_locale},
                                        {"timezone", device_timezone},
                                        {nullptr, nullptr}}});
  lua_getglobal(lua, "math");
  lua_pushcfunction(lua, random);
  lua_setfield(lua, -2, "random");
  lua_pop(lua, 1);
}

}  // namespace norn::sim

// Touches, moves, keys and text: found by hit-testing the laid out window, given to whoever can take them, the
// innermost first and then outwards, as Android does.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "device/sim/runtime.h"

namespace norn::sim {
namespace {

bool takes_click(const Node& n) {
  return n.is(Flag::enabled) && (n.act != Act::none || n.handler(On::click) != 0);
}

std::string_view direction_name(Point from, Point to) {
  const std::int32_t dx = to.x - from.x, dy = to.y - from.y;
  if (std::abs(dx) > std::abs(dy)) return dx < 0 ? "left" : "right";
  return dy < 0 ? "up" : "down";
}

/// What a field takes of a text: numbers only digits, and never more than its length.
std::string accepted(const Node& field, std::string_view text) {
  std::string out;
  for (const char c : to_utf8(text)) {
    const bool digit = c >= '0' && c <= '9';
    if (field.input == "number" && !digit && !(c == '-' && out.empty())) continue;
    if (field.input == "decimal" && !digit && c != '.' && !(c == '-' && out.empty())) continue;
    if (field.input == "phone" && !digit && std::string_view("+*# ()-").find(c) == std::string_view::npos)
      continue;
    if (c == '\n' && field.input != "multiline") continue;
    out += c;
  }
  const auto most = static_cast<std::size_t>(field.arg);
  std::size_t cut = 0, letters = 0;
  while (cut < out.size() && letters < most) {
    ++cut;
    while (cut < out.size() && (static_cast<unsigned char>(out[cut]) & 0xc0) == 0x80) ++cut;
    ++letters;
  }
  out.resize(cut);
  return out;
}

}  // namespace

/// The last (topmost) seen node at the point.
std::optional<std::size_t> Runtime::hit(Point at) const {
  if (!world_.view) return {};
  const std::vector<Node>& nodes = world_.view->nodes;
  for (std::size_t i = nodes.size(); i-- > 0;)
    if (!nodes[i].silent && nodes[i].seen.contains(at)) return i;
  return {};
}

void Runtime::touch(Point at, std::int32_t ms) {
  const Metrics m = metrics();
  if (world_.keyboard && at.y >= m.height - m.keyboard()) return;  // a letter on the keyboard: of no use here
  std::optional<std::size_t> index = hit(at);
  if (!index) {
    if (!world_.overlays.empty() && world_.view && world_.view->cancelable) cancel_overlay();
    return;
  }
  if (ms >= 500) return long_click(*index, at);
  for (auto i = static_cast<std::int32_t>(*index); i >= 0; i = node(static_cast<std::size_t>(i)).parent) {
    const Node& n = node(static_cast<std::size_t>(i));
    if (!n.is(Flag::enabled) && n.is(Flag::clickable)) return;  // a disabled button swallows it
    if (takes_click(n)) return click(static_cast<std::size_t>(i), at);
  }
}

void Runtime::click(std::size_t index, Point at) {
  log_themis("tap", &node(index));
  if (node(index).act == Act::none) {
    call_handler(node(index).handler(On::click));
    return;
  }
  perform_act(index, at);
}

void Runtime::long_click(std::size_t index, Point at) {
  for (auto i = static_cast<std::int32_t>(index); i >= 0; i = node(static_cast<std::size_t>(i)).parent) {
    const auto place = static_cast<std::size_t>(i);
    const Node n = node(place);
    if (!n.is(Flag::enabled)) continue;
    if (n.handler(On::long_click) != 0) {
      log_themis("long", &n);
      call_handler(n.handler(On::long_click));
      return;
    }
    if (n.handler(On::long_tap) != 0) {
      log_themis("long", &n);
      call_handler(n.handler(On::long_tap), 0, [&](lua_State* lua) {
        lua_pushinteger(lua, at.x - n.box.left);
        lua_pushinteger(lua, at.y - n.box.top);
        return 2;
      });
      return;
    }
    const auto list = n.handler(On::item) != 0 ? list_of(place) : std::nullopt;
    if (list && node(*list).handler(On::item_long_click) != 0) {
      log_themis("long", &n);
      call_handler(node(*list).handler(On::item_long_click), 0, [&](lua_State* lua) {
        lua_pushinteger(lua, n.arg);
        push_handler(n.handler(On::item));
        return 2;
      });
      return;
    }
  }
  touch(at, 50);  // nobody minds how long it was
}

std::optional<std::size_t> Runtime::list_of(std::size_t index) const {
  for (std::int32_t i = node(index).parent; i >= 0; i = node(static_cast<std::size_t>(i)).parent)
    if (node(static_cast<std::size_t>(i)).flow == Flow::list) return static_cast<std::size_t>(i);
  return {};
}

void Runtime::perform_act(std::size_t index, Point at) {
  const Node n = node(index);  // a copy: handlers may close the window it is in
  switch (n.act) {
    case Act::none:
      return;
    case Act::focus:
      set_focus(n.key);
      call_handler(n.handler(On::click));
      return;
    case Act::toggle:
      return toggle(index);
    case Act::radio:
    case Act::tab:
      return select(index, n.arg);
    case Act::slider:
      return slide(index, at);
    case Act::canvas:
      return touch_canvas(n, at);
    case Act::open_spinner:
      return open_spinner(n);
    case Act::choose:
      return choose(index);
    case Act::item:
      return click_item(index, n);
    case Act::up:
      return go_up(n);
    case Act::overflow:
      return open_overflow(n);
    case Act::open_drawer:
    case Act::close_drawer:
      if (Activity* a = top()) a->drawer = n.act == Act::open_drawer;
      return;
    case Act::menu_item:
      return click_menu_item(n);
    case Act::submenu:
      return open_submenu(n);
    case Act::dialog_ok:
    case Act::dialog_cancel:
    case Act::dialog_neutral:
      return dialog_button(index);
    case Act::dismiss:
      return cancel_overlay();
    case Act::system:
      return system_act(n.arg);
  }
}

void Runtime::touch_canvas(const Node& n, Point at) {
  call_handler(n.handler(n.handler(On::tap) != 0 ? On::tap : On::click), 0, [&](lua_State* lua) {
    lua_pushinteger(lua, at.x - n.box.left);
    lua_pushinteger(lua, at.y - n.box.top);
    return 2;
  });
}

void Runtime::open_spinner(const Node& n) {
  Overlay o;
  o.kind = Overlay::Kind::spinner;
  o.owner = world_.stack.empty() ? 0 : world_.stack.back().token;
  o.name = n.key;
  o.items = n.items;
  o.anchor = n.box;
  if (n.handler(On::change) != 0) {
    push_handler(n.handler(On::change));
    o.ref = luaL_ref(vm_.lua(), LUA_REGISTRYINDEX);
  }
  o.handler = n.controlled ? 1 : 0;
  open_overlay(std::move(o));
}

void Runtime::click_item(std::size_t index, const Node& n) {
  const auto list = list_of(index);
  if (!list) return;
  call_handler(node(*list).handler(On::item_click), 0, [&](lua_State* lua) {
    lua_pushinteger(lua, n.arg);
    push_handler(n.handler(On::item));
    return 2;
  });
}

void Runtime::go_up(const Node& n) {
  if (n.handler(On::click) != 0)
    call_handler(n.handler(On::click));
  else if (!world_.stack.empty())
    finish(world_.stack.back().token, {}, false);
}

void Runtime::open_overflow(const Node& n) {
  if (n.arg == 0) return menu_key();
  push_handler(n.arg);
  if (lua_isfunction(vm_.lua(), -1) && !call(0, 1)) return;
  if (!lua_istable(vm_.lua(), -1)) return lua_pop(vm_.lua(), 1);
  open_menu(luaL_ref(vm_.lua(), LUA_REGISTRYINDEX), world_.stack.back().token);
}

void Runtime::open_menu(int ref, Token owner) {
  Overlay o;
  o.kind = Overlay::Kind::menu;
  o.owner = owner;
  o.ref = ref;
  open_overlay(std::move(o));
}

bool Runtime::menu_is_open() const {
  return !world_.overlays.empty() && world_.overlays.back().kind == Overlay::Kind::menu;
}

void Runtime::click_menu_item(const Node& n) {
  if (menu_is_open()) {
    push_handler(n.handler(On::click));
    close_overlay(world_.overlays.back().id);
    if (lua_isfunction(vm_.lua(), -1))
      call(0, 0);
    else
      lua_pop(vm_.lua(), 1);
    return;
  }
  if (Activity* a = top()) a->drawer = false;
  if (n.id == "snackbar_action") world_.snack.clear();
  call_handler(n.handler(On::click));
}

void Runtime::open_submenu(const Node& n) {
  push_handler(n.arg);
  const int ref = luaL_ref(vm_.lua(), LUA_REGISTRYINDEX);
  if (menu_is_open()) close_overlay(world_.overlays.back().id);
  open_menu(ref, world_.stack.empty() ? 0 : world_.stack.back().token);
}

// ---- state of widgets ----

void Runtime::toggle(std::size_t index) {
  const Node n = node(index);
  const bool on = !n.is(Flag::checked);
  if (!n.controlled) front_states()[n.key].checked = on;
  if (!call_handler(n.handler(On::change), 0, [&](lua_State* lua) {
        lua_pushboolean(lua, on);
        return 1;
      }))
    return;
  call_handler(n.handler(On::click));
}

/// Radios, tabs: a new choice is told, the same one is not.
void Runtime::select(std::size_t index, double value) {
  const Node n = node(index);
  if (n.is(Flag::checked) || n.is(Flag::selected)) return;
  if (!n.controlled) front_states()[n.key].selected = value;
  call_handler(n.handler(On::change), 0, [&](lua_State* lua) {
    lua_pushinteger(lua, static_cast<lua_Integer>(value));
    const std::string& text = n.text.empty() ? n.desc : n.text;
    lua_pushlstring(lua, text.data(), text.size());
    return 2;
  });
}

void Runtime::slide(std::size_t index, Point at) {
  const Node n = node(index);
  const double share = static_cast<double>(at.x - n.box.left) / std::max(n.box.right - n.box.left - 1, 1);
  const double raw = n.low + std::clamp(share, 0.0, 1.0) * (n.high - n.low);
  const double value = std::clamp(n.low + std::round((raw - n.low) / n.step) * n.step, n.low, n.high);
  if (value == n.value) return;
  if (!n.controlled) front_states()[n.key].selected = value;
  call_handler(n.handler(On::change), 0, [&](lua_State* lua) {
    if (value == std::floor(value))
      lua_pushinteger(lua, static_cast<lua_Integer>(value));
    else
      lua_pushnumber(lua, value);
    return 1;
  });
}

void Runtime::set_focus(const std::string& key) {
  if (!world_.overlays.empty())
    world_.overlays.back().focus = key;
  else if (Activity* a = top())
    a->focus = key;
  world_.keyboard = !key.empty();
}

std::optional<std::size_t> Runtime::focused_field() const {
  if (!world_.view) return {};
  for (std::size_t i = 0; i < world_.view->nodes.size(); ++i)
    if (node(i).act == Act::focus && node(i).is(Flag::focused)) return i;
  return {};
}

void Runtime::enter_text(std::size_t field, std::string text) {
  const Node n = node(field);
  if (!n.is(Flag::enabled)) return;
  text = accepted(n, text);
  if (text == n.text) return;
  front_states()[n.key].text = text;
  log_themis("type", &n);
  call_handler(n.handler(On::change), 0, [&](lua_State* lua) {
    lua_pushlstring(lua, text.data(), text.size());
    return 1;
  });
}

void Runtime::type(const Text& action) {
  if (action.at) {
    touch(*action.at, 50);
    if (!world_.alive) return;
    settle_stack();
    render();
  }
  if (const auto field = focused_field()) enter_text(*field, action.text);
}

// ---- moves ----

/// True if it moved.
bool Runtime::scroll_by(std::size_t index, std::int32_t pixels) {
  const Node& n = node(index);
  if (n.flow != Flow::list && n.flow != Flow::scroll) return false;
  WidgetState& kept = front_states()[n.key];
  const std::int32_t before = kept.scroll;
  if (n.flow == Flow::scroll) {
    kept.scroll = std::clamp(kept.scroll + pixels, 0, std::max(n.content - kept.viewport, 0));
    return kept.scroll != before;
  }
  if (pixels > 0 && n.at_end) return false;
  std::int32_t row = 56 * metrics().dp;
  if (n.subtree > 1) row = std::max(1, node(index + 1).box.bottom - node(index + 1).box.top);
  const std::int32_t rows = std::max(1, std::abs(pixels) / row);
  kept.scroll = std::max(0, kept.scroll + (pixels > 0 ? rows : -rows));
  if (pixels > 0 && n.arg == 1 && !n.is(Flag::scrollable)) kept.scroll = before;
  return kept.scroll != before;
}

/// Gives a swipe to a handler on the way out from the node; true if somebody took it.
bool Runtime::swiped(std::size_t index, Point from, Point to) {
  const std::string_view direction = direction_name(from, to);
  const bool vertical = direction == "up" || direction == "down";
  for (auto i = static_cast<std::int32_t>(index); i >= 0; i = node(static_cast<std::size_t>(i)).parent) {
    const auto place = static_cast<std::size_t>(i);
    const Node n = node(place);
    const auto push_direction = [&](lua_State* lua) {
      lua_pushlstring(lua, direction.data(), direction.size());
      return 1;
    };
    if (n.act == Act::slider) {
      slide(place, to);
      return true;
    }
    if (n.handler(On::swipe) != 0) {
      log_themis("swipe", &n);
      call_handler(n.handler(On::swipe), 0, push_direction);
      return true;
    }
    const auto list = n.handler(On::item) != 0 && !vertical ? list_of(place) : std::nullopt;
    if (list && node(*list).handler(On::item_swipe) != 0) {
      log_themis("swipe", &n);
      call_handler(node(*list).handler(On::item_swipe), 0, [&](lua_State* lua) {
        lua_pushinteger(lua, n.arg);
        push_direction(lua);
        return 2;
      });
      return true;
    }
    if (vertical && scroll_by(place, from.y - to.y)) {
      log_themis("swipe", &n);
      return true;
    }
  }
  return false;
}

void Runtime::move(Point from, Point to, std::int32_t) {
  const Metrics m = metrics();
  if (std::abs(from.x - to.x) < 24 && std::abs(from.y - to.y) < 24) return touch(from, 50);
  if (from.y < m.status() && to.y > from.y + 100 && world_.overlays.empty()) {
    Overlay shade;
    shade.kind = Overlay::Kind::shade;
    open_overlay(std::move(shade));
    return;
  }
  if (world_.keyboard && from.y >= m.height - m.keyboard()) return;
  const auto index = hit(from);
  if (!index) return;
  for (auto i = static_cast<std::int32_t>(*index); i >= 0; i = node(static_cast<std::size_t>(i)).parent) {
    const Node n = node(static_cast<std::size_t>(i));
    if (n.handler(On::drag) == 0 || !n.is(Flag::enabled)) continue;
    log_themis("swipe", &n);
    call_handler(n.handler(On::drag), 0, [&](lua_State* lua) {
      for (const std::int32_t v :
           {from.x - n.box.left, from.y - n.box.top, to.x - n.box.left, to.y - n.box.top})
        lua_pushinteger(lua, v);
      return 4;
    });
    return;
  }
  const bool from_edge = from.x < 20 * m.dp && to.x > from.x + 100;
  if (from_edge && !world_.elsewhere && world_.overlays.empty())
    if (Activity* a = top()) a->drawer = true;  // dropped again by render() where there is none
  if (!swiped(*index, from, to) && top() != nullptr && top()->drawer && to.x < from.x - 100)
    top()->drawer = false;
}

void Runtime::pinch(const TwoFingers& action) {
  const auto index = hit(action.at);
  if (!index) return;
  const Node n = node(*index);
  call_handler(n.handler(On::pinch), 0, [&](lua_State* lua) {
    lua_pushinteger(lua, action.at.x - n.box.left);
    lua_pushinteger(lua, action.at.y - n.box.top);
    lua_pushnumber(lua, action.from > 0 ? static_cast<double>(action.to) / action.from : 1.0);
    return 3;
  });
}

}  // namespace norn::sim

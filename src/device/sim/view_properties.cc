// Reading one widget's table: its properties into a node, its children's places into a list.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "device/sim/view_builder.h"

namespace norn::sim {
namespace {

enum class Property : std::uint8_t {
  id,
  text,
  desc,
  hint,
  input,
  size,
  enabled,
  visible,
  checked,
  default_,
  selected,
  value,
  low,
  high,
  step,
  columns,
  width,
  height,
  weight,
  padding,
  spinning,
  subtitle,
  header,
  up,
  max,
  handler,
  other,
};

struct Known {
  Property property;
  On on = On::click;
};

const std::unordered_map<std::string_view, Known>& properties() {
  static const std::unordered_map<std::string_view, Known> all = {
      {"id", {Property::id}},
      {"text", {Property::text}},
      {"desc", {Property::desc}},
      {"hint", {Property::hint}},
      {"input", {Property::input}},
      {"size", {Property::size}},
      {"enabled", {Property::enabled}},
      {"visible", {Property::visible}},
      {"checked", {Property::checked}},
      {"default", {Property::default_}},
      {"selected", {Property::selected}},
      {"value", {Property::value}},
      {"min", {Property::low}},
      {"max", {Property::high}},
      {"step", {Property::step}},
      {"columns", {Property::columns}},
      {"width", {Property::width}},
      {"height", {Property::height}},
      {"weight", {Property::weight}},
      {"padding", {Property::padding}},
      {"spinning", {Property::spinning}},
      {"subtitle", {Property::subtitle}},
      {"header", {Property::header}},
      {"up", {Property::up}},
      {"on_click", {Property::handler, On::click}},
      {"on_long_click", {Property::handler, On::long_click}},
      {"on_swipe", {Property::handler, On::swipe}},
      {"on_change", {Property::handler, On::change}},
      {"on_submit", {Property::handler, On::submit}},
      {"on_tap", {Property::handler, On::tap}},
      {"on_long_tap", {Property::handler, On::long_tap}},
      {"on_drag", {Property::handler, On::drag}},
      {"on_pinch", {Property::handler, On::pinch}},
      {"on_item_click", {Property::handler, On::item_click}},
      {"on_item_long_click", {Property::handler, On::item_long_click}},
      {"on_item_swipe", {Property::handler, On::item_swipe}},
      {"on_end", {Property::handler, On::end}},
  };
  return all;
}

std::int32_t pixels(lua_State* lua, int index) {
  if (lua_type(lua, index) == LUA_TSTRING) return -2;  // "fill"
  const lua_Number n = lua_tonumber(lua, index);
  return n >= 0 && n < 100'000 ? static_cast<std::int32_t>(n) : 0;
}

double number(lua_State* lua, int index, double fallback) {
  const lua_Number n = lua_tonumber(lua, index);
  return lua_isnumber(lua, index) && std::isfinite(n) ? n : fallback;
}

}  // namespace

std::string text_of(lua_State* lua, int index) {
  const int type = lua_type(lua, index);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) return {};
  lua_pushvalue(lua, index);
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, -1, &size);
  std::string out = to_utf8(std::string_view(text, std::min<std::size_t>(size, 20'000)));
  lua_pop(lua, 1);
  return out;
}

void ViewBuilder::read_properties(int table, Node& node, Extra& extra, std::vector<lua_Integer>& children) {
  lua_pushnil(lua_);
  for (; lua_next(lua_, table) != 0; lua_pop(lua_, 1)) {
    if (lua_type(lua_, -2) == LUA_TSTRING) {
      read_property(lua_tostring(lua_, -2), node, extra);
    } else if (lua_type(lua_, -2) == LUA_TNUMBER && lua_isinteger(lua_, -2)) {
      const lua_Integer key = lua_tointeger(lua_, -2);
      const int type = lua_type(lua_, -1);
      if (key == 1 && (type == LUA_TSTRING || type == LUA_TNUMBER) && node.text.empty())
        node.text = text_of(lua_, -1);
      else if (key >= 1)
        children.push_back(key);
    }
  }
  std::sort(children.begin(), children.end());
}

/// The value is on top of the Lua stack.
void ViewBuilder::read_property(const char* name, Node& node, Extra& extra) {
  const auto known = properties().find(name);
  switch (known == properties().end() ? Property::other : known->second.property) {
    case Property::id:
      node.id = text_of(lua_, -1);
      break;
    case Property::text:
      node.text = text_of(lua_, -1);
      break;
    case Property::desc:
      node.desc = text_of(lua_, -1);
      break;
    case Property::hint:
      node.hint = text_of(lua_, -1);
      break;
    case Property::input:
      node.input = text_of(lua_, -1);
      break;
    case Property::size:
      extra.size = text_of(lua_, -1);
      break;
    case Property::enabled:
      node.set(Flag::enabled, lua_toboolean(lua_, -1) != 0);
      break;
    case Property::visible:
      extra.visible = lua_toboolean(lua_, -1) != 0;
      break;
    case Property::checked:
      extra.checked = lua_toboolean(lua_, -1) != 0;
      break;
    case Property::default_:
      extra.default_on = lua_toboolean(lua_, -1) != 0;
      break;
    case Property::selected:
      if (lua_type(lua_, -1) == LUA_TNUMBER)
        extra.selected = number(lua_, -1, 1);
      else
        extra.selected_flag = lua_toboolean(lua_, -1) != 0;
      break;
    case Property::value:
      extra.value = number(lua_, -1, 0);
      break;
    case Property::low:
      extra.low = number(lua_, -1, 0);
      break;
    case Property::high:
      extra.high = number(lua_, -1, 100);
      extra.has_high = true;
      break;
    case Property::step:
      extra.step = number(lua_, -1, 1);
      break;
    case Property::columns:
      node.columns = std::clamp(pixels(lua_, -1), 1, 12);
      break;
    case Property::width:
      node.width = pixels(lua_, -1);
      break;
    case Property::height:
      node.height = pixels(lua_, -1);
      break;
    case Property::weight:
      node.weight = std::clamp(pixels(lua_, -1), 0, 1000);
      break;
    case Property::padding:
      node.padding = std::clamp(pixels(lua_, -1), 0, 1000);
      break;
    case Property::spinning:
      extra.spinning = lua_toboolean(lua_, -1) != 0;
      break;
    case Property::subtitle:
      extra.subtitle = text_of(lua_, -1);
      break;
    case Property::header:
      extra.header = text_of(lua_, -1);
      break;
    case Property::up:
      extra.up = lua_toboolean(lua_, -1) != 0;
      if (lua_isfunction(lua_, -1)) {
        lua_pushvalue(lua_, -1);
        extra.up_handler = keep();
      }
      break;
    case Property::handler:
      if (lua_isfunction(lua_, -1)) {
        lua_pushvalue(lua_, -1);
        node.on[static_cast<std::size_t>(known->second.on)] = keep();
      }
      break;
    case Property::max:
    case Property::other:
      break;
  }
}

}  // namespace norn::sim

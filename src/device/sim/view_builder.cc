#include "device/sim/view_builder.h"

#include <algorithm>

#include "base/text.h"
#include "device/sim/sandbox.h"
#include "device/sim/vm.h"

namespace norn::sim {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Kind::count_)> kNames = {
    "column",  "row",          "frame", "card",   "scroll",     "text",     "button",
    "image",   "image_button", "field", "check",  "switch",     "toggle",   "radios",
    "spinner", "list",         "grid",  "tabs",   "slider",     "progress", "canvas",
    "web",     "toolbar",      "fab",   "drawer", "bottom_bar", "divider",  "space"};

constexpr std::array<std::string_view, static_cast<std::size_t>(Kind::count_)> kClasses = {
    "android.widget.LinearLayout",
    "android.widget.LinearLayout",
    "android.widget.FrameLayout",
    "androidx.cardview.widget.CardView",
    "android.widget.ScrollView",
    "android.widget.TextView",
    "android.widget.Button",
    "android.widget.ImageView",
    "android.widget.ImageButton",
    "android.widget.EditText",
    "android.widget.CheckBox",
    "android.widget.Switch",
    "android.widget.ToggleButton",
    "android.widget.RadioGroup",
    "android.widget.Spinner",
    "android.widget.ListView",
    "android.widget.GridView",
    "android.widget.HorizontalScrollView",
    "android.widget.SeekBar",
    "android.widget.ProgressBar",
    "android.view.View",
    "android.webkit.WebView",
    "android.widget.Toolbar",
    "com.google.android.material.floatingactionbutton.FloatingActionButton",
    "androidx.drawerlayout.widget.DrawerLayout",
    "com.google.android.material.bottomnavigation.BottomNavigationView",
    "android.view.View",
    "android.widget.Space"};

}  // namespace

std::string_view name_of(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

ViewBuilder::ViewBuilder(lua_State* lua, BuilderContext context) : lua_(lua), context_(std::move(context)) {
  lua_newtable(lua_);
  handlers_ = lua_gettop(lua_);
}

std::int32_t ViewBuilder::keep() {
  lua_rawseti(lua_, handlers_, ++kept_);
  return kept_;
}

std::size_t ViewBuilder::open(Node node) {
  if (nodes_.size() >= kMost)
    throw_exception(lua_, "java.lang.OutOfMemoryError", "a screen of more than 5000 widgets");
  node.parent = open_.empty() ? -1 : static_cast<std::int32_t>(open_.back());
  nodes_.push_back(std::move(node));
  open_.push_back(nodes_.size() - 1);
  return open_.back();
}

void ViewBuilder::close(std::size_t index) {
  nodes_[index].subtree = static_cast<std::int32_t>(nodes_.size() - index);
  open_.pop_back();
}

std::size_t ViewBuilder::leaf(Node node) {
  const std::size_t index = open(std::move(node));
  close(index);
  return index;
}

WidgetState* ViewBuilder::state(const std::string& key) {
  const auto found = context_.states->find(key);
  return found == context_.states->end() ? nullptr : &found->second;
}

void ViewBuilder::name_key(Node& node) {
  node.key = node.id.empty() ? prefix_ + "#" + std::to_string(nodes_.size()) : prefix_ + node.id;
}

std::vector<std::string> ViewBuilder::texts(int table, const char* name) {
  std::vector<std::string> out;
  lua_pushstring(lua_, name);
  if (lua_rawget(lua_, table) == LUA_TTABLE) {
    const auto count = std::min<lua_Unsigned>(lua_rawlen(lua_, -1), 1000);
    for (lua_Unsigned i = 1; i <= count; ++i) {
      lua_rawgeti(lua_, -1, static_cast<lua_Integer>(i));
      out.push_back(text_of(lua_, -1));
      lua_pop(lua_, 1);
    }
  }
  lua_pop(lua_, 1);
  return out;
}

/// The kind that a widget's metatable names; nothing for other tables.
static std::optional<Kind> kind_at(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return {};
  lua_rawgeti(lua, -1, 1);
  const bool is_kind = lua_isinteger(lua, -1) != 0;
  const lua_Integer kind = lua_tointeger(lua, -1);
  lua_pop(lua, 2);
  if (!is_kind || kind < 0 || kind >= static_cast<lua_Integer>(Kind::count_)) return {};
  return static_cast<Kind>(kind);
}

void ViewBuilder::children(int table, const std::vector<lua_Integer>& keys, int depth) {
  for (const lua_Integer key : keys) {
    lua_rawgeti(lua_, table, key);
    widget(depth + 1);
  }
}

void ViewBuilder::find_drawer(int table) {
  const auto count = std::min<lua_Unsigned>(lua_rawlen(lua_, table), 100);
  for (lua_Unsigned i = 1; i <= count && !has_drawer_; ++i) {
    lua_rawgeti(lua_, table, static_cast<lua_Integer>(i));
    if (lua_istable(lua_, -1)) has_drawer_ = kind_at(lua_, -1) == Kind::drawer;
    lua_pop(lua_, 1);
  }
}

void ViewBuilder::widget(int depth) {
  luaL_checkstack(lua_, 12, "view nested too deep");
  if (depth > kDeepest) throw_exception(lua_, "java.lang.StackOverflowError", "a view nested deeper than 40");
  Vm::of(lua_).spend(10);
  const int index = lua_gettop(lua_);
  const int type = lua_type(lua_, index);
  if (type == LUA_TSTRING || type == LUA_TNUMBER) {
    Node node;
    node.text = text_of(lua_, index);
    finish_leaf(Kind::text, std::move(node), Extra{});
  } else if (type == LUA_TTABLE) {
    if (depth == 0) find_drawer(index);
    if (const auto kind = kind_at(lua_, index)) {
      build(*kind, index, depth);
    } else {  // a plain list of widgets
      for (lua_Integer i = 1, n = static_cast<lua_Integer>(lua_rawlen(lua_, index)); i <= n; ++i) {
        lua_rawgeti(lua_, index, i);
        widget(depth + 1);
      }
    }
  } else if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
    throw_exception(lua_, "java.lang.ClassCastException", "a view may hold widgets, texts and lists of them");
  }
  lua_settop(lua_, index - 1);
}

void ViewBuilder::build(Kind kind, int table, int depth) {
  Node node;
  Extra extra;
  std::vector<lua_Integer> keys;
  node.cls = kClasses[static_cast<std::size_t>(kind)];
  read_properties(table, node, extra, keys);
  if (!extra.visible) return;
  if (extra.selected_flag) node.set(Flag::selected, *extra.selected_flag);
  name_key(node);
  const std::int32_t dp = context_.metrics.dp;
  switch (kind) {
    case Kind::column:
    case Kind::row:
    case Kind::frame:
    case Kind::card:
    case Kind::web:
    case Kind::scroll: {
      node.flow = kind == Kind::row                           ? Flow::row
                  : kind == Kind::frame                       ? Flow::frame
                  : kind == Kind::scroll || kind == Kind::web ? Flow::scroll
                                                              : Flow::column;
      if (kind == Kind::row) node.least = 48 * dp;
      if (node.flow == Flow::column || node.flow == Flow::row || node.flow == Flow::frame) node.text.clear();
      const std::string label = std::exchange(node.text, {});
      const std::size_t index = open(std::move(node));
      if (!label.empty()) leaf(Node{.cls = "android.widget.TextView", .text = label});
      children(table, keys, depth);
      close(index);
      break;
    }
    case Kind::radios:
      radios(table, std::move(node), extra);
      break;
    case Kind::spinner:
      spinner(table, std::move(node), extra);
      break;
    case Kind::tabs:
      tabs(table, std::move(node), extra);
      break;
    case Kind::toolbar:
      toolbar(table, std::move(node), extra, depth);
      break;
    case Kind::drawer:
      drawer(table, std::move(node), extra, keys, depth);
      break;
    case Kind::bottom_bar:
      bottom_bar(table, std::move(node), depth);
      break;
    case Kind::list:
    case Kind::grid:
      list(table, std::move(node), extra, depth);
      break;
    default:
      finish_leaf(kind, std::move(node), extra);
  }
}

void ViewBuilder::finish_leaf(Kind kind, Node node, const Extra& extra) {
  const std::int32_t dp = context_.metrics.dp;
  node.cls = kClasses[static_cast<std::size_t>(kind)];
  switch (kind) {
    case Kind::text:
      node.least = (extra.size == "large" ? 40 : extra.size == "small" ? 20 : 28) * dp;
      node.gap = 8 * dp;
      break;
    case Kind::button:
      node.least = 48 * dp;
      node.gap = 88 * dp;
      node.set(Flag::clickable);
      node.set(Flag::focusable);
      break;
    case Kind::image:
      node.least = 96 * dp;
      node.gap = 96 * dp;
      break;
    case Kind::image_button:
      node.least = 48 * dp;
      node.gap = 48 * dp;
      node.set(Flag::clickable);
      break;
    case Kind::fab:
      node.pin = Node::Pin::corner;
      node.set(Flag::clickable);
      node.height = node.width = 56 * dp;
      break;
    case Kind::field:
      return field(std::move(node), extra);
    case Kind::check:
    case Kind::switch_:
    case Kind::toggle:
      return checkable(kind, std::move(node), extra);
    case Kind::slider:
      return slider(std::move(node), extra);
    case Kind::progress:
      node.least = 48 * dp;
      node.gap = 48 * dp;
      node.spinning = extra.spinning;
      if (extra.value)
        node.desc = node.desc.empty() ? std::to_string(static_cast<long long>(*extra.value)) : node.desc;
      break;
    case Kind::canvas:
      node.act = Act::canvas;
      if (node.height == -1) node.height = -2;
      node.set(Flag::clickable, node.handler(On::tap) != 0);
      break;
    case Kind::divider:
      node.height = std::max(dp / 2, 1);
      break;
    default:
      if (node.height == -1) node.height = 16 * dp;
  }
  leaf(std::move(node));
}

void ViewBuilder::field(Node node, const Extra& extra) {
  const WidgetState* kept = state(node.key);
  if (kept != nullptr && kept->text)
    node.text = *kept->text;
  else if (!node.text.empty())
    (*context_.states)[node.key].text = node.text;
  node.act = Act::focus;
  node.least = (node.input == "multiline" ? 120 : 48) * context_.metrics.dp;
  node.gap = 120 * context_.metrics.dp;
  node.arg = extra.has_high ? static_cast<std::int32_t>(std::clamp(extra.high, 0.0, 10'000.0)) : 10'000;
  for (const Flag f : {Flag::clickable, Flag::long_clickable, Flag::focusable, Flag::editable}) node.set(f);
  node.set(Flag::password, node.input == "password");
  node.set(Flag::focused, context_.focus == node.key);
  leaf(std::move(node));
}

void ViewBuilder::checkable(Kind kind, Node node, const Extra& extra) {
  const WidgetState* kept = state(node.key);
  node.controlled = extra.checked.has_value();
  const bool on = node.controlled                    ? *extra.checked
                  : kept != nullptr && kept->checked ? *kept->checked
                                                     : extra.default_on.value_or(false);
  if (!node.controlled && (kept == nullptr || !kept->checked)) (*context_.states)[node.key].checked = on;
  node.act = Act::toggle;
  node.least = 48 * context_.metrics.dp;
  node.gap = 96 * context_.metrics.dp;
  (void)kind;
  for (const Flag f : {Flag::clickable, Flag::focusable, Flag::checkable}) node.set(f);
  node.set(Flag::checked, on);
  leaf(std::move(node));
}

}  // namespace norn::sim

// The widgets that are made of others: radios, spinners, tabs, toolbars, menus, drawers, lists.
#include <algorithm>

#include "device/sim/sandbox.h"
#include "device/sim/view_builder.h"
#include "device/sim/vm.h"

namespace norn::sim {

/// Which one is selected: by the app (controlled), as kept, or the fallback, which is kept from now on.
double ViewBuilder::selection(Node& node, const Extra& extra, double fallback) {
  const std::optional<double>& given = extra.selected ? extra.selected : extra.value;
  node.controlled = given.has_value();
  if (given) return *given;
  WidgetState& kept = (*context_.states)[node.key];
  if (!kept.selected) kept.selected = fallback;
  return *kept.selected;
}

void ViewBuilder::radios(int table, Node node, const Extra& extra) {
  const std::vector<std::string> items = texts(table, "items");
  const double chosen = selection(node, extra, 0);
  const Node group = node;
  node.flow = Flow::column;
  node.text.clear();
  const std::size_t index = open(std::move(node));
  for (std::size_t i = 0; i < items.size(); ++i) {
    Node radio;
    radio.cls = "android.widget.RadioButton";
    radio.text = items[i];
    radio.key = group.key;
    radio.on = group.on;
    radio.controlled = group.controlled;
    radio.act = Act::radio;
    radio.arg = static_cast<std::int32_t>(i) + 1;
    radio.least = 48 * context_.metrics.dp;
    radio.set(Flag::enabled, group.is(Flag::enabled));
    for (const Flag f : {Flag::clickable, Flag::focusable, Flag::checkable}) radio.set(f);
    radio.set(Flag::checked, static_cast<double>(i + 1) == chosen);
    leaf(std::move(radio));
  }
  close(index);
}

void ViewBuilder::spinner(int table, Node node, const Extra& extra) {
  node.items = texts(table, "items");
  const double chosen = selection(node, extra, 1);
  node.value = chosen;
  node.act = Act::open_spinner;
  node.flow = Flow::row;
  node.least = 48 * context_.metrics.dp;
  node.text.clear();
  node.set(Flag::clickable);
  Node label;
  label.cls = "android.widget.TextView";
  label.id = "android:id/text1";
  label.weight = 1;
  label.least = node.least;
  if (chosen >= 1 && chosen <= static_cast<double>(node.items.size()))
    label.text = node.items[static_cast<std::size_t>(chosen) - 1];
  const std::size_t index = open(std::move(node));
  leaf(std::move(label));
  close(index);
}

void ViewBuilder::tabs(int table, Node node, const Extra& extra) {
  const std::vector<std::string> titles = texts(table, "titles");
  const double chosen = selection(node, extra, 1);
  const Node bar = node;
  node.flow = Flow::row;
  node.text.clear();
  node.height = 48 * context_.metrics.dp;
  const std::size_t index = open(std::move(node));
  for (std::size_t i = 0; i < titles.size(); ++i) {
    Node tab;
    tab.cls = "android.widget.LinearLayout";
    tab.flow = Flow::row;
    tab.desc = titles[i];
    tab.key = bar.key;
    tab.on = bar.on;
    tab.controlled = bar.controlled;
    tab.act = Act::tab;
    tab.arg = static_cast<std::int32_t>(i) + 1;
    tab.weight = 1;
    tab.height = 48 * context_.metrics.dp;
    tab.set(Flag::clickable);
    tab.set(Flag::selected, static_cast<double>(i + 1) == chosen);
    const std::size_t t = open(std::move(tab));
    leaf(Node{.cls = "android.widget.TextView", .text = titles[i], .weight = 1});
    close(t);
  }
  close(index);
}

void ViewBuilder::slider(Node node, const Extra& extra) {
  node.low = extra.low;
  node.high = std::max(extra.high, extra.low);
  node.step = extra.step > 0 ? extra.step : 1;
  node.value = std::clamp(selection(node, extra, node.low), node.low, node.high);
  node.text.clear();
  if (node.desc.empty()) node.desc = std::to_string(static_cast<long long>(node.value));
  node.act = Act::slider;
  node.least = 48 * context_.metrics.dp;
  node.gap = 160 * context_.metrics.dp;
  node.set(Flag::clickable);
  node.set(Flag::focusable);
  leaf(std::move(node));
}

// ---- toolbar, menus, drawer ----

namespace {

Node icon(std::string_view cls, std::string desc, Act act, std::int32_t size) {
  Node n;
  n.cls = cls;
  n.desc = std::move(desc);
  n.act = act;
  n.width = n.height = size;
  n.set(Flag::clickable);
  return n;
}

}  // namespace

void ViewBuilder::toolbar(int table, Node node, const Extra& extra, int depth) {
  const std::int32_t size = 56 * context_.metrics.dp;
  const std::string title = std::exchange(node.text, {});
  node.flow = Flow::row;
  node.height = size;
  const std::size_t index = open(std::move(node));
  if (extra.up) {
    Node up = icon("android.widget.ImageButton", "Navigate up", Act::up, size);
    up.on[static_cast<std::size_t>(On::click)] = extra.up_handler;
    leaf(std::move(up));
  } else if (has_drawer_) {
    leaf(icon("android.widget.ImageButton", "Open navigation drawer", Act::open_drawer, size));
  }
  leaf(Node{.cls = "android.widget.TextView", .text = title, .weight = 1, .least = size});
  if (!extra.subtitle.empty())
    leaf(Node{.cls = "android.widget.TextView", .text = extra.subtitle, .least = size});
  lua_pushstring(lua_, "actions");
  if (lua_rawget(lua_, table) == LUA_TTABLE)
    menu_items(depth + 1, "android.widget.TextView");
  else
    lua_pop(lua_, 1);
  lua_pushstring(lua_, "menu");
  lua_rawget(lua_, table);
  const bool own = lua_istable(lua_, -1) || lua_isfunction(lua_, -1);
  if (own || context_.has_menu) {
    Node more = icon("android.widget.ImageView", "More options", Act::overflow, size);
    if (own) {
      lua_pushvalue(lua_, -1);
      more.arg = keep();
    }
    leaf(std::move(more));
  }
  lua_pop(lua_, 1);
  close(index);
}

void ViewBuilder::menu_items(int depth, std::string_view cls) {
  luaL_checkstack(lua_, 10, "menu too deep");
  const int list = lua_gettop(lua_);
  const bool is_icon = cls == "android.widget.TextView";
  for (lua_Integer i = 1, n = static_cast<lua_Integer>(std::min<lua_Unsigned>(lua_rawlen(lua_, list), 200));
       i <= n; ++i) {
    if (lua_rawgeti(lua_, list, i) != LUA_TTABLE) {
      lua_pop(lua_, 1);
      continue;
    }
    const int item = lua_gettop(lua_);
    Node node;
    Extra extra;
    std::vector<lua_Integer> keys;
    read_properties(item, node, extra, keys);
    node.cls = cls;
    node.act = Act::menu_item;
    node.key = node.id;
    node.least = 48 * context_.metrics.dp;
    node.set(Flag::clickable);
    node.set(Flag::selected, extra.selected_flag.value_or(false));
    if (extra.checked) {
      node.set(Flag::checkable);
      node.set(Flag::checked, *extra.checked);
    }
    lua_pushstring(lua_, "items");
    if (lua_rawget(lua_, item) == LUA_TTABLE) {
      node.act = Act::submenu;
      node.arg = keep();
    } else {
      lua_pop(lua_, 1);
    }
    if (extra.visible && is_icon) {
      node.desc = std::exchange(node.text, {});
      node.width = node.height = 56 * context_.metrics.dp;
      leaf(std::move(node));
    } else if (extra.visible) {
      Node label{.cls = "android.widget.TextView", .id = "android:id/title", .text = node.text, .weight = 1};
      label.least = node.least;
      node.flow = Flow::row;
      node.text.clear();
      const std::size_t index = open(std::move(node));
      leaf(std::move(label));
      close(index);
    }
    lua_settop(lua_, list);
  }
  lua_settop(lua_, list - 1);
  (void)depth;
}

void ViewBuilder::drawer(int table, Node node, const Extra& extra, const std::vector<lua_Integer>& keys,
                         int depth) {
  has_drawer_ = true;
  if (!context_.drawer_open) return;
  node.flow = Flow::scroll;
  node.pin = Node::Pin::start;
  node.text.clear();
  const std::size_t index = open(std::move(node));
  if (!extra.header.empty())
    leaf(Node{.cls = "android.widget.TextView", .text = extra.header, .least = 96 * context_.metrics.dp});
  lua_pushstring(lua_, "items");
  if (lua_rawget(lua_, table) == LUA_TTABLE)
    menu_items(depth + 1, "android.widget.LinearLayout");
  else
    lua_pop(lua_, 1);
  children(table, keys, depth);
  close(index);
}

void ViewBuilder::bottom_bar(int table, Node node, int depth) {
  node.flow = Flow::row;
  node.pin = Node::Pin::bottom;
  node.height = 56 * context_.metrics.dp;
  node.text.clear();
  const std::size_t index = open(std::move(node));
  lua_pushstring(lua_, "items");
  if (lua_rawget(lua_, table) == LUA_TTABLE) {
    const std::size_t first = nodes_.size();
    menu_items(depth + 1, "android.widget.FrameLayout");
    for (std::size_t i = first; i < nodes_.size(); i += static_cast<std::size_t>(nodes_[i].subtree)) {
      nodes_[i].weight = 1;
      nodes_[i].height = 56 * context_.metrics.dp;
    }
  } else {
    lua_pop(lua_, 1);
  }
  close(index);
}

// ---- lists ----

void ViewBuilder::list(int table, Node node, const Extra&, int depth) {
  node.flow = Flow::list;
  node.text.clear();
  lua_pushstring(lua_, "items");
  lua_rawget(lua_, table);
  const auto count = lua_istable(lua_, -1) ? static_cast<lua_Integer>(lua_rawlen(lua_, -1)) : 0;
  lua_pop(lua_, 1);
  node.content = static_cast<std::int32_t>(std::min<lua_Integer>(count, 1'000'000));
  const std::size_t index = open(std::move(node));
  if (count == 0) {
    lua_pushstring(lua_, "empty");
    lua_rawget(lua_, table);
    widget(depth + 1);
    nodes_[index].at_end = true;
    nodes_[index].arg = 1;
    (*context_.states)[nodes_[index].key].scroll = 0;
  } else {
    list_rows(table, index, nodes_[index].content, depth);
  }
  close(index);
}

/// Builds rows from the scroll position on, as many as a screen could show; at the end of the list as many
/// before as fill the window.
void ViewBuilder::list_rows(int table, std::size_t list, lua_Integer count, int depth) {
  const std::int32_t columns = nodes_[list].columns;
  WidgetState& kept = (*context_.states)[nodes_[list].key];
  const std::int32_t last_line = static_cast<std::int32_t>((count - 1) / columns);
  kept.scroll = std::clamp(kept.scroll, 0, last_line);
  for (;;) {
    std::int32_t total = 0, rows = 0;
    lua_Integer i = static_cast<lua_Integer>(kept.scroll) * columns;
    while (i < count && total < context_.metrics.height) {
      std::int32_t tallest = 1;
      for (std::int32_t c = 0; c < columns && i < count; ++c) {
        const std::size_t before = nodes_.size();
        list_row(table, list, ++i, depth);
        tallest = std::max(
            tallest, natural_height(nodes_, before, context_.metrics.width / columns, context_.metrics));
      }
      total += tallest;
      ++rows;
    }
    Node& node = nodes_[list];
    node.arg = i >= count ? 1 : 0;
    const bool short_of = node.arg == 1 && kept.viewport > 0 && total < kept.viewport;
    node.at_end = node.at_end || (node.arg == 1 && kept.viewport > 0 && total <= kept.viewport);
    if (!short_of || kept.scroll == 0) return;
    kept.scroll -= std::max(1, std::min(kept.scroll, (kept.viewport - total) * rows / std::max(total, 1)));
    nodes_.resize(list + 1);
  }
}

void ViewBuilder::list_row(int table, std::size_t list, lua_Integer i, int depth) {
  luaL_checkstack(lua_, 10, "view nested too deep");
  const int base = lua_gettop(lua_);
  const std::size_t before = nodes_.size();
  lua_pushstring(lua_, "items");
  lua_rawget(lua_, table);
  lua_rawgeti(lua_, -1, i);  // base + 2: the item
  const std::string outer = std::exchange(prefix_, nodes_[list].key + "/" + std::to_string(i) + "/");
  lua_pushstring(lua_, "row");
  if (lua_rawget(lua_, table) == LUA_TFUNCTION) {
    lua_pushvalue(lua_, base + 2);
    lua_pushinteger(lua_, i);
    lua_call(lua_, 2, 1);
    widget(depth + 1);
  } else {
    Node text{.cls = "android.widget.TextView", .id = "android:id/text1"};
    lua_pushvalue(lua_, base + 2);
    if (lua_isstring(lua_, -1)) text.text = lua_tostring(lua_, -1);
    leaf(std::move(text));
  }
  prefix_ = outer;
  if (nodes_.size() == before) leaf(Node{.cls = "android.widget.Space"});
  Node& row = nodes_[before];
  const Node& owner = nodes_[list];
  row.least = std::max(row.least, (row.flow == Flow::leaf ? 48 : 56) * context_.metrics.dp);
  if (owner.handler(On::item_click) != 0 || owner.handler(On::item_long_click) != 0 ||
      owner.handler(On::item_swipe) != 0) {
    if (row.act == Act::none) row.act = Act::item;
    row.arg = row.act == Act::item ? static_cast<std::int32_t>(i) : row.arg;
    lua_pushvalue(lua_, base + 2);
    row.on[static_cast<std::size_t>(On::item)] = keep();
    if (owner.handler(On::item_click) != 0) row.set(Flag::clickable);
    if (owner.handler(On::item_long_click) != 0) row.set(Flag::long_clickable);
  }
  lua_settop(lua_, base);
}

}  // namespace norn::sim

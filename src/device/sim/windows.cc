// Which window is in front and what is in it: the activity's own view, its dialogs and menus, and the windows
// of the system (permissions, choosers, the crash dialog, the launcher, other apps). Only the window in front
// is reported, as a real dump does; a toast is a window of its own after it.
#include <algorithm>

#include "device/sim/runtime.h"
#include "device/sim/sandbox.h"
#include "device/sim/view_builder.h"

namespace norn::sim {
namespace {

/// Scroll positions of the window being laid out.
struct StateScrolls final : Scrolls {
  explicit StateScrolls(WidgetStates& s) : states(s) {}
  std::int32_t offset(const std::string& key) const override {
    const auto at = states.find(key);
    return at == states.end() ? 0 : at->second.scroll;
  }
  void placed(const std::string& key, std::int32_t offset, std::int32_t viewport) override {
    WidgetState& s = states[key];
    s.scroll = offset;
    s.viewport = viewport;
  }
  WidgetStates& states;
};

Node frame(std::string_view cls, Flow flow) {
  Node n;
  n.cls = cls;
  n.flow = flow;
  return n;
}

Node label(std::string text, std::string id = {}) {
  Node n;
  n.cls = "android.widget.TextView";
  n.text = std::move(text);
  n.id = std::move(id);
  n.least = 84;
  return n;
}

Node pressed(std::string_view cls, std::string text, std::string id, Act act, std::int32_t arg = 0) {
  Node n;
  n.cls = cls;
  n.text = std::move(text);
  n.id = std::move(id);
  n.act = act;
  n.arg = arg;
  n.least = 144;
  n.gap = 264;
  n.set(Flag::clickable);
  return n;
}

std::string field_text(lua_State* lua, int table, const char* name) {
  lua_pushstring(lua, name);
  lua_rawget(lua, table);
  std::string out = lua_isstring(lua, -1) ? lua_tostring(lua, -1) : "";
  lua_pop(lua, 1);
  return out;
}

std::string permission_question(const std::string& title, const std::string& name) {
  const std::string what = name == "CAMERA"                 ? "take pictures and record video"
                           : name == "READ_CONTACTS"        ? "access your contacts"
                           : name == "ACCESS_FINE_LOCATION" ? "access this device's location"
                           : name == "RECORD_AUDIO"         ? "record audio"
                           : name.find("STORAGE") != std::string::npos
                               ? "access photos, media and files on your device"
                               : "use " + name;
  return "Allow " + title + " to " + what + "?";
}

}  // namespace

/// Builds one kind of window each into a ViewBuilder.
class WindowBuilder {
 public:
  WindowBuilder(Runtime& runtime, lua_State* lua, View& view) : rt_(runtime), lua_(lua), view_(view) {}

  void build() {
    World& w = rt_.world_;
    if (!w.overlays.empty() && (w.overlays.back().kind == Overlay::Kind::crash))
      return crash_dialog(w.overlays.back());
    if (w.elsewhere) return elsewhere(*w.elsewhere);
    if (w.overlays.empty()) return activity();
    switch (w.overlays.back().kind) {
      case Overlay::Kind::dialog:
        return dialog(w.overlays.back());
      case Overlay::Kind::menu:
        return menu(w.overlays.back());
      case Overlay::Kind::spinner:
        return spinner(w.overlays.back());
      case Overlay::Kind::permission:
        return permission(w.overlays.back());
      case Overlay::Kind::chooser:
        return chooser(w.overlays.back());
      case Overlay::Kind::shade:
        return shade();
      case Overlay::Kind::crash:
        return;
    }
  }

 private:
  ViewBuilder builder(WidgetStates& states, std::string focus, bool drawer = false, bool menu = false) {
    return ViewBuilder(lua_, BuilderContext{rt_.metrics(), &states, std::move(focus), drawer, menu});
  }

  /// The window is one of the app's, over this activity where there is one.
  void belongs_to(const Activity* activity) {
    view_.package = rt_.manifest_.package;
    if (activity != nullptr) view_.activity = rt_.declarations_[activity->decl].name;
  }

  /// Takes the nodes over, lays them out in `area`, keeps the handlers.
  void finish(ViewBuilder& b, Rect area, WidgetStates& states) {
    const Metrics m = rt_.metrics();
    view_.nodes = std::move(b.nodes());
    Rect clip{0, 0, m.width, m.height};
    if (rt_.world_.keyboard) clip.bottom = m.height - m.keyboard();
    StateScrolls scrolls(states);
    lay_out(view_.nodes, 0, area, clip, m, scrolls);
    if (!rt_.world_.alive) return;  // no code to call
    lua_pushvalue(lua_, b.handlers_index());
    view_.handlers = luaL_ref(lua_, LUA_REGISTRYINDEX);
  }

  void activity() {
    Activity* a = rt_.top();
    if (a == nullptr || a->self == LUA_NOREF) return;
    const Token token = a->token;
    const int self = a->self;
    belongs_to(a);
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, rt_.declarations_[a->decl].table);
    lua_pushstring(lua_, "menu");
    const bool menu = lua_rawget(lua_, -2) == LUA_TFUNCTION;
    lua_pop(lua_, 1);
    ViewBuilder b = builder(a->widgets, a->focus, a->drawer, menu);
    const std::size_t root = b.open(frame("android.widget.FrameLayout", Flow::frame));
    b.nodes()[root].id = "android:id/content";
    lua_getfield(lua_, -2, "view");
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, self);
    lua_call(lua_, 1, 1);
    if (lua_isnil(lua_, -1))
      throw_exception(lua_, "java.lang.IllegalStateException", "view() returned nothing");
    b.widget();
    if (!rt_.world_.snack.empty()) snackbar(b);
    b.close(root);
    a = rt_.find(token);
    if (a == nullptr) return;
    if (a->drawer && !b.has_drawer()) a->drawer = false;
    if (a->drawer) only_drawer(b.nodes());
    const Metrics m = rt_.metrics();
    finish(b, Rect{0, m.status(), m.width, m.height}, a->widgets);
  }

  void snackbar(ViewBuilder& b) {
    Node bar = frame("android.widget.FrameLayout", Flow::row);
    bar.pin = Node::Pin::snack;
    bar.height = 144;
    const std::size_t index = b.open(std::move(bar));
    Node text = label(rt_.world_.snack, "snackbar_text");
    text.weight = 1;
    b.leaf(std::move(text));
    if (!rt_.world_.snack_action.empty()) {
      Node act = pressed("android.widget.Button", rt_.world_.snack_action, "snackbar_action", Act::menu_item);
      if (rt_.world_.snack_ref != LUA_NOREF) {
        lua_rawgeti(lua_, LUA_REGISTRYINDEX, rt_.world_.snack_ref);
        act.on[static_cast<std::size_t>(On::click)] = b.keep();
      }
      b.leaf(std::move(act));
    }
    b.close(index);
  }

  /// An open drawer hides what is behind it; a touch there closes it.
  static void only_drawer(std::vector<Node>& nodes) {
    const auto at =
        std::find_if(nodes.begin(), nodes.end(), [](const Node& n) { return n.pin == Node::Pin::start; });
    if (at == nodes.end()) return;
    const auto first = static_cast<std::size_t>(at - nodes.begin());
    std::vector<Node> kept;
    Node root = frame("androidx.drawerlayout.widget.DrawerLayout", Flow::column);
    root.act = Act::close_drawer;
    root.subtree = at->subtree + 1;
    kept.push_back(std::move(root));
    for (std::size_t i = 0; i < static_cast<std::size_t>(at->subtree); ++i) {
      kept.push_back(std::move(nodes[first + i]));
      kept.back().parent = i == 0 ? 0 : kept.back().parent - static_cast<std::int32_t>(first) + 1;
    }
    nodes = std::move(kept);
  }

  // ---- dialogs and popups of the app ----

  /// A window in the middle, as high as its content; its first node takes touches outside.
  void finish_dialog(ViewBuilder& b, WidgetStates& states) {
    const Metrics m = rt_.metrics();
    const std::int32_t width = m.width * 9 / 10;
    const std::int32_t room = m.height - m.status() - (rt_.world_.keyboard ? m.keyboard() : 0);
    const std::int32_t height = std::min(natural_height(b.nodes(), 0, width, m), room * 9 / 10);
    const std::int32_t left = (m.width - width) / 2, y = m.status() + (room - height) / 2;
    finish(b, Rect{left, y, left + width, y + height}, states);
  }

  void dialog(Overlay& o) {
    belongs_to(rt_.find(o.owner));
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, o.ref);
    const int table = lua_gettop(lua_);
    lua_getfield(lua_, table, "cancelable");
    view_.cancelable = lua_isnil(lua_, -1) || lua_toboolean(lua_, -1);
    lua_pop(lua_, 1);
    ViewBuilder b = builder(o.widgets, o.focus);
    const std::size_t root = b.open(frame("android.widget.FrameLayout", Flow::dialog));
    b.nodes()[root].padding = 48;
    if (std::string title = field_text(lua_, table, "title"); !title.empty())
      b.leaf(label(title, "android:id/alertTitle"));
    if (std::string message = field_text(lua_, table, "message"); !message.empty())
      b.leaf(label(message, "android:id/message"));
    dialog_items(b, table);
    lua_getfield(lua_, table, "view");
    if (lua_isfunction(lua_, -1)) {
      lua_call(lua_, 0, 1);
      b.widget(1);
    } else {
      lua_pop(lua_, 1);
    }
    dialog_buttons(b, table);
    b.close(root);
    finish_dialog(b, o.widgets);
  }

  void dialog_items(ViewBuilder& b, int table) {
    lua_getfield(lua_, table, "items");
    if (lua_istable(lua_, -1)) {
      const auto count = static_cast<lua_Integer>(std::min<lua_Unsigned>(lua_rawlen(lua_, -1), 200));
      lua_getfield(lua_, table, "checked");
      const bool marks = lua_isinteger(lua_, -1) != 0;
      const lua_Integer marked = lua_tointeger(lua_, -1);
      lua_pop(lua_, 1);
      Node list = frame("android.widget.ListView", Flow::scroll);
      list.id = "select_dialog_listview";
      list.key = list.id;
      const std::size_t index = b.open(std::move(list));
      for (lua_Integer i = 1; i <= count; ++i) {
        lua_rawgeti(lua_, -1, i);
        Node row = pressed(marks ? "android.widget.CheckedTextView" : "android.widget.TextView",
                           lua_isstring(lua_, -1) ? lua_tostring(lua_, -1) : "", "android:id/text1",
                           Act::choose, static_cast<std::int32_t>(i));
        row.set(Flag::checkable, marks);
        row.set(Flag::checked, marks && i == marked);
        lua_pop(lua_, 1);
        b.leaf(std::move(row));
      }
      b.close(index);
    }
    lua_pop(lua_, 1);
  }

  void dialog_buttons(ViewBuilder& b, int table) {
    const std::size_t index = b.open(frame("android.widget.LinearLayout", Flow::row));
    const std::size_t before = b.nodes().size();
    for (const auto& [name, id, act] : {std::tuple{"neutral", "android:id/button3", Act::dialog_neutral},
                                        {"cancel", "android:id/button2", Act::dialog_cancel},
                                        {"ok", "android:id/button1", Act::dialog_ok}}) {
      if (std::string text = field_text(lua_, table, name); !text.empty())
        b.leaf(pressed("android.widget.Button", text, id, act));
    }
    b.close(index);
    if (b.nodes().size() == before) b.nodes()[index].height = 0;
  }

  void menu(Overlay& o) {
    belongs_to(rt_.find(o.owner));
    ViewBuilder b = builder(o.widgets, {});
    Node list = frame("android.widget.ListView", Flow::scroll);
    list.key = "menu";
    const std::size_t root = b.open(std::move(list));
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, o.ref);
    b.menu_items(0, "android.widget.LinearLayout");
    b.close(root);
    const Metrics m = rt_.metrics();
    const std::int32_t width = m.width * 3 / 5, room = m.height - m.status();
    const std::int32_t height = std::min(natural_height(b.nodes(), 0, width, m), room);
    const std::int32_t right = o.name == "popup" ? (m.width + width) / 2 : m.width - 24;
    const std::int32_t y = o.name == "popup" ? m.status() + (room - height) / 2 : m.status();
    finish(b, Rect{right - width, y, right, y + height}, o.widgets);
  }

  void spinner(Overlay& o) {
    belongs_to(rt_.top());
    ViewBuilder b = builder(o.widgets, {});
    Node list = frame("android.widget.ListView", Flow::scroll);
    list.key = "spinner";
    const std::size_t root = b.open(std::move(list));
    for (std::size_t i = 0; i < o.items.size(); ++i)
      b.leaf(pressed("android.widget.CheckedTextView", o.items[i], "android:id/text1", Act::choose,
                     static_cast<std::int32_t>(i) + 1));
    b.close(root);
    const Metrics m = rt_.metrics();
    const std::int32_t width = std::max(o.anchor.right - o.anchor.left, m.width / 3),
                       room = m.height - m.status();
    const std::int32_t height = std::min(natural_height(b.nodes(), 0, width, m), room);
    const std::int32_t y = std::clamp(o.anchor.top, m.status(), m.height - height);
    const std::int32_t left = std::clamp(o.anchor.left, 0, m.width - width);
    finish(b, Rect{left, y, left + width, y + height}, o.widgets);
  }

  // ---- windows of the system ----

  void permission(Overlay& o) {
    view_.package = "com.android.permissioncontroller";
    view_.activity = "GrantPermissionsActivity";
    view_.cancelable = false;
    ViewBuilder b = builder(o.widgets, {});
    const std::size_t root = b.open(frame("android.widget.LinearLayout", Flow::dialog));
    const std::string id = "com.android.permissioncontroller:id/";
    b.leaf(label(permission_question(rt_.manifest_.title, o.name), id + "permission_message"));
    b.leaf(pressed("android.widget.Button", "Allow", id + "permission_allow_button", Act::system,
                   static_cast<std::int32_t>(SystemAct::allow)));
    b.leaf(pressed("android.widget.Button", "Don't allow", id + "permission_deny_button", Act::system,
                   static_cast<std::int32_t>(SystemAct::deny)));
    b.close(root);
    finish_dialog(b, o.widgets);
  }

  void chooser(Overlay& o) {
    view_.package = "android";
    view_.activity = "ChooserActivity";
    ViewBuilder b = builder(o.widgets, {});
    const std::size_t root = b.open(frame("android.widget.LinearLayout", Flow::dialog));
    b.leaf(label("Complete action using", "android:id/title"));
    for (std::size_t i = 0; i < o.candidates.size(); ++i)
      b.leaf(pressed("android.widget.TextView", o.candidates[i].label, "android:id/text1", Act::system,
                     static_cast<std::int32_t>(SystemAct::chosen) + static_cast<std::int32_t>(i)));
    b.close(root);
    finish_dialog(b, o.widgets);
  }

  void crash_dialog(Overlay& o) {
    view_.package = "android";
    view_.cancelable = false;
    ViewBuilder b = builder(o.widgets, {});
    const std::size_t root = b.open(frame("android.widget.FrameLayout", Flow::dialog));
    const bool anr = o.name == "anr";
    b.leaf(label(rt_.manifest_.title + (anr ? " isn't responding" : " keeps stopping"),
                 "android:id/alertTitle"));
    if (!anr)
      b.leaf(pressed("android.widget.Button", "Open app again", "android:id/aerr_restart", Act::system,
                     static_cast<std::int32_t>(SystemAct::restart)));
    b.leaf(pressed("android.widget.Button", "Close app", "android:id/aerr_close", Act::system,
                   static_cast<std::int32_t>(SystemAct::close_crash)));
    b.close(root);
    finish_dialog(b, o.widgets);
  }

  void shade() {
    Overlay& o = rt_.world_.overlays.back();
    view_.package = "com.android.systemui";
    view_.activity = "NotificationShade";
    ViewBuilder b = builder(o.widgets, {});
    const std::size_t root = b.open(frame("android.widget.FrameLayout", Flow::dialog));
    if (rt_.world_.notifications.empty())
      b.leaf(label("No notifications", "com.android.systemui:id/no_notifications"));
    for (std::size_t i = 0; i < rt_.world_.notifications.size(); ++i) {
      const Notification& n = rt_.world_.notifications[i];
      Node row =
          pressed("android.widget.FrameLayout", "", "android:id/status_bar_latest_event_content", Act::system,
                  static_cast<std::int32_t>(SystemAct::notification) + static_cast<std::int32_t>(i));
      row.flow = Flow::column;
      const std::size_t index = b.open(std::move(row));
      b.leaf(label(n.title, "android:id/title"));
      b.leaf(label(n.text, "android:id/text"));
      b.close(index);
    }
    b.close(root);
    const Metrics m = rt_.metrics();
    finish(b, Rect{0, m.status(), m.width, m.height}, o.widgets);
  }

  void elsewhere(const Elsewhere& e) {
    WidgetStates states;  // nothing here keeps anything
    view_.package = e.package;
    view_.kind = Screen::Kind::outside;
    view_.activity = e.launcher ? "Launcher" : e.title;
    ViewBuilder b = builder(states, {});
    const std::size_t root = b.open(frame("android.widget.FrameLayout", Flow::column));
    if (e.launcher) {
      b.leaf(pressed("android.widget.TextView", rt_.manifest_.title, "com.android.launcher3:id/icon",
                     Act::system, static_cast<std::int32_t>(SystemAct::open_app)));
    } else {
      b.leaf(label(e.title, e.package + ":id/title"));
      for (std::int32_t i = 0; e.picker && i < 3; ++i)
        b.leaf(pressed("android.widget.TextView", "File " + std::to_string(i + 1), e.package + ":id/name",
                       Act::system, static_cast<std::int32_t>(SystemAct::picked) + i));
    }
    b.close(root);
    const Metrics m = rt_.metrics();
    finish(b, Rect{0, m.status(), m.width, m.height}, states);
  }

  Runtime& rt_;
  lua_State* lua_;
  View& view_;
};

void Runtime::build_view(lua_State* lua, View& view) { WindowBuilder(*this, lua, view).build(); }

int Runtime::build_view_protected(lua_State* lua) {
  View* view = static_cast<View*>(lua_touserdata(lua, 1));
  Vm::of(lua).runtime().build_view(lua, *view);
  return 0;
}

/// Builds the window in front anew. A view that crashes leaves the crash dialog, which is built instead.
void Runtime::render() {
  for (int attempt = 0; attempt < 3; ++attempt) {
    int old = world_.view && world_.alive ? world_.view->handlers : LUA_NOREF;
    auto view = std::make_shared<View>();
    lua_State* lua = vm_.lua();
    lua_pushcfunction(lua, build_view_protected);
    lua_pushlightuserdata(lua, view.get());
    if (!call(1, 0)) continue;
    unref(old);
    for (const Node& n : view->nodes) view->spinning = view->spinning || (n.spinning && !n.seen.empty());
    view->keyboard = world_.keyboard;
    if (!world_.toast.empty() && world_.clock < world_.toast_until) {
      Node toast = label(world_.toast, "android:id/message");
      const Metrics m = metrics();
      toast.box = toast.seen = Rect{m.width / 10, m.height - 336, m.width * 9 / 10, m.height - 240};
      toast.silent = true;
      view->nodes.push_back(std::move(toast));
    }
    world_.view = std::move(view);
    return;
  }
}

/// Lists whose last row is in sight ask for more, once for each length.
void Runtime::notice_list_ends() {
  if (!world_.view || !world_.alive || world_.elsewhere) return;
  for (std::size_t i = 0; i < world_.view->nodes.size(); ++i) {
    const Node& n = node(i);
    if (n.flow != Flow::list || n.handler(On::end) == 0 || n.arg != 1 || n.seen.empty()) continue;
    const std::size_t end = i + static_cast<std::size_t>(n.subtree);
    const bool last_seen = n.at_end || (end - 1 > i && !node(end - 1).seen.empty());
    WidgetState& kept = front_states()[n.key];
    if (!last_seen || kept.ended_at == n.content) continue;
    kept.ended_at = n.content;
    if (call_handler(n.handler(On::end))) {
      settle_stack();
      render();
    } else {
      render();
    }
    return;
  }
}

}  // namespace norn::sim

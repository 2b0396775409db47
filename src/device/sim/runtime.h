// The simulated device's insides: one app, its process, its activities, its screen. Everything that changes
// is in world_ and in the machine's memory; the rest is fixed by the source. The parts are in
//   process.cc   birth and death of the process, calls into the app, crashes
//   lifecycle.cc the activity stack
//   windows.cc   which window is in front, and the system's own windows
//   input.cc     touches, keys, text
//   signals.cc   what the system does to the app
//   clock.cc     time, timers, network, settling
//   api_*.cc     what the app can call
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/sim/options.h"
#include "device/sim/vm.h"
#include "device/sim/world.h"

namespace norn::sim {

/// An `activity "Name" {...}` of the source.
struct Declaration {
  std::string name{};
  int table = LUA_NOREF;  ///< class table, in the base image
  bool single_top = false, portrait = false, handles_rotation = false;
  struct Filter {
    std::string action, scheme, type{};
  };
  std::vector<Filter> filters{};
};

struct ThemisLine {
  std::int64_t n = 0;
  std::string activity, id, kind, text{};
};

/// What `app {...}` said.
struct Manifest {
  std::string package, title, main{};
  std::vector<std::string> permissions, bugs{};
  std::vector<ThemisLine> themis{};
  int server = LUA_NOREF, application = LUA_NOREF;
  bool declared = false;
};

/// One moment: the app's memory and the world around it.
struct Moment {
  Image memory;
  World world;
};

/// What an app asks of whoever can do it.
struct ImplicitIntent {
  std::string action, uri, type;
};

class Runtime {
 public:
  /// Loads the app: its top level runs here, once.
  static Result<std::unique_ptr<Runtime>> load(Source source, Options options);

  const Manifest& manifest() const { return manifest_; }
  const std::vector<Declaration>& declarations() const { return declarations_; }
  const Source& source() const { return source_; }
  const Options& options() const { return options_; }
  World& world() { return world_; }
  Vm& vm() { return vm_; }

  // ---- what a device does ----
  void start(Nonce nonce);
  void act(const Action& action, bool settled);
  void advance(std::int64_t ms);  ///< lets time pass; due timers run
  /// Waits until nothing moves; false: it did not come to rest. Adds what it waited beyond the usual to
  /// `waited_ms`.
  bool settle(std::int64_t& waited_ms);
  Screen screen() const;
  Moment save();
  void restore(const Moment& moment, Nonce nonce);

  /// Runs one action; a machine without memory outside of any call is a crash like any other.
  template <class F>
  void guarded(F&& f) {
    vm_.begin_action();
    try {
      f();
    } catch (const Panic&) {
      panicked();
    }
  }

  // ---- for the app's calls (api_*.cc) ----
  Activity* find(Token token);
  Activity* top() { return world_.stack.empty() ? nullptr : &world_.stack.back(); }
  /// The activity whose self is the argument 1 of a method; raises if it is none.
  Token token_of_self(lua_State* lua);
  void start_activity(std::size_t decl, Packed intent, Token caller, Packed request);
  void finish(Token token, Packed result, bool has_result);
  std::int64_t jittered(std::int64_t ms);
  std::uint32_t add_timer(Token owner, std::int64_t ms, std::int64_t period, int ref);
  std::optional<std::size_t> declaration(std::string_view name) const;
  void open_overlay(Overlay overlay);
  void close_overlay(std::uint32_t id);
  /// Who can handle it: activities of the app that declare so, and what a phone comes with.
  std::vector<Candidate> handlers_of(const ImplicitIntent& intent) const;
  /// Starts whoever can handle it, or lets the user choose; false: nobody can.
  bool start_implicit(const ImplicitIntent& intent, Token caller, Packed request, Packed extras);
  void broadcast(std::string_view action, const Packed& extras);
  void log_themis(std::string_view kind, const Node* node);
  WidgetState& state_of(Token owner, std::string_view key);
  const WidgetState* find_state(Token owner, std::string_view key) const;
  void show_keyboard(bool yes) { world_.keyboard = yes; }
  void set_focus(const std::string& key);
  Metrics metrics() const;
  std::string full_id(std::string_view id, std::string_view package) const;
  WidgetStates& front_states();
  void begin_transition() { world_.transition_until = world_.clock + 300; }

 private:
  friend struct Api;
  friend struct SystemApi;
  friend class WindowBuilder;
  Runtime(Source source, Options options);
  Status run_top_level();

  // process.cc
  void panicked();
  void spawn();  ///< a fresh process from the base image, data handed back
  void die();    ///< the process is gone; data is kept
  /// Calls what lies on the stack below its arguments; false: it crashed and the process is dead.
  bool call(int arguments, int results);
  void crash(const Failure& failure);
  void push_handler(std::int32_t index) const;
  /// Calls handler `index` of the present view (0: nothing to do) with the arguments that `push` pushes and
  /// counts.
  template <class Push>
  bool call_handler(std::int32_t index, int results, Push push) {
    if (index == 0 || !world_.alive) return world_.alive;
    push_handler(index);
    const int arguments = push(vm_.lua());
    return call(arguments, results);
  }
  bool call_handler(std::int32_t index) {
    return call_handler(index, 0, [](lua_State*) { return 0; });
  }
  void unref(int& ref);

  // lifecycle.cc
  bool create(Activity& activity);
  bool method(Token token, const char* name, int results = 0);
  void resume_top();
  void pause_top(bool stop);
  void stop(Token token);
  void destroy(Token token);
  void recreate(bool rotated);
  bool bury(Token token);
  bool take_off(Activity& doomed, bool was_top);
  bool bring_to_front();
  void settle_stack();  ///< finishes what is finishing, brings the top to the front
  void deliver_result(Token caller, const Packed& request, const Packed& result, bool has_result);
  void to_launcher();
  void launch(std::string_view activity);
  void close_overlays_of(Token owner);
  void forget_owner(Token owner);
  void rotate(std::int32_t rotation);

  // windows.cc
  void render();
  void build_view(lua_State* lua, View& view);
  static int build_view_protected(lua_State* lua);
  void notice_list_ends();

  // input.cc
  void touch(Point at, std::int32_t ms);
  void move(Point from, Point to, std::int32_t ms);
  void pinch(const TwoFingers& action);
  void type(const Text& action);
  void press(std::int32_t key);
  void back();
  void menu_key();
  std::optional<std::size_t> hit(Point at) const;
  void click(std::size_t index, Point at);
  void long_click(std::size_t index, Point at);
  void perform_act(std::size_t index, Point at);
  void touch_canvas(const Node& n, Point at);
  void open_spinner(const Node& n);
  void click_item(std::size_t index, const Node& n);
  void go_up(const Node& n);
  void open_overflow(const Node& n);
  void open_menu(int ref, Token owner);  ///< of the table that Lua's registry has there
  bool menu_is_open() const;
  void click_menu_item(const Node& n);
  void open_submenu(const Node& n);
  void choose(std::size_t index);
  void dialog_button(std::size_t index);
  void system_act(std::int32_t what);
  void toggle(std::size_t index);
  void select(std::size_t index, double value);
  void slide(std::size_t index, Point at);
  void enter_text(std::size_t field, std::string text);
  bool scroll_by(std::size_t index, std::int32_t pixels);
  bool swiped(std::size_t index, Point from, Point to);
  std::optional<std::size_t> focused_field() const;
  const Node& node(std::size_t index) const { return world_.view->nodes[index]; }
  std::optional<std::size_t> list_of(std::size_t index) const;
  void cancel_overlay();

  // signals.cc
  void signal(const System& what);
  void go_to(const Candidate& who, const Packed& extras, Token caller, const Packed& request);
  void follow_intent();

  // clock.cc
  bool run_due_timer(std::int64_t until);
  void deliver_reply(Timer timer);

  Source source_;
  Options options_;
  Manifest manifest_;
  std::vector<Declaration> declarations_{};
  Vm vm_;
  Image base_;
  int storage_ = LUA_NOREF, prefs_ = LUA_NOREF, server_ = LUA_NOREF, methods_ = LUA_NOREF;
  World world_;
  std::optional<Overlay> wanted_{};  ///< an implicit intent of the handler that runs now; none between events
  std::vector<Receiver> declared_receivers_{};  ///< those of the top level; every process begins with them
  WidgetStates nowhere_{};                      ///< where there is no window to keep anything for
  bool loading_ = true;
};

/// Installs app, activity, widgets, self's methods and all other calls.
void open_api(lua_State* lua);
void open_widgets(lua_State* lua);
void open_activity_methods(lua_State* lua);
void open_system_calls(lua_State* lua);
void open_helpers(lua_State* lua);

}  // namespace norn::sim

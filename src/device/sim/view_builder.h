// Reads the tables that view() returns into nodes. Runs inside a protected call: any mistake in the tables is
// a Lua error, that is, a crash of the app with a message for its author.
#pragma once

#include <lua.hpp>
#include <optional>
#include <string>
#include <vector>

#include "device/sim/view.h"
#include "device/sim/world.h"

namespace norn::sim {

enum class Kind : std::uint8_t {
  column,
  row,
  frame,
  card,
  scroll,
  text,
  button,
  image,
  image_button,
  field,
  check,
  switch_,
  toggle,
  radios,
  spinner,
  list,
  grid,
  tabs,
  slider,
  progress,
  canvas,
  web,
  toolbar,
  fab,
  drawer,
  bottom_bar,
  divider,
  space,
  count_,
};

/// The name an app calls it by.
std::string_view name_of(Kind kind);

/// The text or number at the index as UTF-8 of bounded length; empty for other values.
std::string text_of(lua_State* lua, int index);

struct BuilderContext {
  Metrics metrics;
  WidgetStates* states = nullptr;  ///< of the window being built
  std::string focus;
  bool drawer_open = false;
  bool has_menu = false;  ///< the activity has a menu(): "More options" in the toolbar
};

class ViewBuilder {
 public:
  static constexpr int kDeepest = 40;
  static constexpr std::size_t kMost = 5000;  ///< widgets of one screen

  /// Pushes the list of handlers; it must stay where it is while the builder lives.
  ViewBuilder(lua_State* lua, BuilderContext context);

  std::vector<Node>& nodes() { return nodes_; }
  int handlers_index() const { return handlers_; }
  bool has_drawer() const { return has_drawer_; }

  // ---- from C++: the system's windows ----
  std::size_t open(Node node);  ///< its children follow
  void close(std::size_t index);
  std::size_t leaf(Node node);

  // ---- from Lua: the value at the top of the stack, which is popped ----
  void widget(int depth = 0);
  /// A list of menu items; `act` is what a touch on one means.
  void menu_items(int depth, std::string_view cls);
  /// Keeps the value at the top under a handler index; pops it.
  std::int32_t keep();

 private:
  /// Properties that only some kinds have.
  struct Extra {
    std::string size, subtitle, header;
    std::optional<bool> checked, default_on, selected_flag;
    std::optional<double> selected, value;
    double low = 0, high = 100, step = 1;
    bool has_high = false, visible = true, spinning = false, up = false;
    std::int32_t up_handler = 0;
  };
  void build(Kind kind, int table, int depth);
  void read_properties(int table, Node& node, Extra& extra, std::vector<lua_Integer>& children);
  void read_property(const char* name, Node& node, Extra& extra);
  void children(int table, const std::vector<lua_Integer>& keys, int depth);
  void find_drawer(int table);

  void finish_leaf(Kind kind, Node node, const Extra& extra);
  void field(Node node, const Extra& extra);
  void checkable(Kind kind, Node node, const Extra& extra);
  void radios(int table, Node node, const Extra& extra);
  void spinner(int table, Node node, const Extra& extra);
  void tabs(int table, Node node, const Extra& extra);
  void slider(Node node, const Extra& extra);
  void toolbar(int table, Node node, const Extra& extra, int depth);
  void drawer(int table, Node node, const Extra& extra, const std::vector<lua_Integer>& keys, int depth);
  void bottom_bar(int table, Node node, int depth);
  void list(int table, Node node, const Extra& extra, int depth);
  void list_rows(int table, std::size_t list, lua_Integer count, int depth);
  void list_row(int table, std::size_t list, lua_Integer i, int depth);
  std::vector<std::string> texts(int table, const char* name);
  void name_key(Node& node);
  WidgetState* state(const std::string& key);
  double selection(Node& node, const Extra& extra, double fallback);

  lua_State* lua_;
  BuilderContext context_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> open_;
  int handlers_;
  std::int32_t kept_ = 0;
  std::string prefix_;  ///< of state keys: the row being built
  bool has_drawer_ = false;
};

}  // namespace norn::sim

// What is on the screen, as the runtime sees it: the widgets of the active window in one flat pre-order
// array, laid out, each knowing what a touch on it means. Built from the tables an activity's view() returns
// (view_builder.cc) or from C++ for the system's own windows (windows.cc), placed by layout.cc, turned into a
// Screen by screen.cc.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gui/screen.h"

namespace norn::sim {

/// How a widget places its children.
enum class Flow : std::uint8_t { leaf, column, row, frame, scroll, list, dialog };

/// What a touch on a widget does, beyond calling its own on_click.
enum class Act : std::uint8_t {
  none,
  focus,   ///< a text field
  toggle,  ///< check, switch, toggle
  radio,   ///< argument: which
  tab,     ///< argument: which
  slider,  ///< by the place
  canvas,  ///< raw
  open_spinner,
  choose,    ///< an item of the popup in front; argument: which
  item,      ///< a row of a list; argument: which
  up,        ///< the toolbar's arrow
  overflow,  ///< "More options"
  open_drawer,
  close_drawer,
  menu_item,  ///< calls on_click and closes the menu or drawer it is in
  submenu,    ///< argument: handler index of the items table
  dialog_ok,
  dialog_cancel,
  dialog_neutral,
  dismiss,  ///< outside of a dialog or popup
  system,   ///< argument: see SystemAct
};

enum class SystemAct : std::int32_t {
  allow,
  deny,
  close_crash,
  restart,
  open_app,
  chosen,        ///< + i: candidate i of the chooser
  picked = 100,  ///< + i: file i of the picker
  back = 200,
  notification = 300,  ///< + i
};

enum class On : std::uint8_t {
  click,
  long_click,
  swipe,
  change,
  submit,
  tap,
  long_tap,
  drag,
  pinch,
  item_click,
  item_long_click,
  item_swipe,
  end,
  item,  ///< not a handler: the row's item
  count_,
};

struct Node {
  std::string_view cls{};  ///< a literal
  std::string id{};        ///< as written by the app, or with its package: "android:id/button1"
  std::string key{};       ///< under which the runtime keeps its state
  std::string text{}, desc{}, hint{};
  std::string input{};
  std::vector<std::string> items{};
  std::array<std::int32_t, static_cast<std::size_t>(On::count_)> on{};  ///< handler indices, 0: none
  Rect box{}, seen{};
  std::int32_t parent = -1, subtree = 1;
  std::int32_t width = -1, height = -1;  ///< wanted; -1 by content, -2 fill
  std::int32_t weight = 0, padding = 0, gap = 0, least = 0;
  std::int32_t arg = 0, columns = 1, lines = 1;
  std::int32_t content = 0;  ///< scroll: height of what is in it; list: number of items
  double value = 0, low = 0, high = 100, step = 1;
  std::uint16_t flags = static_cast<std::uint16_t>(Flag::enabled) | static_cast<std::uint16_t>(Flag::visible);
  Flow flow = Flow::leaf;
  Act act = Act::none;
  enum class Pin : std::uint8_t { none, bottom, corner, start, snack } pin = Pin::none;
  bool controlled = false, spinning = false, at_end = false, silent = false;

  bool is(Flag f) const { return (flags & static_cast<std::uint16_t>(f)) != 0; }
  void set(Flag f, bool yes = true) {
    flags = static_cast<std::uint16_t>(yes ? flags | static_cast<std::uint16_t>(f)
                                           : flags & ~static_cast<std::uint16_t>(f));
  }
  std::int32_t handler(On which) const { return on[static_cast<std::size_t>(which)]; }
};

struct View {
  std::vector<Node> nodes{};
  int handlers = -2;  ///< registry reference of the list of handlers (LUA_NOREF: none)
  std::string package, activity{};
  Screen::Kind kind = Screen::Kind::app;
  bool keyboard = false;
  bool spinning = false;
  bool cancelable = true;  ///< dialogs: a touch outside closes
};

/// Sizes that hold for the whole screen. dp: pixels of a density-independent one.
struct Metrics {
  std::int32_t width = 1080, height = 1920;
  std::int32_t dp = 3;

  std::int32_t status() const { return 24 * dp; }
  std::int32_t keyboard() const { return height * 2 / 5; }
};

/// Natural height of a subtree for a width. REQUIRES: depth bounded by the builder.
std::int32_t natural_height(const std::vector<Node>& nodes, std::size_t index, std::int32_t width,
                            const Metrics& m);
std::int32_t natural_width(const std::vector<Node>& nodes, std::size_t index, const Metrics& m);

/// Where scrollable widgets stand; asked and told by layout.
struct Scrolls {
  virtual ~Scrolls() = default;
  virtual std::int32_t offset(const std::string& key) const = 0;
  /// What layout found: the offset made possible, and how much of it is visible.
  virtual void placed(const std::string& key, std::int32_t offset, std::int32_t viewport) = 0;
};

/// Places everything inside `area`; fills box and seen. `seen` is empty for what is not on the screen.
void lay_out(std::vector<Node>& nodes, std::size_t root, Rect area, Rect clip, const Metrics& m,
             Scrolls& scrolls);

/// The values a device reports.
Screen to_screen(const View& view, const Metrics& m, std::int32_t rotation);

}  // namespace norn::sim

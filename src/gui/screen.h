// A screen as a device reports it: the widgets of all windows in one flat pre-order array, plain values, no
// pointers. App-controlled depth never recurses: a subtree is the range [i, i + widgets[i].subtree).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace norn {

struct Point {
  std::int32_t x = 0, y = 0;
  auto operator<=>(const Point&) const = default;
};

struct Rect {
  std::int32_t left = 0, top = 0, right = 0, bottom = 0;

  bool empty() const { return right <= left || bottom <= top; }
  bool contains(Point p) const { return p.x >= left && p.x < right && p.y >= top && p.y < bottom; }
  /// The middle; safe for inverted and huge bounds.
  Point center() const;
  auto operator<=>(const Rect&) const = default;
};

enum class Flag : std::uint16_t {
  clickable = 1,
  long_clickable = 2,
  checkable = 4,
  checked = 8,
  enabled = 16,
  focusable = 32,
  focused = 64,
  scrollable = 128,
  selected = 256,
  password = 512,
  editable = 1024,  ///< a text field: by class name where the source does not say
  visible = 2048,   ///< what a dump lists is visible unless it says otherwise
};

struct Widget {
  std::string cls;  ///< android.widget.Button
  std::string id;   ///< org.app:id/save; may be empty, need not be unique
  std::string text;
  std::string desc;  ///< content description
  std::string hint;
  std::string package;
  Rect bounds;
  std::uint16_t flags = 0;
  std::int32_t parent = -1;  ///< index of the parent; -1: root of a window
  std::int32_t subtree = 1;  ///< number of widgets in its subtree, itself included

  bool is(Flag f) const { return (flags & static_cast<std::uint16_t>(f)) != 0; }
  void set(Flag f, bool on = true);
  bool operator==(const Widget&) const = default;
};

struct Screen {
  enum class Kind : std::uint8_t {
    app,      ///< the app under test (or one of its dialogs, or the system's permission dialog) is in front
    outside,  ///< something else is: the launcher, another app
    nothing,  ///< there is no window
    unseen,   ///< not looked: the step was not observed, or its record has no screen
  };

  Kind kind = Kind::app;
  std::string package;
  std::string activity;                ///< empty where the source does not tell
  std::int32_t rotation = 0;           ///< 0..3, quarter turns
  bool keyboard = false;               ///< a soft keyboard is shown
  std::int32_t width = 0, height = 0;  ///< 0 where unknown
  std::vector<Widget> widgets;

  bool operator==(const Screen&) const = default;
};

/// Hash of everything in it: order- and position-aware, the same in every process. Equal hash is taken as
/// equal screen.
std::uint64_t content_hash(const Screen& screen);

/// What a person calls the widget: its text, else description, else hint, else the first text or description
/// below it, looking at no more than `label_reach` descendants (so that naming every widget of a screen stays
/// linear). A text field's own text is what somebody typed, not a name: there description and hint come first
/// and the value never.
std::string label(const Screen& screen, std::size_t widget);
/// The same without a copy; lives as long as the screen.
std::string_view label_view(const Screen& screen, std::size_t widget);
/// Only what the widget itself says, nothing from below it.
std::string_view own_label(const Widget& widget);
inline constexpr std::size_t label_reach = 32;

/// "/0/2/1": child positions from the window's root (the first component numbers the window).
std::string path_of(const Screen& screen, std::size_t widget);

/// Fills parent and subtree from depths in pre-order (0: a window's root; a depth may rise by one at most).
void link_by_depth(std::vector<Widget>& widgets, const std::vector<std::int32_t>& depths);

/// A readable outline, indented, one widget a line, safe to print: what `norn show --screens` gives.
std::string outline(const Screen& screen);

bool is_text_field_class(std::string_view cls);

/// Whether a person who says `name` means the activity `full`: it is the whole of it, or whole parts of it from
/// a '.' or '/' on to its end. "Deck" is org.app/.ui.Deck, and not org.app/.NewDeck.
bool names_activity(std::string_view full, std::string_view name);

}  // namespace norn

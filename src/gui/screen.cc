// The flat pre-order array does all the work here: children of i are found by hopping from subtree to
// subtree, ancestors by following parent. No function recurses, and each is linear in what it returns or
// looks at.
#include "gui/screen.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"

namespace norn {
namespace {

/// Hops over the whole subtree; at least one step even if the links are wrong.
std::size_t after_subtree(const Screen& screen, std::size_t i) {
  return i + static_cast<std::size_t>(std::max(1, screen.widgets[i].subtree));
}

/// How many siblings (for a root: windows) come before widget `i`.
std::size_t position(const Screen& screen, std::size_t i) {
  const std::int32_t parent = screen.widgets[i].parent;
  std::size_t n = 0;
  for (std::size_t j = static_cast<std::size_t>(std::int64_t{parent} + 1); j < i;
       j = after_subtree(screen, j))
    ++n;
  return n;
}

void add(Hasher& h, const Widget& w) {
  h.add(w.cls).add(w.id).add(w.text).add(w.desc).add(w.hint).add(w.package);
  const auto number = [&h](std::int32_t n) { h.add(static_cast<std::uint64_t>(n)); };
  number(w.bounds.left), number(w.bounds.top), number(w.bounds.right), number(w.bounds.bottom);
  number(w.flags), number(w.parent), number(w.subtree);
}

std::string_view first_of(std::string_view a, std::string_view b, std::string_view c = {}) {
  return !a.empty() ? a : !b.empty() ? b : c;
}

std::string_view kind_text(Screen::Kind kind) {
  switch (kind) {
    case Screen::Kind::app:
      return "app";
    case Screen::Kind::outside:
      return "outside the app";
    case Screen::Kind::nothing:
      return "no window";
    case Screen::Kind::unseen:
      return "not looked";
  }
  return "?";
}

constexpr std::pair<Flag, std::string_view> shown_flags[] = {
    {Flag::clickable, "clickable"}, {Flag::long_clickable, "long-clickable"},
    {Flag::checkable, "checkable"}, {Flag::checked, "checked"},
    {Flag::focused, "focused"},     {Flag::scrollable, "scrollable"},
    {Flag::selected, "selected"},   {Flag::password, "password"},
    {Flag::editable, "editable"},
};

/// `Button id/save "Save" (clickable) [0,0][100,50]`
std::string line_of(const Widget& w) {
  std::string out = w.cls.empty() ? "?" : printable(shorten(after_last(w.cls, '.'), 80));
  if (!w.id.empty()) out += fmt::format(" id/{}", printable(shorten(after_last(w.id, '/'), 80)));
  if (!w.text.empty()) out += " " + (w.is(Flag::password) ? "\"***\"" : quoted(w.text, 80));
  if (!w.desc.empty()) out += " desc=" + quoted(w.desc, 80);
  if (!w.hint.empty()) out += " hint=" + quoted(w.hint, 80);
  for (auto [flag, name] : shown_flags)
    if (w.is(flag)) out += fmt::format(" {}", name);
  if (!w.is(Flag::enabled)) out += " disabled";
  if (!w.is(Flag::visible)) out += " invisible";
  const Rect& b = w.bounds;
  return out + fmt::format(" [{},{}][{},{}]", b.left, b.top, b.right, b.bottom);
}

/// Beyond this depth lines are not indented further but say their depth, so that an outline stays linear.
constexpr std::size_t max_indent = 40;

std::string heading(const Screen& s) {
  std::string out(kind_text(s.kind));
  if (!s.package.empty()) out += " " + printable(shorten(s.package, 200));
  if (!s.activity.empty()) out += " " + printable(shorten(s.activity, 200));
  if (s.width > 0) out += fmt::format(" {}x{}", s.width, s.height);
  if (s.rotation != 0) out += fmt::format(" rotation {}", s.rotation);
  if (s.keyboard) out += " keyboard";
  return out + "\n";
}

}  // namespace

Point Rect::center() const {
  const auto middle = [](std::int64_t a, std::int64_t b) { return static_cast<std::int32_t>((a + b) / 2); };
  return {middle(left, right), middle(top, bottom)};
}

void Widget::set(Flag f, bool on) {
  const auto bit = static_cast<std::uint16_t>(f);
  flags = static_cast<std::uint16_t>(on ? flags | bit : flags & ~bit);
}

std::uint64_t content_hash(const Screen& s) {
  Hasher h;
  const auto number = [&h](std::int32_t n) { h.add(static_cast<std::uint64_t>(n)); };
  h.add(static_cast<std::uint64_t>(s.kind)).add(s.package).add(s.activity);
  number(s.rotation), number(s.keyboard), number(s.width), number(s.height);
  h.add(s.widgets.size());
  for (const Widget& w : s.widgets) add(h, w);
  return h.finish();
}

std::string_view own_label(const Widget& w) {
  return w.is(Flag::editable) ? first_of(w.desc, w.hint) : first_of(w.text, w.desc, w.hint);
}

std::string_view label_view(const Screen& screen, std::size_t widget) {
  const Widget& w = screen.widgets[widget];
  if (const std::string_view own = own_label(w); !own.empty()) return own;
  const std::size_t below = std::min(after_subtree(screen, widget) - widget - 1, label_reach);
  const std::size_t end = std::min(widget + 1 + below, screen.widgets.size());
  for (std::size_t i = widget + 1; i < end; ++i) {
    const Widget& d = screen.widgets[i];
    const std::string_view name = d.is(Flag::editable) ? std::string_view(d.desc) : first_of(d.text, d.desc);
    if (!name.empty()) return name;
  }
  return {};
}

std::string label(const Screen& screen, std::size_t widget) {
  return std::string(label_view(screen, widget));
}

std::string path_of(const Screen& screen, std::size_t widget) {
  std::vector<std::size_t> positions;
  for (auto i = static_cast<std::int32_t>(widget); i >= 0;
       i = screen.widgets[static_cast<std::size_t>(i)].parent)
    positions.push_back(position(screen, static_cast<std::size_t>(i)));
  std::string out;
  for (auto it = positions.rbegin(); it != positions.rend(); ++it) out += fmt::format("/{}", *it);
  return out;
}

void link_by_depth(std::vector<Widget>& widgets, const std::vector<std::int32_t>& depths) {
  std::vector<std::size_t> open;  // the path from the root to the widget before
  for (std::size_t i = 0; i < widgets.size(); ++i) {
    const std::size_t depth = i < depths.size() ? static_cast<std::size_t>(std::max(0, depths[i])) : 0;
    if (depth < open.size()) open.resize(depth);
    widgets[i].parent = open.empty() ? -1 : static_cast<std::int32_t>(open.back());
    widgets[i].subtree = 1;
    open.push_back(i);
  }
  for (std::size_t i = widgets.size(); i-- > 0;)
    if (widgets[i].parent >= 0)
      widgets[static_cast<std::size_t>(widgets[i].parent)].subtree += widgets[i].subtree;
}

std::string outline(const Screen& screen) {
  std::string out = heading(screen);
  std::vector<std::size_t> depth(screen.widgets.size(), 1);
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    if (w.parent >= 0) depth[i] = depth[static_cast<std::size_t>(w.parent)] + 1;
    out.append(2 * std::min(depth[i], max_indent), ' ');
    if (depth[i] > max_indent) out += fmt::format("({}) ", depth[i]);
    out += line_of(w) + "\n";
  }
  return out;
}

bool is_text_field_class(std::string_view cls) {
  const std::string_view name = after_last(cls, '.');
  return name.ends_with("EditText") || name.ends_with("AutoCompleteTextView") ||
         name.ends_with("SearchAutoComplete") || name == "ExtractEditText" ||
         name == "XCUIElementTypeTextField";
}

bool names_activity(std::string_view full, std::string_view name) {
  if (full == name) return true;
  if (name.empty() || !full.ends_with(name)) return false;
  const auto parts = [](char c) { return c == '.' || c == '/'; };
  return parts(name.front()) || parts(full[full.size() - name.size() - 1]);
}

}  // namespace norn

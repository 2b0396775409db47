#include "formats/uiautomator.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "base/text.h"
#include "formats/screen_xml.h"

namespace norn {
namespace {

/// What the device's dumper replaces by a dot before it writes a text.
bool is_refused(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0x84) ||
         (c >= 0x86 && c <= 0x9f) || (c >= 0xfdd0 && c <= 0xfddf) || (c & 0xfffe) == 0xfffe;
}

struct Decoded {
  char32_t c;
  std::size_t length;
};
/// REQUIRES: valid UTF-8.
Decoded decode(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(s[i])); };
  if (at(0) < 0x80) return {at(0), 1};
  if (at(0) < 0xe0) return {((at(0) & 0x1f) << 6) | (at(1) & 0x3f), 2};
  if (at(0) < 0xf0) return {((at(0) & 0xf) << 12) | ((at(1) & 0x3f) << 6) | (at(2) & 0x3f), 3};
  return {((at(0) & 7) << 18) | ((at(1) & 0x3f) << 12) | ((at(2) & 0x3f) << 6) | (at(3) & 0x3f), 4};
}

void escape(std::string& out, char32_t c, std::string_view raw, char quote) {
  if (is_refused(c)) {
    out += '.';
  } else if (c == '\n' || c == '\r' || c == '\t' || c > 0xffff) {
    fmt::format_to(std::back_inserter(out), "&#{};", static_cast<std::uint32_t>(c));
  } else if (c == '&') {
    out += "&amp;";
  } else if (c == '<') {
    out += "&lt;";
  } else if (c == '>') {
    out += "&gt;";
  } else if (c == static_cast<char32_t>(quote)) {
    out += quote == '"' ? "&quot;" : "&apos;";
  } else {
    out += raw;
  }
}

/// ` name="value"`, or with single quotes around a value that holds a double one.
void attribute(std::string& out, std::string_view name, std::string_view value) {
  const std::string repaired = is_utf8(value) ? std::string() : to_utf8(value);
  std::string_view rest = is_utf8(value) ? value : repaired;
  const char quote = rest.find('"') == std::string_view::npos ? '"' : '\'';
  fmt::format_to(std::back_inserter(out), " {}={}", name, quote);
  while (!rest.empty()) {
    const Decoded d = decode(rest);
    escape(out, d.c, rest.substr(0, d.length), quote);
    rest.remove_prefix(d.length);
  }
  out += quote;
}

/// Which widgets have a text or description of their own or below.
std::vector<bool> named(const Screen& screen) {
  std::vector<bool> out(screen.widgets.size());
  for (std::size_t i = screen.widgets.size(); i-- > 0;) {
    const Widget& w = screen.widgets[i];
    if (!w.text.empty() || !w.desc.empty()) out[i] = true;
    if (out[i] && w.parent >= 0) out[static_cast<std::size_t>(w.parent)] = true;
  }
  return out;
}

bool exempt_from_names(std::string_view cls) {
  for (const std::string_view name : {"android.widget.GridView", "android.widget.GridLayout",
                                      "android.widget.ListView", "android.widget.TableLayout"})
    if (cls == name) return true;
  return false;
}

/// The start tag without its end. `position`: among its siblings.
void open_node(std::string& out, const Widget& w, std::size_t position, bool is_named) {
  const auto flag = [&](std::string_view name, Flag f) { attribute(out, name, w.is(f) ? "true" : "false"); };
  out += "<node";
  if (w.is(Flag::clickable) && w.is(Flag::enabled) && !is_named && !exempt_from_names(w.cls))
    attribute(out, "NAF", "true");  // "not accessibility friendly": can be clicked and has no name
  attribute(out, "index", std::to_string(position));
  attribute(out, "text", w.text), attribute(out, "resource-id", w.id), attribute(out, "class", w.cls);
  attribute(out, "package", w.package), attribute(out, "content-desc", w.desc);
  flag("checkable", Flag::checkable), flag("checked", Flag::checked), flag("clickable", Flag::clickable);
  flag("enabled", Flag::enabled), flag("focusable", Flag::focusable), flag("focused", Flag::focused);
  flag("scrollable", Flag::scrollable), flag("long-clickable", Flag::long_clickable);
  flag("password", Flag::password), flag("selected", Flag::selected);
  if (!w.is(Flag::visible)) attribute(out, "visible-to-user", "false");
  const Rect& b = w.bounds;
  attribute(out, "bounds", fmt::format("[{},{}][{},{}]", b.left, b.top, b.right, b.bottom));
  attribute(out, "drawing-order", std::to_string(w.parent < 0 ? 0 : position + 1));
  attribute(out, "hint", w.hint);
}

}  // namespace

Result<Screen> parse_uiautomator(std::string_view bytes, std::string_view file) {
  return parse_screen_xml(bytes, file, ScreenDialect::uiautomator);
}

std::string write_uiautomator(const Screen& screen) {
  std::string out = fmt::format(
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{}\">", screen.rotation);
  const std::vector<bool> has_name = named(screen);
  std::vector<std::size_t> children(screen.widgets.size() + 1);  // seen so far, the windows' at the end
  std::vector<std::size_t> ends;                                 // where each open element's subtree ends
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    for (; !ends.empty() && ends.back() <= i; ends.pop_back()) out += "</node>";
    const std::size_t parent = w.parent < 0 ? screen.widgets.size() : static_cast<std::size_t>(w.parent);
    open_node(out, w, children[parent]++, has_name[i]);
    out += w.subtree > 1 ? ">" : " />";
    if (w.subtree > 1) ends.push_back(i + static_cast<std::size_t>(w.subtree));
  }
  for (; !ends.empty(); ends.pop_back()) out += "</node>";
  return out + "</hierarchy>";
}

}  // namespace norn

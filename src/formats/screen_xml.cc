// pugixml parses and frees without recursion; the walk below follows first child, next sibling and parent, so
// a tree of any depth costs memory only.
#include "formats/screen_xml.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <vector>

#include "base/text.h"
#include "formats/screen_text.h"

namespace norn {
namespace {

using Kind = Error::Kind;

enum class Field : std::uint8_t {
  cls,
  id,
  text,
  desc,
  hint,
  package,
  bounds,
  showing_hint,
  flag,
  flag_false
};
struct Attribute {
  std::string_view name;
  Field field;
  Flag flag = Flag::visible;
};
constexpr Attribute attributes[] = {
    {"text", Field::text},
    {"resource-id", Field::id},
    {"class", Field::cls},
    {"package", Field::package},
    {"content-desc", Field::desc},
    {"checkable", Field::flag, Flag::checkable},
    {"checked", Field::flag, Flag::checked},
    {"clickable", Field::flag, Flag::clickable},
    {"enabled", Field::flag_false, Flag::enabled},
    {"focusable", Field::flag, Flag::focusable},
    {"focused", Field::flag, Flag::focused},
    {"scrollable", Field::flag, Flag::scrollable},
    {"long-clickable", Field::flag, Flag::long_clickable},
    {"password", Field::flag, Flag::password},
    {"selected", Field::flag, Flag::selected},
    {"bounds", Field::bounds},
    {"hint", Field::hint},
    {"visible-to-user", Field::flag_false, Flag::visible},
    {"displayed", Field::flag_false, Flag::visible},
    {"editable", Field::flag, Flag::editable},
    {"showing-hint", Field::showing_hint},
};

const Attribute* find_attribute(std::string_view name) {
  for (const Attribute& a : attributes)
    if (a.name.size() == name.size() && a.name == name) return &a;
  return nullptr;
}

/// "[0,84][1080,1920]"; anything else is no bounds at all. Inverted bounds stay as they are: they mean that
/// the widget was scrolled out of its window.
Rect parse_bounds(std::string_view text) {
  Rect r;
  const char* at = text.data();
  const char* end = at + text.size();
  const auto take = [&](char mark) {
    const bool there = at != end && *at == mark;
    at += there;
    return there;
  };
  const auto number = [&](std::int32_t& out) {
    const auto [next, error] = std::from_chars(at, end, out);
    at = next;
    return error == std::errc();
  };
  const auto corner = [&](std::int32_t& x, std::int32_t& y) {
    return take('[') && number(x) && take(',') && number(y) && take(']');
  };
  return corner(r.left, r.top) && corner(r.right, r.bottom) && at == end ? r : Rect{};
}

/// An attribute's text. Entities can name what is no character: surrogates, numbers beyond Unicode; such a
/// text has a byte from 0xed up.
std::string value_of(const char* raw) {
  const std::string_view text = raw;
  const bool odd = std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xed; });
  return odd && !is_utf8(text) ? to_utf8(join_surrogates(text)) : std::string(text);
}

Widget read_widget(const pugi::xml_node& node, ScreenDialect dialect) {
  Widget w;
  bool showing_hint = false;
  w.set(Flag::enabled), w.set(Flag::visible);
  for (const pugi::xml_attribute& attribute : node.attributes()) {
    const Attribute* known = find_attribute(attribute.name());
    if (known == nullptr) continue;
    const char* value = attribute.value();
    const bool yes = *value == 't' || *value == 'T';
    switch (known->field) {
      case Field::cls:
        w.cls = value_of(value);
        break;
      case Field::id:
        w.id = value_of(value);
        break;
      case Field::text:
        w.text = value_of(value);
        break;
      case Field::desc:
        w.desc = value_of(value);
        break;
      case Field::hint:
        w.hint = value_of(value);
        break;
      case Field::package:
        w.package = value_of(value);
        break;
      case Field::bounds:
        w.bounds = parse_bounds(value);
        break;
      case Field::showing_hint:
        showing_hint = yes;
        break;
      case Field::flag:
        w.set(known->flag, yes);
        break;
      case Field::flag_false:
        w.set(known->flag, *value != 'f' && *value != 'F');
        break;
    }
  }
  if (dialect == ScreenDialect::appium && w.cls.empty()) w.cls = node.name();
  if (is_text_field_class(w.cls)) w.set(Flag::editable);
  if (showing_hint) w.hint = w.hint.empty() ? std::exchange(w.text, {}) : (w.text.clear(), w.hint);
  return w;
}

bool is_container(std::string_view name) {
  return name == "hierarchy" || name == "displays" || name == "display" || name == "windows" ||
         name == "window" || name == "AppiumAUT";
}

/// One window: its root's index, and its place in the stack of windows where the source tells.
struct Window {
  std::size_t begin;
  std::int32_t layer;
  bool active;
};

/// Walks the document once and collects widgets and depths.
class Walk {
 public:
  explicit Walk(ScreenDialect dialect) : dialect_(dialect) {}

  Screen run(const pugi::xml_node& document) {
    for (pugi::xml_node node = document.first_child(); node;) {
      const pugi::xml_node below = enter(node) ? node.first_child() : pugi::xml_node();
      node = below ? below : next(node, document);
    }
    return finish();
  }

 private:
  /// True where what is below belongs to the screen.
  bool enter(const pugi::xml_node& node) {
    if (node.type() != pugi::node_element) return false;
    const std::string_view name = node.name();
    if (is_container(name) && depth_ == 0) {
      enter_container(node, name);
    } else if (dialect_ == ScreenDialect::appium || name == "node") {
      if (depth_ == 0) windows_.push_back({screen_.widgets.size(), layer_, active_});
      screen_.widgets.push_back(read_widget(node, dialect_));
      depths_.push_back(depth_);
    } else {
      return false;
    }
    if (node.first_child()) depth_ += is_widget(node);
    return true;
  }

  bool is_widget(const pugi::xml_node& node) const { return depth_ > 0 || !is_container(node.name()); }

  void enter_container(const pugi::xml_node& node, std::string_view name) {
    if (name == "window") {
      layer_ = node.attribute("layer").as_int();
      active_ = node.attribute("active").as_bool();
      screen_.keyboard |=
          std::string_view(node.attribute("type").value()).find("INPUT_METHOD") != std::string_view::npos;
    }
    if (const auto a = node.attribute("rotation")) screen_.rotation = a.as_int() & 3;
    if (const auto a = node.attribute("width")) screen_.width = std::max(0, a.as_int());
    if (const auto a = node.attribute("height")) screen_.height = std::max(0, a.as_int());
  }

  /// The next node in pre-order that is not below `node`; leaves elements on its way up.
  pugi::xml_node next(pugi::xml_node node, const pugi::xml_node& document) {
    while (node && node != document) {
      if (const pugi::xml_node sibling = node.next_sibling()) return sibling;
      node = node.parent();
      if (depth_ > 0) --depth_;
    }
    return {};
  }

  Screen finish() {
    choose_package();
    order_windows();
    link_by_depth(screen_.widgets, depths_);
    if (screen_.widgets.empty()) screen_.kind = Screen::Kind::nothing;
    return std::move(screen_);
  }

  /// The package of the active window, else the first that is not the system's own bars.
  void choose_package() {
    const auto active = std::ranges::find_if(windows_, &Window::active);
    if (active != windows_.end()) screen_.package = screen_.widgets[active->begin].package;
    for (const Widget& w : screen_.widgets) {
      if (!screen_.package.empty()) return;
      if (w.package != "com.android.systemui") screen_.package = w.package;
    }
    if (screen_.package.empty() && !screen_.widgets.empty()) screen_.package = screen_.widgets[0].package;
  }

  /// Topmost window last.
  void order_windows() {
    if (std::ranges::is_sorted(windows_, {}, &Window::layer)) return;
    std::vector<Window> order = windows_;
    std::ranges::stable_sort(order, {}, &Window::layer);
    std::vector<Widget> widgets;
    std::vector<std::int32_t> depths;
    for (const Window& w : order) {
      for (std::size_t i = w.begin; i < depths_.size() && (i == w.begin || depths_[i] > 0); ++i) {
        widgets.push_back(std::move(screen_.widgets[i]));
        depths.push_back(depths_[i]);
      }
    }
    screen_.widgets = std::move(widgets), depths_ = std::move(depths);
  }

  ScreenDialect dialect_;
  Screen screen_;
  std::vector<std::int32_t> depths_;
  std::vector<Window> windows_;
  std::int32_t depth_ = 0, layer_ = 0;
  bool active_ = false;
};

/// The first element that is not a container: what tells the dialects apart. Containers hold containers a few
/// deep.
pugi::xml_node first_widget(const pugi::xml_node& document) {
  pugi::xml_node node = document.first_child();
  while (node && (node.type() != pugi::node_element || is_container(node.name()))) {
    const pugi::xml_node below = node.type() == pugi::node_element ? node.first_child() : pugi::xml_node();
    while (!below && node && !node.next_sibling()) node = node.parent();
    node = below ? below : node.next_sibling();
  }
  return node;
}

std::size_t count_elements(const pugi::xml_node& document) {
  const auto children = document.children();
  return static_cast<std::size_t>(
      std::ranges::count_if(children, [](const auto& n) { return n.type() == pugi::node_element; }));
}

Result<ScreenDialect> dialect_of(const pugi::xml_node& document, const std::string& root,
                                 const std::string& where) {
  const pugi::xml_node first = first_widget(document);
  const std::string_view name = first.name();
  if (name.starts_with("XCUIElementType"))
    return fail(Kind::unsupported, "this is a page source of iOS", where, "only Android screens can be read");
  const bool widget = first.attribute("class") || first.attribute("bounds");
  if (!is_container(root) && root != "node" && !widget)
    return fail(Kind::bad_input,
                fmt::format("an XML file whose root is <{}>, not a screen", printable(shorten(root, 60))),
                where, "a screen is a uiautomator dump or an Appium page source");
  if (!is_container(root) && root == name && count_elements(document) > 1 && root != "node")
    return fail(Kind::bad_input, "several page sources in one file", where, "give each its own file");
  if (is_container(root) && count_elements(document) > 1)
    return fail(Kind::bad_input, "several dumps in one file", where, "give each its own file");
  return !first || name == "node" ? ScreenDialect::uiautomator : ScreenDialect::appium;
}

Status check_wanted(ScreenDialect found, std::optional<ScreenDialect> wanted, bool empty,
                    const std::string& where) {
  if (!wanted || empty || found == *wanted) return {};
  const bool appium = found == ScreenDialect::appium;
  return fail(Kind::bad_input,
              appium ? "an Appium page source, not a uiautomator dump"
                     : "a uiautomator dump, not an Appium page source",
              where);
}

std::unexpected<Error> damaged(std::string_view bytes, std::string_view file, std::size_t at,
                               const pugi::xml_parse_result& result) {
  const std::string text = to_utf8(bytes);  // the parser works in place: the text has to be made again
  at = std::min(at, text.size());
  const std::size_t from = text.rfind('<', at) == std::string::npos ? at : text.rfind('<', at);
  return fail(Kind::bad_input,
              fmt::format("the XML is damaged near \"{}\": {}",
                          printable(shorten(text.substr(from, 100), 60)), result.description()),
              place_in(file, text, at), "the dump may have been cut while it was written; take it again");
}

/// Appium writes inner classes as they are, but '$' is not allowed in an XML name. A byte that no UTF-8 text
/// holds takes its place while the parser looks.
constexpr char dollar = '\xff';

void hide_dollars(std::string& text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    at += at + 1 < text.size() && text[at + 1] == '/' ? 2 : 1;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n/<>\"'=", at), text.size());
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(at),
                 text.begin() + static_cast<std::ptrdiff_t>(end), '$', dollar);
    at = end;
  }
}

void show_dollars(Screen& screen) {
  for (Widget& w : screen.widgets) std::ranges::replace(w.cls, dollar, '$');
}

/// The bytes as the parser wants them, and the part of them that is XML.
struct Source {
  std::string text;
  XmlPart part;
};

Result<Source> prepare(std::string_view bytes, std::string_view file) {
  Source source{to_utf8(bytes), {}};
  std::ranges::replace(source.text, '\0', ' ');
  NORN_TRY(source.part, find_xml(source.text, file));
  return source;
}

pugi::xml_parse_result load(pugi::xml_document& document, Source& source) {
  return document.load_buffer_inplace(source.text.data() + source.part.begin,
                                      source.part.end - source.part.begin, pugi::parse_default,
                                      pugi::encoding_utf8);
}

Result<Screen> read_document(const pugi::xml_document& document, const XmlPart& part,
                             const std::string& where, std::optional<ScreenDialect> wanted) {
  NORN_TRY(const ScreenDialect dialect, dialect_of(document, part.root, where));
  NORN_CHECK(check_wanted(dialect, wanted, !first_widget(document), where));
  return Walk(dialect).run(document);
}

}  // namespace

Result<Screen> parse_screen_xml(std::string_view bytes, std::string_view file,
                                std::optional<ScreenDialect> wanted) {
  NORN_TRY(Source source, prepare(bytes, file));
  const std::string where = place_in(file, source.text, source.part.begin);
  pugi::xml_document document;
  if (load(document, source)) return read_document(document, source.part, where, wanted);
  NORN_TRY(source, prepare(bytes, file));  // the parser works in place
  hide_dollars(source.text);
  const pugi::xml_parse_result result = load(document, source);
  if (!result)
    return damaged(bytes, file, source.part.begin + static_cast<std::size_t>(result.offset), result);
  NORN_TRY(Screen screen, read_document(document, source.part, where, wanted));
  show_dollars(screen);
  return screen;
}

}  // namespace norn

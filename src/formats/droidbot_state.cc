#include "formats/droidbot_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/json_depth.h"
#include "base/text.h"
#include "formats/droidbot_fields.h"
#include "formats/dumpsys.h"
#include "formats/screen_text.h"

namespace norn {
namespace {

using Kind = Error::Kind;

bool flag_of(const JsonIn& object, const char* name, bool otherwise) {
  const auto it = object.find(name);
  return it != object.end() && it->is_boolean() ? it->get<bool>() : otherwise;
}

std::int32_t number_of(const JsonIn& object, const char* name, std::int32_t otherwise) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? droidbot_pixels(*it) : otherwise;
}

constexpr std::pair<const char*, Flag> flags[] = {
    {"clickable", Flag::clickable},   {"long_clickable", Flag::long_clickable},
    {"checkable", Flag::checkable},   {"checked", Flag::checked},
    {"focusable", Flag::focusable},   {"focused", Flag::focused},
    {"scrollable", Flag::scrollable}, {"selected", Flag::selected},
    {"is_password", Flag::password},  {"editable", Flag::editable},
};

Widget widget_of(const JsonIn& view) {
  Widget w;
  w.cls = droidbot_text(view, "class"), w.id = droidbot_text(view, "resource_id"),
  w.text = droidbot_text(view, "text");
  w.desc = droidbot_text(view, "content_description"), w.package = droidbot_text(view, "package");
  w.hint = droidbot_text(view, "hint");
  for (const auto& [name, flag] : flags) w.set(flag, flag_of(view, name, false));
  w.set(Flag::enabled, flag_of(view, "enabled", true));
  w.set(Flag::visible, flag_of(view, "visible", true));
  if (is_text_field_class(w.cls)) w.set(Flag::editable);
  w.bounds = droidbot_bounds(view);
  return w;
}

/// The views as a forest: `children[i]` in file order, those of no view under `views.size()`.
std::vector<std::vector<std::size_t>> children_of(const JsonIn& views) {
  std::unordered_map<std::int32_t, std::size_t> by_number;
  for (std::size_t i = 0; i < views.size(); ++i)
    by_number.emplace(number_of(views[i], "temp_id", static_cast<std::int32_t>(i)), i);
  std::vector<std::vector<std::size_t>> children(views.size() + 1);
  for (std::size_t i = 0; i < views.size(); ++i) {
    const auto parent = by_number.find(number_of(views[i], "parent", -1));
    children[parent == by_number.end() ? views.size() : parent->second].push_back(i);
  }
  return children;
}

/// Fills the widgets in pre-order; a view not reached from a root is its own ancestor.
Status fill(Screen& screen, const JsonIn& views, const std::string& file) {
  const auto children = children_of(views);
  std::vector<std::pair<std::size_t, std::int32_t>> todo;  // view, depth
  const auto push = [&](std::size_t of, std::int32_t depth) {
    for (auto it = children[of].rbegin(); it != children[of].rend(); ++it) todo.emplace_back(*it, depth);
  };
  std::vector<std::int32_t> depths;
  push(views.size(), 0);
  while (!todo.empty()) {
    const auto [view, depth] = todo.back();
    todo.pop_back();
    screen.widgets.push_back(widget_of(views[view]));
    depths.push_back(depth);
    push(view, depth + 1);
  }
  link_by_depth(screen.widgets, depths);
  if (screen.widgets.size() == views.size()) return {};
  return fail(Kind::bad_input,
              fmt::format("{} of {} views are their own ancestors", views.size() - screen.widgets.size(),
                          views.size()),
              file);
}

/// Where the text stops being JSON: only asked once it is known that it does.
struct Locate : nlohmann::json_sax<JsonIn> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const JsonIn::exception&) override {
    at = position;
    return false;
  }
  std::size_t at = 0;
};

std::unexpected<Error> not_json(std::string_view text, std::string_view file) {
  Locate locate;
  JsonIn::sax_parse(text.begin(), text.end(), &locate);
  const std::size_t at = std::min(locate.at, text.size());
  const std::string near = printable(shorten(text.substr(at < 20 ? 0 : at - 20, 40), 44));
  return at == text.size()
             ? fail(Kind::bad_input, "the JSON is cut off", place_in(file, text, at),
                    "the run was ended while it was written")
             : fail(Kind::bad_input, fmt::format("not JSON near \"{}\"", near), place_in(file, text, at));
}

Result<const JsonIn*> views_of(const JsonIn& state, const std::string& file) {
  if (!state.is_object()) return fail(Kind::bad_input, "a state is a JSON object, this is none", file);
  const auto views = state.find("views");
  if (views == state.end() || !views->is_array())
    return fail(Kind::bad_input, "no list \"views\" in it: not a state of DroidBot", file);
  for (std::size_t i = 0; i < views->size(); ++i)
    if (!(*views)[i].is_object()) return fail(Kind::bad_input, fmt::format("view {} is no object", i), file);
  return &*views;
}

void name_front(Screen& screen, const JsonIn& state) {
  const std::string front = droidbot_text(state, "foreground_activity");
  if (const auto component = parse_component(front)) {
    screen.package = component->package, screen.activity = component->activity;
    return;
  }
  screen.activity = front;
  if (!screen.widgets.empty()) screen.package = screen.widgets[0].package;
}

}  // namespace

Result<Screen> parse_droidbot_state(std::string_view bytes, std::string_view file) {
  const std::string text = to_utf8(bytes), where(file);
  if (trim(text).empty())
    return fail(Kind::bad_input, "the file is empty", where, "the run was ended while it was written");
  NORN_CHECK(check_json_depth(text, file));
  const Result<JsonIn> state = parse_json(text, file);
  if (!state) return not_json(text, file);
  NORN_TRY(const JsonIn* views, views_of(*state, where));
  Screen screen;
  screen.width = std::max(0, number_of(*state, "width", 0)),
  screen.height = std::max(0, number_of(*state, "height", 0));
  NORN_CHECK(fill(screen, *views, where));
  name_front(screen, *state);
  if (screen.widgets.empty()) screen.kind = Screen::Kind::nothing;
  return screen;
}

}  // namespace norn

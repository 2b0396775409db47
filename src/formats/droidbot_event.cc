// An event of DroidBot's JSON as what was meant: its view is looked up on the screen before it, so that the
// event aims at a widget. What norn has no word for is kept as it was written.
#include <algorithm>

#include "base/text.h"
#include "formats/droidbot_fields.h"
#include "formats/droidbot_run.h"
#include "formats/monkey.h"
#include "gui/target.h"

namespace norn {
namespace {

std::optional<std::int32_t> pixel_of(const JsonIn& object, const char* name) {
  const auto it = object.find(name);
  if (it == object.end() || !it->is_number()) return std::nullopt;
  const auto value = it->get<double>();
  if (!(value > -1e9 && value < 1e9)) return std::nullopt;
  return static_cast<std::int32_t>(value);
}

/// The widget on the screen that is this view.
std::optional<std::size_t> find_view(const Screen& screen, const JsonIn& view) {
  const std::string cls = droidbot_text(view, "class"), id = droidbot_text(view, "resource_id"),
                    text = droidbot_text(view, "text");
  const Rect bounds = droidbot_bounds(view);
  for (std::size_t i = 0; i < screen.widgets.size(); ++i) {
    const Widget& w = screen.widgets[i];
    if (w.bounds == bounds && w.cls == cls && w.id == id && w.text == text) return i;
  }
  return std::nullopt;
}

Target target_of_view(const JsonIn& view, const Screen& before) {
  if (!view.is_object()) return {};
  if (const auto widget = find_view(before, view)) return make_target(before, *widget);
  Target out;
  out.cls = droidbot_text(view, "class");
  out.id = droidbot_text(view, "resource_id");
  out.label = droidbot_text(view, "text");
  if (out.label.empty()) out.label = droidbot_text(view, "content_description");
  return out;
}

/// Where the finger moves: DroidBot names the direction in which the content goes.
Swipe scroll(const JsonIn& event, Target target, const Rect& bounds, Point at) {
  const std::string name = droidbot_text(event, "direction");
  const std::int32_t dx = (bounds.right - bounds.left) / 5 * 2, dy = (bounds.bottom - bounds.top) / 5 * 2;
  if (name == "UP") return {std::move(target), Direction::down, {at.x, at.y - dy}, {at.x, at.y + dy}};
  if (name == "LEFT") return {std::move(target), Direction::right, {at.x - dx, at.y}, {at.x + dx, at.y}};
  if (name == "RIGHT") return {std::move(target), Direction::left, {at.x + dx, at.y}, {at.x - dx, at.y}};
  return {std::move(target), Direction::up, {at.x, at.y + dy}, {at.x, at.y - dy}};
}

std::optional<Event> swipe(const JsonIn& event) {
  const auto x1 = pixel_of(event, "start_x"), y1 = pixel_of(event, "start_y");
  const auto x2 = pixel_of(event, "end_x"), y2 = pixel_of(event, "end_y");
  if (!x1 || !y1 || !x2 || !y2) return std::nullopt;
  const std::int64_t dx = std::int64_t{*x2} - *x1, dy = std::int64_t{*y2} - *y1;
  const Direction direction = std::abs(dx) > std::abs(dy) ? (dx < 0 ? Direction::left : Direction::right)
                                                          : (dy < 0 ? Direction::up : Direction::down);
  return Swipe{{}, direction, {*x1, *y1}, {*x2, *y2}};
}

/// "am start -n org.app/.Main", "am force-stop org.app", "am broadcast -a ACTION".
std::optional<Event> intent(std::string_view command) {
  const auto words = split(trim(command), ' ');
  if (words.size() < 3 || words[0] != "am") return std::nullopt;
  if (words[1] == "force-stop") return System{"kill", {{"package", std::string(words.back())}}};
  for (std::size_t i = 2; words[1] == "start" && i < words.size(); ++i) {
    const auto slash = words[i].find('/');
    if (slash == 0 || slash == std::string_view::npos || words[i].find(':') != std::string_view::npos)
      continue;
    Launch launch{std::string(words[i].substr(0, slash)), std::string(words[i].substr(slash + 1))};
    if (launch.activity.starts_with('.')) launch.activity = launch.package + launch.activity;
    return launch;
  }
  for (std::size_t i = 2; words[1] == "broadcast" && i + 1 < words.size(); ++i)
    if (words[i] == "-a") return System{"broadcast", {{"action", std::string(words[i + 1])}}};
  return std::nullopt;
}

std::optional<Event> known_event(const JsonIn& event, const Screen& before) {
  const std::string type = droidbot_text(event, "event_type");
  const auto view_at = event.find("view");
  const JsonIn view = view_at == event.end() ? JsonIn() : *view_at;
  const Rect bounds = droidbot_bounds(view);
  const Point at{pixel_of(event, "x").value_or(bounds.center().x),
                 pixel_of(event, "y").value_or(bounds.center().y)};
  Target target = target_of_view(view, before);
  if (type == "touch" || type == "select" || type == "unselect") return Tap{std::move(target), at};
  if (type == "long_touch") return LongPress{std::move(target), at};
  if (type == "set_text") return Type{std::move(target), at, droidbot_text(event, "text")};
  if (type == "scroll") return scroll(event, std::move(target), bounds, at);
  if (type == "swipe") return swipe(event);
  if (type == "kill_app") return intent(droidbot_text(event, "stop_intent"));
  if (type == "intent" || type == "spawn") return intent(droidbot_text(event, "intent"));
  if (type == "key") {
    if (const auto code = key_code(droidbot_text(event, "name"))) return Key{*code};
  }
  return std::nullopt;
}

}  // namespace

Event droidbot_event(std::string_view json, const Screen& before) {
  const auto event = parse_json(json, "");
  if (event && event->is_object())
    if (auto known = known_event(*event, before)) return *std::move(known);
  return Raw{"droidbot", shorten(json, 4000)};
}

}  // namespace norn

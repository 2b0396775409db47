// Screens, crashes, coverage and observations as JSON.
#include "formats/json_values.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace norn {
namespace {

constexpr std::array<std::string_view, 12> flag_names{
    "clickable", "long-clickable", "checkable", "checked",  "enabled",  "focusable",
    "focused",   "scrollable",     "selected",  "password", "editable", "visible"};
constexpr auto usual_flags =
    static_cast<std::uint16_t>(static_cast<unsigned>(Flag::enabled) | static_cast<unsigned>(Flag::visible));
constexpr std::array<std::string_view, 4> screen_kinds{"app", "outside", "nothing", "unseen"};
constexpr std::array<std::string_view, 3> crash_kinds{"exception", "native", "anr"};
constexpr std::array<std::string_view, 3> roles{"top", "cause", "suppressed"};
constexpr std::uint64_t most_ids = std::uint64_t{1} << 26,  ///< of one observation
    most_id = 0xffffffffU;

template <class Enum, std::size_t N>
std::string_view name(Enum value, const std::array<std::string_view, N>& names) {
  return names[static_cast<std::size_t>(value) % N];
}

template <class Enum, std::size_t N>
void read_name(Fields& in, const char* field, const std::array<std::string_view, N>& names, Enum& out) {
  std::string text(name(out, names));
  in.text(field, text);
  const auto it = std::find(names.begin(), names.end(), text);
  if (it == names.end())
    in.refuse(field, fmt::format("one of {}", fmt::join(names, ", ")));
  else
    out = static_cast<Enum>(it - names.begin());
}

// ---- widgets ----

JsonOut flags_value(std::uint16_t flags) {
  JsonOut out = JsonOut::array();
  for (std::size_t i = 0; i < flag_names.size(); ++i)
    if ((flags >> i & 1) != 0) out.push_back(flag_names[i]);
  return out;
}

std::optional<std::uint16_t> flags_from(const JsonIn& value) {
  if (!value.is_array()) return std::nullopt;
  std::uint16_t flags = 0;
  for (const JsonIn& item : value) {
    if (!item.is_string()) return std::nullopt;
    const auto it = std::find(flag_names.begin(), flag_names.end(), item.get_ref<const std::string&>());
    if (it == flag_names.end()) return std::nullopt;
    flags = static_cast<std::uint16_t>(flags | 1U << (it - flag_names.begin()));
  }
  return flags;
}

JsonOut widget_value(const Widget& w, std::int32_t depth) {
  JsonOut out = JsonOut::object();
  if (depth != 0) out["depth"] = depth;
  put_text(out, "class", w.cls);
  put_text(out, "id", w.id);
  put_text(out, "text", w.text);
  put_text(out, "desc", w.desc);
  put_text(out, "hint", w.hint);
  put_text(out, "package", w.package);
  if (w.bounds != Rect{}) out["bounds"] = {w.bounds.left, w.bounds.top, w.bounds.right, w.bounds.bottom};
  if (w.flags != usual_flags) out["flags"] = flags_value(w.flags);
  return out;
}

void read_bounds(Fields& in, Rect& out) {
  const JsonIn* value = in.find("bounds");
  if (value == nullptr) return;
  if (!value->is_array() || value->size() != 4) return void(in.refuse("bounds", "[left,top,right,bottom]"));
  const JsonIn corners{{"a", {(*value)[0], (*value)[1]}}, {"b", {(*value)[2], (*value)[3]}}};
  Point a, b;
  Fields corner(corners, "bounds");
  in.keep(corner.point("a", a).point("b", b).status());
  out = {a.x, a.y, b.x, b.y};
}

Status read_widget(const JsonIn& value, Widget& w, std::int32_t& depth) {
  Fields in(value, "widget");
  w.flags = usual_flags;
  in.number("depth", depth).text("class", w.cls).text("id", w.id).text("text", w.text).text("desc", w.desc);
  in.text("hint", w.hint).text("package", w.package);
  read_bounds(in, w.bounds);
  if (const JsonIn* flags = in.find("flags")) {
    if (const auto read = flags_from(*flags))
      w.flags = *read;
    else
      in.refuse("flags", fmt::format("a list of {}", fmt::join(flag_names, ", ")));
  }
  return in.status();
}

Status read_widgets(const JsonIn& list, std::vector<Widget>& widgets) {
  if (!list.is_array()) return fail(Error::Kind::bad_input, "\"widgets\" of screen must be a list");
  std::vector<std::int32_t> depths;
  std::int32_t deepest = 0;  // how deep the next one may lie
  for (const JsonIn& item : list) {
    Widget widget;
    std::int32_t depth = 0;
    NORN_CHECK(read_widget(item, widget, depth));
    if (depth < 0 || depth > deepest)
      return fail(Error::Kind::bad_input, fmt::format("widget {} has depth {} where at most {} is possible",
                                                      widgets.size(), depth, deepest));
    deepest = depth + 1;
    depths.push_back(depth);
    widgets.push_back(std::move(widget));
  }
  link_by_depth(widgets, depths);
  return {};
}

std::vector<std::int32_t> depths_of(const std::vector<Widget>& widgets) {
  std::vector<std::int32_t> out(widgets.size(), 0);
  for (std::size_t i = 0; i < widgets.size(); ++i) {
    const auto parent = static_cast<std::size_t>(widgets[i].parent);
    if (widgets[i].parent >= 0 && parent < i) out[i] = out[parent] + 1;
  }
  return out;
}

// ---- crashes ----

JsonOut thrown_value(const Thrown& thrown) {
  JsonOut out = JsonOut::object();
  if (thrown.role != Thrown::Role::top) out["role"] = name(thrown.role, roles);
  out["type"] = thrown.type;
  put_text(out, "message", thrown.message);
  JsonOut frames = JsonOut::array();
  for (const Frame& f : thrown.frames) {
    JsonOut frame = JsonOut::array({f.function, f.file});
    if (f.line != 0) frame.push_back(f.line);
    frames.push_back(std::move(frame));
  }
  if (!frames.empty()) out["frames"] = std::move(frames);
  if (thrown.more != 0) out["more"] = thrown.more;
  return out;
}

Result<Frame> frame_from(const JsonIn& value) {
  const auto refused = fail(Error::Kind::bad_input, "a frame must be [\"function\",\"file\",line]");
  if (!value.is_array() || value.empty() || value.size() > 3) return refused;
  Frame out;
  const JsonIn named{{"function", value[0]},
                     {"file", value.size() > 1 ? value[1] : JsonIn()},
                     {"line", value.size() > 2 ? value[2] : JsonIn()}};
  Fields in(named, "frame");
  NORN_CHECK(in.text("function", out.function).text("file", out.file).number("line", out.line).status());
  return out;
}

Result<Thrown> thrown_from(const JsonIn& value) {
  Thrown out;
  Fields in(value, "thrown");
  read_name(in, "role", roles, out.role);
  in.text("type", out.type).text("message", out.message).number("more", out.more);
  const JsonIn* frames = in.find("frames");
  if (frames != nullptr && !frames->is_array()) in.refuse("frames", "a list");
  NORN_CHECK(in.status());
  for (std::size_t i = 0; frames != nullptr && i < frames->size(); ++i) {
    NORN_TRY(Frame frame, frame_from((*frames)[i]));
    out.frames.push_back(std::move(frame));
  }
  return out;
}

}  // namespace

void put_text(JsonOut& out, const char* field, const std::string& text) {
  if (!text.empty()) out[field] = text;
}

JsonOut to_json_value(const Screen& screen) {
  JsonOut out = JsonOut::object();
  if (screen.kind != Screen::Kind::app) out["kind"] = name(screen.kind, screen_kinds);
  put_text(out, "package", screen.package);
  put_text(out, "activity", screen.activity);
  if (screen.rotation != 0) out["rotation"] = screen.rotation;
  if (screen.keyboard) out["keyboard"] = true;
  if (screen.width != 0) out["width"] = screen.width;
  if (screen.height != 0) out["height"] = screen.height;
  if (screen.widgets.empty()) return out;
  const std::vector<std::int32_t> depths = depths_of(screen.widgets);
  JsonOut& widgets = out["widgets"] = JsonOut::array();
  for (std::size_t i = 0; i < depths.size(); ++i)
    widgets.push_back(widget_value(screen.widgets[i], depths[i]));
  return out;
}

Result<Screen> screen_from(const JsonIn& value) {
  Screen out;
  Fields in(value, "screen");
  read_name(in, "kind", screen_kinds, out.kind);
  in.text("package", out.package).text("activity", out.activity).number("rotation", out.rotation);
  in.flag("keyboard", out.keyboard).number("width", out.width).number("height", out.height);
  NORN_CHECK(in.status());
  if (const JsonIn* widgets = in.find("widgets")) NORN_CHECK(read_widgets(*widgets, out.widgets));
  return out;
}

JsonOut to_json_value(const Crash& crash) {
  JsonOut out = JsonOut::object();
  if (crash.kind != Crash::Kind::exception) out["kind"] = name(crash.kind, crash_kinds);
  put_text(out, "process", crash.process);
  if (crash.handled) out["handled"] = true;
  JsonOut& chain = out["chain"] = JsonOut::array();
  for (const Thrown& thrown : crash.chain) chain.push_back(thrown_value(thrown));
  return out;
}

Result<Crash> crash_from(const JsonIn& value) {
  Crash out;
  Fields in(value, "crash");
  read_name(in, "kind", crash_kinds, out.kind);
  in.text("process", out.process).flag("handled", out.handled);
  const JsonIn* chain = in.find("chain");
  if (chain == nullptr || !chain->is_array() || chain->empty())
    in.refuse("chain", "a list with at least one entry");
  NORN_CHECK(in.status());
  for (const JsonIn& item : *chain) {
    NORN_TRY(Thrown thrown, thrown_from(item));
    out.chain.push_back(std::move(thrown));
  }
  return out;
}

JsonOut to_json_value(const Coverage& coverage) {
  JsonOut out = JsonOut::array();
  const std::vector<std::uint32_t> ids = coverage.ids();
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    if (end - i == 1)
      out.push_back(ids[i]);
    else
      out.push_back({ids[i], ids[end - 1]});
    i = end;
  }
  return out;
}

Result<Coverage> coverage_from(const JsonIn& value) {
  const auto refused =
      fail(Error::Kind::bad_input,
           fmt::format("coverage must be a list of ids (0 to {}) and [first,last] runs", most_id));
  if (!value.is_array()) return refused;
  const auto is_id = [](const JsonIn& v) {
    return v.is_number_unsigned() && v.get<std::uint64_t>() <= most_id;
  };
  std::vector<std::uint32_t> ids;
  for (const JsonIn& item : value) {
    const bool run = item.is_array() && item.size() == 2 && is_id(item[0]) && is_id(item[1]);
    if (!run && !is_id(item)) return refused;
    const auto first = (run ? item[0] : item).get<std::uint64_t>(),
               last = (run ? item[1] : item).get<std::uint64_t>();
    if (first > last) return refused;
    if (last - first + ids.size() >= most_ids)
      return fail(Error::Kind::bad_input, fmt::format("coverage may hold {} ids at most", most_ids));
    for (std::uint64_t id = first; id <= last; ++id) ids.push_back(static_cast<std::uint32_t>(id));
  }
  return Coverage(ids);
}

JsonOut to_json_value(const Observation& seen, JsonOut screen) {
  JsonOut out = JsonOut::object();
  out["screen"] = std::move(screen);
  if (!seen.hit.empty()) out["hit"] = to_json_value(seen.hit);
  if (seen.crash) out["crash"] = to_json_value(*seen.crash);
  if (seen.at != 0 && std::isfinite(seen.at)) out["at"] = seen.at;
  if (!seen.settled) out["settled"] = false;
  if (!seen.log.empty()) out["log"] = seen.log;
  return out;
}

JsonOut to_json_value(const Observation& seen) { return to_json_value(seen, to_json_value(seen.screen)); }

Result<Observation> observation_without_screen_from(const JsonIn& value) {
  Observation out;
  out.screen.kind = Screen::Kind::unseen;
  Fields in(value, "observation");
  in.number("at", out.at).flag("settled", out.settled).texts("log", out.log);
  NORN_CHECK(in.status());
  if (const JsonIn* hit = in.find("hit")) {
    NORN_TRY(out.hit, coverage_from(*hit));
  }
  if (const JsonIn* crash = in.find("crash")) {
    NORN_TRY(out.crash, crash_from(*crash));
  }
  return out;
}

Result<Observation> observation_from(const JsonIn& value) {
  NORN_TRY(Observation out, observation_without_screen_from(value));
  if (const JsonIn* screen = Fields(value, "observation").find("screen")) {
    NORN_TRY(out.screen, screen_from(*screen));
  }
  return out;
}

}  // namespace norn

// Scripts for `monkey -f`, both ways. A command is a name and arguments in brackets; pointer commands in a row
// are one gesture.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "formats/monkey.h"
#include "formats/monkey_gesture.h"

namespace norn {
namespace {

constexpr std::pair<std::string_view, std::int32_t> key_table[] = {
    {"HOME", 3},         {"BACK", 4},          {"CALL", 5},         {"ENDCALL", 6},
    {"STAR", 17},        {"POUND", 18},        {"DPAD_UP", 19},     {"DPAD_DOWN", 20},
    {"DPAD_LEFT", 21},   {"DPAD_RIGHT", 22},   {"DPAD_CENTER", 23}, {"VOLUME_UP", 24},
    {"VOLUME_DOWN", 25}, {"POWER", 26},        {"CAMERA", 27},      {"CLEAR", 28},
    {"COMMA", 55},       {"PERIOD", 56},       {"TAB", 61},         {"SPACE", 62},
    {"EXPLORER", 64},    {"ENVELOPE", 65},     {"ENTER", 66},       {"DEL", 67},
    {"MENU", 82},        {"NOTIFICATION", 83}, {"SEARCH", 84},      {"MEDIA_PLAY_PAUSE", 85},
    {"PAGE_UP", 92},     {"PAGE_DOWN", 93},    {"ESCAPE", 111},     {"FORWARD_DEL", 112},
    {"MUTE", 91},        {"VOLUME_MUTE", 164}, {"SETTINGS", 176},   {"APP_SWITCH", 187},
    {"WAKEUP", 224}};

constexpr std::array<std::string_view, 27> commands{"DispatchPointer",
                                                    "DispatchTrackball",
                                                    "DispatchKey",
                                                    "DispatchFlip",
                                                    "DispatchPress",
                                                    "DispatchString",
                                                    "LaunchActivity",
                                                    "LaunchInstrumentation",
                                                    "UserWait",
                                                    "LongPress",
                                                    "PowerLog",
                                                    "WriteLog",
                                                    "WriteFPS",
                                                    "RunCmd",
                                                    "Tap",
                                                    "ProfileWait",
                                                    "DeviceWakeUp",
                                                    "StartCaptureFramerate",
                                                    "EndCaptureFramerate",
                                                    "RotateScreen",
                                                    "StartCaptureAppFramerate",
                                                    "EndCaptureAppFramerate",
                                                    "PressAndHold",
                                                    "Drag",
                                                    "PinchZoom",
                                                    "DispatchKeys",
                                                    "DispatchRotation"};

/// "Tap(14.0, 141.0, 0)" taken apart.
struct Command {
  std::string_view name, inside;
  std::vector<std::string_view> args;

  std::optional<double> number(std::size_t i) const {
    return i < args.size() ? to_double(args[i]) : std::nullopt;
  }
  std::optional<Point> point(std::size_t i) const {
    const auto x = number(i), y = number(i + 1);
    if (!x || !y) return std::nullopt;
    return Point{to_pixel(*x), to_pixel(*y)};
  }
};

std::optional<Command> parse_command(std::string_view line) {
  line = trim(line);
  const auto open = line.find('('), close = line.rfind(')');
  if (open == line.npos || close == line.npos || close < open) return std::nullopt;
  Command out;
  out.name = trim(line.substr(0, open));
  if (std::find(commands.begin(), commands.end(), out.name) == commands.end()) return std::nullopt;
  out.inside = line.substr(open + 1, close - open - 1);
  for (const auto part : split(out.inside, ',')) out.args.push_back(trim(part));
  return out;
}

Direction direction_of(Point from, Point to) {
  const std::int64_t dx = std::int64_t{to.x} - from.x, dy = std::int64_t{to.y} - from.y;
  if (std::abs(dx) > std::abs(dy)) return dx < 0 ? Direction::left : Direction::right;
  return dy < 0 ? Direction::up : Direction::down;
}

constexpr int fling_steps = 5, drag_steps = 20;  ///< up to the first a Drag is meant as a fling

std::optional<Event> read_tap(const Command& c) {
  const auto at = c.point(0);
  if (!at) return std::nullopt;
  if (c.number(2).value_or(0) >= static_cast<double>(PointerGesture::long_press_ms))
    return LongPress{{}, *at};
  return Tap{{}, *at};
}

std::optional<Event> read_drag(const Command& c) {
  const auto from = c.point(0), to = c.point(2);
  const auto steps = c.number(4);
  if (!from || !to || !steps) return std::nullopt;
  if (*steps <= fling_steps) return Swipe{{}, direction_of(*from, *to), *from, *to};
  return Drag{{}, *from, *to};
}

std::optional<Event> read_pinch(const Command& c) {
  const auto a1 = c.point(0), a2 = c.point(2), b1 = c.point(4), b2 = c.point(6);
  if (!a1 || !a2 || !b1 || !b2) return std::nullopt;
  PointerGesture gesture;
  gesture.down(*a1);
  gesture.two(*a1, *b1);
  gesture.two(*a2, *b2);
  return gesture.up();
}

std::optional<Event> read_rotation(const Command& c) {
  const auto degree = c.number(0);
  if (!degree || *degree < 0 || *degree > 360) return std::nullopt;
  const auto turns = static_cast<std::int32_t>(*degree);
  return Rotate{turns > 3 ? turns / 90 % 4 : turns};
}

/// DispatchString hands its text to `input text`, which takes it up to a blank and types "%s" as one.
std::string typed_text(std::string_view inside) {
  std::string text;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool blank = inside.substr(i, 2) == "%s";
    text.push_back(blank ? ' ' : inside[i]);
    i += blank;
  }
  return text;
}

/// Monkey cuts a command off at its first bracket and takes a DispatchString with one argument only; empty:
/// nothing that it could type this text with.
std::string write_text(std::string_view text) {
  const bool typable = text.find("%s") == text.npos && std::none_of(text.begin(), text.end(), [](char c) {
                         return c == ',' || c == ')' || (c >= 0 && c < ' ') || c == 0x7f;
                       });
  std::string out;
  if (!typable) return out;
  for (const char c : text) c == ' ' ? out += "%s" : out += c;
  return out;
}

/// Commands that are one event by themselves.
std::optional<Event> read_single(const Command& c) {
  if (c.name == "Tap") return read_tap(c);
  if (c.name == "PressAndHold") {
    const auto at = c.point(0);
    return at ? std::optional<Event>(LongPress{{}, *at}) : std::nullopt;
  }
  if (c.name == "Drag") return read_drag(c);
  if (c.name == "PinchZoom") return read_pinch(c);
  if (c.name == "RotateScreen") return read_rotation(c);
  if (c.name == "DispatchString") return Type{{}, {}, typed_text(c.inside)};
  if (c.name == "DeviceWakeUp") return Key{224};
  if (c.name == "DispatchPress") {
    const auto code = key_code(c.args[0]);
    return code ? std::optional<Event>(Key{*code}) : std::nullopt;
  }
  if (c.name == "LaunchActivity" && c.args.size() >= 2)
    return Launch{std::string(c.args[0]), std::string(c.args[1])};
  if (c.name == "UserWait") {
    const auto ms = c.number(0);
    return ms && *ms >= 0 && *ms < 1e9 ? std::optional<Event>(Wait{to_pixel(*ms)}) : std::nullopt;
  }
  return std::nullopt;
}

class ScriptReader {
 public:
  void line(std::string_view text) {
    if (trim(text).empty() || trim(text).starts_with('#')) return;
    const auto command = parse_command(text);
    if (!command)
      out_.skipped.emplace_back(shorten(printable(trim(text)), 120));
    else if (!in_gesture(*command) && !key_pair(*command))
      out_.events.push_back(read_single(*command).value_or(Raw{"monkey", std::string(trim(text))}));
  }

  MonkeyScript finish() {
    if (gesture_.is_down()) out_.events.push_back(gesture_.up());
    return std::move(out_);
  }

 private:
  /// DispatchPointer(downTime, eventTime, action, x, y, ...) from down to up, and the waits between.
  bool in_gesture(const Command& c) {
    if (c.name == "UserWait" && gesture_.is_down()) {
      gesture_.wait(static_cast<std::int64_t>(std::clamp(c.number(0).value_or(0), 0.0, 1e9)));
      return true;
    }
    const auto action = c.number(2);
    const auto at = c.point(3);
    if (c.name != "DispatchPointer" || !action || !at) return false;
    if (*action == 0) {
      if (gesture_.is_down()) out_.events.push_back(gesture_.up());
      gesture_.down(*at);
    } else if (*action == 2 && gesture_.is_down()) {
      gesture_.move(*at);
    } else if (*action == 1 && gesture_.is_down()) {
      gesture_.move(*at);
      out_.events.push_back(gesture_.up());
    } else {
      return false;
    }
    return true;
  }

  /// DispatchKey(downTime, eventTime, action, code, ...): down and up are one key press.
  bool key_pair(const Command& c) {
    const auto action = c.number(2);
    const auto code = c.args.size() > 3 ? key_code(c.args[3]) : std::nullopt;
    if (c.name != "DispatchKey" || !action || !code) return false;
    if (*action == 0 && !(key_down_ == code)) out_.events.push_back(Key{*code});
    if (*action == 1 && key_down_ != code) out_.events.push_back(Key{*code});
    key_down_ = *action == 0 ? code : std::nullopt;
    return true;
  }

  MonkeyScript out_;
  PointerGesture gesture_;
  std::optional<std::int32_t> key_down_;
};

// ---- writing ----

std::string pointer(int action, Point p, int ms) {
  return fmt::format("DispatchPointer(0,{},{},{}.0,{}.0,1.0,1.0,0,1.0,1.0,0,0)\n", ms, action, p.x, p.y);
}

std::string drag(Point from, Point to, int steps) {
  return fmt::format("Drag({}.0,{}.0,{}.0,{}.0,{})\n", from.x, from.y, to.x, to.y, steps);
}

std::string write_pinch(const Pinch& e) {
  const auto ends = [&](std::int32_t apart) {
    return std::pair{e.at.x - apart / 2, e.at.x - apart / 2 + apart};
  };
  const auto [a1, b1] = ends(e.from);
  const auto [a2, b2] = ends(e.to);
  return fmt::format("PinchZoom({0}.0,{4}.0,{1}.0,{4}.0,{2}.0,{4}.0,{3}.0,{4}.0,{5})\n", a1, a2, b1, b2,
                     e.at.y, drag_steps);
}

bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == text.npos; }
bool usable(Point p) { return p.x >= 0 && p.y >= 0 && p.x < 100'000 && p.y < 100'000; }
/// A target without its point cannot be hit: (0,0) beside one means that nobody recorded where it was.
bool known(const Target& target, Point p) { return usable(p) && (target.empty() || p != Point{}); }

/// The lines for one event; empty where Monkey has none.
struct ScriptWriter {
  std::string operator()(const Tap& e) const {
    return known(e.target, e.at) ? fmt::format("Tap({}.0,{}.0,0)\n", e.at.x, e.at.y) : "";
  }
  /// PressAndHold never lifts the finger in some versions.
  std::string operator()(const LongPress& e) const {
    return known(e.target, e.at) ? pointer(0, e.at, 0) + "UserWait(700)\n" + pointer(1, e.at, 700) : "";
  }
  std::string operator()(const Swipe& e) const {
    return usable(e.from) && usable(e.to) && e.from != e.to ? drag(e.from, e.to, fling_steps) : "";
  }
  std::string operator()(const Drag& e) const {
    return usable(e.from) && usable(e.to) ? drag(e.from, e.to, drag_steps) : "";
  }
  std::string operator()(const Pinch& e) const {
    const bool good = known(e.target, e.at) && e.from >= 0 && e.to >= 0 && e.from < 100'000 && e.to < 100'000;
    return good ? write_pinch(e) : "";
  }
  std::string operator()(const Type& e) const {
    const std::string text = write_text(e.text);
    if (text.empty()) return "";
    const bool focus = e.at != Point{} && usable(e.at);
    if (!focus && !e.target.empty()) return "";
    return (focus ? fmt::format("Tap({}.0,{}.0,0)\n", e.at.x, e.at.y) : "") +
           fmt::format("DispatchString({})\n", text);
  }
  std::string operator()(const Key& e) const { return fmt::format("DispatchPress({})\n", e.code); }
  std::string operator()(const Launch& e) const {
    const bool good = !e.package.empty() && !e.activity.empty() &&
                      (e.package + e.activity).find_first_of(" ,()\r\n\t") == std::string::npos;
    return good ? fmt::format("LaunchActivity({},{})\n", e.package, e.activity) : "";
  }
  std::string operator()(const Rotate& e) const {
    return e.rotation >= 0 && e.rotation < 4 ? fmt::format("RotateScreen({},1)\n", e.rotation) : "";
  }
  std::string operator()(const System&) const { return ""; }
  std::string operator()(const Wait& e) const {
    return e.ms >= 0 && e.ms < 1'000'000'000 ? fmt::format("UserWait({})\n", e.ms) : "";
  }
  std::string operator()(const Raw& e) const {
    return e.format == "monkey" && is_one_line(e.text) && parse_command(e.text) ? e.text + "\n" : "";
  }
};

/// Header and body of a script; the body is everything where there is no header.
std::string_view body_of(std::string_view text) {
  constexpr std::string_view mark = "start data >>";
  const auto at = text.find(mark);
  return at == text.npos ? text : text.substr(at + mark.size());
}

}  // namespace

std::optional<std::int32_t> key_code(std::string_view name) {
  name = trim(name);
  if (const auto number = to_int(name)) {
    if (*number < 0 || *number > 0x7fffffff) return std::nullopt;
    return static_cast<std::int32_t>(*number);
  }
  if (name.starts_with("KEYCODE_")) name.remove_prefix(8);
  if (name.size() == 1 && name[0] >= '0' && name[0] <= '9') return 7 + (name[0] - '0');
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') return 29 + (name[0] - 'A');
  for (const auto& [known_name, code] : key_table)
    if (known_name == name) return code;
  return std::nullopt;
}

bool is_monkey_script(std::string_view bytes) {
  const std::string text = to_utf8(bytes.substr(0, 64 * 1024));
  if (text.find("start data >>") != std::string::npos) return true;
  std::size_t good = 0, all = 0;
  for (const auto line : lines(text)) {
    if (trim(line).empty()) continue;
    ++all;
    good += parse_command(line).has_value();
  }
  return good > 0 && good * 4 >= all * 3;
}

Result<MonkeyScript> parse_monkey_script(std::string_view bytes, std::string_view file) {
  const std::string text = to_utf8(bytes);
  ScriptReader reader;
  for (const auto line : lines(body_of(text))) reader.line(line);
  MonkeyScript out = reader.finish();
  if (out.events.empty())
    return fail(Error::Kind::bad_input, "there is no Monkey command in it", std::string(file),
                "a script has lines such as Tap(10.0,20.0,0) after \"start data >>\"");
  return out;
}

MonkeyExport write_monkey_script(std::span<const Event> events) {
  MonkeyExport out;
  std::string body;
  std::size_t written = 0;
  for (const Event& event : events) {
    const std::string text = std::visit(ScriptWriter{}, event);
    body += text;
    written += !text.empty();
    if (text.empty()) out.skipped.push_back(describe(event));
  }
  out.text = fmt::format("type= user\ncount= {}\nspeed= 1.0\nstart data >>\n{}", written, body);
  return out;
}

}  // namespace norn

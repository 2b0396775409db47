// One table of kinds, one visitor per question: what it is called, what it aims at, what makes two of them
// the same, how a person would say it.
#include "gui/event.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "base/hash.h"
#include "base/text.h"

namespace norn {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

constexpr std::array<std::string_view, std::variant_size_v<Event>> kind_names = {
    "tap", "long-press", "swipe",  "drag",   "pinch", "type",
    "key", "launch",     "rotate", "system", "wait",  "raw"};

constexpr std::pair<std::int32_t, std::string_view> key_names[] = {
    {key::home, "home"},
    {key::back, "back"},
    {key::call, "call"},
    {key::end_call, "end-call"},
    {key::dpad_up, "dpad-up"},
    {key::dpad_down, "dpad-down"},
    {key::dpad_left, "dpad-left"},
    {key::dpad_right, "dpad-right"},
    {key::dpad_center, "dpad-center"},
    {key::volume_up, "volume-up"},
    {key::volume_down, "volume-down"},
    {key::power, "power"},
    {key::camera, "camera"},
    {key::enter, "enter"},
    {key::del, "delete"},
    {key::menu, "menu"},
    {key::search, "search"},
    {key::app_switch, "app-switch"},
};

std::string_view direction_name(Direction d) {
  constexpr std::array<std::string_view, 4> names = {"up", "down", "left", "right"};
  return names[static_cast<std::size_t>(d) & 3];
}

std::string show(Point p) { return fmt::format("({},{})", p.x, p.y); }
/// `"Save"`, `id/title`, `Button at /0/2/1`, each with `#2` where it is the second of several equal ones.
std::string show(const Target& t) {
  std::string out = !t.label.empty() ? quoted(t.label, 60)
                    : !t.id.empty()  ? fmt::format("id/{}", printable(shorten(after_last(t.id, '/'), 60)))
                    : !t.cls.empty() ? printable(shorten(after_last(t.cls, '.'), 60))
                                     : std::string("widget");
  if (t.label.empty() && t.id.empty() && !t.path.empty()) out += " at " + printable(shorten(t.path, 60));
  if (t.ordinal) out += fmt::format(" #{}", *t.ordinal + 1);
  return out;
}
std::string show(const Target& t, Point at) { return t.empty() ? show(at) : show(t); }
std::string show(const Target& t, Point from, Point to) {
  return t.empty() ? show(from) + " to " + show(to) : show(t);
}

std::string describe_system(const System& e) {
  std::string out = printable(shorten(e.name, 60));
  for (const auto& [name, value] : e.extras)
    out += fmt::format(" {}={}", printable(shorten(name, 40)), quoted(value, 60));
  return out;
}

void add(Hasher& h, Point p) { h.add(static_cast<std::uint64_t>(p.x)).add(static_cast<std::uint64_t>(p.y)); }

/// The target; or, where there is none, the points.
template <class... Points>
void add(Hasher& h, const Target& t, Points... points) {
  h.add(t.cls).add(t.id).add(t.label).add(t.path);
  h.add(t.ordinal ? static_cast<std::uint64_t>(*t.ordinal) + 1 : 0);
  if (t.empty()) (add(h, points), ...);
}

template <class E>
concept Aimed = requires(E e) { e.target; };

}  // namespace

EventKey event_key(const Event& event) {
  Hasher h;
  h.add(event.index());
  const auto number = [&h](std::int32_t n) { h.add(static_cast<std::uint64_t>(n)); };
  std::visit(
      Overloaded{
          [&](const Tap& e) { add(h, e.target, e.at); }, [&](const LongPress& e) { add(h, e.target, e.at); },
          [&](const Swipe& e) {
            number(static_cast<std::int32_t>(e.direction));
            add(h, e.target, e.from, e.to);
          },
          [&](const Drag& e) { add(h, e.target, e.from, e.to); },
          [&](const Pinch& e) {
            number(e.from), number(e.to);
            add(h, e.target, e.at);
          },
          [&](const Type& e) {
            h.add(e.text);
            add(h, e.target, e.at);
          },
          [&](const Key& e) { number(e.code); }, [&](const Launch& e) { h.add(e.package).add(e.activity); },
          [&](const Rotate& e) { number(e.rotation); },
          [&](const System& e) {
            h.add(e.name).add(e.extras.size());
            for (const auto& [name, value] : e.extras) h.add(name).add(value);
          },
          [&](const Wait& e) { number(e.ms); }, [&](const Raw& e) { h.add(e.format).add(e.text); }},
      event);
  return h.finish();
}

const Target* target_of(const Event& event) {
  return std::visit(
      [](const auto& e) -> const Target* {
        if constexpr (Aimed<std::decay_t<decltype(e)>>) return &e.target;
        return nullptr;
      },
      event);
}

Target* target_of(Event& event) { return const_cast<Target*>(target_of(std::as_const(event))); }

const Point* point_of(const Event& event) {
  return std::visit(
      []<class E>(const E& e) -> const Point* {
        if constexpr (requires { e.at; })
          return &e.at;
        else if constexpr (std::is_same_v<E, Swipe> || std::is_same_v<E, Drag>)
          return &e.from;
        else
          return nullptr;
      },
      event);
}

Point* point_of(Event& event) { return const_cast<Point*>(point_of(std::as_const(event))); }

const Point* end_of(const Event& event) {
  if (const auto* swipe = std::get_if<Swipe>(&event)) return &swipe->to;
  const auto* drag = std::get_if<Drag>(&event);
  return drag == nullptr ? nullptr : &drag->to;
}

Point* end_of(Event& event) { return const_cast<Point*>(end_of(std::as_const(event))); }

std::string_view kind_name(const Event& event) { return kind_names[event.index()]; }

std::string key_name(std::int32_t code) {
  const auto* found = std::ranges::find(key_names, code, &std::pair<std::int32_t, std::string_view>::first);
  return found == std::end(key_names) ? std::to_string(code) : std::string(found->second);
}

std::string describe(const Event& event) {
  return std::visit(
      Overloaded{[](const Tap& e) { return "tap " + show(e.target, e.at); },
                 [](const LongPress& e) { return "long-press " + show(e.target, e.at); },
                 [](const Swipe& e) {
                   return fmt::format("swipe {} over {}", direction_name(e.direction),
                                      show(e.target, e.from, e.to));
                 },
                 [](const Drag& e) {
                   const std::string where = e.target.empty() ? "" : show(e.target) + " ";
                   return fmt::format("drag {}{} to {}", where, show(e.from), show(e.to));
                 },
                 [](const Pinch& e) {
                   return fmt::format("pinch {} {}", e.to >= e.from ? "open" : "close", show(e.target, e.at));
                 },
                 [](const Type& e) {
                   return "type " + quoted(e.text, 60) + (e.target.empty() ? "" : " into " + show(e.target));
                 },
                 [](const Key& e) {
                   const std::string name = key_name(e.code);
                   return name == std::to_string(e.code) ? "key " + name : name;
                 },
                 [](const Launch& e) {
                   return "launch " + printable(shorten(e.activity.empty() ? e.package : e.activity, 120));
                 },
                 [](const Rotate& e) { return fmt::format("rotate to {}", e.rotation); },
                 [](const System& e) { return "system " + describe_system(e); },
                 [](const Wait& e) { return fmt::format("wait {} ms", e.ms); },
                 [](const Raw& e) {
                   return fmt::format("raw {} {}", printable(shorten(e.format, 40)), quoted(e.text, 60));
                 }},
      event);
}

}  // namespace norn

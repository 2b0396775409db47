// Events as JSON, both ways: a function to write and one to read for each kind, chosen by std::visit, so that a
// kind without them does not compile.
#include <fmt/core.h>

#include <array>

#include "formats/json_values.h"

namespace norn {
namespace {

constexpr std::array<std::string_view, 4> directions{"up", "down", "left", "right"};

void put(JsonOut& out, const char* name, Point point) {
  if (point != Point{}) out[name] = {point.x, point.y};
}
void put(JsonOut& out, const Target& target) {
  if (target != Target{}) out["target"] = to_json_value(target);
}

// ---- writing: one function a kind; the "kind" field is already there ----

void write(JsonOut& out, const Tap& e) { put(out, e.target), put(out, "at", e.at); }
void write(JsonOut& out, const LongPress& e) { put(out, e.target), put(out, "at", e.at); }
void write(JsonOut& out, const Swipe& e) {
  put(out, e.target);
  out["direction"] = directions[static_cast<std::size_t>(e.direction) % directions.size()];
  put(out, "from", e.from), put(out, "to", e.to);
}
void write(JsonOut& out, const Drag& e) {
  put(out, e.target), put(out, "from", e.from), put(out, "to", e.to);
}
void write(JsonOut& out, const Pinch& e) {
  put(out, e.target), put(out, "at", e.at);
  out["apart"] = {e.from, e.to};
}
void write(JsonOut& out, const Type& e) {
  put(out, e.target), put(out, "at", e.at);
  out["text"] = e.text;
}
void write(JsonOut& out, const Key& e) { out["code"] = e.code; }
void write(JsonOut& out, const Launch& e) {
  put_text(out, "package", e.package), put_text(out, "activity", e.activity);
}
void write(JsonOut& out, const Rotate& e) { out["rotation"] = e.rotation; }
void write(JsonOut& out, const System& e) {
  out["name"] = e.name;
  if (!e.extras.empty()) out["extras"] = e.extras;
}
void write(JsonOut& out, const Wait& e) { out["ms"] = e.ms; }
void write(JsonOut& out, const Raw& e) { put_text(out, "format", e.format), put_text(out, "text", e.text); }

// ---- reading ----

void read(Fields& in, Tap& e) { in.target("target", e.target).point("at", e.at); }
void read(Fields& in, LongPress& e) { in.target("target", e.target).point("at", e.at); }
void read(Fields& in, Swipe& e) {
  std::string direction = "up";
  in.target("target", e.target).point("from", e.from).point("to", e.to).text("direction", direction);
  const auto it = std::find(directions.begin(), directions.end(), direction);
  if (it == directions.end())
    in.refuse("direction", "up, down, left or right");
  else
    e.direction = static_cast<Direction>(it - directions.begin());
}
void read(Fields& in, Drag& e) { in.target("target", e.target).point("from", e.from).point("to", e.to); }
void read(Fields& in, Pinch& e) {
  Point apart;
  in.target("target", e.target).point("at", e.at).point("apart", apart);
  e.from = apart.x;
  e.to = apart.y;
}
void read(Fields& in, Type& e) { in.target("target", e.target).point("at", e.at).text("text", e.text); }
void read(Fields& in, Key& e) {
  if (in.find("code") == nullptr) in.refuse("code", "given: an Android key code");
  in.number("code", e.code);
}
void read(Fields& in, Launch& e) { in.text("package", e.package).text("activity", e.activity); }
void read(Fields& in, Rotate& e) {
  in.number("rotation", e.rotation);
  if (e.rotation < 0 || e.rotation > 3) in.refuse("rotation", "0 to 3");
}
void read(Fields& in, System& e) {
  in.text("name", e.name);
  const JsonIn* extras = in.find("extras");
  if (extras == nullptr) return;
  if (!extras->is_object()) return void(in.refuse("extras", "an object of texts"));
  for (const auto& [name, value] : extras->items()) {
    if (!value.is_string()) return void(in.refuse("extras", "an object of texts"));
    e.extras[name] = value.get<std::string>();
  }
}
void read(Fields& in, Wait& e) {
  in.number("ms", e.ms);
  if (e.ms < 0) in.refuse("ms", "at least 0");
}
void read(Fields& in, Raw& e) { in.text("format", e.format).text("text", e.text); }

/// One event of each kind, in the variant's order.
template <std::size_t... I>
std::array<Event, sizeof...(I)> all_kinds(std::index_sequence<I...>) {
  return {Event(std::in_place_index<I>)...};
}

/// A default event of the kind that is called `name`.
std::optional<Event> event_of_kind(std::string_view name) {
  static const auto kinds = all_kinds(std::make_index_sequence<std::variant_size_v<Event>>{});
  for (const Event& kind : kinds)
    if (kind_name(kind) == name) return kind;
  return std::nullopt;
}

}  // namespace

JsonOut to_json_value(const Target& target) {
  JsonOut out = JsonOut::object();
  put_text(out, "class", target.cls);
  put_text(out, "id", target.id);
  put_text(out, "label", target.label);
  put_text(out, "path", target.path);
  if (target.ordinal) out["ordinal"] = *target.ordinal;
  return out;
}

Result<Target> target_from(const JsonIn& value) {
  Target out;
  Fields in(value, "target");
  in.text("class", out.cls).text("id", out.id).text("label", out.label).text("path", out.path);
  if (in.find("ordinal") != nullptr) in.number("ordinal", out.ordinal.emplace());
  NORN_CHECK(in.status());
  return out;
}

JsonOut to_json_value(const Event& event) {
  JsonOut out = JsonOut::object();
  out["kind"] = kind_name(event);
  std::visit([&](const auto& e) { write(out, e); }, event);
  return out;
}

Result<Event> event_from(const JsonIn& value) {
  Fields in(value, "event");
  std::string kind;
  in.text("kind", kind);
  NORN_CHECK(in.status());
  std::optional<Event> event = event_of_kind(kind);
  if (!event)
    return fail(Error::Kind::bad_input, fmt::format("there is no kind of event called \"{}\"", kind), {},
                "docs/trace-format.md lists them");
  std::visit([&](auto& e) { read(in, e); }, *event);
  NORN_CHECK(in.status());
  return *std::move(event);
}

}  // namespace norn

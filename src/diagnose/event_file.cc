// Pivot events from a file: norn's own matchers, or DDroid's configuration of labels and explanations.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_depth.h"
#include "base/text.h"
#include "diagnose/events.h"
#include "formats/json_values.h"

namespace norn {
namespace {

using Json = JsonIn;

std::string text_at(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// A part that is a regular expression.
void read_part(Fields& in, const char* key, std::optional<TextPattern>& out) {
  if (in.find(key) == nullptr) return;
  std::string text;
  auto pattern = TextPattern::make((in.text(key, text), text));
  if (pattern)
    out = std::move(*pattern);
  else
    in.keep(std::unexpected(pattern.error()));
}

void read_area(Fields& in, const char* key, Rect& out) {
  const Json* value = in.find(key);
  if (value == nullptr) return;
  const bool is_rect = value->is_array() && value->size() == 4 &&
                       std::ranges::all_of(*value, [](const Json& n) { return n.is_number_integer(); });
  if (is_rect)
    out = {(*value)[0].get<std::int32_t>(), (*value)[1].get<std::int32_t>(), (*value)[2].get<std::int32_t>(),
           (*value)[3].get<std::int32_t>()};
  if (out.empty()) in.refuse(key, "[left, top, right, bottom]");
}

bool is_pattern(const Json& object) {
  constexpr const char* keys[] = {"kind",      "key",  "direction", "name",   "extras", "page",
                                  "id",        "text", "class",     "value",  "popup",  "nth",
                                  "not_value", "area", "activity",  "screen", "after",  "ends_in"};
  return std::ranges::any_of(keys, [&](const char* key) { return object.contains(key); });
}

/// A key that is none of what docs/diagnose.md and docs/learn.md name is most likely a slip of the pen.
void note_strange_keys(const std::string& label, const Json& object, EventFile& file) {
  static const std::vector<std::string> known{
      "what",     "info",   "reason", "dependency", "kind",  "key",       "direction", "name",    "extras",
      "page",     "id",     "text",   "class",      "value", "not_value", "popup",     "nth",     "guard",
      "activity", "screen", "after",  "area",       "event", "ends_in",   "input",     "only_in", "dialog",
      "any_row",  "typed",  "inside", "least",      "place", "unlike",    "also"};
  for (const auto& [key, value] : object.items())
    if (std::ranges::find(known, key) == known.end()) {
      const auto near = did_you_mean(key, known);
      file.remarks.push_back(fmt::format("event {}: \"{}\" means nothing here{}", label, key,
                                         near ? fmt::format(", did you mean \"{}\"?", *near) : ""));
    }
}

/// Whether it is what norn calls some kind of event.
template <std::size_t I = 0>
bool is_kind(std::string_view name) {
  if constexpr (I < std::variant_size_v<Event>)
    return kind_name(Event(std::in_place_index<I>)) == name || is_kind<I + 1>(name);
  else
    return false;
}

bool is_key(std::string_view name) {
  for (std::int32_t code = 0; code < 400; ++code)
    if (key_name(code) == name) return true;
  return false;
}

/// Which way a swipe or pinch goes.
bool is_direction(std::string_view name) {
  constexpr std::string_view names[] = {"left", "right", "up", "down", "open", "close"};
  return std::ranges::find(names, name) != std::end(names);
}

void refuse_strange_names(const Manner& manner, Fields& in) {
  const auto refuse = [&](const char* what, const std::string& name, const char* advice) {
    in.keep(fail(Error::Kind::bad_input, fmt::format("there is no {} \"{}\"", what, name), {}, advice));
  };
  if (!manner.kind.empty() && !is_kind(manner.kind))
    refuse("kind", manner.kind, "tap, long-press, type, key, swipe, rotate, ...: docs/diagnose.md");
  if (!manner.key.empty() && !is_key(manner.key))
    refuse("key", manner.key, "back, menu, enter, ... or its number");
  if (!manner.direction.empty() && !is_direction(manner.direction))
    refuse("direction", manner.direction, "left, right, up, down; of a pinch open, close");
}

void read_extras(Fields& in, std::map<std::string, std::string>& out) {
  const Json* extras = in.find("extras");
  if (extras == nullptr) return;
  out.clear();
  if (!extras->is_object()) return void(in.refuse("extras", "an object of texts"));
  for (const auto& [name, value] : extras->items()) {
    if (!value.is_string()) return void(in.refuse("extras", "an object of texts"));
    out[name] = value.get<std::string>();
  }
}

/// What it does not say is that of the `event` beside it: files were once written without it.
void read_manner(Fields& in, Manner& out) {
  if (const Json* event = in.find("event")) {
    const auto performed = event_from(*event);
    if (!performed) return void(in.keep(std::unexpected(performed.error())));
    out = manner_of(*performed);
  }
  in.text("kind", out.kind).text("key", out.key).text("direction", out.direction).text("name", out.name);
  if (in.find("page") != nullptr) in.text("page", out.page.emplace());
  read_extras(in, out.extras);
  refuse_strange_names(out, in);
}

void read_pattern(Fields& in, EventPattern& out) {
  read_manner(in, out.manner);
  read_part(in, "id", out.id);
  read_part(in, "text", out.text);
  read_part(in, "class", out.cls);
  read_part(in, "activity", out.activity);
  read_part(in, "screen", out.screen);
  read_part(in, "after", out.after);
  read_part(in, "value", out.value);
  read_part(in, "not_value", out.not_value);
  if (in.find("nth") != nullptr) in.number("nth", out.nth.emplace());
  if (in.find("popup") != nullptr) in.flag("popup", out.popup.emplace());
  read_area(in, "area", out.area);
  read_area(in, "ends_in", out.ends_in);
  in.flag("any_row", out.wide);
  out.wide = out.wide || in.find("typed") != nullptr;
}

/// Of several entries of a label the first that says a thing says it.
void read_explanation(Fields& in, Explanation& out) {
  for (const auto& [key, text] :
       {std::pair("what", &Explanation::what), std::pair("info", &Explanation::what),
        std::pair("reason", &Explanation::reason), std::pair("dependency", &Explanation::dependency),
        std::pair("only_in", &Explanation::where)}) {
    std::string told;
    in.text(key, told);
    if ((out.*text).empty()) out.*text = told;
  }
}

/// One way to recognise an event, or an explanation alone.
Status read_entry(const std::string& label, const Json& object, EventFile& file) {
  Fields in(object, "the matcher");
  NORN_CHECK(in.status());
  note_strange_keys(label, object, file);
  read_explanation(in, file.events[label]);
  bool is_guard = false;
  in.flag("guard", is_guard);
  if (is_guard) file.guards.insert(label);
  EventPattern pattern;
  pattern.label = label;
  if (is_pattern(object)) read_pattern(in, pattern);
  NORN_CHECK(in.status());
  if (is_pattern(object)) file.patterns.push_back(std::move(pattern));
  return {};
}

Status read_label(const std::string& label, const Json& value, EventFile& file) {
  file.events[label];
  for (const Json& one : value.is_array() ? value : Json::array({value}))
    if (const Status read = read_entry(label, one, file); !read) {
      Error error = read.error();
      error.what = fmt::format("event {}: {}", label, error.what);
      return std::unexpected(std::move(error));
    }
  return {};
}

Status read_events(const Json& root, EventFile& file) {
  const auto events = root.find("events");
  if (events == root.end() || !events->is_object())
    return fail(Error::Kind::bad_input, "no object \"events\"", {},
                "see docs/diagnose.md for the two formats");
  for (const auto& [label, value] : events->items()) NORN_CHECK(read_label(label, value, file));
  std::ranges::stable_partition(file.patterns, [](const EventPattern& pattern) { return !pattern.wide; });
  return {};
}

}  // namespace

Result<EventFile> read_event_file(std::string_view json, std::string_view name) {
  NORN_CHECK(check_json_depth(json, name));
  const Json root = Json::parse(json, nullptr, false, true);
  if (root.is_discarded()) return fail(Error::Kind::bad_input, "not JSON", std::string(name));
  if (!root.is_object()) return fail(Error::Kind::bad_input, "not a JSON object", std::string(name));
  EventFile file;
  file.app = text_at(root, root.contains("app_name") ? "app_name" : "app");
  file.bug = text_at(root, root.contains("bug_id") ? "bug_id" : "bug");
  file.all_events_happened = text_at(root, "all_events_happened");
  if (auto read = read_events(root, file); !read) {
    Error error = std::move(read).error();
    error.where = name;
    return std::unexpected(std::move(error));
  }
  if (const auto warnings = root.find("warnings"); warnings != root.end() && warnings->is_object())
    for (const auto& [label, text] : warnings->items())
      if (text.is_string()) file.events[label].warning = text.get<std::string>();
  if (const auto crash = root.find("crash"); crash != root.end())
    for (const Json& part : crash->is_array() ? *crash : Json::array({*crash})) {
      if (!part.is_string())
        return fail(Error::Kind::bad_input, "\"crash\" must be a text or a list of texts", std::string(name));
      file.crash_signature.push_back(part.get<std::string>());
    }
  return file;
}

}  // namespace norn

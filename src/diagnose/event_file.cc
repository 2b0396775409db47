// Pivot events from a file: norn's own matchers, or DDroid's configuration of labels and explanations.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_depth.h"
#include "base/text.h"
#include "diagnose/events.h"

namespace norn {
namespace {

using Json = nlohmann::json;

std::string text_at(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// [left, top, right, bottom]; empty where it is none.
Rect rect_from(const Json& value) {
  if (!value.is_array() || value.size() != 4 ||
      !std::ranges::all_of(value, [](const Json& n) { return n.is_number_integer(); }))
    return {};
  return {value[0].get<std::int32_t>(), value[1].get<std::int32_t>(), value[2].get<std::int32_t>(),
          value[3].get<std::int32_t>()};
}

Result<std::optional<TextPattern>> pattern_at(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || at->is_null()) return std::optional<TextPattern>();
  if (!at->is_string()) return fail(Error::Kind::bad_input, fmt::format("\"{}\" must be a string", key));
  NORN_TRY(TextPattern pattern, TextPattern::make(at->get<std::string>()));
  return std::optional(std::move(pattern));
}

bool is_pattern(const Json& object) {
  constexpr const char* keys[] = {"kind",  "key",   "id",        "text",  "class", "activity", "screen",
                                  "after", "value", "not_value", "popup", "area",  "ends_in"};
  return std::ranges::any_of(keys, [&](const char* key) { return object.contains(key); });
}

/// A key that is none of what docs/diagnose.md and docs/learn.md name is most likely a slip of the pen.
void note_strange_keys(const std::string& label, const Json& object, EventFile& file) {
  static const std::vector<std::string> known{
      "what",     "info",   "reason",  "dependency", "kind",      "key",   "id",      "text",  "class",
      "activity", "screen", "after",   "value",      "not_value", "popup", "guard",   "event", "input",
      "only_in",  "dialog", "any_row", "typed",      "place",     "area",  "ends_in", "inside"};
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

Status read_pattern(const std::string& label, const Json& object, EventFile& file) {
  if (!object.is_object()) return fail(Error::Kind::bad_input, fmt::format("event {}: not an object", label));
  note_strange_keys(label, object, file);
  const std::string what =
      text_at(object, "what").empty() ? text_at(object, "info") : text_at(object, "what");
  Explanation& explanation = file.events[label];
  if (explanation.what.empty()) explanation.what = what;
  if (explanation.reason.empty()) explanation.reason = text_at(object, "reason");
  if (explanation.dependency.empty()) explanation.dependency = text_at(object, "dependency");
  if (explanation.where.empty()) explanation.where = text_at(object, "only_in");
  const auto is_true = [&](const char* key) { return object.contains(key) && object[key] == true; };
  if (is_true("guard")) file.guards.insert(label);
  if (!is_pattern(object)) return {};
  EventPattern pattern;
  pattern.label = label;
  pattern.kind = text_at(object, "kind");
  pattern.key = text_at(object, "key");
  if (!pattern.kind.empty() && !is_kind(pattern.kind))
    return fail(Error::Kind::bad_input, fmt::format("event {}: there is no kind \"{}\"", label, pattern.kind),
                {}, "tap, long-press, type, key, swipe, rotate, ...: docs/diagnose.md");
  if (!pattern.key.empty() && !is_key(pattern.key))
    return fail(Error::Kind::bad_input, fmt::format("event {}: there is no key \"{}\"", label, pattern.key),
                {}, "back, menu, enter, ... or its number");
  const std::pair<const char*, std::optional<TextPattern> EventPattern::*> parts[] = {
      {"id", &EventPattern::id},         {"text", &EventPattern::text},
      {"class", &EventPattern::cls},     {"activity", &EventPattern::activity},
      {"screen", &EventPattern::screen}, {"after", &EventPattern::after},
      {"value", &EventPattern::value},   {"not_value", &EventPattern::not_value}};
  for (const auto& [key, field] : parts) {
    auto part = pattern_at(object, key);
    if (!part) return fail(Error::Kind::bad_input, fmt::format("event {}: {}", label, part.error().what));
    pattern.*field = std::move(*part);
  }
  if (const auto popup = object.find("popup"); popup != object.end()) {
    if (!popup->is_boolean())
      return fail(Error::Kind::bad_input, fmt::format("event {}: \"popup\" must be true or false", label));
    pattern.popup = popup->get<bool>();
  }
  for (const auto& [key, field] :
       {std::pair("area", &EventPattern::area), std::pair("ends_in", &EventPattern::ends_in)}) {
    const auto area = object.find(key);
    if (area == object.end()) continue;
    pattern.*field = rect_from(*area);
    if ((pattern.*field).empty())
      return fail(Error::Kind::bad_input,
                  fmt::format("event {}: \"{}\" must be [left, top, right, bottom]", label, key));
  }
  file.patterns.push_back(std::move(pattern));
  return {};
}

Status read_events(const Json& root, EventFile& file) {
  const auto events = root.find("events");
  if (events == root.end() || !events->is_object())
    return fail(Error::Kind::bad_input, "no object \"events\"", {},
                "see docs/diagnose.md for the two formats");
  for (const auto& [label, value] : events->items()) {
    file.events[label];
    if (!value.is_array()) {
      NORN_CHECK(read_pattern(label, value, file));
    } else {
      for (const Json& one : value) NORN_CHECK(read_pattern(label, one, file));
    }
  }
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

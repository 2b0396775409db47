// The values of gui/ and trace/ as JSON, one definition for trace files, exec devices, exec strategies and
// --json. Names and meaning are documented in docs/trace-format.md.
//
// This header brings in nlohmann/json: include it in .cc files only. Where text is enough,
// formats/trace_json.h has the same functions over strings.
//
// Writing keeps the order of fields and leaves out whatever has its default value. Reading takes a missing
// field as its default, ignores fields it does not know, and refuses a field of the wrong type by its name.
// Nothing here throws.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "trace/crash.h"
#include "trace/step.h"

namespace norn {

using JsonOut = nlohmann::ordered_json;
using JsonIn = nlohmann::json;

JsonOut to_json_value(const Event& event);
JsonOut to_json_value(const Screen& screen);
JsonOut to_json_value(const Crash& crash);
JsonOut to_json_value(const Observation& seen);
/// The same with something else in the place of the screen, such as a number that refers to it.
JsonOut to_json_value(const Observation& seen, JsonOut screen);
JsonOut to_json_value(const Coverage& coverage);  ///< [3,[7,12]]: single ids and runs, both ends included
JsonOut to_json_value(const Target& target);

Result<Event> event_from(const JsonIn& value);
Result<Screen> screen_from(const JsonIn& value);
Result<Crash> crash_from(const JsonIn& value);
Result<Observation> observation_from(const JsonIn& value);
/// The same, but leaves the screen alone: for readers in which it may be a number.
Result<Observation> observation_without_screen_from(const JsonIn& value);
Result<Coverage> coverage_from(const JsonIn& value);
Result<Target> target_from(const JsonIn& value);

/// Parses text; an Error names `where` and what is no JSON, or says that it is nested too deeply
/// (base/json_depth.h).
Result<JsonIn> parse_json(std::string_view text, std::string_view where);
/// One line; bytes that are no UTF-8 become U+FFFD.
std::string dump_line(const JsonOut& value);
/// Writes the field, unless the text is empty.
void put_text(JsonOut& out, const char* field, const std::string& text);

/// Reads the fields of one object in turn and keeps the first error. A field that is missing leaves its
/// target as it was.
class Fields {
 public:
  /// `what` names the object in errors: "event", "widget".
  Fields(const JsonIn& value, std::string_view what);

  Fields& text(const char* name, std::string& out);
  Fields& number(const char* name, std::int32_t& out);
  Fields& number(const char* name, double& out);
  Fields& flag(const char* name, bool& out);
  Fields& point(const char* name, Point& out);
  Fields& target(const char* name, Target& out);
  Fields& texts(const char* name, std::vector<std::string>& out);
  /// The value of a field, or null where it is missing.
  const JsonIn* find(const char* name) const;
  Fields& refuse(const char* name, std::string_view wanted);
  Fields& keep(const Status& status);

  Status status() const;

 private:
  const JsonIn* object_ = nullptr;
  std::string_view what_;
  std::optional<Error> error_;
};

}  // namespace norn

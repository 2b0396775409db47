// What pivot events are, beside their labels: sentences about them, and how to recognise them in a trace
// whose screens were recorded, without instrumenting the app.
//
// Two kinds of JSON file are read here.
//   A DDroid configuration: "events": {"3": {"info": ..., "reason": ..., "dependency": ...}}, "warnings", ...
//   Matchers: the same "events", each with one pattern or a list of alternatives:
//     {"app": "notes", "crash": ["IllegalStateException", "Notebook.close"],
//      "events": {"1": {"what": "create a notebook", "kind": "tap", "id": "/fab$", "activity": "Main"},
//                 "5": [{"what": "leave it", "kind": "key", "key": "back", "screen": "Notebook"}, ...]}}
//   `id`, `text`, `class` are of the widget the event went to, `activity` of the screen before, `screen` any
//   of activity, ids and texts of the screen before, `after` the same of the screen after, `value` the text
//   typed; all regular expressions that may match anywhere, "(?i)" first ignores case. `kind`, `key`,
//   `direction`, `name`, `extras` and `page` are names (see Manner); `nth` says which of several such widgets it
//   is, from 0; `popup` says whether a dialog or menu was
//   in front, `area` ([left, top, right, bottom]) where a canvas was touched, `ends_in` where a drag or swipe
//   on it ended. An event marked `guard` decides whether others crash and is no pivot event itself.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "diagnose/labels.h"
#include "diagnose/taken.h"
#include "diagnose/text_pattern.h"
#include "trace/step.h"

namespace norn {

struct Explanation {
  std::string what;        ///< a sentence or phrase
  std::string reason;      ///< why it is usually missed; may be empty
  std::string dependency;  ///< which events must come before; may be empty
  std::string warning;     ///< what the handler's warning means; may be empty
  std::string where = {};  ///< the screen it is done on ("only_in", as norn learn writes it); may be empty
};

/// One way to recognise an event. Absent parts match anything.
struct EventPattern {
  std::string label;
  Manner manner;
  std::optional<TextPattern> id, text, cls, activity, screen, after, value, not_value;
  std::optional<std::int32_t> nth;  ///< of the widgets on the screen that id, text and class fit, from 0
  std::optional<bool> popup;        ///< on a dialog or menu, or on a page
  Rect area = {};                   ///< the point lies in it, on what is in its middle; empty: anywhere
  Rect ends_in = {};                ///< a drag or swipe without a target ends in it; empty: anywhere
  bool wide = false;  ///< for any row or text ("any_row", "typed"): those that name theirs come first
};

struct EventFile {
  std::string app, bug;
  std::map<std::string, Explanation> events;  ///< by label
  std::string all_events_happened;            ///< what to think when every event ran and nothing crashed
  std::vector<EventPattern> patterns;         ///< empty: explanations only
  std::set<std::string> guards;               ///< labels that are matched and not counted
  std::vector<std::string> crash_signature;   ///< empty: any crash is the bug's
  std::vector<std::string> remarks;           ///< sentences: what in the file means nothing
};

/// Either kind of file. `name` stands in errors.
Result<EventFile> read_event_file(std::string_view json, std::string_view name);

/// A trace as labels: by its patterns where the file has some, else by the handler lines its steps logged. An
/// event whose pattern asks for a widget or screen that was not recorded is `undecided`, and so is every
/// event where there are neither patterns nor handler lines. Starting the app is a relaunch where it has no
/// label; starting one of its pages by its name is none.
void label_trace(const Trace& trace, const Alphabet& alphabet, const EventFile& file, const LabelSink& sink);

/// Whether its events are of another app than this package. A name that is no package says nothing.
bool is_of_another_app(const EventFile& file, std::string_view package);

/// Themis' check on a crash value: each part occurs in some line of its stack.
bool has_signature(const Crash& crash, const std::vector<std::string>& parts);

}  // namespace norn

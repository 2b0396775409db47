#include "cli/bug_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/file.h"
#include "cli/bug_machine.h"
#include "diagnose/automaton.h"
#include "diagnose/taken.h"
#include "formats/jflap.h"
#include "formats/json_values.h"
#include "model/role.h"

namespace norn::cli {
namespace {

/// A regular expression that matches exactly this text.
std::string exactly(std::string_view text) {
  std::string out = "^";
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}/").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "$";
}

std::string escaped(std::string_view text) {
  const std::string whole = exactly(text);
  return whole.substr(1, whole.size() - 2);
}

/// A dialog's title, in which `*` stands for any text.
std::string titled(std::string_view dialog) {
  const std::size_t open = dialog.find('*');
  if (open == std::string_view::npos) return exactly(dialog);
  return "^" + escaped(dialog.substr(0, open)) + ".*" + escaped(dialog.substr(open + 1)) + "$";
}

/// Whole numbers from this one on: its own digits up to some place, a larger one there, and any behind it; or
/// more digits than it has.
std::string from_on(std::uint32_t least) {
  const std::string digits = std::to_string(least);
  std::string out = "0*(?:" + digits;
  for (std::size_t i = 0; i < digits.size(); ++i)
    if (digits[i] < '9')
      out += fmt::format("|{}[{}-9][0-9]{{{}}}", digits.substr(0, i), static_cast<char>(digits[i] + 1),
                         digits.size() - i - 1);
  return out + fmt::format("|[1-9][0-9]{{{},}})", digits.size());
}

constexpr std::string_view any_number = "^[-+]?[0-9]+([.,][0-9]*)?$";

/// What may be typed, as a regular expression; nothing: anything.
std::optional<std::string> typed_pattern(const LearnInput& input, const Type& type) {
  switch (input.typed) {
    case Typed::exact:
      return exactly(type.text);
    case Typed::containing: {
      std::string out = escaped(type.text);
      for (const char c : input.inside) out += "|" + escaped(std::string_view(&c, 1));
      return out;
    }
    case Typed::whole:
      return input.least > 0 ? "^" + from_on(input.least) + "$" : "^[0-9]+$";
    case Typed::same_class:
      if (input.least > 0) return "^[+]?" + from_on(input.least) + "([.,][0-9]*)?$";
      if (class_of(input) == TextClass::number)
        return (type.text.empty() ? "^$|" : "") + std::string(any_number);
      return type.text.empty() ? std::nullopt : std::optional<std::string>(".");
    case Typed::not_whole:
      return "[^-0-9]|.-|^-$";
    case Typed::filled:
      return ".";
    case Typed::any:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Any of these texts and nothing else.
std::string one_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : "|") + escaped(text);
  return "^(?:" + out + ")$";
}

/// What it must not be all the same; empty: nothing. `not_these`: texts that other labels name.
std::string not_typed_pattern(const LearnInput& input, const std::vector<std::string>& not_these) {
  if (input.typed == Typed::exact) return {};
  const bool words = input.typed == Typed::same_class && class_of(input) != TextClass::number;
  std::string out(words ? any_number : "");
  if (!not_these.empty()) out += (out.empty() ? "" : "|") + one_of(not_these);
  return out;
}

/// A touch, drag or swipe without a target.
bool is_at_a_point(const Event& event) {
  const Target* target = target_of(event);
  return target != nullptr && target->empty() && !std::holds_alternative<Type>(event);
}

/// The area it lies in, or itself.
JsonOut area_round(Point at, const Rect& area) {
  const Rect r = area.contains(at) ? area : Rect{at.x, at.y, at.x + 1, at.y + 1};
  return {r.left, r.top, r.right, r.bottom};
}

constexpr std::array<std::string_view, 7> typed_names{"exact",     "containing", "whole", "same class",
                                                      "not whole", "filled",     "any"};

/// The texts that other labels type into the same field, word for word.
std::vector<std::string> named_elsewhere(const BugAutomaton& bug, const LearnInput& input) {
  std::vector<std::string> out;
  for (const LearnInput& other : bug.inputs) {
    if (other.is_move() || other.label == input.label || other.activity != input.activity) continue;
    std::vector<Event> named = other.also;
    named.push_back(other.event);
    for (const Event& event : named)
      if (const auto* type = std::get_if<Type>(&event); type != nullptr && same_role(event, input.event))
        out.push_back(type->text);
  }
  return out;
}

/// How it is done: all parts that its kind has.
JsonOut manner_json(const Event& event) {
  const Manner manner = manner_of(event);
  JsonOut out{{"what", describe(event)}, {"kind", manner.kind}};
  put_text(out, "key", manner.key);
  put_text(out, "direction", manner.direction);
  put_text(out, "name", manner.name);
  if (!manner.extras.empty()) out["extras"] = manner.extras;
  if (manner.page) out["page"] = *manner.page;
  return out;
}

/// Whether another label names a widget that differs from this one in nothing but which of several it is.
bool is_one_of_several(const BugAutomaton& bug, const LearnInput& input, const Event& event) {
  const Target* own = target_of(event);
  return own != nullptr && !own->empty() && std::ranges::any_of(bug.inputs, [&](const LearnInput& other) {
           const Target* target = target_of(other.event);
           return !other.is_move() && other.label != input.label && target != nullptr &&
                  target->id == own->id && target->label == own->label &&
                  target->ordinal.value_or(0) != own->ordinal.value_or(0);
         });
}

/// How an event is recognised.
JsonOut matcher_json(const BugAutomaton& bug, const LearnInput& input, const Event& event,
                     const std::vector<std::string>& not_these = {}) {
  JsonOut out = manner_json(event);
  if (const Target* target = target_of(event)) {
    if (!target->id.empty()) out["id"] = exactly(target->id);
    if (!target->label.empty() && !(input.any_row && !target->id.empty()))
      out["text"] = exactly(target->label);
    if (target->id.empty() && target->label.empty() && !target->cls.empty())
      out["class"] = exactly(target->cls);
    if (!input.any_row && is_one_of_several(bug, input, event)) out["nth"] = target->ordinal.value_or(0);
    if (const Point* at = point_of(event); is_at_a_point(event) && !input.any_row) {
      out["area"] = area_round(*at, input.area);
      if (const Point* end = end_of(event)) out["ends_in"] = area_round(*end, input.ends_in);
    }
  }
  if (!input.activity.empty()) out["activity"] = exactly(input.activity);
  if (input.popup) out["popup"] = *input.popup;
  if (!input.dialog.empty()) out["screen"] = titled(input.dialog);
  if (const auto* type = std::get_if<Type>(&event)) {
    if (const auto pattern = typed_pattern(input, *type)) out["value"] = *pattern;
    put_text(out, "not_value", not_typed_pattern(input, not_these));
  }
  return out;
}

/// Where an input belongs and what else it stands for.
void put_width(const LearnInput& input, JsonOut& out) {
  if (!input.activity.empty()) out["only_in"] = input.activity;
  if (!input.dialog.empty()) out["dialog"] = input.dialog;
  if (input.any_row) out["any_row"] = true;
  if (input.place) out["place"] = *input.place;
  if (input.typed != Typed::exact) out["typed"] = typed_names[static_cast<std::size_t>(input.typed)];
  if (!input.inside.empty()) out["inside"] = input.inside;
  if (input.least > 0) out["least"] = input.least;
  for (const Event& event : input.unlike) out["unlike"].push_back(to_json_value(event));
}

/// The matcher of one pivot, its event beside it; a list where others do the same.
JsonOut pivot_json(const BugAutomaton& bug, const LearnInput& input) {
  JsonOut out = matcher_json(bug, input, input.event, named_elsewhere(bug, input));
  out["event"] = to_json_value(input.event);
  put_width(input, out);
  if (input.guard) out["guard"] = true;
  if (input.also.empty()) return out;
  JsonOut all = JsonOut::array({out});
  for (const Event& event : input.also) {
    LearnInput exact{input.label, event, input.activity, input.dialog};
    if (std::holds_alternative<Key>(event)) exact.popup = input.popup;
    all.push_back(matcher_json(bug, exact, event));
    all.back()["event"] = to_json_value(event);
  }
  return all;
}

JsonOut move_json(const LearnInput& input) {
  JsonOut out{{"what", describe(input.event)}, {"event", to_json_value(input.event)}};
  put_width(input, out);
  if (input.popup) out["popup"] = *input.popup;
  for (const Event& event : input.also) out["also"].push_back(to_json_value(event));
  for (const InputPlace& place : input.except) {
    out["not_in"].push_back({{"activity", place.activity}});
    if (place.popup) out["not_in"].back()["popup"] = *place.popup;
  }
  return out;
}

Status misses(std::string_view name, std::string what) {
  return fail(Error::Kind::bad_input, std::move(what), std::string(name),
              "this must be the file that norn learn wrote beside the automaton");
}

std::optional<bool> popup_at(const JsonIn& object) {
  const auto at = object.find("popup");
  return at != object.end() && at->is_boolean() ? std::optional(at->get<bool>()) : std::nullopt;
}

/// A list of events beside others; nothing where there is none.
Result<std::vector<Event>> events_at(const JsonIn& object, const char* field) {
  std::vector<Event> out;
  const auto list = object.find(field);
  if (list == object.end() || !list->is_array()) return out;
  for (const JsonIn& event : *list) {
    NORN_TRY(Event one, event_from(event));
    out.push_back(std::move(one));
  }
  return out;
}

Result<LearnInput> read_pivot(const std::string& label, const JsonIn& one) {
  LearnInput input;
  input.label = label;
  NORN_TRY(input.event, event_from(one["event"]));
  NORN_TRY(input.unlike, events_at(one, "unlike"));
  NORN_TRY(input.also, events_at(one, "also"));
  std::string typed;
  Fields(one, "event")
      .text("only_in", input.activity)
      .text("dialog", input.dialog)
      .flag("any_row", input.any_row)
      .flag("guard", input.guard)
      .text("inside", input.inside)
      .text("typed", typed);
  input.popup = popup_at(one);
  if (const auto place = one.find("place"); place != one.end() && place->is_number_unsigned())
    input.place = place->get<std::uint32_t>();
  if (const auto least = one.find("least"); least != one.end() && least->is_number_unsigned())
    input.least = least->get<std::uint32_t>();
  for (const auto& [key, area] : {std::pair("area", &input.area), std::pair("ends_in", &input.ends_in)})
    if (const auto at = one.find(key);
        at != one.end() && at->is_array() && at->size() == 4 &&
        std::ranges::all_of(*at, [](const auto& n) { return n.is_number_integer(); }))
      *area = {(*at)[0].get<std::int32_t>(), (*at)[1].get<std::int32_t>(), (*at)[2].get<std::int32_t>(),
               (*at)[3].get<std::int32_t>()};
  for (std::size_t k = 0; k < typed_names.size(); ++k)
    if (typed == typed_names[k]) input.typed = static_cast<Typed>(k);
  return input;
}

bool can_be_performed(const JsonIn& entry) {
  const JsonIn& one = entry.is_array() && !entry.empty() ? entry.front() : entry;
  return one.is_object() && one.contains("event");
}

/// A label has one entry, or a list: its first input, what does the same as that, and further inputs
/// ("input": their number).
Status read_inputs(const std::string& label, const JsonIn& entry, BugAutomaton& bug) {
  NORN_TRY(LearnInput input, read_pivot(label, entry.is_array() ? entry.front() : entry));
  std::vector<LearnInput> own;
  for (std::size_t k = 1; entry.is_array() && k < entry.size(); ++k) {
    if (!can_be_performed(entry[k])) continue;
    NORN_TRY(LearnInput next, read_pivot(label, entry[k]));
    if (entry[k].contains("input"))
      own.push_back(std::move(next));
    else
      input.also.push_back(std::move(next.event));
  }
  bug.inputs.push_back(std::move(input));
  bug.inputs.insert(bug.inputs.end(), own.begin(), own.end());
  return {};
}

/// Every label of the automaton, and what else can be performed: an event that only leads out of the crash's
/// reach labels nothing.
Status read_pivots(const JsonIn& root, BugAutomaton& bug, std::string_view name) {
  const auto events = root.find("events");
  if (events == root.end() || !events->is_object()) return misses(name, "no object \"events\"");
  std::set<std::string> labels;
  for (const std::string& label : labels_of(bug.nfa)) {
    if (!events->contains(label)) return misses(name, fmt::format("no event \"{}\"", label));
    if (!can_be_performed(*events->find(label)))
      return misses(
          name, fmt::format("event \"{}\" can be recognised but not performed: it has no \"event\"", label));
  }
  for (const auto& [label, entry] : events->items())
    if (can_be_performed(entry)) labels.insert(label);
  for (const std::string& label : in_order(labels)) NORN_CHECK(read_inputs(label, *events->find(label), bug));
  return {};
}

Status read_moves(const JsonIn& root, BugAutomaton& bug, std::string_view name) {
  const auto moves = root.find("moves");
  if (moves == root.end()) return {};
  if (!moves->is_array()) return misses(name, "\"moves\" is no list");
  for (const JsonIn& move : *moves) {
    if (!move.is_object() || !move.contains("event")) return misses(name, "a move without an \"event\"");
    NORN_TRY(LearnInput input, read_pivot({}, move));
    if (const auto places = move.find("not_in"); places != move.end() && places->is_array())
      for (const JsonIn& place : *places)
        if (place.is_object() && place.contains("activity") && place["activity"].is_string())
          input.except.push_back({place["activity"].get<std::string>(), popup_at(place)});
    bug.inputs.push_back(std::move(input));
  }
  return {};
}

/// A drawing that was changed by hand is no longer the machine's. Where it is too large to be told, nothing
/// is.
Status belong_together(const Nfa& drawn, const Nfa& machine, std::string_view name) {
  const auto word = difference(drawn, machine);
  if (!word || !*word) return {};
  return fail(Error::Kind::bad_input,
              fmt::format("its machine is not that of the automaton: only one of them accepts \"{}\"",
                          fmt::join(**word, " ")),
              std::string(name),
              "if the automaton was changed by hand, take \"machine\" out of this file: it is then run as "
              "it is drawn");
}

/// The initial state becomes the first.
void initial_first(Nfa& nfa) {
  const auto at = std::ranges::find_if(nfa.states, [](const auto& s) { return s.initial; });
  const auto index = static_cast<std::uint32_t>(at - nfa.states.begin());
  if (at == nfa.states.end() || index == 0) return;
  std::swap(nfa.states[0], nfa.states[index]);
  for (Nfa::Transition& t : nfa.transitions)
    for (std::uint32_t* end : {&t.from, &t.to}) *end = *end == 0 ? index : *end == index ? 0 : *end;
}

}  // namespace

std::filesystem::path events_path(const std::filesystem::path& jff) {
  std::filesystem::path out = jff;
  return out.replace_extension(".events.json");
}

std::string write_bug_events(const BugAutomaton& bug, const std::string& app) {
  JsonOut out{{"app", app}, {"crash", bug.crash}, {"events", JsonOut::object()}, {"moves", JsonOut::array()}};
  std::map<std::string, std::size_t> inputs_of;  // by label
  for (const LearnInput& input : bug.inputs) {
    if (input.is_move()) {
      out["moves"].push_back(move_json(input));
      continue;
    }
    const std::size_t nth = inputs_of[input.label]++;
    JsonOut& entry = out["events"][input.label];
    if (nth == 0) {
      entry = pivot_json(bug, input);
      continue;
    }
    if (!entry.is_array()) entry = JsonOut::array({entry});
    const JsonOut own = pivot_json(bug, input);
    entry.push_back(own.is_array() ? own.front() : own);
    entry.back()["input"] = nth;
    for (const Event& event : input.also) entry.back()["also"].push_back(to_json_value(event));
  }
  if (bug.rate < 1) out["rate"] = bug.rate;
  out["machine"] = machine_json(bug);
  return out.dump(1, ' ', false, JsonOut::error_handler_t::replace) + "\n";
}

Result<BugAutomaton> read_bug_events(const Nfa& drawn, std::string_view json, std::string_view name) {
  NORN_TRY(const JsonIn root, parse_json(json, name));
  if (!root.is_object()) return fail(Error::Kind::bad_input, "not a JSON object", std::string(name));
  const JsonIn* machine = root.contains("machine") ? &root["machine"] : nullptr;
  BugAutomaton bug;
  if (machine != nullptr) {
    NORN_TRY(bug.nfa, machine_states(*machine, name));
  } else {
    bug.nfa = drawn;
    initial_first(bug.nfa);
  }
  NORN_CHECK(read_pivots(root, bug, name));
  const std::size_t pivots = bug.inputs.size();
  NORN_CHECK(read_moves(root, bug, name));
  if (bug.inputs.size() == pivots) bug.inputs.push_back({{}, Key{key::back}});
  if (machine == nullptr) name_inputs(root, bug);
  if (machine != nullptr) NORN_CHECK(read_machine(*machine, bug, name));
  NORN_CHECK(read_possible(machine != nullptr ? *machine : root, bug, name));
  if (root.contains("crash") && root["crash"].is_string())
    bug.crash = {root["crash"].get<std::string>()};
  else
    NORN_CHECK(Fields(root, "events file").texts("crash", bug.crash).status());
  NORN_CHECK(Fields(root, "events file").number("rate", bug.rate).status());
  if (auto status = bug.check(); !status) {
    Error error = status.error();
    error.where = name;
    return std::unexpected(std::move(error));
  }
  if (machine != nullptr) NORN_CHECK(belong_together(drawn, bug.nfa, name));
  return bug;
}

Result<BugAutomaton> load_bug(const std::filesystem::path& jff, const std::filesystem::path& events,
                              Progress* progress) {
  NORN_TRY(const std::string drawn, read_file(jff, std::uintmax_t{1} << 26));
  NORN_TRY(const JflapFile file, read_jflap(drawn, jff.string()));
  if (progress)
    for (const std::string& repair : file.repairs) progress->warning(jff.string() + ": " + repair);
  const std::filesystem::path beside = events.empty() ? events_path(jff) : events;
  if (!is_there(beside))
    return fail(Error::Kind::not_found, "is not there; it says how the automaton's events are performed",
                beside.string(), "norn learn writes it beside the automaton; see docs/learn.md");
  NORN_TRY(const std::string told, read_file(beside, std::uintmax_t{1} << 26));
  return read_bug_events(file.automaton, told, beside.string());
}

}  // namespace norn::cli

#include "cli/bug_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace norn::cli {
namespace {

Status is_no_machine(std::string_view name, std::string what) {
  return fail(Error::Kind::bad_input, "\"machine\": " + std::move(what), std::string(name),
              "norn learn writes it; without it the automaton is run as it is drawn");
}

/// By input: which of its label's inputs it is.
std::vector<std::size_t> numbers_of(const BugAutomaton& bug) {
  std::vector<std::size_t> out;
  std::map<std::string, std::size_t> seen;
  for (const LearnInput& input : bug.inputs) out.push_back(seen[input.label]++);
  return out;
}

std::size_t pivot_count(const BugAutomaton& bug) {
  return static_cast<std::size_t>(std::ranges::find(bug.inputs, std::string(), &LearnInput::label) -
                                  bug.inputs.begin());
}

/// The nth input of a label; nothing where there are fewer.
std::optional<std::size_t> nth_input(const BugAutomaton& bug, const std::string& label, std::size_t nth) {
  const std::vector<std::size_t> numbers = numbers_of(bug);
  for (std::size_t i = 0; i < bug.inputs.size(); ++i)
    if (bug.inputs[i].label == label && numbers[i] == nth) return i;
  return std::nullopt;
}

using Ends = std::pair<std::string, std::string>;
Ends ends_of(const JsonIn& entry) {
  Ends ends;
  Fields(entry, "entry").text("from", ends.first).text("to", ends.second);
  return ends;
}

/// Which move takes which epsilon, by the names of its two states.
std::map<Ends, std::size_t> epsilon_moves(const JsonIn& root) {
  std::map<Ends, std::size_t> out;
  const auto list = root.find("epsilon");
  if (list == root.end() || !list->is_array()) return out;
  for (const JsonIn& entry : *list) {
    std::int32_t move = 0;
    if (entry.is_object() && Fields(entry, "epsilon").number("move", move).status() && move >= 0)
      out[ends_of(entry)] = static_cast<std::size_t>(move);
  }
  return out;
}

/// Which of its label's inputs takes a transition, where it is not the first.
std::map<std::pair<Ends, std::string>, std::size_t> taken_by(const JsonIn& root) {
  std::map<std::pair<Ends, std::string>, std::size_t> out;
  const auto list = root.find("taken_by");
  if (list == root.end() || !list->is_array()) return out;
  for (const JsonIn& entry : *list) {
    std::string label;
    std::int32_t nth = 0;
    if (entry.is_object() && Fields(entry, "taken_by").text("label", label).number("input", nth).status() &&
        nth > 0)
      out[{ends_of(entry), label}] = static_cast<std::size_t>(nth);
  }
  return out;
}

std::set<std::pair<Ends, std::string>> unproven_in(const JsonIn& root) {
  std::set<std::pair<Ends, std::string>> out;
  const auto list = root.find("unproven");
  if (list == root.end() || !list->is_array()) return out;
  for (const JsonIn& entry : *list) {
    std::string label;
    if (entry.is_object() && Fields(entry, "unproven").text("label", label).status())
      out.emplace(ends_of(entry), label);
  }
  return out;
}

/// A pivot by its label; of several with one label the others by their number too: "4", "4#1".
std::vector<std::string> pivot_names(const BugAutomaton& bug) {
  std::vector<std::string> out;
  std::map<std::string, std::size_t> seen;
  for (const LearnInput& input : bug.inputs) {
    if (input.is_move()) break;
    const std::size_t nth = seen[input.label]++;
    out.push_back(nth == 0 ? input.label : fmt::format("{}#{}", input.label, nth));
  }
  return out;
}

JsonOut pivots_json(const std::vector<std::string>& names, std::uint64_t pivots) {
  JsonOut out = JsonOut::array();
  for (std::size_t i = 0; i < names.size(); ++i)
    if ((pivots >> i & 1U) != 0) out.push_back(names[i]);
  return out;
}

/// What is possible in each state, for runs that are read with their screens.
void write_possible(const BugAutomaton& bug, JsonOut& out) {
  const std::vector<std::string> names = pivot_names(bug);
  for (std::size_t s = 0; s < bug.possible.size(); ++s) {
    const std::string& state = bug.nfa.states[s].name;
    for (const std::uint64_t seen : bug.possible[s])
      out["possible"][state].push_back(pivots_json(names, seen));
    if (bug.open[s] != 0) out["open"][state] = pivots_json(names, bug.open[s]);
  }
}

/// Nothing where it is no list of pivots.
std::optional<std::uint64_t> pivots_in(const std::vector<std::string>& names, const JsonIn& list) {
  if (!list.is_array()) return std::nullopt;
  std::uint64_t out = 0;
  for (const JsonIn& name : list) {
    const auto at = name.is_string() ? std::ranges::find(names, name.get<std::string>()) : names.end();
    if (at == names.end()) return std::nullopt;
    out |= std::uint64_t{1} << (at - names.begin());
  }
  return out;
}

/// A transition of a machine as the file has it.
struct ToldTransition {
  std::string from, to, label;
  std::int32_t nth = 0;  ///< of its label's inputs, or of the moves
  bool unproven = false;
};

Result<ToldTransition> transition_in(const JsonIn& entry, std::string_view name) {
  ToldTransition out;
  if (!entry.is_object()) return std::unexpected(is_no_machine(name, "a transition is no object").error());
  const Status read = Fields(entry, "transition")
                          .text("from", out.from)
                          .text("to", out.to)
                          .text("label", out.label)
                          .number(entry.contains("move") ? "move" : "input", out.nth)
                          .flag("unproven", out.unproven)
                          .status();
  if (!read || out.nth < 0 || out.label.empty() != entry.contains("move"))
    return std::unexpected(
        is_no_machine(name, "a transition has \"from\", \"to\", and a \"label\" or the number of a \"move\"")
            .error());
  return out;
}

JsonOut transition_json(const BugAutomaton& bug, const std::vector<std::size_t>& numbers,
                        const BugAutomaton::Guess& step) {
  const std::string& label = bug.inputs[step.input].label;
  const std::size_t nth = numbers[step.input];
  JsonOut out{{"from", bug.nfa.states[step.from].name}, {"to", bug.nfa.states[step.to].name}};
  if (label.empty())
    out["move"] = nth;
  else
    out["label"] = label;
  if (!label.empty() && nth > 0) out["input"] = nth;
  return out;
}

/// Which input of the automaton takes a transition.
Result<std::uint32_t> input_in(const ToldTransition& told, const BugAutomaton& bug, std::string_view name) {
  if (const auto input = nth_input(bug, told.label, static_cast<std::size_t>(told.nth)))
    return static_cast<std::uint32_t>(*input);
  return std::unexpected(
      is_no_machine(name, told.label.empty() ? fmt::format("there is no move {}", told.nth)
                                             : fmt::format("event {} has no input {}", told.label, told.nth))
          .error());
}

Status read_guesses(const JsonIn& machine, BugAutomaton& bug, std::string_view name) {
  const auto list = machine.find("guesses");
  if (list == machine.end()) return {};
  if (!list->is_array()) return is_no_machine(name, "\"guesses\" is no list");
  const auto number = [&](const std::string& state) {
    return static_cast<std::uint32_t>(std::ranges::find(bug.nfa.states, state, &Nfa::State::name) -
                                      bug.nfa.states.begin());
  };
  for (const JsonIn& entry : *list) {
    NORN_TRY(const ToldTransition told, transition_in(entry, name));
    NORN_TRY(const std::uint32_t input, input_in(told, bug, name));
    bug.guesses.push_back({number(told.from), number(told.to), input});  // check() refuses unknown states
  }
  return {};
}

Result<std::vector<std::string>> names_in(const JsonIn& machine, const char* field, std::string_view name) {
  std::vector<std::string> out;
  if (!Fields(machine, "machine").texts(field, out).status() || out.empty())
    return std::unexpected(is_no_machine(name, fmt::format("no list \"{}\"", field)).error());
  return out;
}

}  // namespace

JsonOut machine_json(const BugAutomaton& bug) {
  JsonOut out{{"states", JsonOut::array()}, {"final", JsonOut::array()}, {"transitions", JsonOut::array()}};
  for (const Nfa::State& state : bug.nfa.states) {
    out["states"].push_back(state.name);
    if (state.final) out["final"].push_back(state.name);
  }
  const std::vector<std::size_t> numbers = numbers_of(bug);
  for (std::size_t t = 0; t < bug.nfa.transitions.size(); ++t) {
    const Nfa::Transition& edge = bug.nfa.transitions[t];
    out["transitions"].push_back(transition_json(bug, numbers, {edge.from, edge.to, bug.input_of[t]}));
    if (bug.unproven[t] != 0) out["transitions"].back()["unproven"] = true;
  }
  for (const BugAutomaton::Guess& guess : bug.guesses)
    out["guesses"].push_back(transition_json(bug, numbers, guess));
  write_possible(bug, out);
  return out;
}

Result<Nfa> machine_states(const JsonIn& machine, std::string_view name) {
  Nfa out;
  if (!machine.is_object()) return std::unexpected(is_no_machine(name, "is no object").error());
  NORN_TRY(const auto states, names_in(machine, "states", name));
  std::vector<std::string> final;
  if (!Fields(machine, "machine").texts("final", final).status())
    return std::unexpected(is_no_machine(name, "\"final\" is no list of states").error());
  std::map<std::string, std::uint32_t> number;
  for (const std::string& state : states) {
    if (!number.emplace(state, static_cast<std::uint32_t>(out.states.size())).second)
      return std::unexpected(is_no_machine(name, fmt::format("two states {}", state)).error());
    out.states.push_back({.name = state,
                          .initial = out.states.empty(),
                          .final = std::ranges::find(final, state) != final.end()});
  }
  const auto list = machine.find("transitions");
  if (list == machine.end() || !list->is_array())
    return std::unexpected(is_no_machine(name, "no list \"transitions\"").error());
  for (const JsonIn& entry : *list) {
    NORN_TRY(const ToldTransition told, transition_in(entry, name));
    if (!number.contains(told.from) || !number.contains(told.to))
      return std::unexpected(
          is_no_machine(name, fmt::format("no state {} or {}", told.from, told.to)).error());
    out.transitions.push_back({number[told.from], number[told.to], told.label});
  }
  return out;
}

Status read_machine(const JsonIn& machine, BugAutomaton& bug, std::string_view name) {
  for (const JsonIn& entry : machine["transitions"]) {
    NORN_TRY(const ToldTransition told, transition_in(entry, name));
    NORN_TRY(const std::uint32_t input, input_in(told, bug, name));
    bug.input_of.push_back(input);
    bug.unproven.push_back(told.unproven);
  }
  return read_guesses(machine, bug, name);
}

void name_inputs(const JsonIn& root, BugAutomaton& bug) {
  const auto moves = epsilon_moves(root);
  const auto others = taken_by(root);
  const auto unproven = unproven_in(root);
  const std::size_t pivots = pivot_count(bug);
  for (const Nfa::Transition& t : bug.nfa.transitions) {
    const Ends ends{bug.nfa.states[t.from].name, bug.nfa.states[t.to].name};
    std::size_t input = pivots;
    if (!t.label.empty()) {
      const auto nth = others.find({ends, t.label});
      input = nth_input(bug, t.label, nth == others.end() ? 0 : nth->second)
                  .value_or(nth_input(bug, t.label, 0).value_or(pivots));
    } else if (const auto at = moves.find(ends); at != moves.end())
      input = pivots + at->second;
    bug.input_of.push_back(static_cast<std::uint32_t>(input));
    bug.unproven.push_back(unproven.contains({ends, t.label}));
  }
}

Status read_possible(const JsonIn& object, BugAutomaton& bug, std::string_view name) {
  const auto all = object.find("possible"), open = object.find("open");
  if (all == object.end() || !all->is_object()) return {};
  const std::vector<std::string> names = pivot_names(bug);
  if (names.size() > lsharp::most_inputs) return {};  // check() refuses it
  bug.possible.resize(bug.nfa.states.size()), bug.open.resize(bug.nfa.states.size());
  for (std::size_t s = 0; s < bug.nfa.states.size(); ++s) {
    const std::string& state = bug.nfa.states[s].name;
    const auto bad = [&](const char* what) {
      return fail(Error::Kind::bad_input,
                  fmt::format("{}: what is {} there is no list of events", state, what), std::string(name));
    };
    if (const auto seen = all->find(state); seen != all->end() && seen->is_array())
      for (const JsonIn& list : *seen) {
        const auto pivots = pivots_in(names, list);
        if (!pivots) return bad("possible");
        bug.possible[s].push_back(*pivots);
      }
    std::ranges::sort(bug.possible[s]);
    if (open == object.end() || !open->is_object() || !open->contains(state)) continue;
    const auto pivots = pivots_in(names, *open->find(state));
    if (!pivots) return bad("open");
    bug.open[s] = *pivots;
  }
  return {};
}

}  // namespace norn::cli

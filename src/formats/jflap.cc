#include "formats/jflap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/dot.h"
#include "base/text.h"

namespace norn {
namespace {

constexpr std::size_t max_items = 1'000'000;
constexpr std::size_t max_listed = 20;  ///< repairs of one kind told one by one

/// Labels and names as a person meant them: line ends and indentation around them are the editor's.
std::string label_text(const char* raw) {
  const std::string_view text = raw;
  const std::string_view inner = trim(text);
  if (!inner.empty()) return std::string(inner);
  return text.find_first_not_of(' ') == std::string_view::npos ? std::string(text) : std::string();
}

/// The text in UTF-8: of Latin-1 where the file says that it is, and of what else it may be with what could
/// not be read told. Two labels that cannot be read would be one.
std::string decoded(std::string_view bytes, std::vector<std::string>& repairs) {
  const std::string_view head = bytes.substr(0, 200);
  const bool latin = head.find("8859-1\"") != head.npos || head.find("8859-1'") != head.npos;
  std::string out;
  if (latin && !is_utf8(bytes)) {
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        out += c;
      } else {
        out += static_cast<char>(0xc0 | byte >> 6);
        out += static_cast<char>(0x80 | (byte & 0x3f));
      }
    }
  } else {
    out = to_utf8(bytes);
    if (out.find("\xef\xbf\xbd") != out.npos && !is_utf8(bytes))
      repairs.push_back(
          "some characters are no UTF-8 and cannot be read: labels with them may have become one; save the "
          "file as UTF-8");
  }
  if (out.find("<!ENTITY") != out.npos)
    repairs.push_back(
        "entities that the file declares are not put in: labels with them stay as they are written");
  return out;
}

/// One pass over the document: states first, because transitions refer to them.
class JflapReader {
 public:
  JflapReader(std::string_view name) : name_(name) {}

  Result<JflapFile> read(const pugi::xml_node& structure) {
    NORN_CHECK(check_type(structure));
    // JFLAP 4 wrote the states straight below <structure>.
    const pugi::xml_node inner = structure.child("automaton");
    const pugi::xml_node body = inner ? inner : structure;
    NORN_CHECK(read_states(body));
    NORN_CHECK(read_transitions(body));
    for (const pugi::xml_node note : body.children("note"))
      file_.automaton.notes.push_back(std::string(trim(note.child_value("text"))));
    check_ends();
    return std::move(file_);
  }

 private:
  Status check_type(const pugi::xml_node& structure) {
    const std::string_view type = trim(structure.child_value("type"));
    if (type == "fa") return {};
    if (!type.empty())
      return fail(Error::Kind::unsupported,
                  fmt::format("this is a JFLAP file of type \"{}\"", shorten(type, 40)), name_,
                  "only finite automata, type \"fa\", can be read");
    repair("no <type>: taken as a finite automaton");
    return {};
  }

  Status read_states(const pugi::xml_node& body) {
    Nfa& nfa = file_.automaton;
    for (const pugi::xml_node node : body.children("state")) {
      const std::string id(trim(node.attribute("id").value()));
      if (id.empty()) {
        repair("a state without an id: left out, no transition can name it");
        continue;
      }
      if (!index_.emplace(id, nfa.states.size()).second)
        return fail(Error::Kind::bad_input, fmt::format("two states have the id {}", shorten(id, 40)), name_,
                    "give each state its own id");
      if (nfa.states.size() >= max_items) return too_many("states");
      Nfa::State state;
      const char* name = node.attribute("name").value();
      state.name = *name != '\0' ? name : "q" + id;
      state.initial = !node.child("initial").empty();
      state.final = !node.child("final").empty();
      state.x = to_double(trim(node.child_value("x"))).value_or(0);
      state.y = to_double(trim(node.child_value("y"))).value_or(0);
      nfa.states.push_back(std::move(state));
    }
    return {};
  }

  Status read_transitions(const pugi::xml_node& body) {
    Nfa& nfa = file_.automaton;
    std::set<Nfa::Transition> seen;
    std::size_t dangling = 0, twice = 0;
    for (const pugi::xml_node node : body.children("transition")) {
      const std::string from(trim(node.child_value("from"))), to(trim(node.child_value("to")));
      const auto start = index_.find(from), end = index_.find(to);
      Nfa::Transition transition;
      transition.label = label_text(node.child_value("read"));
      if (start == index_.end() || end == index_.end()) {
        if (++dangling <= max_listed)
          repair(fmt::format(
              "transition \"{}\" from state {} to state {}: {} state; left out",
              shorten(printable(transition.label), 40), shown(from), shown(to),
              start == index_.end() && end == index_.end() ? "neither is a" : "there is no such"));
        continue;
      }
      transition.from = static_cast<std::uint32_t>(start->second);
      transition.to = static_cast<std::uint32_t>(end->second);
      if (!seen.insert(transition).second) {
        ++twice;
        continue;
      }
      if (nfa.transitions.size() >= max_items) return too_many("transitions");
      nfa.transitions.push_back(std::move(transition));
    }
    if (dangling > max_listed)
      repair(fmt::format("{} more transitions to or from nowhere: left out", dangling - max_listed));
    if (twice > 0)
      repair(fmt::format("{} transition{} drawn twice: taken once", twice, twice == 1 ? "" : "s"));
    return {};
  }

  void check_ends() {
    const auto& states = file_.automaton.states;
    const auto initial = std::ranges::count_if(states, &Nfa::State::initial);
    const auto final = std::ranges::count_if(states, &Nfa::State::final);
    if (states.empty()) return repair("no states: it accepts nothing");
    if (initial == 0) repair("no initial state: it accepts nothing; mark one in JFLAP");
    if (initial > 1) repair(fmt::format("{} initial states: it starts in all of them", initial));
    if (final == 0) repair("no final state: it accepts nothing; mark the crash in JFLAP");
  }

  static std::string shown(const std::string& id) {
    return id.empty() ? "(none)" : shorten(printable(id), 40);
  }
  void repair(std::string sentence) { file_.repairs.push_back(std::move(sentence)); }
  std::unexpected<Error> too_many(std::string_view what) const {
    return fail(Error::Kind::bad_input, fmt::format("more than {} {}", max_items, what), std::string(name_));
  }

  std::string name_;
  JflapFile file_;
  std::unordered_map<std::string, std::size_t> index_;
};

void write_state(pugi::xml_node automaton, std::size_t id, const Nfa::State& state, bool initial) {
  pugi::xml_node node = automaton.append_child("state");
  node.append_attribute("id").set_value(static_cast<unsigned long long>(id));
  node.append_attribute("name").set_value(state.name.c_str());
  node.append_child("x").text().set(fmt::format("{}", state.x).c_str());
  node.append_child("y").text().set(fmt::format("{}", state.y).c_str());
  if (initial) node.append_child("initial");
  if (state.final) node.append_child("final");
}

void write_transition(pugi::xml_node automaton, std::size_t from, std::size_t to, const std::string& label) {
  pugi::xml_node node = automaton.append_child("transition");
  node.append_child("from").text().set(static_cast<unsigned long long>(from));
  node.append_child("to").text().set(static_cast<unsigned long long>(to));
  pugi::xml_node read = node.append_child("read");
  if (!label.empty()) read.text().set(label.c_str());
}

}  // namespace

Result<JflapFile> read_jflap(std::string_view bytes, std::string_view name) {
  pugi::xml_document document;
  std::vector<std::string> repairs;
  const std::string text = decoded(bytes, repairs);
  const pugi::xml_parse_result parsed = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!parsed)
    return fail(Error::Kind::bad_input,
                trim(text).empty()
                    ? "is empty"
                    : fmt::format("not XML at byte {}: {}", parsed.offset, parsed.description()),
                std::string(name), "a JFLAP file (.jff) is expected here");
  const pugi::xml_node structure = document.child("structure");
  if (!structure)
    return fail(Error::Kind::bad_input, "no <structure> element: this is XML, but no JFLAP file",
                std::string(name));
  NORN_TRY(JflapFile file, JflapReader(name).read(structure));
  file.repairs.insert(file.repairs.begin(), repairs.begin(), repairs.end());
  return file;
}

std::string write_jflap(const Nfa& automaton) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node structure = document.append_child("structure");
  structure.append_child("type").text().set("fa");
  pugi::xml_node body = structure.append_child("automaton");

  const bool join = std::ranges::count_if(automaton.states, &Nfa::State::initial) > 1;
  const std::size_t count = automaton.states.size();
  for (std::size_t i = 0; i < count; ++i)
    write_state(body, i, automaton.states[i], automaton.states[i].initial && !join);
  if (join) write_state(body, count, {.name = "start"}, true);
  for (const Nfa::Transition& t : automaton.transitions) write_transition(body, t.from, t.to, t.label);
  for (std::size_t i = 0; join && i < count; ++i)
    if (automaton.states[i].initial) write_transition(body, count, i, {});
  for (const std::string& note : automaton.notes)
    body.append_child("note").append_child("text").text().set(note.c_str());

  std::ostringstream out;
  document.save(out, "\t");
  return std::move(out).str();
}

std::string write_dot(const Nfa& automaton) {
  std::string out = "digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n";
  for (std::size_t i = 0; i < automaton.states.size(); ++i) {
    const Nfa::State& state = automaton.states[i];
    out += fmt::format("  s{} [label={}{}];\n", i, dot_quoted(state.name),
                       state.final ? ", shape=doublecircle" : "");
    if (state.initial) out += fmt::format("  start{0} [shape=point];\n  start{0} -> s{0};\n", i);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> edges;
  for (const Nfa::Transition& t : automaton.transitions) {
    std::string& label = edges[{t.from, t.to}];
    if (!label.empty()) label += ", ";
    label += t.label.empty() ? "ε" : t.label;
  }
  for (const auto& [ends, label] : edges)
    out += fmt::format("  s{} -> s{} [label={}];\n", ends.first, ends.second, dot_quoted(label));
  return out + "}\n";
}

}  // namespace norn

// For tests and benchmarks of learning: a service over a device, recorded automata as devices, known bugs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/open.h"
#include "device/sim/truth.h"
#include "diagnose/learn/automaton_device.h"
#include "diagnose/learn/bug_automaton.h"
#include "replay/fleet.h"

namespace norn::testing {

struct Service {
  History tree;
  std::unique_ptr<Replay> replay;
  std::string package;

  Service(std::unique_ptr<Device> device, const App& app, FleetOptions options = {}) : package(app.name) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(device));
    replay = std::make_unique<Replay>(std::make_unique<Fleet>(std::move(devices), app, tree, options));
  }
};

/// Null where there is no such device.
inline std::unique_ptr<Service> service_on(const std::string& spec, FleetOptions options = {}) {
  auto opened = open_device(spec);
  if (!opened) return nullptr;
  return std::make_unique<Service>(std::move(opened->device), opened->app, options);
}

/// Shortest words of an automaton that together have every label, as events of an AutomatonDevice.
inline std::vector<std::vector<Event>> traces_of(const Nfa& nfa) {
  std::vector<std::vector<Event>> out;
  for (const auto& word : covering_words(nfa)) {
    out.emplace_back();
    for (const std::string& label : word) out.back().push_back(AutomatonDevice::event_of(label));
  }
  return out;
}

/// The learned automaton with the labels of the one it was learned from.
inline Nfa renamed(const BugAutomaton& bug) {
  Nfa out = bug.nfa;
  const std::size_t skip = AutomatonDevice::id_of("").size();
  for (std::size_t t = 0; t < out.transitions.size(); ++t)
    if (!out.transitions[t].label.empty())
      out.transitions[t].label = target_of(bug.inputs[bug.input_of[t]].event)->id.substr(skip);
  return out;
}

inline std::vector<Event> events_of_bug(const std::string& app, const std::string& id) {
  const auto truth = sim::load_truth(app);
  if (truth)
    for (const auto& bug : truth->bugs)
      if (bug.id == id) return bug.events;
  return {};
}

/// The bug of the paper's example: a note-taking app that crashes when a notebook is left while it shows locked
/// notes only. 1 create a notebook, 2 open it, 3 open the menu, 4 choose Locked, 5 leave.
inline Nfa scarlet() {
  return {{{"s0", true, false}, {"s1"}, {"s2"}, {"s3"}, {"s4"}, {"s5", false, true}, {"s6"}},
          {{0, 1, "1"},
           {1, 2, "2"},
           {2, 3, "3"},
           {3, 4, "4"},
           {4, 5, "5"},  // the trace
           {1, 1, "1"},
           {2, 1, "5"},
           {1, 6, "3"},
           {6, 6, "4"},  // pivot events elsewhere
           {2, 1, ""},
           {3, 2, ""},
           {4, 1, ""},
           {6, 1, ""}},  // Back
          {}};
}

}  // namespace norn::testing

// What the learner may do: pivot events, which label the automaton's transitions, and a few moves between screens, which become
// its epsilon. An input is what an event *means*: on a screen where data differs it may be another widget in the same role.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gui/event.h"
#include "gui/screen.h"

namespace norn {

struct LearnInput {
  std::string label;  ///< "1", "2" ...; empty: a move
  Event event;
  std::string activity;  ///< an event at a bare point belongs to this activity; empty: to any
  bool any_row =
      false;  ///< any widget with that id will do where the very one is not there: no other pivot uses the id

  bool is_move() const { return label.empty(); }
};

/// The event to perform on this screen, or nothing where it cannot be done there. Of several equal widgets the first is meant.
std::optional<Event> event_on(const LearnInput& input, const Screen& screen);

/// Whether an event performed on this screen is that input.
bool is_input(const LearnInput& input, const Event& event, const Screen& before);

/// One step of a trace as the learner needs it: the event and the screen it was performed on.
struct Performed {
  Event event;
  const Screen* before = nullptr;
};

/// The distinct events of the traces, numbered from 1 in the order they come.
std::vector<LearnInput> pivots_of(std::span<const std::vector<Performed>> traces);

/// Back, relaunch, and up to `most` other ways to change the screen that were seen on the way: Up, tabs, what dismisses a dialog.
std::vector<LearnInput> moves_of(std::span<const std::vector<Performed>> traces,
                                 const std::vector<LearnInput>& pivots, std::size_t most);

}  // namespace norn

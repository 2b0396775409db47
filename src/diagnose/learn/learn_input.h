// What the learner may do: pivot events, which label the automaton's transitions, and a few moves between
// screens, which become its epsilon. An input is what an event *means*: on a screen where data differs it may
// be another widget in the same role.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gui/event.h"
#include "gui/screen.h"
#include "model/role.h"

namespace norn {

/// How much of a typed text belongs to the event.
enum class Typed : std::uint8_t {
  exact,       ///< that very text
  containing,  ///< any text with it inside
  whole,       ///< any whole number
  same_class,  ///< any number for a number, any words for words; see class_of()
  not_whole,   ///< any text but none and but a whole number, with or without a minus
  filled,      ///< any text but none
  any,
};

/// Where a key belongs: a dialog or menu takes what its page would have got.
struct InputPlace {
  std::string activity;
  std::optional<bool> popup;  ///< only on dialogs and menus, only on pages; none: on either
  bool operator==(const InputPlace&) const = default;
};

struct LearnInput {
  std::string
      label;  ///< "1", "2" ...; empty: a move. Several inputs may share one: rows of a list that are not all alike
  Event event;
  std::string activity = {};  ///< where it belongs: the activity it was performed in; empty: anywhere
  /// And the dialog by its title, for a button that every dialog has; empty: any. `*` in it: any text, where
  /// the title names what was touched or typed before ("Delete *?"). Where the title is nothing but that: the
  /// id of the dialog's own first widget.
  std::string dialog = {};
  std::optional<bool> popup = {};       ///< see InputPlace
  std::vector<InputPlace> except = {};  ///< a move: not there, where it is a pivot
  bool any_row =
      false;  ///< any widget with that id will do where the very one is not there; without a target: any point
  Typed typed = Typed::exact;
  std::vector<Event> also = {};  ///< other widgets or texts in the same role that do the same
  /// Other rows in its role that were seen to do something else: another row is this event, too, but is not
  /// performed for it.
  std::vector<Event> unlike = {};
  /// Where the very row is not there: the one in this place of its list, or after it (`any_row`: or the last)
  /// that is none of `unlike`. None: it is not performed then (`any_row` and all of them alike: the first).
  std::optional<std::uint32_t> place = {};
  Rect area = {};      ///< without a target: the points that do the same as its own; empty: only its own
  Rect ends_in = {};   ///< of a drag or swipe: the same of where it ends
  bool guard = false;  ///< in no minimal trace: it decides whether others crash
  std::string inside =
      {};  ///< Typed::containing: characters that do the same as its own text, anywhere in a text
  std::uint32_t least = 0;  ///< of any number or any whole number: only those from this one on; 0: all

  bool is_move() const { return label.empty(); }
};

/// The event to perform on this screen, or nothing where it cannot be done there. Of several equal widgets
/// the first is meant.
std::optional<Event> event_on(const LearnInput& input, const Screen& screen);

/// One that means the same on any screen: starting the app, turning the device, what the system does. A page
/// that is started by its name lies over the one it was started from.
bool belongs_anywhere(const Event& event);

/// Whether an event performed on this screen is that input.
bool is_input(const LearnInput& input, const Event& event, const Screen& before);

/// Which of the inputs an event performed on this screen is: one that names just this event before one that
/// is wider.
std::optional<std::size_t> input_of(std::span<const LearnInput> inputs, const Event& event,
                                    const Screen& before);

/// Whether both events go to the same widget of this screen, in the same manner and with the same text.
bool same_event(const Event& a, const Event& b, const Screen& before);

/// `tap "Milk" (any with its id)`, `type "80" into id/weight (any number)`. Safe to print.
std::string describe(const LearnInput& input);

/// The same kind of event on widgets with the same id.
bool same_role(const Event& a, const Event& b);

/// Other events that it stands for: those it lists, other texts of its class, another row.
std::vector<Event> others_like(const LearnInput& input);

/// Where two others in its role were found to do the same as this one of `all`, any such row or text does. A
/// text that another stands for is that other's, unless this one has more examples: then the other's own
/// texts are the exception.
void widen_by_example(std::vector<LearnInput>& all, std::size_t which);

/// What kind of text its own is; where that is none, the first other text that does the same.
/// REQUIRES: its event types.
TextClass class_of(const LearnInput& input);

/// Makes `into` stand for what `other` stands for as well. False, and nothing done, where one label cannot
/// say both.
bool absorb(LearnInput& into, const LearnInput& other);

/// Numbers the labels from 1 in the order they come; those that were the same stay the same.
void renumber(std::vector<LearnInput>& pivots);

/// Where in its list the row is that the event names; nothing where it is not there.
std::optional<std::uint32_t> place_of(const Event& event, const Screen& screen);

/// A label that none of them has.
std::string next_label(std::span<const LearnInput> pivots);

/// One step of a trace as the learner needs it: the event and the screen it was performed on.
struct Performed {
  Event event;
  const Screen* before = nullptr;
};

/// Adds the distinct events of a trace that are none of the pivots and moves yet, numbered on. Where they are
/// the only ones in their role they stand for any row, until that is known better.
void add_pivots(const std::vector<Performed>& trace, const std::vector<LearnInput>& moves,
                std::vector<LearnInput>& pivots);

/// Back, relaunch and two waits, beside those that moves_of() is given a number of.
inline constexpr std::size_t moves_besides = 4;

/// Back, relaunch, the traces' waits (time passes whatever is done: to wait is no pivot event), and up to
/// `most` other ways to change the screen that were seen on the way: Up, tabs, what dismisses a dialog.
std::vector<LearnInput> moves_of(std::span<const std::vector<Performed>> traces,
                                 const std::vector<LearnInput>& pivots, std::size_t most);

}  // namespace norn

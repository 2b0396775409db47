// Forms in the tree: a page or a question that is filled in or chosen in, the page below it from which it was
// opened, and the events that did so (maybe through a menu).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "detect/reading/data.h"

namespace norn {

struct OpenedForm {
  NodeId page, form;           ///< the page below, and the form as it was when it was opened
  std::vector<Event> opening;  ///< from the one to the other
};

using KindOfForm = bool (*)(const Screen& screen, const ScreenData& data);
/// It has fields, or is a page without a list on which something is chosen and a button then takes it.
bool is_filled_in(const Screen& screen, const ScreenData& data);
bool is_chosen_in(
    const Screen& screen,
    const ScreenData& data);  ///< a question without fields that offers choices, or can be cancelled
/// Those that need fewest events first. All of them upright, without a keyboard, opened from a page as it
/// usually stands, and not to make a copy.
std::vector<OpenedForm> opened_forms(const History& tree, DataCache& data, KindOfForm kind = is_filled_in);

/// Which button takes what a form holds. It says so, or that is learnt: it leaves the form, and what was
/// typed was then shown.
class SaveButtons {
 public:
  SaveButtons(const History& tree, DataCache& data);
  /// The tap that saves this form; nothing: none is known.
  std::optional<Event> of(NodeId form);
  /// The same of a form about something that exists: a field is filled, if it has any, and what was saved of
  /// forms that were opened like this one added no row to the page below as a rule, nor did what opened it call
  /// itself making something new.
  std::optional<Event> of_existing(const OpenedForm& form);

 private:
  /// How often a button left a form after something was typed, and how often that was shown then.
  struct Button {
    std::size_t left = 0, shown = 0;
    bool takes() const { return shown >= 2 && 2 * shown >= left; }
  };
  /// How often what was saved of a kind of form added a row to the page below, and how often it did not.
  struct Saving {
    std::size_t added = 0, others = 0;
  };
  Button& button(const ScreenData& form, std::uint64_t deed);
  /// Forms that are opened from a page in one way.
  Saving& saving(NodeId page, NodeId form);
  std::string typed_last(NodeId form);

  const History& tree_;
  DataCache& data_;
  std::map<std::uint64_t, Button> buttons_;  ///< by form and what is done to it
  std::map<std::uint64_t, Saving> savings_;
};

using Texts = std::array<std::string_view, 3>;
/// Types these into its fields, one after the other.
std::vector<Event> filled_in(const Screen& form, const Texts& texts);

/// Types it into the field and closes the keyboard.
std::vector<Event> typed_into(const Screen& screen, std::size_t field, std::string text);

/// What can be touched and calls itself so (in small letters); the first.
std::optional<std::size_t> touchable_called(const Screen& screen, std::string_view word);
/// What can be touched now and is of a kind, by class and id, that was not there: a bar, a drawer, a button.
std::vector<std::size_t> came_up(const Screen& before, const Screen& now);

/// The answer to a question that gives up what was changed ("Discard", "No"); none: it is another question.
std::optional<Event> discarding(const Screen& question);

/// Taps the widget.
Event tap_on(const Screen& screen, std::size_t widget);
/// Taps whatever can be touched in a menu or question, but what cancels it; the first so many.
std::vector<Event> entries_of(const Screen& menu, std::size_t most = 8);

}  // namespace norn

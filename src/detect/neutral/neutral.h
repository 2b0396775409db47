// The parts of the neutral oracle: which pairs of ways each asks, and how those are tried.
#pragma once

#include <functional>
#include <set>

#include "detect/pairs.h"

namespace norn {

/// Events that are known on this layout and possible here; `elsewhere`: those that open another page, not one
/// that lies below.
std::vector<Event> known_events(OracleContext& c, LayoutId layout, NodeId node, bool elsewhere);
/// Those of them that lead on within the page, to other lists and fields (the next step of several).
std::vector<Event> events_onward(OracleContext& c, LayoutId layout, NodeId node);

/// Attempts in batches while there is time.
Status in_batches(OracleContext& c, std::vector<Pair> all,
                  const std::function<Status(std::vector<Pair>)>& attempt);

// apart.cc
/// A step on the page of one thing, seen from the page of another of its list: that is as it was.
Status try_apart(OracleContext& c);

// at_once.cc
/// What is done to two selected rows changes those that it changes when it is done to one and then the other.
Status try_at_once(OracleContext& c);

// begun.cc
/// A form for something new, filled in, saved and opened again: it does not hold all that was entered.
Status try_begun(OracleContext& c);

// cancelled.cc
/// Something that is begun on a page and cancelled there: the page is as it was.
Status try_cancelled(OracleContext& c);

// changed_back.cc
/// Something changed in a form and changed back, each time saved: all is as it was.
Status try_changed_back(OracleContext& c);

// cleared.cc
/// A search emptied by a button, or by deleting its text: both list the same.
Status try_cleared(OracleContext& c);

// composed.cc
/// Two views of a list at once, in either order; ticks in its rows, and the list shown otherwise meanwhile.
Status try_composed(OracleContext& c);

// copied.cc
/// Something copied: what is changed on the copy leaves the original as it was.
Status try_copied(OracleContext& c);

// controls.cc
/// Buttons that change what they say about themselves when they are tapped, by layout and role.
std::set<std::uint64_t> cycling_buttons(OracleContext& c);
/// Two screens say the same, and something else is checked or selected on them: a switch that sets another
/// one beside it does so in plain view.
bool only_choices_differ(const History& tree, NodeId a, NodeId b);
/// The two screens differ in nothing but what such buttons say about themselves.
bool only_labels_differ(OracleContext& c, const std::set<std::uint64_t>& cycling, NodeId a, NodeId b);
/// The controls of a screen, each with the taps that may bring it round.
std::vector<Pair> control_pairs(OracleContext& c, const std::set<std::uint64_t>& cycling, LayoutId layout,
                                NodeId node);
/// Follows the controls round, then looks at this screen, at those it opens and at those below it.
Status try_controls(OracleContext& c, Pairs& pairs, std::vector<Pair> controls);
/// Checkable entries of menus, chosen and chosen again: open, tap, open, tap. What was set and cannot be
/// taken off goes to `stuck`.
std::vector<Pair> menu_pairs(OracleContext& c);
Status try_menus(OracleContext& c, Pairs& pairs, Pairs& stuck, std::vector<Pair> menus);

// dismissed.cc
/// A question or form, filled in and cancelled or discarded: the page below is as it was, and the form,
/// opened again.
Status try_dismissed(OracleContext& c);

// durable.cc
/// What was changed on a page is there when it is opened again, and then also after its process died.
Status try_durable(OracleContext& c);

// emptied.cc
/// Something done on a page that is emptied or set back then: it shows what it shows when that is done at once.
Status try_emptied(OracleContext& c);

// kept.cc
/// Something entered, ticked, chosen or selected, then the device turned and back, or the process dying: it
/// still is.
Status try_kept(OracleContext& c);

// offline.cc
/// A touch that fails without a connection, and again with it: all is as where it never went.
Status try_offline(OracleContext& c);

// opposites.cc
/// A button and then the one that calls itself its opposite: the page is as it was.
Status try_opposites(OracleContext& c);

// placed.cc
/// Something added, and the list put in order before or after that: it stands in the same place.
Status try_placed(OracleContext& c);

// put_away.cc
/// Something deleted or archived and brought back: all is as it was. What is deleted for good then has
/// counted nowhere.
Status try_put_away(OracleContext& c);

// recased.cc
/// A name saved in small letters: its row stands where it stood.
Status try_recased(OracleContext& c);

// remade.cc
/// A step or an opening, then turning the device and Back: the page below is as after Back alone.
Status try_remade(OracleContext& c);

// renamed.cc
/// A name changed in a form that is saved then: it is another one wherever it was shown, and nothing else
/// changed.
Status try_renamed(OracleContext& c);

// rechosen.cc
/// Something done on a list of which a part is shown: it shows that part still, not more until the same is chosen
/// once more.
Status try_rechosen(OracleContext& c);

// repeated.cc
/// A command for all of a kind given twice: it takes nothing more.
Status try_repeated(OracleContext& c);

// resaved.cc
/// A form that nobody changed can be saved, if it can when something in it was changed.
Status try_refused(OracleContext& c);
/// A form that is opened on something and saved at once: opened again it says the same, and the page below
/// does.
Status try_resaved(OracleContext& c);
/// The same under each setting that can be chosen near by.
Status try_resaved_under_settings(OracleContext& c);

// peeked.cc
/// A step that changes a page, with a look at another page before it (open, Back) and without: it does the
/// same. And a row whose page is opened and left by Back is still on its list.
Status try_looks(OracleContext& c);

// reopened.cc
/// A step on a page, then Back and the touch that had opened it: for the same rows and settings it says the
/// same numbers.
Status try_reopened(OracleContext& c);

// revisited.cc
/// A step on a page, then another page opened and left again: the step is still done.
Status try_revisited(OracleContext& c);

// returned.cc
/// Something added and deleted again: other pages say what they said before.
Status try_returned(OracleContext& c);

// select_all.cc
/// Select all, and touching every row that is shown: both look the same.
Status try_select_all(OracleContext& c);

// stored.cc
/// One thing changed in a form that is saved then: opened again it says so.
Status try_stored(OracleContext& c);

// toggled.cc
/// Something of a row changed by a touch and taken back by more of them: its page and others are as they were.
Status try_toggled(OracleContext& c);

// undone.cc
/// An action and its Undo, also right after another one that could be undone.
Status try_undo(OracleContext& c);

// unmade.cc
/// Something made in a form, found where it is listed, and deleted there: all is as it was.
Status try_unmade(OracleContext& c);

// upwards.cc
/// The arrow at the top of a changed form, and Back: both ask, or neither.
Status try_upwards(OracleContext& c);

// viewed.cc
/// What is done to a row of a list, with the list sorted, filtered or searched meanwhile and without.
Status try_viewed(OracleContext& c);

}  // namespace norn

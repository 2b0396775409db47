// What a page remembers when it is made anew: turned, or after its process died. A page of which nothing is
// kept was not made to keep anything; one that keeps most of what was changed on it and loses the rest has
// forgotten something.
//
// A slot is a value outside the fields (the system itself keeps what fields hold), or a list. It says
// something only where it was changed since the page was opened: else making the page anew gives the same.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "detect/reading/data.h"

namespace norn {

/// Names of the slots that show something else than when this page was opened.
std::set<std::uint64_t> changed_since_opened(DataCache& data, const History& tree, NodeId node);

/// Names of the slots that both have and that show something else.
std::set<std::uint64_t> slots_in_both_that_differ(const ScreenData& a, const ScreenData& b);

/// Something is not checked or selected any more that was, or the other way round.
bool choices_differ(const Screen& a, const Screen& b);

/// The rows of all lists, in any order.
std::multiset<std::uint64_t> rows_shown(const ScreenData& data);
/// Something that both show is not the same: what is offered for a while only (Paste) may come and go.
bool says_otherwise(const ScreenData& a, const ScreenData& b);
/// The same, beside the lists.
bool values_say_otherwise(const ScreenData& a, const ScreenData& b);

/// The rows of all lists bear the same names.
bool same_names(const ScreenData& a, const ScreenData& b);

/// Nothing differs but numbers, each by one: which place it has, or how many there are.
bool only_a_place_moves(const ScreenData& a, const ScreenData& b);

class Remembered {
 public:
  Remembered(DataCache& data, const History& tree) : data_(data), tree_(tree) {}
  /// After `base` two ways were gone that should end alike; `group` is what was done to which page.
  void note(std::uint64_t group, NodeId base, NodeId plain, NodeId other);
  /// What differs between the two ends was changed since the page was opened, and others of such pages are
  /// kept as a rule: most of them if something is lost that somebody chose (a check, a selection), nearly all
  /// if it is a number or a text, which the app may well begin anew.
  bool loses_an_exception(std::uint64_t group, NodeId base, NodeId plain, NodeId other);

 private:
  struct Slot {
    std::uint32_t kept = 0, lost = 0;
  };
  DataCache& data_;
  const History& tree_;
  std::map<std::uint64_t, std::map<std::uint64_t, Slot>> slots_;  ///< by group and name
};

}  // namespace norn

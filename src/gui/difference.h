// What an event changed: the edit script from the screen before to the screen after, under abstraction rules.
//
// A rule forgets something on both screens: one attribute of all widgets, the widgets that receive no event,
// or rows of a list that are equal by then. The script is an ordered list of (operation, target, result)
// without paths, in which unchanged attributes are empty: so noise that has gathered on both screens cancels,
// and two inputs that did the same thing on different data get the same fingerprint as soon as the data is
// forgotten.
//
// Bounds are not compared: a row that moves because one above it grew is no behaviour of its own.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gui/screen.h"
#include "gui/ted.h"

namespace norn {

enum class Rule : std::uint8_t {
  text,
  desc,
  hint,
  id,
  cls,
  checked,
  selected,
  focused,
  enabled,
  accepts,  ///< what it can receive: taps, long presses, texts (whether it scrolls depends on how much it holds)
  package,   ///< of the screen
  activity,  ///< of the screen
  posture,   ///< rotation and keyboard
  silent,    ///< drops widgets that receive no event
  rows,      ///< drops equal subtrees under list widgets but the first
  contents,  ///< drops everything under list widgets: not one of the paper's
};
inline constexpr std::size_t rule_count = 16;
std::string_view name_of(Rule rule);

/// A set of rules.
struct Rules {
  std::uint32_t bits = 0;
  bool has(Rule rule) const { return (bits >> static_cast<unsigned>(rule) & 1U) != 0; }
  Rules with(Rule rule) const { return {bits | 1U << static_cast<unsigned>(rule)}; }
  bool operator==(const Rules&) const = default;
};

/// What a widget can receive: bits of Accepts; 0 where it is disabled or not visible.
enum Accepts : std::uint8_t { accepts_tap = 1, accepts_long = 2, accepts_swipe = 4, accepts_text = 8 };
std::uint8_t accepted_by(const Widget& widget);
/// A list, grid or pager: something whose children are rows of one kind.
bool is_list(const Widget& widget);

/// A screen with every attribute hashed once, so that rules can be tried quickly.
class HashedScreen {
 public:
  static constexpr std::size_t widget_attributes = 10;  ///< Rule::text .. Rule::accepts
  static constexpr std::size_t screen_attributes = 4;   ///< kind, package, activity, posture

  HashedScreen() = default;
  explicit HashedScreen(const Screen& screen);

  /// The same with the rules applied.
  HashedScreen under(Rules rules) const;
  /// Class and id of everything but the rows of lists, as hashes in order: what makes it this page, whatever
  /// its data.
  std::vector<std::uint64_t> fixtures() const;
  const TedTree& tree() const { return tree_; }

  using Attributes = std::array<std::uint64_t, widget_attributes>;
  const std::vector<Attributes>& widgets() const { return widgets_; }
  const std::array<std::uint64_t, screen_attributes>& whole() const { return whole_; }

 private:
  struct Shape {
    std::int32_t subtree = 1;
    bool list = false, silent = false;
  };
  void drop_silent();
  void drop_equal_rows(bool all);
  void keep(const std::vector<char>& kept);
  void index();

  std::vector<Attributes> widgets_;
  std::vector<Shape> shapes_;
  std::array<std::uint64_t, screen_attributes> whole_{};
  TedTree tree_;
};

/// How much of the larger of two pages the other has too, by their fixtures: 0 .. 1. Below a half, an event
/// did not change the page but replaced it.
double overlap(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b);

/// The edit script as one number. Equal scripts have equal fingerprints.
std::uint64_t fingerprint(const HashedScreen& before, const HashedScreen& after);

/// One operation for people: `+ Button id/save "Save"`.
struct Change {
  enum class Kind : std::uint8_t { inserted, deleted, changed } kind{};
  std::string what;
};
/// The script without rules, in words; the screen's own changes first.
std::vector<Change> changes(const Screen& before, const Screen& after);

/// Two outlines in one: lines that only `expected` has begin with "-", lines that only `seen` has with "+", a
/// changed widget is both. Runs of more than `context` equal lines around are left out.
std::string marked_outline(const Screen& expected, const Screen& seen, std::size_t context = 2);

}  // namespace norn

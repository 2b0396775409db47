// Features of generated apps as text with holes. A feature (a collection, a wizard, a feed ...) is Lua as a
// programmer would write it once, plus the mistakes that are easy to make in it and the events that show each
// of them.
//
//   ${name}            a hole: filled from a table of words
//   +search| code      the line is there if the option `search` was drawn
//   -search| code      ... if it was not
//   ?stale| code       the line is there if the bug `stale` is planted
//   !stale| code       ... if it is not
// Conditions may be chained: `+search?stale| code`. Leading spaces stand before the conditions.
//
// The holes: ${A} prefix of activities, ${key} storage key, ${T} title, ${o} one of the things it is about,
// ${t1} ${t2} .. ${tl} first, second .. last title, ${items} the initial list, ${k1} ${k2} kinds, ${q} what
// is counted.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace norn::sim {

struct BugTemplate {
  std::string_view name;            ///< in the text ${bug:name} is its full id
  std::string_view kind;            ///< crash, functional
  std::string_view what;            ///< a sentence with holes
  std::string_view events;          ///< from the feature's first screen, one a line, with holes
  std::string_view needs = {};      ///< options that must be on (-name: off), separated by spaces
  int items = 0;                    ///< how many items the feature must begin with; 0: any number
  std::string_view conflicts = {};  ///< bugs of this feature that its events would meet first
};

struct FeatureTemplate {
  std::string_view name;
  int screens = 0;                ///< activities and dialogs
  std::string_view entry;         ///< activity to start, with holes
  std::string_view options = {};  ///< that may be drawn, separated by spaces
  std::string_view lua;
  std::string_view server = {};  ///< lines for the server function; may be empty
  std::vector<BugTemplate> bugs;
};

using Words = std::map<std::string, std::string, std::less<>>;

struct Choice {
  std::set<std::string, std::less<>> options, bugs;
};

/// Fills the holes and decides the lines. Unknown holes are left as they are, so that a test sees them.
std::string fill(std::string_view text, const Words& words, const Choice& choice);

/// The catalogue: a file each (feature_wizard.cc).
namespace features {
FeatureTemplate collection();
FeatureTemplate board();
FeatureTemplate folders();
FeatureTemplate wizard();
FeatureTemplate picker();
FeatureTemplate basket();
FeatureTemplate safe();
FeatureTemplate settings();
FeatureTemplate feed();
FeatureTemplate counter();
}  // namespace features

/// All of them, in a fixed order; they live as long as the program.
std::vector<const FeatureTemplate*> all_features();

}  // namespace norn::sim

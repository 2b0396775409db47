// Which trace could go on with another? A restart costs as much as several events, so the end of one trace is
// led over to the place where another begins to matter, by steps the traces are known to make between
// abstract states:
//
//     A: start ------> end ~~ bridge ~~> place --> what B is kept for
//
// Whether it replays is for a device to say; the most saving come first.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "shrink/shrink.h"
#include "suite/paths.h"

namespace norn {

struct Join {
  std::uint32_t first = 0, second = 0;  ///< members
  std::uint32_t at = 0;                 ///< the second goes on from there
  double saving = 0;                    ///< seconds
};

class Bridges {
 public:
  /// Steps between states, from all traces.
  Bridges(std::span<const Path> traces, Joint loose_start);

  struct Part {
    const Path* path;
    std::uint32_t matters_from;  ///< the first link it is kept for
  };
  /// A step that can be come to: over the shortest way to the place it starts from.
  struct Hit {
    Joint at;
    const Link* link;
    std::uint32_t steps;  ///< it included
    double more = 0;      ///< seconds of them beyond the events' prices
  };
  /// All steps within `longest` of a place, each with the sets of items it was seen to hit.
  std::vector<Hit> within(Joint loose_from, std::uint32_t longest) const;
  /// The way there, the step included.
  Path way(Joint loose_from, const Hit& hit) const;
  /// Ways to go on with `second` after `first`, each from another place, the most saving first; only what
  /// saves.
  std::vector<Join> between(const Part& first, const Part& second, const Prices& prices,
                            std::size_t most) const;
  Path joined(const Path& first, const Path& second, const Join& join) const;

 private:
  struct Way {
    Joint from;
    const Link* link;
    std::uint32_t steps;
    double more;
  };
  struct Spot {
    Joint at;
    std::uint32_t steps;
    double more;
    const std::vector<const Link*>* hits;
  };
  struct Reached {
    std::unordered_map<Joint, Way> ways;
    std::vector<Spot> spots;  ///< places with steps to take, the nearest first
  };
  const Reached& reach(Joint from) const;

  std::vector<Path> traces_;
  Joint start_;
  std::unordered_map<Joint, std::vector<const Link*>> steps_;  ///< to another place each
  std::unordered_map<Joint, std::vector<const Link*>> hits_;   ///< all that differ, crashes too
  mutable std::unordered_map<Joint, Reached> reached_;         ///< what was asked for so far
};

}  // namespace norn

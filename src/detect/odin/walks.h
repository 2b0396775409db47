// Calibration and manifestation in one walk.
//
// Calibration (the paper): take the model state that fewest inputs reach, walk there at random over the model
// from a clean start. If a step lands elsewhere than the model says, the real trace is added and the model
// mined again; the input is kept, not counted. Manifestation: a step costs an eighth of a restart, and every
// step is an input and what one event did to it. So the walk does not end where it arrives: it goes on with
// the event that is least known on the screen where it stands, or towards the nearest state that has one. An
// event is known when enough inputs behaved alike, or N inputs were seen.
#pragma once

#include <unordered_map>

#include "detect/detect.h"
#include "detect/odin/groups.h"

namespace norn {

class Walks {
 public:
  Walks(Replay& replay, Model& model, Groups& groups, const DetectOptions& options, std::size_t most);

  /// One walk. False: there is nothing left to learn.
  Result<bool> one(std::stop_token stop);

  std::uint64_t walks() const { return walks_; }
  std::uint64_t hits() const { return hits_; }

  bool needs(const Group& group) const;

 private:
  friend class WalkChooser;
  ModelState rarest();
  bool any_need(LayoutId layout);
  std::vector<std::uint64_t> wanted(LayoutId layout) const;

  Replay& replay_;
  Model& model_;
  Groups& groups_;
  const DetectOptions& options_;
  std::size_t most_;
  Rng rng_;
  std::unordered_map<ModelState, std::uint32_t> tried_;  ///< walks aimed at a state since the model was mined
  std::unordered_map<LayoutId, std::pair<std::uint64_t, bool>> need_;  ///< as of so many pairs
  std::uint32_t mined_ = 0;
  std::uint64_t walks_ = 0, hits_ = 0;
};

}  // namespace norn

// Layouts: classes of screens that can handle the same events. Two screens are similar iff, for every event
// seen in any trace whose receiver is on either, the receiver has a counterpart on the other under the
// least-cost tree-edit mapping, a counterpart that keeps the class and accepts the event.
//
// Compared are skeletons: class, id and what a widget accepts. Rows of a list that are equal as skeletons are
// one row, since an event on one of them can be sent to any other. Swipes are left aside: whether a list
// scrolls depends on how much it holds. "Not in the app" is a layout, one per package.
//
// Similarity is not transitive, so a layout is a clique: a new skeleton joins the first layout all of whose
// skeletons it is similar to. Verdicts are kept per pair of skeletons.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/id.h"
#include "gui/event.h"
#include "gui/screen.h"
#include "gui/ted.h"

namespace norn {

using LayoutId = Id<struct LayoutTag>;

struct SimilarOptions {
  /// Screens of different activities are never similar, nor those with and without the keyboard, which Back
  /// closes. Not in the paper; without it, all screens with nothing but a Back arrow are one state, which is
  /// the first cause of false alarms the paper names.
  bool same_activity = true;
};

class Layouts {
 public:
  explicit Layouts(SimilarOptions options = {}) : options_(options) {}

  /// An event was seen to be received on this screen. True: it is of a kind not seen before, and layouts
  /// given so far may have to be given anew (reset()).
  bool saw(const Event& event, const Screen& on);
  LayoutId of(const Screen& screen);
  /// The same for whoever knows content_hash(screen): a screen seen before costs a look-up.
  LayoutId of(const Screen& screen, std::uint64_t hash);
  /// Forgets all layouts, keeps the events.
  void reset();

  std::size_t size() const { return layouts_.size(); }
  /// The pair verdict itself.
  bool similar(const Screen& a, const Screen& b);

 private:
  struct Skeleton {
    TedTree tree;
    std::vector<std::uint8_t> handles;  ///< per node: accepted kinds that were seen
    std::uint64_t group = 0;            ///< kind, package, activity: what must be equal
    bool app = true;
  };
  Skeleton skeleton_of(const Screen& screen) const;
  std::uint64_t hash_of(const Skeleton& s) const;
  bool similar(std::uint32_t a, std::uint32_t b);
  std::uint32_t put(Skeleton skeleton);
  LayoutId place(std::uint32_t skeleton);

  SimilarOptions options_;
  std::unordered_set<std::uint64_t> seen_;  ///< (accepted kind, class, id) of receivers
  std::vector<Skeleton> skeletons_;
  std::vector<LayoutId> layout_of_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_hash_;
  std::unordered_map<std::uint64_t, LayoutId> by_screen_;
  std::unordered_map<std::uint64_t, bool> verdicts_;
  std::vector<std::vector<std::uint32_t>> layouts_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_group_;  ///< layouts of a group
};

}  // namespace norn

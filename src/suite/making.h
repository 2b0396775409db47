// The making of a suite, phase by phase: the one object they all work on. Private to suite; its phases are in
// suite.cc (0 to 2), polish.cc, shrinking.cc, tour.cc, repair.cc and planning.cc (3), and finish.cc (order,
// check, report).
#pragma once

#include <fmt/core.h>

#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/rng.h"
#include "suite/cuts.h"
#include "suite/fold.h"
#include "suite/joining.h"
#include "suite/splice.h"
#include "suite/suite.h"
#include "suite/trials.h"

namespace norn {

/// A trace of the suite in the making.
struct SuiteMember {
  Path path;
  NodeId end;
  ItemSet confirmed;
  std::uint32_t fragments = 1;
  bool keep = false;
  Counts yes{}, no{};
  double measured = 0;  ///< device seconds of one run in the last check; 0: it was not run there
};

/// A trace that was given.
struct Input {
  NodeId node;
  Path path;  ///< as far as it replays
  ItemSet claims;
  bool confirmed = false;
  NodeId end{};
  bool keep = false;
};

class Making {
 public:
  Making(Replay& replay, const SuiteOptions& options, Progress& progress, std::stop_token stop)
      : replay_(replay),
        options_(options),
        progress_(progress),
        material_(replay.history(), known_, options.state, options.joints, options.by == By::steps),
        trials_(replay, material_, known_, options_, std::move(stop)),
        given_nodes_(static_cast<std::uint32_t>(replay.history().size())) {}

  Result<SuiteResult> run(std::span<const NodeId> traces);

 private:
  // ---- phase 0 ----

  Status take(std::span<const NodeId> traces);

  /// Every trace, as long as it takes.
  void stabilise_all();

  /// Only those a cover needs: while one of them replays less far than it claims, cover again. At the end
  /// everything that is claimed is confirmed, and what was claimed by nobody who replays is lost with a
  /// reason.
  void stabilise_chosen();

  std::vector<std::uint32_t> choose() const;

  void stabilised(Input& input, const Tried& tried);

  void blame(const Input& input, const ItemSet& items, const std::string& why);

  SuiteMember member(const Input& input) const;

  /// What is confirmed now must be there in the end.
  void promise();

  // ---- phase 1 ----

  void cut();

  /// The shortest form of a trace that replays and keeps what is needed; nothing: as it is.
  /// `loose`: places are equal whose abstract states are.
  std::optional<SuiteMember> shortest(const SuiteMember& m, const ItemSet& needed, CutRules rules,
                                      bool loose = false);

  // ---- phase 2 ----

  void splice();

  std::vector<SuiteMember> splice(const std::vector<Path>& library, Joint start);
  /// The splices that would be tried one after the other while they fail.
  std::vector<Splice> best_ones(Splices& splices, const ItemSet& wanted, std::size_t most);

  /// Fragments need not come from what phase 1 kept: a trace that adds nothing may hold the missing
  /// connection. First come, first taken, as long as they add something to those taken so.
  void enrich(std::vector<Path>& library);

  /// Adds of `from` what covers what is missing.
  static void complete(std::vector<SuiteMember>& made, const std::vector<SuiteMember>& from,
                       const ItemSet& missing);

  double seconds(const Path& path) const { return seconds_of(path, options_.prices); }
  /// As it was measured, else by the prices.
  double seconds(const SuiteMember& m) const { return m.measured > 0 ? m.measured : seconds(m.path); }
  double cost(const std::vector<SuiteMember>& members) const {
    return std::accumulate(members.begin(), members.end(), 0.0,
                           [&](double sum, const SuiteMember& m) { return sum + seconds(m); });
  }

  // ---- phase 3 ----

  /// Everything that ever replayed, and every beginning of it, may be in the suite: is there a cheaper one?
  void reselect();
  /// The best suite of that pool that a run of so many seconds has room for.
  std::vector<SuiteMember> select(double seconds);

  /// How many members have each item.
  std::vector<std::uint32_t> owners() const;
  ItemSet only(const SuiteMember& m, const std::vector<std::uint32_t>& owners) const;

  /// Polishes and joins until that saves nothing.
  void settle();
  /// Drops what others cover, and cuts each trace down to what it alone is kept for. Those that add least
  /// come first.
  void polish();

  /// Takes events out of traces, as reduce does, as long as what each is kept for stays.
  void shrink();
  /// A shorter path that hits all of these, as it was run.
  std::optional<Path> shrunk(Path path, const ItemSet& needed, Algorithm reducer, double until);
  /// Seeks shorter ways to what is known only from the depth of long traces.
  void dig();
  /// Where traces end that are known to replay: what was asked and, where one run is enough, the shortest
  /// ways to everything.
  std::vector<NodeId> pool();
  /// Looks at what was decided since it was last called, and first at what was there before: the shortest way
  /// known to everything. What other devices ran ahead is left out, so that their number changes nothing.
  void look();
  void look(NodeId node);

  /// Another suite, from nothing: again and again the step that adds most for its way there.
  void tour();
  /// Plans and settles, again while that saves something.
  void replan();
  /// Cheaper suites are planned on a guess at the states behind the screens, then run, as long as that saves
  /// something.
  void plan(double until, std::uint64_t seed);
  /// A cheaper suite than `from`, if the guess is right; without gains: what `from` lacks is added.
  /// `risk`: what a step that surely leads elsewhere would cost, in events.
  std::vector<Path> planned(const Folding& model, const std::vector<Path>& from, const ItemSet& wanted,
                            std::uint32_t gains, double risk, Rng& rng);
  /// Runs what was hoped for and puts what came of it in its place; the suite that would make, its ends
  /// trimmed.
  std::vector<SuiteMember> carried_out(std::vector<Path>& hoped, const std::vector<SuiteMember>& kept);
  /// Of the members that need not be kept whole.
  std::vector<Path> free_paths() const;
  /// Adds steps and traces until nothing of `wanted` is missing, or they cost more than `dearest`.
  void repair(std::vector<SuiteMember>& made, const ItemSet& wanted, const Bridges& bridges, double dearest,
              Rng& rng);
  /// Ends that others cover as well are dropped.
  void trim(std::vector<SuiteMember>& members);
  ItemSet missing(const std::vector<SuiteMember>& members) const;
  /// As it was run: the beginning of that path.
  SuiteMember ran(NodeId end, std::size_t length);
  Bridges all_bridges();
  /// A search may go on until its questions have taken as much as so many runs of the suite, and no more than
  /// that share of one run of all that was given (of eight hours at least): see Trials::asked_seconds.
  double spare(double runs, double share) const {
    return trials_.asked_seconds() +
           std::min(runs * std::max(cost(members_), 60.0), share * std::max(given_seconds_, 8 * 3600.0));
  }
  bool enough(double until) const { return trials_.over() || trials_.asked_seconds() > until; }

  /// Leads traces over into others, as long as that saves seconds and replays.
  void join();
  bool fails(const Path& path) const {
    PrefixHash prefix = empty_prefix;
    for (const Link& link : path) {
      prefix = extend(prefix, link);
      if (known_.fails(prefix)) return true;
    }
    return false;
  }

  std::vector<Join> all_joins(const Bridges& bridges) const;
  std::uint32_t first_needed(const SuiteMember& m, const std::vector<std::uint32_t>& owned) const;

  bool join(const Bridges& bridges, const std::vector<Join>& joins);
  bool accept(const Join& join, const Path& path, const Tried& tried);

  // ---- the end ----

  void set_order();

  /// The most that fits.
  void meet_target();
  /// What the check measured may be more than the prices said: the most that fits by that, checked again.
  void meet_target_as_measured();
  /// The order is kept; whoever does not fit any more is left out.
  void drop_what_does_not_fit();
  /// What the members cover of what matters.
  ItemSet held() const;
  /// What was had and is not held now is left out for the target.
  void leave_out(const ItemSet& had);
  /// Seconds of the shortest run that has any of this.
  double least_seconds(const ItemSet& wanted);

  /// The whole suite from clean starts; what does not show again is sought once more in the traces as they
  /// were given.
  void certify();

  void check(std::span<SuiteMember> members);
  void checked(SuiteMember& m, const Tried& tried);
  /// It crashed as it should, but there already: that is all there is of it.
  void shorten(SuiteMember& m, NodeId end);

  SuiteResult report();
  /// Crashes that nobody had met before.
  std::vector<NodeId> new_crashes() const;
  /// Seconds that no suite of the given steps can do without.
  double least();
  /// Seconds that no choice among all that was executed, each trace or a beginning of it, can do without.
  double least_choice();

  LostItem lost(std::uint32_t item) const;

  Covered covered(const ItemSet& items) const;

  ItemSet matters(const ItemSet& items) const {
    if (options_.by == By::coverage || options_.by == By::steps) return items;
    if (options_.by == By::screens) return items - material_.of_kind(ItemKind::code);
    return items & material_.of_kind(ItemKind::crash);
  }
  void count(const ItemSet& items, SuiteFigures& figures) const;
  void fill(SuiteFigures& figures) const;
  void begin_phase();
  void end_phase(const char* name);
  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    progress_.status(fmt::format(text, std::forward<Args>(args)...));
  }

  struct Reason {
    std::string why;
    NodeId trace;
    Reason(std::string w, NodeId t) : why(std::move(w)), trace(t) {}
  };

  Replay& replay_;
  const SuiteOptions& options_;
  Progress& progress_;
  Knowledge known_;
  Material material_;
  Trials trials_;
  std::vector<Input> inputs_;
  std::vector<SuiteMember> members_, originals_;
  ItemSet base_, claimed_, promised_, targeted_;
  std::map<std::uint32_t, NodeId> nearest_;  ///< of each item: the node nearest to the start
  std::uint32_t given_nodes_ = 1;            ///< that were there before
  std::uint32_t looked_ = 1;                 ///< of those, and of Trials::seen(): looked at
  std::size_t looked_seen_ = 0;
  std::unordered_set<std::uint64_t> polished_;  ///< (path, needed): nothing shorter was found
  std::uint64_t planned_work_ = 0;              ///< what planning has computed so far
  std::vector<double> weights_;                 ///< of items: rare ones more
  double given_seconds_ = 0;                    ///< one run of all that was given
  std::unordered_map<std::uint32_t, Reason> reasons_;
  SuiteResult result_;
  Effort spent_;
  std::uint64_t tried_ = 0, replayed_ = 0;
  std::vector<std::uint64_t> failed_;
};

}  // namespace norn

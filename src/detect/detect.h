// Functional bugs that do not crash, as behaviour that deviates: many inputs end on similar screens; the same
// event there should do one of few things; a rare deviation is suspicious (docs/detect.md tells the whole
// story).
//
//   bootstrap  inputs of at least two strategies: nodes of the tree (given)
//   model      which screens are alike, how one gets from where to where (model/)
//   walks      calibrated walks to what few inputs reach, and from there the events that are least known
//              (odin/walks.h)
//   groups     every edge of the tree is an input and what one event did to it: (layout, event) -> behaviours
//              (odin/groups.h)
//   clusters   behaviours that are alike after forgetting as little as possible; anomalies (odin/cluster.h,
//              odin/anomaly.h)
//   confirm    from clean starts; shortened; the smallest change between normal and deviant (confirm.h)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "detect/odin/cluster.h"
#include "gui/screen.h"
#include "model/model.h"
#include "replay/replay.h"

namespace norn {

/// One bootstrap input: a path of the tree.
struct BootstrapInput {
  NodeId end;
  std::string strategy;  ///< shares are printed
};

/// Of what may be spent: exploring, for inputs to begin with. The paper gave it about a third; here much of
/// what is known of an app comes from trying what it offers.
inline constexpr double explore_share = 0.2;

struct DetectOptions {
  bool calibrate = true;  ///< off: the variant `nocalib`
  ClusterOptions cluster;
  SimilarOptions similar;
  /// Report only what the screen before does not explain: some deviant input looked exactly like a usual one
  /// before the event. Off: as the paper has it; most of what comes then is rare and right, and can be seen
  /// to be.
  bool unexplained = true;
  double habit = 0.5;          ///< share of the inputs that must do the usual thing
  std::uint32_t inputs = 100;  ///< N: inputs a (layout, event); the paper's order of magnitude
  std::uint32_t alike =
      20;  ///< so many that all behave alike end it: a behaviour of 14 % would have shown itself (95 %)
  std::uint32_t least = 11;  ///< fewer inputs than this can never be decided (9/1 is undecided)
  std::uint32_t tail = 12;   ///< steps after a calibrated walk: a restart costs about eight events
  std::uint32_t max_length =
      0;  ///< of calibrated walks; 0: the longest bootstrap input, at most 20 (longer walks rarely arrive)
  double walk_share = 0.6;           ///< of what may be spent: calibration and manifestation
  double ask_share = 0.15;           ///< more inputs for what is undecided
  std::uint64_t max_events = 20000;  ///< of the walks, where there is no budget
  std::uint32_t repeats = 10;        ///< clean starts of a confirmation: 10 of 10 is a rate of at least 0.74
  std::uint32_t both_ways =
      5;  ///< clean starts of each way of a pair: 5 of 5 is a rate of at least 0.55, twice
  std::int32_t settle_ms =
      5000;  ///< waited on both ways before they are called different: longer than a message stays
  std::uint32_t shorten_asks = 120;  ///< questions spent on shortening and isolating one report
  std::uint32_t max_reports = 40;    ///< looked into, best first
  double false_share = 0.2;          ///< reports with a larger q-value (Benjamini-Hochberg) are left out
  /// Asked in the order hidden, neutral, values, independent, files, odin; each may spend its share of what
  /// is left.
  std::vector<std::string> oracles{"values", "neutral", "hidden"};  ///< and independent, odin
  std::map<std::string, std::string> properties;                    ///< file name -> its text
  std::uint64_t seed = 1;
};

/// Further things of the same kind that a report lists.
struct ReportPart {
  std::string words, place;
  std::vector<Event> normal, deviant;
  Screen expected, seen;
};

/// The kind of a report that lists what rotation or a dying process loses: comes last.
inline constexpr std::string_view losses = "losses";

struct Report {
  std::string oracle = "odin";
  std::string_view kind;  ///< of expectation, within the oracle; a literal
  std::string place;      ///< the activity where it happens
  ModelState state;
  Event event;
  std::vector<Event> normal, deviant;   ///< shortest inputs found, the event last
  std::vector<std::string> difference;  ///< what turns the normal input into the deviant one
  Screen before, expected, seen;        ///< `seen` after the deviant, `expected` after the normal input
  bool ends_should_agree = false;       ///< `normal` and `deviant` are two ways that should end alike
  std::pair<std::string, std::string>
      reads_as;            ///< but for a name that `deviant` changed: `expected` has the new one already
  std::string seen_crash;  ///< never set for odin's reports
  std::uint32_t usual = 0, rare = 0, inputs = 0;  ///< sizes of the two clusters, and of the group
  double p = 1, q = 1;
  std::uint32_t came_back = 0, runs = 0;  ///< from clean starts
  bool minimal = false;                   ///< the deviant input was shortened to the end
  std::uint32_t duplicates = 0;           ///< groups that showed the same
  std::string rules;                      ///< what was forgotten
  std::string words;                      ///< for oracles that state what is wrong themselves
  std::vector<ReportPart> more;           ///< confirmed like the report itself
  NodeId deviant_end, normal_end;
};

/// A property of a user's own file, and on how many inputs it was tried.
struct PropertyTried {
  std::string file;
  std::size_t line = 0;
  std::string then;
  std::size_t times = 0;
};

struct Detection {
  std::vector<Report> reports;  ///< confirmed, best first
  std::vector<Report> flaky;    ///< did not come back from clean starts
  std::size_t states = 0, transitions = 0, layouts = 0, flaky_edges = 0;
  std::size_t groups = 0, covered = 0;  ///< (layout, event) pairs, and those with enough inputs
  std::size_t undecided = 0;
  std::uint64_t held = 0, failed = 0;  ///< pairs of ways that ended alike, and that did not
  std::uint64_t walks = 0, hits = 0;   ///< calibrated walks, and those that ended where they should
  std::uint64_t pairs = 0;             ///< behaviours in all
  /// What the inputs of the covered pairs (at most `inputs` of each) would take if each were run by itself
  /// from a clean start.
  std::uint64_t cold_runs = 0, cold_events = 0;
  std::map<std::string, std::size_t> shares;  ///< bootstrap inputs by strategy
  std::map<std::string, Effort> effort;       ///< by phase
  std::vector<PropertyTried> properties;
  bool stopped = false;          ///< budget, or asked to stop
  std::optional<Error> trouble;  ///< the device was lost on the way: what is not reported may well be there
};

/// The ends of all paths among the nodes from `first` on, as inputs of that strategy.
std::vector<BootstrapInput> inputs_since(const History& tree, std::size_t first, const std::string& strategy);

Result<Detection> detect(Replay& replay, std::span<const BootstrapInput> inputs, const DetectOptions& options,
                         Progress& progress, std::stop_token stop = {});

/// Whether this is a file of properties; errors name its line.
Status check_properties(const std::string& name, const std::string& text);

/// A bug report for people.
std::string report_text(const Report& report, std::size_t number);

}  // namespace norn

// The procedure, phase by phase; each phase is in a file of its own.
#include "detect/detect.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "base/text.h"
#include "detect/confirm.h"
#include "detect/merged.h"
#include "detect/odin/groups.h"
#include "detect/odin/walks.h"
#include "detect/oracles.h"

namespace norn {
namespace {

/// A cluster that deviates, with its group.
struct Suspect {
  std::uint64_t group = 0;
  Yardstick by;
  Behaviour rare, usual;  ///< the shallowest of each
  std::uint32_t size = 0, majority = 0, all = 0;
  double p = 1, q = 1;
};

class Detecting {
 public:
  Detecting(Replay& replay, const DetectOptions& options, Progress& progress, std::stop_token stop)
      : replay_(replay),
        tree_(replay.history()),
        options_(options),
        progress_(progress),
        stop_(std::move(stop)),
        model_(tree_, options.similar),
        groups_(tree_, model_.layouts(), options.cluster),
        budget_(replay.left()) {}

  Result<Detection> run(std::span<const BootstrapInput> inputs) {
    NORN_CHECK(bootstrap(inputs));
    other_oracles();
    if (wants("odin") && !stop_.stop_requested()) {
      budget_ = replay_.left();
      phase("walks", [&] { return walk(inputs); });
      phase("more inputs", [&] { return ask_undecided(); });
      phase("confirm", [&] { return confirm_all(); });
    }
    finish();
    return std::move(out_);
  }

 private:
  bool wants(std::string_view oracle) const {
    return std::ranges::find(options_.oracles, oracle) != options_.oracles.end();
  }
  bool over() const { return stop_.stop_requested() || replay_.left() <= 0; }
  /// Of the seconds there were at the beginning, at least this share is left.
  bool left(double share) const {
    if (over()) return false;
    return !std::isfinite(budget_) || replay_.left() > share * budget_;
  }

  template <class Work>
  void phase(const std::string& name, Work work) {
    const Effort before = replay_.spent();
    if (const Status status = work(); !status) {
      out_.stopped = true;
      if (!is_spent(status.error())) progress_.warning(fmt::format("{}: {}", name, status.error().message()));
    }
    out_.effort[name] = replay_.spent() - before;
  }

  Status bootstrap(std::span<const BootstrapInput> inputs) {
    for (const BootstrapInput& input : inputs) {
      if (!tree_.contains(input.end))
        return fail(Error::Kind::bad_input, "a bootstrap input is no node of the tree", {}, "explore first");
      model_.add(input.end);
      ++out_.shares[input.strategy];
    }
    if (inputs.empty() && stop_.stop_requested())
      return fail(Error::Kind::cancelled, "interrupted before anything was explored");
    if (inputs.empty())
      return fail(Error::Kind::bad_input, "there are no inputs to begin with", {}, "explore first");
    if (out_.shares.size() < 2)
      progress_.warning("all inputs are of one strategy: what it never does is not known to be possible");
    model_.mine();
    groups_.update();
    return {};
  }

  Status walk(std::span<const BootstrapInput> inputs) {
    std::size_t most = options_.max_length;
    for (const BootstrapInput& input : inputs)
      if (options_.max_length == 0) most = std::clamp<std::size_t>(tree_.depth(input.end), most, 20);
    Walks walks(replay_, model_, groups_, options_, most);
    const std::uint64_t begun = replay_.spent().events;
    Status status;
    while (left(1 - options_.walk_share) && replay_.spent().events - begun < options_.max_events) {
      const auto more = walks.one(stop_);
      if (!more) status = std::unexpected(more.error());
      if (!more || !*more) break;
      progress_.status(fmt::format("{} walks, {} states, {} events known of {}", walks.walks(),
                                   model_.states(), covered(), groups_.all().size()));
    }
    out_.walks = walks.walks(), out_.hits = walks.hits();
    return status;
  }

  std::size_t covered() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        groups_.all(), [&](const auto& g) { return g.second.behaviours.size() >= options_.least; }));
  }

  std::vector<std::uint64_t> keys() const {
    std::vector<std::uint64_t> out;
    for (const auto& [key, group] : groups_.all())
      if (group.behaviours.size() >= 2 && group.prints.size() >= 2) out.push_back(key);
    std::ranges::sort(out, {},
                      [&](std::uint64_t k) { return groups_.all().at(k).behaviours[0].after.value; });
    return out;
  }

  /// A without B or C: the event is appended to more inputs that end there.
  Status ask_undecided() {
    std::unordered_map<LayoutId, std::vector<NodeId>> nodes;  // shallow ones first
    for (std::uint32_t n = 0; n < tree_.size(); ++n)
      if (!tree_.crash(NodeId{n})) nodes[groups_.layout_of({n})].push_back({n});
    for (auto& [layout, all] : nodes)
      std::ranges::stable_sort(all, {}, [&](NodeId n) { return tree_.depth(n); });
    for (const std::uint64_t key : keys()) {
      if (!left(1 - options_.walk_share - options_.ask_share)) break;
      const Group group = groups_.all().at(key);
      if (group.behaviours.size() < options_.least / 2 || group.behaviours.size() >= options_.inputs)
        continue;
      const Clustering now = cluster(group.behaviours, groups_.prints(), options_.cluster);
      if (!now.any(Finding::undecided) || now.any(Finding::anomalous)) continue;
      NORN_CHECK(append_to_more(group, nodes[group.layout]));
    }
    groups_.update();
    return {};
  }

  Status append_to_more(const Group& group, std::vector<NodeId> nodes) {
    std::set<NodeId> used;
    for (const Behaviour& b : group.behaviours) used.insert(b.before);
    std::erase_if(nodes, [&](NodeId n) { return used.contains(n); });
    if (nodes.size() > options_.alike) nodes.resize(options_.alike);
    std::vector<Request> requests;
    for (const NodeId node : nodes) {
      const auto events = in_role(group.event, group.role, tree_.screen(node));
      if (!events.empty()) requests.push_back({.from = node, .events = {replay_.intern(events.front())}});
    }
    for (const Outcome& o : replay_.ask(requests, Until::all, stop_))
      if (o.why && o.why->kind == Error::Kind::budget) return std::unexpected(*o.why);
    return {};
  }

  std::vector<Suspect> suspects() {
    std::vector<Suspect> out;
    std::vector<double> ps;
    for (const std::uint64_t key : keys()) {
      const Group& group = groups_.all().at(key);
      const Clustering found = cluster(group.behaviours, groups_.prints(), options_.cluster);
      out_.undecided += found.any(Finding::undecided) && !found.any(Finding::anomalous);
      for (const Cluster& c : found.clusters) {
        ps.push_back(c.judged.p);
        if (c.judged.finding != Finding::anomalous || ends_as_usual(group, found, c)) continue;
        if (!usual_enough(group, found)) continue;
        if (options_.unexplained && !looked_usual(group, found, c)) continue;
        Suspect s{key,
                  {group.layout, group.general ? group.role.general : group.role.specific, found.rules,
                   found.usual(), c.print},
                  shallowest(group, c),
                  shallowest(group, found.clusters.front()),
                  static_cast<std::uint32_t>(c.members.size()),
                  static_cast<std::uint32_t>(found.clusters.front().members.size()),
                  static_cast<std::uint32_t>(group.behaviours.size()),
                  c.judged.p,
                  0};
        if (!tree_.crash(s.rare.after) && !tree_.crash(s.usual.after)) out.push_back(s);
      }
    }
    std::vector<double> own;
    own.reserve(out.size());
    for (const Suspect& s : out) own.push_back(s.p);
    const auto q = false_discovery(own);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].q = q[i];
    std::ranges::stable_sort(out, {}, &Suspect::p);
    return out;
  }

  bool usual_enough(const Group& group, const Clustering& found) const {
    return static_cast<double>(found.clusters.front().members.size()) >=
           options_.habit * static_cast<double>(group.behaviours.size());
  }

  /// It ends where the usual ones end after an event that leads elsewhere, so nothing is amiss.
  bool ends_as_usual(const Group& group, const Clustering& found, const Cluster& c) {
    if (options_.cluster.texts || options_.cluster.simple) return false;
    const auto ending = [&](std::uint32_t i) { return groups_.prints().ending(group.behaviours[i].after); };
    const auto leaves = [&](std::uint32_t i) {
      const Behaviour& b = group.behaviours[i];
      return groups_.prints().ending(b.before) != groups_.prints().ending(b.after);
    };
    const auto& usual = found.clusters.front().members;
    return std::ranges::all_of(c.members, [&](std::uint32_t i) {
      return leaves(i) && std::ranges::any_of(usual, [&](std::uint32_t j) { return ending(j) == ending(i); });
    });
  }

  /// Some member's screen before the event was, to the letter, that of a usual one, and no popup over another
  /// page.
  bool looked_usual(const Group& group, const Clustering& found, const Cluster& c) {
    const auto look = [&](std::uint32_t i) {
      const NodeId before = group.behaviours[i].before;
      return Hasher()
          .add(tree_.key(tree_.samples(before).front().screen))
          .add(groups_.layout_of(groups_.page_under(before)).value)
          .finish();
    };
    std::set<std::uint64_t> usual;
    for (const std::uint32_t i : found.clusters.front().members) usual.insert(look(i));
    return std::ranges::any_of(c.members, [&](std::uint32_t i) { return usual.contains(look(i)); });
  }

  Behaviour shallowest(const Group& group, const Cluster& c) const {
    return group.behaviours[*std::ranges::min_element(
        c.members, {}, [&](std::uint32_t i) { return tree_.depth(group.behaviours[i].before); })];
  }

  /// What makes two suspicions one: the event's role and what it did.
  std::uint64_t behaviour_key(const Suspect& s) const {
    const Group& group = groups_.all().at(s.group);
    return Hasher().add(group.role.general).add(s.by.rare).finish();
  }

  Status confirm_all() {
    std::map<std::uint64_t, std::size_t> reported;  // behaviour -> index in reports, or ~0 for flaky
    std::size_t looked = 0;
    for (const Suspect& s : suspects()) {
      if (over() || looked >= options_.max_reports) break;
      if (s.q > options_.false_share && options_.cluster.anomaly.rule == AnomalyRule::norn) continue;
      const std::uint64_t key = behaviour_key(s);
      if (const auto known = reported.find(key); known != reported.end()) {
        if (known->second < out_.reports.size()) ++out_.reports[known->second].duplicates;
        continue;
      }
      ++looked;
      progress_.status(fmt::format("confirming {}: {} reports so far", looked, out_.reports.size()));
      NORN_TRY(const bool confirmed, confirm(s));
      reported[key] = confirmed ? out_.reports.size() - 1 : ~std::size_t{0};
    }
    return {};
  }

  /// True: the last of reports is new.
  Result<bool> confirm(const Suspect& s) {
    Confirm work(replay_, groups_, options_, stop_);
    Report r;
    r.event = tree_.event(tree_.event_id(s.rare.after));
    r.place = tree_.screen(s.rare.before).activity;
    r.state = model_.state_of(s.rare.before);
    r.usual = s.majority, r.rare = s.size, r.inputs = s.all, r.p = s.p, r.q = s.q;
    r.rules = rule_names(s.by.rules);
    r.deviant = tree_.events_to(s.rare.after), r.normal = tree_.events_to(s.usual.after);
    const Yardstick by = s.by;
    work.begin_report();
    r.deviant = work.shorten(r.deviant, by, by.rare, r.minimal);
    NORN_TRY(const auto counted, work.come_back(r.deviant, by, by.rare));
    std::tie(r.came_back, r.runs) = counted;
    bool ignored = false;
    work.begin_report();
    r.normal = work.shorten(r.normal, by, by.usual, ignored);
    r.difference = work.difference(r.normal, r.deviant, by);
    screens(r, by, work, s);
    groups_.update();
    const bool sure = r.runs > 0 && 2 * r.came_back > r.runs;
    (sure ? out_.reports : out_.flaky).push_back(std::move(r));
    return sure;
  }

  void screens(Report& r, const Yardstick& by, Confirm& work, const Suspect& s) {
    NodeId seen = s.rare.after, expected = s.usual.after;
    if (NodeId end; work.ends_so(r.deviant, by, by.rare, &end) == Verdict::yes) seen = end;
    if (NodeId end; work.ends_so(r.normal, by, by.usual, &end) == Verdict::yes) expected = end;
    r.deviant_end = seen, r.normal_end = expected;
    r.before = tree_.screen(tree_.parent(seen));
    r.seen = tree_.screen(seen), r.expected = tree_.screen(expected);
  }

  static std::string rule_names(Rules rules) {
    std::string out;
    for (std::size_t i = 0; i < rule_count; ++i)
      if (rules.has(static_cast<Rule>(i)))
        out += (out.empty() ? "" : ", ") + std::string(name_of(static_cast<Rule>(i)));
    return out;
  }

  /// Of what is left at each one's beginning, the other oracles get their weights' share.
  void other_oracles() {
    struct Oracle {
      std::string name;
      double weight;
      std::function<Status(OracleContext&)> ask;
    };
    std::vector<Oracle> all;
    if (wants("values")) all.push_back({"ordinary use", 1, ordinary_use});
    if (wants("hidden")) all.push_back({"hidden", 0.5, hidden_oracle});
    if (wants("neutral")) all.push_back({"neutral", 7, neutral_oracle});
    if (wants("values")) all.push_back({"values", 1.5, values_oracle});
    if (wants("independent")) all.push_back({"independent", 1, independent_oracle});
    for (const auto& property : options_.properties)
      all.push_back({property.first, 1, [&property](OracleContext& c) {
                       return property_oracle(c, property.first, property.second);
                     }});
    double weights = wants("odin") ? 4 : 0.5;  // time to confirm the last one's findings
    for (const Oracle& oracle : all) weights += oracle.weight;
    for (const Oracle& oracle : all) {
      const double left = replay_.left();
      const double until = std::isfinite(left) ? left * (1 - oracle.weight / weights) : 0;
      if (stop_.stop_requested()) break;
      groups_.update();
      OracleContext context{replay_, groups_, options_, stop_, out_, until};
      phase(oracle.name, [&] { return oracle.ask(context); });
      weights -= oracle.weight;
    }
  }

  void finish() {
    std::ranges::stable_partition(out_.reports, [](const Report& r) { return r.kind != losses; });
    merge_reports(out_.reports);
    out_.states = model_.states(), out_.transitions = model_.transitions(),
    out_.layouts = model_.layouts().size();
    for (std::uint32_t s = 0; s < model_.states(); ++s)
      for (const ModelEdge& e : model_.edges({s})) out_.flaky_edges += e.flaky;
    out_.groups = groups_.all().size(), out_.covered = covered(), out_.pairs = groups_.pairs();
    out_.stopped = out_.stopped || over();
    out_.trouble = replay_.lost();
    count_cold();
  }

  void count_cold() {
    std::set<NodeId> ends;
    for (const auto& [key, group] : groups_.all())
      if (group.behaviours.size() >= options_.least)
        for (std::size_t k = 0; k < std::min<std::size_t>(group.behaviours.size(), options_.inputs); ++k)
          ends.insert(group.behaviours[k].after);
    out_.cold_runs = ends.size();
    for (const NodeId n : ends) out_.cold_events += tree_.depth(n);
  }

  Replay& replay_;
  const History& tree_;
  const DetectOptions& options_;
  Progress& progress_;
  std::stop_token stop_;
  Model model_;
  Groups groups_;
  double budget_;
  Detection out_;
};

}  // namespace

std::vector<BootstrapInput> inputs_since(const History& tree, std::size_t first,
                                         const std::string& strategy) {
  std::vector<BootstrapInput> out;
  for (std::size_t n = first; n < tree.size(); ++n) {
    const NodeId node{static_cast<std::uint32_t>(n)};
    const NodeId end = tree.crash(node) ? tree.parent(node) : node;
    if (end && tree.children(node).empty() && tree.depth(end) >= 1) out.push_back({end, strategy});
  }
  return out;
}

Result<Detection> detect(Replay& replay, std::span<const BootstrapInput> inputs, const DetectOptions& options,
                         Progress& progress, std::stop_token stop) {
  return Detecting(replay, options, progress, std::move(stop)).run(inputs);
}

}  // namespace norn

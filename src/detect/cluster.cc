#include "detect/cluster.h"

#include <algorithm>
#include <map>

#include "base/hash.h"

namespace norn {
namespace {

using ByPrint = std::map<std::uint64_t, std::vector<std::uint32_t>>;

ByPrint grouped(std::span<const Behaviour> behaviours, Rules rules, Prints& prints) {
  ByPrint out;
  for (std::uint32_t i = 0; i < behaviours.size(); ++i) out[prints.of(behaviours[i], rules)].push_back(i);
  return out;
}

Clustering judged(const ByPrint& groups, Rules rules, const AnomalyOptions& options) {
  Clustering out{rules, {}};
  for (const auto& [print, members] : groups) out.clusters.push_back({print, members, {}});
  std::ranges::stable_sort(out.clusters, [](const Cluster& a, const Cluster& b) {
    return a.members.size() != b.members.size() ? a.members.size() > b.members.size()
                                                : a.members[0] < b.members[0];
  });
  std::vector<std::uint32_t> sizes;
  for (const Cluster& c : out.clusters) sizes.push_back(static_cast<std::uint32_t>(c.members.size()));
  const auto verdicts = judge(sizes, options);
  for (std::size_t i = 0; i < verdicts.size(); ++i) out.clusters[i].judged = verdicts[i];
  return out;
}

/// All that next_rule() may choose.
std::uint32_t every_rule() {
  constexpr std::uint32_t places =
      1U << static_cast<unsigned>(Rule::package) | 1U << static_cast<unsigned>(Rule::activity);
  return ((1U << rule_count) - 1) & ~places;
}

/// The unused rule that merges fewest clusters; the first of equals.
Rule next_rule(std::span<const Behaviour> behaviours, Rules rules, Prints& prints) {
  std::size_t most = 0;
  Rule best{};
  for (std::size_t r = 0; r < rule_count; ++r) {
    const auto rule = static_cast<Rule>(r);
    // Where one is is no attribute of a widget: forgetting it merges nothing at first and everything at last.
    if (rules.has(rule) || rule == Rule::package || rule == Rule::activity) continue;
    const std::size_t left = grouped(behaviours, rules.with(rule), prints).size();
    if (left > most) most = left, best = rule;
  }
  return best;
}

}  // namespace

bool Clustering::any(Finding finding) const {
  return std::ranges::any_of(clusters, [&](const Cluster& c) { return c.judged.finding == finding; });
}

const HashedScreen& Prints::screen(NodeId node, Rules rules) {
  const auto sample = tree_.samples(node).front();
  const std::uint64_t key = std::uint64_t{sample.screen.value} << 32 | rules.bits;
  if (const auto known = screens_.find(key); known != screens_.end()) return known->second;
  if (screens_.size() > 20000) screens_.clear();
  HashedScreen made = rules.bits == 0 ? HashedScreen(tree_.screen(sample.screen))
                                      : HashedScreen(tree_.screen(sample.screen)).under(rules);
  return screens_.emplace(key, std::move(made)).first->second;
}

std::uint64_t Prints::of(const Behaviour& b, Rules rules) {
  if (const Crash* crash = tree_.crash(b.after)) return signature(*crash, Sameness::frames);
  const auto id = [&](NodeId n) { return tree_.samples(n).front().screen.value; };
  const std::uint64_t key = Hasher().add(id(b.before)).add(id(b.after)).add(rules.bits).finish();
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  const Screen &from = tree_.screen(b.before), &to = tree_.screen(b.after);
  const bool elsewhere = from.kind != to.kind || from.package != to.package || from.activity != to.activity;
  std::uint64_t print = 0;
  if (elsewhere && !texts_) {
    print = Hasher().add(rules.bits).add(screen(b.after, rules).page()).finish();
  } else {
    const HashedScreen before = screen(b.before, rules);
    print = fingerprint(before, screen(b.after, rules));
  }
  known_.emplace(key, print);
  return print;
}

Rules first_rules(const ClusterOptions& options) {
  Rules rules;
  if (options.simple) {
    for (const Rule r :
         {Rule::text, Rule::desc, Rule::hint, Rule::id, Rule::checked, Rule::selected, Rule::focused,
          Rule::enabled, Rule::accepts, Rule::package, Rule::activity, Rule::posture, Rule::silent})
      rules = rules.with(r);
    return rules;
  }
  return options.texts ? rules : rules.with(Rule::text).with(Rule::desc).with(Rule::hint);
}

Clustering cluster(std::span<const Behaviour> behaviours, Prints& prints, const ClusterOptions& options) {
  Rules rules = first_rules(options);
  const std::uint32_t every = every_rule();
  Clustering best = judged(grouped(behaviours, rules, prints), rules, options.anomaly);
  while (!options.simple && best.clusters.size() > 1 && !best.any(Finding::anomalous) &&
         (rules.bits & every) != every) {
    rules = rules.with(next_rule(behaviours, rules, prints));
    best = judged(grouped(behaviours, rules, prints), rules, options.anomaly);
  }
  return best;
}

}  // namespace norn

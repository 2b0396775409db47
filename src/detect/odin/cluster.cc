#include "detect/odin/cluster.h"

#include <algorithm>
#include <iterator>
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
  constexpr std::uint32_t not_ours = 1U << static_cast<unsigned>(Rule::contents);
  constexpr std::uint32_t places =
      1U << static_cast<unsigned>(Rule::package) | 1U << static_cast<unsigned>(Rule::activity);
  return ((1U << rule_count) - 1) & ~places & ~not_ours;
}

/// The unused rule that merges fewest clusters; the first of equals.
Rule next_rule(std::span<const Behaviour> behaviours, Rules rules, Prints& prints) {
  std::size_t most = 0;
  Rule best{};
  for (std::size_t r = 0; r < rule_count; ++r) {
    const auto rule = static_cast<Rule>(r);
    // Where one is is no attribute of a widget: forgetting it merges nothing at first and everything at last.
    if (rules.has(rule) || rule == Rule::package || rule == Rule::activity || rule == Rule::contents)
      continue;
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

const Prints::Seen& Prints::seen(NodeId node) {
  const ScreenId id = tree_.samples(node).front().screen;
  const auto [at, fresh] = seen_.try_emplace(id);
  if (!fresh) return at->second;
  const Screen& s = tree_.screen(id);
  const std::uint64_t place =
      Hasher().add(static_cast<std::uint64_t>(s.kind)).add(s.package).add(s.activity).finish();
  Seen& out = at->second;
  out.fixtures = HashedScreen(s).fixtures();
  std::ranges::sort(out.fixtures);
  out.fixtures.erase(std::unique(out.fixtures.begin(), out.fixtures.end()), out.fixtures.end());
  const auto same = std::ranges::find_if(
      pages_, [&](const Page& p) { return p.place == place && overlap(p.fixtures, out.fixtures) >= 0.5; });
  out.page = static_cast<std::uint32_t>(same - pages_.begin());
  if (same == pages_.end()) pages_.push_back({place, out.fixtures});
  return out;
}

/// Which page, and what is more or less on it than before.
std::uint64_t Prints::arrival(const Behaviour& b) {
  constexpr int far = 60;  // steps to look back
  const Seen& now = seen(b.after);
  const std::vector<std::uint64_t>* then = &pages_[now.page].fixtures;
  NodeId at = b.before;
  const auto above = [&](NodeId n) { return n == tree_.root() ? NodeId{} : tree_.parent(n); };
  bool again = false;
  for (int i = 0; i < far && at && !again; ++i, at = above(at))
    if (const Seen& earlier = seen(at); earlier.page == now.page) then = &earlier.fixtures, again = true;
  const auto place = [&](NodeId n) { return pages_[seen(n).page].place; };
  NodeId entered = b.before;  // where this activity was entered from
  for (int i = 0; i < far && entered && place(entered) == place(b.before); ++i) entered = above(entered);
  if (again && entered && place(entered) == place(b.after) && *then == now.fixtures)
    return Hasher().add(0x6261636b).finish();  // back to where it came from, wherever that is
  std::vector<std::uint64_t> less, more;
  std::ranges::set_difference(*then, now.fixtures, std::back_inserter(less));
  std::ranges::set_difference(now.fixtures, *then, std::back_inserter(more));
  Hasher h;
  h.add(0x61727269).add(pages_[now.page].place).add(now.page);
  for (const std::uint64_t f : less) h.add(1).add(f);
  for (const std::uint64_t f : more) h.add(2).add(f);
  return h.finish();
}

std::uint64_t Prints::ending(NodeId after) {
  const Seen& now = seen(after);
  Hasher h;
  h.add(now.page);
  for (const std::uint64_t f : now.fixtures) h.add(f);
  return h.finish();
}

std::uint64_t Prints::of(const Behaviour& b, Rules rules) {
  if (const Crash* crash = tree_.crash(b.after)) return signature(*crash, Sameness::frames);
  const Screen &from = tree_.screen(b.before), &to = tree_.screen(b.after);
  const bool turned = from.rotation != to.rotation || from.keyboard != to.keyboard;
  const bool elsewhere = !texts_ && (turned || seen(b.before).page != seen(b.after).page);
  Hasher id;
  if (elsewhere)
    id.add(1).add(b.before.value).add(b.after.value);
  else
    id.add(2)
        .add(tree_.samples(b.before).front().screen.value)
        .add(tree_.samples(b.after).front().screen.value)
        .add(rules.bits);
  const auto [at, fresh] = known_.try_emplace(id.finish());
  if (fresh && elsewhere) at->second = arrival(b);
  if (fresh && !elsewhere) {
    const HashedScreen before = screen(b.before, rules);
    at->second = fingerprint(before, screen(b.after, rules));
  }
  return at->second;
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
  if (options.texts) return rules;
  for (const Rule r : {Rule::text, Rule::desc, Rule::hint, Rule::focused, Rule::posture, Rule::contents})
    rules = rules.with(r);
  return rules;
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

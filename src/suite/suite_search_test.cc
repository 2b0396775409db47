// The searches of suite, each against the plainest program that could be right.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "base/rng.h"
#include "suite/bound.h"
#include "suite/cover.h"
#include "suite/cuts.h"
#include "suite/selection.h"
#include "suite/splice.h"

namespace norn {
namespace {

// ---- small worlds of chance ----

struct SmallWorld {
  Knowledge known;
  Joint start = 0;
  std::vector<Path> traces;
};

Link random_link(Rng& rng, Knowledge& known, std::size_t states, std::size_t items) {
  Link link;
  link.event = EventId{static_cast<std::uint32_t>(rng.below(3))};
  link.key = link.event.value + 1;
  link.joint = rng.below(states);
  link.expect = StateId{link.joint};
  ItemSet set;
  for (std::size_t n = rng.below(3); n > 0; --n) set.add(static_cast<std::uint32_t>(rng.below(items)));
  link.items = known.intern(set);
  return link;
}
SmallWorld random_world(Rng& rng, std::size_t traces, std::size_t length, std::size_t states,
                        std::size_t items) {
  SmallWorld w;
  for (std::size_t t = 0; t < traces; ++t) {
    Path& path = w.traces.emplace_back();
    for (std::size_t n = 1 + rng.below(length); n > 0; --n)
      path.push_back(random_link(rng, w.known, states, items));
  }
  return w;
}
Joint joint_at(const Path& path, Joint start, std::size_t at) { return at == 0 ? start : path[at - 1].joint; }

bool fails(const Path& path, const Knowledge& known) {
  PrefixHash prefix = empty_prefix;
  for (const Link& link : path) {
    prefix = extend(prefix, link);
    if (known.fails(prefix)) return true;
  }
  return false;
}

// ---- cover ----

std::vector<std::uint32_t> plain_greedy(const std::vector<Coverage>& sets, Coverage covered) {
  std::vector<std::uint32_t> out;
  for (;;) {
    std::uint64_t most = 0;
    std::uint32_t which = 0;
    for (std::uint32_t i = 0; i < sets.size(); ++i)
      if (sets[i].count_beyond(covered) > most) most = sets[i].count_beyond(covered), which = i;
    if (most == 0) return out;
    out.push_back(which);
    covered |= sets[which];
  }
}

std::vector<Coverage> random_sets(Rng& rng, std::size_t sets, std::size_t items, std::size_t most) {
  std::vector<Coverage> out(sets);
  for (Coverage& set : out)
    for (std::size_t n = rng.below(most + 1); n > 0; --n)
      set.add(static_cast<std::uint32_t>(rng.below(items)));
  return out;
}

TEST(Cover, TakesWhatPlainGreedyTakes) {
  Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const auto sets = random_sets(rng, 1 + rng.below(30), 40, 12);
    const Coverage had = random_sets(rng, 1, 40, 10)[0];
    const auto fast = greedy_cover(sets, had);
    const auto plain = plain_greedy(sets, had);
    // Of equal gains the lower index; a bucket is emptied in that order, so both agree in gains step by step.
    Coverage a = had, b = had;
    ASSERT_EQ(fast.size(), plain.size());
    for (std::size_t i = 0; i < fast.size(); ++i) {
      ASSERT_EQ(sets[fast[i]].count_beyond(a), sets[plain[i]].count_beyond(b));
      a |= sets[fast[i]], b |= sets[plain[i]];
    }
    ASSERT_EQ(a, b);
  }
}

TEST(Cover, EarlyOrderHasEverySetAndTheBestRateFirst) {
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    const auto sets = random_sets(rng, 1 + rng.below(20), 40, 12);
    std::vector<double> costs;
    for (std::size_t i = 0; i < sets.size(); ++i) costs.push_back(1 + rng.unit() * 9);
    auto order = early_order(sets, costs);
    double best = 0;
    for (std::size_t i = 0; i < sets.size(); ++i)
      best = std::max(best, static_cast<double>(sets[i].count()) / costs[i]);
    EXPECT_DOUBLE_EQ(static_cast<double>(sets[order[0]].count()) / costs[order[0]], best);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
  }
}

TEST(Cover, GreedyTakesNoLessThanTheOptimum) {
  Rng rng(3);
  for (int round = 0; round < 100; ++round) {
    const auto sets = random_sets(rng, 1 + rng.below(9), 12, 5);
    Coverage all;
    for (const Coverage& set : sets) all |= set;
    std::uint64_t optimum = 99;
    for (std::uint32_t mask = 0; mask < (1U << sets.size()); ++mask) {
      Coverage has;
      for (std::uint32_t i = 0; i < sets.size(); ++i)
        if (mask >> i & 1U) has |= sets[i];
      if (has == all)
        optimum = std::min<std::uint64_t>(optimum, static_cast<std::uint64_t>(__builtin_popcount(mask)));
    }
    EXPECT_LE(optimum, greedy_cover(sets).size());
    EXPECT_LE(greedy_cover(sets).size(), 2 * optimum);
  }
}

// ---- the lower bound ----

/// The cheapest set of walks that hits everything: shortest ways over (place, what was hit).
double cheapest_walks(const std::vector<Passage>& passages, Joint start, std::size_t places,
                      std::size_t items, const Prices& prices) {
  const std::size_t all = (std::size_t{1} << items) - 1;
  std::vector<double> cost((all + 1) * places, 1e9);
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto reach = [&](std::size_t has, Joint at, double now) {
    if (now >= cost[has * places + at]) return;
    cost[has * places + at] = now;
    open.emplace(now, has * places + at);
  };
  reach(0, start, prices.restart);
  while (!open.empty()) {
    const auto [now, where] = open.top();
    open.pop();
    if (now > cost[where]) continue;
    const std::size_t has = where / places;
    if (has == all) return now;
    for (const Passage& p : passages) {
      if (p.from != where % places) continue;
      std::size_t more = has;
      for (const std::uint32_t item : p.items.ids()) more |= std::size_t{1} << item;
      reach(more, p.to, now + prices.event);
    }
    reach(has, start, now + prices.restart);
  }
  return 1e9;
}

TEST(Bound, IsNeverAboveTheOptimumAndNotFarBelow) {
  Rng rng(7);
  double sum = 0;
  int worlds = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t places = 3 + rng.below(10);
    std::vector<Passage> passages;
    std::uint32_t item = 0;
    for (Joint to = 1; to < places; ++to)  // a way to every place, some ways back
      passages.push_back({rng.below(to), to, {}});
    for (std::size_t i = rng.below(2 * places); i > 0; --i)
      passages.push_back({rng.below(places), rng.below(places), {}});
    for (Passage& p : passages)
      if (item < 11 && rng.chance(0.6)) p.items.add(item++);
    if (item == 0) continue;
    for (int extra = 0; extra < 4; ++extra)
      passages[rng.below(passages.size())].items.add(static_cast<std::uint32_t>(rng.below(item)));
    Prices prices;
    const double optimum = cheapest_walks(passages, 0, places, item, prices);
    ASSERT_LT(optimum, 1e9);
    ItemSet wanted;
    for (std::uint32_t i = 0; i < item; ++i) wanted.add(i);
    const double bound = cheapest_at_least(passages, 0, wanted, prices);
    ASSERT_LE(bound, optimum + 1e-9) << "round " << round;
    ASSERT_GT(bound, 0);
    sum += bound / optimum;
    ++worlds;
    // Stopped early it is lower, and still a bound.
    EXPECT_LE(cheapest_at_least(passages, 0, wanted, prices, 200), bound + 1e-6);
  }
  fmt::print("lower bound over optimum, {} networks: mean {:.3f}\n", worlds, sum / worlds);
  EXPECT_GT(sum / worlds, 0.85);
}

TEST(Bound, OfAChoiceIsNeverAboveTheCheapestOne) {
  Rng rng(11);
  double sum = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    const auto items = static_cast<std::uint32_t>(2 + rng.below(9));
    ItemSet wanted, anywhere;
    for (std::uint32_t i = 0; i < items; ++i) wanted.add(i);
    std::vector<Choosable> candidates(1 + rng.below(10));
    for (Choosable& one : candidates) {
      one.seconds = 1 + static_cast<double>(rng.below(20));
      for (std::uint32_t i = 0; i < items + 2; ++i)  // some have what nobody wants
        if (rng.chance(0.4)) one.items.add(i);
      anywhere |= one.items;
    }
    double optimum = 1e9;
    for (std::uint32_t chosen = 0; chosen < 1U << candidates.size(); ++chosen) {
      ItemSet has;
      double seconds = 0;
      for (std::size_t c = 0; c < candidates.size(); ++c)
        if (chosen >> c & 1U) has |= candidates[c].items, seconds += candidates[c].seconds;
      if ((wanted & (anywhere - has)).empty()) optimum = std::min(optimum, seconds);
    }
    const double bound = cheapest_choice_at_least(candidates, wanted);
    ASSERT_LE(bound, optimum + 1e-9) << "round " << round;
    sum += optimum > 0 ? bound / optimum : 1;
  }
  EXPECT_GT(sum / rounds, 0.9);
  EXPECT_LE(sum / rounds, 1);
  EXPECT_EQ(cheapest_choice_at_least({}, {}), 0);
}

TEST(Bound, ByHand) {
  Prices prices;
  ItemSet one, two;
  one.add(0), two.add(1);
  // Two dead ends: two restarts.
  const std::vector<Passage> fork{{0, 1, one}, {0, 2, two}};
  EXPECT_NEAR(cheapest_at_least(fork, 0, one | two, prices), 2 * (prices.restart + prices.event), 1e-3);
  // A far cycle hits both, but the way there must be gone too.
  const std::vector<Passage> far{{0, 1, {}}, {1, 2, {}}, {2, 3, one}, {3, 2, two}, {2, 1, {}}, {1, 0, {}}};
  EXPECT_NEAR(cheapest_at_least(far, 0, one | two, prices), prices.restart + 4 * prices.event, 1e-3);
  EXPECT_EQ(cheapest_at_least(far, 0, {}, prices), 0);
  EXPECT_EQ(cheapest_at_least({}, 0, one, prices), 0);
}

TEST(Bound, CountsWhatTakesLonger) {
  Prices prices;
  ItemSet one;
  one.add(0);
  // A long wait, and two steps around it.
  const std::vector<Passage> around{{0, 1, one, 60}, {0, 2, {}}, {2, 1, one}};
  EXPECT_NEAR(cheapest_at_least(around, 0, one, prices), prices.restart + 2 * prices.event, 1e-3);
  const std::vector<Passage> only{{0, 1, one, 60}, {0, 1, one, 30}};
  EXPECT_NEAR(cheapest_at_least(only, 0, one, prices), prices.restart + prices.event + 30, 1e-3);
}

// ---- L(t) ----

/// Every way over the positions, by trying both moves everywhere.
std::multimap<PrefixHash, Path> all_cuts(const Path& path, Joint start, bool tail) {
  struct State {
    std::size_t at;
    bool jumped;
    Path kept;
  };
  std::multimap<PrefixHash, Path> out;
  std::vector<State> open{{0, false, {}}};
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (s.at == path.size() || (tail && !s.jumped)) out.emplace(hash_of(s.kept), s.kept);
    if (s.at == path.size()) continue;
    State step{s.at + 1, false, s.kept};
    step.kept.push_back(path[s.at]);
    open.push_back(step);
    for (std::size_t j = s.at + 1; !s.jumped && j <= path.size(); ++j)
      if (joint_at(path, start, j) == joint_at(path, start, s.at)) open.push_back({j, true, s.kept});
  }
  return out;
}

TEST(Cuts, GivesAllOfThemShortestFirstAndOnlyThoseThatKeepWhatIsNeeded) {
  Rng rng(4);
  std::size_t total = 0;
  for (int round = 0; round < 400; ++round) {
    SmallWorld w = random_world(rng, 1, 11, 3, 8);
    const Path& path = w.traces[0];
    const bool tail = rng.chance(0.5);
    ItemSet needed;
    for (const std::uint32_t item : items_of(path, w.known).ids())
      if (rng.chance(0.5)) needed.add(item);
    auto expected = all_cuts(path, 0, tail);
    std::erase_if(expected, [&](const auto& one) { return !needed.within(items_of(one.second, w.known)); });
    std::set<PrefixHash> distinct;
    for (const auto& [hash, cut] : expected) distinct.insert(hash);
    Cuts cuts(path, 0, needed, w.known, {.tail = tail});
    std::size_t length = 0, seen = 0;
    while (const auto next = cuts.next()) {
      ASSERT_GE(next->size(), length);
      length = next->size();
      ASSERT_TRUE(expected.contains(hash_of(*next)));
      ++seen;
    }
    ASSERT_EQ(seen, distinct.size());
    total += seen;
  }
  EXPECT_GT(total, 2000U);
}

TEST(Cuts, LeavesOutWhatBeginsWithAFailingPrefix) {
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    SmallWorld w = random_world(rng, 1, 11, 3, 8);
    auto expected = all_cuts(w.traces[0], 0, false);
    Cuts cuts(w.traces[0], 0, {}, w.known);
    std::set<PrefixHash> seen;
    while (const auto next = cuts.next()) {
      ASSERT_FALSE(fails(*next, w.known));
      seen.insert(hash_of(*next));
      if (rng.chance(0.5) && !next->empty())
        w.known.fail(hash_of(std::span(*next).first(1 + rng.below(next->size()))));
    }
    for (const auto& [hash, path] : expected) ASSERT_TRUE(seen.contains(hash) || fails(path, w.known));
  }
}

TEST(Cuts, StaysWithinItsWaysOnATraceFullOfLoops) {
  Knowledge known;
  Path path;
  Rng rng(6);
  for (int i = 0; i < 400; ++i) path.push_back(random_link(rng, known, 3, 30));
  const ItemSet needed = items_of(path, known);
  Cuts cuts(path, 0, needed, known, {.tail = true, .ways = 20000});
  const auto first = cuts.next();
  ASSERT_TRUE(first);
  EXPECT_TRUE(needed.within(items_of(*first, known)));
  EXPECT_LT(first->size(), 60U);
}

// ---- T_k ----

struct Best {
  std::uint64_t gain = 0;
  std::size_t length = 0;
  std::uint32_t fragments = 0;
};

Best plain_best(const SmallWorld& w, std::uint32_t k, const ItemSet& wanted) {
  struct State {
    std::size_t trace, at;
    std::uint32_t fragments;
    Path path;
  };
  Best best;
  std::vector<State> open;
  const auto step = [&](const State* from, std::size_t t, std::size_t at, std::uint32_t fragments) {
    State next{t, at + 1, fragments, from ? from->path : Path{}};
    next.path.push_back(w.traces[t][at]);
    if (fails(next.path, w.known)) return;
    const ItemSet has = items_of(next.path, w.known) & wanted;
    const Best b{has.count(), next.path.size(), fragments};
    const auto key = [](const Best& x) { return std::tuple(~x.gain, x.length, x.fragments); };
    if (b.gain > 0 && (best.gain == 0 || key(b) < key(best))) best = b;
    open.push_back(std::move(next));
  };
  const auto each_place = [&](Joint joint, auto&& use) {
    for (std::size_t t = 0; t < w.traces.size(); ++t)
      for (std::size_t at = 0; at < w.traces[t].size(); ++at)
        if (joint_at(w.traces[t], w.start, at) == joint) use(t, at);
  };
  each_place(w.start, [&](std::size_t t, std::size_t at) { step(nullptr, t, at, 1); });
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (s.at < w.traces[s.trace].size()) step(&s, s.trace, s.at, s.fragments);
    if (s.fragments < k)
      each_place(s.path.back().joint, [&](std::size_t t, std::size_t at) {
        if (t != s.trace || at != s.at) step(&s, t, at, s.fragments + 1);
      });
  }
  return best;
}

TEST(Splices, FindsWhatBruteForceFindsWhileItLearns) {
  Rng rng(7);
  for (int round = 0; round < 250; ++round) {
    SmallWorld w = random_world(rng, 1 + rng.below(3), 5, 3, 12);
    const auto k = static_cast<std::uint32_t>(1 + rng.below(3));
    Splices splices(w.traces, w.start, w.known, k);
    ItemSet wanted;
    for (const Path& path : w.traces) wanted |= items_of(path, w.known);
    for (int pick = 0; pick < 12; ++pick) {
      const Best expected = plain_best(w, k, wanted);
      const auto found = splices.best(wanted);
      ASSERT_EQ(found.has_value(), expected.gain > 0);
      if (!found) break;
      ASSERT_EQ(found->gain, expected.gain);
      ASSERT_EQ(found->path.size(), expected.length);
      ASSERT_EQ(found->fragments, expected.fragments);
      const ItemSet has = items_of(found->path, w.known);
      ASSERT_EQ((has & wanted).count(), found->gain);
      const auto part = std::span(found->path).first(1 + rng.below(found->path.size()));
      if (rng.chance(0.4))
        w.known.fail(hash_of(part));
      else if (rng.chance(0.3))
        w.known.observed(hash_of(part), {});
      else
        wanted -= has;
    }
  }
}

TEST(Splices, AnswersInTimeOnALibraryThatJoinsEverywhere) {
  Rng rng(8);
  SmallWorld w = random_world(rng, 150, 20, 8, 4000);
  ItemSet wanted;
  for (const Path& path : w.traces) wanted |= items_of(path, w.known);
  Splices splices(w.traces, w.start, w.known, 3, 5'000'000);
  for (int pick = 0; pick < 10; ++pick) {
    const auto found = splices.best(wanted);
    ASSERT_TRUE(found);
    ASSERT_GT(found->gain, 0U);
    wanted -= items_of(found->path, w.known);
  }
}

// ---- selection ----

TEST(Selection, CountsWhatTakesLonger) {
  const Prices prices;
  Coverage one, two;
  one.add(0), two.add(1);
  const std::vector<std::vector<Coverage>> pool{{one}, {two, one}};
  const std::vector<std::vector<double>> more{{60}, {0, 0}};
  const auto chosen = cheapest_suite(pool, one, prices, 100, more);
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].trace, 1U);
  EXPECT_TRUE(cheapest_suite(std::span(pool).first(1), one, prices, 10, std::span(more).first(1)).empty());
}

TEST(Selection, CoversAllAndIsNearTheOptimumOnAverage) {
  Rng rng(9);
  const Prices prices;
  double sum = 0, worst = 0;
  int rounds = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<Coverage>> pool;
    Coverage wanted;
    for (std::size_t t = 2 + rng.below(4); t > 0; --t)
      pool.push_back(random_sets(rng, 1 + rng.below(5), 10, 3));
    for (const auto& trace : pool)
      for (const Coverage& hit : trace) wanted |= hit;
    if (wanted.empty()) continue;
    const auto chosen = cheapest_suite(pool, wanted, prices);
    Coverage has;
    double cost = 0;
    for (const auto& [trace, length] : chosen) {
      cost += prices.restart + prices.event * length;
      for (std::uint32_t s = 0; s < length; ++s) has |= pool[trace][s];
    }
    ASSERT_TRUE(wanted.within(has));
    // All choices of lengths, one trace after the other.
    double optimum = 1e9;
    std::vector<std::uint32_t> lengths(pool.size(), 0);
    for (;;) {
      Coverage got;
      double price = 0;
      for (std::size_t t = 0; t < pool.size(); ++t) {
        for (std::uint32_t s = 0; s < lengths[t]; ++s) got |= pool[t][s];
        price += lengths[t] == 0 ? 0 : prices.restart + prices.event * lengths[t];
      }
      if (wanted.within(got)) optimum = std::min(optimum, price);
      std::size_t t = 0;
      while (t < pool.size() && lengths[t] == pool[t].size()) lengths[t++] = 0;
      if (t == pool.size()) break;
      ++lengths[t];
    }
    ASSERT_GE(cost, optimum - 1e-9);
    sum += cost / optimum, worst = std::max(worst, cost / optimum), ++rounds;
  }
  fmt::print("selection: {:.3f} of the optimum on average, {:.2f} at worst, {} pools\n", sum / rounds, worst,
             rounds);
  EXPECT_LT(sum / rounds, 1.1);
}

}  // namespace
}  // namespace norn

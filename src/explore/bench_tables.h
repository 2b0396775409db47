// Tables of strategies against each other. A row is one exploration; rows are compared within their app only,
// run against run: A12 is the mean over apps, p a Mann-Whitney test in blocks of apps with Holm's correction
// over the lines.
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/average.h"
#include "explore/bench_subjects.h"
#include "explore/ranking.h"

namespace norn {

struct StrategyRow {
  double coverage = 0, states = 0, bugs = 0, crashes = 0, events = 0, cpu = 0;
  std::vector<std::pair<double, std::uint64_t>> over_time;  ///< device seconds, ids covered
  std::uint64_t coverable = 0;                              ///< ids there are
  std::vector<double> bug_times, state_times;               ///< device seconds of each
};

using Runs = std::vector<std::vector<StrategyRow>>;  ///< subject -> seeds
using Table = std::map<std::string, Runs>;           ///< by strategy
using Members = std::vector<std::size_t>;            ///< subjects of a group

struct TablePlan {
  std::vector<std::string> strategies;
  std::string against = "monkey+system";
  std::uint64_t seeds = 3;
  double minutes = 30;
};

template <class Of>
double median_over(const std::vector<StrategyRow>& rows, Of of) {
  std::vector<double> v;
  for (const StrategyRow& r : rows) v.push_back(std::invoke(of, r));
  return median(std::move(v));
}

/// Median over apps of the median over seeds.
template <class Of>
double typical(const Runs& runs, const Members& members, Of of) {
  std::vector<double> v;
  for (const std::size_t i : members) v.push_back(median_over(runs[i], of));
  return median(std::move(v));
}

/// Summed over apps, mean over seeds.
template <class Of>
double summed(const Runs& runs, const Members& members, Of of) {
  double sum = 0;
  for (const std::size_t i : members)
    for (const StrategyRow& r : runs[i]) sum += std::invoke(of, r) / static_cast<double>(runs[i].size());
  return sum;
}

struct Versus {
  double a12_coverage = 0.5, a12_bugs = 0.5, p_coverage = 1, p_bugs = 1;
};

inline Versus compare(const Runs& ours, const Runs& theirs, const Members& members) {
  std::vector<Block> coverage, bugs;
  Versus out{0, 0};
  for (const std::size_t i : members) {
    Block c, b;
    for (const StrategyRow& r : ours[i]) c.a.push_back(r.coverage), b.a.push_back(r.bugs);
    for (const StrategyRow& r : theirs[i]) c.b.push_back(r.coverage), b.b.push_back(r.bugs);
    out.a12_coverage += a12(c.a, c.b) / static_cast<double>(members.size());
    out.a12_bugs += a12(b.a, b.b) / static_cast<double>(members.size());
    coverage.push_back(std::move(c)), bugs.push_back(std::move(b));
  }
  out.p_coverage = mann_whitney(coverage), out.p_bugs = mann_whitney(bugs);
  return out;
}

/// Each against one, or one against each; p corrected over all of them.
inline void correct(std::vector<Versus>& all) {
  std::vector<double> coverage, bugs;
  for (const Versus& v : all) coverage.push_back(v.p_coverage), bugs.push_back(v.p_bugs);
  coverage = holm(coverage), bugs = holm(bugs);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].p_coverage = coverage[i], all[i].p_bugs = bugs[i];
}

inline void print_final(const Table& table, const Members& members, const TablePlan& plan) {
  fmt::print("{:<24} {:>8} {:>8} {:>7} {:>8} | against {:<20} {:>5} {:>7} {:>5} {:>7} | {:>9}\n", "strategy",
             "lines %", "states", "bugs", "crashes", plan.against + ":", "A12c", "p(cov)", "A12b", "p(bugs)",
             "events/s");
  std::vector<Versus> all;
  std::vector<std::string> others;
  for (const auto& s : plan.strategies)
    if (table.contains(plan.against) && s != plan.against) {
      others.push_back(s);
      all.push_back(compare(table.at(s), table.at(plan.against), members));
    }
  correct(all);
  for (const auto& s : plan.strategies) {
    const Runs& runs = table.at(s);
    fmt::print("{:<24} {:>8.1f} {:>8.0f} {:>7.1f} {:>8.1f} | {:<28}", s,
               typical(runs, members, &StrategyRow::coverage), typical(runs, members, &StrategyRow::states),
               summed(runs, members, &StrategyRow::bugs), summed(runs, members, &StrategyRow::crashes), "");
    if (const auto at = std::ranges::find(others, s); at != others.end()) {
      const Versus& v = all[static_cast<std::size_t>(at - others.begin())];
      fmt::print(" {:>5.2f} {:>7.4f} {:>5.2f} {:>7.4f}", v.a12_coverage, v.p_coverage, v.a12_bugs, v.p_bugs);
    } else {
      fmt::print(" {:>27}", "");
    }
    fmt::print(" | {:>9.0f}\n", summed(runs, members, &StrategyRow::events) /
                                    std::max(summed(runs, members, &StrategyRow::cpu), 1e-9));
  }
}

/// What there was after parts of the time.
inline void print_over_time(const Table& table, const Members& members, const TablePlan& plan) {
  constexpr std::array parts{0.05, 0.1, 0.25, 0.5, 1.0};
  fmt::print("\nover time: % of lines and functions / states / bugs after\n{:<24}", "strategy");
  for (const double part : parts) fmt::print(" {:>20}", fmt::format("{:g} min", plan.minutes * part));
  fmt::print("\n");
  const auto before = [](const std::vector<double>& times, double end) {
    return static_cast<double>(std::ranges::count_if(times, [&](double t) { return t <= end; }));
  };
  for (const auto& s : plan.strategies) {
    const Runs& runs = table.at(s);
    fmt::print("{:<24}", s);
    for (const double part : parts) {
      const double end = plan.minutes * 60 * part;
      const auto covered = [&](const StrategyRow& r) {
        std::uint64_t ids = 0;
        for (const auto& [seconds, count] : r.over_time)
          if (seconds <= end) ids = count;
        return 100.0 * static_cast<double>(ids) /
               static_cast<double>(std::max<std::uint64_t>(r.coverable, 1));
      };
      const auto states = [&](const StrategyRow& r) { return before(r.state_times, end); };
      const auto bugs = [&](const StrategyRow& r) { return before(r.bug_times, end); };
      fmt::print(" {:>20}", fmt::format("{:.1f} / {:.0f} / {:.1f}", typical(runs, members, covered),
                                        typical(runs, members, states), summed(runs, members, bugs)));
    }
    fmt::print("\n");
  }
}

/// What the paper claims: ahead of Monkey with system events and of both that restart.
inline void print_paper(const Table& table, const Members& members) {
  if (!table.contains("timemachine")) return;
  std::vector<std::string> others;
  std::vector<Versus> all;
  for (const char* other : {"monkey+system", "monkey+restart", "monkey+system+restart"})
    if (table.contains(other)) {
      others.emplace_back(other);
      all.push_back(compare(table.at("timemachine"), table.at(other), members));
    }
  correct(all);
  for (std::size_t i = 0; i < all.size(); ++i)
    fmt::print("timemachine against {}: coverage A12 {:.2f}, p {:.4f}; bugs A12 {:.2f}, p {:.4f}\n",
               others[i], all[i].a12_coverage, all[i].p_coverage, all[i].a12_bugs, all[i].p_bugs);
}

/// Device seconds until that many ids were covered; infinity: never.
inline double time_to(const StrategyRow& row, std::uint64_t wanted) {
  for (const auto& [seconds, covered] : row.over_time)
    if (covered >= wanted) return seconds;
  return wanted == 0 ? 0 : std::numeric_limits<double>::infinity();
}

/// What is wanted of norn: timemachine's coverage in half its time, 1.5 times its bugs, behind monkey nowhere.
inline void print_wanted(const std::vector<Subject>& all, const Table& table, const Members& members,
                         const TablePlan& plan) {
  if (!table.contains("norn") || !table.contains("timemachine")) return;
  const Runs &norn = table.at("norn"), &travels = table.at("timemachine");
  std::vector<double> share;
  std::vector<std::string> behind;
  for (const std::size_t i : members) {
    std::vector<double> each;
    for (std::size_t seed = 0; seed < norn[i].size(); ++seed) {
      const auto& theirs = travels[i][seed].over_time;
      each.push_back(time_to(norn[i][seed], theirs.empty() ? 0 : theirs.back().second) / (plan.minutes * 60));
    }
    share.push_back(median(each));
    if (!table.contains("monkey")) continue;
    const auto& monkey = table.at("monkey")[i];
    const auto less = [&](double StrategyRow::* of) {
      return median_over(norn[i], of) < median_over(monkey, of);
    };
    if (less(&StrategyRow::coverage) || less(&StrategyRow::bugs)) behind.push_back(all[i].name);
  }
  fmt::print(
      "norn reaches timemachine's final coverage in {:.3f} of the device time (median over apps; worst "
      "{:.2f}); "
      "bugs {:.2f} times timemachine's; behind monkey on: {}\n",
      median(share), *std::ranges::max_element(share),
      summed(norn, members, &StrategyRow::bugs) /
          std::max(summed(travels, members, &StrategyRow::bugs), 1e-9),
      behind.empty() ? "no app" : fmt::format("{}", fmt::join(behind, ", ")));
}

inline void print_group(const std::string& group, const std::vector<Subject>& all, const Table& table,
                        const TablePlan& plan) {
  Members members;
  std::size_t known = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].group == group) members.push_back(i), known += all[i].bugs.size();
  if (members.empty()) return;
  fmt::print("\n{}: {} apps, {} known crashes, {} seeds, {} minutes of device time\n", group, members.size(),
             known, plan.seeds, plan.minutes);
  print_final(table, members, plan);
  print_paper(table, members);
  print_wanted(all, table, members, plan);
  print_over_time(table, members, plan);
}

inline void print_apps(const std::vector<Subject>& all, const Table& table, const TablePlan& plan) {
  fmt::print("\nper app: lines % / bugs (medians)\n{:<14} {:>6} {:>5}", "app", "lines", "bugs");
  for (const auto& s : plan.strategies) fmt::print(" {:>14.14}", s);
  fmt::print("\n");
  for (std::size_t i = 0; i < all.size(); ++i) {
    fmt::print("{:<14} {:>6} {:>5}", all[i].name, all[i].lines, all[i].bugs.size());
    for (const auto& s : plan.strategies)
      fmt::print(" {:>9.1f}/{:<4.1f}", median_over(table.at(s)[i], &StrategyRow::coverage),
                 median_over(table.at(s)[i], &StrategyRow::bugs));
    fmt::print("\n");
  }
}

}  // namespace norn

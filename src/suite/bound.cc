#include "suite/bound.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "base/rng.h"

namespace norn {
namespace {

using Edges = std::vector<std::uint32_t>;  ///< ascending

/// Needs are lists of things of which one each is enough. Whoever has one of a few has one of the many as well.
void leave_minimal(std::vector<Edges>& needs, std::size_t things) {
  std::sort(needs.begin(), needs.end(), [](const Edges& a, const Edges& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  std::vector<Edges> kept;
  std::vector<std::vector<std::uint32_t>> by_first(things);  // smaller ones by their first thing
  for (Edges& need : needs) {
    const bool implied = std::any_of(need.begin(), need.end(), [&](std::uint32_t thing) {
      return std::any_of(by_first[thing].begin(), by_first[thing].end(), [&](std::uint32_t k) {
        return std::includes(need.begin(), need.end(), kept[k].begin(), kept[k].end());
      });
    });
    if (implied) continue;
    by_first[need.front()].push_back(static_cast<std::uint32_t>(kept.size()));
    kept.push_back(std::move(need));
  }
  needs = std::move(kept);
}

/// Places numbered, passages between equal places with equal items once, items with equal passages once.
struct Network {
  struct Edge {
    std::uint32_t from, to;
    double more = 0;
  };
  std::uint32_t places = 1;  ///< 0: the start
  std::vector<Edge> edges;
  std::vector<Edges> needs;  ///< at least one of these edges each

  Network(std::span<const Passage> passages, Joint start, const ItemSet& wanted) {
    std::unordered_map<Joint, std::uint32_t> number{{start, 0}};
    const auto place = [&](Joint joint) {
      return number.try_emplace(joint, static_cast<std::uint32_t>(number.size())).first->second;
    };
    std::map<std::uint32_t, Edges> hits;
    std::map<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>, std::size_t>
        seen;
    for (const Passage& passage : passages) {
      const Edge edge{place(passage.from), place(passage.to), passage.more};
      auto items = (passage.items & wanted).ids();
      const auto [at, fresh] = seen.try_emplace({{edge.from, edge.to}, items}, edges.size());
      if (!fresh) {
        edges[at->second].more = std::min(edges[at->second].more, edge.more);
        continue;
      }
      for (const std::uint32_t item : items) hits[item].push_back(static_cast<std::uint32_t>(edges.size()));
      edges.push_back(edge);
    }
    places = static_cast<std::uint32_t>(number.size());
    for (auto& [item, with] : hits) needs.push_back(std::move(with));
    leave_minimal(needs, edges.size());
  }

  /// What comes into the places of `inside` from elsewhere, if something is needed that only lies in or
  /// beyond them.
  Edges ways_into(const std::vector<char>& inside) const {
    const bool needed = std::any_of(needs.begin(), needs.end(), [&](const Edges& need) {
      return std::all_of(need.begin(), need.end(),
                         [&](std::uint32_t e) { return inside[edges[e].from] || inside[edges[e].to]; });
    });
    Edges out;
    for (std::uint32_t e = 0; needed && e < edges.size(); ++e)
      if (!inside[edges[e].from] && inside[edges[e].to]) out.push_back(e);
    return out;
  }
};

/// A linear program: most worth, where no row comes to more than its limit and nothing is below 0.
struct Program {
  struct Term {
    std::uint32_t row, variable;
    double factor;
  };
  std::vector<Term> terms{};
  std::vector<double> limits{};  ///< of the rows, above 0
  std::vector<double> worth{};   ///< of the variables
};

/// Solves one. A table of one row for each, one column a variable that is 0 now.
class Simplex {
 public:
  explicit Simplex(const Program& program) : columns_(program.worth.size()), rows_(program.limits.size()) {
    table_.assign(rows_ * width(), 0);
    Rng rng(1);
    for (const auto& [row, variable, factor] : program.terms) at(row, variable) += factor;
    // A little less than the limit: equal rows are no ties then, and what is found still keeps to it.
    for (std::size_t r = 0; r < rows_; ++r) at(r, columns_) = program.limits[r] * (1 - 1e-6 * rng.unit());
    worth_ = program.worth;
    worth_.push_back(0);
    column_is_.resize(columns_);
    std::iota(column_is_.begin(), column_is_.end(), std::size_t{0});
    row_is_.resize(rows_);
    std::iota(row_is_.begin(), row_is_.end(), columns_);
  }

  void solve(std::uint64_t& work) {
    while (work > 0) {
      const auto column = static_cast<std::size_t>(
          std::max_element(worth_.begin(), worth_.begin() + static_cast<std::ptrdiff_t>(columns_)) -
          worth_.begin());
      if (worth_[column] < 1e-9) return;
      const std::size_t row = tightest(column);
      if (row == rows_) return;  // cannot be: every variable is bounded
      pivot(row, column, work);
    }
  }

  /// What the slack of each row is worth: of a network, how much an edge is gone in the relaxation.
  std::vector<double> slack_worth() const {
    std::vector<double> out(rows_, 0);
    for (std::size_t c = 0; c < columns_; ++c)
      if (column_is_[c] >= columns_ && column_is_[c] - columns_ < out.size())
        out[column_is_[c] - columns_] = -worth_[c];
    return out;
  }
  std::vector<double> solution() const {
    std::vector<double> out(columns_, 0);
    for (std::size_t r = 0; r < rows_; ++r)
      if (row_is_[r] < columns_) out[row_is_[r]] = at(r, columns_);
    return out;
  }

 private:
  std::size_t width() const { return columns_ + 1; }
  double& at(std::size_t row, std::size_t column) { return table_[row * width() + column]; }
  double at(std::size_t row, std::size_t column) const { return table_[row * width() + column]; }

  std::size_t tightest(std::size_t column) const {
    std::size_t best = rows_;
    double least = 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (at(r, column) < 1e-9) continue;
      const double ratio = at(r, columns_) / at(r, column);
      if (best == rows_ || ratio < least) best = r, least = ratio;
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t column, std::uint64_t& work) {
    const double by = at(row, column);
    double* pivot_row = &table_[row * width()];
    at(row, column) = 1;
    filled_.clear();
    for (std::size_t c = 0; c < width(); ++c) {
      if (pivot_row[c] == 0) continue;
      pivot_row[c] /= by;
      filled_.push_back(static_cast<std::uint32_t>(c));
    }
    std::uint64_t touched = rows_;
    for (std::size_t r = 0; r <= rows_; ++r) {
      double* other = r == rows_ ? worth_.data() : &table_[r * width()];
      const double factor = other[column];
      if (r == row || std::abs(factor) < 1e-12) continue;
      other[column] = 0;
      for (const std::uint32_t c : filled_) {
        other[c] -= factor * pivot_row[c];
        if (std::abs(other[c]) < 1e-11) other[c] = 0;
      }
      touched += filled_.size();
    }
    std::swap(row_is_[row], column_is_[column]);
    work -= std::min(work, touched);
  }

  std::size_t columns_, rows_;
  std::vector<double> table_, worth_;
  std::vector<std::size_t> column_is_, row_is_;
  std::vector<std::uint32_t> filled_;  ///< columns of the pivot row that are not 0
};

/// max sum of d, where for every edge: the d of its needs + p(to) - p(from) <= its price, and p(start) + d0 <=
/// restart. Variables are the needs' d, the places' p and d0; rows the edges and, last, the start.
Program program_of(const Network& net, const Prices& prices) {
  Program out;
  const auto needs = static_cast<std::uint32_t>(net.needs.size()), first_walk = needs + net.places;
  out.worth.assign(first_walk + 1, 0);
  std::fill_n(out.worth.begin(), needs, 1);
  out.worth[first_walk] = 1;
  for (std::uint32_t n = 0; n < needs; ++n)
    for (const std::uint32_t e : net.needs[n]) out.terms.push_back({e, n, 1});
  for (std::uint32_t e = 0; e < net.edges.size(); ++e) {
    out.terms.push_back({e, needs + net.edges[e].to, 1});
    out.terms.push_back({e, needs + net.edges[e].from, -1});
  }
  const auto start = static_cast<std::uint32_t>(net.edges.size());
  out.terms.push_back({start, needs, 1});
  out.terms.push_back({start, first_walk, 1});
  for (const Network::Edge& edge : net.edges) out.limits.push_back(prices.event + edge.more);
  out.limits.push_back(prices.restart);
  return out;
}

/// The prices, as far as rounding may have made them too high: so much of their sum surely holds.
double surely(const Network& net, const std::vector<double>& solution, const Prices& prices) {
  const std::size_t needs = net.needs.size();
  std::vector<double> worth(net.edges.size(), 0);
  double sum = std::max(solution.back(), 0.0);
  for (std::size_t n = 0; n < needs; ++n) {
    const double price = std::max(solution[n], 0.0);
    sum += price;
    for (const std::uint32_t e : net.needs[n]) worth[e] += price;
  }
  const auto height = [&](std::uint32_t place) { return std::max(solution[needs + place], 0.0); };
  double over = (height(0) + std::max(solution.back(), 0.0)) / prices.restart;
  for (std::size_t e = 0; e < net.edges.size(); ++e)
    over = std::max(over, (worth[e] + height(net.edges[e].to) - height(net.edges[e].from)) /
                              (prices.event + net.edges[e].more));
  return sum / std::max(over, 1.0);
}

/// The same of a program without places.
double surely(const Program& program, const std::vector<double>& solution) {
  std::vector<double> row(program.limits.size(), 0);
  double sum = 0, over = 1;
  for (const double price : solution) sum += std::max(price, 0.0);
  for (const auto& [r, variable, factor] : program.terms)
    row[r] += factor * std::max(solution[variable], 0.0);
  for (std::size_t r = 0; r < row.size(); ++r) over = std::max(over, row[r] / program.limits[r]);
  return sum / over;
}

/// Sets of places that hang together by what is gone, but not with the start.
std::vector<std::vector<char>> cut_off(const Network& net, const std::vector<double>& gone) {
  std::vector<std::uint32_t> root(net.places);
  std::iota(root.begin(), root.end(), 0U);
  const auto find = [&](std::uint32_t p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  for (std::size_t e = 0; e < net.edges.size(); ++e)
    if (gone[e] > 1e-7) root[find(net.edges[e].from)] = find(net.edges[e].to);
  std::map<std::uint32_t, std::vector<char>> groups;
  for (std::uint32_t p = 0; p < net.places; ++p) {
    if (find(p) == find(0)) continue;
    groups.try_emplace(find(p), net.places, char{0}).first->second[p] = 1;
  }
  std::vector<std::vector<char>> out;
  for (auto& [first, group] : groups) out.push_back(std::move(group));
  return out;
}

/// Places that are come to through this one only, itself included.
std::vector<char> behind(const Network& net, const std::vector<std::vector<std::uint32_t>>& next,
                         std::uint32_t door) {
  std::vector<char> reached(net.places, 0);
  std::vector<std::uint32_t> open{0};
  reached[0] = 1;
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    for (const std::uint32_t to : next[at])
      if (to != door && !reached[to]) reached[to] = 1, open.push_back(to);
  }
  for (char& r : reached) r = r ? 0 : 1;
  return reached;
}

void add_doors(Network& net) {
  std::vector<std::vector<std::uint32_t>> next(net.places);
  for (const auto& edge : net.edges) next[edge.from].push_back(edge.to);
  std::vector<Edges> more;
  for (std::uint32_t door = 1; door < net.places; ++door)
    if (auto ways = net.ways_into(behind(net, next, door)); !ways.empty()) more.push_back(std::move(ways));
  net.needs.insert(net.needs.end(), more.begin(), more.end());
  leave_minimal(net.needs, net.edges.size());
}

constexpr int cut_rounds = 8;  ///< of finding what is cut off

}  // namespace

double cheapest_at_least(std::span<const Passage> passages, Joint start, const ItemSet& wanted,
                         const Prices& prices, std::uint64_t work) {
  Network net(passages, start, wanted);
  if (net.needs.empty() || prices.event <= 0 || prices.restart <= 0) return 0;
  add_doors(net);
  double best = 0;
  for (int round = 0; round < cut_rounds && work > 0; ++round) {
    Simplex simplex(program_of(net, prices));
    simplex.solve(work);
    best = std::max(best, surely(net, simplex.solution(), prices));
    bool more = false;
    for (const auto& group : cut_off(net, simplex.slack_worth()))
      if (auto ways = net.ways_into(group); !ways.empty()) net.needs.push_back(std::move(ways)), more = true;
    if (!more) break;
    leave_minimal(net.needs, net.edges.size());
  }
  return best;
}

double cheapest_choice_at_least(std::span<const Choosable> candidates, const ItemSet& wanted,
                                std::uint64_t work) {
  // Of those with the same items only the cheapest counts.
  std::map<std::vector<std::uint32_t>, double> cheapest;
  for (const Choosable& one : candidates) {
    const auto [at, fresh] = cheapest.try_emplace((one.items & wanted).ids(), one.seconds);
    if (!fresh) at->second = std::min(at->second, one.seconds);
  }
  Program program;
  std::map<std::uint32_t, Edges> having;  // of each item: the candidates
  for (const auto& [items, seconds] : cheapest) {
    if (items.empty() || seconds <= 0) continue;
    for (const std::uint32_t item : items)
      having[item].push_back(static_cast<std::uint32_t>(program.limits.size()));
    program.limits.push_back(seconds);
  }
  std::vector<Edges> needs;
  for (auto& [item, with] : having) needs.push_back(std::move(with));
  leave_minimal(needs, program.limits.size());
  for (std::uint32_t n = 0; n < needs.size(); ++n)
    for (const std::uint32_t candidate : needs[n]) program.terms.push_back({candidate, n, 1});
  program.worth.assign(needs.size(), 1);
  Simplex simplex(program);
  simplex.solve(work);
  return surely(program, simplex.solution());
}

}  // namespace norn

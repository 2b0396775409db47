// Do two automata accept the same? Their deterministic forms are stepped side by side; where one is in a
// final state and the other is not, the way there is the answer. Breadth first, so it is a shortest one.
#include <algorithm>
#include <set>

#include "diagnose/automaton.h"

namespace norn {
namespace {

/// Pairs of states in the order they are met.
class SideBySide {
 public:
  SideBySide(const RestartDfa& a, const RestartDfa& b, bool relaunches)
      : a_(a), b_(b), relaunches_(relaunches) {
    std::set<std::string> all(a.dfa.labels.begin(), a.dfa.labels.end());
    all.insert(b.dfa.labels.begin(), b.dfa.labels.end());
    for (const std::string& label : all) labels_.push_back({label, a.dfa.find(label), b.dfa.find(label)});
  }

  std::optional<std::vector<std::string>> run() {
    meet({a_.dfa.start, b_.dfa.start}, 0, {});
    for (std::size_t k = 0; k < met_.size(); ++k) {
      const auto [a, b] = met_[k].at;
      if (a_.dfa.final[a] != b_.dfa.final[b]) return way_to(k);
      for (const Both& both : labels_)
        meet({next(a_.dfa, a, both.a), next(b_.dfa, b, both.b)}, k, both.label);
      if (relaunches_) meet({a_.relaunch[a], b_.relaunch[b]}, k, {});
    }
    return std::nullopt;
  }

 private:
  using Pair = std::pair<DfaState, DfaState>;
  struct Both {
    std::string label;
    std::optional<Label> a, b;
  };
  struct Met {
    Pair at;
    std::size_t from;
    std::string label;
  };

  static DfaState next(const Dfa& dfa, DfaState state, const std::optional<Label>& label) {
    return label ? dfa.step(state, *label) : dead;
  }
  void meet(Pair at, std::size_t from, const std::string& label) {
    if (seen_.insert(at).second) met_.push_back({at, from, label});
  }
  std::vector<std::string> way_to(std::size_t k) const {
    std::vector<std::string> out;
    for (; k != 0; k = met_[k].from) out.push_back(met_[k].label);
    std::ranges::reverse(out);
    return out;
  }

  const RestartDfa &a_, &b_;
  bool relaunches_;
  std::vector<Both> labels_;
  std::vector<Met> met_;
  std::set<Pair> seen_;
};

}  // namespace

Result<std::optional<std::vector<std::string>>> difference(const Nfa& a, const Nfa& b,
                                                           std::optional<OnRelaunch> restart,
                                                           const DfaLimits& limits) {
  const OnRelaunch rule = restart.value_or(OnRelaunch::keep);
  NORN_TRY(const RestartDfa x, determinise(a, rule, limits));
  NORN_TRY(const RestartDfa y, determinise(b, rule, limits));
  return SideBySide(x, y, restart.has_value()).run();
}

}  // namespace norn

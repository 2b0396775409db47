// The replay service as the learner's teacher: words of inputs become event lists, screens become "what is
// possible".
#pragma once

#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "diagnose/learn/learn_input.h"
#include "diagnose/learn/lsharp.h"
#include "replay/replay.h"

namespace norn {

class ReplayTeacher final : public lsharp::Teacher {
 public:
  using IsBug = std::function<bool(const Crash&)>;

  /// How sure each answer must be.
  struct Manner {
    /// Each word is run anew from a clean start (a validation), and again until it crashes or a crash of this
    /// rate would have shown; else what is remembered is enough.
    bool fresh = false;
    bool tested = false;  ///< for apps that do not always do the same: as often as a sequential test wants
    double rate = 1;      ///< fresh or tested: how often the crash comes that is looked for
  };

  /// `inputs` and `replay` outlive it.
  ReplayTeacher(Replay& replay, const std::vector<LearnInput>& inputs, IsBug is_bug, Manner manner,
                std::stop_token stop = {});

  Result<lsharp::Output> start() override;
  Result<std::vector<std::vector<lsharp::Output>>> run(std::span<const lsharp::Word> words) override;

  /// How the runs of a word ended, of those that went it to its end or crashed on it; memory's count too.
  struct Ended {
    std::uint32_t bug = 0, other = 0;  ///< crashed like that, or in another way
    std::uint32_t calm = 0;       ///< did not crash; from clean starts only: snapshots repeat their chance
    NodeId crash{}, elsewhere{};  ///< where one crashed like that, or in another way
    std::uint32_t all() const { return bug + other + calm; }
  };
  Ended ended(const lsharp::Word& word);
  /// Runs a word so often again, each time from a clean start.
  Status repeat(const lsharp::Word& word, std::uint32_t times);

  /// Where a word led, as far as it was run.
  std::optional<NodeId> node(const lsharp::Word& word) const;
  /// Nodes of crashes that were not the bug's.
  const std::set<NodeId>& by_catch() const { return by_catch_; }

 private:
  struct Job;
  /// An input as it must be said on a screen.
  struct Said {
    EventId id;
    EventKey key;
  };
  /// Nothing where it cannot be done there. The same for one node however often it is asked.
  std::optional<Said> said(NodeId node, lsharp::Input input);
  Request request(Job& job);
  Status take(Job& job, const Outcome& outcome);
  /// The outcomes; what the rig failed on is asked again a few times.
  std::vector<Outcome> ask(const std::vector<Request>& requests);
  lsharp::Output output(NodeId node);
  lsharp::Output read_output(NodeId node);
  /// Whether the input where the run stopped could have been done after all, now that the screen there is
  /// known; or fresh runs are still wanted.
  bool goes_on(Job& job);
  /// How many fresh runs of a word are enough: a crash would have shown but for one time in a thousand.
  std::uint32_t fresh_runs() const { return manner_.fresh ? runs_that_show(manner_.rate, 0.999) : 0; }

  Replay& replay_;
  const std::vector<LearnInput>& inputs_;
  IsBug is_bug_;
  Manner manner_;
  std::stop_token stop_;
  std::map<lsharp::Word, NodeId> nodes_;
  std::set<NodeId> by_catch_;
  std::unordered_map<NodeId, lsharp::Output> outputs_;
  std::unordered_map<std::uint64_t, std::optional<Said>> said_;  ///< by node and input
};

/// The words that the tree of everything executed before already answers: long ways through it that consist
/// of inputs only.
std::vector<lsharp::Word> remembered_words(const History& tree, const std::vector<LearnInput>& inputs,
                                           std::size_t most);

}  // namespace norn

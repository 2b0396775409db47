// List reducers over a question: "does this shorter list still do it?". Pure: nothing here knows devices,
// events or files. A list of `size` things is given, its positions 0..size-1 are all a reducer sees; what is
// asked is a Candidate, an ascending list of kept positions. The launch belongs to the restart: it is not
// among the positions.
//
//     Remembering question(on_a_device);             // a candidate asked before costs nothing
//     Shrunk small = (*algorithm_by_name("bhdd"))(problem, question);
//     small = minimal_pass(small.kept, question);    // proves 1-minimality
//
// Every reducer takes for granted that the whole list does it, and returns only what was answered yes (or the
// whole list). Wherever it is stopped it returns the best that was confirmed by then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/verdict.h"
#include "gui/abstraction.h"

namespace norn {

using Indices = std::vector<std::uint32_t>;

/// Hash of a set of positions: a sum over its elements, so that taking some out is a subtraction.
std::uint64_t element_hash(std::uint32_t position);
std::uint64_t set_hash(std::span<const std::uint32_t> positions);

/// What is asked: some positions, ascending, with their set_hash(). The positions are a view.
struct Candidate {
  std::span<const std::uint32_t> kept;
  std::uint64_t hash = 0;

  Candidate(std::span<const std::uint32_t> positions, std::uint64_t known_hash)
      : kept(positions), hash(known_hash) {}
  explicit Candidate(std::span<const std::uint32_t> positions) : Candidate(positions, set_hash(positions)) {}
};

/// Several candidates of which the first yes is wanted, as a stream: each is made only when it is taken. An
/// asker with a pool takes a few ahead, one without takes them in turn.
class Batch {
 public:
  virtual ~Batch() = default;
  /// The next candidate, valid until the next call; none: that was the last.
  virtual std::optional<Candidate> next() = 0;
};

/// What running things costs, in seconds, for reducers that weigh.
struct Prices {
  double event = 0.65, restart = 5, save = 4, load = 3;
  bool snapshots = false;
};

/// "Does this sub-list still do it?" Whoever runs things answers.
class Question {
 public:
  virtual ~Question() = default;
  virtual Verdict ask(const Candidate& candidate) = 0;
  /// The answers of the candidates in their order, from the first to the first yes, else to the last, or to
  /// where stopped() made it end. They must not depend on how many are run at once. Default: in turn.
  virtual std::vector<Verdict> ask_in_order(Batch& batch);
  /// lhdd's local check: run the candidate; is the state observed afterwards this one? A crash is a no.
  /// Default: unresolved, which leaves lhdd with the crash as its criterion.
  virtual Verdict reaches(const Candidate& candidate, StateId state);
  /// The screen on which each thing of a candidate that was run before was received; equal ids: equal
  /// screens, to the letter. Default: unknown.
  virtual std::vector<StateId> screens(const Candidate& candidate) {
    return (void)candidate, std::vector<StateId>();
  }
  /// Asked to stop, or the budget is spent: from now on everything is unresolved, at once.
  virtual bool stopped() const { return false; }
  virtual Prices prices() const { return {}; }
  /// A hint: the coming candidates begin like `list`, about uses[i] of them leave it after its first i things.
  virtual void will_share(std::span<const std::uint32_t> list, std::span<const double> uses) {
    (void)list, (void)uses;
  }
};

/// Remembers yes and no, never unresolved, by the hash of the set. In front of any question.
class Remembering final : public Question {
 public:
  explicit Remembering(Question& inner);

  Verdict ask(const Candidate& candidate) override;
  std::vector<Verdict> ask_in_order(Batch& batch) override;
  Verdict reaches(const Candidate& candidate, StateId state) override;
  bool stopped() const override { return inner_.stopped(); }
  Prices prices() const override { return inner_.prices(); }
  void will_share(std::span<const std::uint32_t> list, std::span<const double> uses) override {
    inner_.will_share(list, uses);
  }
  std::vector<StateId> screens(const Candidate& candidate) override { return inner_.screens(candidate); }

  /// The remembered answer of ask(); unresolved: none.
  Verdict recall(const Candidate& candidate) const;
  void learn(const Candidate& candidate, Verdict verdict);

  std::uint64_t asked() const { return asked_; }              ///< questions passed on
  std::uint64_t from_memory() const { return from_memory_; }  ///< questions answered here
  std::uint64_t unresolved() const { return unresolved_; }    ///< of those passed on
  std::size_t bytes() const;                                  ///< the memory's size

 private:
  std::uint64_t* slot(std::uint64_t key);
  const std::uint64_t* slot(std::uint64_t key) const;
  Verdict at(std::uint64_t key) const;
  void put(std::uint64_t key, Verdict verdict);
  void count(Verdict fresh);

  Question& inner_;
  std::vector<std::uint64_t> slots_;  ///< open addressing: a hash with the answer in its last bit, or 0
  std::size_t used_ = 0;
  std::uint64_t asked_ = 0, from_memory_ = 0, unresolved_ = 0;
};

struct Problem {
  std::uint32_t size = 0;
  /// The state in which each thing was received, as in gui/abstraction.h; empty: unknown, all the same.
  std::vector<StateId> states;
};

struct Shrunk {
  Indices kept;              ///< answered yes, or the whole list
  bool confirmed = false;    ///< answered yes; false: the whole list, taken for granted
  bool stopped = false;      ///< ended early: a longer run might give less
  bool one_minimal = false;  ///< proved: without any single one of them the answer was no
  /// For each of `kept`, the answer without it; empty unless the algorithm's last round asked them all.
  std::vector<Verdict> without;
};

/// dd, hdd, bhdd, lhdd, lhdd-nopre, probdd, cdd: each in the file of its name, described in docs/shrink.md.
/// They ask as they were published; the memory is the caller's, see Remembering.
using Algorithm = Shrunk (*)(const Problem& problem, Question& question);
std::optional<Algorithm> algorithm_by_name(std::string_view name);
std::vector<std::string> algorithm_names();

Shrunk dd(const Problem& problem, Question& question);
Shrunk hdd(const Problem& problem, Question& question);
Shrunk bhdd(const Problem& problem, Question& question);
Shrunk lhdd(const Problem& problem, Question& question);
Shrunk lhdd_nopre(const Problem& problem, Question& question);
Shrunk probdd(const Problem& problem, Question& question);
Shrunk cdd(const Problem& problem, Question& question);
/// norn's own: for whoever can start in the middle. 1-minimal.
Shrunk norn_reducer(const Problem& problem, Question& question);
/// The same without cutting loops, to measure what that brings.
Shrunk norn_without_loops(const Problem& problem, Question& question);

/// The common last pass: single things from the back to the front, until a whole pass takes nothing out.
/// REQUIRES: `start` ascending, and known to do it.
Shrunk minimal_pass(Indices start, Question& question);

}  // namespace norn

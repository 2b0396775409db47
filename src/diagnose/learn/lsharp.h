// L# (Vaandrager, Garhewal, Rot, Wißmann, TACAS 2022): a machine learned by asking what words do.
//
// Everything seen is one *observation tree*: a node is a word, with what was observed after it. Two nodes are
// *apart* when some word was run from both and showed something different; being apart never ends, however
// the tree grows. The *basis* is a set of nodes that are pairwise apart: they are certainly different states.
// Their children are the *frontier*. Three rules until none applies: run every input from every basis node; a
// frontier node apart from the whole basis joins it; where two basis nodes could both be a frontier node, run
// the word that tells those two apart from it. Then each frontier node is like exactly one basis node, and
// that is the hypothesis. Words at random look for a mistake in it; a mistake, halved again and again by
// replacing its beginning with the basis node the hypothesis takes it for, ends as a new state.
//
// What is observed here is as coarse as a crash bug allows: the crash, or which inputs are possible. Inputs
// are *pivots*, impossible ones of which need not be run, and *moves* (Back, say), impossible ones of which
// do nothing: both are known for nothing from the screen before. Only which pivots are possible tells nodes
// apart at sight.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/rng.h"

namespace norn::lsharp {

using Input = std::uint16_t;
using Word = std::vector<Input>;
inline constexpr std::size_t most_inputs = 64;

/// What is seen after a word.
struct Output {
  enum class Kind : std::uint8_t {
    alive,
    crash,  ///< the bug's
    ended,  ///< another crash: nothing follows, and it is not the bug
  };
  Kind kind = Kind::alive;
  std::uint64_t enabled = 0;  ///< bit i: input i is possible; none unless alive

  bool can(Input i) const { return (enabled >> i & 1U) != 0; }
  bool operator==(const Output&) const = default;
};

/// Who knows. Words begin at the start.
class Teacher {
 public:
  virtual ~Teacher() = default;
  virtual Result<Output> start() = 0;
  /// For each word what was seen after each of its inputs, up to the first that was not possible or to a crash.
  virtual Result<std::vector<std::vector<Output>>> run(std::span<const Word> words) = 0;
};

struct Options {
  std::size_t pivots = 0, inputs = 0;  ///< inputs [0, pivots) are pivots, the rest moves
  std::size_t states = 60;             ///< more are not made: what leads to them stays open
  std::size_t words = 3000;            ///< stop after so many
  std::size_t tests = 100;             ///< words at random that must agree before it is believed
  std::size_t test_length = 20;        ///< inputs of one, beside the way to a state and the way to the crash
  std::size_t batch = 8;               ///< tests asked at once
  std::uint64_t seed = 1;
};

/// Where an input leads.
struct Edge {
  enum class Kind : std::uint8_t {
    none,   ///< not possible, or (unproven) never run
    state,  ///< to a state
    crash,  ///< the bug
    ended,  ///< another crash
  };
  Kind kind = Kind::none;
  std::uint32_t to = 0;
  bool proven = true;  ///< false: stopped before it was run, or before its target was told from all others
  /// The states it may lead to where that is not proven: those that nothing told it from yet; at the cap of
  /// states, where it is none of them, those it is most like. Empty: it was never run.
  std::vector<std::uint32_t> maybe = {};
  bool operator==(const Edge&) const = default;
};

/// A complete machine. Moves that are not possible are edges to the same state.
struct Machine {
  std::size_t pivots = 0, inputs = 0;
  std::vector<Output> out;   ///< by state; state 0 is the start
  std::vector<Edge> edges;   ///< edges[state * inputs + input]
  std::vector<Word> access;  ///< by state: a word that leads there

  std::size_t size() const { return out.size(); }
  const Edge& edge(std::size_t state, Input i) const { return edges[state * inputs + i]; }
};

struct Report {
  Machine machine;
  bool complete = false;  ///< every rule was followed to its end and every test agreed
  std::string why;        ///< why not, else empty
  std::size_t words = 0, tests = 0, mistakes = 0, nodes = 0;
};

class Learner {
 public:
  /// REQUIRES: options.pivots <= options.inputs <= most_inputs; the teacher outlives it.
  Learner(Teacher& teacher, Options options);

  /// Learns. `traces` lead to the crash and are looked at first; `known` are words whose answers cost
  /// nothing. An Error only where not even the start could be seen.
  Result<Report> learn(std::span<const Word> traces, std::span<const Word> known = {},
                       const std::function<void(const std::string&)>& say = {});

 private:
  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex nowhere = 0xffffffff;
  struct Node {
    Output out;
    NodeIndex parent = nowhere;
    Input input = 0;
    std::vector<std::pair<Input, NodeIndex>> children{};
  };
  struct Frontier {
    NodeIndex node;
    std::uint32_t from;  ///< place in the basis
    std::vector<std::uint32_t> candidates;
    std::uint32_t seen;  ///< how many of the basis were candidates once
  };

  Status grow_trace(const Word& trace);
  Status saturate();
  Result<bool> complete_basis();
  Result<bool> identify();
  void gather_frontier();
  void prune(Frontier& f);
  Machine hypothesis() const;
  /// For a node that is none of the basis: those of it that only the longest words tell it from.
  std::vector<std::uint32_t> most_like(NodeIndex node) const;
  Result<std::optional<Word>> find_mistake(const Machine& h);
  Result<std::optional<Word>> mistake_over_edges(const Machine& h, const std::vector<Word>& to_crash);
  std::optional<Word> inconsistency(const Machine& h) const;
  Word test_word(const Machine& h, const std::vector<Word>& to_crash);
  Status digest(const Machine& h, Word mistake);

  Status ask(const std::vector<Word>& words);
  /// One word without impossible moves; nothing where the tree knows all of it already.
  std::optional<Word> unknown_part(NodeIndex from, std::span<const Input> word) const;
  void add(const Word& word, std::span<const Output> outputs);
  Word word_of(NodeIndex node) const;
  NodeIndex child(NodeIndex node, Input i) const;
  /// Where the input leads in the tree: a node (itself for an impossible move), or nowhere.
  NodeIndex step(NodeIndex node, Input i) const;
  NodeIndex walk(NodeIndex node, std::span<const Input> word) const;
  bool is_move(Input i) const { return i >= options_.pivots; }
  std::uint64_t sight(const Output& out) const;
  std::optional<Word> witness(NodeIndex a, NodeIndex b) const;
  bool apart(NodeIndex a, NodeIndex b);

  Teacher& teacher_;
  Options options_;
  Rng rng_;
  std::vector<Node> tree_;
  std::vector<NodeIndex> basis_;
  std::vector<Frontier> frontier_;
  std::set<std::pair<NodeIndex, NodeIndex>> known_apart_;
  std::size_t words_ = 0, tests_ = 0, mistakes_ = 0;
  bool capped_ = false;
  std::function<void(const std::string&)> say_;
};

Word concat(Word a, std::span<const Input> b);

/// By state: a shortest word to the crash; empty where there is none.
std::vector<Word> ways_to_crash(const Machine& machine);

}  // namespace norn::lsharp

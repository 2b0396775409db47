// Running a suite: does every trace still do what it did, here or on another version of the app?
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "replay/replay.h"

namespace norn {

/// A trace with what was seen when the suite was made. Carries values, not nodes: it may be run on another
/// tree.
struct SuiteCase {
  std::string name;
  std::vector<Event> events;
  std::vector<Screen> screens;  ///< at the start and after each event; after a crash: what was seen then
  std::vector<char> typed;      ///< of each screen: what its text fields hold was the same in every run
  std::optional<Crash> crash;   ///< it ends in this
  Coverage covered;
};
SuiteCase suite_case(const History& tree, NodeId end, std::string name);

struct RunSuiteOptions {
  std::uint32_t times = 1;  ///< cold runs of each
  Abstraction by = Abstraction::structure;
  Mask mask{};  ///< texts that changed by themselves when the suite was made; those learnt since are added
  bool coverage = true;   ///< the app is the same version: lines that are not hit any more are a difference
  Coverable coverable{};  ///< what the ids of coverage stand for
};

struct CaseResult {
  enum class Verdict : std::uint8_t { pass, fail, unresolved } verdict = Verdict::unresolved;
  std::string name, why;  ///< why: a sentence
  std::uint32_t passed = 0, runs = 0;
  std::optional<std::size_t> event;      ///< the first event after which something differs; none: the start
  std::optional<Screen> expected, seen;  ///< there
  std::optional<Crash> crash;            ///< one that was not expected
  Coverage missing;                      ///< lines that were hit then and not now
  double seconds = 0;
};

/// In order; stops where the budget is spent: the rest is unresolved.
std::vector<CaseResult> run_suite(Replay& replay, std::span<const SuiteCase> cases,
                                  const RunSuiteOptions& options, Progress& progress,
                                  const std::stop_token& stop = {});

/// A JUnit XML file. Whatever the app shows is escaped; what XML cannot hold becomes U+FFFD.
std::string junit_xml(std::string_view suite, std::span<const CaseResult> results);

}  // namespace norn

// For the store's tests and bench: a made-up app whose every step is a function of its number, so that what a
// file should hold can be told without having kept it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/rng.h"
#include "store/store.h"

namespace norn::testing {

/// A folder of its own that is gone afterwards: in memory where the system has a place for that (what a killed
/// process left does not depend on it, and fsync costs nothing there), on the disk where that is measured.
class TemporaryFolder {
 public:
  enum class Where : std::uint8_t { memory, disk };
  explicit TemporaryFolder(Where where = Where::memory);
  ~TemporaryFolder();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

MemoryKey made_up_app(const std::string& name = "org.example.app");

/// 94 widgets; numbers that differ by little give screens that differ by little.
Screen made_up_screen(std::uint32_t number);

/// One step of the made-up app.
struct MadeUpStep {
  std::uint64_t parent_choice = 0;  ///< 0: go on where the step before ended
  Event event;
  Observation seen;
  Heat heat = Heat::cold;
};

/// Walks the made-up app, appending to tree and store. A new screen every `screen_period` steps.
class Walker {
 public:
  Walker(Store& store, AppId app, RunId run, History& tree, std::uint32_t screen_period = 50);

  /// Step `number` of the one endless walk there is. REQUIRES: the tree holds all steps before it.
  Status step(std::uint64_t number);

 private:
  Store& store_;
  AppId app_;
  RunId run_;
  History& tree_;
  std::uint32_t period_;
};

/// The tree that the first `steps` steps of the walk make, without any store.
std::unique_ptr<History> walked(std::uint64_t steps, std::uint32_t screen_period = 50);

/// How many steps a tree holds (the walk's first reaches the root).
std::uint64_t steps_in(const History& tree);

/// Empty where both trees are the same node for node; otherwise what differs first.
std::string difference(const History& a, const History& b);

}  // namespace norn::testing

// What is tested: the app, its version, its options and its set-up, as one identity.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gui/event.h"

namespace norn {

struct App {
  std::string name;     ///< package, file or URL
  std::string version;  ///< hash of its content; of an imported recording, whose build nobody knows, its own
  std::string options;  ///< what changes its behaviour (`bugs=`, `flaky=`, `mutant=`); not costs, not seeds
  std::vector<Event> setup;  ///< run after every clean start; typed texts in it are secret

  bool operator==(const App&) const = default;
};

/// What remembered runs are keyed by: a changed app, device kind, screen size or locale never gives stale
/// answers.
struct MemoryKey {
  App app;
  std::string device_kind;
  std::int32_t width = 0, height = 0;
  std::string locale;

  bool operator==(const MemoryKey&) const = default;
};
std::uint64_t identity(const MemoryKey& key);

}  // namespace norn

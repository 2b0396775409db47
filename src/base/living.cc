#include "base/living.h"

#include <signal.h>

#include <mutex>
#include <set>

#include "base/process.h"

namespace norn {
namespace {

struct Living {
  std::mutex mutex;
  std::set<pid_t> groups;
};
Living& living() {
  static Living* const all = new Living;  // lives as long as the program
  return *all;
}

}  // namespace

void has_begun(pid_t group) {
  const std::lock_guard lock(living().mutex);
  living().groups.insert(group);
}

void has_ended(pid_t group) {
  const std::lock_guard lock(living().mutex);
  living().groups.erase(group);
}

void kill_all_processes() {
  const std::lock_guard lock(living().mutex);
  for (const pid_t group : living().groups) ::kill(-group, SIGKILL);
}

}  // namespace norn

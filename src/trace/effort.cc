#include "trace/effort.h"

namespace norn {

Effort& Effort::operator+=(const Effort& other) {
  runs += other.runs;
  events += other.events;
  restarts += other.restarts;
  snapshot_saves += other.snapshot_saves;
  snapshot_loads += other.snapshot_loads;
  from_memory += other.from_memory;
  unresolved += other.unresolved;
  device_seconds += other.device_seconds;
  makespan_seconds += other.makespan_seconds;
  wall_seconds += other.wall_seconds;
  return *this;
}

Effort operator-(Effort a, const Effort& b) {
  a.runs -= b.runs;
  a.events -= b.events;
  a.restarts -= b.restarts;
  a.snapshot_saves -= b.snapshot_saves;
  a.snapshot_loads -= b.snapshot_loads;
  a.from_memory -= b.from_memory;
  a.unresolved -= b.unresolved;
  a.device_seconds -= b.device_seconds;
  a.makespan_seconds -= b.makespan_seconds;
  a.wall_seconds -= b.wall_seconds;
  return a;
}

}  // namespace norn

// The groups of children that are alive: who ends the program at once must know what to end with it.
#pragma once

#include <sys/types.h>

namespace norn {

void has_begun(pid_t group);
/// To be said before its leader is waited for: afterwards another's group may have that number.
void has_ended(pid_t group);

}  // namespace norn

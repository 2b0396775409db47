// The three answers to "does this event sequence still do it?".
#pragma once

#include <cstdint>

namespace norn {

/// `unresolved`: the rig failed, the budget was spent, somebody asked to stop. It says nothing about the
/// sequence: it is never a *no* and never remembered.
enum class Verdict : std::uint8_t { yes, no, unresolved };

}  // namespace norn

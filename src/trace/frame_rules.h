// What makes two stack frames "the same place" although the build, the device or the day differ. Used by
// signature() only; docs/crashes.md lists the rules for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/crash.h"

namespace norn {

/// The function without what a compiler numbers or a loader moves: `Main$1.onClick` -> `Main$#.onClick`,
/// `lambda$save$3` -> `lambda$save`, `abort+164` -> `abort`; a nameless native frame is its library.
std::string normal_function(const Frame& frame);

/// A frame that only carries a call from one place to another: event loops, reflection, thread pools, the
/// process's birth.
bool is_plumbing(std::string_view function);

/// A frame that a compiler put between two real ones: `access$000`, `-$$Nest$mload`, lambda classes.
bool is_synthetic(std::string_view function);

/// True for code that is not the app's own: platform, language and support libraries.
bool is_library(std::string_view function);

/// "/data/app/~~x==/org.app-1/lib/arm64/libfoo.so" -> "libfoo.so".
std::string_view base_name(std::string_view path);

/// Object addresses in a message ("Main@41a2b3c", "0x7f00a1") as "@#" and "0x#": they differ in every run.
std::string without_addresses(std::string_view message);

/// A message without addresses, numbers and what stands in brackets: stands in for frames where there are
/// none.
std::string message_shape(std::string_view message);

/// Blocks of up to eight frames that repeat at once (recursion over a view tree, a stack that overflowed)
/// count once.
std::vector<std::string> fold_repeats(const std::vector<std::string>& frames);

}  // namespace norn

// For tests that bound a time: how many times the limit sanitized code may take.
#pragma once

namespace norn {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int patience = 20;
#else
inline constexpr int patience = 1;
#endif

}  // namespace norn

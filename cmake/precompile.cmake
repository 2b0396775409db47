# Headers of other libraries, compiled once: half of what a file costs is reading them. Our own are not among them, so that
# a change recompiles what includes it and no more.
set(NORN_COMMON_HEADERS <algorithm> <array> <chrono> <cstdint> <cstring> <expected> <functional> <map> <memory> <mutex>
    <optional> <set> <span> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/format.h>)

# norn_precompile(target FIRST target HEADERS ...): the first of several targets compiles them, the others share them.
function(norn_precompile target)
  cmake_parse_arguments(ARG "" "FIRST" "HEADERS" ${ARGN})
  if(NOT NORN_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL ARG_FIRST)
    target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM ${ARG_FIRST})
  endif()
endfunction()

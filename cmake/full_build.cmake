# What makes a full build fast, for presets with NORN_FULL_BUILD: other libraries' headers are compiled once (half of what a
# file costs is reading them), and several files of a folder are compiled as one. Our own headers are not precompiled, so that a
# change recompiles what includes it and no more. Names in the unnamed namespaces of one folder must therefore differ; a build without the
# option shows what a file forgot to include.
set(NORN_COMMON_HEADERS <algorithm> <array> <chrono> <cstdint> <cstring> <expected> <functional> <map> <memory> <mutex>
    <optional> <set> <span> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/format.h>)

# norn_full_build(target FIRST target HEADERS ...): the first of several targets precompiles the headers, the others share them.
function(norn_full_build target)
  cmake_parse_arguments(ARG "" "FIRST" "HEADERS" ${ARGN})
  if(NOT NORN_FULL_BUILD)
    return()
  endif()
  if(target STREQUAL ARG_FIRST)
    target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM ${ARG_FIRST})
  endif()
  set(batch 8)  # a changed technique is compiled again with seven others
  if(target MATCHES "_test$|_cli$")
    set(batch 12)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# What is compiled by itself: functions of Lua's own names, and tables of the same shape.
foreach(file api_system lua_patterns plain source truth_event)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/device/sim/${file}.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()

# Warnings, sanitizers, and the faster tools where they are installed.
find_program(CCACHE ccache)
if(CCACHE AND NORN_FULL_BUILD)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
elseif(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Werror)
if(NORN_FULL_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 raises false alarms inside std::string, and no longer knows a precompiled header as the system's own.
  add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -fpch-preprocess)
  # Collecting the compiler's own garbage is a tenth of what a joined file costs; 1.4 GB a job will do without.
  add_compile_options("SHELL:--param ggc-min-expand=300" "SHELL:--param ggc-min-heapsize=800000")
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Wno-deprecated-declarations)  # libstdc++ 12's own stable_sort
endif()
if(NORN_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # false alarms once sanitizers have rewritten the code
  endif()
  add_compile_options(-fsanitize=${NORN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${NORN_SANITIZE})
endif()
if(NORN_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

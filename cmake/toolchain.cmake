# Warnings, sanitizers, and the faster tools where they are installed.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Werror)
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

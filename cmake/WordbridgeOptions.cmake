# Compiler flags shared by all our targets, and the flags of the files that hold kernels for one instruction set.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# -ffp-contract=off: a * b + c gives the same double on every machine, so results do not depend on the kernel chosen.
add_library(wordbridge_build_options INTERFACE)
target_compile_options(wordbridge_build_options INTERFACE -Wall -Wextra -Wshadow -Wpedantic -ffp-contract=off
                                                          $<$<BOOL:${WORDBRIDGE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps that cannot be in `"text" + std::to_string(n)` (GCC bug 105329).
  target_compile_options(wordbridge_build_options INTERFACE -Wno-restrict)
endif()
if(WORDBRIDGE_SANITIZE)
  add_compile_options(-fsanitize=${WORDBRIDGE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WORDBRIDGE_SANITIZE})
endif()

# One binary for every x86-64: only files named *_avx2.cc and so on may use what not every machine has; the dispatcher
# calls them only where the machine has it.
function(wordbridge_kernel_flags target)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  set(avx2 "-mavx2;-mfma")
  set(avx512vnni "${avx2};-mavx512f;-mavx512bw;-mavx512vl;-mavx512dq;-mavx512vnni;-mprefer-vector-width=512")
  set(amx "${avx512vnni};-mamx-tile;-mamx-int8")
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "_(avx2|avx512vnni|amx)\\.cc$")
      # Not even the headers of others: see kernels.h.
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${${CMAKE_MATCH_1}}" SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# The headers that most sources include, compiled once: a build from scratch takes half the time. ccache does better
# without, because it finds every object again. Further arguments are further headers.
if(WORDBRIDGE_PRECOMPILE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(WORDBRIDGE_PRECOMPILES ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Of the same kind, and silenced in system headers only where these are not precompiled.
    target_compile_options(wordbridge_build_options INTERFACE -Wno-array-bounds -Wno-stringop-overflow
                                                              -Wno-stringop-overread)
  endif()
endif()
function(wordbridge_precompile target)
  if(WORDBRIDGE_PRECOMPILES)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <charconv> <cmath> <cstdint> <filesystem>
                              <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <set> <span> <string>
                              <string_view> <thread> <unordered_map> <vector> <fmt/format.h> <fmt/ranges.h> ${ARGN})
  endif()
endfunction()
# The same for a target whose flags are those of another; g++ lets them differ in -O1 and -O3, clang does not.
function(wordbridge_precompile_as other target)
  if(WORDBRIDGE_PRECOMPILES AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT WORDBRIDGE_SANITIZE)
    target_precompile_headers(${target} REUSE_FROM ${other})
  else()
    wordbridge_precompile(${target})
  endif()
endfunction()

# Where it is asked for, the sources of a module (src/x, or cli) are compiled many at a time: what their templates need is
# made once, in a third of the time. Names within such sources must not repeat in their module, which
# tools/check_layers.py checks. Groups are about as long as each other, and the longest start first.
function(wordbridge_join_sources target)
  if(NOT WORDBRIDGE_UNITY)
    return()
  endif()
  set(most_bytes 100000) # of a group; a compiler takes 1 GB at most for so many
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  # The kernels stay alone: each is compiled for another instruction set.
  list(FILTER sources EXCLUDE REGEX "/kernels_[^/]*$")
  set(modules)
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
    string(REGEX REPLACE "^(src/[^/]*|[^/]*)/.*" "\\1" module ${path})
    file(STRINGS ${source} command_line REGEX "^#include <CLI/" LIMIT_COUNT 1)
    if(command_line)
      set(module "${module} CLI") # which takes longer to read than any of them
    endif()
    string(MAKE_C_IDENTIFIER ${module} module)
    list(APPEND modules ${module})
    list(APPEND sources_of_${module} ${source})
    file(SIZE ${source} bytes)
    math(EXPR bytes_of_${module} "0${bytes_of_${module}} + ${bytes}")
  endforeach()
  list(REMOVE_DUPLICATES modules)
  foreach(module IN LISTS modules)
    math(EXPR groups "(${bytes_of_${module}} + ${most_bytes} - 1) / ${most_bytes}")
    math(EXPR share "${bytes_of_${module}} / ${groups} + 1")
    # CMake compiles groups in the order of their names.
    math(EXPR place "10000000 - ${share}")
    set(before 0)
    foreach(source IN LISTS sources_of_${module})
      math(EXPR group "${before} / ${share}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${place}_${module}_${group})
      file(SIZE ${source} bytes)
      math(EXPR before "${before} + ${bytes}")
    endforeach()
  endforeach()
endfunction()

# With little optimization, none under sanitizers: for what takes time to compile and none to run.
function(wordbridge_compile_quickly target)
  if(WORDBRIDGE_SANITIZE)
    target_compile_options(${target} PUBLIC -O0)
  else()
    target_compile_options(${target} PUBLIC $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

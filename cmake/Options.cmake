option(GLUOND_WERROR "Treat warnings as errors" ON)
set(GLUOND_SANITIZE "" CACHE STRING "Sanitizers for every target: address;undefined or thread")

# Sanitizing only what reads untrusted input takes half as long: these rooms read what the others have checked.
set(GLUOND_PLAIN_BUILD "" CACHE PATH "A build folder without sanitizers, whose libraries of GLUOND_PLAIN_ROOMS are linked as they are")
# A room that shares the precompiled header of one of these must be one of them.
set(GLUOND_PLAIN_ROOMS ir passes simulate debug lints lowering backend)
# Rooms whose tests CI runs under sanitizers, beside the fuzzers: the target and the label `sanitized`.
set(GLUOND_SANITIZED_TESTS support text layout syntax language evaluate runner)

add_library(gluond_options INTERFACE)
target_compile_options(gluond_options INTERFACE
  -Wall -Wextra -Wpedantic -Wno-unused-parameter $<$<BOOL:${GLUOND_WERROR}>:-Werror>)
if(GLUOND_SANITIZE)
  list(JOIN GLUOND_SANITIZE "," sanitizers)
  # A driver library is entered through the C types it declares, which the fake one names its own way: not `function`.
  target_compile_options(gluond_options INTERFACE -fsanitize=${sanitizers} -fno-sanitize=function -fno-omit-frame-pointer)
  target_link_options(gluond_options INTERFACE -fsanitize=${sanitizers})
  # What fuzzers follow (tests/fuzz); every other program ignores it.
  if("address" IN_LIST GLUOND_SANITIZE)
    target_compile_options(gluond_options INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
  endif()
endif()

# A static gluond starts on every Linux, whatever its C library, and in half the time. It needs the C library's archive (Debian: libc6-dev).
option(GLUOND_STATIC "Link gluond without shared libraries" ON)
set(gluond_is_static FALSE)
if(GLUOND_STATIC AND NOT GLUOND_SANITIZE)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  set(CMAKE_REQUIRED_LIBRARIES z zstd)
  check_cxx_source_compiles("#include <string>\nint main() { return std::string().size(); }" GLUOND_CAN_LINK_STATICALLY)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(GLUOND_CAN_LINK_STATICALLY)
    set(gluond_is_static TRUE)
  else()
    message(STATUS "gluond is linked to shared libraries: libc.a, libstdc++.a, libz.a or libzstd.a is missing")
  endif()
endif()

# What tells one build of a program from another: results on disk are of one build (support/BuildId.h).
# gluond-runner has none: it would be that of zig's debugging information, which names the folder of the build.
if(NOT GLUOND_RUNNER_ONLY)
  add_link_options(-Wl,--build-id)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  # Without this, ccache keeps no file that is compiled with a precompiled header, which is most of them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()
# ccache and precompiled headers need this to agree on what changed.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Xclang> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-pch-timestamp>)

# gluond_precompile(TARGET HEADER...): precompiles headers for the files of a target, for those of other targets with REUSE_FROM, too.
# CMake gives its list of them the time of the first configuration, so that ninja does not notice another list: the header that was
# precompiled from it is removed here.
function(gluond_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  set(made "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx")
  if(EXISTS "${made}")
    file(STRINGS "${made}" was REGEX "^#include")
    set(is ${ARGN})
    list(TRANSFORM is REPLACE "^([^<].*)$" "\"\\1\"")
    list(TRANSFORM is PREPEND "#include ")
    if(NOT was STREQUAL is)
      file(REMOVE "${made}.pch")
    endif()
  endif()
endfunction()

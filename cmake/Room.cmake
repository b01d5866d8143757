# gluond_room(NAME SOURCES... [DEPENDS room...] [LIBS target...])
# One static library per folder. DEPENDS names rooms to its left (docs/contributing/architecture.md);
# scripts/check-rooms.py fails the build's test on an include that goes the other way.
function(gluond_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;LIBS" ${ARGN})
  add_library(gluond_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(gluond_${name} PUBLIC ${CMAKE_SOURCE_DIR}/compiler ${CMAKE_BINARY_DIR}/compiler)
  set(rooms ${ROOM_DEPENDS})
  list(TRANSFORM rooms PREPEND gluond_)
  target_link_libraries(gluond_${name} PUBLIC ${rooms} ${ROOM_LIBS} PRIVATE gluond_options)
endfunction()

# gluond_compact(TARGET...): compiles rooms for size in a release: much code, and little of the time of any command.
function(gluond_compact)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  endforeach()
endfunction()

# gluond_test(ROOM SOURCES... [LIBS target...]): tests/unit/ROOM as one GoogleTest program, one ctest entry a test.
function(gluond_test room)
  cmake_parse_arguments(TEST "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${room}_test ${TEST_SOURCES})
  target_link_libraries(${room}_test PRIVATE gluond_${room} ${TEST_LIBS} gluond_options GTest::gmock GTest::gtest_main)
  # A test spends more on these than on all else.
  gluond_precompile(${room}_test <gmock/gmock.h> <gtest/gtest.h>)
  target_compile_definitions(${room}_test PRIVATE
    GLUOND_SOURCE_DIR="${CMAKE_SOURCE_DIR}" GLUOND_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
  add_test(NAME ${room} COMMAND ${room}_test)
  if(room IN_LIST GLUOND_SANITIZED_TESTS)
    add_dependencies(sanitized ${room}_test)
    set_tests_properties(${room} PROPERTIES LABELS sanitized)
  endif()
endfunction()

# gluond_program(PROGRAM): how a program is linked that users get.
# It runs for some milliseconds and should not spend them starting: it has no addresses to relocate, which would copy a megabyte of tables page by page, and
# fewer libraries to find. Functions with the same instructions are one, a tenth of its size; LLVM is used to that, because Windows' linker always does it.
# Sanitizers need the ordinary way.
function(gluond_program program)
  if(gluond_is_static)
    target_sources(${program} PRIVATE ${CMAKE_SOURCE_DIR}/compiler/support/StaticLibc.cpp)
    # support/MemoryMeter.cpp and support/StaticLibc.cpp define functions that the C library's archive defines too: the first one counts.
    # The C library of Arm reaches only the first 32 KB of the table of addresses (GOT), and lld says nothing when it is larger: the library's symbols come
    # first if the linker reads it first, after what stands in for its functions.
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
      if(NOT TARGET gluond_before_libc)
        add_library(gluond_before_libc OBJECT ${CMAKE_SOURCE_DIR}/compiler/support/StaticLibc.cpp ${CMAKE_SOURCE_DIR}/compiler/support/MemoryMeter.cpp)
        target_link_libraries(gluond_before_libc PRIVATE gluond_support)
      endif()
      target_link_options(${program} PRIVATE $<TARGET_OBJECTS:gluond_before_libc> -Wl,-lm -Wl,-lc)
      set_property(TARGET ${program} APPEND PROPERTY LINK_DEPENDS $<TARGET_OBJECTS:gluond_before_libc>)
    endif()
    target_link_options(${program} PRIVATE -static -Wl,--eh-frame-hdr -Wl,-z,muldefs -Wl,--icf=all)
  elseif(NOT GLUOND_SANITIZE)
    target_link_options(${program} PRIVATE -no-pie -static-libstdc++ -static-libgcc -Wl,--icf=all)
  endif()
endfunction()

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

# gluond_test(ROOM SOURCES... [LIBS target...]): tests/unit/ROOM as one GoogleTest program, one ctest entry a test.
function(gluond_test room)
  cmake_parse_arguments(TEST "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${room}_test ${TEST_SOURCES})
  target_link_libraries(${room}_test PRIVATE gluond_${room} ${TEST_LIBS} gluond_options GTest::gmock GTest::gtest_main)
  # A test spends more on these than on all else.
  target_precompile_headers(${room}_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  target_compile_definitions(${room}_test PRIVATE
    GLUOND_SOURCE_DIR="${CMAKE_SOURCE_DIR}" GLUOND_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
  add_test(NAME ${room} COMMAND ${room}_test)
  if(room IN_LIST GLUOND_SANITIZED_TESTS)
    add_dependencies(sanitized ${room}_test)
    set_tests_properties(${room} PROPERTIES LABELS sanitized)
  endif()
endfunction()

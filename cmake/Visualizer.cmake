# The panels and the page of `gluond serve` (visualizer/), built with npm where it is there. Target `visualizer`: dist/.
#
# npm fetches what visualizer/package-lock.json pins, by version and integrity, and runs no scripts of it.
option(GLUOND_VISUALIZER "Build the panels and the page of gluond serve (needs npm and Node 18)" ON)
set(visualizer ${CMAKE_SOURCE_DIR}/visualizer)
if(NOT GLUOND_VISUALIZER)
  message(STATUS "The panels are not built: GLUOND_VISUALIZER is OFF")
  return()
endif()
find_program(NPM npm)
find_program(NODE node)
if(NOT NPM OR NOT NODE)
  message(STATUS "The panels and the page of 'gluond serve' are not built: they need npm and Node 18 (Debian: apt-get install npm)")
  return()
endif()

file(GLOB_RECURSE visualizer_sources CONFIGURE_DEPENDS ${visualizer}/src/*)
set(visualizer_packages ${visualizer}/node_modules/.installed)
add_custom_command(OUTPUT ${visualizer_packages}
  COMMAND sh scripts/npm-ci.sh visualizer
  COMMAND ${CMAKE_COMMAND} -E touch ${visualizer_packages}
  DEPENDS ${visualizer}/package-lock.json WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMENT "Fetching the panels' packages with npm")
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/visualizer.built
  COMMAND ${NODE} build.mjs
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/visualizer.built
  DEPENDS ${visualizer_packages} ${visualizer_sources} ${visualizer}/build.mjs WORKING_DIRECTORY ${visualizer}
  COMMENT "Building the panels")
add_custom_target(visualizer ALL DEPENDS ${CMAKE_BINARY_DIR}/visualizer.built)

# What gluond-runner alone is built from: two libraries of headers. They are found where Debian has them for this machine, and are linked into a folder of
# their own, since a compiler for another machine must not see this machine's other headers.
find_path(json_headers nlohmann/json.hpp REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
find_path(expected_headers tl/expected.hpp REQUIRED NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include)
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
file(CREATE_LINK ${json_headers}/nlohmann ${headers}/nlohmann SYMBOLIC)
file(CREATE_LINK ${expected_headers}/tl ${headers}/tl SYMBOLIC)
foreach(library nlohmann_json::nlohmann_json tl::expected)
  add_library(${library} INTERFACE IMPORTED)
  set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${headers})
endforeach()
find_package(Threads REQUIRED)

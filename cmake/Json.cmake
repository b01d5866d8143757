# What is read and written as JSON: the codec of messages and the text of documents (compiler/support/json). The language server, the
# driver and the GPU process use it; it depends on the JSON library alone, so that the GPU process is built without LLVM.
add_library(gluond_json STATIC ${CMAKE_SOURCE_DIR}/compiler/support/json/Codec.cpp ${CMAKE_SOURCE_DIR}/compiler/support/json/Text.cpp)
target_include_directories(gluond_json PUBLIC ${CMAKE_SOURCE_DIR}/compiler)
target_link_libraries(gluond_json PUBLIC nlohmann_json::nlohmann_json tl::expected PRIVATE gluond_options)
# Half of the time of a file with JSON goes into the library's header. Compilers for other machines need not know precompiled headers.
if(NOT GLUOND_RUNNER_ONLY)
  gluond_precompile(gluond_json <nlohmann/json.hpp> <tl/expected.hpp>)
endif()

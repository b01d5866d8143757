# LLVM's version file accepts only an exact major.minor, so the major is checked here.
find_package(LLVM REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/llvm NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "gluond needs LLVM 22, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
find_package(MLIR REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir NO_DEFAULT_PATH)
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# LLVM's own support library (ADT, allocators, streams); the only LLVM that rooms left of ir/ use.
add_library(gluond_llvm INTERFACE)
target_include_directories(gluond_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(gluond_llvm INTERFACE LLVM)
# MLIR as one shared library: links in a second, starts in 30 ms.
add_library(gluond_mlir INTERFACE)
target_include_directories(gluond_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(gluond_mlir INTERFACE MLIR gluond_llvm)

find_package(nlohmann_json 3.11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
include(TreeSitter) # gluond_tree_sitter, gluond_tree_sitter_python

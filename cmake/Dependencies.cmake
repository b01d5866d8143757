# LLVM's version file accepts only an exact major.minor, so the major is checked here.
find_package(LLVM REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/llvm NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "gluond needs LLVM 22, found ${LLVM_VERSION} in ${LLVM_DIR}")
endif()
find_package(MLIR REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir NO_DEFAULT_PATH)
if(CMAKE_CROSSCOMPILING) # the other machine's would run under an emulator
  find_program(host_mlir_tblgen mlir-tblgen REQUIRED PATHS /usr/lib/llvm-22/bin)
  set(MLIR_TABLEGEN_EXE ${host_mlir_tblgen})
endif()
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# LLVM and MLIR are linked statically: lld takes a second, and a program starts in 4 ms where the shared libraries cost 35.
# lld resolves archives in any order, so plain lists will do. Libraries that gluond never uses cost nothing.
file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
file(GLOB mlir_archives ${LLVM_LIBRARY_DIR}/libMLIR*.a)
list(FILTER mlir_archives EXCLUDE REGEX "MLIRCAPI|MlirOptMain")
find_package(ZLIB REQUIRED)
find_library(zstd_library zstd REQUIRED)
# They are linked by name, not by file: a static program then takes their archives.

# LLVM's own support library (ADT, allocators, streams); the only LLVM that rooms left of ir/ use.
add_library(gluond_llvm INTERFACE)
target_include_directories(gluond_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(gluond_llvm INTERFACE
  ${LLVM_LIBRARY_DIR}/libLLVMSupport.a ${LLVM_LIBRARY_DIR}/libLLVMDemangle.a z zstd ${CMAKE_DL_LIBS})
add_library(gluond_mlir INTERFACE)
target_include_directories(gluond_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(gluond_mlir INTERFACE ${mlir_archives} ${llvm_archives} gluond_llvm)

# lld links AMD's code objects.
add_library(gluond_lld INTERFACE)
foreach(part ELF Common)
  if(NOT EXISTS ${LLVM_LIBRARY_DIR}/liblld${part}.a)
    message(FATAL_ERROR "lld's libraries are missing in ${LLVM_LIBRARY_DIR} (Debian: apt-get install liblld-22-dev)")
  endif()
  target_link_libraries(gluond_lld INTERFACE ${LLVM_LIBRARY_DIR}/liblld${part}.a)
endforeach()
target_link_libraries(gluond_lld INTERFACE ${llvm_archives} gluond_llvm)

find_package(nlohmann_json 3.11 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
include(TreeSitter) # gluond_tree_sitter, gluond_tree_sitter_python

# Compiles with `zig c++`, which brings headers and link stubs of every glibc: programs that start on a machine as old as GLUOND_TARGET says, made on
# any machine, for any architecture. GLUOND_ZIG is the program (`pip install ziglang`; scripts/release.sh pins its version).
set(GLUOND_TARGET x86_64-linux-gnu.2.17 CACHE STRING "Architecture, system, and oldest C library")
set(GLUOND_ZIG zig CACHE FILEPATH "The program zig")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GLUOND_TARGET GLUOND_ZIG)

string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${GLUOND_TARGET}")
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER "${GLUOND_ZIG}" cc -target ${GLUOND_TARGET})
set(CMAKE_CXX_COMPILER "${GLUOND_ZIG}" c++ -target ${GLUOND_TARGET})
find_program(CMAKE_AR NAMES llvm-ar-22 ar REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-22 ranlib REQUIRED)

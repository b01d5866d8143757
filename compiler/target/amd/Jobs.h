// What gluond asks of the program gluond-amdgpu, which lies beside it: JOB, the chip's target and
// the device libraries as arguments; the input and the result in the files of target/Tool.h.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::target::amd::jobs {

inline constexpr llvm::StringLiteral program = "gluond-amdgpu";

// From a kernel's module as bitcode to the optimized module as bitcode; from that to assembly; from
// assembly to a code object; and from that to its instructions as text.
inline constexpr llvm::StringLiteral optimize = "optimize", assembly = "assembly",
                                     object = "object", disassembly = "disassembly";

// "hip:gfx942" follows, the path of a file of bitcode, and "true" or "false": whether a * b + c may
// be rounded once.
inline constexpr llvm::StringLiteral chipFlag = "--target", libraryFlag = "--library",
                                     fusionFlag = "--fuse-multiply-add";

} // namespace gluond::target::amd::jobs

// What gluond asks of the program gluond-amdgpu, which lies beside it and does one job after the
// other. A job is two messages (backend/amd/Messages.h): its words, that is its name, the chip's
// target and options, and its input. The answer is one: what is made, or the error.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <chrono>

namespace gluond::backend::amd::jobs {

inline constexpr llvm::StringLiteral program = "gluond-amdgpu";

// The file descriptor of the program's end of a connection; it ends where gluond closes the other.
inline constexpr int connection = 3;
// It ends on its own after this long without a job, because it keeps memory.
inline constexpr std::chrono::seconds idleTime(30);

// From a kernel's module as bitcode to the optimized module as bitcode; from that to assembly; both
// at once; from assembly to a code object; and from that to its instructions as text.
inline constexpr llvm::StringLiteral optimize = "optimize", assembly = "assembly",
                                     compile = "compile", object = "object",
                                     disassembly = "disassembly";

// "hip:gfx942" follows, the path of a file of bitcode, and "true" or "false": whether a * b + c may
// be rounded once.
inline constexpr llvm::StringLiteral chipFlag = "--target", libraryFlag = "--library",
                                     fusionFlag = "--fuse-multiply-add";

// Ends a word of the first message. The first byte of an answer says what the rest is.
inline constexpr char endOfWord = '\0', made = '+', failed = '-';

} // namespace gluond::backend::amd::jobs

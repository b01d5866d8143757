// What is fuzzed: a function that takes bytes of a stranger's, and what these bytes look like.
//
// One program has all targets (docs/contributing/fuzzing.md). Built with sanitizers it is
// libFuzzer's (Fuzzer.cpp); any other build replays files and tries mutants of them without
// guidance (Replay.cpp), so that a case that once failed is run by every build's tests.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::fuzz {

enum class Shape : uint8_t {
  Bytes,
  Python,
  Kernels,   // Python that defines kernels
  Lines,     // any text
  JsonLines, // one document a line
  Ir,        // MLIR
};

struct Target {
  llvm::StringLiteral name;
  Shape shape;
  // Nothing that `input` holds may crash it or take it seconds. What must hold besides is checked
  // with expect(). Runs on a thread with a compiler's stack.
  void (*run)(llvm::StringRef input);
  llvm::StringLiteral what;
};

llvm::ArrayRef<Target> targets();
const Target* findTarget(llvm::StringRef name);
// run() on a thread such as gluond's own.
void runTarget(const Target& target, llvm::StringRef input);

// Aborts with a message where a property does not hold.
void expect(bool holds, const char* what);

} // namespace gluond::fuzz

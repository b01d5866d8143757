// ttgir text to PTX, for tests.
#pragma once

#include "lowering/Lowering.h"

#include <string>

namespace gluond::test {

struct PtxOf {
  std::string ptx;     // empty when it failed
  std::string problem; // why
  lowering::KernelFacts facts;
  std::string target; // "cuda:90"
};
PtxOf ptxOf(llvm::StringRef ttgir);
std::string readText(const std::string& path);
// How often `words` begins an instruction of the PTX.
unsigned count(llvm::StringRef ptx, llvm::StringRef words);

} // namespace gluond::test

// ttgir text to PTX, for tests.
#pragma once

#include "lowering/Lowering.h"

#include <string>
#include <vector>

namespace gluond::test {

struct PtxOf {
  std::string ptx;     // empty when it failed
  std::string problem; // why
  lowering::KernelFacts facts;
  std::string target; // "cuda:90"
};
PtxOf ptxOf(llvm::StringRef ttgir);
// The text of a module with four warps for an NVIDIA chip: attributes of the file, a function.
std::string nvidiaModule(llvm::StringRef attributes, llvm::StringRef body,
                         llvm::StringRef target = "cuda:90");
std::string readText(const std::string& path);
// The goldens below a folder, sorted: not those of another release of Triton, as a file `release`
// beside them says, since back ends read what 3.9 writes.
std::vector<std::string> ttgirUnder(const std::string& folder);
// How often `words` begins an instruction of the PTX.
unsigned count(llvm::StringRef ptx, llvm::StringRef words);

} // namespace gluond::test

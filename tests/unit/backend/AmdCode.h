// ttgir text to AMD's assembly, for tests.
#pragma once

#include "backend/amd/GluondAmdgpu.h"
#include "chips/Chip.h"
#include "chips/CodeOptions.h"

#include <string>

namespace gluond::test {

struct AmdCode {
  std::string assembly, problem;
  bool isRefused = false; // by Triton too
  backend::amd::Resources resources;
  const chips::Chip* chip = nullptr;
};

AmdCode codeOf(llvm::StringRef ttgir, const chips::CodeOptions& options = {});
// The text of a module with four warps of so many lanes: attributes of the file, a function.
std::string amdModule(llvm::StringRef target, unsigned lanes, llvm::StringRef attributes,
                      llvm::StringRef body);
// Defines #b, a blocked layout with four elements in each thread.
std::string amdBlocked(unsigned lanes);

} // namespace gluond::test

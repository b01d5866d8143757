// The parts of NVIDIA's toolkit that gluond uses when it finds them: ptxas, nvdisasm, libdevice. In
// a CUDA installation, or in Triton's wheel.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::target::nvidia {

// Paths; empty for what is not there. GLUOND_CUDA names a folder that comes first.
std::string findTool(llvm::StringRef name); // "ptxas", "nvdisasm"
std::string findDeviceLibrary();

struct Cubin {
  std::vector<char> bytes;
  unsigned registers = 0, spillBytes = 0, stackBytes = 0,
           staticSharedBytes = 0; // as ptxas reports them
  std::string log;
};

// The error is ptxas's output, or that there is no ptxas. Where `token` was cancelled, it says
// nothing of use.
tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                          bool lineInfo = true,
                                          const CancellationToken& token = {});
// SASS with line information.
tl::expected<std::string, std::string> disassemble(llvm::StringRef cubin,
                                                   const CancellationToken& token = {});

// Tells one version of a tool from another without running it; empty for no file.
std::string identityOf(llvm::StringRef path);

} // namespace gluond::target::nvidia

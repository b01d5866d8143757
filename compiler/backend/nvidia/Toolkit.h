// Finds the parts of NVIDIA's toolkit that gluond uses: ptxas, nvdisasm, libdevice, in a CUDA
// installation or in Triton's wheel.
//
// They are searched in the user's places, never in a project's: opening a project must not run a
// `ptxas` that came with it, for example in its virtual environment. The user sets GLUOND_CUDA, so
// it may name any folder.
#pragma once

#include "backend/Installations.h"
#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::backend::nvidia {

// The workspace's folders, whose files are not used.
using Untrusted = llvm::ArrayRef<std::string>;

FoundTool findTool(llvm::StringRef name, Untrusted untrusted); // "ptxas", "nvdisasm"
FoundTool findDeviceLibrary(Untrusted untrusted);

struct Cubin {
  std::vector<char> bytes;
  unsigned registers = 0, spillBytes = 0, stackBytes = 0,
           staticSharedBytes = 0; // as ptxas reports them
  std::string log;
};

// The error is ptxas's output, or that there is no ptxas. If `token` was cancelled, the error is
// meaningless.
tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                          Untrusted untrusted, bool lineInfo = true,
                                          bool fusesMultiplyAdd = true,
                                          const CancellationToken& token = {});
// Returns SASS with line information.
tl::expected<std::string, std::string> disassemble(llvm::StringRef cubin, Untrusted untrusted,
                                                   const CancellationToken& token = {});

} // namespace gluond::backend::nvidia

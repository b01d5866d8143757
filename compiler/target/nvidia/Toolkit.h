// The parts of NVIDIA's toolkit that gluond uses when it finds them: ptxas, nvdisasm, libdevice. In
// a CUDA installation, or in Triton's wheel.
//
// They are looked for in the user's places, never in a project's: opening a project must not run a
// `ptxas` that came with it, in its virtual environment perhaps. GLUOND_CUDA is the user's word and
// may name any folder.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::target::nvidia {

// The workspace's folders: what is in them is not used.
using Untrusted = llvm::ArrayRef<std::string>;

struct FoundTool {
  std::string path;       // empty: there is none
  std::string from;       // who named the place: "CUDA_HOME", "PATH"
  std::string passedOver; // one that came before it and is in the workspace
};
FoundTool findTool(llvm::StringRef name, Untrusted untrusted); // "ptxas", "nvdisasm"
FoundTool findDeviceLibrary(Untrusted untrusted);

struct Cubin {
  std::vector<char> bytes;
  unsigned registers = 0, spillBytes = 0, stackBytes = 0,
           staticSharedBytes = 0; // as ptxas reports them
  std::string log;
};

// The error is ptxas's output, or that there is no ptxas. Where `token` was cancelled, it says
// nothing of use.
tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                          Untrusted untrusted, bool lineInfo = true,
                                          const CancellationToken& token = {});
// SASS with line information.
tl::expected<std::string, std::string> disassemble(llvm::StringRef cubin, Untrusted untrusted,
                                                   const CancellationToken& token = {});

// Tells one version of a tool from another without running it; empty for no file.
std::string identityOf(llvm::StringRef path);

} // namespace gluond::target::nvidia

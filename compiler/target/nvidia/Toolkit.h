// The parts of NVIDIA's toolkit that gluond uses when it finds them: ptxas, nvdisasm, libdevice. In
// a CUDA installation, or in Triton's wheel.
#pragma once

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

// The error is ptxas's output, or that there is no ptxas.
tl::expected<Cubin, std::string> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                          bool lineInfo = true);
// SASS with line information.
tl::expected<std::string, std::string> disassemble(const std::vector<char>& cubin);

} // namespace gluond::target::nvidia

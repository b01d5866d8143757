// AMD's device libraries, ocml (functions of floats) and ockl (messages to the host), as bitcode:
// searched in ROCm installations and in Triton's wheel, never in a project.
#pragma once

#include "chips/Chip.h"
#include "target/Installations.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::target::amd {

// "ocml.bc" or "ockl.bc". `untrusted`: the workspace's folders, whose files are not used.
FoundTool findDeviceLibrary(llvm::StringRef name, llvm::ArrayRef<std::string> untrusted);

// Links what the module calls of them, with the constants that they read about the chip. The error
// says what is missing.
tl::expected<void, std::string> linkDeviceLibraries(llvm::Module& module, const chips::Chip& chip,
                                                    llvm::ArrayRef<std::string> untrusted);

} // namespace gluond::target::amd

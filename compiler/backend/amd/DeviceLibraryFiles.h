// AMD's device libraries, ocml (functions of floats) and ockl (messages to the host), as bitcode:
// searched in ROCm installations and in Triton's wheel, never in a project.
#pragma once

#include "backend/Installations.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::backend::amd {

// "ocml.bc" or "ockl.bc". `untrusted`: the workspace's folders, whose files are not used.
FoundTool findDeviceLibrary(llvm::StringRef name, llvm::ArrayRef<std::string> untrusted);

// The files of those that the module calls. The error says which one is missing.
tl::expected<std::vector<std::string>, std::string>
deviceLibrariesFor(const llvm::Module& module, llvm::ArrayRef<std::string> untrusted);

} // namespace gluond::backend::amd

// Links AMD's device libraries to a kernel. Internal to gluond-amdgpu/.
#pragma once

#include "chips/Chip.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::amdgpu {

// Links what the module calls of these files of bitcode, with the constants that they read about
// the chip. The error says what is wrong with a file.
tl::expected<void, std::string> linkDeviceLibraries(llvm::Module& module, const chips::Chip& chip,
                                                    llvm::ArrayRef<std::string> libraries);

} // namespace gluond::amdgpu

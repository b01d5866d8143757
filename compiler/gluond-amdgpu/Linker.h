// LLVM's linker, as part of this program. Internal to gluond-amdgpu/.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::amdgpu {

// A shared object made of one object file. The error is the linker's.
tl::expected<std::string, std::string> link(llvm::StringRef object);

} // namespace gluond::amdgpu

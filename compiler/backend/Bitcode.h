// LLVM modules as bitcode, to be handed to another process of the same LLVM.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>

namespace gluond::backend {

// The order of each value's uses is kept, on which some of LLVM's passes depend.
std::string toBitcode(const llvm::Module& module);
// The error says why the bytes are not a module.
tl::expected<std::unique_ptr<llvm::Module>, std::string> fromBitcode(llvm::StringRef bytes,
                                                                     llvm::LLVMContext& context);

} // namespace gluond::backend

// Optimizes a kernel's module with LLVM's passes and turns it into assembly, for all back ends.
// Both can be cancelled.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <tl/expected.hpp>

#include <string>

namespace llvm {
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace gluond::backend {

// Adds passes over the whole module. It must not have the builder parse names of passes: that would
// link all passes of LLVM to the program, ten megabytes of code.
using EndOfPipeline = llvm::function_ref<void(llvm::PassBuilder&, llvm::ModulePassManager&)>;

// Optimizes the module for the machine; `last` adds passes of the target's own after the others,
// and `end` those over the whole module that end it. The error says that the module is too large:
// passes of LLVM are stopped between each other only, and some take more than linear time.
tl::expected<void, std::string> optimize(llvm::Module& module, llvm::TargetMachine& machine,
                                         const CancellationToken& token,
                                         llvm::function_ref<void(llvm::FunctionPassManager&)> last,
                                         EndOfPipeline end = nullptr);

// The module's assembly, made without the optional passes of the names `without`. The error says
// that LLVM cannot write any.
tl::expected<std::string, std::string> emitAssembly(llvm::Module& module,
                                                    llvm::TargetMachine& machine,
                                                    const CancellationToken& token,
                                                    llvm::ArrayRef<llvm::StringRef> without = {});

// The two halves of emitAssembly() for AMD's back end, of which the second can be repeated with
// other attributes of the functions: its passes over LLVM's IR change the module, and may take as
// long as all others; then a copy of that module becomes assembly.
void prepareForSelection(llvm::Module& module, llvm::TargetMachine& machine,
                         const CancellationToken& token,
                         llvm::ArrayRef<llvm::StringRef> without = {});
tl::expected<std::string, std::string> emitPrepared(llvm::Module& module,
                                                    llvm::TargetMachine& machine,
                                                    const CancellationToken& token,
                                                    llvm::ArrayRef<llvm::StringRef> without = {});

// Links what the module needs of a library in a file of bitcode, as parts of the module that are
// inlined. The error says what is wrong with the file.
tl::expected<void, std::string> linkLibrary(llvm::Module& module, const std::string& path);

} // namespace gluond::backend

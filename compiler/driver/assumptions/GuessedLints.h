// Lints of a kernel that nobody launches, or not with all that it needs: what the protocol of its
// barriers and copies, its indices and its sizes show whatever it is launched with, and what it
// costs.
//
// The kernel is compiled under several guesses of element types, block sizes, counts of buffers and
// blocks of descriptors (their roles from ArgumentRoles, the blocks from the shared memory that the
// copies name), and a finding counts when all guesses that compile agree on its place.
#pragma once

#include "codegen/context/Source.h"
#include "driver/launches/Kernels.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::driver {

// Takes a module of stage `source` to where lints look, and says what they find; nothing where a
// stage fails.
using LintModule = llvm::function_ref<std::optional<std::vector<diagnostics::Diagnostic>>(
    mlir::ModuleOp, const codegen::Specialization&)>;

std::vector<diagnostics::Diagnostic> commonLints(const Variant& variant,
                                                 codegen::CodegenContext& context,
                                                 const codegen::Specialization& specialization,
                                                 const Program& program, LintModule lint,
                                                 CancellationToken token);

} // namespace gluond::driver

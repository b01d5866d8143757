// Lints of a kernel that is not launched, or whose launch is not completely known: what holds for
// any launch about the protocol of its barriers and copies, about its indices and sizes, and about
// its cost.
//
// The kernel is compiled under several guesses of element types, block sizes, buffer counts and
// descriptor blocks (their roles come from ParameterRoles, the blocks from the shared memory that
// the copies use). A finding counts if all guesses that compile agree on its place.
#pragma once

#include "codegen/context/Source.h"
#include "driver/launches/Kernels.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::driver {

// Brings a module of stage `source` to the stage that lints examine and returns their findings, or
// nullopt if a stage fails.
using LintModule = llvm::function_ref<std::optional<std::vector<diagnostics::Diagnostic>>(
    mlir::ModuleOp, const codegen::Specialization&)>;

std::vector<diagnostics::Diagnostic> commonLints(const Variant& variant,
                                                 codegen::CodegenContext& context,
                                                 const codegen::Specialization& specialization,
                                                 const EvaluatedFile& program, LintModule lint,
                                                 CancellationToken token);

} // namespace gluond::driver

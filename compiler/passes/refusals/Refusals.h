// Finds code that Triton compiles up to `ttgir` but that its back ends are certain to refuse,
// mostly without a place in the source.
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Whose back end is to compile the module: gluond's also scans tensors of layouts that Triton's
// does not.
enum class BackEndOf : uint8_t { Triton, Gluond };

// Checks a module of stage `ttgir`. The failure is that of the first wrong op; those of other ops
// are in its `others`.
Result checkRefusals(mlir::ModuleOp module, BackEndOf backEnd);

// The lowering meets this one, too.
inline constexpr llvm::StringLiteral kernelReturnsValue =
    "a kernel cannot return a value: nobody receives it. Store it through a pointer, and write "
    "`return` alone";

} // namespace gluond::passes

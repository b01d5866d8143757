// What Gluon's IR has of LLVM's dialect. Its header takes seconds to compile, so that only the
// source of this one includes it.
#pragma once

#include <mlir/IR/Attributes.h>
#include <mlir/IR/Builders.h>

namespace gluond::ir {

// Registers the dialect without loading it, which takes long: it has hundreds of operations. The
// functions below and the parser load it.
void registerLlvmDialect(mlir::MLIRContext& context);

// Creates llvm.intr.assume.
void createAssume(mlir::OpBuilder& builder, mlir::Location location, mlir::Value condition);

// Returns the annotation of a loop that keeps LLVM from moving invariant code out of it.
mlir::Attribute withoutInvariantCodeMotion(mlir::MLIRContext* context);

} // namespace gluond::ir

// Checks shared by several op files of `ttng`.
#pragma once

#include "ir/ttng/Ops.h"

namespace gluond::ttng {

// Checks that the CTAs' barriers are distributed as `expected`.
mlir::LogicalResult verifyBarrierCGA(mlir::Operation* op, mlir::Value barrier,
                                     ttg::CGAEncodingAttr expected, llvm::StringRef name);
// Checks that there is one barrier in each CTA.
mlir::LogicalResult verifyCompletionBarrier(mlir::Operation* op, mlir::Value barrier);
// `[[1],[2]]`
std::string formatCGA(ttg::CGAEncodingAttr cga);

} // namespace gluond::ttng

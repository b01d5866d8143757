// Checks that several op files of `ttng` share.
#pragma once

#include "ir/ttng/Ops.h"

namespace gluond::ttng {

// The CTAs' barriers are divided as `expected`.
mlir::LogicalResult verifyBarrierCGA(mlir::Operation* op, mlir::Value barrier,
                                     ttg::CGAEncodingAttr expected, llvm::StringRef name);
// One barrier in each CTA.
mlir::LogicalResult verifyCompletionBarrier(mlir::Operation* op, mlir::Value barrier);
// `[[1],[2]]`
std::string formatCGA(ttg::CGAEncodingAttr cga);

} // namespace gluond::ttng

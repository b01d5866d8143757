// Finds bounds of the number of iterations of an scf.for.
#pragma once

#include <mlir/Dialect/SCF/IR/SCF.h>

#include <optional>

namespace gluond::passes {

// Returns the number of iterations if constants determine it (by MLIR 24's rule, which differs from
// 22's for step <= 0): zero if both bounds are one value or the lower is not below the upper; one
// if the loop goes from 0 to its own step, whatever that is. Returns nullopt if the step is 0, or
// if the bounds are in order but the step is negative or not constant.
std::optional<uint64_t> tripCount(mlir::scf::ForOp loop);

} // namespace gluond::passes

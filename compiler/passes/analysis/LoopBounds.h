// What is known of how often an scf.for runs.
#pragma once

#include <mlir/Dialect/SCF/IR/SCF.h>

#include <optional>

namespace gluond::passes {

// The number of iterations where constants tell it (MLIR 24's rule, which 22 differs from at step
// <= 0): none where both bounds are one value or the lower is not below the upper; one where the
// loop goes from 0 to its own step, whatever that is. Nothing is known where the step is 0, or
// where the bounds are in order but the step is negative or not constant.
std::optional<uint64_t> tripCount(mlir::scf::ForOp loop);

} // namespace gluond::passes

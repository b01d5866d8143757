// The places in source files that a location of the IR stands for.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Location.h>

#include <vector>

namespace gluond::ir {

// Returns the calls that an op was inlined through, outermost first. A call inside of a function
// that was inlined itself counts once (simulate::callsOf() tells such calls apart).
std::vector<mlir::Location> callersOf(mlir::Location location);
// Returns the location in the function that contains the op in the source, without the calls that
// it was inlined through.
mlir::Location withoutCalls(mlir::Location location);
// Returns the first range in the location that `accepts` accepts, or null if there is none.
mlir::FileLineColRange rangeOf(
    mlir::Location location,
    llvm::function_ref<bool(mlir::FileLineColRange)> accepts = [](auto) { return true; });

} // namespace gluond::ir

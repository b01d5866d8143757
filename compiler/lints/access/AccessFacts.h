// The cost of each access and conversion of a kernel as a line for hover, for cheap ones as well as
// expensive ones.
#pragma once

#include <mlir/IR/BuiltinOps.h>

#include <string>
#include <vector>

namespace gluond::lints {

struct AccessFact {
  mlir::Location at;
  std::string text; // "16 bytes a lane, 16 sectors a warp instruction (16 at least)"
};
std::vector<AccessFact> accessFacts(mlir::ModuleOp module);

} // namespace gluond::lints

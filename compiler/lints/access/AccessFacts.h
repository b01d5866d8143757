// What each access and conversion of a kernel costs, as a line for hover: said of good ones as of
// bad ones.
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

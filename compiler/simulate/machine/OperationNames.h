// The names that messages give operations of the IR, as a kernel's author would: "subtraction" for
// arith.subf, "load" for tt.load.
#pragma once

#include <string>

namespace mlir {
class Operation;
}

namespace gluond::simulate {

// Returns a noun without an article. An operation without a name here keeps the IR's.
std::string operationName(mlir::Operation& op);

} // namespace gluond::simulate

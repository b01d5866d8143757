// What a kernel's author calls an operation of the IR: "subtraction" for arith.subf, "load" for
// tt.load. For messages.
#pragma once

#include <string>

namespace mlir {
class Operation;
}

namespace gluond::simulate {

// A noun without an article. An operation without a word of its own keeps the IR's name.
std::string operationName(mlir::Operation& op);

} // namespace gluond::simulate

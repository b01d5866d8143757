// Conversions of floats that several targets make in the same way.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// arith.truncf for chips that narrow two floats to 16 bits by one instruction: two to a word. A
// vector stays together where single conversions would move into the blocks before and lose their
// neighbours.
bool truncateInPairs(FunctionEmitter& e, mlir::Operation* op);

} // namespace gluond::lowering

// The instructions of PTX that calculate: each gives an instruction what it does, and returns false
// if it knows no such form.
#pragma once

#include "simulate/operations/assembly/PtxTypes.h"

namespace gluond::simulate::assembly {

// On each lane of a packed type.
bool resolveReal(Instruction& instruction, llvm::StringRef name, Type type,
                 const Modifiers& modifiers, bool keepsNan);
bool resolveInteger(Instruction& instruction, llvm::StringRef name, Type type, bool saturates);
// setp.HOW.type p, a, b; set.HOW.result.type d, a, b
bool resolveCompare(Instruction& instruction, llvm::StringRef how, const Type& result,
                    const Type& type);
// cvt.TO.FROM d, a; of packed types d, a, b with a in the upper half, or d, a of as many lanes.
bool resolveConvert(Instruction& instruction, const Type& to, const Type& from,
                    const Modifiers& modifiers, bool isAway);

} // namespace gluond::simulate::assembly

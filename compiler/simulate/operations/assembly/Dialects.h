// The instruction sets.
#pragma once

#include "simulate/operations/assembly/Assembly.h"

namespace gluond::simulate::assembly {

// The part of PTX that kernels write: arithmetic, conversions, bits, moves, loads, stores and
// atomic operations on memory. Instructions that move data between threads (shfl, vote) are not
// known, because one thread after the other executes the text.
const Dialect& ptx();
// The part of AMD's vector instructions that kernels write.
const Dialect& amd();

} // namespace gluond::simulate::assembly

// The instruction sets.
#pragma once

#include "simulate/operations/assembly/Assembly.h"

namespace gluond::simulate::assembly {

// What kernels write of PTX: arithmetic, conversions, bits, moves, loads, stores and atomic
// operations on memory. What moves data between threads (shfl, vote) is not known: a text is run by
// one thread after the other.
const Dialect& ptx();
// What kernels write of AMD's vector instructions.
const Dialect& amd();

} // namespace gluond::simulate::assembly

// What a kernel's machine code needs, as its assembler reports it.
#pragma once

namespace gluond::driver {

// Registers are those of a thread; AMD's chips also have accumulators of matrix products, which
// `registers` includes, and scalar registers of a warp.
struct Assembled {
  unsigned registers = 0, spillBytes = 0, stackBytes = 0;
  unsigned accumulatorRegisters = 0, scalarRegisters = 0;
  unsigned wavesPerUnit = 0; // that these registers let run at a time on one SIMD; 0: not known
};

} // namespace gluond::driver

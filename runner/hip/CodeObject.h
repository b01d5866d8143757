// Reads the metadata of an AMD code object (hsaco): the GPU that it is for, and its kernels'
// arguments and registers. HIP reports too little of this.
//
// https://llvm.org/docs/AMDGPUUsage.html, "Code Object Metadata"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gluond::runner::hip {

struct CodeObject {
  struct Kernel {
    std::string name;
    std::vector<unsigned> arguments; // sizes in bytes, without hidden arguments
    unsigned vectorRegisters = 0, accumulatorRegisters = 0, scalarRegisters = 0; // of a thread
    unsigned spilledVectors = 0, spilledScalars = 0;                             // registers
    unsigned warpSize = 0;
  };
  std::string arch; // "gfx942"
  std::vector<Kernel> kernels;

  const Kernel* find(std::string_view name) const;
};

// Returns nullopt for bytes that are no code object with metadata.
std::optional<CodeObject> readCodeObject(std::string_view bytes);

} // namespace gluond::runner::hip

// Compiles LLVM IR to AMD's assembly, and that to a code object (hsaco): LLVM's own back end,
// assembler and linker. No ROCm is needed.
#pragma once

#include "chips/Chip.h"
#include "support/Cancellation.h"

#include <llvm/IR/Module.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
}

namespace gluond::target::amd {

struct AmdOptions {
  bool fuseMultiplyAdd =
      true; // a * b + c with one rounding, as in Triton unless enable_fp_fusion is off
  std::vector<std::string> untrusted{}; // folders whose files are not used (DeviceLibrary.h)
  CancellationToken cancellation{};     // once cancelled, it ends soon with an unusable result
};

// LLVM's back end for one chip, for one thread at a time; a kernel is optimized, then emitted.
class AmdCompiler {
public:
  // The error says that this LLVM does not support the chip.
  static tl::expected<AmdCompiler, std::string> create(const chips::Chip& chip, AmdOptions options);
  AmdCompiler(AmdCompiler&&) noexcept;
  AmdCompiler& operator=(AmdCompiler&&) noexcept;
  ~AmdCompiler();

  // Optimizes the module in place (it is then stage `llir`). The error says what is missing, such
  // as the device library.
  tl::expected<void, std::string> optimize(llvm::Module& module);
  // Returns the assembly of an optimized module.
  tl::expected<std::string, std::string> toAssembly(llvm::Module& module);

private:
  AmdCompiler(std::unique_ptr<llvm::TargetMachine> machine, const chips::Chip& chip,
              AmdOptions options);
  std::unique_ptr<llvm::TargetMachine> machine_;
  const chips::Chip* chip_;
  AmdOptions options_;
};

// What the code takes of the machine, as its assembly says.
struct Resources {
  unsigned vectorRegisters = 0, accumulatorRegisters = 0, scalarRegisters = 0;
  unsigned vectorSpills = 0, scalarSpills = 0; // registers that live in scratch memory
  unsigned scratchBytes = 0;                   // of each lane
  unsigned wavesPerUnit = 0;                   // of a SIMD; 0 where the assembly does not say
};
Resources resourcesOf(llvm::StringRef assembly);

// The code object of a kernel's assembly. The error is the assembler's or the linker's.
tl::expected<std::string, std::string> assemble(llvm::StringRef assembly, const chips::Chip& chip);
// Its instructions as text, with the addresses of branches' targets.
tl::expected<std::string, std::string> disassemble(llvm::StringRef hsaco, const chips::Chip& chip);

} // namespace gluond::target::amd

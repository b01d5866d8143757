#include "gluond-amdgpu/Compile.h"

#include "backend/CodeGeneration.h"
#include "backend/NarrowMinMax.h"
#include "backend/TargetMachine.h"
#include "chips/Vendor.h"
#include "gluond-amdgpu/DeviceLibraries.h"
#include "gluond-amdgpu/LlvmTarget.h"
#include "gluond-amdgpu/Schedules.h"
#include "gluond-amdgpu/passes/BFloatRounding.h"
#include "gluond-amdgpu/passes/BytePermutation.h"
#include "gluond-amdgpu/passes/ConstantOffsets.h"
#include "gluond-amdgpu/passes/HoistBetweenMasks.h"
#include "gluond-amdgpu/passes/MixedPrecision.h"
#include "gluond-amdgpu/passes/PackedArithmetic.h"
#include "gluond-amdgpu/passes/PairedLanes.h"
#include "gluond-amdgpu/passes/SwizzledOffsets.h"
#include "gluond-amdgpu/passes/UniformBits.h"
#include "gluond-amdgpu/passes/UniformDistances.h"
#include "gluond-amdgpu/passes/UpperHalfBits.h"
#include "gluond-amdgpu/passes/registers/DepthFirstOrder.h"
#include "gluond-amdgpu/passes/registers/PackedPhis.h"
#include "gluond-amdgpu/passes/registers/PressureReduction.h"
#include "gluond-amdgpu/passes/registers/Recomputation.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <map>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
void LLVMInitializeAMDGPUDisassembler();
}

namespace gluond::amdgpu {

const llvm::Triple& triple() {
  static const llvm::Triple known("amdgcn-amd-amdhsa");
  return known;
}

const llvm::Target* target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUDisassembler();
  });
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple(), error);
}

namespace {

// Machines are kept for the program's next kernels: tables of registers and of what is legal are
// as much work as a small kernel.
tl::expected<llvm::TargetMachine*, std::string> machineOf(const chips::Chip& chip,
                                                          bool fusesMultiplyAdd) {
  static std::map<std::pair<const chips::Chip*, bool>, std::unique_ptr<llvm::TargetMachine>> known;
  std::unique_ptr<llvm::TargetMachine>& machine = known[{&chip, fusesMultiplyAdd}];
  if (!machine)
    if (const llvm::Target* found = target())
      // The level above duplicates the ends of loops, for more instructions and no fewer waits.
      machine = backend::machineFor(*found, triple(), chip, {}, llvm::CodeGenOptLevel::Default,
                                    fusesMultiplyAdd);
  if (!machine) return tl::make_unexpected(noTarget.str());
  return machine.get();
}

// Masks of a loop's last step follow from its number where that is known, and pairs of floats have
// instructions of their own. What follows ConstantOffsetsPass must not put its sums back.
void addLastPasses(llvm::FunctionPassManager& passes, const chips::Chip& chip) {
  passes.addPass(PackedPhisPass());
  passes.addPass(BytePermutationPass());
  llvm::LoopPassManager loops;
  loops.addPass(llvm::IndVarSimplifyPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(HoistBetweenMasksPass());
  passes.addPass(llvm::SimplifyCFGPass()); // loads under one mask are in one block
  passes.addPass(PackedArithmeticPass(chip));
  passes.addPass(PairedLanesPass(chip));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  passes.addPass(WideChoicesPass(/*hasPairs=*/generation == Cdna5));
  if (generation == Rdna3 || generation == Rdna4) {
    passes.addPass(MixedPrecisionPass());
    passes.addPass(UpperHalfBitsPass());
  }
  passes.addPass(SwizzledOffsetsPass());
  passes.addPass(ConstantOffsetsPass(chip));
  passes.addPass(UniformDistancesPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InferAlignmentPass()); // neighboring elements are loaded at once then
  passes.addPass(DepthFirstOrderPass(chip));
  passes.addPass(PressureReductionPass(chip));
  passes.addPass(RecomputationPass(chip));
  passes.addPass(PackedDifferencesPass(chip));
  passes.addPass(UniformBitsPass());
}

// The attributor finds out which of the launch's facts a kernel never asks for: it gets no hidden
// arguments for them. LLVM shows its header to nobody; the target adds it where a program is whole.
void addAttributor(llvm::PassBuilder& builder, llvm::ModulePassManager& passes) {
  builder.invokeFullLinkTimeOptimizationLastEPCallbacks(passes, llvm::OptimizationLevel::O2);
}

} // namespace

tl::expected<void, std::string> optimize(llvm::Module& module, const chips::Chip& chip,
                                         llvm::ArrayRef<std::string> libraries,
                                         bool fusesMultiplyAdd) {
  auto machine = machineOf(chip, fusesMultiplyAdd);
  if (!machine) return tl::make_unexpected(machine.error());
  backend::aim(module, **machine);
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", codeObjectVersion);
  if (auto linked = linkDeviceLibraries(module, chip, libraries); !linked) return linked;
  backend::narrowMinMax(module, {.compared = true});
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  if (generation != Cdna4 && generation != Cdna5) roundBFloats(module);
  auto addLast = [&](llvm::FunctionPassManager& passes) { addLastPasses(passes, chip); };
  if (auto done = backend::optimize(module, **machine, {}, addLast, addAttributor); !done)
    return done;
  // From gfx12 on, two numbers of a CTA share a register: the grid may have them even if the kernel
  // reads but one.
  if (generation == Rdna4 || generation == Cdna5)
    for (llvm::Function& function : module)
      for (llvm::StringRef axis : {"x", "y", "z"})
        function.removeFnAttr(("amdgpu-no-workgroup-id-" + axis).str());
  return {};
}

tl::expected<std::string, std::string> toAssembly(llvm::Module& module, const chips::Chip& chip,
                                                  bool fusesMultiplyAdd) {
  auto machine = machineOf(chip, fusesMultiplyAdd);
  if (!machine) return tl::make_unexpected(machine.error());
  return assemblyInBestOrder(module, **machine, chip);
}

} // namespace gluond::amdgpu

// AMD's stages: LLVM IR, assembly, and code objects by LLVM's own assembler and linker.
#include "backend/amd/DeviceLibraryFiles.h"
#include "backend/amd/GluondAmdgpu.h"
#include "chips/Occupancy.h"
#include "chips/Target.h"
#include "driver/stages/BackEnd.h"
#include "driver/stages/Stages.h"
#include "lowering/Scratch.h"
#include "lowering/amd/AmdTarget.h"

namespace gluond::driver {

namespace {

namespace amd = backend::amd;

passes::Result toTtgir(mlir::ModuleOp module, releases::Release release,
                       const passes::PassResources& resources) {
  return passes::runPasses(module, passes::gluonToTtgir(chips::Vendor::Amd, release), resources);
}

// Returns null if gluond generates no code for the target. The chips of a family have the same
// Gluon, but each has code of its own.
const chips::Chip* chipOf(const chips::Target& target) {
  const chips::Chip* chip = chips::findChip(target.name());
  return chip && chip->target == target.name() && !chip->processor.empty() ? chip : nullptr;
}

constexpr BackEnd backEnd{chipOf, lowering::amd::makeTarget, amd::makeCompiler};

passes::Result toLlir(Compilation& kernel) {
  return makeLlir(kernel, backEnd);
}

unsigned wavesOf(const chips::Target& target, const amd::Resources& used) {
  const chips::Chip* chip = chipOf(target);
  if (!chip || !chip->limits) return 0;
  return static_cast<unsigned>(chips::warpsOfPart(*chip, used.vectorRegisters));
}

passes::Result toAmdgcn(Compilation& kernel) {
  if (auto made = makeAssembly(kernel, backEnd); !made) return made;
  amd::Resources used = amd::resourcesOf(kernel.result.text);
  constexpr unsigned registerBytes = 4;
  kernel.result.assembled = Assembled{.registers = used.vectorRegisters,
                                      .spillBytes = used.vectorSpills * registerBytes,
                                      .stackBytes = used.scratchBytes,
                                      .accumulatorRegisters = used.accumulatorRegisters,
                                      .scalarRegisters = used.scalarRegisters,
                                      .wavesPerUnit = wavesOf(kernel.target, used)};
  return {};
}

passes::Result toHsaco(Compilation& kernel) {
  auto hsaco =
      amd::assemble(kernel.result.text, *chipOf(kernel.target), kernel.options.cancellation);
  if (!hsaco) return kernel.unsupported(hsaco.error());
  kernel.result.text = std::move(*hsaco);
  return {};
}

passes::Result toIsa(Compilation& kernel) {
  auto text =
      amd::disassemble(kernel.result.text, *chipOf(kernel.target), kernel.options.cancellation);
  if (!text) return kernel.unsupported(text.error());
  kernel.result.text = std::move(*text);
  return {};
}

std::string identityOf(llvm::StringRef library, WorkspaceFolders workspace) {
  return backend::identityOf(amd::findDeviceLibrary(library, workspace).path);
}
constexpr StageTool compilerAndLibraries[] = {
    {"gluond-amdgpu", [](WorkspaceFolders) { return backend::identityOf(amd::compilerProgram()); }},
    {"ocml", [](WorkspaceFolders workspace) { return identityOf("ocml.bc", workspace); }},
    {"ockl", [](WorkspaceFolders workspace) { return identityOf("ockl.bc", workspace); }}};

using Form = Stage::Form;
constexpr Stage stages[] = {
    sourceStage,
    {"ttgir", "TritonGPU IR, layouts resolved", "mlir", "source", toTtgir},
    {"llir", "LLVM IR, optimized", "llvm", "ttgir", nullptr, toLlir, linesOfLlvm,
     compilerAndLibraries, Form::Module},
    {"amdgcn", "AMDGCN assembly", "amdgcn", "llir", nullptr, toAmdgcn, linesOfAmdgcn},
    {"hsaco", "Machine code", "elf", "amdgcn", nullptr, toHsaco, nullptr, {}, Form::Bytes},
    {"isa", "Machine code, disassembled", "amdgcn", "hsaco", nullptr, toIsa},
};

int64_t scratchBytes(mlir::Operation* op) {
  return lowering::scratchBytes(lowering::amd::handlers(), op);
}

bool isRunnable(const chips::Target& target) {
  const chips::Chip* chip = chips::findChip(target.name());
  return chip && chip->isComplete;
}

// HIP has no compiler for code of other chips, as CUDA has for PTX.
llvm::StringRef loaded(const chips::Target& target, llvm::StringRef device, WorkspaceFolders) {
  return target.name() == device ? "hsaco" : "";
}

} // namespace

const Toolchain amdToolchain{stages, scratchBytes, isRunnable, loaded};

} // namespace gluond::driver

// NVIDIA's stages: LLVM IR, PTX, and machine code by the tools of NVIDIA's toolkit.
#include "backend/nvidia/Ptx.h"
#include "backend/nvidia/Toolkit.h"
#include "chips/Target.h"
#include "driver/stages/BackEnd.h"
#include "driver/stages/Stages.h"
#include "lowering/Scratch.h"
#include "lowering/nvidia/NvidiaTarget.h"

namespace gluond::driver {

namespace {

namespace nvidia = backend::nvidia;

passes::Result toTtgir(mlir::ModuleOp module, releases::Release release,
                       const passes::PassResources& resources) {
  return passes::runPasses(module, passes::gluonToTtgir(chips::Vendor::Nvidia, release), resources);
}

// Returns null if gluond generates no code for the target.
const chips::Chip* chipOf(const chips::Target& target) {
  const chips::Chip* chip = chips::findChip(target.name());
  return chip && !chip->processor.empty() ? chip : nullptr;
}

constexpr BackEnd backEnd{chipOf, lowering::nvidia::makeTarget, nvidia::makeCompiler};

passes::Result toLlir(Compilation& kernel) {
  return makeLlir(kernel, backEnd);
}

passes::Result toPtx(Compilation& kernel) {
  return makeAssembly(kernel, backEnd);
}

passes::Result toCubin(Compilation& kernel) {
  auto cubin = nvidia::assemble(kernel.result.text, chipOf(kernel.target)->processor,
                                kernel.options.workspace, true,
                                kernel.options.code.fusesMultiplyAdd, kernel.options.cancellation);
  if (!cubin) return kernel.unsupported(cubin.error());
  kernel.result.assembled = Assembled{cubin->registers, cubin->spillBytes, cubin->stackBytes};
  kernel.result.text.assign(cubin->bytes.begin(), cubin->bytes.end());
  return {};
}

passes::Result toSass(Compilation& kernel) {
  auto sass = nvidia::disassemble(kernel.result.text, kernel.options.workspace,
                                  kernel.options.cancellation);
  if (!sass) return kernel.unsupported(sass.error());
  kernel.result.text = std::move(*sass);
  return {};
}

constexpr StageTool deviceLibrary[] = {{"libdevice", [](WorkspaceFolders workspace) {
                                          return backend::identityOf(
                                              nvidia::findDeviceLibrary(workspace).path);
                                        }}};
constexpr StageTool assembler[] = {{"ptxas", [](WorkspaceFolders workspace) {
                                      return backend::identityOf(
                                          nvidia::findTool("ptxas", workspace).path);
                                    }}};
constexpr StageTool disassembler[] = {{"nvdisasm", [](WorkspaceFolders workspace) {
                                         return backend::identityOf(
                                             nvidia::findTool("nvdisasm", workspace).path);
                                       }}};

using Form = Stage::Form;
constexpr Stage stages[] = {
    sourceStage,
    {"ttgir", "TritonGPU IR, layouts resolved", "mlir", "source", toTtgir},
    {"llir", "LLVM IR, optimized", "llvm", "ttgir", nullptr, toLlir, linesOfLlvm, deviceLibrary,
     Form::Module},
    {"ptx", "PTX", "ptx", "llir", nullptr, toPtx, linesOfPtx},
    {"cubin", "Machine code", "elf", "ptx", nullptr, toCubin, nullptr, assembler, Form::Bytes},
    {"sass", "Machine code, disassembled", "sass", "cubin", nullptr, toSass, linesOfSass,
     disassembler},
};

int64_t scratchBytes(mlir::Operation* op) {
  return lowering::scratchBytes(lowering::nvidia::handlers(), op);
}

bool isRunnable(const chips::Target& target) {
  const chips::Chip* chip = chipOf(target);
  return chip && chip->isComplete;
}

// Machine code if it can be made and fits the GPU; otherwise the driver compiles the PTX.
llvm::StringRef loaded(const chips::Target& target, llvm::StringRef device,
                       WorkspaceFolders workspace) {
  unsigned capability = chips::capabilityOf(device);
  if (!capability) return {};
  bool isMade =
      target.capability == capability && !nvidia::findTool("ptxas", workspace).path.empty();
  return isMade ? "cubin" : "ptx";
}

} // namespace

const Toolchain nvidiaToolchain{stages, scratchBytes, isRunnable, loaded};

} // namespace gluond::driver

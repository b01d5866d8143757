// NVIDIA's stages: LLVM IR, PTX, and machine code by the tools of NVIDIA's toolkit.
#include "chips/Target.h"
#include "driver/stages/Compile.h"
#include "driver/stages/Stages.h"
#include "lowering/Scratch.h"
#include "lowering/nvidia/NvidiaTarget.h"
#include "target/nvidia/Ptx.h"
#include "target/nvidia/Toolkit.h"

namespace gluond::driver {

namespace {

namespace nvidia = target::nvidia;

passes::Result toTtgir(mlir::ModuleOp module, releases::Release release,
                       const passes::PassResources& resources) {
  return passes::runPasses(module, passes::gluonToTtgir(passes::Backend::Nvidia, release),
                           resources);
}

// Returns null if gluond generates no code for the target.
const chips::Chip* chipOf(const chips::Target& target) {
  const chips::Chip* chip = chips::findChip(target.name());
  return chip && !chip->processor.empty() ? chip : nullptr;
}

tl::expected<nvidia::PtxCompiler, passes::Failure> compilerFor(const Compilation& kernel) {
  const chips::Chip* chip = chipOf(kernel.target);
  if (!chip)
    return kernel.unsupported("gluond cannot compile for " + kernel.target.name() + " yet");
  auto compiler = nvidia::PtxCompiler::create(*chip, {.deviceLibrary = {},
                                                      .untrusted = kernel.options.workspace,
                                                      .cancellation = kernel.options.cancellation});
  if (!compiler) return kernel.unsupported(compiler.error());
  return std::move(*compiler);
}

passes::Result toLlir(Compilation& kernel) {
  auto compiler = compilerFor(kernel);
  if (!compiler) return tl::unexpected(std::move(compiler.error()));
  auto emitter = lowering::nvidia::makeTarget(*chipOf(kernel.target));
  if (auto lowered = kernel.lower(*emitter); !lowered) return lowered;
  if (auto done = compiler->optimize(*kernel.llir); !done) return kernel.unsupported(done.error());
  return {};
}

passes::Result toPtx(Compilation& kernel) {
  auto compiler = compilerFor(kernel);
  if (!compiler) return tl::unexpected(std::move(compiler.error()));
  auto ptx = compiler->toPtx(*kernel.llir);
  if (!ptx) return kernel.unsupported(ptx.error());
  kernel.result.text = std::move(*ptx);
  return {};
}

passes::Result toCubin(Compilation& kernel) {
  auto cubin = nvidia::assemble(kernel.result.text, chipOf(kernel.target)->processor,
                                kernel.options.workspace, true, kernel.options.cancellation);
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
                                          return target::identityOf(
                                              nvidia::findDeviceLibrary(workspace).path);
                                        }}};
constexpr StageTool assembler[] = {{"ptxas", [](WorkspaceFolders workspace) {
                                      return target::identityOf(
                                          nvidia::findTool("ptxas", workspace).path);
                                    }}};
constexpr StageTool disassembler[] = {{"nvdisasm", [](WorkspaceFolders workspace) {
                                         return target::identityOf(
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

#include "AmdCode.h"

#include "ir/Context.h"
#include "ir/ttg/ModuleTarget.h"
#include "lowering/Lowering.h"
#include "lowering/amd/AmdTarget.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>

namespace gluond::test {

AmdCode codeOf(llvm::StringRef ttgir, const chips::CodeOptions& options) {
  AmdCode result;
  auto context = ir::createContext();
  auto module = ir::parseModule(ttgir, *context);
  if (!module) {
    result.problem = "does not parse";
    return result;
  }
  result.chip = chips::findChip(ttg::targetOf(*module));
  if (!result.chip || result.chip->vendor() != chips::Vendor::Amd ||
      result.chip->processor.empty()) {
    result.problem = "no code is made for the chip";
    return result;
  }
  llvm::LLVMContext llvmContext;
  auto emitter = lowering::amd::makeTarget(*result.chip, options);
  auto lowered = lowering::lowerToLLVM(*module, *emitter, llvmContext);
  if (!lowered) {
    result.problem = lowered.error().message;
    result.isRefused = lowered.error().kind == passes::FailureKind::Invalid;
    return result;
  }
  llvm::raw_string_ostream problem(result.problem);
  if (llvm::verifyModule(*lowered->module, &problem)) return result;
  auto compiler =
      backend::amd::makeCompiler(*result.chip, {.fusesMultiplyAdd = options.fusesMultiplyAdd});
  if (!compiler) {
    result.problem = compiler.error();
    return result;
  }
  if (auto done = (*compiler)->optimize(lowered->module); !done) {
    result.problem = done.error();
    return result;
  }
  auto assembly = (*compiler)->toAssembly(*lowered->module);
  if (!assembly) {
    result.problem = assembly.error();
    return result;
  }
  result.assembly = std::move(*assembly);
  result.resources = backend::amd::resourcesOf(result.assembly);
  return result;
}

std::string amdModule(llvm::StringRef target, unsigned lanes, llvm::StringRef attributes,
                      llvm::StringRef body) {
  return (attributes +
          "\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
          "ttg.target = \"" +
          target + "\", \"ttg.threads-per-warp\" = " + llvm::Twine(lanes) + " : i32} {\n" + body +
          "\n}\n")
      .str();
}

std::string amdBlocked(unsigned lanes) {
  return "#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [" + std::to_string(lanes) +
         "], warpsPerCTA = [4], order = [0]}>";
}

} // namespace gluond::test

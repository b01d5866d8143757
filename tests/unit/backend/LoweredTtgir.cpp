#include "LoweredTtgir.h"

#include "backend/nvidia/Ptx.h"
#include "ir/Context.h"
#include "ir/ttg/ModuleTarget.h"
#include "lowering/nvidia/NvidiaTarget.h"
#include "passes/Pipeline.h"
#include "passes/controlflow/AllocateWarpGroups.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

namespace gluond::test {

std::string nvidiaModule(llvm::StringRef attributes, llvm::StringRef body, llvm::StringRef target) {
  return (attributes +
          "\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, "
          "ttg.target = \"" +
          target + "\", \"ttg.threads-per-warp\" = 32 : i32} {\n" + body + "\n}\n")
      .str();
}

std::string readText(const std::string& path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

std::vector<std::string> ttgirUnder(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    if (llvm::sys::fs::exists(it->path() + "/release")) it.no_push();
    if (llvm::StringRef(it->path()).ends_with(".ttgir")) paths.push_back(it->path());
  }
  llvm::sort(paths);
  return paths;
}

PtxOf ptxOf(llvm::StringRef ttgir) {
  PtxOf result;
  auto context = ir::createContext();
  passes::PassResources resources(*context);
  auto module = ir::parseModule(ttgir, *context);
  if (!module) {
    result.problem = "does not parse";
    return result;
  }
  result.target = ttg::targetOf(*module).str();
  if (!chips::capabilityOf(result.target)) {
    result.problem = "is not for NVIDIA";
    return result;
  }
  const chips::Chip* chip = chips::findChip(result.target);
  if (!chip || chip->processor.empty()) {
    result.problem = "unknown chip";
    return result;
  }
  passes::allocateWarpGroups(*module);
  llvm::LLVMContext llvmContext;
  auto emitter = lowering::nvidia::makeTarget(*chip);
  auto lowered = lowering::lowerToLLVM(*module, *emitter, llvmContext);
  if (!lowered) {
    result.problem = lowered.error().message;
    return result;
  }
  result.facts = lowered->facts;
  llvm::raw_string_ostream problem(result.problem);
  if (llvm::verifyModule(*lowered->module, &problem)) return result;
  auto compiler = backend::nvidia::makeCompiler(*chip, {});
  if (!compiler) {
    result.problem = compiler.error();
    return result;
  }
  if (auto done = (*compiler)->optimize(lowered->module); !done) {
    result.problem = done.error();
    return result;
  }
  auto ptx = (*compiler)->toAssembly(*lowered->module);
  if (ptx)
    result.ptx = std::move(*ptx);
  else
    result.problem = ptx.error();
  return result;
}

unsigned count(llvm::StringRef ptx, llvm::StringRef words) {
  unsigned found = 0;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    line = line.trim();
    if (line.starts_with("@")) line = line.split(' ').second.trim(); // a predicate
    if (line.starts_with(words)) ++found;
  }
  return found;
}

} // namespace gluond::test

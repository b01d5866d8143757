// gluond-lower: from `ttgir` text to LLVM IR, PTX or ptxas's report.
//
//   gluond-lower [--stage llir|opt|ptx|cubin] [-o DIR] FILE...
//
// `llir` is what lowering makes, `opt` the same optimized. The result goes to stdout, or with -o to
// DIR/<stem of FILE>.<stage>; a failure is one line on stderr, and the exit code then 1.
#include "ir/Context.h"
#include "lowering/Lowering.h"
#include "passes/Pipeline.h"
#include "target/nvidia/Ptx.h"
#include "target/nvidia/Toolkit.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <mlir/IR/BuiltinAttributes.h>

#include <chrono>

namespace cl = llvm::cl;
using namespace gluond;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore);
static cl::opt<std::string> stage("stage", cl::init("ptx"));
static cl::opt<std::string> outDir("o");
static cl::opt<bool> timings("timings");

static tl::expected<std::string, std::string> process(llvm::StringRef text) {
  using Clock = std::chrono::steady_clock;
  auto context = ir::createContext();
  passes::PassResources resources(*context);
  auto module = ir::parseModule(text, *context);
  if (!module) return tl::make_unexpected(std::string("does not parse"));
  auto target = (*module)->getAttrOfType<mlir::StringAttr>("ttg.target");
  unsigned capability = 0;
  if (!target || target.getValue().split(':').second.getAsInteger(10, capability))
    return tl::make_unexpected(std::string("is not for NVIDIA"));
  const auto* chip = target::nvidia::findChip(capability);
  if (!chip) return tl::make_unexpected(std::string("is for a chip that gluond does not know"));
  auto start = Clock::now();
  auto since = [&] {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  llvm::LLVMContext llvmContext;
  auto lowered = lowering::lowerToLLVM(*module, llvmContext);
  if (!lowered) return tl::make_unexpected(lowered.error().message);
  double lower = since();
  std::string out;
  llvm::raw_string_ostream stream(out);
  if (llvm::verifyModule(*lowered->module, &stream))
    return tl::make_unexpected("broken LLVM IR: " + out);
  if (stage == "llir") {
    lowered->module->print(stream, nullptr);
    return out;
  }
  if (auto done = target::nvidia::optimize(*lowered->module, *chip, {}); !done)
    return tl::make_unexpected(done.error());
  double optimized = since();
  if (stage == "opt") {
    lowered->module->print(stream, nullptr);
    return out;
  }
  auto ptx = target::nvidia::toPtx(*lowered->module, *chip, {});
  if (!ptx) return tl::make_unexpected(ptx.error());
  if (timings)
    llvm::errs() << llvm::format("lower %.2f ms, optimize %.2f ms, ptx %.2f ms\n", lower,
                                 optimized - lower, since() - optimized);
  if (stage == "ptx") return *ptx;
  auto cubin = target::nvidia::assemble(*ptx, chip->name, false);
  if (!cubin) return tl::make_unexpected(cubin.error());
  return cubin->log;
}

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv);
  int code = 0;
  for (const std::string& file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    auto result =
        buffer ? process((*buffer)->getBuffer()) : tl::make_unexpected(buffer.getError().message());
    if (!result) {
      llvm::errs() << file << ": " << result.error() << "\n";
      code = 1;
      continue;
    }
    if (outDir.empty()) {
      llvm::outs() << *result;
      continue;
    }
    std::error_code error;
    llvm::raw_fd_ostream stream(outDir + "/" + llvm::sys::path::stem(file).str() + "." + stage,
                                error);
    if (error) return 2;
    stream << *result;
  }
  return code;
}

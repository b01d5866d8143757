// gluond-passes: runs passes on IR text.
//
//   gluond-passes [--target cuda:90|hip:gfx942] [--pass NAME]... [--after-each] [--repeat N] [-o
//   DIR] FILE...
//
// Without --pass the whole pipeline of the target (by default the module's own) from `source` to
// `ttgir`. The result goes to stdout, or with -o to DIR/<name of FILE>.out, where a failure is
// written as one line. --repeat prints microseconds per pass instead.
#include "chips/Vendor.h"
#include "ir/Context.h"
#include "passes/Pipeline.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <chrono>

namespace cl = llvm::cl;
using namespace gluond;

static cl::list<std::string> files(cl::Positional, cl::OneOrMore);
static cl::opt<std::string> targetOption("target");
static cl::list<std::string> passNames("pass");
static cl::opt<bool> afterEach("after-each");
static cl::opt<unsigned> repeat("repeat");
static cl::opt<std::string> outDir("o");

static llvm::StringRef targetOf(mlir::ModuleOp module) {
  if (!targetOption.empty()) return targetOption;
  auto attribute = module->getAttrOfType<mlir::StringAttr>("ttg.target");
  return attribute ? attribute.getValue() : llvm::StringRef(chips::standardTarget);
}

static std::vector<passes::Pass> chosenPasses(chips::Vendor vendor) {
  auto all = passes::gluonToTtgir(vendor);
  if (passNames.empty()) return all.vec();
  std::vector<passes::Pass> chosen;
  for (const std::string& name : passNames)
    for (auto& table :
         {passes::gluonToTtgir(chips::Vendor::Nvidia), passes::gluonToTtgir(chips::Vendor::Amd)})
      if (auto* found = llvm::find_if(table, [&](auto& pass) { return pass.name == name; });
          found != table.end()) {
        chosen.push_back(*found);
        break;
      }
  return chosen;
}

static std::string process(llvm::StringRef text, mlir::MLIRContext& context,
                           const passes::PassResources& resources) {
  auto module = ir::parseModule(text, context);
  if (!module) return "does not parse\n";
  std::string out;
  auto passList = chosenPasses(*chips::vendorOf(targetOf(*module)));
  auto print = [&](const passes::Pass& pass, mlir::ModuleOp module) {
    out += ("// ----- after " + pass.name + "\n").str() + ir::printModule(module);
  };
  auto result = afterEach ? passes::runPasses(*module, passList, resources, print)
                          : passes::runPasses(*module, passList, resources);
  if (!result)
    return out + "failed: " + result.error().pass.str() + ": " + result.error().message + "\n";
  return afterEach ? out : ir::printModule(*module);
}

// Microseconds per pass, summed over the files, the best of the repetitions.
static void measure(mlir::MLIRContext& context, const passes::PassResources& resources) {
  using Clock = std::chrono::steady_clock;
  double total = 0;
  llvm::StringMap<double> perPass;
  for (const std::string& file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) continue;
    auto parsed = ir::parseModule((*buffer)->getBuffer(), context);
    if (!parsed) continue;
    auto passList = chosenPasses(*chips::vendorOf(targetOf(*parsed)));
    double best = 1e9;
    for (unsigned i = 0; i < repeat; ++i) {
      mlir::OwningOpRef<mlir::ModuleOp> module = parsed->clone();
      llvm::StringMap<double> times;
      auto start = Clock::now(), last = start;
      auto result = passes::runPasses(
          *module, passList, resources, [&](const passes::Pass& pass, mlir::ModuleOp) {
            auto now = Clock::now();
            times[pass.name] += std::chrono::duration<double, std::micro>(now - last).count();
            last = now;
          });
      double all = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
      if (result && all < best) best = all;
      if (i + 1 == repeat)
        for (auto& entry : times)
          perPass[entry.first()] += entry.second;
    }
    if (best < 1e9) {
      total += best;
      llvm::outs() << llvm::format("%9.1f us  ", best) << llvm::sys::path::filename(file) << "\n";
    }
  }
  for (auto& entry : perPass)
    llvm::outs() << llvm::format("%9.1f us  ", entry.second) << entry.first() << "\n";
  llvm::outs() << llvm::format("%9.1f us  total of %u files\n", total, unsigned(files.size()));
}

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv);
  auto context = ir::createContext();
  passes::PassResources resources(*context);
  if (repeat) return measure(*context, resources), 0;
  for (const std::string& file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
      llvm::errs() << file << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    std::string out = process((*buffer)->getBuffer(), *context, resources);
    if (outDir.empty()) {
      llvm::outs() << out;
      continue;
    }
    std::error_code error;
    llvm::raw_fd_ostream stream(outDir + "/" + llvm::sys::path::filename(file).str() + ".out",
                                error);
    if (error) return 2;
    stream << out;
  }
  return 0;
}

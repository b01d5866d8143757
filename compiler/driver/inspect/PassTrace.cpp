#include "driver/inspect/PassTrace.h"

#include "chips/Vendor.h"
#include "driver/analysis/PrintedModule.h"
#include "driver/analysis/Worker.h"
#include "passes/Pipeline.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::driver {

static llvm::ArrayRef<passes::Pass> passesFor(llvm::StringRef target) {
  return passes::gluonToTtgir(chips::vendorOf(target).value_or(chips::Vendor::Nvidia));
}

std::vector<std::string> passNames(llvm::StringRef target) {
  std::vector<std::string> names;
  llvm::StringMap<unsigned> runs;
  for (const passes::Pass& pass : passesFor(target)) {
    unsigned run = ++runs[pass.name];
    names.push_back(pass.name.str() + (run > 1 ? ":" + std::to_string(run) : ""));
  }
  return names;
}

std::optional<PassTrace> tracePasses(Analyzer& analyzer, Worker& worker, const Variant& variant,
                                     llvm::StringRef linesOf) {
  auto made = analyzer.compile(variant, "source");
  if (!made) return std::nullopt;
  PassTrace trace;
  if (made->module) {
    std::vector<std::string> names = passNames(variant.target);
    trace.source.text = printWithPlaces(*made->module, *made->program, nullptr);
    llvm::StringRef before = trace.source.text;
    auto after = [&](const passes::Pass& pass, mlir::ModuleOp module) {
      PassStep step{names[trace.steps.size()], pass.title, false, {}, {}};
      step.text =
          printWithPlaces(module, *made->program, step.id == linesOf ? &step.lines : nullptr);
      step.hasChanged = step.text != before;
      trace.steps.push_back(std::move(step));
      before = trace.steps.back().text;
    };
    trace.steps.reserve(names.size()); // `before` points into them
    auto done = passes::runPasses(*made->module, passesFor(variant.target), worker.passes(), after);
    if (!done) {
      trace.failed = names[trace.steps.size()];
      trace.failure = done.error().message;
    }
  }
  std::string text = std::move(trace.source.text);
  trace.source = std::move(made->result);
  trace.source.text = std::move(text);
  return trace;
}

} // namespace gluond::driver

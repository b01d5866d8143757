// Kernels, launched as the file says or with typed defaults, for a target of either vendor: what is
// generated is valid IR that reads as it prints and becomes LLVM IR, or there is a reason why not.
// An input's bytes decide about its target, and whether it goes beyond code generation, so that
// more inputs are tried.
#include "../Target.h"
#include "Checked.h"
#include "codegen/context/CodegenContext.h"
#include "driver/analysis/Analysis.h"
#include "ir/Context.h"

#include <llvm/Support/xxhash.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>

namespace gluond::fuzz {

namespace {

void compile(Checked& checked, const driver::Variant& variant, bool isLowered) {
  driver::Analyzer analyzer(*checked.snapshot, checked.worker, {});
  auto source = analyzer.compile(variant, "source");
  expect(source.has_value(), "a kernel was cancelled by nobody");
  const driver::StageResult& said = source->result;
  expect(source->module || !said.diagnostics.empty() || !said.unsupported.empty(),
         "a kernel has no IR, and nothing says why");
  if (!source->module) return;
  mlir::ScopedDiagnosticHandler quiet(source->module->getContext(),
                                      [](mlir::Diagnostic&) { return mlir::success(); });
  expect(mlir::succeeded(mlir::verify(*source->module)), "the IR of a kernel is not valid");
  std::string text = ir::printModule(*source->module);
  auto again = ir::parseModule(text, *source->module->getContext());
  expect(again && ir::printModule(*again) == text, "the IR of a kernel reads as something else");
  if (!isLowered) return;
  again = {};
  auto lowered = analyzer.stage(variant, "llir", false);
  expect(lowered.has_value(), "a stage was cancelled by nobody");
  expect(!lowered->text.empty() || !lowered->diagnostics.empty() || !lowered->unsupported.empty(),
         "a kernel has no LLVM IR, and nothing says why");
}

} // namespace

void kernels(llvm::StringRef input) {
  uint64_t bits = llvm::xxh3_64bits(input);
  driver::Settings settings = settingsOfFuzzers();
  settings.target = bits & 1 ? "cuda:90" : "hip:gfx1250";
  bool isLowered = (bits >> 1) % 4 == 0;
  Checked checked(std::move(settings), input.str());
  auto list = driver::kernelsOf(*checked.snapshot, checked.file, {});
  expect(list != nullptr, "a list of kernels was cancelled by nobody");
  for (const driver::Kernel& kernel : list->kernels)
    if (llvm::StringRef(kernel.qualname).starts_with("kernel"))
      compile(checked, kernel.variants[kernel.selected], isLowered);
}

} // namespace gluond::fuzz

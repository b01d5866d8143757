// The text of IR, as `gluond emit FILE.ttgir` takes it: what is read and verified prints, and what
// is printed reads as the same; and it becomes machine code, or says why not.
#include "../Target.h"
#include "driver/stages/Compile.h"
#include "ir/Context.h"

#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>

namespace gluond::fuzz {

void ttgir(llvm::StringRef input) {
  auto context = ir::createContext();
  mlir::ScopedDiagnosticHandler quiet(context.get(),
                                      [](mlir::Diagnostic&) { return mlir::success(); });
  auto module = ir::parseModule(input, *context);
  if (!module || mlir::failed(mlir::verify(*module))) return;
  std::string text = ir::printModule(*module);
  auto again = ir::parseModule(text, *context);
  expect(static_cast<bool>(again), "what was printed cannot be read");
  expect(ir::printModule(*again) == text, "what was printed reads as something else");
}

void lowering(llvm::StringRef input) {
  auto context = ir::createContext();
  mlir::ScopedDiagnosticHandler quiet(context.get(),
                                      [](mlir::Diagnostic&) { return mlir::success(); });
  auto module = ir::parseModule(input, *context);
  if (!module) return;
  auto target = (*module)->getAttrOfType<mlir::StringAttr>("ttg.target");
  auto compiled = driver::compile(*module, target ? target.getValue() : "", "ptx");
  expect(compiled || !compiled.error().message.empty(), "a kernel is refused, and not why");
}

} // namespace gluond::fuzz

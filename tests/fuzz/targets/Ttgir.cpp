// The text of IR: what is read and verified prints, and what is printed reads as the same.
#include "../Target.h"
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

} // namespace gluond::fuzz

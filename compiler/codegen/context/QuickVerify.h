// MLIR's verifier checks what codegen cannot get wrong (dominance, symbols, arithmetic on one type)
// as thoroughly as what users get wrong, and takes as long as generating the module. This one
// answers only "surely valid", in a fifth of the time; a module it is not sure of goes to
// mlir::verify, which also words the message.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/MLIRContext.h>

#include <memory>

namespace gluond::codegen {

// One for each context: it remembers what was found good there, types in functions of so many warps
// and ops by what their verifiers look at.
class QuickVerifier {
public:
  explicit QuickVerifier(mlir::MLIRContext& context);
  ~QuickVerifier();

  // Ops of ttg, ttng, amdg, gluon, scf and cf are verified as MLIR would. Of arith, math and ub
  // only that the types agree; and of the ops of tt that kernels are full of, the same rules in
  // fewer steps. What MLIR reports on the way goes to the context's diagnostic handlers.
  bool isSurelyValid(mlir::ModuleOp module);

private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

} // namespace gluond::codegen

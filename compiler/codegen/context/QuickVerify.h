// A fast check that a module is valid. MLIR's verifier checks what codegen cannot get wrong
// (dominance, symbols, arithmetic on one type) as thoroughly as what users get wrong, and takes as
// long as generating the module. This one only answers "surely valid", in a fifth of the time;
// other modules go to mlir::verify, which also words the message.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/MLIRContext.h>

#include <memory>

namespace gluond::codegen {

// There is one for each context, because it caches what it found valid there: types by number of
// warps, and ops by what their verifiers check.
class QuickVerifier {
public:
  explicit QuickVerifier(mlir::MLIRContext& context);
  ~QuickVerifier();

  // Verifies ops of ttg, ttng, amdg, gluon, scf and cf as MLIR does. For arith, math and ub it only
  // compares types; for the common ops of tt it checks the same rules in fewer steps. Diagnostics
  // that MLIR reports meanwhile go to the context's handlers.
  bool isSurelyValid(mlir::ModuleOp module);

private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

} // namespace gluond::codegen

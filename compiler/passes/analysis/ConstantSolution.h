// Sparse conditional constant propagation over structured and block control flow (Triton's `sccp`).
//
// Optimistic: a value is unknown, then one constant, then anything; a region or block counts only
// once something reaches it with the constants known so far. MLIR 22's own analysis is not used:
// Triton's MLIR knows that a loop whose trip count is constant runs (LoopBounds.h), which changes
// what reaches its results; and this one costs a tenth of the data flow solver.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// What is known of a value: nothing yet, a constant, or that it varies.
struct Knowledge {
  enum State : uint8_t { Nothing, Constant, Varies };
  State state = Nothing;
  mlir::Attribute constant;
  mlir::Dialect* dialect = nullptr; // materializes the constant

  static Knowledge varies() { return {Varies, {}, nullptr}; }
  static Knowledge of(mlir::Attribute constant, mlir::Dialect* dialect) {
    return constant ? Knowledge{Constant, constant, dialect} : varies();
  }
  bool join(const Knowledge& other); // whether this changed
};

// What constants say about the code below an op: the constants, and the blocks that can run at all.
// A function passed alone may be called with anything.
class ConstantSolution {
public:
  static ConstantSolution of(mlir::Operation* top);
  const Knowledge* find(mlir::Value value) const;
  bool canRun(mlir::Block* block) const { return reached_.contains(block); }

private:
  friend class ConstantSolver;
  llvm::DenseMap<mlir::Value, Knowledge> known_;
  llvm::DenseSet<mlir::Block*> reached_;
};

// Replaces the values of `module` that are constant.
void propagateConstants(mlir::ModuleOp module);

} // namespace gluond::passes

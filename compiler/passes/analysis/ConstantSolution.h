// Sparse conditional constant propagation over structured and block control flow (Triton's `sccp`).
//
// It is optimistic: a value is unknown, then one constant, then anything; a region or block counts
// only once it is reached with the constants known so far. MLIR 22's own analysis is not used:
// Triton's MLIR knows that a loop with a constant trip count runs (LoopBounds.h), which changes
// what reaches its results; and this one costs a tenth of the data flow solver.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// The state of a value: nothing is known yet, it is a constant, or it varies.
struct Knowledge {
  enum State : uint8_t { Nothing, Constant, Varies };
  State state = Nothing;
  mlir::Attribute constant;
  mlir::Dialect* dialect = nullptr; // materializes the constant

  static Knowledge varies() { return {Varies, {}, nullptr}; }
  static Knowledge of(mlir::Attribute constant, mlir::Dialect* dialect) {
    return constant ? Knowledge{Constant, constant, dialect} : varies();
  }
  bool join(const Knowledge& other); // returns whether this changed
};

// The result for the code below an op: the constants, and the blocks that can be reached. A
// function passed alone may be called with any arguments.
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

// Replaces the constant values of `module`.
void propagateConstants(mlir::ModuleOp module);

} // namespace gluond::passes

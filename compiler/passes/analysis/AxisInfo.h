// What is known of the values along each axis of a tensor (a scalar has one axis): how they step,
// and what divides them.
//
// For the tensor [[10,11,12,13, 18,19,20,21], [20,21,22,23, 28,29,30,31]], with axes (0, 1):
//   contiguity   [1, 4]  along axis 1 the values come in runs of 4 that grow by one
//   constancy    [1, 1]  no value repeats; a splat has its whole shape here
//   divisibility [1, 2]  2 divides the first value of every run (of length `contiguity`) along axis
//   1
// All are powers of two. For pointers divisibility is in bytes and runs are in elements. Together
// they say how wide a thread may access memory, and so which layout coalesces; lints and lowering
// ask the same questions.
//
// Argument attributes (tt.divisibility, tt.contiguity, tt.constancy) are where the knowledge comes
// from; the same attributes on an op override what was worked out.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/BuiltinOps.h>

#include <optional>

namespace gluond::passes {

struct AxisInfo {
  using Axes = llvm::SmallVector<int64_t, 4>;
  Axes contiguity, divisibility, constancy; // one entry per axis; none while nothing is known
  std::optional<int64_t> constant;          // of every element

  AxisInfo() = default;
  AxisInfo(Axes contiguity, Axes divisibility, Axes constancy,
           std::optional<int64_t> constant = std::nullopt);
  // All elements are `value`.
  static AxisInfo splat(int64_t value, mlir::Type type);
  // The least that holds for any value of this type, with the hints given for it.
  static AxisInfo pessimistic(mlir::Value value);
  // What holds of a value that may be either.
  static AxisInfo join(const AxisInfo& a, const AxisInfo& b);

  unsigned rank() const { return contiguity.size(); }
  bool isConstant(int64_t value) const { return constant == value; }
  // Along an axis whose runs have length 1, divisibility is that of every element.
  int64_t globalDivisibility() const;
  friend bool operator==(const AxisInfo&, const AxisInfo&) = default;
};

// AxisInfo of every value in a module. Functions are done callers first: what the arguments of a
// call are known to be becomes attributes of the callee (in the IR, as Triton does), joined over
// its calls. Not for recursive calls.
class ModuleAxisInfo {
public:
  explicit ModuleAxisInfo(mlir::ModuleOp module);
  // Pessimistic for values that the analysis did not reach.
  AxisInfo at(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, AxisInfo> infos_;
};

} // namespace gluond::passes

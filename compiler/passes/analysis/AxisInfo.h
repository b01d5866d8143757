// Analyzes the values along each axis of a tensor (a scalar has one axis): how they increase, and
// which numbers divide them.
//
// For the tensor [[10,11,12,13, 18,19,20,21], [20,21,22,23, 28,29,30,31]], with axes (0, 1):
//   contiguity   [1, 4]  along axis 1 the values come in runs of 4 that grow by one
//   constancy    [1, 1]  no value repeats; a splat has its whole shape here
//   divisibility [1, 2]  2 divides the first value of every run (of length `contiguity`) along axis
//   1
// All are powers of two. For pointers divisibility is in bytes and runs are in elements. Together
// they say how wide a thread may access memory, and so which layout coalesces; lints and lowering
// use the same analysis.
//
// The information comes from argument attributes (tt.divisibility, tt.contiguity, tt.constancy);
// the same attributes on an op override the computed values.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/BuiltinOps.h>

#include <optional>

namespace gluond::passes {

struct AxisInfo {
  using Axes = llvm::SmallVector<int64_t, 4>;
  Axes contiguity, divisibility, constancy; // one entry per axis; empty while nothing is known
  std::optional<int64_t> constant;          // of every element

  AxisInfo() = default;
  AxisInfo(Axes contiguity, Axes divisibility, Axes constancy,
           std::optional<int64_t> constant = std::nullopt);
  // Returns the information for a tensor whose elements are all `value`.
  static AxisInfo splat(int64_t value, mlir::Type type);
  // Returns what holds for any value of this type, with the hints given for it.
  static AxisInfo pessimistic(mlir::Value value);
  // Returns what holds for a value that may be either.
  static AxisInfo join(const AxisInfo& a, const AxisInfo& b);

  unsigned rank() const { return contiguity.size(); }
  bool isConstant(int64_t value) const { return constant == value; }
  // Along an axis with runs of length 1, divisibility holds for every element.
  int64_t globalDivisibility() const;
  friend bool operator==(const AxisInfo&, const AxisInfo&) = default;
};

// AxisInfo of every value in a module. Functions are analysed callers first: what is known about
// the arguments of a call becomes attributes of the callee (in the IR, as in Triton), joined over
// its calls. Recursive calls are not supported.
class ModuleAxisInfo {
public:
  explicit ModuleAxisInfo(mlir::ModuleOp module);
  // Returns a pessimistic result for values that the analysis did not reach.
  AxisInfo at(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, AxisInfo> infos_;
};

} // namespace gluond::passes

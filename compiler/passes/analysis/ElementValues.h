// The values of integer, boolean and pointer tensors, element by element, for one program of a
// launch: where `a + i[:, None] * stride + j` really points.
//
// AxisInfo says what holds for every launch; this says what happens in one that is assumed: program
// 0 of its grid, the first iteration of every loop, base pointers at 0 and integer arguments with
// the values of `Assumptions`. The access view is drawn from it. What depends on memory (an index
// that was loaded) has no value here, unless one is assumed.
//
// Lazy and memoized: asking for an address evaluates what it depends on, once. One thread, as the
// IR.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/IR/BuiltinOps.h>

#include <memory>
#include <string>
#include <vector>

namespace gluond::passes {

// Row-major; of length 1 where all elements are the same (a scalar, a splat).
struct Elements {
  std::vector<int64_t> values;
  int64_t operator[](size_t i) const { return values.size() == 1 ? values.front() : values[i]; }
};

// One number that the IR does not know. Program ids are called "program_id(0)".
struct Assumption {
  std::string name;
  int64_t value = 0;
  bool isGiven = false; // by the caller, not a default
};

class ElementValues {
public:
  // Tensors of more elements have no values.
  static constexpr int64_t mostElements = int64_t{1} << 20; // of one value
  static constexpr int64_t mostOfAll = int64_t{1} << 25;

  // Names the arguments of the kernel's function by their number.
  using ArgumentName = std::function<std::string(unsigned)>;
  ElementValues(ArgumentName name, llvm::StringMap<int64_t> given)
      : name_(std::move(name)), given_(std::move(given)) {}

  // Integers that are loaded count up from 0 from now on, times an assumed number that is 1: the
  // rows of a gather have a picture then. Else they are not known.
  void assumeLoads() { assumesLoads_ = true; }

  // Null: it depends on something that is not known; unknown() then says what.
  std::shared_ptr<const Elements> of(mlir::Value value);
  const std::string& unknown() const { return unknown_; }
  // What was assumed on the way, in the order in which it was met.
  const std::vector<Assumption>& assumptions() const { return assumptions_; }

private:
  using Result = std::shared_ptr<const Elements>;
  Result compute(mlir::Value value);
  Result ofArgument(mlir::BlockArgument argument);
  Result ofOp(mlir::Operation* op, mlir::Value value);
  Result elementwise(mlir::Operation* op);
  Result loaded(mlir::Operation* op);
  Result assume(std::string name, int64_t standard);
  Result fail(std::string why);

  ArgumentName name_;
  llvm::StringMap<int64_t> given_;
  llvm::DenseMap<mlir::Value, Result> known_;
  std::vector<Assumption> assumptions_;
  std::string unknown_;
  unsigned depth_ = 0;
  int64_t elements_ = 0; // of all that is known
  bool assumesLoads_ = false;
};

} // namespace gluond::passes

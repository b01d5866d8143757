// The values of integer, boolean and pointer tensors, element by element, for one program of a
// launch: the real addresses of `a + i[:, None] * stride + j`.
//
// AxisInfo holds for every launch; these values hold in an assumed one: program 0 of its grid, the
// first iteration of every loop, base pointers at 0 and integer arguments with the values of
// `Assumptions`. The access view is drawn from it. Values that depend on memory (a loaded index)
// are not known, unless assumed.
//
// Lazy and memoized: a query evaluates what the value depends on, once. For one thread only, like
// the IR.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <mlir/IR/BuiltinOps.h>

#include <memory>
#include <string>
#include <vector>

namespace gluond::passes {

// Row-major; of length 1 if all elements are the same (a scalar, a splat).
struct Elements {
  std::vector<int64_t> values;
  int64_t operator[](size_t i) const { return values.size() == 1 ? values.front() : values[i]; }
};

// A number that the IR does not contain. Program ids are called "program_id(0)".
struct Assumption {
  std::string name;
  int64_t value = 0;
  bool isGiven = false; // given by the caller, not a default
};

class ElementValues {
public:
  // Larger tensors have no values.
  static constexpr int64_t mostElements = int64_t{1} << 20; // per value
  static constexpr int64_t mostOfAll = int64_t{1} << 25;

  // Names an argument of the kernel's function by its number.
  using ArgumentName = std::function<std::string(unsigned)>;
  ElementValues(ArgumentName name, llvm::StringMap<int64_t> given)
      : name_(std::move(name)), given_(std::move(given)) {}

  // From now on loaded integers count up from 0, times an assumed number that is 1, so that the
  // rows of a gather can be drawn. Otherwise they are not known.
  void assumeLoads() { assumesLoads_ = true; }

  // Returns null if it depends on something that is not known; unknown() then says what.
  std::shared_ptr<const Elements> of(mlir::Value value);
  const std::string& unknown() const { return unknown_; }
  // Returns the assumptions made so far, in the order in which they were needed.
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
  int64_t elements_ = 0; // of all known values
  bool assumesLoads_ = false;
};

} // namespace gluond::passes

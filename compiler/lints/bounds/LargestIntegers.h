// How large the integers of a kernel get, and which of them depend on the program's number.
#pragma once

#include "lints/bounds/LaunchSizes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::lints {

// The calls of a module's functions, found once for all questions about the module.
class CallsInModule {
public:
  explicit CallsInModule(mlir::ModuleOp module);
  // Returns the calls of a function.
  llvm::ArrayRef<mlir::CallOpInterface> of(mlir::FunctionOpInterface function) const;

private:
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::CallOpInterface, 2>> byCallee_;
};

// What is known of the integers of a module's functions, each computed once: values have many
// users, and all calls of a function share its arguments.
class LargestIntegers {
public:
  // With `sizes` the arguments and the last program of that launch are known.
  // With `caps`, these values are no larger than that.
  struct Cap {
    __int128 most = 0;
    bool isUsed = false; // a question met the value
  };
  using Caps = llvm::SmallMapVector<mlir::Value, Cap, 4>;
  // `calls` must outlive it.
  explicit LargestIntegers(const CallsInModule& calls, const LaunchSizes* sizes = nullptr,
                           Caps* caps = nullptr)
      : calls_(calls), sizes_(sizes), caps_(caps) {}

  // Returns whether a value depends on the program id.
  bool dependsOnProgram(mlir::Value value, unsigned depth = 0);

  // Returns the largest value of an integer, were it computed without overflow, for the last index
  // of every range and the last program of the launch, or program 1 where no launch is known;
  // nothing where it depends on anything else.
  std::optional<__int128> largest(mlir::Value value, unsigned depth = 0);

private:
  // Too deep, or after so many paths through shared values that the search may not end.
  bool isTooFar(unsigned depth, unsigned deepest) {
    constexpr unsigned mostVisits = 2048;
    if (depth == 0) left_ = mostVisits;
    if (depth > deepest || left_ == 0) return true;
    --left_;
    return false;
  }

  // Returns `otherwise` if it goes too deep; results derived from that are not cached, because a
  // query from a nearer place may have another result.
  template <typename Answer, typename Find>
  Answer remembered(llvm::DenseMap<mlir::Value, Answer>& known, mlir::Value value, bool isTooDeep,
                    Answer otherwise, Find find) {
    if (isTooDeep) {
      isCut_ = true;
      return otherwise;
    }
    if (auto it = known.find(value); it != known.end()) return it->second;
    bool wasCut = std::exchange(isCut_, false);
    Answer answer = find();
    if (!isCut_) known[value] = answer;
    isCut_ |= wasCut;
    return answer;
  }

  // Returns what the calls of a function pass for one of its arguments; none for a kernel's.
  llvm::SmallVector<mlir::Value, 2> passedFor(mlir::Value value) const;
  std::optional<__int128> findLargest(mlir::Value value, unsigned depth);
  std::optional<__int128> largestIndex(mlir::scf::ForOp loop, unsigned depth);

  const CallsInModule& calls_;
  const LaunchSizes* sizes_;
  Caps* caps_;
  bool isCut_ = false; // the answer in the making
  unsigned left_ = 0;  // visits of the question in the making
  llvm::DenseMap<mlir::Value, bool> depends_;
  llvm::DenseMap<mlir::Value, std::optional<__int128>> largest_;
};

// Returns the axes of the grid whose program ids a value depends on, as bits.
unsigned axesOf(mlir::Value value);

// Returns the value of a constant integer, or 0.
int64_t constantOf(mlir::Value value);

// Returns the number of a kernel's argument; nothing for other values.
std::optional<unsigned> kernelArgument(mlir::Value value);

} // namespace gluond::lints

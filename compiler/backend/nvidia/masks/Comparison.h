// What the passes on masks share: comparisons with the lower number first, and places behind
// values.
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace gluond::backend::nvidia {

// A signed comparison that holds where  low < high, or, if inclusive, low <= high.
struct Comparison {
  llvm::Value *low = nullptr, *high = nullptr;
  bool isInclusive = false;
};
// Returns nullopt for a comparison that is not signed.
std::optional<Comparison> signedComparison(const llvm::ICmpInst& comparison);

// Finds the first place where all of some values of a function are known.
class PlaceBehind {
public:
  PlaceBehind(llvm::Function& function, const llvm::DominatorTree& dominators)
      : function_(function), dominators_(dominators) {}

  void add(llvm::Value* value);
  llvm::BasicBlock::iterator place() const;

private:
  llvm::Function& function_;
  const llvm::DominatorTree& dominators_;
  llvm::Instruction* last_ = nullptr;
};

} // namespace gluond::backend::nvidia

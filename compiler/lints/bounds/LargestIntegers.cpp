#include "lints/bounds/LargestIntegers.h"

#include "ir/tt/Ops.h"
#include "passes/analysis/SameElements.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace gluond::lints {
using namespace mlir;

int64_t constantOf(Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? constant.getSExtValue() : 0;
}

unsigned axesOf(Value value) {
  llvm::SmallVector<Value, 16> queue = {value};
  llvm::SmallPtrSet<Value, 16> seen = {value};
  constexpr size_t most = 256;
  unsigned axes = 0;
  for (size_t i = 0; i < queue.size() && i < most; ++i) {
    Operation* op = queue[i].getDefiningOp();
    if (!op) continue;
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
      axes |= 1u << static_cast<unsigned>(id.getAxis());
    for (Value operand : op->getOperands())
      if (seen.insert(operand).second) queue.push_back(operand);
  }
  return axes;
}

std::optional<unsigned> kernelArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  if (!function || !function.isPublic() || !argument.getOwner()->isEntryBlock())
    return std::nullopt;
  return argument.getArgNumber();
}

CallsInModule::CallsInModule(ModuleOp module) {
  module.walk([&](CallOpInterface call) {
    if (auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee()))
      byCallee_[callee.getLeafReference()].push_back(call);
  });
}

llvm::ArrayRef<CallOpInterface> CallsInModule::of(FunctionOpInterface function) const {
  auto calls = byCallee_.find(function.getNameAttr());
  return calls == byCallee_.end() ? llvm::ArrayRef<CallOpInterface>()
                                  : llvm::ArrayRef<CallOpInterface>(calls->second);
}

bool LargestIntegers::dependsOnProgram(Value value, unsigned depth) {
  return remembered(depends_, value, isTooFar(depth, 16), false, [&] {
    auto depends = [&](Value operand) { return dependsOnProgram(operand, depth + 1); };
    Operation* op = value.getDefiningOp();
    return op ? isa<tt::GetProgramIdOp>(op) || llvm::any_of(op->getOperands(), depends)
              : llvm::any_of(passedFor(value), depends);
  });
}

std::optional<__int128> LargestIntegers::largest(Value value, unsigned depth) {
  auto found = remembered(largest_, value, isTooFar(depth, 32), std::optional<__int128>(),
                          [&] { return findLargest(value, depth); });
  if (!found || !caps_) return found;
  auto cap = caps_->find(value);
  if (cap == caps_->end()) return found;
  cap->second.isUsed = true;
  return std::min(*found, cap->second.most);
}

llvm::SmallVector<Value, 2> LargestIntegers::passedFor(Value value) const {
  llvm::SmallVector<Value, 2> passed;
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
                           : FunctionOpInterface();
  if (!function || !argument.getOwner()->isEntryBlock() || function.isPublic()) return passed;
  for (CallOpInterface call : calls_.of(function))
    passed.push_back(call.getArgOperands()[argument.getArgNumber()]);
  return passed;
}

// Returns the loop that counts with a value, or null if there is none.
static scf::ForOp loopOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getInductionVar() == value ? loop : scf::ForOp();
}

// The last index of a loop that counts up from a constant.
std::optional<__int128> LargestIntegers::largestIndex(scf::ForOp loop, unsigned depth) {
  Attribute lower;
  int64_t step = constantOf(loop.getStep());
  auto end = largest(loop.getUpperBound(), depth + 1);
  if (!matchPattern(loop.getLowerBound(), m_Constant(&lower)) || step <= 0 || !end)
    return std::nullopt;
  int64_t first = constantOf(loop.getLowerBound());
  return *end <= first ? first : first + (*end - 1 - first) / step * step;
}

std::optional<__int128> LargestIntegers::findLargest(Value value, unsigned depth) {
  Operation* op = value.getDefiningOp();
  if (!op) {
    std::optional<__int128> most;
    if (sizes_) {
      if (auto number = kernelArgument(value); number && *number < sizes_->arguments.size())
        return sizes_->arguments[*number].integer;
      if (auto loop = loopOf(value)) return largestIndex(loop, depth);
    }
    for (Value passed : passedFor(value)) {
      auto each = largest(passed, depth + 1);
      if (!each) return std::nullopt;
      most = most ? std::max(*most, *each) : *each;
    }
    return most;
  }
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto integer = dyn_cast<IntegerAttr>(constant)) return integer.getValue().getSExtValue();
    auto dense = dyn_cast<DenseIntElementsAttr>(constant);
    if (dense && dense.isSplat()) return dense.getSplatValue<APInt>().getSExtValue();
    return std::nullopt;
  }
  if (auto id = dyn_cast<tt::GetProgramIdOp>(op)) {
    if (!sizes_) return 1;
    if (!sizes_->grid) return std::nullopt;
    return (*sizes_->grid)[static_cast<size_t>(id.getAxis())] - 1;
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) return static_cast<int64_t>(range.getEnd()) - 1;
  auto of = [&](unsigned i) { return largest(op->getOperand(i), depth + 1); };
  if (passes::hasSameElements(op) || isa<arith::ExtSIOp, arith::ExtUIOp>(op)) return of(0);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) return std::nullopt;
  // What is subtracted is its own smallest value if it is a constant.
  if (isa<arith::SubIOp>(op) && !matchPattern(op->getOperand(1), m_Constant())) return std::nullopt;
  auto a = of(0), b = of(1);
  if (!a || !b) return std::nullopt;
  constexpr __int128 bound = __int128(1) << 62;
  if (*a > bound || *b > bound || *a < -bound || *b < -bound) return std::nullopt;
  if (isa<arith::AddIOp>(op)) return *a + *b;
  if (isa<arith::SubIOp>(op)) return *a - *b;
  // The largest product of negative numbers is not that of the largest numbers.
  return *a < 0 || *b < 0 ? std::nullopt : std::optional(*a * *b);
}

} // namespace gluond::lints

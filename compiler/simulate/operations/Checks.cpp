// What is looked at besides executing an op: 32-bit offsets that overflow, and promises to the
// compiler (gl.multiple_of and its like) that do not hold. And where the CTAs of a cluster meet
// although no barrier says so.
#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttg/Ops.h"
#include "passes/analysis/SameElements.h"
#include "simulate/operations/RegisterOrder.h"
#include "simulate/operations/StridedWalk.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::simulate {
using namespace mlir;

// Backwards from offsets, through sums, products and what only moves elements. What is taken
// modulo, masked or chosen may have wrapped on purpose.
llvm::DenseSet<Operation*> addressArithmetic(Region& region) {
  llvm::DenseSet<Operation*> marked;
  llvm::DenseSet<mlir::Value> seen;
  llvm::SmallVector<mlir::Value> left;
  region.walk([&](Operation* op) {
    if (auto add = dyn_cast<tt::AddPtrOp>(op)) left.push_back(add.getOffset());
    if (auto load = dyn_cast<amdg::BufferLoadOp>(op)) left.push_back(load.getOffsets());
    if (auto store = dyn_cast<amdg::BufferStoreOp>(op)) left.push_back(store.getOffsets());
  });
  while (!left.empty()) {
    mlir::Value value = left.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getArgNumber() == 0) continue;
      unsigned i = argument.getArgNumber() - 1;
      left.push_back(loop.getInits()[i]);
      left.push_back(loop.getBody()->getTerminator()->getOperand(i));
      continue;
    }
    Operation* op = value.getDefiningOp();
    if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
      if (getElementTypeOrSelf(value).isInteger(32)) marked.insert(op);
      left.append(op->operand_begin(), op->operand_end());
    } else if (passes::hasSameElements(op) || isa<arith::ExtSIOp, tt::ReshapeOp, tt::TransOp>(op)) {
      left.push_back(op->getOperand(0));
    }
  }
  return marked;
}

namespace {

template <class Wide> bool overflows(Execution& x, llvm::StringRef name, Wide wide) {
  auto* a = reinterpret_cast<const int32_t*>(x.data(0));
  auto* b = reinterpret_cast<const int32_t*>(x.data(1));
  size_t count = x.count(0);
  int64_t lost = 0;
  for (size_t i = 0; i < count; ++i) {
    int64_t exact = wide(int64_t(a[i]), int64_t(b[i]));
    lost |= exact ^ static_cast<int32_t>(exact);
  }
  if (!lost) return false;
  for (size_t i = 0; i < count; ++i) {
    int64_t exact = wide(int64_t(a[i]), int64_t(b[i]));
    if (exact == static_cast<int32_t>(exact)) continue;
    x.warn(Id::SimulatedOverflow, name.str(), 32, int64_t(a[i]), int64_t(b[i]),
           int64_t(static_cast<int32_t>(exact)), i);
    break;
  }
  return true;
}

// The promises of an op about its result, by dimension.
struct Promises {
  Shape divisibility, contiguity, constancy;
};

Shape numbersOf(Operation* op, llvm::StringRef name) {
  Shape numbers;
  if (auto elements = op->getAttrOfType<DenseIntElementsAttr>(name))
    for (const APInt& each : elements.getValues<APInt>())
      numbers.push_back(each.getSExtValue());
  return numbers;
}

void checkPromises(Execution& x, const Promises& promises) {
  const simulate::Value& value = x.thread.frames.back().registers[x.resultRegister(0)];
  const auto* tensor = std::get_if<TensorRef>(&value);
  const auto* scalar = std::get_if<Scalar>(&value);
  if (!tensor && !scalar) return;
  Element element = tensor ? (*tensor)->element() : scalar->element;
  if (isFloat(element)) return;
  const std::byte* data =
      tensor ? (*tensor)->data() : reinterpret_cast<const std::byte*>(&scalar->bits);
  auto at = [&](size_t i) { return integerAt(element, data + i * bytesOf(element)); };
  auto tell = [&](const char* what, int64_t number, size_t i) {
    x.warn(Id::SimulatedPromise, std::string(what) + "(" + std::to_string(number) + ")",
           "the value is " + std::to_string(at(i)), i);
  };
  if (!promises.divisibility.empty())
    if (int64_t number = promises.divisibility.front(); number > 1 && at(0) % number)
      tell("gl.multiple_of", number, 0);
  if (!tensor) return;
  Shape strides = rowMajor((*tensor)->shape());
  auto groups = [&](const Shape& numbers, const char* what, int64_t step) {
    for (size_t d = 0; d < std::min(numbers.size(), strides.size()); ++d)
      for (size_t i = 0; i < (*tensor)->count(); ++i) {
        int64_t index = static_cast<int64_t>(i) / strides[d] % (*tensor)->shape()[d];
        if (index % std::max<int64_t>(numbers[d], 1) == 0) continue;
        if (at(i) - at(i - static_cast<size_t>(strides[d])) == step) continue;
        tell(what, numbers[d], i);
        return;
      }
  };
  groups(promises.contiguity, "gl.max_contiguous", 1);
  groups(promises.constancy, "gl.max_constancy", 0);
}

// Whether the CTAs of a cluster exchange elements for this op.
bool movesBetweenCtas(Operation* op) {
  if (!isa<ttg::ConvertLayoutOp, tt::ReduceOp, tt::ScanOp, tt::GatherOp, tt::HistogramOp>(op) ||
      ttg::lookupNumCTAs(op) <= 1)
    return false;
  auto homes = [](mlir::Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type ? homesOf(type) : Homes();
  };
  Homes from = homes(op->getOperand(0)), to = homes(op->getResult(0));
  return from.copies != to.copies || (isa<ttg::ConvertLayoutOp>(op) && from.first != to.first);
}

} // namespace

Action withChecks(Operation* op, Action action, bool isForAddress) {
  if (movesBetweenCtas(op))
    action = [action = std::move(action)](Execution& x) {
      Step step = action(x);
      x.machine.meet(x.thread);
      return step;
    };
  if (isForAddress) {
    auto check = [op](Execution& x) {
      if (isa<arith::MulIOp>(op))
        overflows(x, "product", [](int64_t a, int64_t b) { return a * b; });
      else if (isa<arith::AddIOp>(op))
        overflows(x, "sum", [](int64_t a, int64_t b) { return a + b; });
      else
        overflows(x, "difference", [](int64_t a, int64_t b) { return a - b; });
    };
    action = [check, action = std::move(action)](Execution& x) {
      if (x.checksRaces()) check(x);
      return action(x);
    };
  }
  Promises promises{numbersOf(op, "tt.divisibility"), numbersOf(op, "tt.contiguity"),
                    numbersOf(op, "tt.constancy")};
  if (promises.divisibility.empty() && promises.contiguity.empty() && promises.constancy.empty())
    return action;
  return [promises, action = std::move(action)](Execution& x) {
    Step step = action(x);
    if (step == Step::Next && x.instruction.results == 1 && x.checksRaces())
      checkPromises(x, promises);
    return step;
  };
}

} // namespace gluond::simulate

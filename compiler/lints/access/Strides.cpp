#include "lints/access/Strides.h"

#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Matchers.h>

#include <cstdlib>
#include <limits>

namespace gluond::lints {
using namespace mlir;

namespace {

constexpr unsigned deepest = 64;
using Result = std::optional<Strides>;

Stride sum(Stride a, Stride b) {
  int64_t known;
  if (a.isKnown && b.isKnown && !__builtin_add_overflow(a.known, b.known, &known))
    return {true, known};
  return {false, 0, a.isData || b.isData};
}

std::optional<int64_t> splatConstant(Value value) {
  if (auto splat = value.getDefiningOp<tt::SplatOp>()) value = splat.getSrc();
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute))) return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) return integer.getValue().getSExtValue();
  auto dense = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!dense || !dense.isSplat()) return std::nullopt;
  return dense.getSplatValue<APInt>().getSExtValue();
}

bool isUniform(const Strides& strides) {
  return llvm::all_of(strides, [](Stride s) { return s.isKnown && s.known == 0; });
}

// Caches the strides of operands. `x = x + x` sixty times has few values and many paths.
using Known = llvm::SmallDenseMap<Value, Result, 16>;

Result computeStrides(Value value, Known& known, unsigned depth);

Result strides(Value value, Known& known, unsigned depth) {
  if (!isa<RankedTensorType>(value.getType())) return Strides{};
  if (depth > deepest) return std::nullopt;
  if (auto it = known.find(value); it != known.end()) return it->second;
  Result result = computeStrides(value, known, depth);
  known.try_emplace(value, result);
  return result;
}

Result computeStrides(Value value, Known& known, unsigned depth) {
  auto type = cast<RankedTensorType>(value.getType());
  unsigned rank = static_cast<unsigned>(type.getRank());
  auto of = [&](Value operand) { return strides(operand, known, depth + 1); };
  if (splatConstant(value)) return Strides(rank);
  Operation* op = value.getDefiningOp();
  if (!op) {
    // Carried by a loop: it starts with these strides, and advances by the same amount for all
    // elements.
    auto argument = cast<BlockArgument>(value);
    if (auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp()))
      if (argument != loop.getInductionVar()) return of(loop.getTiedLoopInit(argument)->get());
    return std::nullopt;
  }
  return llvm::TypeSwitch<Operation*, Result>(op)
      .Case<tt::MakeRangeOp>([&](auto) { return Strides{{true, 1}}; })
      .Case<tt::SplatOp>([&](auto) { return Strides(rank); })
      .Case<tt::ExpandDimsOp>([&](auto expand) -> Result {
        Result source = of(expand.getSrc());
        if (source) source->insert(source->begin() + expand.getAxis(), Stride{});
        return source;
      })
      .Case<tt::BroadcastOp>([&](auto broadcast) -> Result {
        Result source = of(broadcast.getSrc());
        auto from = cast<RankedTensorType>(broadcast.getSrc().getType());
        if (source)
          for (unsigned i = 0; i < rank; ++i)
            if (from.getDimSize(i) != type.getDimSize(i)) (*source)[i] = {};
        return source;
      })
      .Case<tt::TransOp>([&](auto trans) -> Result {
        Result source = of(trans.getSrc());
        if (!source) return source;
        Strides result;
        for (int32_t i : trans.getOrder())
          result.push_back((*source)[static_cast<size_t>(i)]);
        return result;
      })
      .Case<ttg::ConvertLayoutOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](auto) { return of(op->getOperand(0)); })
      .Case<arith::AddIOp, tt::AddPtrOp>([&](auto) -> Result {
        Result a = of(op->getOperand(0)), b = of(op->getOperand(1));
        if (!a || !b) return std::nullopt;
        for (auto [into, more] : llvm::zip(*a, *b))
          into = sum(into, more);
        return a;
      })
      .Case<arith::SubIOp>([&](auto) -> Result {
        Result a = of(op->getOperand(0)), b = of(op->getOperand(1));
        if (!a || !b || !isUniform(*b)) return std::nullopt;
        return a;
      })
      .Case<arith::MulIOp, arith::ShLIOp>([&](auto) -> Result {
        Value left = op->getOperand(0), right = op->getOperand(1);
        Result a = of(left), b = of(right);
        if (!a || !b) return std::nullopt;
        if (isUniform(*a) && isa<arith::MulIOp>(op)) {
          std::swap(a, b);
          std::swap(left, right);
        }
        if (!isUniform(*b)) return std::nullopt;
        auto factor = splatConstant(right);
        if (factor && isa<arith::ShLIOp>(op))
          factor =
              *factor >= 0 && *factor < 31 ? std::optional(int64_t(1) << *factor) : std::nullopt;
        for (Stride& stride : *a) {
          if (stride.isKnown && stride.known == 0) continue;
          int64_t product;
          if (stride.isKnown && factor && !__builtin_mul_overflow(stride.known, *factor, &product))
            stride.known = product;
          else
            stride = {false, 0, stride.isData};
        }
        return a;
      })
      // Wrapping around at the end of a tensor does not change the positions of most elements.
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) -> Result {
        Result a = of(op->getOperand(0)), b = of(op->getOperand(1));
        if (!a || !b || !isUniform(*b)) return std::nullopt;
        if (auto modulus = splatConstant(op->getOperand(1)); modulus && *modulus < 32)
          return std::nullopt;
        return a;
      })
      // Clamped to bounds: most elements keep their places.
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>([&](auto) -> Result {
        Result a = of(op->getOperand(0)), b = of(op->getOperand(1));
        if (!a || !b) return std::nullopt;
        if (isUniform(*a)) std::swap(a, b);
        if (!isUniform(*b)) return std::nullopt;
        return a;
      })
      // Indices from memory: rows of a table may be anywhere, but offsets added to them are known.
      .Case<tt::LoadOp, amdg::BufferLoadOp, ttg::LocalLoadOp>([&](auto load) -> Result {
        if (!type.getElementType().isInteger()) return std::nullopt;
        Strides result;
        for (int64_t size : type.getShape())
          result.push_back(size == 1 ? Stride{} : Stride{false, 0, true});
        return result;
      })
      .Default([&](Operation*) -> Result {
        // Any other op on uniform operands is uniform.
        if (op->getNumOperands() == 0 || op->getNumRegions() ||
            !op->hasTrait<OpTrait::Elementwise>())
          return std::nullopt;
        for (Value operand : op->getOperands()) {
          Result each = of(operand);
          if (!each || !isUniform(*each)) return std::nullopt;
        }
        return Strides(rank);
      });
}

} // namespace

std::optional<Strides> stridesOf(Value value) {
  Known known;
  return strides(value, known, 0);
}

int64_t distance(const Stride& stride) {
  if (!stride.isKnown) return largeStride;
  constexpr int64_t farthest = std::numeric_limits<int64_t>::max();
  if (stride.known == 0 || stride.known < -farthest) return farthest;
  return std::abs(stride.known);
}

} // namespace gluond::lints

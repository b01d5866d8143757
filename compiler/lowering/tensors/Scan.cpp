// tt.scan: for each bit of the coordinate along the axis, lowest first, the upper half of every
// block takes what the lower half comes to. Which register, lane or warp has that follows from who
// owns the lower bits.
#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

namespace {

struct AxisBit {
  Dim owner;
  unsigned bit;
};

// Who owns each bit of the axis; nothing where one is shared with other bits.
std::optional<llvm::SmallVector<AxisBit>> axisBits(const LinearLayout& layout, Dim axis) {
  llvm::SmallVector<AxisBit> bits;
  for (unsigned j = 0; j < layout.outBits(axis); ++j) {
    uint64_t column = uint64_t(1) << (layout.outShift(axis) + j);
    std::optional<AxisBit> owner;
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
      for (auto [i, basis] : llvm::enumerate(layout.columns(dim)))
        if (basis == column) owner = AxisBit{dim, static_cast<unsigned>(i)};
    if (!owner) return std::nullopt;
    bits.push_back(*owner);
  }
  return bits;
}

struct Masks {
  unsigned registers = 0, lanes = 0, warps = 0;
  void add(AxisBit bit) {
    (bit.owner == Dim::Register ? registers
     : bit.owner == Dim::Lane   ? lanes
                                : warps) |= 1u << bit.bit;
  }
};

LinearLayout sourceLayout(mlir::Operation* op) {
  return ir::toLinearLayout(mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType()))
      .removeZeroBases(Dim::Register);
}

bool scan(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::ScanOp>(operation);
  const LinearLayout layout = sourceLayout(op);
  auto bits = axisBits(layout, layout::tensorDim(op.getAxis()));
  if (!bits) return e.fail(op, "gluond cannot compile a scan in a layout of this kind");
  bool reverse = op.getReverse();
  llvm::SmallVector<RegisterList> values;
  for (mlir::Value source : op.getSrcs())
    values.emplace_back(e.get(source));
  unsigned count = static_cast<unsigned>(values.front().size());
  unsigned threads = e.group().warps * e.state().threadsPerWarp;
  Masks lower;
  bool published = false;
  for (AxisBit level : *bits) {
    Masks through = lower; // the bits that tell the partner from the element
    through.add(level);
    // The partner has the level's bit as the lower half has it and the lower bits at their end.
    auto partnerOf = [&](unsigned number) {
      unsigned own = level.owner == Dim::Register ? 1u << level.bit : 0;
      return reverse ? (number & ~lower.registers) | own : (number | lower.registers) & ~own;
    };
    auto place = [&](llvm::Value* here, unsigned low, bool owns) -> llvm::Value* {
      unsigned own = owns ? 1u << level.bit : 0;
      llvm::Value* at = reverse ? e.b.CreateAnd(here, e.i32(~low)) : e.b.CreateOr(here, e.i32(low));
      if (!own) return at;
      return reverse ? e.b.CreateOr(at, e.i32(own)) : e.b.CreateAnd(at, e.i32(~own));
    };
    llvm::SmallVector<unsigned> takers, partners;
    for (unsigned number = 0; number < count; ++number) {
      if (level.owner == Dim::Register && ((number >> level.bit & 1) == (reverse ? 1u : 0u)))
        continue;
      takers.push_back(number);
      if (!llvm::is_contained(partners, partnerOf(number))) partners.push_back(partnerOf(number));
    }
    llvm::Value* lane = place(e.lane(), lower.lanes, level.owner == Dim::Lane);
    llvm::Value* warp = place(e.ownWarp(), lower.warps, level.owner == Dim::Warp);
    llvm::SmallVector<llvm::SmallVector<llvm::Value*, 2>> given(partners.size());
    if (through.warps) {
      if (published) e.barrier();
      published = true;
      int64_t base = e.memory().of(op)->offset;
      llvm::Value* mine = e.thread();
      llvm::Value* theirs =
          e.b.CreateAdd(e.b.CreateMul(warp, e.i32(e.state().threadsPerWarp)), lane);
      llvm::SmallVector<int64_t> starts;
      for (auto [k, source] : llvm::enumerate(op.getSrcs())) {
        llvm::Type* type = e.memoryType(source.getType());
        starts.push_back(base);
        for (auto [i, partner] : llvm::enumerate(partners)) {
          llvm::Value* slot = e.b.CreateAdd(mine, e.i32(static_cast<int64_t>(i) * threads));
          llvm::Value* value = values[k][partner];
          if (value->getType()->isIntegerTy(1)) value = e.b.CreateZExt(value, type);
          e.b.CreateStore(value, e.b.CreateGEP(type, e.sharedAddress(base), slot));
        }
        base += static_cast<int64_t>(llvm::alignTo(
            static_cast<int64_t>(partners.size()) * threads * elementBytes(source.getType()), 16));
      }
      e.barrier();
      for (auto [i, partner] : llvm::enumerate(partners))
        for (auto [k, source] : llvm::enumerate(op.getSrcs())) {
          llvm::Type* type = e.memoryType(source.getType());
          llvm::Value* slot = e.b.CreateAdd(theirs, e.i32(static_cast<int64_t>(i) * threads));
          llvm::Value* value =
              e.b.CreateLoad(type, e.b.CreateGEP(type, e.sharedAddress(starts[k]), slot));
          given[i].push_back(
              e.b.CreateTrunc(value, e.b.getInt1Ty()->isIntegerTy(1) &&
                                             e.elementType(source.getType())->isIntegerTy(1)
                                         ? e.b.getInt1Ty()
                                         : value->getType()));
        }
    } else {
      for (auto [i, partner] : llvm::enumerate(partners))
        for (const RegisterList& registers : values)
          given[i].push_back(through.lanes ? shuffle(e, registers[partner], lane)
                                           : registers[partner]);
    }
    llvm::Value* takes = nullptr;
    if (level.owner != Dim::Register) {
      llvm::Value* here = e.b.CreateAnd(level.owner == Dim::Lane ? e.lane() : e.ownWarp(),
                                        e.i32(int64_t(1) << level.bit));
      takes = reverse ? e.b.CreateICmpEQ(here, e.i32(0)) : e.b.CreateICmpNE(here, e.i32(0));
    }
    llvm::SmallVector<RegisterList> next = values;
    for (unsigned number : takers) {
      size_t which =
          static_cast<size_t>(llvm::find(partners, partnerOf(number)) - partners.begin());
      llvm::SmallVector<llvm::Value*, 2> own, sum;
      for (const RegisterList& registers : values)
        own.push_back(registers[number]);
      if (!combine(e, op.getCombineOp().front(), given[which], own, sum)) return false;
      for (auto [k, value] : llvm::enumerate(sum))
        next[k][number] = takes ? e.b.CreateSelect(takes, value, own[k]) : value;
    }
    values = std::move(next);
    lower.add(level);
  }
  for (auto [result, registers] : llvm::zip(op.getResult(), values))
    e.set(result, registers);
  return true;
}

} // namespace

static int64_t scanScratchBytes(mlir::Operation* op) {
  LinearLayout layout = sourceLayout(op);
  auto bits = axisBits(layout, layout::tensorDim(mlir::cast<tt::ScanOp>(op).getAxis()));
  if (!bits || llvm::none_of(*bits, [](AxisBit bit) { return bit.owner == Dim::Warp; })) return 0;
  int64_t slots =
              layout.inSize(Dim::Register) * layout.inSize(Dim::Lane) * layout.inSize(Dim::Warp),
          bytes = 0;
  for (mlir::Value source : op->getOperands())
    bytes += static_cast<int64_t>(llvm::alignTo(slots * elementBytes(source.getType()), 16));
  return bytes;
}

llvm::ArrayRef<OpRow> scanOps() {
  static constexpr OpRow rows[] = {
      {"tt.scan", scan, scanScratchBytes},
      {"tt.scan.return", makesNoCode},
  };
  return rows;
}

} // namespace gluond::lowering

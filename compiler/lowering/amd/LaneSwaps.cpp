// Conversions of layouts by instructions of CDNA 4 that swap lanes between two registers; shuffles
// go through the LDS.
#include "chips/Chip.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "layout/exchange/ConversionPlan.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

constexpr uint64_t row = 16; // lanes that one of them swaps, as a bit of the lane's number

std::optional<layout::LaneSwaps> swapsOf(mlir::Operation* op) {
  uint64_t swappable = layout::swappableLanes(chips::findChip(ttg::targetOf(op)));
  if (!swappable) return std::nullopt;
  auto source = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType()),
       target = mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  LinearLayout from = ir::toLinearLayout(source).removeZeroBases(Dim::Register),
               to = ir::toLinearLayout(target).removeZeroBases(Dim::Register);
  auto plan =
      layout::laneSwaps(from, to, std::max(8u, tt::bitWidth(source.getElementType())), swappable);
  return plan && plan->swaps.empty() ? std::nullopt : plan; // registers get other names
}

// The registers whose numbers have none of these bits set.
llvm::SmallVector<uint64_t> withoutBits(uint64_t count, uint64_t bits) {
  llvm::SmallVector<uint64_t> numbers;
  for (uint64_t number = 0; number < count; ++number)
    if (!(number & bits)) numbers.push_back(number);
  return numbers;
}

uint64_t bitsOfAll(llvm::ArrayRef<uint64_t> bits) {
  uint64_t all = 0;
  for (uint64_t bit : bits)
    all |= bit;
  return all;
}

bool convert(FunctionEmitter& e, mlir::Operation* op) {
  std::optional<layout::LaneSwaps> plan = swapsOf(op);
  if (!plan) return lowerAsShared(e, op);
  Registers registers = e.get(op->getOperand(0));
  uint64_t inWord = bitsOfAll(plan->sourceWordBits), perWord = uint64_t(1)
                                                               << plan->sourceWordBits.size();
  llvm::DenseMap<uint64_t, llvm::Value*> words; // by the number of the first element
  llvm::SmallVector<uint64_t> firsts = withoutBits(registers.size(), inWord);
  for (uint64_t first : firsts) {
    RegisterList together;
    for (uint64_t i = 0; i < perWord; ++i)
      together.push_back(registers[first | layout::f2::multiply(plan->sourceWordBits, i)]);
    words[first] = e.b.CreateBitCast(pack(e, together).front(), e.b.getInt32Ty());
  }
  for (const layout::LaneSwaps::Swap& swap : plan->swaps)
    for (uint64_t first : firsts) {
      if (first & swap.registers) continue;
      llvm::Value *&low = words[first], *&high = words[first | swap.registers];
      llvm::Value* both = e.intrinsic(swap.lanes == row ? llvm::Intrinsic::amdgcn_permlane16_swap
                                                        : llvm::Intrinsic::amdgcn_permlane32_swap,
                                      {}, {low, high, e.i1(false), e.i1(false)});
      low = e.b.CreateExtractValue(both, 0);
      high = e.b.CreateExtractValue(both, 1);
    }
  RegisterList results(registers.size());
  for (uint64_t first : withoutBits(registers.size(), bitsOfAll(plan->resultWordBits))) {
    llvm::Value* word = words[layout::f2::multiply(plan->takes, first)];
    RegisterList elements = unpack(e, {word}, e.elementType(op->getResult(0).getType()),
                                   static_cast<unsigned>(perWord));
    for (auto [i, element] : llvm::enumerate(elements))
      results[first | layout::f2::multiply(plan->resultWordBits, i)] = element;
  }
  e.set(op->getResult(0), results);
  return true;
}

int64_t scratchBytes(mlir::Operation* op) {
  return swapsOf(op) ? 0 : scratchBytesAsShared(op);
}

} // namespace

llvm::ArrayRef<OpRow> laneSwapOps() {
  static constexpr OpRow rows[] = {{"ttg.convert_layout", convert, scratchBytes}};
  return rows;
}

} // namespace gluond::lowering::amd

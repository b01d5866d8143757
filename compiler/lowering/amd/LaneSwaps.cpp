// Conversions of layouts without the LDS: by instructions of CDNA 4 that swap lanes between two
// registers, and by those of RDNA that exchange the two rows of a warp, where both rows then have
// the elements of both: products of RDNA 3 want their operands so.
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

// Narrow elements of two rows that alternate in the words of the result: a lane's own word, that of
// the same lane in the other row, and of the bytes of both two words of the result.
struct Alternation {
  layout::WarpExchange exchange;
  uint64_t registers; // a bit of the result's registers: which row an element comes from
};

std::optional<Alternation> alternationOf(mlir::Operation* op) {
  auto source = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType()),
       target = mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  layout::ConversionSetting setting;
  setting.model = layout::banksOf(ttg::targetOf(op));
  setting.maySwap = false;
  auto asked = mlir::dyn_cast<ttg::ConvertLayoutOp>(op);
  setting.mustShuffle = asked && asked.getForceWarpShuffle();
  if (!(layout::exchangedLanes(setting.model.chip) & row)) return std::nullopt;
  auto plan = layout::planConversion(ir::toLinearLayout(source), ir::toLinearLayout(target),
                                     tt::bitWidth(source.getElementType()), setting);
  if (!plan || !plan->shuffles) return std::nullopt;
  const layout::WarpExchange& exchange = *plan->shuffles;
  constexpr unsigned wordBits = 32;
  bool isWhole = tt::bitWidth(source.getElementType()) << exchange.packed.size() == wordBits;
  if (exchange.packed.empty() || !isWhole || !exchange.isOwnLane || !exchange.before.empty() ||
      exchange.after.size() != 1 || exchange.after[0].lanes != row)
    return std::nullopt;
  Alternation found{exchange, exchange.after[0].registers};
  if (!llvm::has_single_bit(found.registers)) return std::nullopt;
  for (auto [i, lanes] : llvm::enumerate(exchange.fromLanes))
    if (lanes != (found.registers >> i & 1 ? row : 0)) return std::nullopt;
  return found;
}

void alternate(FunctionEmitter& e, mlir::Operation* op, const Alternation& found) {
  const layout::WarpExchange& exchange = found.exchange;
  Registers registers = e.get(op->getOperand(0));
  constexpr unsigned bytesOfWord = 4;
  const auto perWord = static_cast<unsigned>(uint64_t(1) << exchange.packed.size());
  const unsigned bytes = bytesOfWord / perWord;
  // For a word of the result, the bytes of this row's word (0 to 3) and of the other's (4 to 7),
  // first an element of the lower row.
  auto selectorOf = [&](unsigned half, bool isUpper) {
    int64_t selector = 0;
    for (unsigned i = 0; i < bytesOfWord; ++i) {
      unsigned element = i / bytes, at = (half * perWord / 2 + element / 2) * bytes + i % bytes;
      bool isOther = (element % 2 != 0) != isUpper;
      selector |= int64_t(at + (isOther ? bytesOfWord : 0)) << 8 * i;
    }
    return e.i32(selector);
  };
  llvm::Value* isUpper = e.b.CreateICmpNE(e.b.CreateAnd(e.lane(), e.i32(int64_t(row))), e.i32(0));
  llvm::Value* selectors[2];
  for (unsigned half : {0u, 1u})
    selectors[half] = e.b.CreateSelect(isUpper, selectorOf(half, true), selectorOf(half, false));
  RegisterList results(uint64_t(1) << exchange.resultRegisterBits);
  for (uint64_t r = 0; r < results.size(); ++r) {
    if (exchange.resultWord(r) != r || r & found.registers) continue;
    uint64_t taken = layout::f2::multiply(exchange.takes, r);
    RegisterList together;
    for (uint64_t i = 0; i < perWord; ++i)
      together.push_back(registers[taken ^ layout::f2::multiply(exchange.packedFrom, i)]);
    llvm::Value* own = e.b.CreateBitCast(pack(e, together).front(), e.b.getInt32Ty());
    llvm::Value* other = e.target().shuffleXor(e, own, row);
    RegisterList elements; // of the lower and of the upper row in turn
    for (llvm::Value* selector : selectors) {
      llvm::Value* word = e.intrinsic(llvm::Intrinsic::amdgcn_perm, {}, {other, own, selector});
      llvm::append_range(elements,
                         unpack(e, {word}, e.elementType(op->getResult(0).getType()), perWord));
    }
    for (uint64_t i = 0; i < perWord; ++i)
      for (uint64_t isOther : {0, 1})
        results[r ^ layout::f2::multiply(exchange.packed, i) ^ (isOther ? found.registers : 0)] =
            elements[2 * i + isOther];
  }
  e.set(op->getResult(0), results);
}

bool convert(FunctionEmitter& e, mlir::Operation* op) {
  if (std::optional<Alternation> found = alternationOf(op)) {
    alternate(e, op, *found);
    return true;
  }
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
  return swapsOf(op) || alternationOf(op) ? 0 : scratchBytesAsShared(op);
}

} // namespace

llvm::ArrayRef<OpRow> laneSwapOps() {
  static constexpr OpRow rows[] = {{"ttg.convert_layout", convert, scratchBytes}};
  return rows;
}

} // namespace gluond::lowering::amd

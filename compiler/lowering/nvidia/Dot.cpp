// tt.dot: mma.sync by one warp, or multiplications and additions by each thread.
//
// Which registers belong together follows from their coordinates in thread 0. Along K any order
// will do that both operands have: registers are taken as they come, a word's worth at a time, two
// words for the two halves of the instruction's K.
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/OperandTypes.h"
#include "lowering/tensors/FmaDot.h"

namespace gluond::lowering::nvidia {

namespace {

// One product of matrices: `sums` are the accumulator's registers, all batches'.
bool matrixDot(FunctionEmitter& e, tt::DotOp op, const Places& a, const Places& b, const Places& c,
               RegisterList& sums) {
  mlir::Type element = mlir::getElementTypeOrSelf(op.getA().getType());
  llvm::StringRef name = operandTypeName(element, true),
                  bName = operandTypeName(mlir::getElementTypeOrSelf(op.getB().getType()), true);
  unsigned bits = e.memoryBits(element);
  mlir::Type accumulator = mlir::getElementTypeOrSelf(op.getType());
  bool half = accumulator.isF16(), integer = accumulator.isInteger(32);
  llvm::SmallVector<int32_t> rows = distinct(a, true), aKs = distinct(a, false),
                             bKs = distinct(b, true), columns = distinct(b, false);
  size_t perWord = 32 / bits;
  if (aKs != bKs || aKs.size() % (2 * perWord) || rows.size() % 2)
    return e.fail(op, "the operands' layouts do not fit mma.sync");
  // Words of an operand: `fixed` is the row of a or the column of b.
  auto words = [&](const Places& places, Registers registers, bool isA, int32_t fixed,
                   size_t chunk) -> llvm::Value* {
    RegisterList elements;
    for (unsigned i = 0; i < perWord; ++i) {
      int32_t k = aKs[chunk * perWord + i];
      auto at = places.find(isA ? std::pair(fixed, k) : std::pair(k, fixed));
      if (at == places.end()) return nullptr;
      elements.push_back(registers[at->second]);
    }
    return e.b.CreateBitCast(pack(e, elements).front(), e.b.getInt32Ty());
  };
  // Sums of products of 8-bit floats in fp16 are younger than the chips that have them.
  if (half && bits == 8)
    e.b.GetInsertBlock()->getModule()->setModuleFlag(llvm::Module::Max, "ptx", 87);
  std::string shape = "m16n8k" + std::to_string(8 * perWord);
  llvm::StringRef out = integer ? "s32" : half ? "f16" : "f32";
  std::string instruction = "mma.sync.aligned." + shape + ".row.col." + out.str() + "." +
                            name.str() + "." + bName.str() + "." + out.str();
  unsigned outWords = half ? 2 : 4;
  llvm::Type* word =
      integer || half ? static_cast<llvm::Type*>(e.b.getInt32Ty()) : e.b.getFloatTy();
  char letter = integer || half ? 'r' : 'f';
  std::string text = instruction + " " + bracedOperands(0, outWords) + ", " +
                     bracedOperands(2 * outWords, 4) + ", " + bracedOperands(2 * outWords + 4, 2) +
                     ", " + bracedOperands(0, outWords) + ";";
  std::string constraints;
  for (unsigned i = 0; i < outWords; ++i)
    constraints += std::string(i ? ",=" : "=") + letter;
  for (unsigned i = 0; i < outWords; ++i)
    constraints += "," + std::to_string(i);
  constraints += ",r,r,r,r,r,r";
  llvm::Type* whole =
      llvm::StructType::get(e.b.getContext(), llvm::SmallVector<llvm::Type*>(outWords, word));

  Registers aRegisters = e.get(op.getA()), bRegisters = e.get(op.getB());
  size_t chunks = aKs.size() / perWord;
  // The 16 by 8 elements of an instruction: their registers of the accumulator, and their sum.
  struct Tile {
    size_t row; // the first of two in `rows`
    int32_t column;
    std::array<unsigned, 4> own;
    RegisterList sum;
  };
  std::vector<Tile> tiles;
  for (size_t i = 0; i < rows.size(); i += 2)
    for (int32_t column : columns) {
      Tile& tile = tiles.emplace_back(Tile{i, column, {}, {}});
      std::pair<int32_t, int32_t> at[] = {{rows[i], column},
                                          {rows[i], column + 1},
                                          {rows[i + 1], column},
                                          {rows[i + 1], column + 1}};
      for (unsigned q = 0; q < 4; ++q) {
        auto found = c.find(at[q]);
        if (found == c.end()) return e.fail(op, "the accumulator's layout does not fit mma.sync");
        tile.own[q] = found->second;
        tile.sum.push_back(sums[found->second]);
      }
      if (half) tile.sum = pack(e, tile.sum);
    }
  // K is the outer loop: neighbouring instructions do not wait for each other's sums.
  for (size_t chunk = 0; chunk < chunks; chunk += 2)
    for (Tile& tile : tiles) {
      RegisterList operands = tile.sum;
      for (size_t half2 = 0; half2 < 2; ++half2)
        for (size_t row = 0; row < 2; ++row)
          operands.push_back(words(a, aRegisters, true, rows[tile.row + row], chunk + half2));
      for (size_t half2 = 0; half2 < 2; ++half2)
        operands.push_back(words(b, bRegisters, false, tile.column, chunk + half2));
      if (llvm::is_contained(operands, nullptr))
        return e.fail(op, "the operands' layouts do not fit mma.sync");
      llvm::Value* value = e.assembly(whole, text, constraints, operands, false);
      for (unsigned q = 0; q < outWords; ++q)
        tile.sum[q] = e.b.CreateExtractValue(value, q);
    }
  for (Tile& tile : tiles) {
    RegisterList done = half ? unpack(e, tile.sum, e.b.getHalfTy(), 4) : tile.sum;
    for (unsigned q = 0; q < 4; ++q)
      sums[tile.own[q]] = done[q];
  }
  return true;
}

// One product of matrices of doubles, in instructions of 8 by 8 elements and 4 along K: a register
// of each operand, two of the accumulator.
bool doublesDot(FunctionEmitter& e, tt::DotOp op, const Places& a, const Places& b, const Places& c,
                RegisterList& sums) {
  Registers aRegisters = e.get(op.getA()), bRegisters = e.get(op.getB());
  llvm::SmallVector<int32_t> rows = distinct(a, true), ks = distinct(a, false),
                             columns = distinct(b, false);
  llvm::Type* number = e.b.getDoubleTy();
  llvm::Type* pair = llvm::StructType::get(number, number);
  for (int32_t k : ks)
    for (int32_t row : rows)
      for (int32_t column : columns) {
        auto left = a.find({row, k}), right = b.find({k, column}), first = c.find({row, column}),
             second = c.find({row, column + 1});
        if (left == a.end() || right == b.end() || first == c.end() || second == c.end())
          return e.fail(op, "the operands' layouts do not fit mma.sync");
        llvm::Value* both = e.assembly(
            pair, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$4}, {$5}, {$0, $1};",
            "=d,=d,0,1,d,d",
            {sums[first->second], sums[second->second], aRegisters[left->second],
             bRegisters[right->second]},
            false);
        sums[first->second] = e.b.CreateExtractValue(both, 0);
        sums[second->second] = e.b.CreateExtractValue(both, 1);
      }
  return true;
}

bool dot(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::DotOp>(operation);
  auto result = mlir::cast<mlir::RankedTensorType>(op.getType());
  auto mma = mlir::dyn_cast<ttg::NvidiaMmaEncodingAttr>(result.getEncoding());
  if (!mma) return fmaDot(e, op);
  mlir::Type element = mlir::getElementTypeOrSelf(op.getA().getType());
  llvm::StringRef name = operandTypeName(element, true),
                  bName = operandTypeName(mlir::getElementTypeOrSelf(op.getB().getType()), true);
  bool isDouble = element.isF64();
  if (mma.getVersionMajor() != 2 || !has(e, chips::Feature::AmpereMma) ||
      (!isDouble && (name.empty() || bName.empty())))
    return e.fail(op, "gluond cannot compile this matrix product for this target yet");
  if (element.isF32() && op.getInputPrecision() == tt::InputPrecision::IEEE)
    return e.fail(op,
                  "mma.sync supports 32-bit floats only as tf32: pass input_precision=\"tf32\"");

  auto as = placesOf(e.layoutOf(op.getA().getType())),
       bs = placesOf(e.layoutOf(op.getB().getType()));
  RegisterList sums(e.get(op.getC()));
  for (auto& [batch, c] : placesOf(e.layoutOf(result)))
    if (!(isDouble ? doublesDot : matrixDot)(e, op, as[batch], bs[batch], c, sums)) return false;
  e.set(op.getResult(), sums);
  return true;
}
} // namespace

llvm::ArrayRef<OpRow> dotOps() {
  static constexpr OpRow rows[] = {
      {"tt.dot", dot},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia

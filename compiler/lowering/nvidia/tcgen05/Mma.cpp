// tcgen05.mma: products of matrices by the tensor core, asked for by one thread. The result is in
// tensor memory, operand a in shared or tensor memory, operand b in shared memory.
#include "chips/BlackwellFeatures.h"
#include "ir/ttng/MemorySpace.h"
#include "ir/ttng/Ops.h"
#include "ir/ttng/SharedMatrix.h"
#include "lowering/nvidia/Barriers.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/MatrixDescriptor.h"
#include "lowering/nvidia/tcgen05/TensorCore.h"
#include "lowering/nvidia/tcgen05/TensorMemory.h"
#include "passes/refusals/products/SharedOperand.h"

namespace gluond::lowering::nvidia {

namespace {

// The instruction descriptor: a word whose fields say what the instruction multiplies (PTX ISA,
// "instruction descriptor").
struct Field {
  unsigned shift, bits;
};
constexpr Field resultType{4, 2}, scaleIdB{4, 2}, typeA{7, 3}, typeB{10, 3}, transposeA{15, 1},
    transposeB{16, 1}, sizeN{17, 6}, scaleType{23, 1}, sizeM{24, 5}, scaleIdA{29, 2};
constexpr uint32_t in(Field field, uint32_t value) {
  return (value & ((1u << field.bits) - 1)) << field.shift;
}

// An instruction of an op. An op is made of several, which differ only in their places along K.
struct Instruction {
  std::string name; // ".kind::f16"
  unsigned m, n, k; // of one CTA; n of a pair
  unsigned aBits, bBits;
  uint32_t fixed = 0; // the descriptor, without sizes and transposition

  // Block-scaled ones have this many scales of one instruction along K. A column holds four.
  unsigned scalesAlongK = 0;
  unsigned scaleIdUnit = 1; // scale ids count so many scales
  bool isScaled() const { return scalesAlongK != 0; }
};

uint32_t descriptorOf(const Instruction& instruction, bool two, bool isATransposed,
                      bool isBTransposed) {
  unsigned m = two ? 2 * instruction.m : instruction.m;
  return instruction.fixed | in(transposeA, isATransposed) | in(transposeB, isBTransposed) |
         in(sizeN, instruction.n >> 3) | in(sizeM, m >> 4);
}

// ---- Scales.

// The columns where an operand's scales lie: blocks of 128 by 4, for all of M or N first or for all
// of K.
struct Scales {
  llvm::Value* base;
  int64_t columns; // of a block
  int64_t blocks;  // along M or N
  int64_t words;   // along K
  bool isKFirst;
  llvm::Value* at(FunctionEmitter& e, int64_t block, int64_t word) const {
    int64_t number = isKFirst ? block * words + word : block + word * blocks;
    return e.b.CreateAdd(base, e.i32(number * columns));
  }
};

Scales scalesOf(FunctionEmitter& e, mlir::Value scales, int64_t blocks, int64_t words,
                int64_t leastColumns) {
  auto type = mlir::cast<ttg::MemDescType>(scales.getType());
  auto layout = mlir::dyn_cast<ttng::TensorMemoryScalesEncodingAttr>(type.getEncoding());
  int64_t columns = static_cast<int64_t>(
      llvm::divideCeil(static_cast<uint64_t>(ttng::getTmemAllocSizes(type).numCols),
                       static_cast<uint64_t>(blocks * words)));
  return {e.scalar(scales), std::max(columns, leastColumns), blocks, words,
          layout && layout.getBlockRepOrder() == ttng::TensorMemoryScalesBlockRepOrder::K_THEN_MN};
}

// ---- All instructions of an op.

struct Product {
  mlir::Value a, b, d;
  llvm::Value *usesD, *predicate;
  mlir::ValueRange barriers, barrierPredicates;
  mlir::Value aScale, bScale;            // of block-scaled ones
  llvm::SmallVector<mlir::Value> shared; // buffers whose CTAs are told of the end, too
  int64_t k;                             // of the whole op, in elements
};

// Returns where an element of operand a lies in tensor memory.
int64_t cellOfA(const Product& product, unsigned bits, int64_t row, int64_t k) {
  auto type = mlir::cast<ttg::MemDescType>(product.a.getType());
  unsigned perElement = tt::bitWidth(type.getElementType()) / bits;
  return cellOf(type, static_cast<uint64_t>(row), static_cast<uint64_t>(k / perElement));
}

bool emit(FunctionEmitter& e, mlir::Operation* op, const Product& product,
          const Instruction& instruction) {
  if (!needs(e, op, chips::Feature::TensorMemory, "tcgen05.mma needs")) return false;
  if (std::string why = passes::whyNoTensorCoreOperands(op); !why.empty()) return e.fail(op, why);
  // All earlier writes are visible to the threads that wait at the barriers.
  if (!product.barriers.empty()) e.barrier();
  llvm::Value* here = e.b.CreateICmpEQ(e.warp(), e.i32(0));
  if (llvm::Value* leads = leadsPair(e)) here = e.b.CreateAnd(here, leads);
  llvm::BasicBlock *work = e.newBlock("mma"), *after = e.newBlock("mma.end");
  e.b.CreateCondBr(e.b.CreateAnd(product.predicate, here), work, after);
  e.b.SetInsertPoint(work);
  llvm::Value* elected = elect(e);

  const bool two = hasTwoCtas(e), isAInTensorMemory = ttng::isTensorMemory(product.a);
  const unsigned shapeA[] = {instruction.m, instruction.k},
                 shapeB[] = {instruction.k, instruction.n / (two ? 2 : 1)};
  std::optional<MatrixOperand> a;
  if (!isAInTensorMemory) {
    a = tensorCoreOperand(e, product.a, shapeA, 0, instruction.aBits);
    if (!a) return e.fail(op, "tcgen05.mma cannot read operand a in this shared memory layout");
  }
  auto b = tensorCoreOperand(e, product.b, shapeB, 1, instruction.bBits);
  if (!b) return e.fail(op, "tcgen05.mma cannot read operand b in this shared memory layout");
  const bool isATransposed = a && a->transposed, isBTransposed = !b->transposed;

  auto dType = mlir::cast<ttg::MemDescType>(product.d.getType());
  auto encoding = mlir::cast<ttng::TensorMemoryEncodingAttr>(dType.getEncoding());
  auto perCta = ttg::getShapePerCTA(encoding.getCGALayout().getCTASplitNum(), dType.getShape());
  auto times = [](int64_t whole, unsigned part) {
    return static_cast<int64_t>(llvm::divideCeil(static_cast<uint64_t>(whole), part));
  };
  const int64_t rowBlocks = times(perCta[0], instruction.m),
                columnBlocks = times(perCta[1], instruction.n),
                steps = times(product.k, instruction.k);
  // All of K lies in the same rows.
  constexpr unsigned rowShift = 16;
  for (int64_t step = 1; isAInTensorMemory && step < steps; ++step)
    if (cellOfA(product, instruction.aBits, 0, step * instruction.k) >> rowShift !=
        cellOfA(product, instruction.aBits, 0, 0) >> rowShift)
      return e.fail(op, "tcgen05.mma cannot read operand a from several blocks of 64 rows");
  const uint32_t descriptor = descriptorOf(instruction, two, isATransposed, isBTransposed);

  Scales aScales{}, bScales{};
  unsigned stepsPerWord = 1;
  if (instruction.isScaled()) {
    stepsPerWord = 4 / instruction.scalesAlongK;
    int64_t words = times(steps, stepsPerWord);
    constexpr int64_t leastOfB = 2; // columns of scales that the instruction reads of b
    aScales = scalesOf(e, product.aScale, rowBlocks, words, 1);
    bScales = scalesOf(e, product.bScale, columnBlocks, words, leastOfB);
  }
  // The unit keeps 128 rows of operand a from the first of the instructions that take them in turn
  // to the last.
  auto collector = [&](int64_t column) -> std::string {
    if (columnBlocks == 1 || instruction.m != 128) return "";
    return std::string(".collector::a::") + (column == 0                  ? "fill"
                                             : column == columnBlocks - 1 ? "lastuse"
                                                                          : "use");
  };
  auto one = [&](int64_t row, int64_t column, int64_t step) {
    const int64_t k = step * instruction.k,
                  d = cellOf(dType, static_cast<uint64_t>(row * instruction.m),
                             static_cast<uint64_t>(column * instruction.n));
    std::string text = "@$0 tcgen05.mma." + ctaGroup(e) + instruction.name + collector(column) +
                       " [$1 + " + std::to_string(d) + "], ";
    std::string constraints = "b,r";
    RegisterList operands{elected, e.scalar(product.d)};
    if (isAInTensorMemory) {
      text += "[$2 + " +
              std::to_string(cellOfA(product, instruction.aBits, row * instruction.m, k)) + "]";
      operands.push_back(e.scalar(product.a));
      constraints += ",r";
    } else {
      text += "$2";
      operands.push_back(
          descriptorAt(e, *a, static_cast<int32_t>(row * shapeA[0]), static_cast<int32_t>(k)));
      constraints += ",l";
    }
    text += ", $3, $4";
    operands.push_back(
        descriptorAt(e, *b, static_cast<int32_t>(k), static_cast<int32_t>(column * shapeB[1])));
    constraints += ",l,r";
    uint32_t word = descriptor;
    if (instruction.isScaled()) {
      uint32_t id = static_cast<uint32_t>(step % stepsPerWord) * instruction.scaleIdUnit;
      word |= in(scaleIdA, id) | in(scaleIdB, id);
    }
    operands.push_back(e.i32(word));
    unsigned next = 5;
    if (instruction.isScaled()) {
      text += ", [$5], [$6]";
      constraints += ",r,r";
      operands.push_back(aScales.at(e, row, step / stepsPerWord));
      operands.push_back(bScales.at(e, column, step / stepsPerWord));
      next = 7;
    }
    text += ", $" + std::to_string(next) + ";";
    operands.push_back(step ? e.i1(true) : product.usesD);
    e.assembly(text, constraints + ",b", operands);
  };
  for (int64_t row = 0; row < rowBlocks; ++row)
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t column = 0; column < columnBlocks; ++column)
        one(row, column, step);
  for (auto [barrier, predicate] : llvm::zip(product.barriers, product.barrierPredicates))
    commit(e, barrier, e.b.CreateAnd(e.scalar(predicate), elected), product.shared);
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
  return true;
}

template <class Op> Product productOf(FunctionEmitter& e, Op op) {
  Product product{op.getA(),
                  op.getB(),
                  op.getD(),
                  e.scalar(op.getUseD()),
                  e.scalar(op.getPred()),
                  op.getBarriers(),
                  op.getBarrierPreds(),
                  nullptr,
                  nullptr,
                  {},
                  0};
  if (op.getMulticast()) product.shared = {op.getA(), op.getB()};
  return product;
}

// The sizes of an instruction that are those of the accumulator's blocks.
std::pair<unsigned, unsigned> blockOf(ttg::MemDescType d) {
  auto encoding = mlir::cast<ttng::TensorMemoryEncodingAttr>(d.getEncoding());
  auto perCta = ttg::getShapePerCTA(encoding.getCGALayout().getCTASplitNum(), d.getShape());
  return {encoding.getBlockM(),
          static_cast<unsigned>(std::min<int64_t>(encoding.getBlockN(), perCta[1]))};
}

// ---- Plain products.

// A type's number in the descriptor, and the instruction's kind; nothing where no kind takes it.
struct OperandType {
  llvm::StringLiteral kind;
  uint32_t number;
};
std::optional<OperandType> operandType(mlir::Type type, bool isUnsigned) {
  if (type.isF16()) return OperandType{".kind::f16", 0};
  if (type.isBF16()) return OperandType{".kind::f16", 1};
  if (type.isF32()) return OperandType{".kind::tf32", 2};
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return OperandType{".kind::f8f6f4", 0};
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return OperandType{".kind::f8f6f4", 1};
  if (type.isInteger(8)) return OperandType{".kind::i8", isUnsigned ? 0u : 1u};
  return std::nullopt;
}

bool multiply(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TCGen5MMAOp>(operation);
  auto aType = op.getA().getType();
  auto a = operandType(aType.getElementType(), op.getIsUnsigned()),
       b = operandType(op.getB().getType().getElementType(), op.getIsUnsigned());
  if (!a || !b || a->kind != b->kind)
    return e.fail(op, "tcgen05.mma does not multiply these types");
  if (aType.getElementType().isInteger(8) && !chips::blackwellPartsOf(chipOf(e)).integerProducts)
    return e.fail(op, "the tensor core of " + chipOf(e).name + " does not multiply integers");
  mlir::Type dElement = op.getD().getType().getElementType();
  uint32_t result = dElement.isInteger(32) ? 2 : dElement.isF32() ? 1 : 0;
  constexpr unsigned bitsOfStep = 256;
  auto [m, n] = blockOf(op.getD().getType());
  unsigned bits = tt::bitWidth(aType.getElementType());
  Instruction instruction{.name = a->kind.str(),
                          .m = m,
                          .n = n,
                          .k = bitsOfStep / bits,
                          .aBits = bits,
                          .bBits = tt::bitWidth(op.getB().getType().getElementType()),
                          .fixed =
                              in(resultType, result) | in(typeA, a->number) | in(typeB, b->number)};
  Product product = productOf(e, op);
  product.k = aType.getDimSize(1);
  return emit(e, op, product, instruction);
}

// ---- Block-scaled products.

uint32_t numberOf(tt::ScaleDotElemType type) {
  switch (type) {
  case tt::ScaleDotElemType::E4M3:
    return 0;
  case tt::ScaleDotElemType::E5M2:
    return 1;
  case tt::ScaleDotElemType::E2M3:
    return 3;
  case tt::ScaleDotElemType::E3M2:
    return 4;
  default:
    return 5; // E2M1
  }
}

unsigned bitsOf(tt::ScaleDotElemType type) {
  return type == tt::ScaleDotElemType::E2M1 ? 4 : 8;
}

bool isE4M3(mlir::Type type) {
  return mlir::isa<mlir::Float8E4M3FNType>(type);
}

bool multiplyScaled(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TCGen5MMAScaledOp>(operation);
  Product product = productOf(e, op);
  product.aScale = op.getAScale();
  product.bScale = op.getBScale();
  product.k = op.getBlockK();
  auto [m, n] = blockOf(op.getD().getType());
  Instruction instruction{.name = "",
                          .m = m,
                          .n = n,
                          .k = 32,
                          .aBits = bitsOf(op.getAType()),
                          .bBits = bitsOf(op.getBType())};

  // Two fp4 operands with K contiguous are multiplied as they are; others unpacked in bytes.
  bool isATransposed = !ttng::isTensorMemory(op.getA()) &&
                       ttng::sharedTransposed(op.getA().getType()).value_or(false);
  bool isBTransposed = !ttng::sharedTransposed(op.getB().getType()).value_or(true);
  bool areFp4 = instruction.aBits == 4 && instruction.bBits == 4;
  auto aScale = op.getAScale().getType(), bScale = op.getBScale().getType();
  auto hasBlocksOf16 = [&](ttg::MemDescType scales) {
    return isE4M3(scales.getElementType()) ||
           (scales.getElementType().isInteger(8) && scales.getShape().back() * 16 == product.k);
  };
  uint32_t isUe8m0 = isE4M3(aScale.getElementType()) ? 0 : 1;
  constexpr uint32_t fp4 = 1; // its number where both operands are
  if (areFp4 && hasBlocksOf16(aScale) && hasBlocksOf16(bScale)) {
    instruction.name = ".kind::mxf4nvf4.block_scale.block16";
    instruction.scalesAlongK = 4;
  } else if (areFp4 && !isATransposed && !isBTransposed) {
    instruction.name = ".kind::mxf4.block_scale.block32";
    instruction.scalesAlongK = 2;
    instruction.scaleIdUnit = 2;
  } else {
    instruction.name = ".kind::mxf8f6f4.block_scale.block32";
    instruction.scalesAlongK = 1;
    isUe8m0 = 1;
  }
  if (instruction.scalesAlongK == 1) {
    instruction.fixed = in(typeA, numberOf(op.getAType())) | in(typeB, numberOf(op.getBType()));
  } else {
    instruction.k = 64;
    instruction.fixed = in(typeA, fp4) | in(typeB, fp4);
  }
  instruction.fixed |= in(scaleType, isUe8m0);
  return emit(e, op, product, instruction);
}

bool commitOp(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TCGen5CommitOp>(operation);
  if (!needs(e, op, chips::Feature::TensorMemory, "tcgen05.commit needs")) return false;
  e.barrier(); // it speaks for the whole group of warps
  llvm::Value* predicate = electOne(e);
  if (op.getPred()) predicate = e.b.CreateAnd(e.scalar(op.getPred()), predicate);
  if (llvm::Value* leads = leadsPair(e)) predicate = e.b.CreateAnd(predicate, leads);
  commit(e, op.getBarrier(), predicate, op.getDescs());
  return true;
}

} // namespace

void commit(FunctionEmitter& e, mlir::Value barrier, llvm::Value* predicate,
            mlir::ValueRange buffers) {
  uint32_t pair = hasTwoCtas(e) ? 1 : 0;
  llvm::SmallVector<uint32_t> groups;
  for (mlir::Value buffer : buffers)
    groups.push_back(sharedBlocks(buffer) | pair);
  if (buffers.empty()) groups.push_back(pair);
  llvm::Value* mask = nullptr;
  for (uint32_t blocks : groups) {
    if (!blocks) continue;
    llvm::Value* own = multicastMask(e, blocks);
    mask = mask ? e.b.CreateOr(mask, own) : own;
  }
  std::string text = "@$0 tcgen05.commit." + ctaGroup(e) + ".mbarrier::arrive::one.shared::cluster";
  RegisterList operands{predicate, e.viewBase(barrier)};
  if (mask) {
    e.state().touchesOtherCtas = true;
    operands.push_back(e.b.CreateTrunc(mask, e.b.getInt16Ty()));
    e.assembly(text + ".multicast::cluster.b64 [$1], $2;", "b,r,h", operands);
  } else {
    e.assembly(text + ".b64 [$1];", "b,r", operands);
  }
}

llvm::ArrayRef<OpRow> tensorCoreOps() {
  static constexpr OpRow rows[] = {
      {"ttng.tc_gen5_mma", multiply},
      {"ttng.tc_gen5_mma_scaled", multiplyScaled},
      {"ttng.tc_gen5_commit", commitOp},
      {"ttng.tmem_copy", copyToTensorMemory},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia

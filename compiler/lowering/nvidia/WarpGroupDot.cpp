// wgmma: matrix products by four warps together, asynchronous.
#include "passes/refusals/products/WarpGroupDot.h"

#include "chips/ChipsWithFeature.h"
#include "ir/tt/Ops.h"
#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/MatrixDescriptor.h"
#include "lowering/nvidia/OperandTypes.h"
#include "passes/refusals/products/SharedOperand.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lowering::nvidia {

namespace {

char constraintOf(llvm::Type* type) {
  return type->isFloatTy() ? 'f' : 'r';
}

// ptxas makes faster loops of descriptors that are computed beside their products than of those
// that are kept in registers, if the loop does more than load and multiply: it spreads what follows
// the products between other instructions. Other loops it unrolls, and does not with that
// computation in them. Measured on an H200: attention 0.936 to 0.995 of Triton's, a plain
// product 1.011 to 0.825.
bool isInLoopThatReduces(mlir::Operation* op) {
  auto loop = op->getParentOfType<mlir::LoopLikeOpInterface>();
  return loop &&
         loop->walk([](tt::ReduceOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

// Registers that pass through `text` so that nothing that uses them moves before it.
RegisterList through(FunctionEmitter& e, const std::string& text, Registers registers) {
  if (registers.empty()) {
    e.assembly(text, "", {});
    return {};
  }
  std::string outputs, inputs;
  llvm::SmallVector<llvm::Type*> types;
  for (auto [i, value] : llvm::enumerate(registers)) {
    outputs += std::string(i ? ",=" : "=") + constraintOf(value->getType());
    inputs += "," + std::to_string(i);
    types.push_back(value->getType());
  }
  bool single = registers.size() == 1;
  llvm::Type* whole = single ? types.front() : llvm::StructType::get(e.b.getContext(), types);
  llvm::Value* result = e.assembly(whole, text, outputs + inputs, registers);
  RegisterList values;
  for (unsigned i = 0; i < registers.size(); ++i)
    values.push_back(single ? result : e.b.CreateExtractValue(result, i));
  return values;
}

bool dot(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::WarpGroupDotOp>(operation);
  if (!has(e, chips::Feature::WarpGroupMma))
    return e.fail(op, "wgmma needs " + chips::chipsWith(chips::Feature::WarpGroupMma));
  auto result = mlir::cast<mlir::RankedTensorType>(op.getD().getType());
  if (std::string why = passes::whyNoWarpGroupInstruction(op); !why.empty()) return e.fail(op, why);
  if (std::string why = passes::whyNoSharedOperands(op); !why.empty()) return e.fail(op, why);
  auto mma = mlir::cast<ttg::NvidiaMmaEncodingAttr>(result.getEncoding());
  bool tf32 = op.getInputPrecision() == tt::InputPrecision::TF32;
  mlir::Type aElement = mlir::cast<mlir::ShapedType>(op.getA().getType()).getElementType();
  mlir::Type bElement = op.getB().getType().getElementType();
  llvm::StringRef dName = resultTypeName(result.getElementType()),
                  aName = operandTypeName(aElement, tf32), bName = operandTypeName(bElement, tf32);
  if (dName.empty() || aName.empty() || bName.empty())
    return e.fail(op, "wgmma does not multiply these types");

  auto shape = mma.getInstrShape();
  unsigned m = 4 * shape[0], n = shape[1], k = shape[2];
  llvm::SmallVector<int64_t> perCta = ttg::getShapePerCTA(mma, result.getShape());
  auto warps = mma.getWarpsPerCTA();
  unsigned tileM = shape[0] * warps[0], tileN = n * warps[1];
  auto aShape = mlir::cast<mlir::ShapedType>(op.getA().getType()).getShape();
  int64_t repM = std::max<int64_t>(1, perCta[0] / tileM),
          repN = std::max<int64_t>(1, perCta[1] / tileN),
          repK = std::max<int64_t>(1, aShape[1] / k);
  const LinearLayout& layout = e.layoutOf(result);
  auto aBuffer = mlir::dyn_cast<ttg::MemDescType>(op.getA().getType());
  bool reduces = isInLoopThatReduces(op);
  std::optional<MatrixOperand> a;
  unsigned aShapeOf[] = {m, k}, bShapeOf[] = {k, n};
  if (aBuffer) {
    a = matrixOperand(e, op.getA(), aShapeOf, 0, layout, reduces);
    if (!a) return e.fail(op, "wgmma cannot read operand a in this shared memory layout");
  }
  std::optional<MatrixOperand> b = matrixOperand(e, op.getB(), bShapeOf, 1, layout, reduces);
  if (!b) return e.fail(op, "wgmma cannot read operand b in this shared memory layout");

  Registers accumulator = e.get(op.getC());
  bool half = result.getElementType().isF16();
  RegisterList packed = half ? pack(e, accumulator) : RegisterList(accumulator);
  unsigned perTile = n / 2 / (half ? 2 : 1);
  if (packed.size() != static_cast<size_t>(repM * repN) * perTile)
    return e.fail(op, "the accumulator's layout does not fit the instruction");
  auto isZero = [](llvm::Value* value) {
    auto* c = llvm::dyn_cast<llvm::Constant>(value);
    return c && c->isNullValue();
  };
  bool fromZero = llvm::all_of(accumulator, isZero);
  llvm::Value* useC = op.getUseC() ? e.scalar(op.getUseC()) : nullptr;

  // An operand a in registers is copied, so that later uses of it do not wait for the product.
  RegisterList aRegisters;
  if (!aBuffer)
    for (llvm::Value* word : pack(e, e.get(op.getA())))
      aRegisters.push_back(e.assembly(e.b.getInt32Ty(), "mov.b32 $0, $1;", "=r,r",
                                      {e.b.CreateBitCast(word, e.b.getInt32Ty())}));
  e.assembly("wgmma.fence.sync.aligned;", "", {});

  bool halfOperands = aElement.isF16() || aElement.isBF16(),
       floats = result.getElementType().isF32() || half;
  std::string name = "wgmma.mma_async.sync.aligned.m" + std::to_string(m) + "n" +
                     std::to_string(n) + "k" + std::to_string(k) + "." + dName.str() + "." +
                     aName.str() + "." + bName.str();
  RegisterList results;
  for (int64_t i = 0; i < repM; ++i)
    for (int64_t j = 0; j < repN; ++j) {
      Registers tile =
          Registers(packed).slice(static_cast<size_t>(i * repN + j) * perTile, perTile);
      RegisterList d;
      if (!fromZero) d.assign(tile.begin(), tile.end());
      for (int64_t kk = 0; kk < repK; ++kk) {
        llvm::Value* accumulates = e.i1(!(kk == 0 && fromZero));
        if (kk == 0 && !fromZero && useC) accumulates = useC;
        llvm::Type* type = tile.front()->getType();
        std::string constraints;
        for (unsigned r = 0; r < perTile; ++r)
          constraints += std::string(r ? ",=" : "=") + constraintOf(type);
        RegisterList operands;
        unsigned next = perTile;
        std::string text = name + " " + bracedOperands(0, perTile);
        for (unsigned r = 0; r < d.size(); ++r) {
          constraints += "," + std::to_string(r);
          operands.push_back(d[r]);
          ++next;
        }
        if (aBuffer) {
          text += ", $" + std::to_string(next++);
          constraints += ",l";
          operands.push_back(
              descriptorAt(e, *a, static_cast<int32_t>(i * tileM), static_cast<int32_t>(kk * k)));
        } else {
          unsigned words = 4;
          text += ", " + bracedOperands(next, words);
          for (unsigned w = 0; w < words; ++w) {
            operands.push_back(aRegisters[static_cast<size_t>(i * repK + kk) * words + w]);
            constraints += ",r";
          }
          next += words;
        }
        text += ", $" + std::to_string(next++);
        constraints += ",l";
        operands.push_back(
            descriptorAt(e, *b, static_cast<int32_t>(kk * k), static_cast<int32_t>(j * tileN)));
        text += ", $" + std::to_string(next++);
        constraints += ",b";
        operands.push_back(accumulates);
        if (floats) text += ", 1, 1";
        if (halfOperands) {
          if (aBuffer) text += a->transposed ? ", 1" : ", 0";
          text += b->transposed ? ", 0" : ", 1";
        }
        llvm::Value* value = e.assembly(
            perTile == 1 ? type
                         : llvm::StructType::get(e.b.getContext(),
                                                 llvm::SmallVector<llvm::Type*>(perTile, type)),
            text + ";", constraints, operands);
        d.clear();
        for (unsigned r = 0; r < perTile; ++r)
          d.push_back(perTile == 1 ? value : e.b.CreateExtractValue(value, r));
      }
      llvm::append_range(results, d);
    }
  e.assembly("wgmma.commit_group.sync.aligned;", "", {});
  if (!op.getIsAsync()) results = through(e, "wgmma.wait_group.sync.aligned 0;", results);
  e.set(op.getD(),
        half ? unpack(e, results, e.elementType(result), static_cast<unsigned>(accumulator.size()))
             : results);
  return true;
}

bool wait(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::WarpGroupDotWaitOp>(operation);
  RegisterList all;
  struct Part {
    mlir::Value output;
    size_t words;
    bool packed;
  };
  llvm::SmallVector<Part> parts;
  for (auto [input, output] : llvm::zip(op.getInputs(), op.getOutputs())) {
    if (mlir::isa<ttg::MemDescType>(input.getType())) {
      e.set(output, e.get(input));
      continue;
    }
    bool narrow = e.memoryBits(mlir::getElementTypeOrSelf(input.getType())) < 32;
    RegisterList words = narrow ? pack(e, e.get(input)) : RegisterList(e.get(input));
    parts.push_back({output, words.size(), narrow});
    llvm::append_range(all, words);
  }
  RegisterList after =
      through(e, "wgmma.wait_group.sync.aligned " + std::to_string(op.getPendings()) + ";", all);
  Registers rest = after;
  for (const Part& part : parts) {
    Registers own = rest.take_front(part.words);
    rest = rest.drop_front(part.words);
    e.set(part.output, part.packed ? unpack(e, own, e.elementType(part.output.getType()),
                                            e.registerCount(part.output.getType()))
                                   : RegisterList(own));
  }
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> warpGroupDotOps() {
  static constexpr OpRow rows[] = {
      {"ttng.warp_group_dot", dot},
      {"ttng.warp_group_dot_wait", wait},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia

// Effects and checks of matrix units.
#include "chips/MatrixInstructions.h"
#include "chips/MemorySizes.h"
#include "chips/Occupancy.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/ElementTypes.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttng/Tcgen05Target.h"
#include "ir/ttng/ops/Checks.h"
#include "ir/ttng/ops/Patterns.h"

#include <mlir/IR/Matchers.h>

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;
using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

// ---- wgmma

LogicalResult WarpGroupDotOp::inferReturnTypes(MLIRContext*, std::optional<Location> location,
                                               ValueRange operands, DictionaryAttr,
                                               OpaqueProperties, RegionRange,
                                               SmallVectorImpl<Type>& results) {
  auto type = cast<RankedTensorType>(operands[2].getType());
  results.push_back(type);
  Attribute a = ttg::encodingOf(operands[0].getType()), b = ttg::encodingOf(operands[1].getType());
  if (!a) return success();
  auto* interface = tt::inferLayout(a);
  if (!interface) return failure();
  return success(succeeded(interface->verifyDotOperand(a, 0, type.getEncoding(), location)) &&
                 succeeded(interface->verifyDotOperand(b, 1, type.getEncoding(), location)));
}

LogicalResult WarpGroupDotOp::verify() {
  auto type = getD().getType();
  auto layout = dyn_cast_if_present<ttg::NvidiaMmaEncodingAttr>(type.getEncoding());
  if (!layout || !layout.isHopper()) return emitOpError("WGMMA result layout must be Hopper NVMMA");
  Type typeA = getA().getType();
  Attribute a = ttg::encodingOf(typeA), b = getB().getType().getEncoding();
  if (!isa_and_nonnull<ttg::NVMMASharedEncodingAttr, ttg::DotOperandEncodingAttr,
                       ttg::SharedLinearEncodingAttr>(a))
    return emitOpError("WGMMA A operand must have NVMMA shared or dot layout");
  if (!isa<ttg::NVMMASharedEncodingAttr, ttg::SharedLinearEncodingAttr>(b))
    return emitOpError("WGMMA B operand must have NVMMA shared layout");
  constexpr unsigned warps = chips::warpsOfGroup;
  if (ttg::lookupNumWarps(*this).value_or(warps) % warps)
    return emitOpError("WGMMA requires num_warps to be divisible by ") << warps;
  auto shape = ttg::getShapePerCTA(type.getEncoding(), type.getShape());
  if (shape.size() != 2) return emitOpError("WGMMA result shape must be 2D");
  const chips::GroupProduct& wgmma = chips::groupProduct(chips::Feature::WarpGroupMma);
  if (shape[0] % wgmma.leastM)
    return emitOpError("WGMMA result M dimension must be divisible by ") << wgmma.leastM;
  if (shape[1] % wgmma.stepN)
    return emitOpError("WGMMA result N dimension must be divisible by ") << wgmma.stepN;
  Type element = getElementTypeOrSelf(typeA);
  if (!tt::isMmaElement(element) || !tt::isMmaElement(getB().getType().getElementType()))
    return emitOpError("unsupported MMA version for the given operands");
  if (static_cast<int32_t>(getMaxNumImpreciseAcc()) < 32 && tt::isNvidiaFloat8(element) &&
      type.getElementType().isF32())
    return emitOpError("Cannot use F32 as the accumulator element type when the "
                       "max_num_imprecise_acc is less than 32");
  if (auto tensor = dyn_cast<RankedTensorType>(typeA)) {
    unsigned width = 32 / tt::bitWidth(element);
    auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(tensor.getEncoding());
    if (operand && operand.getKWidth() != width)
      return emitOpError("in-register LHS operand must have a kWidth of ")
             << width << " but got " << operand.getKWidth();
  }
  return success();
}

void WarpGroupDotOp::getEffects(Effects& effects) {
  for (OpOperand* operand : {&getAMutable(), &getBMutable()})
    if (isa<ttg::MemDescType>(operand->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), operand, ttg::SharedMemory::get());
}

LogicalResult WarpGroupDotWaitOp::inferReturnTypes(MLIRContext*, std::optional<Location>,
                                                   ValueRange operands, DictionaryAttr,
                                                   OpaqueProperties, RegionRange,
                                                   SmallVectorImpl<Type>& results) {
  llvm::append_range(results, operands.getTypes());
  return success();
}

LogicalResult WarpGroupDotWaitOp::verify() {
  if (getInputs().empty()) return emitOpError("expected to be waiting on at least one dependency");
  return success();
}

// ---- tcgen05

namespace {

enum class Kind { tf32, f16, f8f6f4, i8 };
StringRef name(Kind kind) {
  static constexpr StringLiteral names[] = {"tf32", "f16", "f8f6f4", "i8"};
  return names[static_cast<unsigned>(kind)];
}

std::optional<std::pair<Kind, SmallVector<Type, 2>>> kindAndAccumulators(Type type) {
  MLIRContext* context = type.getContext();
  Type f16 = Float16Type::get(context), f32 = Float32Type::get(context);
  using Result = std::pair<Kind, SmallVector<Type, 2>>;
  if (type.isF32()) return Result{Kind::tf32, {f32}};
  if (type.isF16()) return Result{Kind::f16, {f16, f32}};
  if (type.isBF16()) return Result{Kind::f16, {f32}};
  if (isa<FloatType>(type)) {
    unsigned bits = tt::bitWidth(type);
    if (bits == 4 || bits == 6 || bits == 8) return Result{Kind::f8f6f4, {f16, f32}};
  }
  if (type.isInteger(8)) return Result{Kind::i8, {IntegerType::get(context, 32)}};
  return std::nullopt;
}

LogicalResult verifyTypes(Operation* op, Type a, Type b, Type d) {
  auto kindA = kindAndAccumulators(a), kindB = kindAndAccumulators(b);
  if (!kindA) return op->emitOpError("unsupported LHS operand dtype: ") << a;
  if (!kindB) return op->emitOpError("unsupported RHS operand dtype: ") << b;
  if (kindA->first != kindB->first)
    return op->emitOpError("LHS and RHS operand dtypes kinds don't match: LHS kind is ")
           << name(kindA->first) << " but RHS kind is " << name(kindB->first);
  if (llvm::is_contained(kindA->second, d) && llvm::is_contained(kindB->second, d))
    return success();
  InFlightDiagnostic diag = op->emitOpError("unsupported accumulator dtype for operand types ")
                            << a << " and " << b << ", accumulator dtype is " << d
                            << " but must be one of [";
  llvm::interleaveComma(kindA->second, diag, [&](Type type) { diag << type; });
  return diag << "]";
}

template <class Op> LogicalResult verifyBarriers(Op op) {
  if (failed(verifyTcgen05Target(op))) return failure();
  if (!op.getIsAsync() && !op.getBarriers().empty())
    return op.emitOpError("The op is synchronous but a barrier is present.");
  for (Value barrier : op.getBarriers())
    if (failed(verifyCompletionBarrier(op, barrier))) return failure();
  return success();
}

template <class Op> void mmaEffects(Op op, Effects& effects) {
  auto add = [&](auto effect, OpOperand& operand, bool tensorMemory) {
    if (tensorMemory)
      effects.emplace_back(effect, &operand, TensorMemory::get());
    else
      effects.emplace_back(effect, &operand, ttg::SharedMemory::get());
  };
  // The accumulator is read unless useD is known to be false.
  APInt useD;
  if (!matchPattern(op.getUseD(), m_ConstantInt(&useD)) || !useD.isZero())
    add(MemoryEffects::Read::get(), op.getDMutable(), true);
  add(MemoryEffects::Write::get(), op.getDMutable(), true);
  add(MemoryEffects::Read::get(), op.getAMutable(),
      !isa<ttg::SharedMemorySpaceAttr>(op.getA().getType().getMemorySpace()));
  add(MemoryEffects::Read::get(), op.getBMutable(), false);
  if constexpr (std::is_same_v<Op, TCGen5MMAScaledOp>) {
    add(MemoryEffects::Read::get(), op.getAScaleMutable(), true);
    add(MemoryEffects::Read::get(), op.getBScaleMutable(), true);
  }
  for (OpOperand& barrier : op.getBarriersMutable())
    add(MemoryEffects::Write::get(), barrier, false);
}

} // namespace

LogicalResult verifyMMAv5Op(Operation* op) {
  auto mma = cast<MMAv5OpInterface>(op);
  auto isInterleaved = [](ttg::MemDescType type) {
    auto layout = dyn_cast<TensorMemoryEncodingAttr>(type.getEncoding());
    return layout && layout.getBlockM() == chips::halfTensorMemoryRows &&
           getTmemAllocSizes(type).numRows != chips::halfTensorMemoryRows;
  };
  if (isInterleaved(mma.getA().getType()) && isInterleaved(mma.getD().getType()))
    return op->emitOpError("does not support blockM=64 with interleaved blocks in TMEM layout");
  return success();
}

void TCGen5MMAOp::getEffects(Effects& effects) {
  mmaEffects(*this, effects);
}
void TCGen5MMAScaledOp::getEffects(Effects& effects) {
  mmaEffects(*this, effects);
}

LogicalResult TCGen5MMAOp::verify() {
  if (failed(verifyBarriers(*this))) return failure();
  auto typeA = getA().getType(), typeB = getB().getType(), typeD = getD().getType();
  Type element = typeA.getElementType();
  if (failed(verifyTypes(*this, element, typeB.getElementType(), typeD.getElementType())))
    return failure();
  if (typeA.getRank() != 2) return emitOpError("LHS operand must have a rank-2 tensor");
  if (typeB.getRank() != 2) return emitOpError("RHS operand must have a rank-2 tensor");
  if (typeD.getRank() != 2) return emitOpError("Return operand must have a rank-2 tensor");
  const chips::GroupProduct& tcgen05 = chips::groupProduct(chips::Feature::TensorMemory);
  int64_t leastK = tcgen05.kBytes * 8 / std::max(8u, tt::bitWidth(element));
  if (typeA.getDimSize(1) < leastK)
    return emitOpError("K dimension must be at least ")
           << leastK << " for " << element << " operands, but got " << typeA.getDimSize(1);

  Attribute a = typeA.getEncoding(), b = typeB.getEncoding();
  auto tmemA = dyn_cast<TensorMemoryEncodingAttr>(a);
  if (!tmemA && !isa<ttg::NVMMASharedEncodingAttr, ttg::SharedLinearEncodingAttr>(a))
    return emitOpError("LHS operand must have a NVMMAShared or TensorMemory encoding");
  if (!isa<ttg::NVMMASharedEncodingAttr, ttg::SharedLinearEncodingAttr>(b))
    return emitOpError("RHS operand must have a NVMMAShared encoding");
  auto d = dyn_cast<TensorMemoryEncodingAttr>(typeD.getEncoding());
  if (!d) return emitOpError("Return operand must have a TensorMemory encoding");
  if (d.getFp4Padded()) return emitOpError("Accumulator must not be fp4_padded");
  if (tmemA && tmemA.getColStride() != 1)
    return emitOpError("The col stride of the LHS operand must be 1");
  if (tmemA && tmemA.getFp4Padded())
    return emitOpError("fp4_padded tensor memory LHS is only supported by scaled MMA");
  unsigned bits = tt::bitWidth(typeD.getElementType());
  if (d.getColStride() != 32 / bits)
    return emitOpError("The col stride of the return operand must be 32 / ")
           << bits << " but got " << d.getColStride();
  auto shape = ttg::getShapePerCTA(d.getCGALayout().getCTASplitNum(), typeD.getShape());
  if (std::min<int64_t>(d.getBlockN(), shape[1]) > tcgen05.mostN)
    return emitOpError("The block size of the return operand must be less than or equal to ")
           << tcgen05.mostN;

  Dim rows = layout::tensorDim(0), columns = layout::tensorDim(1);
  const auto& cgaA = ttg::getCGALayout(a).getLinearLayout();
  const auto& cgaB = ttg::getCGALayout(b).getLinearLayout();
  if (cgaA.outSize(columns) != 1)
    return emitOpError("LHS CTASplit along K should be 1, but got ") << cgaA.outSize(columns);
  if (cgaB.outSize(rows) != 1)
    return emitOpError("RHS CTASplit along K should be 1, but got ") << cgaB.outSize(rows);
  bool two = getTwoCtas();
  StringRef kernel = two ? "twoCTA" : "non-twoCTA";
  if (two) {
    if (cgaB.inBits(Dim::Block) == 0 || cgaB.basis(Dim::Block, 0) != layout::Coordinates{0, 1})
      return emitOpError(
          "twoCTA mode expects the first basis of the cga_layout of the RHS to be [0, 1]");
    // A second instruction along N would need the CTAs' columns interleaved, but CTAs own
    // contiguous tiles.
    if (typeD.getDimSize(1) / d.getCGALayout().getLinearLayout().outSize(columns) > tcgen05.mostN)
      return emitOpError("We don't allow to emit more than one mma instruction along N. Reduce the "
                         "block or increase the number of warps or CTAs along N");
  }
  if (d.getTwoCTAs() != two)
    return emitOpError("The returned value's encoding must have twoCTA=")
           << two << " to be used in a " << kernel << " kernel";
  if (tmemA && tmemA.getTwoCTAs() != two)
    return emitOpError("The LHS operand's encoding must have twoCTA=")
           << two << " to be used in a " << kernel << " kernel";

  // Each CTA has the rows of its A and the columns of its B.
  auto linearA = ir::toLinearLayout(typeA), linearB = ir::toLinearLayout(typeB),
       linearD = ir::toLinearLayout(typeD);
  if (!linearA.valid() || !linearB.valid() || !linearD.valid()) return success();
  for (unsigned i = 0; i < linearD.inBits(Dim::Block); ++i) {
    if (i >= linearA.inBits(Dim::Block) || i >= linearB.inBits(Dim::Block)) break;
    layout::Coordinates expected{linearA.basis(Dim::Block, i, rows),
                                 two && i == 0 ? 0 : linearB.basis(Dim::Block, i, columns)};
    auto actual = linearD.basis(Dim::Block, i);
    if (actual != expected)
      return emitOpError("expected block basis ")
             << ArrayRef<int32_t>(expected) << " at result index " << i << ", but got "
             << ArrayRef<int32_t>(actual);
  }
  return success();
}

LogicalResult TCGen5CommitOp::verify() {
  if (failed(verifyTcgen05Target(*this))) return failure();
  if (getDescs().size() > 4)
    return emitOpError("expected 0 to 4 descriptors, got ") << getDescs().size();
  return verifyCompletionBarrier(*this, getBarrier());
}
LogicalResult TCGen5CommitOp::canonicalize(TCGen5CommitOp op, PatternRewriter& rewriter) {
  return eraseIfIdle(op, rewriter);
}

// ---- block-scaled

static Type operandType(Type element, tt::ScaleDotElemType type) {
  MLIRContext* context = element.getContext();
  if (isa<FloatType>(element)) return element;
  using enum tt::ScaleDotElemType;
  switch (type) {
  case E4M3:
    return Float8E4M3FNType::get(context);
  case E5M2:
    return Float8E5M2Type::get(context);
  case E2M3:
    return Float6E2M3FNType::get(context);
  case E3M2:
    return Float6E3M2FNType::get(context);
  case E2M1:
    return Float4E2M1FNType::get(context);
  case BF16:
    return BFloat16Type::get(context);
  case FP16:
    return Float16Type::get(context);
  }
  return element;
}

static bool isFloat8(tt::ScaleDotElemType type) {
  return type == tt::ScaleDotElemType::E4M3 || type == tt::ScaleDotElemType::E5M2;
}

static LogicalResult verifyLhs(TCGen5MMAScaledOp op, TensorMemoryEncodingAttr layout) {
  Type element = op.getA().getType().getElementType();
  bool padded = layout.getFp4Padded();
  if (op.getAType() == tt::ScaleDotElemType::E2M1) {
    if (!element.isInteger(8))
      return op.emitOpError("expected e2m1 LHS operand to have i8 storage");
    if (padded && !isFloat8(op.getBType()))
      return op.emitOpError("can only use fp4_padded LHS when RHS is float8");
    if (!padded && isFloat8(op.getBType()))
      return op.emitOpError("expected e2m1 LHS operand to be fp4_padded when RHS is float8");
    return success();
  }
  if (!tt::isNvidiaFloat8(element))
    return op.emitOpError("unsupported LHS operand type for scaled MMA");
  if (!isFloat8(op.getAType()))
    return op.emitOpError("expected float8 LHS operand to have e4m3 or e5m2 format");
  return success();
}

static bool isE4M3(TypedValue<ttg::MemDescType> scales) {
  return isa<Float8E4M3FNType>(scales.getType().getElementType());
}

// The least K of one instruction.
static LogicalResult verifyK(TCGen5MMAScaledOp op) {
  using tt::ScaleDotElemType;
  int64_t k = op.getBlockK(), least = 32;
  if (op.getAType() == ScaleDotElemType::E2M1 && op.getBType() == ScaleDotElemType::E2M1) {
    auto typeA = op.getA().getType();
    bool transposed = false;
    if (!isa<TensorMemoryEncodingAttr>(typeA.getEncoding()))
      transposed = sharedTransposed(typeA).value_or(false);
    if (auto b = sharedTransposed(op.getB().getType())) transposed |= !*b;
    // Scales for 16 elements each: e4m3, or int8 that are as many.
    auto aScale = op.getAScale().getType(), bScale = op.getBScale().getType();
    bool vec16 = (isE4M3(op.getAScale()) && isE4M3(op.getBScale())) ||
                 (aScale.getElementType().isInteger(8) && bScale.getElementType().isInteger(8) &&
                  aScale.getShape().back() * 16 == k && bScale.getShape().back() * 16 == k);
    if (transposed && vec16) return op.emitOpError("mxf4nvf4 does not support transposed operands");
    if (!transposed) least = 64;
  }
  if (k < least)
    return op.emitOpError("K dimension must be at least ")
           << least << " for this scaled MMA, but got " << k;
  return success();
}

static LogicalResult verifyScales(TCGen5MMAScaledOp op, ttg::MemDescType type, bool isA) {
  if (!isa<TensorMemorySpaceAttr>(type.getMemorySpace())) return success();
  // The order matters where there are several blocks of all rows and 4 columns in both directions.
  auto shape = ttg::getShapePerCTA(type.getEncoding(), type.getShape());
  bool matters =
      shape.size() >= 2 && shape[shape.size() - 2] > chips::tensorMemoryRows && shape.back() > 4;
  StringRef name = isA ? "A" : "B";
  auto layout = dyn_cast<TensorMemoryScalesEncodingAttr>(type.getEncoding());
  if (!layout) {
    if (!matters) return success();
    return op.emitOpError()
           << name << " scales in tensor memory must use #ttng.tensor_memory_scales_encoding";
  }
  using enum TensorMemoryScalesBlockRepOrder;
  auto order = layout.getBlockRepOrder();
  if (!matters && order == MN_THEN_K) return success();
  auto expected = scalesBlockRepOrder(op, isA);
  if (order == expected) return success();
  return op.emitOpError() << name
                          << " scales in tensor memory must use "
                             "#ttng.tensor_memory_scales_encoding<blockRepOrder = "
                          << stringifyTensorMemoryScalesBlockRepOrder(expected) << ">";
}

TensorMemoryScalesBlockRepOrder scalesBlockRepOrder(TCGen5MMAScaledOp op, bool isA) {
  // Rubin advances along K first in A if both are nvfp4.
  bool nvfp4 = op.getAType() == tt::ScaleDotElemType::E2M1 &&
               op.getBType() == tt::ScaleDotElemType::E2M1 && isE4M3(op.getAScale()) &&
               isE4M3(op.getBScale());
  bool alongK = isA && nvfp4 && ttg::featuresOf(op).has(chips::Feature::ScalesAlongK);
  return alongK ? TensorMemoryScalesBlockRepOrder::K_THEN_MN
                : TensorMemoryScalesBlockRepOrder::MN_THEN_K;
}

LogicalResult TCGen5MMAScaledOp::verify() {
  if (failed(verifyBarriers(*this))) return failure();
  auto typeA = getA().getType(), typeB = getB().getType(), typeD = getD().getType();
  if (failed(verifyTypes(*this, operandType(typeA.getElementType(), getAType()),
                         operandType(typeB.getElementType(), getBType()), typeD.getElementType())))
    return failure();
  auto layout = dyn_cast<TensorMemoryEncodingAttr>(typeD.getEncoding());
  if (!layout) return emitOpError("expected accumulator layout to be a TensorMemoryLayout");
  if (layout.getFp4Padded()) return emitOpError("accumulator layout must not be fp4_padded");
  if (layout.getBlockM() != chips::tensorMemoryRows)
    return emitOpError("only supports instruction shape blockM=") << chips::tensorMemoryRows;
  if (auto lhs = dyn_cast<TensorMemoryEncodingAttr>(typeA.getEncoding()))
    if (failed(verifyLhs(*this, lhs))) return failure();
  if (failed(verifyK(*this))) return failure();
  return success(succeeded(verifyScales(*this, getAScale().getType(), /*isA=*/true)) &&
                 succeeded(verifyScales(*this, getBScale().getType(), /*isA=*/false)));
}

// fp4 is packed in pairs along the contiguous dimension: K of row-major A and of transposed B.
static bool isTransposed(ttg::MemDescType type) {
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
  return layout && layout.getTransposed();
}
static int64_t unpacked(int64_t size, tt::ScaleDotElemType type, bool packedHere) {
  return type == tt::ScaleDotElemType::E2M1 && packedHere ? 2 * size : size;
}
static int64_t fromBack(ttg::MemDescType type, unsigned i) {
  return type.getShape()[static_cast<size_t>(type.getRank()) - i];
}
static bool mIsPacked(TCGen5MMAScaledOp op) {
  return isTransposed(op.getA().getType());
}
static bool nIsPacked(TCGen5MMAScaledOp op) {
  auto type = op.getB().getType();
  return isa<ttg::NVMMASharedEncodingAttr>(type.getEncoding()) && !isTransposed(type);
}

int64_t TCGen5MMAScaledOp::getBlockM() {
  return unpacked(fromBack(getA().getType(), 2), getAType(), mIsPacked(*this));
}
int64_t TCGen5MMAScaledOp::getBlockN() {
  return unpacked(fromBack(getB().getType(), 1), getBType(), nIsPacked(*this));
}
int64_t TCGen5MMAScaledOp::getBlockK() {
  return unpacked(fromBack(getA().getType(), 1), getAType(), !mIsPacked(*this));
}

bool TCGen5MMAScaledOp::verifyDims() {
  return getBlockK() == unpacked(fromBack(getB().getType(), 2), getBType(), !nIsPacked(*this));
}
bool TCGen5MMAScaledOp::verifyOutputDims() {
  auto type = getD().getType();
  return getBlockM() == fromBack(type, 2) && getBlockN() == fromBack(type, 1);
}

} // namespace gluond::ttng

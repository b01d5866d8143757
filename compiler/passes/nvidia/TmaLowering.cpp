#include "passes/nvidia/TmaLowering.h"

#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "passes/rewrite/GreedyRewriter.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned descriptorBytes = chips::tensorMapBytes,
                   descriptorAlignment = chips::tensorMapBytes;

// The hardware's numbers for element types.
std::optional<int32_t> elementTypeCode(Type element, bool fp4Padded) {
  enum : int32_t {
    U8 = 0,
    U16 = 1,
    U32 = 2,
    S32 = 3,
    U64 = 4,
    S64 = 5,
    F16 = 6,
    F32 = 7,
    F64 = 9,
    BF16 = 10,
    B4x16P64 = 14
  };
  if (fp4Padded) return B4x16P64;
  if (element.isBF16()) return BF16;
  if (element.isF16()) return F16;
  if (element.isF32()) return F32;
  if (element.isF64()) return F64;
  switch (tt::bitWidth(element) / 8) {
  case 1:
    return U8;
  case 2:
    return U16;
  case 4:
    return element.isSignedInteger() ? S32 : U32;
  case 8:
    return element.isSignedInteger() ? S64 : U64;
  default:
    return std::nullopt;
  }
}

// And for the width of the swizzle.
int32_t swizzleCode(unsigned bytes) {
  return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
}

PassFailure unsupported(tt::MakeTensorDescOp op, std::string message) {
  return {FailureKind::Unsupported, op.getLoc(), std::move(message), {}, {}, {}, {}};
}

tl::expected<DescriptorCode, PassFailure> planFor(tt::MakeTensorDescOp op) {
  auto code = descriptorCode(cast<tt::TensorDescType>(op.getType()));
  if (!code) return tl::unexpected(unsupported(op, code.error()));
  return std::move(*code);
}

struct WriteDescriptor : OpRewritePattern<tt::MakeTensorDescOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tt::MakeTensorDescOp op, PatternRewriter& builder) const override {
    auto plan = planFor(op);
    if (!plan) return failure();
    Location loc = op.getLoc();
    auto i32 = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI32IntegerAttr(static_cast<int32_t>(value)));
    };
    auto scratch = ttg::GlobalScratchAllocOp::create(
        builder, loc, tt::PointerType::get(builder.getI8Type()), descriptorBytes,
        descriptorAlignment, UnitAttr(), UnitAttr());
    // The hardware counts dimensions from the contiguous one.
    SmallVector<Value> boxDim;
    for (int64_t size : llvm::reverse(plan->block))
      boxDim.push_back(i32(size));
    Value elementSize =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(plan->elementBytes));
    SmallVector<Value> globalDim(llvm::reverse(op.getShape()));
    SmallVector<Value> globalStride(llvm::reverse(op.getStrides().drop_back()));
    if (plan->fp4Padded) { // counted in pairs until here
      Value two = i32(2);
      globalDim.front() = arith::MulIOp::create(builder, loc, globalDim.front(), two);
    }
    SmallVector<Value> elementStride(globalDim.size(), i32(1));
    for (Value& stride : globalStride)
      stride = arith::MulIOp::create(builder, loc, stride, elementSize);
    int32_t fill = op.getPadding() == tt::PaddingOption::PAD_NAN ? 1 : 0;
    ttng::TensormapCreateOp::create(
        builder, loc, scratch, op.getBase(), boxDim, globalDim, globalStride, elementStride,
        builder.getI32IntegerAttr(plan->elementType), builder.getI32IntegerAttr(0),
        builder.getI32IntegerAttr(plan->swizzle), builder.getI32IntegerAttr(fill));
    ttng::TensormapFenceproxyAcquireOp::create(builder, loc, scratch);
    builder.replaceOpWithNewOp<ttng::ReinterpretTensorDescOp>(op, op.getType(), scratch);
    return success();
  }
};

} // namespace

tl::expected<DescriptorCode, std::string> descriptorCode(tt::TensorDescInterface type) {
  using Error = tl::unexpected<std::string>;
  Type element = type.getElementType();
  auto shared = dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(type.getSharedLayout());
  auto* nvmma = shared ? ir::toLayout(shared).as<layout::NvmmaShared>() : nullptr;
  if (!nvmma) return Error("Unhandled encoding type");
  auto code = elementTypeCode(element, shared.getFp4Padded());
  if (!code) return Error("Tensor descriptor element type must have size 1, 2, or 4");
  auto perCta = ttg::getShapePerCTA(shared, type.getShape());
  auto block = layout::tmaBlockShape(*nvmma, perCta, /*packed=*/false);
  if (!block) return Error("the layout does not fit the block of the descriptor");
  // A column of pixels is moved at once, however long.
  if (isa<ttng::TensorDescIm2ColType>(type) && block->size() == 2) {
    size_t pixels = nvmma->transposed ? 1 : 0;
    (*block)[pixels] = perCta[pixels];
  }
  if (shared.getFp4Padded() && block->back() != 128)
    return Error("FP4 padded loads require 128 elements or more in the last dim");
  DescriptorCode result{*code,
                        swizzleCode(shared.getSwizzlingByteWidth()),
                        tt::bitWidth(element) / 8,
                        shared.getFp4Padded(),
                        {}};
  result.block.assign(block->begin(), block->end());
  return result;
}

PatternTable tensorDescriptorPatterns(MLIRContext& context) {
  RewritePatternSet patterns(&context);
  patterns.add<WriteDescriptor>(&context);
  return PatternTable(std::move(patterns));
}

Result lowerTensorDescriptors(ModuleOp module, const PatternTable& patterns) {
  rewriteGreedily(module, patterns);
  Result result;
  module.walk([&](tt::MakeTensorDescOp op) {
    auto plan = planFor(op);
    if (plan) return WalkResult::advance();
    result = tl::unexpected(std::move(plan.error()));
    return WalkResult::interrupt();
  });
  return result;
}

} // namespace gluond::passes

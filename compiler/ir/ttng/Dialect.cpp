#include "ir/ttng/Dialect.h"

#include "chips/Vendor.h"
#include "ir/tt/Inlining.h"
#include "ir/tt/ReleaseInForce.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttng/Ops.h"
#include "ir/ttng/Tcgen05Target.h"

#include <llvm/ADT/APFloat.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/IR/DialectImplementation.h>
#include <mlir/IR/Matchers.h>

#include "ir/ttng/Dialect.cpp.inc"
#include "ir/ttng/OpInterfaces.cpp.inc"

using namespace mlir;

namespace gluond::ttng {

LogicalResult verifyTcgen05Target(Operation* op) {
  StringRef target = ttg::targetOf(op);
  if (!chips::vendorOf(target)) return success();
  if (chips::featuresOf(target).has(chips::Feature::TensorMemory)) return success();
  return op->emitOpError("requires tcgen05 support");
}

namespace {

struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream& os) const final {
    if (isa<TensorMemoryEncodingAttr>(attr))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attr))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};

// Checked like ttg's layouts.
struct VerifyLayout : tt::VerifyLayoutInterface {
  using VerifyLayoutInterface::VerifyLayoutInterface;
  static const tt::VerifyLayoutInterface& ofTTG(Attribute layout) {
    return *layout.getContext()
                ->getLoadedDialect<ttg::TTGDialect>()
                ->getRegisteredInterface<tt::VerifyLayoutInterface>();
  }
  LogicalResult verifyTensor(Attribute layout, RankedTensorType type, Operation* op,
                             EmitError emitError) const final {
    return ofTTG(layout).verifyTensor(layout, type, op, emitError);
  }
  LogicalResult verifyMemDesc(Attribute layout, Type type, Operation* op,
                              EmitError emitError) const final {
    return ofTTG(layout).verifyMemDesc(layout, type, op, emitError);
  }
};

struct CachePolicies : tt::CachePolicyInterface {
  using CachePolicyInterface::CachePolicyInterface;
  LogicalResult verifyCachePolicy(Attribute attr, tt::CachePolicyUse use,
                                  function_ref<InFlightDiagnostic()> emitError) const final {
    auto policy = dyn_cast<CachePolicyAttr>(attr);
    if (!policy) return emitError() << "unsupported NVIDIA cache policy attribute " << attr;
    return tt::verifyCacheModifier(policy.getCacheModifier(), use, emitError);
  }
};

// On CUDA, x / c -> x * (1 / c) by the fast reciprocal, for f32 constants c whose reciprocal it
// gets right.
struct DivisionByConstant : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool inRange(APFloat divisor) {
    divisor.clearSign();
    const APFloat least(0x1p-126f), most(0x1p126f);
    APFloat::cmpResult low = divisor.compare(least);
    return (low == APFloat::cmpEqual || low == APFloat::cmpGreaterThan) &&
           divisor.compare(most) <= APFloat::cmpEqual;
  }

  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter& rewriter) const final {
    Type type = op.getType();
    if (!isa<RankedTensorType, Float32Type>(type) || !getElementTypeOrSelf(type).isF32() ||
        !chips::capabilityOf(ttg::targetOf(op)) ||
        tt::follows(releases::Rule::DivisionsStay, op.getContext()))
      return failure();
    Value divisor = op.getRhs();
    APFloat value(0.0f);
    DenseFPElementsAttr values;
    if (matchPattern(divisor, m_ConstantFloat(&value))) {
      if (!inRange(value)) return failure();
      // A splat is divided once.
      if (isa<RankedTensorType>(type))
        divisor = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getFloatAttr(rewriter.getF32Type(), value));
    } else if (!matchPattern(divisor, m_Constant(&values)) ||
               !llvm::all_of(values.getValues<APFloat>(), inRange)) {
      return failure();
    }
    Value one = arith::ConstantOp::create(rewriter, op.getLoc(),
                                          cast<TypedAttr>(rewriter.getOneAttr(divisor.getType())));
    Value reciprocal =
        tt::ApproxDivFOp::create(rewriter, op.getLoc(), divisor.getType(), one, divisor);
    if (reciprocal.getType() != type)
      reciprocal = tt::SplatOp::create(rewriter, op.getLoc(), type, reciprocal);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), reciprocal);
    return success();
  }
};

} // namespace

void TTNGDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerTTNGDialectOperations(this);
  addInterfaces<Aliases, tt::InlinesAnything, VerifyLayout, CachePolicies>();
}

LogicalResult TTNGDialect::verifyOperationAttribute(Operation*, NamedAttribute) {
  return success();
}

void TTNGDialect::getCanonicalizationPatterns(RewritePatternSet& patterns) const {
  patterns.add<DivisionByConstant>(getContext());
}

} // namespace gluond::ttng

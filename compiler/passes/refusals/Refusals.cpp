#include "passes/refusals/Refusals.h"

#include "chips/TdmDescriptorBits.h"
#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Attributes.h"
#include "ir/ttg/ModuleTarget.h"
#include "passes/failure/TypeNames.h"
#include "passes/refusals/Assembly.h"
#include "passes/refusals/Atomics.h"
#include "passes/refusals/DirectCopies.h"
#include "passes/refusals/Float8.h"
#include "passes/refusals/FloatConversions.h"
#include "passes/refusals/products/FmaDot.h"
#include "passes/refusals/products/MfmaDot.h"
#include "passes/refusals/products/MmaDot.h"
#include "passes/refusals/products/SharedOperand.h"
#include "passes/refusals/products/WarpGroupDot.h"
#include "passes/refusals/products/WmmaDot.h"

#include <mlir/Dialect/UB/IR/UBOps.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// The chips that have an operation, if the other vendor's have not.
llvm::StringRef neededFor(Operation* op, bool isAmd) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (isAmd && dialect == "ttng") return "an NVIDIA GPU";
  if (!isAmd && dialect == "amdg") return "an AMD GPU";
  return {};
}

// The tensor data mover has no stride for the last dimension, so that it must be known; and it
// counts the words between two paddings in three bits of the descriptor.
std::string whyNoDataMover(tt::MakeTensorDescOp op) {
  APInt stride;
  Value last = op.getStrides().empty() ? Value() : op.getStrides().back();
  if (last && !(matchPattern(last, m_ConstantInt(&stride)) && stride.isOne()))
    return "the last dimension must have stride 1, as a constant";
  tt::TensorDescType type = op.getType();
  auto padded = ttg::getPaddedEncoding(type.getSharedLayout());
  if (!padded || padded.getIntervals().size() != 1) return {};
  constexpr int64_t mostBits = chips::tdm::mostIntervalWords * chips::tdm::wordBits;
  int64_t bits = tt::bitWidth(type.getElementType()), interval = padded.getIntervals().front();
  if (interval * bits <= mostBits) return {};
  return "the tensor data mover pads after at most " + std::to_string(mostBits / 8) +
         " bytes, but the padding of this descriptor comes after " + std::to_string(interval) +
         " elements of " + gluonName(type.getElementType()) + ", " +
         std::to_string(interval * bits / 8) + " bytes: pad after " +
         std::to_string(mostBits / bits) + " elements";
}

std::string whyNoScan(tt::ScanOp op) {
  auto type = op->getNumOperands() ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                                   : RankedTensorType();
  if (!type || !type.getEncoding() || isa<ttg::BlockedEncodingAttr>(type.getEncoding())) return {};
  return "Triton scans tensors in a BlockedLayout only: convert the tensor with "
         "`gl.convert_layout` before the scan";
}

std::string whyNoHistogram(tt::HistogramOp op) {
  Type element = op.getSrc().getType().getElementType();
  if (element.isInteger(32)) return {};
  return "Triton counts 32-bit integers only, and these are " + gluonName(element) +
         ": convert them to int32 first";
}

std::string whyNoBufferAccess(Operation* op) {
  Type accessed;
  if (auto load = dyn_cast<amdg::BufferLoadOp>(op)) accessed = load.getType();
  if (auto store = dyn_cast<amdg::BufferStoreOp>(op)) accessed = store.getValue().getType();
  if (!accessed || !getElementTypeOrSelf(accessed).isInteger(1)) return {};
  return "Triton has no buffer accesses of int1: use `gl.load` and `gl.store`, or a pointer to "
         "int8";
}

// The swizzle of NVMMA's layouts is of rows.
std::string whyNoAllocation(Operation* op) {
  auto alloc = dyn_cast<ttg::LocalAllocOp>(op);
  auto layout = alloc ? dyn_cast<ttg::NVMMASharedEncodingAttr>(alloc.getType().getEncoding())
                      : ttg::NVMMASharedEncodingAttr();
  if (!layout || alloc.getType().getRank() > 1 || !layout.getSwizzlingByteWidth()) return {};
  return "a buffer of one dimension has no rows to swizzle, and its NVMMASharedLayout swizzles " +
         std::to_string(layout.getSwizzlingByteWidth()) + " bytes: use swizzle_byte_width=0";
}

// Where the program calls Triton's library, if the operation is in a function of the library.
Location inProgram(Location location) {
  while (auto call = dyn_cast<CallSiteLoc>(location)) {
    auto callee = call.getCallee()->findInstanceOf<FileLineColLoc>();
    if (!callee || !callee.getFilename().getValue().starts_with("<gluond>")) break;
    location = call.getCaller();
  }
  return location;
}

} // namespace

Result checkRefusals(ModuleOp module, BackEndOf backEnd) {
  bool isAmd = chips::isAmd(ttg::targetOf(module));
  std::optional<ModuleAxisInfo> axes;
  llvm::SmallPtrSet<const void*, 4> foreign; // names of operations that were refused
  std::optional<PassFailure> failure;
  // With the layout that is there and the one that would be accepted, where it is known.
  auto refuse = [&](Operation* op, std::string why, Attribute has = {}, Attribute accepted = {}) {
    if (why.empty()) return;
    PassFailure made{
        FailureKind::Invalid, inProgram(op->getLoc()), std::move(why), has, accepted, {}, {}};
    if (failure)
      failure->others.push_back(std::move(made));
    else
      failure = std::move(made);
  };
  auto refuseTarget = [&](Operation* op) {
    llvm::StringRef needed = neededFor(op, isAmd);
    if (needed.empty() || !foreign.insert(op->getName().getAsOpaquePointer()).second) return;
    refuse(op, needed.str());
    (failure->others.empty() ? *failure : failure->others.back()).kind = FailureKind::OtherTarget;
  };
  module.walk([&](Operation* op) {
    refuseTarget(op);
    refuse(op, whyNoFloat8(op));
    refuse(op, whyNoAtomic(op, isAmd));
    refuse(op, whyNoBufferAccess(op));
    refuse(op, whyNoStoreFromShared(op));
    if (isDirectCopy(op)) {
      if (!axes) axes.emplace(module);
      refuse(op, whyNoDirectCopy(op, *axes));
    }
    if (auto descriptor = dyn_cast<tt::MakeTensorDescOp>(op); descriptor && isAmd)
      refuse(op, whyNoDataMover(descriptor));
    if (auto scan = dyn_cast<tt::ScanOp>(op); scan && backEnd == BackEndOf::Triton)
      refuse(op, whyNoScan(scan));
    if (auto product = dyn_cast<ttng::WarpGroupDotOp>(op)) {
      std::string why = whyNoWarpGroupInstruction(product);
      if (why.empty()) refuse(op, whyNoSharedOperands(product));
      refuse(op, std::move(why), product.getD().getType().getEncoding(),
             warpGroupEncoding(product));
    }
    refuse(op, whyNoTensorCoreOperands(op));
    refuse(op, whyNoAllocation(op));
    if (auto convert = dyn_cast<tt::FpToFpOp>(op)) refuse(op, whyNoConversion(convert, isAmd));
    if (auto count = dyn_cast<tt::HistogramOp>(op)) refuse(op, whyNoHistogram(count));
    if (auto code = dyn_cast<tt::ElementwiseInlineAsmOp>(op)) refuse(op, whyNoAssembly(code));
    if (auto product = dyn_cast<tt::DotScaledOp>(op)) refuse(op, whyNoScaledMfma(product));
    if (auto product = dyn_cast<tt::DotOp>(op)) {
      refuse(op, whyNoMfmaInstruction(product), product.getType().getEncoding(),
             mfmaEncoding(product));
      refuse(op, whyNoWmmaInstruction(product));
      auto [has, accepted] = mmaOperand(product);
      refuse(op, whyNoMmaOperands(product), has, accepted);
      refuse(op, whyNoFmaDot(product, isAmd));
    }
    // The end of a function that returns a value elsewhere returns poison.
    bool returnsValue = isa<tt::ReturnOp>(op) && llvm::any_of(op->getOperands(), [](Value value) {
                          return !value.getDefiningOp<ub::PoisonOp>();
                        });
    auto function =
        returnsValue ? dyn_cast<FunctionOpInterface>(op->getParentOp()) : FunctionOpInterface();
    if (function && function.isPublic()) refuse(op, kernelReturnsValue.str());
  });
  if (failure) return tl::unexpected(std::move(*failure));
  return {};
}

} // namespace gluond::passes

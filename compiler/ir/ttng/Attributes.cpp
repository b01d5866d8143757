// The checks of ttng's attributes and types.
#include "ir/ttng/Attributes.h"

#include "chips/Chip.h"
#include "chips/MemorySizes.h"
#include "ir/ttng/Dialect.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/DialectImplementation.h>

#include "ir/ttng/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttng/Attributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/ttng/Types.cpp.inc"

using namespace mlir;

namespace gluond::ttng {

using EmitError = function_ref<InFlightDiagnostic()>;

void TTNGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ttng/Attributes.cpp.inc"
      >();
}
void TTNGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/ttng/Types.cpp.inc"
      >();
}

FailureOr<ttg::CGAEncodingAttr> parseCGALayoutRankTwo(AsmParser& parser) {
  Attribute attr;
  if (parser.parseAttribute(attr)) return failure();
  auto cga = ttg::parseCGALayout(parser, attr, /*rank=*/2);
  if (!cga) return failure();
  return cga;
}

LogicalResult CachePolicyAttr::verify(EmitError emitError, tt::CacheModifier modifier,
                                      CacheEvictionPriority l1, CacheEvictionPriority primary,
                                      CacheEvictionPriority secondary, FloatAttr fraction,
                                      IntegerAttr prefetchSize) {
  using enum CacheEvictionPriority;
  if (modifier != tt::CacheModifier::NONE && l1 != NONE)
    return emitError() << "cache modifier cannot be combined with an L1 eviction priority";
  if (primary == NO_ALLOCATE)
    return emitError() << "invalid L2 primary eviction priority '"
                       << stringifyCacheEvictionPriority(primary) << "'";
  if (primary == NONE) {
    if (secondary != NONE || fraction)
      return emitError() << "l2_secondary and l2_fraction require l2_primary";
  } else {
    if (secondary == NONE || !fraction)
      return emitError() << "L2 policy requires l2_secondary and l2_fraction";
    if (secondary != EVICT_FIRST && secondary != EVICT_UNCHANGED)
      return emitError() << "invalid L2 secondary eviction priority '"
                         << stringifyCacheEvictionPriority(secondary) << "'";
    double value = fraction.getValueAsDouble();
    if (!fraction.getType().isF32() || !(value > 0.0 && value <= 1.0))
      return emitError() << "L2 fraction must be a finite f32 in (0, 1]";
  }
  return success();
}

LogicalResult TensorMemoryEncodingAttr::verify(EmitError emitError, unsigned blockM,
                                               unsigned blockN, unsigned colStride,
                                               ttg::CGAEncodingAttr cga, bool twoCTAs,
                                               bool fp4Padded) {
  if (cga.getRank() != 2) return emitError() << "CGALayout must have rank 2";
  if (twoCTAs) {
    const auto& linear = cga.getLinearLayout();
    if (linear.totalInBits() == 0 ||
        linear.basis(layout::Dim::Block, 0) != layout::Coordinates({1, 0}))
      return emitError() << "twoCTAs layout requires the first CGALayout block basis to be [1, 0]";
  }
  if (blockM != chips::halfTensorMemoryRows && blockM != chips::tensorMemoryRows)
    return emitError() << "blockM must be " << chips::halfTensorMemoryRows << " or "
                       << chips::tensorMemoryRows << " but got " << blockM;
  if (!llvm::isPowerOf2_32(blockN))
    return emitError() << "blockN must be a power of 2 but got " << blockN;
  if (blockN > chips::tensorMemoryColumns)
    return emitError() << "blockN must be less than or equal to " << chips::tensorMemoryColumns
                       << " but got " << blockN;
  if (colStride != 1 && colStride != 2 && colStride != 4)
    return emitError() << "colStride must be 1, 2, or 4 but got " << "but got " << colStride;
  if (fp4Padded && colStride != 1)
    return emitError() << "fp4Padded tensor memory layout requires colStride 1 but got "
                       << colStride;
  return success();
}

LogicalResult TensorMemoryScalesEncodingAttr::verify(EmitError emitError, ttg::CGAEncodingAttr cga,
                                                     TensorMemoryScalesBlockRepOrder) {
  if (cga.getRank() != 2) return emitError() << "CGALayout must have rank 2";
  return success();
}

// ---------------------------------------------------------------- im2col descriptors

Type TensorDescIm2ColType::parse(AsmParser& parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto parameters = tt::parseDescriptorType(parser);
  if (!parameters) return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), parameters->shape,
                    parameters->element, parameters->layout);
}

void TensorDescIm2ColType::print(AsmPrinter& printer) const {
  tt::printDescriptorType(printer, getShape(), getElementType(), getSharedLayout());
}

LogicalResult TensorDescIm2ColType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type,
                                           Attribute) {
  if (shape.size() != 2)
    return emitError() << "TensorDescIm2ColType requires rank-2 shape, got rank " << shape.size();
  return success();
}

} // namespace gluond::ttng

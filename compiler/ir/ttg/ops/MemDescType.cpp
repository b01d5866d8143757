#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/ReleaseInForce.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttg/Types.h"
#include "ir/ttng/Attributes.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/DialectImplementation.h>

#define GET_TYPEDEF_CLASSES
#include "ir/ttg/Types.cpp.inc"

using namespace mlir;

namespace gluond::ttg {

using EmitError = function_ref<InFlightDiagnostic()>;

void TTGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/ttg/Types.cpp.inc"
      >();
}

Attribute encodingOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) return tensor.getEncoding();
  if (auto memory = dyn_cast<MemDescType>(type)) return memory.getEncoding();
  return {};
}

ArrayRef<int64_t> shapeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

bool areEquivalentMemDescTypes(Type a, Type b) {
  if (a == b) return true;
  auto x = dyn_cast<MemDescType>(a), y = dyn_cast<MemDescType>(b);
  if (!x || !y || x.getShape() != y.getShape() || x.getAllocShape() != y.getAllocShape() ||
      x.getElementType() != y.getElementType() || x.getMemorySpace() != y.getMemorySpace() ||
      x.getMutableMemory() != y.getMutableMemory())
    return false;
  if (!x.getEncoding() || !y.getEncoding()) return false;
  auto* interface = tt::inferLayout(x.getEncoding());
  return interface && succeeded(interface->verifyEqual(x.getShape(), x.getEncoding(),
                                                       y.getEncoding(), std::nullopt));
}

bool areEquivalentMemDescTypes(TypeRange inferred, TypeRange actual) {
  return inferred.size() == actual.size() &&
         llvm::all_of(llvm::zip(inferred, actual), [](auto pair) {
           return areEquivalentMemDescTypes(std::get<0>(pair), std::get<1>(pair));
         });
}

// ---------------------------------------------------------------- text

Type MemDescType::parse(AsmParser& parser) {
  SmallVector<int64_t> shape, allocShape;
  Type element;
  Attribute encoding, memorySpace;
  bool isMutable = false;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() || parser.parseAttribute(encoding) ||
      parser.parseComma() || parser.parseAttribute(memorySpace))
    return {};
  auto parseAllocShape = [&] {
    return parser.parseDimensionList(allocShape, /*allowDynamic=*/false, /*withTrailingX=*/false);
  };
  if (succeeded(parser.parseOptionalComma())) {
    isMutable = succeeded(parser.parseOptionalKeyword("mutable"));
    if (!isMutable || succeeded(parser.parseOptionalComma()))
      if (parseAllocShape()) return {};
  }
  if (parser.parseGreater()) return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), shape, element,
                    encoding, memorySpace, isMutable, allocShape.empty() ? shape : allocShape);
}

void MemDescType::print(AsmPrinter& printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType();
  if (getEncoding()) printer << ", " << getEncoding();
  if (getMemorySpace()) printer << ", " << getMemorySpace();
  if (getMutableMemory()) printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    llvm::interleave(getAllocShape(), printer, "x");
  }
  printer << '>';
}

// ---------------------------------------------------------------- checks

FailureOr<SmallVector<int64_t>> getTMABlockShape(ArrayRef<int64_t> shapePerCTA,
                                                 unsigned elementBits, unsigned swizzleBytes,
                                                 bool fp4Padded, bool transposed, bool packedSize,
                                                 TMAMode mode, EmitError emitError) {
  bool im2col = mode == TMAMode::Im2Col;
  SmallVector<int64_t> block(shapePerCTA);
  size_t contiguous = transposed ? 0 : block.size() - 1;
  if (fp4Padded) block[contiguous] *= 2;
  for (auto [i, size] : llvm::enumerate(block)) {
    if (im2col && i != contiguous) {
      // All pixels must fit one message: offsets of a second one would depend on the tensor's
      // padding.
      if (size <= chips::tmaMostPixels) continue;
      if (emitError)
        emitError() << "im2col mode: pixelsPerColumn dimension " << size
                    << " exceeds the maximum supported value of " << chips::tmaMostPixels;
      return failure();
    }
    size = std::min(size, chips::tmaMostBoxSize);
  }
  if (swizzleBytes != 0) {
    int64_t swizzled = 8 * static_cast<int64_t>(swizzleBytes) / elementBits;
    if (block[contiguous] < swizzled) {
      if (emitError && im2col)
        emitError() << "im2col mode: block shape along the contiguous dimension " << contiguous
                    << " is too small for the swizzle byte size " << swizzleBytes << ", got "
                    << block[contiguous] << " but expected at least " << swizzled;
      else if (emitError)
        emitError() << "block shape along the contiguous dimension " << contiguous
                    << " is too small for the swizzle byte size " << swizzleBytes
                    << " in an NVMMASharedLayout, got " << block[contiguous]
                    << " but expected at least " << swizzled;
      return failure();
    }
    block[contiguous] = swizzled;
  }
  if (fp4Padded && packedSize) block[contiguous] /= 2;
  return block;
}

namespace {

// The fields of a memory descriptor type being checked.
struct MemDescFields {
  EmitError emitError;
  ArrayRef<int64_t> shape;
  Type element;
  Attribute encoding, memorySpace;
  ArrayRef<int64_t> allocShape;

  LogicalResult verifyTensorMemory(ttng::TensorMemoryEncodingAttr tmem) const {
    if (!isa_and_nonnull<ttng::TensorMemorySpaceAttr>(memorySpace))
      return emitError() << "memorySpace must be TensorMemorySpace";
    unsigned bits = tt::bitWidth(element);
    if (bits < 8)
      return emitError() << "tensor-memory element type bit width must be at least 8; got " << bits;
    if (bits * tmem.getColStride() > 32)
      return emitError() << "bitwidth * colStride must be less than or equal to 32. Got " << bits
                         << " and " << tmem.getColStride();
    auto alloc = dropPipeliningDim(allocShape, tmem);
    auto split = tmem.getCGALayout().getCTASplitNum();
    int64_t rows = int64_t(tmem.getBlockM()) * split[0];
    int64_t columns = std::min<int64_t>(tmem.getBlockN(), shape.back()) * split[1];
    if (shape.drop_back().back() < rows || shape.back() < columns)
      return emitError() << "the tensor shape must be at least " << rows << "x" << columns
                         << ". Got " << shape;
    const layout::LinearLayout& linear = ir::toLinearLayout(alloc, tmem);
    auto sizes = linear.outSizes();
    if (!linear.valid())
      return emitError() << "no tensor memory layout fits an allocation of shape " << alloc;
    if (ArrayRef<int64_t>(sizes) != alloc)
      return emitError() << "allocation shape must be equal to " << sizes[0] << "x" << sizes[1];
    return success();
  }

  LogicalResult verifyScales(ttng::TensorMemoryScalesEncodingAttr) const {
    if (!isa_and_nonnull<ttng::TensorMemorySpaceAttr>(memorySpace))
      return emitError() << "memorySpace must be TensorMemorySpace";
    if (allocShape.size() != 2)
      return emitError() << "Scales don't currently support multibuffering";
    if (tt::bitWidth(element) != 8) return emitError() << "bitwidth must be 8";
    return success();
  }

  LogicalResult verifySizes(ArrayRef<int64_t> sizes) const {
    for (auto [dim, expected, got] :
         llvm::enumerate(dropPipeliningDim(allocShape, encoding), sizes))
      if (expected != got)
        return emitError() << "Mismatch in expected shape for dimension " << dim
                           << ". Expected: " << expected << ", got: " << got;
    return success();
  }

  LogicalResult verifyShared() const {
    if (!isa_and_nonnull<SharedMemorySpaceAttr>(memorySpace))
      return emitError() << "memorySpace must be SharedMemorySpace for shared encoding. " << "Got "
                         << memorySpace;
    unsigned bits = tt::bitWidth(element);
    if (bits % 8 != 0)
      return emitError() << "shared-memory element type bit width must be a multiple of 8; got "
                         << bits;
    if (auto padded = dyn_cast<PaddedSharedEncodingAttr>(encoding))
      return verifySizes(padded.getLinearComponent().outSizes());
    if (auto linear = dyn_cast<SharedLinearEncodingAttr>(encoding))
      return verifySizes(linear.getLinearLayout().outSizes());
    if (auto nvmma = dyn_cast<NVMMASharedEncodingAttr>(encoding)) {
      auto perCTA = getShapePerCTA(encoding, allocShape);
      return getTMABlockShape(dropPipeliningDim(ArrayRef<int64_t>(perCTA), encoding),
                              nvmma.getElementBitWidth(), nvmma.getSwizzlingByteWidth(),
                              nvmma.getFp4Padded(), nvmma.getTransposed(),
                              /*packedSize=*/false, TMAMode::Tiled, emitError);
    }
    return success();
  }
};

} // namespace

LogicalResult MemDescType::verify(EmitError emitError, ArrayRef<int64_t> shape, Type element,
                                  Attribute encoding, Attribute memorySpace, bool,
                                  ArrayRef<int64_t> allocShape) {
  if (shape.empty()) return emitError() << "rank 0 memdesc is not allowed";
  if (!element.isIntOrFloat() && !isa<tt::PointerType>(element))
    return emitError() << "element type must be an integer, float or pointer; got " << element;
  unsigned bits = tt::bitWidth(element);
  if (bits != 1 && bits < 8)
    return emitError() << "element type bit width must be 1 or at least 8; got " << bits;
  if (llvm::is_contained(shape, 0)) return emitError() << "shape has 0 dimension";
  if (llvm::is_contained(allocShape, 0)) return emitError() << "alloc shape has 0 dimension";
  if (allocShape.size() < shape.size())
    return emitError() << "alloc shape must have at least as many dimensions as shape";
  auto layout = dyn_cast_if_present<LayoutEncodingTrait>(encoding);
  bool isShared = isa_and_nonnull<SharedEncodingTrait>(encoding);
  auto tmem = dyn_cast_if_present<ttng::TensorMemoryEncodingAttr>(encoding);
  auto scales = dyn_cast_if_present<ttng::TensorMemoryScalesEncodingAttr>(encoding);
  if (!layout || !(isShared || tmem || scales))
    return emitError() << encoding << " is not a valid encoding";
  size_t rank = layout.getRank();
  if (tmem && shape.size() != 2 && shape.size() != 3) return emitError() << "rank must be 2 or 3";
  if (isShared && rank != shape.size() && rank + 1 != shape.size())
    return emitError() << "rank must be equal to or one less than " << "the shape size. Got "
                       << rank << " and " << shape.size();
  if (scales && shape.size() != 2)
    return emitError() << "tensor-memory scale descriptors must have rank 2; " << "got "
                       << shape.size();
  // Only the number of pipeline stages may be something else.
  auto isPowerOfTwo = [](int64_t size) {
    return size > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(size));
  };
  bool hasAnySize =
      isShared && tt::follows(releases::Rule::BuffersHaveAnySize, encoding.getContext());
  auto checked = [&](ArrayRef<int64_t> sizes) {
    return hasAnySize ? sizes.drop_front() : dropPipeliningDim(sizes, encoding);
  };
  if (!llvm::all_of(checked(shape), isPowerOfTwo))
    return emitError() << "shape must have power-of-2 and non-zero dimensions; got " << shape;
  if (!llvm::all_of(checked(allocShape), isPowerOfTwo))
    return emitError() << "alloc shape must have power-of-2 and non-zero dimensions; got "
                       << allocShape;
  for (auto [size, alloc] : llvm::zip(shape, allocShape.take_back(shape.size())))
    if (size > alloc)
      return emitError() << "shape must be less than or equal to allocShape. "
                         << "shape = " << shape << ", allocShape = " << allocShape;
  MemDescFields fields{emitError, shape, element, encoding, memorySpace, allocShape};
  if (tmem) return fields.verifyTensorMemory(tmem);
  if (scales) return fields.verifyScales(scales);
  return fields.verifyShared();
}

} // namespace gluond::ttg

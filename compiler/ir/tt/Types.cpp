#include "ir/tt/Types.h"

#include "ir/tt/Dialect.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/DialectImplementation.h>

using namespace mlir;

namespace gluond::tt {

Type signless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth()) : type;
}

Type withSign(Type type, bool isSigned) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer) return type;
  return IntegerType::get(type.getContext(), integer.getWidth(),
                          isSigned ? IntegerType::Signed : IntegerType::Unsigned);
}

static Type sameShape(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(element)) : element;
}

Type pointeeType(Type type) {
  Type element = getElementTypeOrSelf(type);
  auto pointer = dyn_cast<PointerType>(element);
  return pointer ? sameShape(type, pointer.getPointeeType()) : type;
}

Type i1SameShape(Type type) {
  return sameShape(type, IntegerType::get(type.getContext(), 1));
}

Type pointerSameShape(Type type) {
  // Verifiers call this on any operand: a type that cannot be pointed to is returned
  // unchanged.
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrFloat()) return type;
  return sameShape(type, PointerType::get(element));
}

unsigned bitWidth(Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : pointerBitWidth;
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee,
                                  PtrAddrSpace) {
  if (!pointee.isIntOrFloat())
    return emitError() << "pointer types must point to integer or floating-point types";
  return success();
}

Type PointerType::parse(AsmParser& parser) {
  Type pointee;
  auto space = PtrAddrSpace::Global;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(pointee)) return {};
  if (succeeded(parser.parseOptionalComma())) {
    SMLoc spaceLoc = parser.getCurrentLocation();
    int64_t number = 0;
    if (parser.parseInteger(number)) return {};
    auto known = symbolizePtrAddrSpace(static_cast<uint32_t>(number));
    if (!known) {
      parser.emitError(spaceLoc, "unknown address space ") << number;
      return {};
    }
    space = *known;
  }
  if (parser.parseGreater()) return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), pointee, space);
}

void PointerType::print(AsmPrinter& printer) const {
  printer << '<' << getPointeeType();
  if (getAddressSpace() != PtrAddrSpace::Global)
    printer << ", " << static_cast<uint32_t>(getAddressSpace());
  printer << '>';
}

LogicalResult verifyDescriptorType(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (isa<RankedTensorType>(element))
    return emitError()
           << "tensor descriptors must not wrap tensor types; use !tt.tensordesc<shape x "
              "element-type[, layout]> instead";
  return success();
}

LogicalResult TensorDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<int64_t>, Type element, Attribute) {
  return verifyDescriptorType(emitError, element);
}

std::optional<DescriptorParameters> parseDescriptorType(AsmParser& parser) {
  DescriptorParameters result;
  if (parser.parseLess() || parser.parseDimensionList(result.shape, /*allowDynamic=*/false) ||
      parser.parseType(result.element))
    return std::nullopt;
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(result.layout))
    return std::nullopt;
  if (parser.parseGreater()) return std::nullopt;
  return result;
}

void printDescriptorType(AsmPrinter& printer, ArrayRef<int64_t> shape, Type element,
                         Attribute layout) {
  printer << '<';
  for (int64_t size : shape)
    printer << size << 'x';
  printer << element;
  if (layout) printer << ", " << layout;
  printer << '>';
}

Type TensorDescType::parse(AsmParser& parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto parameters = parseDescriptorType(parser);
  if (!parameters) return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), parameters->shape,
                    parameters->element, parameters->layout);
}

void TensorDescType::print(AsmPrinter& printer) const {
  printDescriptorType(printer, getShape(), getElementType(), getSharedLayout());
}

} // namespace gluond::tt

#include "ir/tt/Enums.cpp.inc"
#include "ir/tt/TypeInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tt/Types.cpp.inc"

namespace gluond::tt {
void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/tt/Types.cpp.inc"
      >();
}
} // namespace gluond::tt

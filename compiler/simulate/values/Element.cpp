#include "simulate/values/Element.h"

#include "ir/tt/Types.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/TypeUtilities.h>

namespace gluond::simulate {
using namespace mlir;

static std::optional<Element> ofInteger(unsigned bits) {
  switch (bits) {
  case 1:
    return Element::I1;
  case 8:
    return Element::I8;
  case 16:
    return Element::I16;
  case 32:
    return Element::I32;
  case 64:
    return Element::I64;
  default:
    return std::nullopt;
  }
}

std::optional<Element> elementOf(Type type) {
  using Result = std::optional<Element>;
  return llvm::TypeSwitch<Type, Result>(getElementTypeOrSelf(type))
      .Case([](IntegerType integer) { return ofInteger(integer.getWidth()); })
      .Case<IndexType, tt::PointerType>([](auto) -> Result { return Element::I64; })
      .Case([](Float16Type) -> Result { return Element::F16; })
      .Case([](BFloat16Type) -> Result { return Element::BF16; })
      .Case([](Float32Type) -> Result { return Element::F32; })
      .Case([](Float64Type) -> Result { return Element::F64; })
      .Case([](Float8E4M3FNType) -> Result { return Element::E4M3; })
      .Case([](Float8E5M2Type) -> Result { return Element::E5M2; })
      .Case([](Float8E4M3FNUZType) -> Result { return Element::E4M3Z; })
      .Case([](Float8E5M2FNUZType) -> Result { return Element::E5M2Z; })
      .Case([](Float8E8M0FNUType) -> Result { return Element::E8M0; })
      .Default([](Type) -> Result { return std::nullopt; });
}

} // namespace gluond::simulate

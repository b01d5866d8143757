// The elements of the simulator's tensors: the element types of the IR, as they lie in memory.
//
// Pointers and indices are 64-bit integers, an i1 takes a byte. Packed fp4 is an i8, as in the IR.
#pragma once

#include <cstdint>
#include <optional>

namespace mlir {
class Type;
}

namespace gluond::simulate {

enum class Element : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  E4M3,  // fp8e4nv: no infinity
  E5M2,  // fp8e5
  E4M3Z, // fp8e4b8 and fp8e5b16 of CDNA3: no infinity, no negative zero
  E5M2Z,
  E8M0, // a scale: a power of two
};

constexpr unsigned bytesOf(Element element) {
  constexpr uint8_t bytes[] = {1, 1, 2, 4, 8, 2, 2, 4, 8, 1, 1, 1, 1, 1};
  return bytes[static_cast<unsigned>(element)];
}
constexpr bool isFloat(Element element) {
  return element >= Element::F16;
}
// Returns the element type of a scalar or tensor type, or nullopt if it is no type of numbers.
std::optional<Element> elementOf(mlir::Type type);

} // namespace gluond::simulate

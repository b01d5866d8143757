// The elements of a tensor in the order in which threads hold them: what operations see that work
// on several registers of a thread at once.
#pragma once

#include <mlir/IR/BuiltinTypes.h>

#include <cstdint>
#include <vector>

namespace gluond::simulate {

struct RegisterOrder {
  size_t registers = 1, lanes = 1, warps = 1; // of a thread, of a warp, of a CTA
  std::vector<uint32_t> elements;             // thread by thread, in row-major order of the tensor
  size_t threads() const { return elements.size() / registers; }
};
// If the layout is not known, one thread has all elements.
RegisterOrder registerOrder(mlir::RankedTensorType type);

// Which CTAs of a cluster hold the elements of a tensor.
struct Homes {
  std::vector<uint8_t> first; // the first CTA of each element, in row-major order
  uint32_t copies = 0;        // bits of a CTA's number that tell copies of the same elements apart
};
Homes homesOf(mlir::RankedTensorType type);

} // namespace gluond::simulate

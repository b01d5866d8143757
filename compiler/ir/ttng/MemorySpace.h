// Whether a buffer lies in tensor memory rather than in shared memory.
#pragma once

#include "ir/ttg/Types.h"
#include "ir/ttng/Dialect.h"

namespace gluond::ttng {

inline bool isTensorMemory(ttg::MemDescType type) {
  return mlir::isa_and_nonnull<TensorMemorySpaceAttr>(type.getMemorySpace());
}
inline bool isTensorMemory(mlir::Value buffer) {
  return isTensorMemory(mlir::cast<ttg::MemDescType>(buffer.getType()));
}

} // namespace gluond::ttng

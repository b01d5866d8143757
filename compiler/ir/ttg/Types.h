// Types of `ttg`: memory descriptors and tokens.
#pragma once

#include "ir/ttg/Attributes.h"

#include <mlir/IR/BuiltinTypes.h>

#define GET_TYPEDEF_CLASSES
#include "ir/ttg/Types.h.inc"

namespace gluond::ttg {

// The encoding of a tensor or memory descriptor; null, or empty, for other types.
mlir::Attribute encodingOf(mlir::Type type);
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);

// Whether two descriptors are equal up to the spelling of an equivalent layout.
bool areEquivalentMemDescTypes(mlir::Type a, mlir::Type b);
bool areEquivalentMemDescTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

// Whether elements are contiguous: all of a one-dimensional buffer that is not swizzled.
bool isContiguousSharedMemory(MemDescType type);

// The block of one TMA message that moves `shapePerCTA`, in elements; fails, reporting through
// emitError if it is set, where the shape is too small for the swizzle.
enum class TMAMode { Tiled, Im2Col };
mlir::FailureOr<llvm::SmallVector<int64_t>>
getTMABlockShape(llvm::ArrayRef<int64_t> shapePerCTA, unsigned elementBits, unsigned swizzleBytes,
                 bool fp4Padded, bool transposed, bool packedSize, TMAMode mode,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace gluond::ttg

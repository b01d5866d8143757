// Types of `tt`: pointers and tensor descriptors, and types derived from them.
#pragma once

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Types.h>

#include "ir/tt/Enums.h.inc"

namespace gluond::tt {
// Returns an integer type without its sign; other types unchanged.
mlir::Type signless(mlir::Type type);
// Returns an integer type with a sign; other types unchanged.
mlir::Type withSign(mlir::Type type, bool isSigned);
} // namespace gluond::tt

#include "ir/tt/TypeInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tt/Types.h.inc"

namespace gluond::tt {
constexpr unsigned pointerBitWidth = 64;

// The pointee type of a pointer or tensor of pointers, with the same shape and encoding. Returns
// other types unchanged.
mlir::Type pointeeType(mlir::Type type);
// i1, or a tensor of i1 of the same shape and encoding.
mlir::Type i1SameShape(mlir::Type type);
// Pointer to `type` in global memory, or a tensor of such pointers of the same shape and encoding.
mlir::Type pointerSameShape(mlir::Type type);
// The bit width of an integer, float, or pointer.
unsigned bitWidth(mlir::Type type);

// What the two descriptor types (this one and ttng's im2col one) share: `<128x64xf16, #shared>`.
struct DescriptorParameters {
  llvm::SmallVector<int64_t> shape;
  mlir::Type element;
  mlir::Attribute layout; // null if not given
};
std::optional<DescriptorParameters> parseDescriptorType(mlir::AsmParser& parser);
void printDescriptorType(mlir::AsmPrinter& printer, llvm::ArrayRef<int64_t> shape,
                         mlir::Type element, mlir::Attribute layout);
llvm::LogicalResult verifyDescriptorType(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                         mlir::Type element);
} // namespace gluond::tt

// Types of `tt`: pointers and tensor descriptors, and the types that follow from them.
#pragma once

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Types.h>

#include "ir/tt/Enums.h.inc"

namespace gluond::tt {
// An integer type without its sign; other types as they are.
mlir::Type signless(mlir::Type type);
// An integer type with a sign; other types as they are.
mlir::Type withSign(mlir::Type type, bool isSigned);
} // namespace gluond::tt

#include "ir/tt/TypeInterfaces.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tt/Types.h.inc"

namespace gluond::tt {
constexpr unsigned pointerBitWidth = 64;

// Of a pointer or tensor of pointers: what it points to, as a value of the same shape and encoding.
// Of another type: the type itself.
mlir::Type pointeeType(mlir::Type type);
// i1, or a tensor of i1 of the same shape and encoding.
mlir::Type i1SameShape(mlir::Type type);
// Pointer to `type` in global memory, or a tensor of such pointers of the same shape and encoding.
mlir::Type pointerSameShape(mlir::Type type);
// Bits of an integer, float, or pointer.
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

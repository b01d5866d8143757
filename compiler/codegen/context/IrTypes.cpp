// From language types and layouts to MLIR's.
#include "codegen/context/CodegenContext.h"
#include "ir/gluon/Dialect.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Types.h"
#include "ir/ttng/Dialect.h"
#include "language/types/LayoutBridge.h"
#include "language/types/LayoutClass.h"
#include "language/types/TypeContext.h"

#include <mlir/IR/Builders.h>

namespace gluond::codegen {

using language::LayoutObject;
using language::ScalarKind;
using language::Type;
using language::TypeKind;

static mlir::Type scalarIrType(ScalarKind kind, mlir::Builder& builder) {
  mlir::MLIRContext* context = builder.getContext();
  switch (kind) {
  case ScalarKind::Void:
    return builder.getNoneType();
  case ScalarKind::Int1:
    return builder.getI1Type();
  case ScalarKind::Int8:
  case ScalarKind::UInt8:
    return builder.getI8Type();
  case ScalarKind::Int16:
  case ScalarKind::UInt16:
    return builder.getI16Type();
  case ScalarKind::Int32:
  case ScalarKind::UInt32:
    return builder.getI32Type();
  case ScalarKind::Int64:
  case ScalarKind::UInt64:
    return builder.getI64Type();
  case ScalarKind::Fp8e4b15:
    return builder.getI8Type(); // MLIR has no such float
  case ScalarKind::Fp8e4nv:
    return mlir::Float8E4M3FNType::get(context);
  case ScalarKind::Fp8e4b8:
    return mlir::Float8E4M3FNUZType::get(context);
  case ScalarKind::Fp8e5:
    return mlir::Float8E5M2Type::get(context);
  case ScalarKind::Fp8e5b16:
    return mlir::Float8E5M2FNUZType::get(context);
  case ScalarKind::Fp16:
    return builder.getF16Type();
  case ScalarKind::Bf16:
    return builder.getBF16Type();
  case ScalarKind::Fp32:
    return builder.getF32Type();
  case ScalarKind::Fp64:
    return builder.getF64Type();
  }
  return {};
}

// Whether tensors and memory can hold values of this type. A program may put any type into another
// (gl.block_type(gl.tuple_type([]), [2]) is a value), but only these have a representation.
static bool isElement(const Type* type) {
  return type->isPointer() || (type->isScalar() && !type->isScalar(ScalarKind::Void));
}

mlir::Type CodegenContext::notRepresentable(const Type* type) {
  if (!typeError_)
    typeError_ = "type " + language::str(type, names_) + " has no representation in a kernel";
  return {};
}

mlir::Type CodegenContext::makeIrType(const Type* type) {
  mlir::Builder builder(mlir_.get());
  switch (type->kind()) {
  case TypeKind::Pointer: {
    bool isPointee = type->element()->isScalar() || type->element()->isPointer();
    mlir::Type element = isPointee ? irType(type->element()) : mlir::Type();
    if (!element) return notRepresentable(type);
    return tt::PointerType::get(element, type->isConstPointer() ? tt::PtrAddrSpace::Constant
                                                                : tt::PtrAddrSpace::Global);
  }
  case TypeKind::Tensor: {
    mlir::Type element = isElement(type->element()) ? irType(type->element()) : mlir::Type();
    if (!element) return notRepresentable(type);
    mlir::Attribute layout = type->layout() ? encoding(type->layout()) : mlir::Attribute();
    if (type->layout() && !layout) return {};
    return mlir::RankedTensorType::get(type->shape(), element, layout);
  }
  case TypeKind::SharedMemoryDescriptor:
  case TypeKind::TensorMemoryDescriptor: {
    bool shared = type->is(TypeKind::SharedMemoryDescriptor);
    const Type* held = type->element();
    mlir::Type element =
        isElement(held) && (shared || held->isScalar()) ? irType(held) : mlir::Type();
    if (!element) return notRepresentable(type);
    mlir::Attribute layout = encoding(type->layout());
    mlir::Attribute space = shared ? mlir::Attribute(ttg::SharedMemorySpaceAttr::get(mlir_.get()))
                                   : mlir::Attribute(ttng::TensorMemorySpaceAttr::get(mlir_.get()));
    if (!layout) return {};
    mlir::Location nowhere = mlir::UnknownLoc::get(mlir_.get());
    mlir::ScopedDiagnosticHandler keep(mlir_.get(), [&](mlir::Diagnostic& said) {
      if (!typeError_) typeError_ = said.str();
      return mlir::success();
    });
    return ttg::MemDescType::getChecked([&] { return mlir::emitError(nowhere); }, mlir_.get(),
                                        type->shape(), element, layout, space, true,
                                        type->allocShape());
  }
  case TypeKind::TensorDescriptor: {
    const Type* block = type->element();
    mlir::Type element = isElement(block->element()) ? irType(block->element()) : mlir::Type();
    if (!element) return notRepresentable(type);
    mlir::Attribute layout = type->layout() ? encoding(type->layout()) : mlir::Attribute();
    if (type->layout() && !layout) return {};
    bool isSigned = block->element()->isSignedInt();
    if (type->descriptorKind() == language::DescriptorKind::Im2Col)
      return ttng::TensorDescIm2ColType::get(block->shape(), element, layout, isSigned);
    return tt::TensorDescType::get(block->shape(), element, layout, isSigned);
  }
  case TypeKind::Opaque:
    if (type->opaqueKind() == language::OpaqueKind::ClcResult) return builder.getIntegerType(128);
    return irType(type->element());
  default:
    return notRepresentable(type);
  }
}

mlir::Type CodegenContext::irType(const Type* type) {
  if (type->isScalar()) {
    mlir::Type& result = scalars_[static_cast<unsigned>(type->scalarKind())];
    if (!result) {
      mlir::Builder builder(mlir_.get());
      result = scalarIrType(type->scalarKind(), builder);
    }
    return result;
  }
  type = types_.import(type); // the slots of others are for other threads
  const void*& slot = type->irSlot();
  if (slot) return mlir::Type::getFromOpaquePointer(slot);
  mlir::Type made = makeIrType(type);
  if (!layoutError_ && !typeError_)
    slot = made.getAsOpaquePointer(); // mistakes are reported again in every kernel
  return made;
}

mlir::IntegerAttr CodegenContext::integer(const llvm::APInt& value) {
  auto make = [&] {
    return mlir::IntegerAttr::get(mlir::IntegerType::get(mlir_.get(), value.getBitWidth()), value);
  };
  if (value.getBitWidth() > 64) return make();
  mlir::IntegerAttr& known = integers_[{value.getZExtValue(), value.getBitWidth()}];
  if (!known) known = make();
  return known;
}

mlir::Type CodegenContext::truthType(mlir::RankedTensorType type) {
  mlir::Type& known = truths_[type];
  if (!known)
    known = mlir::RankedTensorType::get(type.getShape(), mlir::IntegerType::get(mlir_.get(), 1),
                                        type.getEncoding());
  return known;
}

mlir::Attribute CodegenContext::makeEncoding(const LayoutObject& object) {
  switch (object.cls->kind) {
  case language::LayoutKind::AutoLayout:
    return gluon::AutoEncodingAttr::get(mlir_.get());
  case language::LayoutKind::CoalescedLayout:
    return gluon::CoalescedEncodingAttr::get(mlir_.get());
  default:
    break;
  }
  auto made = language::toLayout(object);
  if (!made) {
    layoutError_ = {&object, made.error()};
    return {};
  }
  return ir::fromLayout(mlir_.get(), *made);
}

mlir::Attribute CodegenContext::encoding(const LayoutObject* layout) {
  mlir::Attribute& result = encodings_[layout];
  if (!result) {
    mlir::Attribute made = makeEncoding(*layout);
    if (!made) return made;
    return encodings_[layout] = made; // makeEncoding may have grown the map
  }
  return result;
}

const LayoutObject* CodegenContext::layoutOf(mlir::Attribute encoding, bool isRubin) {
  if (!encoding) return nullptr;
  auto [it, isNew] = layouts_.try_emplace({encoding, isRubin});
  if (!isNew) return it->second;
  const LayoutObject* object = nullptr;
  if (llvm::isa<gluon::AutoEncodingAttr>(encoding))
    object = language::makeLayoutUnchecked(language::LayoutKind::AutoLayout, {}, heap_);
  else if (llvm::isa<gluon::CoalescedEncodingAttr>(encoding))
    object = language::makeLayoutUnchecked(language::LayoutKind::CoalescedLayout, {}, heap_);
  else
    object = language::toObject(ir::toLayout(encoding), heap_, isRubin);
  if (object) object = types_.layout(object);
  return layouts_[{encoding, isRubin}] = object;
}

} // namespace gluond::codegen

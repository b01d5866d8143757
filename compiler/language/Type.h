// Types: dtypes, pointers, tensors with layouts, memory descriptors, tuples.
//
// Types are immutable and interned in a TypeContext, so two types are equal iff their pointers are.
// (Layouts inside types are interned as well: TypeContext keeps one LayoutObject for equal ones.)
// Names and mangled text are Triton's: they are part of the `source` stage.
#pragma once

#include "language/Value.h"

#include <string>

namespace gluond::language {

enum class TypeKind : uint8_t {
  Scalar,                 // dtype: int1 .. uint64, fp8 .. fp64, void
  Pointer,                // pointer_type(element, const)
  Tensor,                 // distributed_type(element, shape, layout); block_type when layout is null
  SharedMemoryDescriptor, // (element, shape, layout, alloc_shape)
  TensorMemoryDescriptor, // likewise, Blackwell
  TensorDescriptor,       // host-made TMA descriptor: block tensor type, rank, layout
  Tuple,                  // element types, optional field names
  Constexpr,              // the type of a compile-time value: the value itself
  Aggregate,              // class and the types of its fields
  Slice,
  Opaque,                 // a builtin's own handle type (async tokens, clc results, ...), named by `name`
};

enum class ScalarKind : uint8_t {
  Void, Int1, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
  Fp8e4b15, Fp8e4nv, Fp8e4b8, Fp8e5, Fp8e5b16, Fp16, Bf16, Fp32, Fp64,
};

// What is known of a dtype; one row of the table in Type.cpp.
struct ScalarInfo {
  ScalarKind kind;
  llvm::StringLiteral name;    // "fp16": dtype.name, launch records
  llvm::StringLiteral mangled; // "fp16", "i32", "u8": in callees' names and signatures
  llvm::StringLiteral attribute; // "float16": as gl.float16 spells it
  unsigned bits;               // primitive_bitwidth
  unsigned mantissa;           // fp_mantissa_width, 0 for integers
  bool isFloat, isSigned;
};
const ScalarInfo& scalarInfo(ScalarKind kind);

class Type {
public:
  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }

  // Scalar.
  bool isScalar() const { return is(TypeKind::Scalar); }
  ScalarKind scalarKind() const { return scalar_; } // Scalar only
  bool isScalar(ScalarKind kind) const { return isScalar() && scalar_ == kind; }

  // The element of a pointer, tensor, descriptor; null otherwise.
  const Type* element() const { return element_; }
  // The dtype below a tensor (a scalar or pointer); the type itself when it is no tensor.
  const Type* scalar() const { return is(TypeKind::Tensor) ? element_ : this; }
  bool isTensor() const { return is(TypeKind::Tensor); }
  bool isPointer() const { return is(TypeKind::Pointer); }
  bool isConstPointer() const { return isPointer() && flag_; }

  // Tensor and memory descriptors.
  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  llvm::ArrayRef<int64_t> allocShape() const { return allocShape_; } // memory descriptors
  const LayoutObject* layout() const { return layout_; }
  int64_t numel() const;

  // Tuple, Aggregate: types (and names) of the parts.
  llvm::ArrayRef<const Type*> elements() const { return elements_; }
  llvm::ArrayRef<Name> fields() const { return fields_; }
  ClassObject* aggregateClass() const { return class_; }

  // Constexpr.
  Value constant() const { return constant_; }

private:
  friend class TypeContext;
  TypeKind kind_ = TypeKind::Scalar;
  ScalarKind scalar_ = ScalarKind::Void;
  bool flag_ = false;
  const Type* element_ = nullptr;
  llvm::ArrayRef<int64_t> shape_, allocShape_;
  const LayoutObject* layout_ = nullptr;
  llvm::ArrayRef<const Type*> elements_;
  llvm::ArrayRef<Name> fields_;
  ClassObject* class_ = nullptr;
  Value constant_;
  llvm::StringRef name_;
};

} // namespace gluond::language

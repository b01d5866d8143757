// Types: dtypes, pointers, tensors with layouts, memory descriptors, tuples.
//
// Types are immutable and interned in a TypeContext. Two types are equal iff `same(a, b)`: the
// pointers are equal, or they differ only in how a layout was spelled ([1, 0] or (1, 0)), which
// shows in mangled names but is one type to Triton. Scalars are shared by all contexts; other types
// never leave their context except through TypeContext::import. Names and mangled text are
// Triton's, because they are part of the `source` stage.
#pragma once

#include "language/values/Value.h"

#include <string>

namespace gluond::language {

enum class TypeKind : uint8_t {
  Scalar,  // dtype: int1 .. uint64, fp8 .. fp64, void
  Pointer, // pointer_type(element, const)
  Tensor,  // distributed_type(element, shape, layout); block_type when layout is null
  SharedMemoryDescriptor, // (element, shape, layout, alloc_shape)
  TensorMemoryDescriptor, // the same, for Blackwell
  TensorDescriptor, // TMA or TDM descriptor: block type, tuple types of shape and strides, layout
  Tuple,            // element types, optional field names
  Constexpr,        // the type of a compile-time value: the value itself
  Aggregate,        // class and the types of its fields
  Slice,
  Opaque, // a builtin's own handle type, distinguished by OpaqueKind
};

enum class ScalarKind : uint8_t {
  Void,
  Int1,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Fp8e4b15,
  Fp8e4nv,
  Fp8e4b8,
  Fp8e5,
  Fp8e5b16,
  Fp16,
  Bf16,
  Fp32,
  Fp64,
};
inline constexpr unsigned scalarKindCount = 19;

// Memory of a TypeContext that is part of a type. Only the context makes it, from a copy of its own
// or for a type dropped after the run, so that no type that outlives the program refers to the
// program's heap.
template <typename T> class Owned {
public:
  constexpr Owned() = default;
  constexpr const T& get() const { return value_; }

private:
  friend class TypeContext;
  constexpr explicit Owned(T value) : value_(value) {}
  T value_{};
};

// The three descriptor classes: hopper.tma's two and cdna5.tdm's.
enum class DescriptorKind : uint8_t { Tiled, Im2Col, Tdm };

enum class OpaqueKind : uint8_t {
  WarpgroupMmaAccumulator, // element() is the tensor it will become
  ClcResult,               // i128: blackwell.clc
};

// The properties of a dtype; one row of the table in Type.cpp.
struct ScalarInfo {
  ScalarKind kind;
  llvm::StringLiteral name;      // "fp16": dtype.name, launch records
  llvm::StringLiteral mangled;   // "fp16", "i32", "u8": in callees' names and signatures
  llvm::StringLiteral attribute; // "float16": as gl.float16 spells it
  unsigned bits;                 // primitive_bitwidth
  unsigned mantissa;             // fp_mantissa_width, 0 for integers
  bool isFloat, isSigned;
  bool isInt() const { return !isFloat && kind != ScalarKind::Void; }
};
const ScalarInfo& scalarInfo(ScalarKind kind);
// Finds a dtype by dtype.name ("fp16") or gl's attribute ("float16"); false and Void if none.
bool findScalar(llvm::StringRef name, ScalarKind& kind);

class Type {
public:
  TypeKind kind() const { return kind_; }
  bool is(TypeKind kind) const { return kind_ == kind; }

  // Scalar.
  bool isScalar() const { return is(TypeKind::Scalar); }
  ScalarKind scalarKind() const { return scalar_; } // scalars only
  bool isScalar(ScalarKind kind) const { return isScalar() && scalar_ == kind; }
  const ScalarInfo& info() const { return scalarInfo(scalar_); } // scalars only
  bool isInt() const { return isScalar() && info().isInt(); }
  bool isFloat() const { return isScalar() && info().isFloat; }
  bool isSignedInt() const { return isScalar() && info().isSigned; }
  bool isUnsignedInt() const { return isInt() && !info().isSigned; }
  bool isBool() const { return isScalar(ScalarKind::Int1); }
  bool isFp8() const {
    return isScalar() && scalar_ >= ScalarKind::Fp8e4b15 && scalar_ <= ScalarKind::Fp8e5b16;
  }
  bool isStandardFloat() const { return isScalar() && scalar_ >= ScalarKind::Fp16; }
  unsigned bits() const { return info().bits; } // scalars only

  // The element of a pointer, tensor or memory descriptor; the block type of a tensor descriptor;
  // null for other types.
  const Type* element() const { return element_; }
  // The element type of a tensor (a scalar or pointer); for other types, the type itself.
  const Type* scalar() const { return is(TypeKind::Tensor) ? element_ : this; }
  bool isTensor() const { return is(TypeKind::Tensor); }
  bool isPointer() const { return is(TypeKind::Pointer); }
  bool isConstPointer() const { return isPointer() && flag_; }

  // For tensors and memory descriptors.
  llvm::ArrayRef<int64_t> shape() const { return shape_.get(); }
  llvm::ArrayRef<int64_t> allocShape() const { return allocShape_.get(); } // for memory descriptors
  // For tensor memory: the shape was a gl.tuple rather than a list, which shows in mangled names.
  bool allocShapeIsTuple() const { return flag_; }
  const LayoutObject* layout() const { return layout_.get(); }
  unsigned rank() const { return static_cast<unsigned>(shape().size()); }
  // The product of the shape, limited to INT64_MAX, or 0 if a size is not positive.
  int64_t numel() const;

  // For Tuple and Aggregate: types (and names) of the parts. For TensorDescriptor: the tuple types
  // of shape and strides.
  llvm::ArrayRef<const Type*> elements() const { return elements_.get(); }
  llvm::ArrayRef<Name> fields() const {
    return fields_.get();
  } // for Tuple: empty unless it is a namedtuple's
  const ClassObject* aggregateClass() const { return class_; }

  DescriptorKind descriptorKind() const { return static_cast<DescriptorKind>(scalar_); }
  OpaqueKind opaqueKind() const { return static_cast<OpaqueKind>(scalar_); }

  // For Constexpr.
  Value constant() const { return constant_.get(); }

  // The nesting depth of the type: 0 for a scalar.
  unsigned depth() const { return depth_; }
  static constexpr unsigned maxDepth = 200; // TypeContext refuses deeper types

  // A slot for the cached IR type (the owner of the TypeContext pairs it with one MLIRContext). Not
  // used for scalars, which threads share.
  const void*& irSlot() const { return ir_; }

  friend bool same(const Type* a, const Type* b) {
    return a == b || (a && b && a->canonical() == b->canonical());
  }

private:
  friend class TypeContext;
  friend struct ScalarTypes;
  constexpr Type() = default;
  const Type* canonical() const { return canonical_ ? canonical_ : this; }

  TypeKind kind_ = TypeKind::Scalar;
  ScalarKind scalar_ = ScalarKind::Void; // also DescriptorKind, OpaqueKind
  bool flag_ = false;
  bool transient_ = false; // refers to a run's heap; dropped by TypeContext::endRun
  uint16_t depth_ = 0;
  unsigned hash_ = 0;
  const void* home_ = nullptr; // the TypeContext that made it; null for scalars
  const Type* element_ = nullptr;
  Owned<llvm::ArrayRef<int64_t>> shape_, allocShape_;
  Owned<const LayoutObject*> layout_;
  Owned<llvm::ArrayRef<const Type*>> elements_;
  Owned<llvm::ArrayRef<Name>> fields_;
  const ClassObject* class_ = nullptr; // belongs to the run
  Owned<Value> constant_;
  const Type* canonical_ = nullptr; // null if it is canonical itself
  mutable const void* ir_ = nullptr;
  mutable Owned<llvm::StringRef> mangled_;
};
bool same(const Type* a, const Type* b);

// The rank of a scalar in implicit casts of numbers: bool < integer < float.
enum class ScalarRank : uint8_t { Boolean, Integral, Floating };
inline ScalarRank rankOf(const Type* scalar) {
  return scalar->isBool()  ? ScalarRank::Boolean
         : scalar->isInt() ? ScalarRank::Integral
                           : ScalarRank::Floating;
}

// Each dtype exists once and is shared by all threads.
const Type* scalarType(ScalarKind kind);

// str(type), as in Triton's messages.
std::string str(const Type* type, const Interner& names);

} // namespace gluond::language

#include "language/types/Type.h"

#include "language/types/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::language {

static constexpr ScalarInfo scalars[] = {
    {ScalarKind::Void, "void", "V", "void", 0, 0, false, false},
    {ScalarKind::Int1, "int1", "u1", "int1", 1, 0, false, false},
    {ScalarKind::Int8, "int8", "i8", "int8", 8, 0, false, true},
    {ScalarKind::Int16, "int16", "i16", "int16", 16, 0, false, true},
    {ScalarKind::Int32, "int32", "i32", "int32", 32, 0, false, true},
    {ScalarKind::Int64, "int64", "i64", "int64", 64, 0, false, true},
    {ScalarKind::UInt8, "uint8", "u8", "uint8", 8, 0, false, false},
    {ScalarKind::UInt16, "uint16", "u16", "uint16", 16, 0, false, false},
    {ScalarKind::UInt32, "uint32", "u32", "uint32", 32, 0, false, false},
    {ScalarKind::UInt64, "uint64", "u64", "uint64", 64, 0, false, false},
    {ScalarKind::Fp8e4b15, "fp8e4b15", "fp8e4b15", "float8e4b15", 8, 3, true, false},
    {ScalarKind::Fp8e4nv, "fp8e4nv", "fp8e4nv", "float8e4nv", 8, 3, true, false},
    {ScalarKind::Fp8e4b8, "fp8e4b8", "fp8e4b8", "float8e4b8", 8, 3, true, false},
    {ScalarKind::Fp8e5, "fp8e5", "fp8e5", "float8e5", 8, 2, true, false},
    {ScalarKind::Fp8e5b16, "fp8e5b16", "fp8e5b16", "float8e5b16", 8, 2, true, false},
    {ScalarKind::Fp16, "fp16", "fp16", "float16", 16, 10, true, false},
    {ScalarKind::Bf16, "bf16", "bf16", "bfloat16", 16, 7, true, false},
    {ScalarKind::Fp32, "fp32", "fp32", "float32", 32, 23, true, false},
    {ScalarKind::Fp64, "fp64", "fp64", "float64", 64, 52, true, false},
};
static_assert(std::size(scalars) == scalarKindCount);

const ScalarInfo& scalarInfo(ScalarKind kind) {
  return scalars[static_cast<unsigned>(kind)];
}

bool findScalar(llvm::StringRef name, ScalarKind& kind) {
  for (const ScalarInfo& info : scalars)
    if (info.name == name || info.attribute == name) {
      kind = info.kind;
      return true;
    }
  kind = ScalarKind::Void;
  return false;
}

struct ScalarTypes {
  Type types[scalarKindCount];
  constexpr ScalarTypes() {
    for (unsigned i = 0; i < scalarKindCount; ++i)
      types[i].scalar_ = static_cast<ScalarKind>(i);
  }
};
static constinit const ScalarTypes scalarTypes;

const Type* scalarType(ScalarKind kind) {
  return &scalarTypes.types[static_cast<unsigned>(kind)];
}

int64_t Type::numel() const {
  uint64_t product = 1;
  for (int64_t size : shape())
    product = llvm::SaturatingMultiply(product, size > 0 ? static_cast<uint64_t>(size) : 0);
  return static_cast<int64_t>(std::min(product, static_cast<uint64_t>(INT64_MAX)));
}

// gl.tuple's str(): the items as strings.
static void printTritonTuple(llvm::raw_ostream& os, llvm::ArrayRef<int64_t> shape) {
  os << "[";
  llvm::interleaveComma(shape, os, [&](int64_t size) { os << "'" << size << "'"; });
  os << "]";
}

static void printList(llvm::raw_ostream& os, llvm::ArrayRef<int64_t> shape) {
  os << "[";
  llvm::interleaveComma(shape, os);
  os << "]";
}

static void print(llvm::raw_ostream& os, const Type* type, const Interner& names) {
  switch (type->kind()) {
  case TypeKind::Scalar:
    os << type->info().name;
    break;
  case TypeKind::Pointer:
    os << (type->isConstPointer() ? "const_pointer<" : "pointer<");
    print(os, type->element(), names);
    os << ">";
    break;
  case TypeKind::Tensor:
    os << "<";
    printTritonTuple(os, type->shape());
    os << ", ";
    print(os, type->element(), names);
    if (type->layout()) os << ", " << repr(*type->layout());
    os << ">";
    break;
  case TypeKind::SharedMemoryDescriptor:
  case TypeKind::TensorMemoryDescriptor: {
    bool shared = type->is(TypeKind::SharedMemoryDescriptor);
    os << (shared ? "shared_memory_descriptor<" : "tensor_memory_descriptor<");
    print(os, type->element(), names);
    os << ", ";
    printList(os, type->shape());
    os << ", " << repr(*type->layout());
    if (shared) {
      os << ", ";
      printList(os, type->allocShape());
    }
    os << ">";
    break;
  }
  case TypeKind::TensorDescriptor:
    os << (type->descriptorKind() == DescriptorKind::Im2Col ? "tensor_descriptor_im2col<"
                                                            : "tensor_descriptor<");
    print(os, type->element(), names);
    os << ", " << repr(*type->layout()) << ">";
    break;
  case TypeKind::Tuple:
    os << "[";
    for (size_t i = 0; i < type->elements().size(); ++i) {
      if (i) os << ",";
      if (i < type->fields().size()) os << names.text(type->fields()[i]) << ":";
      print(os, type->elements()[i], names);
    }
    os << "]";
    break;
  case TypeKind::Constexpr:
    os << "constexpr_type[" << str(type->constant(), names) << "]";
    break;
  case TypeKind::Aggregate:
    os << type->aggregateClass()->qualname;
    break;
  case TypeKind::Slice:
    os << "slice_type";
    break;
  case TypeKind::Opaque:
    if (type->opaqueKind() == OpaqueKind::ClcResult) {
      os << "clc_result";
      break;
    }
    os << "warpgroup_mma_accumulator<";
    print(os, type->element(), names);
    os << ">";
    break;
  }
}

std::string str(const Type* type, const Interner& names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, type, names);
  return text;
}

} // namespace gluond::language

#include "language/types/Type.h"

#include "language/types/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::language {

static constexpr ScalarInfo scalars[] = {
#define SCALAR(kind, ...) {ScalarKind::kind, __VA_ARGS__},
#include "language/types/Scalars.def"
#undef SCALAR
};
static_assert([] {
  for (unsigned i = 0; i < scalarKindCount; ++i)
    if (scalars[i].kind != static_cast<ScalarKind>(i)) return false;
  return std::size(scalars) == scalarKindCount;
}());

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

#include "lsp/features/completion/ValueMembers.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace lang = gluond::language;
using codegen::FactKind;
using codegen::TypeFact;

TypeClass classOfDtype(llvm::StringRef dtype) {
  if (dtype.starts_with("*")) return TypeClass::Pointer;
  if (dtype.contains("float")) return TypeClass::Float;
  return dtype.contains("int") ? TypeClass::Integer : TypeClass::Unknown;
}

TypeClass classOfTypeOf(const TypeFact& value) {
  switch (value.kind) {
  case FactKind::Tensor:
    return TypeClass::Tensor;
  case FactKind::MemoryDescriptor:
    return value.isTensorMemory ? TypeClass::TensorMemory : TypeClass::SharedMemory;
  case FactKind::TensorDescriptor:
    return TypeClass::Descriptor;
  case FactKind::Accumulator:
    return TypeClass::Accumulator;
  case FactKind::Scalar:
  case FactKind::Pointer:
    return classOfDtype(value.dtype);
  default:
    return TypeClass::Unknown;
  }
}

TypeClass classOfType(const TypeFact& type) {
  // The text of a type with a shape is "float16[64, 64]", and its layout follows.
  auto [element, rest] = llvm::StringRef(type.text).split('[');
  if (rest.empty() || element.contains('<')) return classOfDtype(type.dtype);
  return rest.rtrim().ends_with("]") && !rest.contains("Layout") ? TypeClass::Block
                                                                 : TypeClass::Tensor;
}

TypeClass classOfObjects(lang::ModuleId objects) {
  switch (objects) {
  case lang::ModuleId::shared_memory_descriptor:
    return TypeClass::SharedMemory;
  case lang::ModuleId::tensor_memory_descriptor:
    return TypeClass::TensorMemory;
  case lang::ModuleId::tensor_descriptor:
    return TypeClass::Descriptor;
  default:
    return TypeClass::Unknown;
  }
}

// evaluate/triton/TypeAttributes gives values to the same members.
bool isMemberOfType(llvm::StringRef member, TypeClass of) {
  auto isOneOf = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::is_contained(names, member);
  };
  bool isOfBuffers =
      isOneOf({"element_ty", "shape", "layout", "alloc_shape", "nbytes_per_cta", "mangle"});
  bool isScalar = of == TypeClass::Integer || of == TypeClass::Float;
  bool isBlock = of == TypeClass::Block || of == TypeClass::Tensor;
  switch (of) {
  case TypeClass::SharedMemory:
  case TypeClass::TensorMemory:
    return isOfBuffers;
  case TypeClass::Descriptor:
    return isOneOf({"block_type", "layout", "nbytes_per_cta", "mangle"});
  case TypeClass::Accumulator:
    return isOneOf({"tensor_type", "mangle"});
  default:
    break;
  }
  if (isOneOf({"alloc_shape", "block_type", "tensor_type"})) return false;
  if (of == TypeClass::Unknown) return member != "nbytes_per_cta";
  if (isOneOf({"primitive_bitwidth", "itemsize", "codegen_name"})) return isScalar;
  if (isOneOf({"int_bitwidth", "int_signedness"})) return of == TypeClass::Integer;
  if (isOneOf({"get_int_max_value", "get_int_min_value"})) return of == TypeClass::Integer;
  if (isOneOf({"fp_mantissa_width", "exponent_bias"})) return of == TypeClass::Float;
  if (isOneOf({"shape", "numel", "nbytes", "get_block_shapes", "with_element_ty"})) return isBlock;
  if (isOneOf({"layout", "nbytes_per_cta"})) return of == TypeClass::Tensor;
  if (member == "element_ty") return isBlock || of == TypeClass::Pointer;
  return true;
}

bool isMemberOfTensor(llvm::StringRef member, const TypeFact* value) {
  auto isOneOf = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::is_contained(names, member);
  };
  // Triton's language has them, Gluon refuses them.
  if (isOneOf({"advance", "argmax", "argmin", "histogram", "view"})) return false;
  if (!value) return true;
  bool isPointer = classOfDtype(value->dtype) == TypeClass::Pointer;
  bool isAtomic = member.starts_with("atomic_") || member == "store";
  if (isAtomic) return isPointer;
  size_t rank = value->shape.size();
  if (member == "T") return rank == 2;
  if (member == "split") return rank > 0 && value->shape.back() == 2;
  if (member == "item") return llvm::all_of(value->shape, [](int64_t size) { return size == 1; });
  if (member == "softmax" && rank < 2) return false;
  // Any layout may be chosen for one that is not known.
  llvm::StringRef layout = value->layout;
  if (member == "expand_dims" && !layout.contains("AutoLayout") && !layout.contains("SliceLayout"))
    return false;
  if (rank == 0 && isOneOf({"associative_scan",
                            "broadcast_to",
                            "cumprod",
                            "cumsum",
                            "expand_dims",
                            "flip",
                            "gather",
                            "histogram",
                            "max",
                            "min",
                            "permute",
                            "ravel",
                            "reduce",
                            "reduce_or",
                            "reshape",
                            "softmax",
                            "sort",
                            "sum",
                            "trans",
                            "xor_sum"}))
    return false;
  if (isPointer)
    return isOneOf({"broadcast_to", "cast", "dtype", "expand_dims", "item", "numel", "permute",
                    "ravel", "reshape", "shape", "to", "trans", "type"});
  if (isOneOf({"logical_and", "logical_or"})) return value->dtype == "int1";
  bool isFloat = classOfDtype(value->dtype) == TypeClass::Float;
  if (isOneOf({"cdiv", "reduce_or", "xor_sum"})) return !isFloat;
  bool isWide = value->dtype == "float32" || value->dtype == "float64";
  if (isOneOf({"ceil", "cos", "erf", "exp", "exp2", "floor", "log", "log2", "rsqrt", "sigmoid",
               "sin", "softmax", "sqrt", "sqrt_rn"}))
    return isWide;
  return true;
}

} // namespace gluond::lsp

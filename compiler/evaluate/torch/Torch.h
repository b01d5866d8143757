// torch, abstractly: tensors with a shape, strides, a dtype, an alignment and no values; dtypes;
// devices; factories.
//
// A number that is not known is nullopt; a tensor whose rank is not known has no shape at all.
// Addresses are not modelled beyond what specialization asks: allocations are aligned, views move
// by whole elements.
#pragma once

#include "evaluate/interpreter/NativeTables.h"
#include "language/types/Type.h"

namespace gluond::evaluate {

struct TorchDtype {
  llvm::StringLiteral name; // "float16"
  unsigned bytes;
  bool isFloat;
  language::ScalarKind scalar; // as Triton sees it
};
const TorchDtype* findTorchDtype(llvm::StringRef name); // aliases too ("half", "torch.half")

struct DtypeObject : HostObject {
  const TorchDtype* dtype;
};
extern const HostClass dtypeClass;
Value dtypeValue(Interpreter& in, const TorchDtype& dtype);
// A dtype given as torch.float16, gl.float16, float, "float16"; null: not known.
const TorchDtype* asDtype(Interpreter& in, Value value);

// The class of a host object (torch.Tensor, ...); Unknown when it has none that programs test for.
Value hostType(Interpreter& in, Value value);
std::optional<bool> hostIsInstance(Interpreter& in, Value value, Value cls);

// The arguments of torch's functions and methods (self is the first), constexprs as what they hold;
// Absent where not given.
Value torchArgument(const CallArguments& arguments, size_t index);
Value torchKeyword(Interpreter& in, const CallArguments& arguments, llvm::StringRef name);
Value torchArgument(Interpreter& in, const CallArguments& arguments, size_t index,
                    llvm::StringRef name); // by position or by name

using Extent = std::optional<int64_t>;

// Sums and products of sizes; nullopt where one is not known, or where they pass an int64.
inline Extent plus(Extent a, Extent b) {
  int64_t result;
  if (!a || !b || __builtin_add_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}
inline Extent times(Extent a, Extent b) {
  int64_t result;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

// A size below zero, which torch refuses, is taken for unknown: no tensor has one.
inline llvm::SmallVector<Extent, 4> sizesOf(llvm::ArrayRef<Extent> given) {
  llvm::SmallVector<Extent, 4> sizes(given);
  for (Extent& size : sizes)
    if (size && *size < 0) size.reset();
  return sizes;
}

// torch has no tensor of more dimensions.
inline constexpr size_t mostDimensions = 64;

// What a factory filled a tensor with: Constant is `low` everywhere, Range is 0, 1, 2, ..., Normal
// has mean `low` and deviation `high`, Uniform lies from `low` up to `high`.
struct TensorContents {
  enum class Kind : uint8_t { Unknown, Constant, Range, Normal, Uniform } kind = Kind::Unknown;
  double low = 0, high = 1;
};

struct TensorObject : HostObject {
  const TorchDtype* dtype;                     // null: not known
  bool hasShape = true;                        // false: rank not known
  llvm::SmallVector<Extent, 4> shape, strides; // in elements
  Extent offset = 0;                           // in elements, from the start of the allocation
  Extent storage = 0;                          // bytes of the allocation
  Value known;                                 // the Python numbers it was made from; Absent
  Value device;                                // "cuda" or "cpu" as it was given; Absent
  TensorContents contents; // of tensors fresh from a factory, and of views of them
};
extern const HostClass tensorClass;

// A new allocation, dense.
Value makeTensor(Interpreter& in, const TorchDtype* dtype, llvm::ArrayRef<Extent> shape);
Value unknownTensor(Interpreter& in, const TorchDtype* dtype);
llvm::SmallVector<Extent, 4> denseStrides(llvm::ArrayRef<Extent> shape);
// The shape given as f(2, 3), f((2, 3)) or f([2, 3]); nullopt: not known.
std::optional<llvm::SmallVector<Extent, 4>> shapeOf(Interpreter& in, Values arguments);
bool isContiguous(const TensorObject& tensor);
// data_ptr() % 16 == 0; nullopt: not known.
std::optional<bool> isAligned(const TensorObject& tensor);

// TensorDescriptor(base, shape, strides, block_shape, layout): made on the host, passed to a
// kernel.
struct HostDescriptorObject : HostObject {
  enum class Flavour : uint8_t { Tiled, Im2Col, Tdm, Triton } flavour;
  Scope* attributes; // base, shape, strides, block_shape, layout, padding, ...: plain attributes
};
extern const HostClass tensorDescriptorClass;

llvm::ArrayRef<NativeModule> torchModules();
Value tensorDescriptorModule(Interpreter& in,
                             llvm::StringRef name); // triton.tools.tensor_descriptor

// Rows of a tensor's methods (TensorMethods.cpp).
llvm::ArrayRef<NativeRow> tensorMethods();
Value tensorItem(Interpreter& in, Value self, Value index);
Value tensorBinary(Interpreter& in, int op, bool isCompare, Value left, Value right);

} // namespace gluond::evaluate

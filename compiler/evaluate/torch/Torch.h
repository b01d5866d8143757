// An abstract model of torch: tensors with a shape, strides, a dtype and an alignment but no
// values; dtypes; devices; factories.
//
// An unknown number is nullopt; a tensor of unknown rank has no shape at all. Addresses are
// modelled only as far as specialization needs: allocations are aligned, views move by whole
// elements.
#pragma once

#include "evaluate/interpreter/NativeTables.h"
#include "language/types/Type.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace gluond::evaluate {

struct TorchDtype {
  llvm::StringLiteral name; // "float16"
  unsigned bytes;
  bool isFloat;
  language::ScalarKind scalar; // the corresponding Triton dtype
  // Whether Triton has this dtype: no kernel takes a tensor of another one.
  bool isOfTriton = true;
  bool isComplex = false;
};
const TorchDtype* findTorchDtype(llvm::StringRef name); // including aliases ("half", "torch.half")
bool isNameOfTriton(llvm::StringRef dtype);             // "fp16", which is none of torch's own

struct DtypeObject : HostObject {
  const TorchDtype* dtype;
};
extern const HostClass dtypeClass;
Value dtypeValue(Interpreter& in, const TorchDtype& dtype);
// Reads torch.float16, gl.float16, float or "float16" as a dtype; null if not known.
const TorchDtype* asDtype(Interpreter& in, Value value);
Value typeInfo(Interpreter& in, const CallArguments& arguments); // torch.finfo, torch.iinfo

// Returns the class of a host object (torch.Tensor, ...), or Unknown if it is not modelled.
Value hostType(Interpreter& in, Value value);
std::optional<bool> hostIsInstance(Interpreter& in, Value value, Value cls);

// Returns an argument of a torch function or method (self is the first) with constexprs unwrapped,
// or Absent if it was not given.
Value torchArgument(const CallArguments& arguments, size_t index);
Value torchKeyword(Interpreter& in, const CallArguments& arguments, llvm::StringRef name);
Value torchArgument(Interpreter& in, const CallArguments& arguments, size_t index,
                    llvm::StringRef name); // by position or by name

// A number of elements or bytes that may not be known. As an optional in half the memory: programs
// make hundreds of thousands of tensors.
class Extent {
public:
  Extent() = default; // not known
  Extent(std::nullopt_t) {}
  Extent(int64_t value) : value_(value) {}
  Extent(std::optional<int64_t> value) : value_(value.value_or(unknown)) {}
  operator std::optional<int64_t>() const {
    return has_value() ? std::optional(value_) : std::nullopt;
  }
  bool has_value() const { return value_ != unknown; }
  explicit operator bool() const { return has_value(); }
  void reset() { value_ = unknown; }
  int64_t operator*() const { return value_; }
  int64_t value_or(int64_t other) const { return has_value() ? value_ : other; }
  friend bool operator==(Extent a, Extent b) = default;

private:
  static constexpr int64_t unknown = std::numeric_limits<int64_t>::min(); // no size, no offset
  int64_t value_ = unknown;
};
using Extents = llvm::SmallVector<Extent, 4>;

// Sums and products of sizes; nullopt if one is not known, or on overflow of int64.
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

// A negative size, which torch refuses, is treated as unknown: no tensor has one.
inline Extents sizesOf(llvm::ArrayRef<Extent> given) {
  Extents sizes(given);
  for (Extent& size : sizes)
    if (size && *size < 0) size.reset();
  return sizes;
}

// The largest number of dimensions in torch.
inline constexpr size_t mostDimensions = 64;

// How a factory filled a tensor: Constant is `low` everywhere, Range is 0, 1, 2, ..., Normal has
// mean `low` and deviation `high`, Uniform is from `low` up to `high`.
struct TensorContents {
  enum class Kind : uint8_t { Unknown, Constant, Range, Normal, Uniform } kind = Kind::Unknown;
  double low = 0, high = 1;
};

// Where a tensor certainly is; Unknown if the program does not say it. Unknown tensors are taken
// for tensors on the GPU where a program asks, because kernels get them.
enum class TensorPlace : uint8_t { Unknown, Cpu, Gpu };

struct TensorObject : HostObject {
  const TorchDtype* dtype; // null if not known
  bool hasShape = true;    // false if the rank is not known
  TensorPlace place = TensorPlace::Unknown;
  Extents shape, strides;  // in elements
  Extent offset = 0;       // in elements, from the start of the allocation
  Extent storage = 0;      // bytes of the allocation
  Value known;             // the Python numbers it was made from, or Absent
  TensorContents contents; // of tensors made by a factory, and of views of them
  Value origin;            // what autograd knows of how it was computed (Autograd.h)
};
extern const HostClass tensorClass;

// Makes a tensor in a new, dense allocation.
Value makeTensor(Interpreter& in, const TorchDtype* dtype, llvm::ArrayRef<Extent> shape);
// torch.device(...); a tensor's device; the kind of "cuda:1" or torch.device("cpu"), or "" if it is
// not known (Device.cpp).
Value torchDevice(Interpreter& in, const CallArguments& arguments);
Value deviceOf(Interpreter& in, const TensorObject& tensor);
llvm::StringRef kindOfDevice(Value device);
TensorPlace placeOfDevice(Value device);
// The results of x.max(dim) and x.sort() (ReturnTypes.cpp).
Value valuesAndIndices(Interpreter& in, Value values, Value indices);
// The same tensor on another device.
Value movedTo(Interpreter& in, const TensorObject& tensor, TensorPlace place);
Value unknownTensor(Interpreter& in, const TorchDtype* dtype);
Extents denseStrides(llvm::ArrayRef<Extent> shape);
// Reads a shape given as f(2, 3), f((2, 3)) or f([2, 3]); nullopt if it is not known.
std::optional<Extents> shapeOf(Interpreter& in, Values arguments);
bool isContiguous(const TensorObject& tensor);
// data_ptr() % 16 == 0; nullopt if not known.
std::optional<bool> isAligned(const TensorObject& tensor);

// TensorDescriptor(base, shape, strides, block_shape, layout): made on the host, passed to a
// kernel.
struct HostDescriptorObject : HostObject {
  enum class Flavour : uint8_t { Tiled, Im2Col, Tdm, Triton } flavour;
  const Scope*
      attributes; // base, shape, strides, block_shape, layout, padding, ...: plain attributes
};
extern const HostClass tensorDescriptorClass;

llvm::ArrayRef<NativeModule> torchModules();
Value tensorDescriptorModule(Interpreter& in,
                             llvm::StringRef name); // triton.tools.tensor_descriptor

// A view of the source's allocation (TensorViews.cpp).
Value alias(Interpreter& in, const TensorObject& source, Extents shape, Extents strides,
            Extent offset);
// A tensor of the source's dtype about which nothing else is known; Absent if something raised.
Value unknownLike(Interpreter& in, const TensorObject& source);

// Methods without a row, and torch's functions of the same names, by what is known of their results
// (ResultRules.cpp); the function is Absent if it is not one of them.
Value methodByOutcome(Interpreter& in, Value tensor, llvm::StringRef name);
Value functionByOutcome(Interpreter& in, llvm::StringRef name);
bool isFunctionByOutcome(const NativeFunctionObject& native);
// Whether torch raises because of a device that is none (Device.cpp).
bool refusesDevice(Interpreter& in, llvm::StringRef kind);
// Sums and products of integers are int64.
const TorchDtype* dtypeOfSums(const TorchDtype* of);

// Rows of a tensor's methods (TensorMethods.cpp), and of those that give views (ViewMethods.cpp).
llvm::ArrayRef<NativeRow> tensorMethods();
llvm::ArrayRef<NativeRow> viewMethods();
// tensor.matmul(other)
Value tensorMatmul(Interpreter& in, const CallArguments& arguments);
Value tensorItem(Interpreter& in, Value self, Value index);
Value tensorBinary(Interpreter& in, int op, bool isCompare, Value left, Value right);

} // namespace gluond::evaluate

// Readers of arguments, sizes and dimensions, which the methods of tensors share.
#pragma once

#include "evaluate/torch/Torch.h"

namespace gluond::evaluate::tensors {

inline const TensorObject& self(const CallArguments& arguments) {
  return *hostAs<TensorObject>(arguments.positional[0], tensorClass);
}
// Returns an argument other than self.
inline Value at(const CallArguments& arguments, size_t index) {
  return torchArgument(arguments, index + 1);
}
inline Value given(Interpreter& in, const CallArguments& arguments, size_t index,
                   llvm::StringRef name) {
  return torchArgument(in, arguments, index + 1, name);
}
inline Value number(Extent extent) {
  return extent ? Value::integer(*extent) : Value::unknown();
}
inline Value numbers(Interpreter& in, llvm::ArrayRef<Extent> extents) {
  llvm::SmallVector<Value, 4> items;
  for (Extent extent : extents)
    items.push_back(number(extent));
  return in.tupleOf(items);
}
inline Extent numel(const TensorObject& tensor) {
  Extent product = 1;
  if (!tensor.hasShape) return std::nullopt;
  for (Extent size : tensor.shape)
    product = times(product, size);
  return product;
}

// A new tensor, which is where the operand is.
inline Value beside(Interpreter& in, const TensorObject& operand, Value made) {
  if (TensorObject* tensor = in.writable(hostAs<TensorObject>(made, tensorClass)))
    tensor->place = operand.place;
  return made;
}
// What an operation makes of its first operand: a new tensor in the same place.
inline Value resultOf(Interpreter& in, const TensorObject& operand, const TorchDtype* dtype,
                      llvm::ArrayRef<Extent> shape) {
  return beside(in, operand, makeTensor(in, dtype, shape));
}
inline Value unknownResultOf(Interpreter& in, const TensorObject& operand,
                             const TorchDtype* dtype) {
  return beside(in, operand, unknownTensor(in, dtype));
}
// The same with the operand's shape.
inline Value shaped(Interpreter& in, const TensorObject& operand, const TorchDtype* dtype) {
  return operand.hasShape ? resultOf(in, operand, dtype, operand.shape)
                          : unknownResultOf(in, operand, dtype);
}
inline Value fresh(Interpreter& in, const TensorObject& source) {
  return shaped(in, source, source.dtype);
}
// Reads a dimension, with negative ones counted from the end; nullopt if it is not known, or after
// raising because the tensor is known to have no such dimension.
inline std::optional<size_t> dimension(Interpreter& in, const TensorObject& tensor, Value value,
                                       int64_t extra = 0) {
  if (!tensor.hasShape || !value.isIntegral()) return std::nullopt;
  int64_t rank = static_cast<int64_t>(tensor.shape.size()) + extra, dim = value.asInt();
  if (rank == 0 && (dim == 0 || dim == -1)) return std::nullopt; // torch takes both
  if (dim < 0) dim += rank;
  if (dim >= 0 && dim < rank) return static_cast<size_t>(dim);
  int64_t bound = std::max<int64_t>(rank, 1);
  in.raise("IndexError", "Dimension out of range (expected to be in range of [" +
                             llvm::Twine(-bound) + ", " + llvm::Twine(bound - 1) + "], but got " +
                             llvm::Twine(value.asInt()) + ")");
  return std::nullopt;
}

inline Value unknownOrRaised(Interpreter& in) {
  return in.failed() ? Value::absent() : Value::unknown();
}
// What torch raises for sizes that do not fit.
inline Value refuse(Interpreter& in, const llvm::Twine& message) {
  return in.raise("RuntimeError", message);
}
// "[7, 13]"
inline std::string shapeText(llvm::ArrayRef<Extent> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") + (size ? std::to_string(*size) : std::string("?"));
  return text + "]";
}
inline bool isKnown(llvm::ArrayRef<Extent> extents) {
  return llvm::all_of(extents, [](Extent each) { return each.has_value(); });
}
inline bool isWhollyKnown(const TensorObject& tensor) {
  return tensor.hasShape && isKnown(tensor.shape);
}

// Whether one tensor is on the GPU and the other on the CPU, as far as the program says.
inline bool areOnTwoDevices(const TensorObject& onGpu, const TensorObject& onCpu) {
  return onGpu.place == TensorPlace::Gpu && onCpu.place == TensorPlace::Cpu;
}
// Raises if an operation gets tensors on two devices. Those of the CPU without dimensions are
// numbers to torch.
inline bool refusesDevices(Interpreter& in, const TensorObject& a, const TensorObject& b) {
  auto isRefused = [](const TensorObject& onGpu, const TensorObject& onCpu) {
    return areOnTwoDevices(onGpu, onCpu) && onCpu.hasShape && !onCpu.shape.empty();
  };
  if (!isRefused(a, b) && !isRefused(b, a)) return false;
  refuse(in, "Expected all tensors to be on the same device, but found at least two devices, "
             "cuda:0 and cpu!");
  return true;
}

// The shape of an elementwise operation; nullopt if the sizes are known not to fit, of the
// dimension `misfit` of the result.
std::optional<Extents> broadcast(llvm::ArrayRef<Extent> a, llvm::ArrayRef<Extent> b,
                                 size_t* misfit = nullptr);
// The same; raises if they do not fit.
std::optional<Extents> broadcastOrRaise(Interpreter& in, llvm::ArrayRef<Extent> a,
                                        llvm::ArrayRef<Extent> b);
// An elementwise operation of two tensors: as tensorBinary(), but sizes that do not fit give a
// tensor of an unknown shape, for operations of which gluond does not know that they are
// elementwise.
Value combine(Interpreter& in, Value left, Value right);

} // namespace gluond::evaluate::tensors

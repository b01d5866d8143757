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

inline Value fresh(Interpreter& in, const TensorObject& source) {
  return source.hasShape ? makeTensor(in, source.dtype, source.shape)
                         : unknownTensor(in, source.dtype);
}
// Reads a dimension, with negative ones counted from the end; nullopt if it is not known.
inline std::optional<size_t> dimension(const TensorObject& tensor, Value value, int64_t extra = 0) {
  if (!tensor.hasShape || !value.isIntegral()) return std::nullopt;
  int64_t rank = static_cast<int64_t>(tensor.shape.size()) + extra, dim = value.asInt();
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank) return std::nullopt;
  return static_cast<size_t>(dim);
}

} // namespace gluond::evaluate::tensors

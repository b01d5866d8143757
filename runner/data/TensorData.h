// A tensor's memory on the host: filled before a launch, read after it.
//
// A tensor occupies its *storage*, all elements from the smallest to the largest offset that shape
// and strides reach; elements of the storage that no index reaches keep what fill() wrote.
#pragma once

#include "runner/protocol/Dtype.h"
#include "runner/protocol/Messages.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace gluond::runner {

struct TensorShape {
  const Dtype* dtype = nullptr;
  std::vector<int64_t> shape, strides;
  uint64_t elements = 0; // number of elements in the shape
  uint64_t storage = 0;  // elements of the storage
  bool isDense = false;  // the storage in order is the tensor in row-major order
};

// The error says what is wrong with the description: unknown type, negative stride, too large.
tl::expected<TensorShape, std::string> shapeOf(const Tensor& tensor);

// Returns the storage's contents before a launch; slices refer to `binary`.
tl::expected<std::string, std::string> fill(const TensorShape& shape, const Fill& how,
                                            std::string_view binary);

// Extracts the elements from the storage in row-major order.
std::string gather(const TensorShape& shape, std::string_view storage);

} // namespace gluond::runner

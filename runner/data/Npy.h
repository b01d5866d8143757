// Reads and writes NumPy's .npy files, versions 1 to 3, in memory.
//
// NumPy has no bf16 and no fp8: these are written as float32, which represents them exactly, and
// read from any number type or from raw bits (V1, V2, and u1 or u2 for the type of that size).
#pragma once

#include "runner/protocol/Dtype.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gluond::runner {

struct NpyFile {
  const Dtype* dtype = nullptr; // null for raw bits
  unsigned bytes = 0;           // per element
  std::vector<int64_t> shape;
  bool isFortran = false; // the first index varies fastest
  std::string_view data;  // a slice of the input
};

// The error is a sentence. `text` must outlive the file.
tl::expected<NpyFile, std::string> readNpy(std::string_view text);

// Returns the elements in row-major order, converted to `dtype`; the error says that shapes or
// types do not fit. If `shape` is null, any shape is accepted.
tl::expected<std::string, std::string> elementsOf(const NpyFile& file, const Dtype& dtype,
                                                  const std::vector<int64_t>* shape);

// `data` holds the elements in row-major order.
std::string writeNpy(const Dtype& dtype, const std::vector<int64_t>& shape, std::string_view data);

} // namespace gluond::runner

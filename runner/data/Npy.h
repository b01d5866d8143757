// NumPy's .npy files, versions 1 to 3, as bytes.
//
// NumPy has no bf16 and no fp8: these are written as float32, which holds them exactly, and read
// from any number type or from raw bits (V1, V2, and u1 or u2 for the type of that size).
#pragma once

#include "runner/protocol/Dtype.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gluond::runner {

struct NpyFile {
  const Dtype* dtype = nullptr; // null: raw bits
  unsigned bytes = 0;           // of an element
  std::vector<int64_t> shape;
  bool isFortran = false; // the first index runs fastest
  std::string_view data;  // in the text that was read
};

// The error is a sentence. `text` must outlive the file.
tl::expected<NpyFile, std::string> readNpy(std::string_view text);

// The elements in row-major order, as `dtype`; the error says that shapes or types do not fit.
// `shape` empty pointer: any.
tl::expected<std::string, std::string> elementsOf(const NpyFile& file, const Dtype& dtype,
                                                  const std::vector<int64_t>* shape);

// `data` holds the elements in row-major order.
std::string writeNpy(const Dtype& dtype, const std::vector<int64_t>& shape, std::string_view data);

} // namespace gluond::runner

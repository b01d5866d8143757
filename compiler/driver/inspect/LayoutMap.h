// Visualizes a layout as the user writes it: evaluates the expression and describes its mapping for
// a shape.
#pragma once

#include "chips/Chip.h"
#include "layout/picture/Picture.h"
#include "support/Interner.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

struct LayoutRequest {
  std::string
      expression; // "gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])", with or without `gl.`
  std::vector<int64_t> shape; // empty for one tile of the layout, if it has one
  std::string dtype;          // "f16", "fp16", "float16", "*fp16"; may be empty
  std::string target = chips::standardTarget.str();
};

struct LayoutMap {
  layout::LayoutPicture picture;
  std::string layout; // as its class prints it
  // The leading dimensions of a buffer with more dimensions than its layout, which count equal
  // slots. The picture shows one slot; "[3, 64, 64]" with a layout of rank 2 has 3.
  std::vector<int64_t> slots;
};
// The error is a sentence for the user.
tl::expected<LayoutMap, std::string> layoutMap(Interner& names, const LayoutRequest& request);

// Parses "32x64" or "32,64".
std::optional<std::vector<int64_t>> parseShape(llvm::StringRef text);

} // namespace gluond::driver

// The ttg dialect's cache of layouts by encoding. Not for other rooms: see Layouts.h.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <mlir/IR/BuiltinTypes.h>

#include <memory>
#include <tuple>

namespace gluond::ttg {

struct LayoutCache {
  // Values are stored through pointers so that references to them stay valid.
  llvm::DenseMap<mlir::Attribute, std::unique_ptr<layout::Layout>> layouts;
  // A ranked tensor type of i1 elements represents the pair of shape and encoding.
  llvm::DenseMap<mlir::Type, std::unique_ptr<layout::LinearLayout>> linear;
  // For memory descriptors.
  llvm::DenseMap<mlir::Type, std::unique_ptr<layout::LinearLayout>> memory;
  // Types that were found to fit a context of that many (warps, lanes, CTAs).
  llvm::DenseSet<std::pair<mlir::Type, uint64_t>> verified;
};

} // namespace gluond::ttg

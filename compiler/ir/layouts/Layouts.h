// Conversions between encodings (MLIR attributes) and layouts of the layout room.
//
// Encodings are uniqued per context, so results are computed once for each and cached in the
// context's ttg dialect: these functions may be called in inner loops. Contexts serve one thread at
// a time; so do these caches.
#pragma once

#include "ir/ttg/Types.h"
#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::ir {

// Returns the layout of an encoding of ttg or ttng; an empty one for other attributes (gluon's auto
// encodings, null).
const layout::Layout& toLayout(mlir::Attribute encoding);
// The encoding of a layout.
mlir::Attribute fromLayout(mlir::MLIRContext* context, const layout::Layout& layout);

// Returns where the elements of a tensor of `shape` are. The result is not valid() if the encoding
// does not fit the shape or is not a layout.
const layout::LinearLayout& toLinearLayout(llvm::ArrayRef<int64_t> shape, mlir::Attribute encoding);
const layout::LinearLayout& toLinearLayout(mlir::RankedTensorType type);
// The layout of a view: for shared memory that of the whole allocation, for tensor memory that of
// the view.
layout::LinearLayout toLinearLayout(ttg::MemDescType type);

// Returns the encoding for a linear layout derived from `source`: generic if that one is, else
// linear. Returns null if the linear layout can be neither.
mlir::Attribute linearEncoding(mlir::MLIRContext* context, const layout::LinearLayout& linear,
                               mlir::Attribute source);
// Whether warp bases may move along several dimensions at once: in a generic encoding, swizzled
// WMMA, and layouts derived from them.
bool isGenericLinear(mlir::Attribute encoding);

// Whether a reshape with allow_reorder between the two would have to move elements between threads,
// because they replicate along different bits, or differ in elements per thread.
bool isExpensiveView(llvm::ArrayRef<int64_t> from, mlir::Attribute fromEncoding,
                     llvm::ArrayRef<int64_t> to, mlir::Attribute toEncoding);

} // namespace gluond::ir

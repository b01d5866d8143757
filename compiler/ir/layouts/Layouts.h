// Between encodings (MLIR attributes) and the layout room.
//
// Encodings are uniqued per context, so what follows from one is worked out once and kept in the
// context's ttg dialect: these functions may be called in inner loops. Contexts serve one thread at
// a time; so do these caches.
#pragma once

#include "ir/ttg/Types.h"
#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::ir {

// The layout behind an encoding of ttg or ttng; none for other attributes (gluon's auto encodings,
// null).
const layout::Layout& toLayout(mlir::Attribute encoding);
// The encoding of a layout.
mlir::Attribute fromLayout(mlir::MLIRContext* context, const layout::Layout& layout);

// Where the elements of a tensor of `shape` are. Not valid() where the encoding does not fit the
// shape, or is none.
const layout::LinearLayout& toLinearLayout(llvm::ArrayRef<int64_t> shape, mlir::Attribute encoding);
const layout::LinearLayout& toLinearLayout(mlir::RankedTensorType type);
// Of a view: shared memory gives the layout of the whole allocation, tensor memory that of the
// view.
layout::LinearLayout toLinearLayout(ttg::MemDescType type);

// The encoding for a linear layout that came of `source`: generic where that one is, linear
// otherwise. Null where the linear layout is neither.
mlir::Attribute linearEncoding(mlir::MLIRContext* context, const layout::LinearLayout& linear,
                               mlir::Attribute source);
// Whether warp bases may move along several dimensions at once: a generic encoding, swizzled WMMA,
// and parts of them.
bool isGenericLinear(mlir::Attribute encoding);

// Whether a reshape with allow_reorder between the two would have to move elements between threads:
// they replicate along different bits, or give a thread different numbers of elements.
bool isExpensiveView(llvm::ArrayRef<int64_t> from, mlir::Attribute fromEncoding,
                     llvm::ArrayRef<int64_t> to, mlir::Attribute toEncoding);

} // namespace gluond::ir

// Encodings of `ttg`: the attributes `#ttg.blocked<...>` and the like.
#pragma once

#include "layout/linear/LinearLayout.h"

#include <mlir/IR/Attributes.h>
#include <mlir/IR/MLIRContext.h>

// Interfaces refer to CGAEncodingAttr, and encodings implement them.
// clang-format off
#define GET_ATTRDEF_CLASSES
#include "ir/ttg/CGA.h.inc"
#include "ir/ttg/AttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttg/Attributes.h.inc"
// clang-format on

namespace gluond::ttg {

// The CTA part of any layout.
CGAEncodingAttr getCGALayout(mlir::Attribute layout);
unsigned getNumCTAs(mlir::Attribute layout);

// Parses `[[0, 1], [0, 2]]` as written after `CGALayout =`; a null attribute means one CTA. Returns
// null, after reporting, if it is ill-formed.
CGAEncodingAttr parseCGALayout(mlir::AsmParser& parser, mlir::Attribute attr, unsigned rank);
void printCGALayout(mlir::AsmPrinter& printer, CGAEncodingAttr layout);

// Returns the padded layout, which may be the inner one of a partitioned layout; null for others.
PaddedSharedEncodingAttr getPaddedEncoding(mlir::Attribute encoding);

// The sizes of the dimensions that a layout describes, without pipeline dimensions before them.
template <class T>
llvm::ArrayRef<T> dropPipeliningDim(llvm::ArrayRef<T> shape, mlir::Attribute layout) {
  size_t rank = mlir::cast<LayoutEncodingTrait>(layout).getRank();
  return shape.take_back(std::min(rank, shape.size()));
}

// Divides `shape` among CTAs; if ranks differ, the last dimensions correspond.
llvm::SmallVector<int64_t> getShapePerCTA(llvm::ArrayRef<unsigned> ctaSplitNum,
                                          llvm::ArrayRef<int64_t> shape);
llvm::SmallVector<int64_t> getShapePerCTA(mlir::Attribute layout, llvm::ArrayRef<int64_t> shape);

// Gives each thread `sizePerThread` elements and distributes lanes, then warps, over the axes as
// `order` says; the rest goes to the last axis.
BlockedEncodingAttr spreadThreads(llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<unsigned> sizePerThread,
                                  llvm::ArrayRef<unsigned> order, unsigned numWarps,
                                  unsigned threadsPerWarp, CGAEncodingAttr cga);
// One element per thread, last dimension fastest, distributed over lanes, then warps, then CTAs.
BlockedEncodingAttr getDefaultBlockedEncoding(mlir::MLIRContext* context,
                                              llvm::ArrayRef<int64_t> shape, unsigned numWarps,
                                              unsigned threadsPerWarp, unsigned numCTAs);

} // namespace gluond::ttg

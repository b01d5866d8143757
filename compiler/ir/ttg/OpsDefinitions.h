// What the generated definitions of ttg's ops need beyond the ops themselves.
#pragma once

#include "ir/ttg/Ops.h"

#include <mlir/IR/DialectImplementation.h>

namespace gluond::ttg {

// `0, 16`: the offsets of memdesc_subslice.
inline mlir::ParseResult parseOffsets(mlir::OpAsmParser& parser, mlir::DenseI32ArrayAttr& attr) {
  llvm::SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList([&] { return parser.parseInteger(values.emplace_back()); }))
    return mlir::failure();
  attr = parser.getBuilder().getDenseI32ArrayAttr(values);
  return mlir::success();
}

inline void printOffsets(mlir::OpAsmPrinter& printer, mlir::Operation*,
                         mlir::DenseI32ArrayAttr attr) {
  llvm::interleaveComma(attr.asArrayRef(), printer);
}

} // namespace gluond::ttg

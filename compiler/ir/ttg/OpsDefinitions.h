// Helpers for the generated definitions of ttg's ops.
#pragma once

#include "ir/tt/EarlierSpelling.h"
#include "ir/ttg/Ops.h"

#include <mlir/IR/DialectImplementation.h>

namespace gluond::ttg {

using tt::parseHinted;
using tt::printHinted;

// The offsets of memdesc_subslice: `0, 16`.
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

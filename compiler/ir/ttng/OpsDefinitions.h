// Helpers for the generated definitions of ttng's ops.
#pragma once

#include "ir/tt/ReleaseInForce.h"
#include "ir/ttng/Ops.h"

#include <mlir/IR/DialectImplementation.h>

namespace gluond::ttng {

// token := `[` ssa-value? `]`, or nothing
inline mlir::ParseResult parseToken(mlir::OpAsmParser& parser,
                                    std::optional<mlir::OpAsmParser::UnresolvedOperand>& dep,
                                    mlir::Type& token) {
  if (failed(parser.parseOptionalLSquare())) return mlir::success();
  token = parser.getBuilder().getType<ttg::AsyncTokenType>();
  if (succeeded(parser.parseOptionalRSquare())) return mlir::success();
  return mlir::failure(parser.parseOperand(dep.emplace()) || parser.parseRSquare());
}
inline void printToken(mlir::OpAsmPrinter& printer, mlir::Operation*, mlir::Value dep,
                       mlir::Type token) {
  if (!token) return;
  printer << '[';
  if (dep) printer << dep;
  printer << ']';
}

// Where a slice of tensor memory starts: the start is N in earlier releases, and the dimension is
// left out if it is the last of two.
inline mlir::ParseResult parseSliceStart(mlir::OpAsmParser& parser,
                                         mlir::NamedAttrList& attributes) {
  return parser.parseOptionalAttrDict(attributes);
}
inline void printSliceStart(mlir::OpAsmPrinter& printer, mlir::Operation* op,
                            mlir::DictionaryAttr attributes) {
  bool startsAtColumn = tt::follows(releases::Rule::SlicesStartAtColumns, op->getContext());
  llvm::SmallVector<mlir::NamedAttribute, 2> printed;
  for (mlir::NamedAttribute attribute : attributes) {
    auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
    if (attribute.getName() == "dim" && number && number.getInt() == 1) continue;
    if (startsAtColumn && attribute.getName() == "offset")
      attribute.setName(mlir::StringAttr::get(op->getContext(), "N"));
    printed.push_back(attribute);
  }
  printer.printOptionalAttrDict(printed);
}

// (`,` ssa-value `[` ssa-value `]`)*
using Operands = llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand>;
inline mlir::ParseResult parseBarriersAndPreds(mlir::OpAsmParser& parser, Operands& barriers,
                                               Operands& preds) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(preds.emplace_back()) || parser.parseRSquare())
      return mlir::failure();
  return mlir::success();
}
inline void printBarriersAndPreds(mlir::OpAsmPrinter& printer, mlir::Operation*,
                                  mlir::OperandRange barriers, mlir::OperandRange preds) {
  for (auto [barrier, pred] : llvm::zip(barriers, preds))
    printer << ", " << barrier << '[' << pred << ']';
}

} // namespace gluond::ttng

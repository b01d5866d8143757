// The `tt` dialect: target-neutral tile operations. Names and printed text are Triton 3.9.0's.
#ifndef GLUOND_TT_DIALECT_TD
#define GLUOND_TT_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::gluond::tt";
  let summary = "Tile operations of Triton";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::ub::UBDialect"
  ];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{ void registerTypes(); }];
}

#endif

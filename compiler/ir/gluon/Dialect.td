// The `gluon` dialect: layouts yet to be chosen. Nothing of it is left after the passes to ttgir.
#ifndef GLUOND_GLUON_DIALECT_TD
#define GLUOND_GLUON_DIALECT_TD

include "ir/tt/OpBase.td"

def Gluon_Dialect : Dialect {
  let name = "gluon";
  let cppNamespace = "::gluond::gluon";
  let summary = "Layouts that Gluon infers";
  let dependentDialects = ["::gluond::tt::TTDialect", "::gluond::ttg::TTGDialect", "::mlir::gpu::GPUDialect"];
  let useDefaultAttributePrinterParser = 1;
}

// Whatever the uses and definitions of the value call for.
def Gluon_AutoEncodingAttr : AttrDef<Gluon_Dialect, "AutoEncoding"> {
  let mnemonic = "auto_encoding";
}

// What coalesces the global accesses best.
def Gluon_CoalescedEncodingAttr : AttrDef<Gluon_Dialect, "CoalescedEncoding"> {
  let mnemonic = "coalesced_encoding";
}

def Gluon_SetAutoLayoutOp : Op<Gluon_Dialect, "set_auto_layout", [
    SameOperandsAndResultShape, SameOperandsAndResultElementType, VerifyTensorLayoutsTrait]> {
  let summary = "Decides what an auto layout is";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Attribute":$encoding, "::mlir::Value":$value)>];
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif

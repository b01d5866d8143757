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

// The layout that coalesces the global accesses best.
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


// What a debugger stops at and shows. Codegen makes them only when it is asked to, so no other
// module has them; they change nothing.
def Gluon_StatementOp : Op<Gluon_Dialect, "statement"> {
  let summary = "A statement of the user's begins; with a name, the function of that name";
  let arguments = (ins OptionalAttr<StrAttr>:$function);
  let assemblyFormat = "($function^)? attr-dict";
}

// The value has parts where it is a tuple or an aggregate: a path from the variable to the part
// ("", "[0]", ".field"), its type, and how many IR values it takes. A part without any is known at
// compile time, and `texts` has what it is instead of its type.
def Gluon_VariableOp : Op<Gluon_Dialect, "variable"> {
  let summary = "A variable of the user's gets a value";
  // `type` is that of a tuple or an aggregate as a whole.
  let arguments = (ins StrAttr:$name, OptionalAttr<StrAttr>:$type, StrArrayAttr:$paths,
                       StrArrayAttr:$texts, DenseI32ArrayAttr:$counts, Variadic<AnyType>:$values);
  let assemblyFormat =
      "$name ($type^)? $paths $texts $counts ($values^ `:` type($values))? attr-dict";
}

#endif

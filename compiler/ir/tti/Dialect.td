// The part of the `tti` dialect (Triton's instrumentation) that a program itself can name: gl.fpsan.
#ifndef GLUOND_TTI_DIALECT_TD
#define GLUOND_TTI_DIALECT_TD

include "ir/tt/OpBase.td"

def TTI_Dialect : Dialect {
  let name = "tti";
  let cppNamespace = "::gluond::tti";
  let summary = "Instrumentation";
  let dependentDialects = ["::gluond::tt::TTDialect"];
}

class TTI_Elementwise<string mnemonic> : Op<TTI_Dialect, mnemonic, [
    Pure, Elementwise, SameOperandsAndResultShape, SameOperandsAndResultEncoding, VerifyTensorLayoutsTrait]> {
  let assemblyFormat = "$val attr-dict `:` functional-type(operands, $result)";
  let hasFolder = 1;
}

def TTI_FpsanEmbedOp : TTI_Elementwise<"experimental_fpsan_embed"> {
  let summary = "A float as an element of the sanitizer's ring of integers";
  let arguments = (ins TT_FloatLike:$val);
  let results = (outs TT_IntLike:$result);
}

def TTI_FpsanUnembedOp : TTI_Elementwise<"experimental_fpsan_unembed"> {
  let summary = "The float that such an integer stands for";
  let arguments = (ins TT_IntLike:$val);
  let results = (outs TT_FloatLike:$result);
}

#endif

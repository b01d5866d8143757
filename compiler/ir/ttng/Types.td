// Types of `ttng`.
#ifndef GLUOND_TTNG_TYPES_TD
#define GLUOND_TTNG_TYPES_TD

include "ir/ttng/Dialect.td"
include "ir/tt/Types.td"

def TTNG_TensorDescIm2ColType : TypeDef<TTNG_Dialect, "TensorDescIm2Col", [TT_TensorDescInterface]> {
  let mnemonic = "tensordesc_im2col";
  let summary = "Descriptor of a tensor read as the columns of a convolution";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::Attribute">:$sharedLayout);
  let builders = TT_DescriptorBuilders;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 1;
}

#endif

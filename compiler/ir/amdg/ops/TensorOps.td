// Tensors in registers: slices, concatenation, scaled conversions of packed numbers, transposed loads.
#ifndef GLUOND_AMDG_TENSOROPS_TD
#define GLUOND_AMDG_TENSOROPS_TD

include "ir/amdg/OpBase.td"

def AMDG_ExtractSliceOp : AMDG_Op<"extract_slice", [Pure]> {
  let summary = "Part of a tensor that every thread has in its own registers";
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$static_offsets);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source $static_offsets attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def AMDG_ConcatOp : AMDG_Op<"concat", [Pure]> {
  let summary = "Tiles in row-major order as one tensor, without moving elements between threads";
  let arguments = (ins Variadic<TT_Tensor>:$sources);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def AMDG_ScaledUpcastFp4Op : AMDG_Op<"scaled_upcast_fp4", [Pure]> {
  let summary = "Unpacks 4-bit floats along an axis and multiplies them by scales";
  let arguments = (ins RankedTensorOf<[I8]>:$input, RankedTensorOf<[BF16, I8]>:$scale, I32Attr:$axis);
  let results = (outs RankedTensorOf<[AnyTypeOf<[F16, BF16]>]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
  let hasVerifier = 1;
}

def AMDG_ScaledUpcastFp8Op : AMDG_Op<"scaled_upcast_fp8", [
    Pure, Elementwise, SameOperandsAndResultShape, SameOperandsAndResultEncoding]> {
  let summary = "Converts 8-bit floats and multiplies them by scales";
  let arguments = (ins RankedTensorOf<[AnyTypeOf<[F8E4M3FN, F8E5M2]>]>:$input,
                       RankedTensorOf<[AnyTypeOf<[BF16, I8]>]>:$scale);
  let results = (outs RankedTensorOf<[AnyTypeOf<[F16, BF16]>]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
}

def AMDG_ScaledDowncastFp8Op : AMDG_Op<"scaled_downcast_fp8", [Pure]> {
  let summary = "Divides by scales shared along an axis and converts to 8-bit floats";
  let arguments = (ins RankedTensorOf<[AnyTypeOf<[F16, BF16, F32]>]>:$input, RankedTensorOf<[I8]>:$scale, I32Attr:$axis);
  let results = (outs RankedTensorOf<[AnyTypeOf<[F8E4M3FN, F8E5M2]>]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
  let hasVerifier = 1;
}

def AMDG_ScaledDowncastFp4Op : AMDG_Op<"scaled_downcast_fp4", [Pure]> {
  let summary = "Divides by scales shared along an axis, converts to 4-bit floats and packs pairs of them";
  let arguments = (ins RankedTensorOf<[AnyTypeOf<[F16, BF16, F32]>]>:$input, RankedTensorOf<[I8]>:$scale, I32Attr:$axis);
  let results = (outs RankedTensorOf<[I8]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
  let hasVerifier = 1;
}

def AMDG_InThreadTransposeOp : AMDG_Op<"in_thread_transpose", [Pure]> {
  let summary = "Transposes the elements of each thread";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def AMDG_LocalLoadPackedTransposedOp : AMDG_Op<"local_load_packed_transposed", [LocalLoadTrait]> {
  let summary = "Loads packed 4-bit pairs from shared memory, packed along the other dimension";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedRead>:$src, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasVerifier = 1;
}

#endif

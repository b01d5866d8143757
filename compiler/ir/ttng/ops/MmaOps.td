// Matrix units (wgmma, tcgen05) and packed arithmetic.
#ifndef GLUOND_TTNG_MMAOPS_TD
#define GLUOND_TTNG_MMAOPS_TD

include "ir/ttng/OpBase.td"

def TTNG_PackedOperand : AnyTypeOf<[I8, F8E8M0FNU, F8E4M3FN, F8E5M2, F16, BF16, F32], "packed arithmetic operand element">;
def TTNG_PackedResult : AnyTypeOf<[F8E4M3FN, F8E5M2, F16, BF16, F32], "packed arithmetic result element">;

def TTNG_PackedArithOp : TTNG_Op<"packed_arith", [Pure]> {
  let summary = "Elementwise arithmetic on pairs or fours; int8 holds pairs of fp4";
  let arguments = (ins TTNG_PackedArithOpKind:$op_kind, Variadic<RankedTensorOf<[TTNG_PackedOperand]>>:$operands);
  let results = (outs RankedTensorOf<[TTNG_PackedResult]>:$result);
  let assemblyFormat = "$op_kind $operands attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<DotOpInterface>,
    TypesMatchWith<"result's type matches accumulator's type", "d", "c", "$_self">]> {
  let summary = "d = a * b + c by the four warps of a group";
  let arguments = (ins TTG_TensorOrMemDesc:$a, TTG_MemDescType:$b, TT_FpIntTensor:$c, Optional<I1>:$useC,
      DefaultValuedAttr<TT_InputPrecision, "::gluond::tt::InputPrecision::IEEE">:$inputPrecision,
      DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc, DefaultValuedAttr<BoolAttr, "false">:$isAsync);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*` qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>, AllTypesMatch<["inputs", "outputs"]>]> {
  let summary = "Waits until at most `pendings` dots are in flight; its results are the operands, now safe";
  let arguments = (ins Variadic<TTG_TensorOrMemDesc>:$inputs, I32Attr:$pendings, UnitAttr:$warpGroupLocal);
  let results = (outs Variadic<TTG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

def TTNG_TCGen5MMAOp : TTNG_Op<"tc_gen5_mma", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<DotOpInterface>,
    MMAv5OpInterface, PredicatedOpInterface, TTNG_HasBarrier, AttrSizedOperandSegments]> {
  let summary = "d = a * b, plus d if useD; d in tensor memory";
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, Optional<TTG_AsyncToken>:$acc_dep,
      I1:$useD, I1:$pred, Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds, UnitAttr:$is_async,
      UnitAttr:$two_ctas, UnitAttr:$multicast, UnitAttr:$is_unsigned);
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD`,` $pred
    `` custom<BarriersAndPreds>($barriers, $barrier_preds)
    attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) (`,` qualified(type($barriers))^)?
  }];
  let hasVerifier = 1;
}

def TTNG_TCGen5MMAScaledOp : TTNG_Op<"tc_gen5_mma_scaled", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<DotOpInterface, ["verifyDims", "verifyOutputDims"]>,
    MMAv5OpInterface, PredicatedOpInterface, TTNG_HasBarrier, AttrSizedOperandSegments]> {
  let summary = "The same, with a scale for every 16 or 32 elements of a and b along K";
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, Optional<TTG_AsyncToken>:$acc_dep,
      TTG_MemDescType:$a_scale, TTG_MemDescType:$b_scale, TT_ScaleDotElemType:$a_type, TT_ScaleDotElemType:$b_type,
      I1:$useD, I1:$pred, Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds, UnitAttr:$two_ctas,
      UnitAttr:$multicast, UnitAttr:$is_async);
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,` $b_scale `,` $useD `,` $pred
    `lhs` `=` $a_type `rhs` `=` $b_type `` custom<BarriersAndPreds>($barriers, $barrier_preds)
    attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) `,` qualified(type($a_scale)) `,`
    qualified(type($b_scale)) (`,` qualified(type($barriers))^)?
  }];
  // Sizes of the matrices in elements, however they are packed.
  let extraClassDeclaration = [{
    int64_t getBlockM();
    int64_t getBlockN();
    int64_t getBlockK();
  }];
  let hasVerifier = 1;
}

def TTNG_TCGen5CommitOp : TTNG_Op<"tc_gen5_commit", [AttrSizedOperandSegments, TTNG_HasBarrier, PredicatedOpInterface]> {
  let summary = "Signals a barrier when all tcgen05 work so far is done; in the CTAs that `descs` share data with, too";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$barrier, Optional<I1>:$pred,
                       Variadic<TTG_MemDescType>:$descs);
  let assemblyFormat = [{
    $barrier (`,` $pred^)? (`descs` $descs^)? attr-dict `:` qualified(type($barrier)) (`,` qualified(type($descs))^)?
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

#endif

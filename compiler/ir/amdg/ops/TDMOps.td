// Copies by descriptor, done by the tensor data mover (CDNA5).
#ifndef GLUOND_AMDG_TDMOPS_TD
#define GLUOND_AMDG_TDMOPS_TD

include "ir/amdg/OpBase.td"

defvar OptionalBarrier = Arg<Optional<TTG_MemDescType>, "", SharedWrite>;

def AMDG_AsyncTDMCopyGlobalToLocalOp : AMDG_Op<"async_tdm_copy_global_to_local", [OnBarrier]> {
  let summary = "Starts a copy of a block from global to shared memory";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalRead>:$desc, Arg<TTG_MemDescType, "", SharedWrite>:$result,
                       OptionalBarrier:$barrier, DefaultValuedAttr<TT_CacheModifier, "::gluond::tt::CacheModifier::NONE">:$cache,
                       OptionalAttr<I32Attr>:$warp_used_hint);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $desc `into` $result (`,` `barrier` `=` $barrier^)?
    attr-dict `:` qualified(type($desc)) (`,` qualified(type($barrier))^)? `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncTDMFusedCopyGlobalToLocalOp : AMDG_Op<"async_tdm_fused_copy_global_to_local", [SameVariadicOperandSize]> {
  let summary = "Starts several copies from global to shared memory as one";
  let arguments = (ins Arg<Variadic<TT_TensorDescType>, "", GlobalRead>:$descs,
                       Arg<Variadic<TTG_MemDescType>, "", SharedWrite>:$dests, DenseI32ArrayAttr:$warp_used_hints,
                       DefaultValuedAttr<TT_CacheModifier, "::gluond::tt::CacheModifier::NONE">:$cache);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = "$descs `into` $dests attr-dict `:` qualified(type($descs)) `->` qualified(type($dests))";
  let hasVerifier = 1;
}

def AMDG_AsyncTDMCopyLocalToGlobalOp : AMDG_Op<"async_tdm_copy_local_to_global", [OnBarrier]> {
  let summary = "Starts a copy of a block from shared to global memory";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalWrite>:$desc, Arg<TTG_MemDescType, "", SharedRead>:$src,
                       OptionalBarrier:$barrier, DefaultValuedAttr<TT_CacheModifier, "::gluond::tt::CacheModifier::NONE">:$cache);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $desc `from` $src (`,` `barrier` `=` $barrier^)?
    attr-dict `:` qualified(type($src)) (`,` qualified(type($barrier))^)? `->` qualified(type($desc))
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncTDMScatterOp : AMDG_Op<"async_tdm_scatter", [OnBarrier]> {
  let summary = "Starts a copy of rows from shared memory to rows of global memory picked by index";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalWrite>:$desc, TensorOf<[I16, I32]>:$dst_row_indices,
                       Arg<TTG_MemDescType, "", SharedRead>:$src, OptionalBarrier:$barrier);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = [{
    $desc `[` $dst_row_indices `]` `from` $src (`,` `barrier` `=` $barrier^)? attr-dict `:`
    qualified(type($dst_row_indices)) `,` qualified(type($src)) (`,` qualified(type($barrier))^)? `->`
    qualified(type($desc))
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncTDMGatherOp : AMDG_Op<"async_tdm_gather", [OnBarrier]> {
  let summary = "Starts a copy of rows of global memory picked by index to shared memory";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalRead>:$desc, TensorOf<[I16, I32]>:$src_row_indices,
                       Arg<TTG_MemDescType, "", SharedWrite>:$dst, OptionalBarrier:$barrier);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $desc `[` $src_row_indices `]` `to` $dst (`,` `barrier` `=` $barrier^)? attr-dict `:`
    qualified(type($src_row_indices)) `,` qualified(type($dst)) (`,` qualified(type($barrier))^)? `->`
    qualified(type($desc))
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncTDMWait : AMDG_Op<"async_tdm_wait", [MemWaitOpTrait]> {
  let summary = "Waits until at most `num` TDM operations are in flight";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "$asyncToken attr-dict";
}

def AMDG_AsyncTDMIntrinsicWait : AMDG_Op<"async_tdm_intrinsic_wait", [MemWaitOpTrait]> {
  let summary = "Waits until at most `count` TDM instructions are in flight";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$count);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

def AMDG_TDMPrefetchOp : AMDG_Op<"tdm_prefetch", [
    MemoryEffects<[MemWrite<L2Cache>]>, DeclareOpInterfaceMethods<InferTypeOpInterface>, PredicatedOpInterface]> {
  let summary = "Brings a block of global memory to the L2 cache";
  let arguments = (ins Arg<TT_TensorDescType, "", GlobalRead>:$desc, Variadic<I32>:$indices, I1:$pred,
                       BoolAttr:$speculative, OptionalAttr<UnitAttr>:$returnOffsets);
  let results = (outs Optional<TT_Tensor>:$maybeOffsets);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $pred `,` `speculative` `=` $speculative (`returnOffsets` $returnOffsets^)? attr-dict
    `:` qualified(type($desc)) (`->` type($maybeOffsets)^)?
  }];
}

def AMDG_UpdateTensorDescriptorOp : AMDG_Op<"update_tensor_descriptor", [
    Pure, AttrSizedOperandSegments, TypesMatchWith<"result type matches desc type", "desc", "result", "$_self">]> {
  let summary = "A descriptor with its position, bounds or predicate changed";
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$add_offsets, Variadic<I32>:$set_bounds,
                       Optional<I32>:$pred, UnitAttr:$clamp_bounds);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $desc oilist(`add_offsets` `=` `[` $add_offsets `]` | `set_bounds` `=` `[` $set_bounds `]` | `pred` `=` $pred)
    attr-dict `:` qualified(type($desc))
  }];
  let hasVerifier = 1;
}

#endif

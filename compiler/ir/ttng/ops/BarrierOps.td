// mbarriers, fences, cluster barriers and cluster launch control.
#ifndef GLUOND_TTNG_BARRIEROPS_TD
#define GLUOND_TTNG_BARRIEROPS_TD

include "ir/ttng/OpBase.td"

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared"> {
  let summary = "Makes writes to shared memory visible to asynchronous copies and MMAs";
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}

def TTNG_FenceMBarrierInitReleaseClusterOp : TTNG_Op<"fence_mbarrier_init_release_cluster"> {
  let summary = "Makes initialized barriers visible to the cluster";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TTNG_ClusterBarrierOp : TTNG_Op<"cluster_barrier"> {
  let summary = "All warps of the cluster meet";
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TTNG_CLCTryCancelSyncOp : TTNG_Op<"clc_try_cancel_sync"> {
  let summary = "Takes over the work of a cluster that has not started; waits for the answer";
  let results = (outs TT_Tensor:$response);
  let assemblyFormat = "attr-dict `:` type($response)";
  let hasVerifier = 1;
}

def TTNG_CLCTryCancelOp : TTNG_Op<"clc_try_cancel", [TTNG_NamesItsBarrier]> {
  let summary = "Asks to take over the work of a cluster; the answer comes to shared memory";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$result, Arg<TTG_MemDescType, "", SharedWrite>:$mbarrier);
  let assemblyFormat = "$result `,` $mbarrier attr-dict `:` qualified(type($result)) `,` qualified(type($mbarrier))";
  let hasVerifier = 1;
}

def TTNG_CLCLoadResultOp : TTNG_Op<"clc_load_result"> {
  let summary = "Loads the answer";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedRead>:$src);
  let results = (outs I128:$clcResult);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($clcResult)";
  let hasVerifier = 1;
}

def TTNG_CLCIsCanceledOp : TTNG_Op<"clc_is_canceled", [Pure]> {
  let summary = "Whether the answer is a cluster's work";
  let arguments = (ins I128:$clcResult);
  let results = (outs I1:$is_canceled);
  let assemblyFormat = "$clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)";
}

def TTNG_CLCGetProgramIdOp : TTNG_Op<"clc_get_program_id", [Pure]> {
  let summary = "A coordinate of that cluster";
  let arguments = (ins I128:$clcResult, TT_ProgramDim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)";
}

def TTNG_InitBarrierOp : TTNG_Op<"init_barrier", [TTNG_NamesItsBarrier]> {
  let summary = "Makes a barrier that expects `count` arrivals a phase";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_InvalBarrierOp : TTNG_Op<"inval_barrier", [TTNG_NamesItsBarrier]> {
  let summary = "Ends a barrier; its memory may be used again";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
}

def TTNG_BarrierExpectOp : TTNG_Op<"barrier_expect", [TTNG_NamesItsBarrier, PredicatedOpInterface]> {
  let summary = "Arrives, and has the phase wait for `size` bytes";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$alloc, I32Attr:$size, I1:$pred,
                       OptionalAttr<I32Attr>:$fromCTA);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments, TTNG_NamesItsBarrier, PredicatedOpInterface]> {
  let summary = "Waits until the phase of this parity is complete; `deps` are in use until then";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedReadWrite>:$alloc, I32:$phase, Optional<I1>:$pred,
                       Variadic<TTG_MemDescType>:$deps);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
  let hasCanonicalizeMethod = 1;
}

def TTNG_ArriveBarrierOp : TTNG_Op<"arrive_barrier", [TTNG_NamesItsBarrier, PredicatedOpInterface]> {
  let summary = "Arrives `count` times; at the barriers of several CTAs with multicastCTA";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedReadWrite>:$alloc, I32Attr:$count, Optional<I1>:$pred,
                       OptionalAttr<I32Attr>:$fromCTA, DefaultValuedOptionalAttr<I32Attr, "0">:$multicastCTA);
  let assemblyFormat = "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))";
  let extraClassDeclaration = "bool isMulticast() { return getMulticastCTA() != 0; }";
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive", [TTNG_HasBarrier]> {
  let summary = "Arrives once the thread's asynchronous copies so far are done";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

def TTNG_AsyncSharedStoreOp : TTNG_Op<"async_shared_store", [TTNG_NamesItsBarrier]> {
  let summary = "Stores a tensor to shared memory of the cluster; the barrier counts the bytes";
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDescType, "", SharedWrite>:$dst,
                       Arg<TTG_MemDescType, "", SharedWrite>:$mbarrier);
  let assemblyFormat = [{
    $src `,` $dst `,` $mbarrier attr-dict `:` type($src) `->` qualified(type($dst)) `,` qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
}

#endif

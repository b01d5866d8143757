// Barriers: mbarriers in shared memory, barriers of a cluster, barriers of part of a block.
#ifndef GLUOND_AMDG_BARRIEROPS_TD
#define GLUOND_AMDG_BARRIEROPS_TD

include "ir/amdg/OpBase.td"

def AMDG_CondBarrierOp : AMDG_Op<"cond_barrier"> {
  let summary = "A barrier for the threads for which the condition holds";
  let arguments = (ins I1:$pred);
  let assemblyFormat = "$pred attr-dict";
}

def AMDG_InitBarrierOp : AMDG_Op<"init_barrier", [OnBarrier]> {
  let summary = "Makes an mbarrier that expects `count` arrivals";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedWrite>:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def AMDG_WaitBarrierOp : AMDG_Op<"wait_barrier", [OnBarrier]> {
  let summary = "Waits until the phase of an mbarrier is over";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedReadWrite>:$alloc, I32:$phase);
  let assemblyFormat = "$alloc `,` $phase attr-dict `:` qualified(type($alloc))";
}

def AMDG_ArriveBarrierOp : AMDG_Op<"arrive_barrier", [OnBarrier]> {
  let summary = "Arrives `count` times at an mbarrier; gives the phase before";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedReadWrite>:$alloc, I32Attr:$count);
  let results = (outs I32:$result);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc)) `->` type($result)";
  let hasVerifier = 1;
}

def AMDG_AsyncCopyMbarrierArriveOp : AMDG_Op<"async_copy_mbarrier_arrive", [OnBarrier]> {
  let summary = "Arrives at an mbarrier once the asynchronous copies started before it are done";
  let arguments = (ins Arg<TTG_MemDescType, "", SharedReadWrite>:$barrier);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

def AMDG_ClusterBarrierArriveOp : AMDG_Op<"cluster_barrier_arrive"> {
  let summary = "Arrives at the cluster's barrier";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def AMDG_ClusterBarrierWaitOp : AMDG_Op<"cluster_barrier_wait"> {
  let summary = "Waits for all CTAs of the cluster to arrive";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif

// What Gluon emits of MLIR's ROCDL dialect. MLIR's own is not loaded: it has another text for this op than the MLIR that
// Triton 3.9.0 comes with, and hundreds of ops that no module of ours has.
#ifndef GLUOND_ROCDL_DIALECT_TD
#define GLUOND_ROCDL_DIALECT_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def ROCDL_Dialect : Dialect {
  let name = "rocdl";
  let cppNamespace = "::gluond::rocdl";
  let summary = "AMD intrinsics";
}

// Which instructions may cross a barrier of the scheduler: gl.amd.sched_barrier knows only "none".
def ROCDL_SchedMask : I32EnumAttr<"SchedMask", "", [I32EnumAttrCase<"NONE", 0, "none">]> {
  let cppNamespace = "::gluond::rocdl";
}

def ROCDL_SchedBarrierOp : Op<ROCDL_Dialect, "sched.barrier"> {
  let summary = "Keeps LLVM's scheduler from moving instructions across";
  let arguments = (ins ROCDL_SchedMask:$mask);
  let assemblyFormat = "$mask attr-dict";
}

#endif

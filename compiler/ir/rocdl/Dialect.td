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
  let useDefaultAttributePrinterParser = 1;
}

// The instructions that may cross a barrier of the scheduler. gl.amd.sched_barrier has only "none"; Triton's
// pipelines of plain kernels have others.
def ROCDL_SchedMask : I32BitEnumAttr<"SchedMask", "instructions", [
    I32BitEnumAttrCaseNone<"NONE", "none">,
    I32BitEnumAttrCaseBit<"NON_MEM_NON_SIDEEFFECT", 0, "non_mem_non_sideeffect">,
    I32BitEnumAttrCaseBit<"VALU", 1, "valu">,
    I32BitEnumAttrCaseBit<"SALU", 2, "salu">,
    I32BitEnumAttrCaseBit<"MFMA_WMMA", 3, "mfma_wmma">,
    I32BitEnumAttrCaseBit<"ALL_VMEM", 4, "all_vmem">,
    I32BitEnumAttrCaseBit<"VMEM_READ", 5, "vmem_read">,
    I32BitEnumAttrCaseBit<"VMEM_WRITE", 6, "vmem_write">,
    I32BitEnumAttrCaseBit<"ALL_DS", 7, "all_ds">,
    I32BitEnumAttrCaseBit<"DS_READ", 8, "ds_read">,
    I32BitEnumAttrCaseBit<"DS_WRITE", 9, "ds_write">,
    I32BitEnumAttrCaseBit<"TRANSCENDENTAL", 10, "transcendental">,
    I32BitEnumAttrCaseBit<"LDSDMA", 11, "ldsdma">]> {
  let cppNamespace = "::gluond::rocdl";
  let genSpecializedAttr = 0;
}
def ROCDL_SchedMaskAttr : EnumAttr<ROCDL_Dialect, ROCDL_SchedMask, "sched_group_mask"> {
  let assemblyFormat = "`` $value";
}

def ROCDL_SchedBarrierOp : Op<ROCDL_Dialect, "sched.barrier"> {
  let summary = "Keeps LLVM's scheduler from moving instructions across";
  let arguments = (ins ROCDL_SchedMaskAttr:$mask);
  let assemblyFormat = "custom<SchedMask>($mask) attr-dict";
}

def ROCDL_SSetPrioOp : Op<ROCDL_Dialect, "s.setprio"> {
  let summary = "Sets the priority of the wave";
  let arguments = (ins I16Attr:$priority);
  let assemblyFormat = "$priority attr-dict";
}

def ROCDL_SBarrierOp : Op<ROCDL_Dialect, "s.barrier"> {
  let summary = "Waits for all waves of the work group";
  let assemblyFormat = "attr-dict";
}

#endif

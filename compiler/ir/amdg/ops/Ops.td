// Every op of `amdg`.
#ifndef GLUOND_AMDG_OPS_TD
#define GLUOND_AMDG_OPS_TD

include "ir/amdg/ops/BufferOps.td"
include "ir/amdg/ops/TDMOps.td"
include "ir/amdg/ops/BarrierOps.td"
include "ir/amdg/ops/TensorOps.td"

#endif

// Every op of `amdg`.
#ifndef GLUOND_AMDG_OPS_TD
#define GLUOND_AMDG_OPS_TD

include "ir/amdg/BufferOps.td"
include "ir/amdg/TDMOps.td"
include "ir/amdg/BarrierOps.td"
include "ir/amdg/TensorOps.td"

#endif

// Every op of `ttg`.
#ifndef GLUOND_TTG_OPS_TD
#define GLUOND_TTG_OPS_TD

include "ir/ttg/ops/MemoryOps.td"
include "ir/ttg/ops/ComputeOps.td"
include "ir/ttg/ops/WarpOps.td"

#endif

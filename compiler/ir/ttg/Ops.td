// Every op of `ttg`.
#ifndef GLUOND_TTG_OPS_TD
#define GLUOND_TTG_OPS_TD

include "ir/ttg/MemoryOps.td"
include "ir/ttg/ComputeOps.td"
include "ir/ttg/WarpOps.td"

#endif

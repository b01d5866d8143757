// Every op of `tt`.
#ifndef GLUOND_TT_OPS_TD
#define GLUOND_TT_OPS_TD

include "ir/tt/MathOps.td"
include "ir/tt/MemoryOps.td"
include "ir/tt/ShapeOps.td"
include "ir/tt/ReduceOps.td"
include "ir/tt/DescriptorOps.td"
include "ir/tt/FuncOps.td"

#endif

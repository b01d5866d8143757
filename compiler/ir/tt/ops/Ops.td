// Every op of `tt`.
#ifndef GLUOND_TT_OPS_TD
#define GLUOND_TT_OPS_TD

include "ir/tt/ops/MathOps.td"
include "ir/tt/ops/MemoryOps.td"
include "ir/tt/ops/ShapeOps.td"
include "ir/tt/ops/ReduceOps.td"
include "ir/tt/ops/DescriptorOps.td"
include "ir/tt/ops/FuncOps.td"

#endif

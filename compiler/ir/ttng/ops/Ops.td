// All ops of `ttng`.
include "ir/ttng/ops/BarrierOps.td"
include "ir/ttng/ops/TmaOps.td"
include "ir/ttng/ops/MmaOps.td"
include "ir/ttng/ops/TmemOps.td"

// All ops of `ttng`.
include "ir/ttng/BarrierOps.td"
include "ir/ttng/TmaOps.td"
include "ir/ttng/MmaOps.td"
include "ir/ttng/TmemOps.td"

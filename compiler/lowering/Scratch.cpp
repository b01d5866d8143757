// What each op wants of shared memory for itself.
#include "lowering/Scratch.h"

#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Exchange.h"

namespace gluond::lowering {

int64_t scratchBytes(mlir::Operation* op) {
  using Bytes = int64_t (*)(mlir::Operation*);
  static const llvm::StringMap<Bytes> table = {
      {"ttg.convert_layout",
       [](mlir::Operation* op) {
         return exchangeBytes(mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType()),
                              mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType()),
                              mlir::cast<ttg::ConvertLayoutOp>(op).getForceWarpShuffle());
       }},
      {"tt.reduce", reduceScratchBytes},
      {"tt.scan", scanScratchBytes},
      {"tt.gather", gatherScratchBytes},
      {"tt.histogram", histogramScratchBytes},
      {"tt.atomic_rmw", atomicScratchBytes},
      {"tt.atomic_cas", atomicScratchBytes},
      {"tt.atomic_poll", atomicScratchBytes},
      {"ttg.local_atomic_scatter_rmw", atomicScratchBytes},
      {"ttng.tensormap_create", [](mlir::Operation*) -> int64_t { return 128; }}};
  auto found = table.find(op->getName().getStringRef());
  return found == table.end() ? 0 : found->second(op);
}

bool scratchIsWithinWarp(mlir::Operation* op) {
  auto convert = mlir::dyn_cast<ttg::ConvertLayoutOp>(op);
  return convert &&
         exchangesWithinWarp(mlir::cast<mlir::RankedTensorType>(convert.getSrc().getType()),
                             mlir::cast<mlir::RankedTensorType>(convert.getType()));
}

} // namespace gluond::lowering

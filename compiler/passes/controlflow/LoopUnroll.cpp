#include "passes/controlflow/LoopUnroll.h"

#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/SCF/Utils/Utils.h>

namespace gluond::passes {
using namespace mlir;

void unrollLoops(ModuleOp module) {
  constexpr StringLiteral factorAttr = "tt.loop_unroll_factor", stagesAttr = "tt.num_stages";
  SmallVector<std::pair<scf::ForOp, int64_t>> loops;
  module.walk([&](scf::ForOp loop) {
    auto factor = loop->getAttrOfType<IntegerAttr>(factorAttr);
    if (factor && factor.getInt() > 1) loops.emplace_back(loop, factor.getInt());
  });
  for (auto [loop, factor] : loops) {
    loop->removeAttr(factorAttr);
    auto unrolled = loopUnrollByFactor(loop, static_cast<uint64_t>(factor));
    if (failed(unrolled) || !unrolled->epilogueLoopOp) continue;
    Builder builder(module.getContext());
    (*unrolled->epilogueLoopOp)
        ->setAttr(stagesAttr, builder.getI32IntegerAttr(1)); // what is left is not pipelined
  }
}

} // namespace gluond::passes

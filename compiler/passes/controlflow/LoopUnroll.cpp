#include "passes/controlflow/LoopUnroll.h"

#include "support/Allowance.h"

#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/SCF/Utils/Utils.h>

namespace gluond::passes {
using namespace mlir;

// The limit for operations in a module; codegen has the same one.
static constexpr uint64_t mostOperations = 200'000;

static uint64_t operationsIn(Operation* op) {
  uint64_t count = 0;
  op->walk([&](Operation*) { ++count; });
  return count;
}

Result unrollLoops(ModuleOp module) {
  constexpr StringLiteral factorAttr = "tt.loop_unroll_factor", stagesAttr = "tt.num_stages";
  SmallVector<std::pair<scf::ForOp, int64_t>> loops;
  module.walk([&](scf::ForOp loop) {
    auto factor = loop->getAttrOfType<IntegerAttr>(factorAttr);
    if (factor && factor.getInt() > 1) loops.emplace_back(loop, factor.getInt());
  });
  uint64_t count = loops.empty() ? 0 : operationsIn(module);
  for (auto [loop, factor] : loops) {
    if (Spending::isSpent()) return {}; // whoever runs the pass stops, too
    uint64_t body = operationsIn(loop), copies = static_cast<uint64_t>(factor);
    // The loop for the remaining iterations is another copy.
    if (copies >= mostOperations || count + body * copies > mostOperations)
      return tl::unexpected(PassFailure{FailureKind::Unsupported,
                                        loop.getLoc(),
                                        "unrolling a loop " + std::to_string(factor) +
                                            " times makes more than 200,000 operations",
                                        {},
                                        {},
                                        {},
                                        {}});
    count += body * copies;
    loop->removeAttr(factorAttr);
    auto unrolled = loopUnrollByFactor(loop, static_cast<uint64_t>(factor));
    if (failed(unrolled) || !unrolled->epilogueLoopOp) continue;
    Builder builder(module.getContext());
    (*unrolled->epilogueLoopOp)
        ->setAttr(stagesAttr, builder.getI32IntegerAttr(1)); // the remainder is not pipelined
  }
  return {};
}

} // namespace gluond::passes

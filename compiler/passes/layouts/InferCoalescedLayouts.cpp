#include "passes/layouts/InferCoalescedLayouts.h"

#include "ir/gluon/Dialect.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"
#include "passes/layouts/CoalescedLayout.h"
#include "passes/layouts/InferLayouts.h"
#include "support/Allowance.h"

namespace gluond::passes {
using namespace mlir;

static bool isCoalesced(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<gluon::CoalescedEncodingAttr>(tensor.getEncoding());
}

static bool accessesCoalesced(Operation* op) {
  Value pointer = accessedPointer(op);
  return pointer && isCoalesced(pointer.getType()) &&
         isa<tt::PointerType>(getElementTypeOrSelf(pointer.getType()));
}

Result inferCoalescedLayouts(ModuleOp module) {
  SmallVector<Operation*> accesses;
  bool hasCalls = false;
  module.walk([&](Operation* op) {
    if (accessesCoalesced(op)) accesses.push_back(op);
    hasCalls |= isa<CallOpInterface>(op);
  });
  std::optional<ModuleAxisInfo> axes;
  if (hasCalls || !accesses.empty()) axes.emplace(module);
  unsigned threadsPerWarp = ttg::lookupThreadsPerWarp(module);
  for (auto function : module.getOps<FunctionOpInterface>()) {
    SmallVector<LayoutSeed> seeds;
    std::optional<CoalescedLayouts> layouts;
    if (axes) layouts.emplace(*axes, threadsPerWarp);
    for (Operation* access : accesses) {
      if (!function->isProperAncestor(access)) continue;
      if (Spending::isSpent()) return {}; // whoever runs the pass stops, too
      if (ttg::lookupNumCTAs(access) != 1)
        return tl::unexpected(PassFailure{FailureKind::Unsupported,
                                          access->getLoc(),
                                          "coalesced layouts need num_ctas = 1",
                                          {},
                                          {},
                                          {},
                                          {}});
      auto layout = layouts->of(access, ttg::lookupNumWarps(access).value_or(4));
      for (Value operand : access->getOperands())
        seeds.push_back({operand, layout});
    }
    if (auto result = inferLayouts(function, isCoalesced, seeds); !result) return result;
  }
  return checkLayoutsKnown(module, isCoalesced);
}

} // namespace gluond::passes

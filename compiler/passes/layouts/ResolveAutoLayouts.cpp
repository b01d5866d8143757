#include "passes/layouts/ResolveAutoLayouts.h"

#include "ir/gluon/Dialect.h"
#include "passes/layouts/InferLayouts.h"

namespace gluond::passes {
using namespace mlir;

static bool isAuto(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa_and_nonnull<gluon::AutoEncodingAttr>(tensor.getEncoding());
}

Result resolveAutoLayouts(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>()) {
    SmallVector<LayoutSeed> seeds;
    function.walk([&](gluon::SetAutoLayoutOp op) {
      seeds.push_back({op.getSrc(), op.getType().getEncoding()});
    });
    if (auto result = inferLayouts(function, isAuto, seeds); !result) return result;
  }
  module.walk([](gluon::SetAutoLayoutOp op) {
    op.getResult().replaceAllUsesWith(op.getSrc());
    op.erase();
  });
  return checkLayoutsKnown(module, isAuto);
}

} // namespace gluond::passes

#include "passes/refusals/Refusals.h"

#include "ir/tt/Ops.h"
#include "passes/refusals/MfmaProducts.h"
#include "passes/refusals/WarpGroupProducts.h"

#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::passes {
using namespace mlir;

Result checkRefusals(ModuleOp module) {
  std::optional<Failure> failure;
  // With the layout that is there and the one that would be accepted, where it is known.
  auto refuse = [&](Operation* op, std::string why, Attribute has = {}, Attribute accepted = {}) {
    if (why.empty()) return;
    Failure made{FailureKind::Invalid, op->getLoc(), std::move(why), has, accepted, {}, {}};
    if (failure)
      failure->others.push_back(std::move(made));
    else
      failure = std::move(made);
  };
  module.walk([&](Operation* op) {
    if (auto product = dyn_cast<ttng::WarpGroupDotOp>(op))
      refuse(op, whyNoWarpGroupInstruction(product), product.getD().getType().getEncoding(),
             warpGroupEncoding(product));
    if (auto product = dyn_cast<tt::DotOp>(op))
      refuse(op, whyNoMfmaInstruction(product), product.getType().getEncoding(),
             mfmaEncoding(product));
    auto function = isa<tt::ReturnOp>(op) && op->getNumOperands()
                        ? dyn_cast<FunctionOpInterface>(op->getParentOp())
                        : FunctionOpInterface();
    if (function && function.isPublic())
      refuse(op, "a kernel cannot return a value: nobody receives it. Store it through a pointer, "
                 "and write `return` alone");
  });
  if (failure) return tl::unexpected(std::move(*failure));
  return {};
}

} // namespace gluond::passes

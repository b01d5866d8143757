#include "passes/nvidia/CheckTwoCtas.h"

#include "ir/ttng/Ops.h"

namespace gluond::passes {
using namespace mlir;

Result checkTwoCtas(ModuleOp module) {
  ttng::MMAv5OpInterface first, other;
  module.walk([&](ttng::MMAv5OpInterface matmul) {
    if (!first) first = matmul;
    if (matmul.getTwoCtas() == first.getTwoCtas()) return WalkResult::advance();
    other = matmul;
    return WalkResult::interrupt();
  });
  bool two = first && first.getTwoCtas();
  if (other) {
    std::string message = "inconsistent two_ctas setting across matmuls; expected all matmuls to ";
    message += two ? "enable two_ctas." : "disable two_ctas.";
    std::string note = std::string("first matmul here has two_ctas=") + (two ? "true." : "false.");
    return tl::unexpected(PassFailure{FailureKind::InconsistentTwoCtas,
                                      other->getLoc(),
                                      message,
                                      {},
                                      {},
                                      {{first->getLoc(), note}},
                                      {}});
  }
  // A program may have set it already, for matrix products that it writes in PTX.
  if (first || !module->hasAttr(ttng::twoCTAsAttr))
    module->setAttr(ttng::twoCTAsAttr, BoolAttr::get(module.getContext(), two));
  return {};
}

} // namespace gluond::passes

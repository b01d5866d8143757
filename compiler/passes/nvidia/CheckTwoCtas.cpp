#include "passes/nvidia/CheckTwoCtas.h"

#include <mlir/IR/Builders.h>

namespace gluond::passes {
using namespace mlir;

namespace {

bool isMatmul(Operation* op) {
  StringRef name = op->getName().getStringRef();
  return name == "ttng.tc_gen5_mma" || name == "ttng.tc_gen5_mma_scaled";
}

bool usesTwoCtas(Operation* matmul) {
  return matmul->hasAttr("two_ctas");
}

} // namespace

Result checkTwoCtas(ModuleOp module) {
  Operation *first = nullptr, *other = nullptr;
  module.walk([&](Operation* op) {
    if (!isMatmul(op)) return WalkResult::advance();
    if (!first) first = op;
    if (usesTwoCtas(op) == usesTwoCtas(first)) return WalkResult::advance();
    other = op;
    return WalkResult::interrupt();
  });
  bool two = first && usesTwoCtas(first);
  if (other) {
    std::string message = "inconsistent two_ctas setting across matmuls; expected all matmuls to ";
    message += two ? "enable two_ctas." : "disable two_ctas.";
    std::string note = std::string("first matmul here has two_ctas=") + (two ? "true." : "false.");
    return tl::unexpected(Failure{FailureKind::InconsistentTwoCtas,
                                  other->getLoc(),
                                  message,
                                  {},
                                  {},
                                  {{first->getLoc(), note}},
                                  {}});
  }
  module->setAttr("ttng.two-ctas", BoolAttr::get(module.getContext(), two));
  return {};
}

} // namespace gluond::passes

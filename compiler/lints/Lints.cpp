#include "lints/Lints.h"

#include "ir/ttng/Ops.h"
#include "lints/access/AccessLints.h"
#include "lints/bounds/Bounds.h"
#include "lints/matrix/MatrixLints.h"
#include "lints/resources/ResourceLints.h"
#include "lints/synchronization/SynchronizationLints.h"
#include "lints/work/WorkLints.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::lints {
using namespace mlir;

// Results that are worth a line of their own.
static llvm::StringRef workOf(Operation& op) {
  if (isa<ttg::ConvertLayoutOp>(op)) return "conversion";
  if (isa<tt::LoadOp, ttg::LocalLoadOp, ttng::TMEMLoadOp>(op)) return "load";
  if (isa<tt::ReduceOp>(op)) return "reduction";
  if (isa<tt::DotOp, ttng::WarpGroupDotOp>(op)) return "matrix product";
  return {};
}

void lintSource(ModuleOp module, Findings& findings) {
  module.walk([&](Operation* op) {
    if (!op->use_empty()) return;
    if (llvm::StringRef work = workOf(*op); !work.empty())
      findings(Id::UnusedResult, op->getLoc(), work)
          .suggest({Suggestion::Kind::Remove, op->getLoc(),
                    diagnostics::fixTitle(FixId::RemoveStatement), ""});
  });
  lintOverflow(module, findings);
}

Budget lintTtgir(ModuleOp module, Findings& findings, passes::ScratchBytes scratch,
                 AskSizes sizes) {
  synchronization::checkSynchronization(module, findings);
  lintAccesses(module, findings);
  lintWork(module, findings);
  lintMasks(module, sizes, findings);
  lintMatrices(module, findings);
  Budget budget = budgetOf(module, scratch);
  lintResources(module, budget, findings);
  return budget;
}

} // namespace gluond::lints

#include "lints/Lints.h"

#include "lints/access/AccessLints.h"
#include "lints/bounds/Bounds.h"
#include "lints/bounds/Coverage.h"
#include "lints/matrix/MatrixLints.h"
#include "lints/resources/ResourceLints.h"
#include "lints/synchronization/SynchronizationLints.h"
#include "lints/work/WorkLints.h"

namespace gluond::lints {
using namespace mlir;

void lintSource(ModuleOp module, Findings& findings) {
  lintUnusedResults(module, findings);
  lintOverflow(module, findings);
}

Budget lintTtgir(ModuleOp module, Findings& findings, passes::ScratchBytes scratch,
                 AskSizes sizes) {
  synchronization::checkSynchronization(module, findings);
  std::optional<LaunchSizes> known;
  auto knownSizes = [&]() -> const LaunchSizes& {
    if (!known) known = sizes ? sizes() : LaunchSizes();
    return *known;
  };
  lintAccesses(
      module, [&](Value pointer) { return isBeyondBuffers(pointer, knownSizes); }, findings);
  lintWork(module, findings);
  lintMasks(module, knownSizes, findings);
  lintCoverage(module, knownSizes, findings);
  lintBuffers(module, knownSizes, findings);
  lintMatrices(module, findings);
  Budget budget = budgetOf(module, scratch);
  lintResources(module, budget, findings);
  return budget;
}

} // namespace gluond::lints

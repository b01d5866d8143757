#include "lints/protocol/Protocol.h"

#include "ir/amdg/Ops.h"
#include "lints/protocol/Machine.h"

namespace gluond::lints::protocol {
using namespace mlir;

namespace {

// Fewer iterations than this tell little about loops; then larger arguments are tried.
constexpr int64_t enoughIterations = 3;
constexpr unsigned tries = 5;

// Runs with arguments that make every loop go round a few times, starting from `sample`.
std::optional<Findings> runOnce(FunctionOpInterface kernel, RelevantOps& relevant, Sample sample) {
  bool hasShrunk = false;
  for (unsigned i = 0; i < tries; ++i) {
    Findings found;
    Outcome outcome = Machine(sample, relevant, found).run(kernel);
    bool isLast = i + 1 == tries;
    if (outcome.ranOut && !isLast) {
      sample.argument /= 4;
      hasShrunk = true;
      if (sample.argument < 8) return std::nullopt;
      continue;
    }
    if (!outcome.ranOut && outcome.fewestIterations < enoughIterations && !hasShrunk && !isLast &&
        sample.argument < 16384) {
      sample.argument *= 2;
      continue;
    }
    return found;
  }
  return std::nullopt;
}

} // namespace

void checkProtocol(ModuleOp module, Findings& findings) {
  if (auto ctas = module->getAttrOfType<IntegerAttr>("ttg.num-ctas"); ctas && ctas.getInt() > 1)
    return;
  auto target = module->getAttrOfType<StringAttr>("ttg.target");
  bool isHip = target && target.getValue().starts_with("hip");
  RelevantOps relevant;
  for (auto kernel : module.getOps<FunctionOpInterface>()) {
    if (kernel.isDeclaration() || !kernel.isPublic() ||
        !llvm::hasSingleElement(kernel.getFunctionBody()))
      continue;
    Sample first;
    // Nor are AMD's barriers.
    // AMD's own barriers, and its partitions, which meet at them, are not followed.
    if (isHip && kernel
                     .walk([](Operation* op) {
                       return isa<ttg::WarpSpecializeOp, amdg::WaitBarrierOp>(op)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted())
      continue;
    auto found = runOnce(kernel, relevant, first);
    if (!found || found->empty()) continue;
    Sample second = first;
    second.argument = 1536;
    second.programs = 6;
    auto again = runOnce(kernel, relevant, second);
    if (!again) continue;
    found->keepCommon(*again);
    findings.append(std::move(*found));
  }
}

} // namespace gluond::lints::protocol

#include "passes/Pipeline.h"

#include "ir/gluon/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "passes/amd/WarpPipeline.h"
#include "passes/analysis/ConstantSolution.h"
#include "passes/canonicalize/Canonicalize.h"
#include "passes/controlflow/AllocateWarpGroups.h"
#include "passes/controlflow/CombineSelectAndIf.h"
#include "passes/controlflow/Inline.h"
#include "passes/controlflow/LoopUnroll.h"
#include "passes/controlflow/SymbolDce.h"
#include "passes/folds/ArithmeticFolds.h"
#include "passes/layouts/InferCoalescedLayouts.h"
#include "passes/layouts/ResolveAutoLayouts.h"
#include "passes/nvidia/CheckTwoCtas.h"
#include "passes/nvidia/TmaLowering.h"
#include "passes/scalar/LoopAwareCse.h"
#include "support/Allowance.h"

#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>

namespace gluond::passes {
using namespace mlir;

PassResources::PassResources(MLIRContext& context) {
  installArithmeticFolds(context);
  canonicalization_ = canonicalizationPatterns(context);
  controlFlow_ = controlFlowPatterns(context);
  loops_ = loopPatterns(context);
  tensorDescriptors_ = tensorDescriptorPatterns(context);
}

namespace {

template <void (*F)(ModuleOp)> Result simple(ModuleOp module, const PassResources&) {
  F(module);
  return {};
}
template <Result (*F)(ModuleOp)> Result checked(ModuleOp module, const PassResources&) {
  return F(module);
}

Result runInline(ModuleOp module, const PassResources& resources) {
  inlineCalls(module, resources.controlFlow());
  return {};
}
Result runCanonicalize(ModuleOp module, const PassResources& resources) {
  canonicalize(module, resources.canonicalization());
  return {};
}
Result runLoopAwareCse(ModuleOp module, const PassResources& resources) {
  eliminateCommonSubexpressions(module, resources.loops());
  return {};
}

Result runTmaLowering(ModuleOp module, const PassResources& resources) {
  return lowerTensorDescriptors(module, resources.tensorDescriptors());
}

constexpr Pass inlining{"gluon-inline", "Inline calls", runInline};
constexpr Pass coalescing{"gluon-infer-coalesced-encodings", "Infer coalesced layouts",
                          checked<inferCoalescedLayouts>};
constexpr Pass autoLayouts{"gluon-resolve-auto-encodings", "Resolve auto layouts",
                           checked<resolveAutoLayouts>};
constexpr Pass canonicalizing{"gluon-canonicalize", "Canonicalize", runCanonicalize};
constexpr Pass constants{"sccp", "Propagate constants", simple<propagateConstants>};
constexpr Pass commonSubexpressions{"triton-loop-aware-cse", "Eliminate common subexpressions",
                                    runLoopAwareCse};
constexpr Pass selects{"tritongpu-combine-tensor-select-and-if", "Merge selects into branches",
                       simple<combineSelectAndIf>};
constexpr Pass unusedFunctions{"symbol-dce", "Drop unused functions", simple<dropUnusedFunctions>};
constexpr Pass tensorDescriptors{"triton-nvidia-tma-lowering", "Lower tensor descriptors",
                                 runTmaLowering};
constexpr Pass twoCtas{"triton-nvidia-check-matmul-two-cta", "Check two_ctas",
                       checked<checkTwoCtas>};
constexpr Pass unrolling{"triton-loop-unroll", "Unroll loops", checked<unrollLoops>};
constexpr Pass warpPipelines{"tritonamdgpu-warp-pipeline", "Form warp pipelines",
                             checked<formWarpPipelines>};
constexpr Pass warpGroups{"tritongpu-allocate-warp-groups", "Allocate warp groups",
                          simple<allocateWarpGroups>};

constexpr Pass nvidia[] = {
    inlining,  coalescing,           autoLayouts,    tensorDescriptors, canonicalizing,
    constants, commonSubexpressions, canonicalizing, selects,           unusedFunctions,
    twoCtas};
constexpr Pass amd[] = {
    inlining,       coalescing, autoLayouts, constants,     commonSubexpressions,
    canonicalizing, unrolling,  selects,     warpPipelines, warpGroups};

// Up to Triton 3.8, the next stage removes unused functions and looks at two_ctas, and AMD's
// CoalescedLayout stays as it is.
constexpr Pass nvidiaTo38[] = {inlining,       coalescing, autoLayouts,          tensorDescriptors,
                               canonicalizing, constants,  commonSubexpressions, canonicalizing,
                               selects};
constexpr Pass amdTo38[] = {inlining,       autoLayouts, constants, commonSubexpressions,
                            canonicalizing, unrolling,   selects,   warpPipelines,
                            warpGroups};

// Every statement stays what it is, and keeps its place.
constexpr Pass nvidiaUnoptimized[] = {inlining, coalescing, autoLayouts, tensorDescriptors,
                                      unusedFunctions};
constexpr Pass amdUnoptimized[] = {inlining, coalescing, autoLayouts, unusedFunctions, warpGroups};

// Collects the diagnostics of verifiers, instead of printing them on stderr.
class Reports {
public:
  explicit Reports(MLIRContext* context)
      : handler_(context, [this](Diagnostic& diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !failure_) {
            failure_ = PassFailure{
                FailureKind::Invalid, diagnostic.getLocation(), diagnostic.str(), {}, {}, {}, {}};
            for (Diagnostic& note : diagnostic.getNotes())
              failure_->notes.push_back({note.getLocation(), note.str()});
          }
          return success();
        }) {}
  PassFailure take(Location fallback) {
    if (!failure_)
      failure_ =
          PassFailure{FailureKind::Invalid, fallback, "the module does not verify", {}, {}, {}, {}};
    return std::move(*failure_);
  }

private:
  std::optional<PassFailure> failure_;
  ScopedDiagnosticHandler handler_;
};

// A valid module stays valid after every pass, with two exceptions: layouts that are not chosen yet
// are compared with others only when they are; and the barriers that TMA accepts are known only
// when the module says whether its products pair CTAs.
bool hasLayoutsToChoose(ModuleOp module) {
  auto isToChoose = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && isa_and_nonnull<gluon::AutoEncodingAttr, gluon::CoalescedEncodingAttr>(
                         tensor.getEncoding());
  };
  return module
      .walk([&](Operation* op) {
        return llvm::any_of(op->getResultTypes(), isToChoose) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
      })
      .wasInterrupted();
}
bool mayBreak(const Pass& pass, ModuleOp module) {
  if (pass.run == coalescing.run || pass.run == autoLayouts.run) return hasLayoutsToChoose(module);
  return pass.run == twoCtas.run && ttg::lookupNumCTAs(module) > 1;
}

} // namespace

ArrayRef<Pass> gluonToTtgir(chips::Vendor vendor, releases::Release release) {
  if (release < releases::Release::Triton39)
    return vendor == chips::Vendor::Amd ? ArrayRef<Pass>(amdTo38) : nvidiaTo38;
  return vendor == chips::Vendor::Amd ? ArrayRef<Pass>(amd) : nvidia;
}
ArrayRef<Pass> gluonToUnoptimizedTtgir(chips::Vendor vendor) {
  return vendor == chips::Vendor::Amd ? ArrayRef<Pass>(amdUnoptimized) : nvidiaUnoptimized;
}

Result runPasses(ModuleOp module, ArrayRef<Pass> passes, const PassResources& resources,
                 AfterPass after) {
  Reports reports(module.getContext());
  auto fail = [](PassFailure failure, const Pass& pass) -> Result {
    failure.pass = pass.name;
    return tl::unexpected(std::move(failure));
  };
  auto stopped = [&](const Pass& pass) {
    return fail({FailureKind::Cancelled, module.getLoc(), "stopped", {}, {}, {}, {}}, pass);
  };
  for (const Pass& pass : passes) {
    if (Spending::isSpent()) return stopped(pass);
    bool verifies = mayBreak(pass, module);
    Result result = pass.run(module, resources);
    // Large loops in passes end early then.
    if (Spending::isSpent()) return stopped(pass);
    if (!result) return fail(std::move(result.error()), pass);
    if (verifies && failed(verify(module))) return fail(reports.take(module.getLoc()), pass);
    if (after) after(pass, module);
  }
  return {};
}

} // namespace gluond::passes

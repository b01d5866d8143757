#include "target/CodeGeneration.h"

#include "support/Allowance.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

namespace gluond::target {

namespace {

// Selects the back end's optional passes: not the one that the caller does without, and none after
// cancellation.
class PassGate : public llvm::OptPassGate {
public:
  PassGate(const CancellationToken& token, llvm::StringRef without)
      : token_(token), without_(without) {}
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != without_ && !mustStop(token_);
  }

private:
  const CancellationToken& token_;
  llvm::StringRef without_;
};

} // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, const CancellationToken& token,
              llvm::function_ref<void(llvm::FunctionPassManager&)> last,
              llvm::StringRef modulePasses) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // Optional passes are skipped after cancellation.
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [&](llvm::StringRef, llvm::Any) { return !mustStop(token); });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  // The code is in SSA form with its tests at the ends of loops: the remaining tasks are sharing,
  // folding and hoisting.
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::AlwaysInlinerPass());
  llvm::FunctionPassManager first;
  first.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  first.addPass(llvm::EarlyCSEPass(true));
  first.addPass(llvm::InstCombinePass());
  first.addPass(llvm::SimplifyCFGPass());
  // Constant parts of indices last, so that neighbouring addresses share the rest.
  first.addPass(llvm::ReassociatePass());
  llvm::LoopPassManager hoisting;
  hoisting.addPass(llvm::LICMPass(llvm::LICMOptions()));
  first.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoisting), true));
  first.addPass(llvm::GVNPass());
  first.addPass(llvm::InstCombinePass());
  first.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  first.addPass(llvm::EarlyCSEPass(true));
  last(first);
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(first)));
  pipeline.addPass(llvm::GlobalDCEPass());
  if (!modulePasses.empty()) llvm::cantFail(builder.parsePassPipeline(pipeline, modulePasses));
  pipeline.run(module, modules);
}

tl::expected<std::string, std::string> emitAssembly(llvm::Module& module,
                                                    llvm::TargetMachine& machine,
                                                    const CancellationToken& token,
                                                    llvm::StringRef without) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return tl::make_unexpected(std::string("LLVM cannot write assembly for this target"));
  PassGate gate(token, without);
  llvm::OptPassGate& before = module.getContext().getOptPassGate();
  module.getContext().setOptPassGate(gate);
  passes.run(module);
  module.getContext().setOptPassGate(before);
  return std::string(text);
}

tl::expected<void, std::string> linkLibrary(llvm::Module& module, const std::string& path) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path, problem, module.getContext());
  if (!library)
    return tl::make_unexpected("cannot read " + path + ": " + problem.getMessage().str());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  llvm::SmallVector<std::string> own;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) own.push_back(function.getName().str());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
    return tl::make_unexpected("cannot link " + path);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !llvm::is_contained(own, function.getName())) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      function.removeFnAttr(llvm::Attribute::NoInline);
    }
  return {};
}

} // namespace gluond::target

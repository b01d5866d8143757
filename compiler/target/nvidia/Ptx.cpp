#include "target/nvidia/Ptx.h"

#include "support/Allowance.h"
#include "target/nvidia/ConstantOffsets.h"
#include "target/nvidia/StrengthReduction.h"
#include "target/nvidia/Toolkit.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/InitializePasses.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace gluond::target::nvidia {

namespace {

std::unique_ptr<llvm::TargetMachine> machine(const chips::Chip& chip, const PtxOptions& options) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // Registered, so that PassGate knows it by name.
    llvm::initializeStraightLineStrengthReduceLegacyPassPass(
        *llvm::PassRegistry::getPassRegistry());
    // Addresses of shared memory in 32 bits: LLVM has a flag for it, and no other way.
    auto& flags = llvm::cl::getRegisteredOptions();
    if (auto flag = flags.find("nvptx-short-ptr"); flag != flags.end())
      static_cast<llvm::cl::opt<bool>*>(flag->second)->setValue(true);
  });
  std::string error;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions settings;
  settings.AllowFPOpFusion =
      options.fuseMultiplyAdd ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  settings.NoInfsFPMath = false;
  settings.NoNaNsFPMath = true;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip.processor, chip.processorFeatures, settings, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

bool needsDeviceLibrary(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& f) {
    return f.isDeclaration() && f.getName().starts_with("__nv_");
  });
}

// The library's functions ask whether denormal floats become zero. They do, as in Triton: the
// answer is given here, so that the other half of each function is gone before it is optimized.
void flushDenormals(llvm::Module& module) {
  llvm::Function* asked = module.getFunction("__nvvm_reflect");
  if (!asked) return;
  for (llvm::User* user : llvm::make_early_inc_range(asked->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    llvm::StringRef question;
    if (!call || !llvm::getConstantStringInfo(call->getArgOperand(0), question) ||
        question != "__CUDA_FTZ")
      continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 1));
    call->eraseFromParent();
  }
}

tl::expected<void, std::string> linkDeviceLibrary(llvm::Module& module, const PtxOptions& options) {
  std::string path = options.deviceLibrary.empty() ? findDeviceLibrary(options.untrusted).path
                                                   : options.deviceLibrary;
  if (path.empty())
    return tl::make_unexpected(std::string(
        "the kernel calls NVIDIA's device library (libdevice.10.bc), but no CUDA toolkit and no "
        "Triton with this file was found; set GLUOND_CUDA to a folder that contains it"));
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
  flushDenormals(module);
  return {};
}

// Whether there is arithmetic of 16-bit floats, of which one instruction does two.
bool calculatesInHalves(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.getType()->is16bitFPTy() &&
          (instruction.isBinaryOp() ||
           llvm::isa<llvm::UnaryOperator, llvm::IntrinsicInst>(instruction)))
        return true;
  return false;
}

// Selects the back end's optional passes: not the one that StrengthReduction replaces, and none
// after cancellation.
constexpr llvm::StringLiteral slowReduction = "slsr";
class PassGate : public llvm::OptPassGate {
public:
  explicit PassGate(const CancellationToken& token) : token_(token) {}
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != slowReduction && !mustStop(token_);
  }

private:
  const CancellationToken& token_;
};

} // namespace

PtxCompiler::PtxCompiler(std::unique_ptr<llvm::TargetMachine> machine, PtxOptions options)
    : machine_(std::move(machine)), options_(std::move(options)) {}
PtxCompiler::PtxCompiler(PtxCompiler&&) noexcept = default;
PtxCompiler& PtxCompiler::operator=(PtxCompiler&&) noexcept = default;
PtxCompiler::~PtxCompiler() = default;

tl::expected<PtxCompiler, std::string> PtxCompiler::create(const chips::Chip& chip,
                                                           PtxOptions options) {
  std::unique_ptr<llvm::TargetMachine> made = machine(chip, options);
  if (!made) return tl::make_unexpected(std::string("this LLVM has no NVPTX target"));
  return PtxCompiler(std::move(made), std::move(options));
}

tl::expected<void, std::string> PtxCompiler::optimize(llvm::Module& module) {
  module.setTargetTriple(machine_->getTargetTriple());
  module.setDataLayout(machine_->createDataLayout());
  if (needsDeviceLibrary(module))
    if (auto linked = linkDeviceLibrary(module, options_); !linked) return linked;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  // Optional passes are skipped after cancellation.
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [&](llvm::StringRef, llvm::Any) { return !mustStop(options_.cancellation); });
  llvm::PassBuilder builder(machine_.get(), llvm::PipelineTuningOptions(), std::nullopt,
                            &callbacks);
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
  if (calculatesInHalves(module)) {
    first.addPass(llvm::SLPVectorizerPass());
    first.addPass(llvm::InstCombinePass());
  }
  first.addPass(ConstantOffsets());
  first.addPass(llvm::EarlyCSEPass());
  first.addPass(StrengthReduction());
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(first)));
  pipeline.addPass(llvm::GlobalDCEPass());
  pipeline.run(module, modules);
  return {};
}

tl::expected<std::string, std::string> PtxCompiler::toPtx(llvm::Module& module) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return tl::make_unexpected(std::string("LLVM cannot write PTX"));
  PassGate gate(options_.cancellation);
  llvm::OptPassGate& before = module.getContext().getOptPassGate();
  module.getContext().setOptPassGate(gate);
  passes.run(module);
  module.getContext().setOptPassGate(before);
  return std::string(text);
}

} // namespace gluond::target::nvidia

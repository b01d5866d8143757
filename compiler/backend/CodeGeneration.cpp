#include "backend/CodeGeneration.h"

#include "backend/Analyses.h"
#include "support/Allowance.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/CodeGen/CodeGenTargetMachineImpl.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
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

namespace gluond::backend {

namespace {

// Selects the back end's optional passes: not those that the caller does without, and none after
// cancellation.
class PassGate : public llvm::OptPassGate {
public:
  PassGate(const CancellationToken& token, llvm::ArrayRef<llvm::StringRef> without)
      : token_(token), without_(without) {}
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return !llvm::is_contained(without_, pass) && !mustStop(token_);
  }

private:
  const CancellationToken& token_;
  llvm::ArrayRef<llvm::StringRef> without_;
};

// Some ten seconds of LLVM's time. The largest kernel of Triton's tutorials has 20,000.
constexpr uint64_t mostInstructions = 150'000;

// Counts the instructions of functions with all that is inlined into them.
class SizeAfterInlining {
public:
  uint64_t operator()(const llvm::Module& module) {
    uint64_t sum = 0;
    for (const llvm::Function& function : module)
      if (!function.hasFnAttribute(llvm::Attribute::AlwaysInline)) sum = plus(sum, of(function));
    return sum;
  }

private:
  // A call of a call may double the size each time.
  static uint64_t plus(uint64_t a, uint64_t b) { return std::min(a + b, uint64_t{1} << 60); }

  uint64_t of(const llvm::Function& function) {
    if (auto known = sizes_.find(&function); known != sizes_.end()) return known->second;
    sizes_[&function] = 0; // of a function that calls itself, which is not inlined
    uint64_t sum = function.getInstructionCount();
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction();
            callee && callee->hasFnAttribute(llvm::Attribute::AlwaysInline))
          sum = plus(sum, of(*callee));
    return sizes_[&function] = sum;
  }

  llvm::DenseMap<const llvm::Function*, uint64_t> sizes_;
};

// The name of a function or variable that the target's assembly cannot write, at which LLVM ends
// the process; empty if it can write all. Local ones get other names.
llvm::StringRef unwritableName(const llvm::Module& module, const llvm::MCAsmInfo& assembly) {
  if (assembly.supportsNameQuoting()) return {};
  for (const llvm::GlobalValue& value : module.global_values())
    if (!value.hasLocalLinkage() && value.hasName() &&
        !assembly.isValidUnquotedName(value.getName()))
      return value.getName();
  return {};
}

enum class Part { Whole, UntilSelection, FromSelection };

// Adds those passes of a back end to `passes` that belong to the part: selection is the first pass
// over instructions of the machine. What knows facts for others, and the pass that has functions
// compiled after those that they call, are in both.
class PartOfBackEnd : public llvm::legacy::PassManagerBase {
public:
  PartOfBackEnd(llvm::legacy::PassManager& passes, Part part) : passes_(passes), part_(part) {}

  void add(llvm::Pass* pass) override {
    hasSelected_ |= nameOf(*pass) == "amdgpu-isel";
    bool isShared = pass->getAsImmutablePass() || pass->getPassKind() == llvm::PT_CallGraphSCC;
    if (isShared || part_ == Part::Whole || hasSelected_ == (part_ == Part::FromSelection))
      passes_.add(pass);
    else
      delete pass; // given to whoever adds it
  }

private:
  static llvm::StringRef nameOf(const llvm::Pass& pass) {
    const llvm::PassInfo* known =
        llvm::PassRegistry::getPassRegistry()->getPassInfo(pass.getPassID());
    return known ? known->getPassArgument() : llvm::StringRef();
  }

  llvm::legacy::PassManager& passes_;
  Part part_;
  bool hasSelected_ = false;
};

// As LLVM's addPassesToEmitFile(), but AMD's back end does not look where variables are (NVIDIA's
// never does): code has lines and no variables, and the search takes one part in twenty of its
// time. Returns false where the target cannot write assembly.
bool addPassesToEmitAssembly(llvm::TargetMachine& target, llvm::legacy::PassManager& all,
                             llvm::raw_pwrite_stream& stream, Part part) {
  constexpr auto kind = llvm::CodeGenFileType::AssemblyFile;
  if (!target.getTargetTriple().isAMDGPU())
    return !target.addPassesToEmitFile(all, stream, nullptr, kind);
  // All of LLVM's machines that generate code are of this class.
  auto& machine = static_cast<llvm::CodeGenTargetMachineImpl&>(target);
  PartOfBackEnd passes(all, part);
  auto* information = new llvm::MachineModuleInfoWrapperPass(&machine); // `all` owns both
  llvm::TargetPassConfig* steps = machine.createPassConfig(passes);
  steps->setDisableVerify(true);
  steps->disablePass(&llvm::LiveDebugValuesID);
  passes.add(steps);
  passes.add(information);
  if (steps->addISelPasses()) return false;
  if (part == Part::UntilSelection) return true;
  steps->addMachinePasses();
  steps->setInitialized();
  if (machine.addAsmPrinter(passes, stream, nullptr, kind, information->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

tl::expected<std::string, std::string> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                            const CancellationToken& token,
                                            llvm::ArrayRef<llvm::StringRef> without, Part part) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (!addPassesToEmitAssembly(machine, passes, stream, part))
    return tl::make_unexpected(std::string("LLVM cannot write assembly for this target"));
  PassGate gate(token, without);
  llvm::OptPassGate& before = module.getContext().getOptPassGate();
  module.getContext().setOptPassGate(gate);
  passes.run(module);
  module.getContext().setOptPassGate(before);
  return std::string(text);
}

} // namespace

tl::expected<void, std::string> optimize(llvm::Module& module, llvm::TargetMachine& machine,
                                         const CancellationToken& token,
                                         llvm::function_ref<void(llvm::FunctionPassManager&)> last,
                                         EndOfPipeline end) {
  if (uint64_t size = SizeAfterInlining()(module); size > mostInstructions)
    return tl::make_unexpected("the kernel becomes " + std::to_string(size) +
                               " instructions of LLVM, and gluond compiles " +
                               std::to_string(mostInstructions) +
                               " at most: give each thread fewer elements (more warps or smaller "
                               "tensors), or use range() in "
                               "place of static_range()");
  if (llvm::StringRef name = unwritableName(module, *machine.getMCAsmInfo()); !name.empty())
    return tl::make_unexpected("there is no code for the name '" + name.str() +
                               "': the assembly of this target has only ASCII letters, digits, "
                               "'_', '$' and '.' in names; rename the function");
  // Optional passes are skipped after cancellation.
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [&](llvm::StringRef, llvm::Any) { return !mustStop(token); });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  Analyses analyses(builder);

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
  // Nothing inserted for partial redundancies, for the sake of ptxas (nvidia/Ptx.cpp).
  first.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false).setLoadPRE(false)));
  first.addPass(llvm::InstCombinePass());
  first.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  first.addPass(llvm::EarlyCSEPass(true));
  last(first);
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(first)));
  pipeline.addPass(llvm::GlobalDCEPass());
  if (end) end(builder, pipeline);
  pipeline.run(module, analyses.modules);
  return {};
}

tl::expected<std::string, std::string> emitAssembly(llvm::Module& module,
                                                    llvm::TargetMachine& machine,
                                                    const CancellationToken& token,
                                                    llvm::ArrayRef<llvm::StringRef> without) {
  return emit(module, machine, token, without, Part::Whole);
}

void prepareForSelection(llvm::Module& module, llvm::TargetMachine& machine,
                         const CancellationToken& token, llvm::ArrayRef<llvm::StringRef> without) {
  emit(module, machine, token, without, Part::UntilSelection);
}

tl::expected<std::string, std::string> emitPrepared(llvm::Module& module,
                                                    llvm::TargetMachine& machine,
                                                    const CancellationToken& token,
                                                    llvm::ArrayRef<llvm::StringRef> without) {
  return emit(module, machine, token, without, Part::FromSelection);
}

tl::expected<void, std::string> linkLibrary(llvm::Module& module, const std::string& path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) return tl::make_unexpected("cannot read " + path + ": " + file.getError().message());
  auto read = llvm::getOwningLazyBitcodeModule(std::move(*file), module.getContext());
  if (!read)
    return tl::make_unexpected("cannot read " + path + ": " + llvm::toString(read.takeError()));
  std::unique_ptr<llvm::Module> library = std::move(*read);
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

} // namespace gluond::backend

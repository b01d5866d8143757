#include "backend/nvidia/Ptx.h"

#include "backend/CodeGeneration.h"
#include "backend/NarrowMinMax.h"
#include "backend/TargetMachine.h"
#include "backend/nvidia/Assembly.h"
#include "backend/nvidia/ByteFloats.h"
#include "backend/nvidia/ConstantOffsets.h"
#include "backend/nvidia/EarlyLoads.h"
#include "backend/nvidia/LateSharedLoads.h"
#include "backend/nvidia/MadWide.h"
#include "backend/nvidia/PredicatedCopies.h"
#include "backend/nvidia/RareMasks.h"
#include "backend/nvidia/StoreOrder.h"
#include "backend/nvidia/Toolkit.h"
#include "backend/nvidia/Vectorizer.h"
#include "backend/nvidia/accesses/PickedAlignment.h"
#include "backend/nvidia/indices/NarrowArithmetic.h"
#include "backend/nvidia/indices/StrengthReduction.h"
#include "backend/nvidia/indices/WideCounters.h"
#include "backend/nvidia/masks/Distances.h"
#include "backend/nvidia/masks/MergedBounds.h"
#include "backend/nvidia/registers/RegisterBudget.h"
#include "backend/nvidia/rounding/ProductOrder.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/InitializePasses.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace gluond::backend::nvidia {

namespace {

// Adds MadWide right before instructions are selected: after LLVM's own last pass over addresses.
void addLatePasses(llvm::TargetMachine& machine, llvm::PassManagerBase&,
                   llvm::TargetPassConfig* passes) {
  if (!machine.getTargetTriple().isNVPTX()) return;
  static const llvm::AnalysisID last =
      std::unique_ptr<llvm::Pass>(llvm::createCodeGenPrepareLegacyPass())->getPassID();
  passes->insertPass(last, createMadWidePass());
}

// Replaces the rest of the line after the first `directive` of an assembly.
void setDirective(std::string& assembly, llvm::StringRef directive, llvm::StringRef value) {
  size_t start = llvm::StringRef(assembly).find(directive);
  if (start == llvm::StringRef::npos) return;
  start += directive.size();
  assembly.replace(start, assembly.find('\n', start) - start, value);
}

// Names the chip and its PTX ("+ptx94" is 9.4) in an assembly that was generated for another chip.
void nameChip(std::string& assembly, const chips::Chip& chip) {
  llvm::StringRef version = chip.processorFeatures;
  version.consume_front("+ptx");
  setDirective(assembly, ".version ", (version.drop_back() + "." + version.take_back()).str());
  setDirective(assembly, ".target ", chip.processor);
}

const llvm::Triple& triple() {
  static const llvm::Triple it("nvptx64-nvidia-cuda");
  return it;
}

// Returns LLVM's back end for NVIDIA's GPUs, or null if this LLVM has none.
const llvm::Target* findTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // Registered, so that PassGate knows it by name.
    llvm::initializeStraightLineStrengthReduceLegacyPassPass(
        *llvm::PassRegistry::getPassRegistry());
    static llvm::RegisterTargetPassConfigCallback latePasses(addLatePasses);
    // Addresses of shared memory in 32 bits: LLVM has a flag for it, and no other way.
    auto& flags = llvm::cl::getRegisteredOptions();
    if (auto flag = flags.find("nvptx-short-ptr"); flag != flags.end())
      static_cast<llvm::cl::opt<bool>*>(flag->second)->setValue(true);
  });
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple(), error);
}

// Returns the chip that LLVM generates the code for: the chip itself, or, where this LLVM does not
// know it, the newest older one that it knows. The assembly then names the chip itself.
const chips::Chip* generatedFor(const chips::Chip* chip) {
  const llvm::Target* target = findTarget();
  std::unique_ptr<llvm::MCSubtargetInfo> processors(
      target ? target->createMCSubtargetInfo(triple(), "", "") : nullptr);
  if (!processors) return chip;
  const chips::Chip* newest = chip;
  for (const chips::Chip& each : chips::allChips())
    if (each.capability() && each.capability() <= chip->capability() &&
        processors->isCPUStringValid(each.processor))
      newest = &each;
  return newest;
}

std::unique_ptr<llvm::TargetMachine> machine(const chips::Chip& chip, bool fusesMultiplyAdd) {
  const llvm::Target* target = findTarget();
  if (!target) return nullptr;
  llvm::TargetOptions settings;
  settings.NoInfsFPMath = false;
  settings.NoNaNsFPMath = true;
  // Above this level LLVM's back end eliminates redundancies once more, and partial ones with them:
  // what it inserts takes a block of its own on the way around a loop. ptxas finds there that
  // something defines the accumulators of products that are under way, and serializes these.
  return machineFor(*target, triple(), chip, settings, llvm::CodeGenOptLevel::Default,
                    fusesMultiplyAdd);
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

tl::expected<void, std::string> linkDeviceLibrary(llvm::Module& module,
                                                  const CompilerOptions& options) {
  std::string path = findDeviceLibrary(options.untrusted).path;
  if (path.empty())
    return tl::make_unexpected(std::string(
        "the kernel calls NVIDIA's device library (libdevice.10.bc), but no CUDA toolkit and no "
        "Triton with this file was found; set GLUOND_CUDA to a folder that contains it"));
  if (auto linked = linkLibrary(module, path); !linked) return linked;
  flushDenormals(module);
  return {};
}

// Whether the limits of registers were measured: other chips may have others.
bool hasMeasuredBudgets(const chips::Chip& chip) {
  return chip.has(chips::Feature::WarpGroupMma);
}

bool calculatesWithPairsOfSingles(const chips::Chip& chip) {
  return chip.has(chips::Feature::LaunchControl); // both came with Blackwell
}

// Whether there is arithmetic of floats of which one instruction does two: those of 16 bits, and
// since Blackwell those of 32.
bool calculatesInPairs(llvm::Function& function, bool alsoSingles) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return (instruction.getType()->is16bitFPTy() ||
            (alsoSingles && instruction.getType()->isFloatTy())) &&
           (instruction.isBinaryOp() ||
            llvm::isa<llvm::UnaryOperator, llvm::IntrinsicInst>(instruction));
  });
}

// Makes pairs of such arithmetic, where there is any.
struct Pairs : llvm::PassInfoMixin<Pairs> {
  bool alsoSingles;
  explicit Pairs(bool alsoSingles) : alsoSingles(alsoSingles) {}

  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!calculatesInPairs(function, alsoSingles)) return llvm::PreservedAnalyses::all();
    llvm::FunctionPassManager passes;
    if (alsoSingles)
      passes.addPass(Vectorizer());
    else
      passes.addPass(llvm::SLPVectorizerPass());
    passes.addPass(llvm::InstCombinePass());
    llvm::PreservedAnalyses kept = passes.run(function, analyses);
    negateConstantsOfPairs(function);
    return kept;
  }
};

// Shuffles whose results nobody uses, such as that of the warp's number where every index follows
// from the thread's: LLVM keeps them, as it does everything that threads do together.
void dropUnusedShuffles(llvm::Module& module) {
  llvm::SmallVector<llvm::CallInst*> unused;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (instruction.use_empty() && isShuffle(instruction))
        unused.push_back(llvm::cast<llvm::CallInst>(&instruction));
  for (llvm::CallInst* call : unused) {
    llvm::SmallVector<llvm::WeakTrackingVH> operands(call->args());
    call->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
  }
}

// A remainder is one number: the back end's LoopStrengthReduce would take x % 3 apart, into x and a
// multiple of the quotient, and subtract the latter from every address that contains it. It does
// not look through a freeze, which is no instruction.
void keepRemainders(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* remainder = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      if (!remainder || !llvm::isa<llvm::ConstantInt>(remainder->getOperand(1)) ||
          (remainder->getOpcode() != llvm::Instruction::URem &&
           remainder->getOpcode() != llvm::Instruction::SRem))
        continue;
      auto* kept = new llvm::FreezeInst(remainder, "", std::next(remainder->getIterator()));
      remainder->replaceUsesWithIf(kept, [&](llvm::Use& use) { return use.getUser() != kept; });
    }
}

// The widened index of an address, if the address begins one that a loop counts up; then those of
// the address that it is added to.
void collectWidened(llvm::PHINode& counted, llvm::Value* address,
                    llvm::SmallVectorImpl<llvm::Instruction*>& found) {
  llvm::SmallVector<llvm::Instruction*> widened;
  while (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(address)) {
    if (step->getNumIndices() != 1) return;
    if (auto* index = llvm::dyn_cast<llvm::SExtInst>(step->idx_begin()->get()))
      widened.push_back(index);
    address = step->getPointerOperand();
  }
  if (address != &counted) found.append(widened);
}

// Offsets of 32 bits from a pointer that a loop counts up are one number each: otherwise the back
// end's LoopStrengthReduce may count from the common part of the offsets, and add the pointer to
// each of the others before the loop. ptxas then holds these sums, of 64 bits, instead of the
// offsets, which it widens and adds by one instruction.
void keepWidenedOffsets(llvm::Module& module) {
  llvm::SmallVector<llvm::Instruction*> widened;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::PHINode& phi : block.phis())
        if (phi.getType()->isPointerTy())
          for (llvm::Value* incoming : phi.incoming_values())
            collectWidened(phi, incoming, widened);
  llvm::SmallPtrSet<llvm::Instruction*, 16> done;
  for (llvm::Instruction* index : widened) {
    if (!done.insert(index).second) continue;
    auto* kept = new llvm::FreezeInst(index, "", std::next(index->getIterator()));
    index->replaceUsesWithIf(
        kept, [](llvm::Use& use) { return llvm::isa<llvm::GetElementPtrInst>(use.getUser()); });
  }
}

// Constant offsets of ldmatrix and stmatrix stand beside them, where instruction selection makes
// them part of the instruction. LLVM does that for loads and stores only: matrices of a loop would
// keep a register for each address.
void sinkMatrixOffsets(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call) continue;
      llvm::StringRef name = call->getCalledFunction()->getName();
      if (!name.starts_with("llvm.nvvm.ldmatrix.") && !name.starts_with("llvm.nvvm.stmatrix."))
        continue;
      auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(call->getArgOperand(0));
      if (!address || !address->hasAllConstantIndices() ||
          address->getParent() == call->getParent())
        continue;
      llvm::Instruction* here = address->clone();
      here->insertBefore(call->getIterator());
      call->setArgOperand(0, here);
      if (address->use_empty()) address->eraseFromParent();
    }
}

// LLVM's pass that StrengthReduction replaces.
constexpr llvm::StringLiteral slowReduction = "slsr";

class PtxCompiler : public Compiler {
public:
  PtxCompiler(std::unique_ptr<llvm::TargetMachine> machine, const chips::Chip& chip,
              const chips::Chip& llvmChip, CompilerOptions options)
      : machine_(std::move(machine)), chip_(chip), llvmChip_(llvmChip),
        options_(std::move(options)) {}
  tl::expected<void, std::string> optimize(std::unique_ptr<llvm::Module>& module) override;
  tl::expected<std::string, std::string> toAssembly(llvm::Module& module) override {
    std::unique_ptr<llvm::TargetMachine> newer = machineOfNewerPtx(module);
    auto assembly =
        emitAssembly(module, newer ? *newer : *machine_, options_.cancellation, slowReduction);
    if (assembly && &llvmChip_ != &chip_) nameChip(*assembly, chip_);
    return assembly;
  }

private:
  // For a module that needs a newer PTX than the chip's other code ("ptx", as the lowering says),
  // or else null.
  std::unique_ptr<llvm::TargetMachine> machineOfNewerPtx(const llvm::Module& module) const {
    auto* needed = llvm::mdconst::extract_or_null<llvm::ConstantInt>(module.getModuleFlag("ptx"));
    llvm::StringRef usual = chip_.processorFeatures;
    uint64_t version = 0;
    if (!needed || !usual.consume_front("+ptx") || usual.getAsInteger(10, version) ||
        version >= needed->getZExtValue())
      return nullptr;
    chips::Chip chip = chip_;
    chip.processorFeatures = "+ptx87";
    return machine(chip, options_.fusesMultiplyAdd);
  }

  std::unique_ptr<llvm::TargetMachine> machine_;
  const chips::Chip& chip_;
  const chips::Chip& llvmChip_; // see generatedFor()
  CompilerOptions options_;
};

tl::expected<void, std::string> PtxCompiler::optimize(std::unique_ptr<llvm::Module>& owned) {
  llvm::Module& module = *owned;
  aim(module, *machine_);
  if (needsDeviceLibrary(module))
    if (auto linked = linkDeviceLibrary(module, options_); !linked) return linked;

  narrowMinMax(module, {.bf16 = true});
  auto addLast = [&](llvm::FunctionPassManager& last) {
    last.addPass(ProductOrder());
    last.addPass(MergedBounds());
    last.addPass(Distances());
    last.addPass(NarrowArithmetic());
    last.addPass(Pairs(calculatesWithPairsOfSingles(chip_)));
    last.addPass(ByteFloats());
    last.addPass(PickedAlignment());
    last.addPass(ConstantOffsets());
    last.addPass(llvm::EarlyCSEPass());
    last.addPass(StrengthReduction());
    last.addPass(EarlyLoads());
    // Indices of loops in the width of addresses: LoopStrengthReduce then finds fewer registers.
    llvm::LoopPassManager indices;
    indices.addPass(llvm::IndVarSimplifyPass());
    last.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(indices)));
    last.addPass(WideCounters());
  };
  if (auto done = backend::optimize(module, *machine_, options_.cancellation, addLast); !done)
    return done;
  for (llvm::Function& function : module)
    predicateCopies(function);
  dropUnusedShuffles(module);
  keepRemainders(module);
  keepWidenedOffsets(module);
  sinkMatrixOffsets(module);
  for (llvm::Function& function : module) {
    sinkIntoRareBlocks(function);
    // Blackwell's assembler keeps the coordinates of copies in common registers by itself.
    if (!calculatesWithPairsOfSingles(chip_)) delaySharedLoads(function);
    orderByStores(function, options_.fusesMultiplyAdd);
  }
  if (hasMeasuredBudgets(chip_))
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) budgetRegisters(function);
  return {};
}

} // namespace

CompilerOrError makeCompiler(const chips::Chip& chip, CompilerOptions options) {
  const chips::Chip& known = *generatedFor(&chip);
  std::unique_ptr<llvm::TargetMachine> made = machine(known, options.fusesMultiplyAdd);
  if (!made) return tl::make_unexpected(std::string("this LLVM has no NVPTX target"));
  return std::make_unique<PtxCompiler>(std::move(made), chip, known, std::move(options));
}

} // namespace gluond::backend::nvidia

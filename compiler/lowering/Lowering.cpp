#include "lowering/Lowering.h"

#include "chips/MemorySizes.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "lowering/FunctionEmitter.h"
#include "lowering/Scratch.h"
#include "lowering/WarpSpecialize.h"
#include "passes/memory/LateOperands.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

namespace {

// Callees before callers. Recursion cannot happen: Gluon has none at run time.
void calleesFirst(mlir::ModuleOp module, tt::FuncOp function,
                  llvm::SmallVectorImpl<tt::FuncOp>& order) {
  if (llvm::is_contained(order, function)) return;
  function.walk([&](tt::CallOp call) {
    if (auto callee = module.lookupSymbol<tt::FuncOp>(call.getCallee()))
      if (callee != function) calleesFirst(module, callee, order);
  });
  order.push_back(function);
}

class ModuleLowering {
public:
  ModuleLowering(mlir::ModuleOp source, const TargetEmitter& target, llvm::LLVMContext& context,
                 llvm::Module& module, const CancellationToken& token)
      : source_(source), axes_(source), state_(context, module, target, axes_) {
    state_.ctas = ttg::lookupNumCTAs(source);
    state_.cancellation = token;
  }

  bool run(KernelFacts& facts) {
    tt::FuncOp kernel;
    for (tt::FuncOp function : source_.getOps<tt::FuncOp>())
      if (function.isPublic()) kernel = function;
    if (!kernel) return failed(source_, "the module has no kernel");
    if (unsigned size = ttg::lookupThreadsPerWarp(source_); size != state_.threadsPerWarp)
      return failed(source_,
                    ("the module is for warps of " + llvm::Twine(size) +
                     " threads, but the target's have " + llvm::Twine(state_.threadsPerWarp))
                        .str());
    if (!haveLayouts()) return false;
    llvm::SmallVector<tt::FuncOp> order;
    calleesFirst(source_, kernel, order);

    state_.shared = new llvm::GlobalVariable(
        state_.module, llvm::ArrayType::get(llvm::Type::getInt8Ty(state_.context), 0), false,
        llvm::GlobalValue::ExternalLinkage, nullptr, "global_smem", nullptr,
        llvm::GlobalValue::NotThreadLocal, sharedSpace);
    state_.shared->setAlignment(llvm::Align(16));
    llvm::DIBuilder debug(state_.module);
    state_.debug = &debug;
    llvm::DIFile* file = debug.createFile("kernel.py", ".");
    if (auto at = kernel.getLoc()->findInstanceOf<mlir::FileLineColRange>())
      file = debug.createFile(at.getFilename().getValue(), ".");
    state_.unit = debug.createCompileUnit(
        llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "gluond", true, "", 0, "",
        llvm::DICompileUnit::DebugEmissionKind::DebugDirectivesOnly);
    state_.module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                                llvm::DEBUG_METADATA_VERSION);

    for (tt::FuncOp function : order)
      prepare(function);
    state_.warps = warpsOf(kernel);
    for (tt::FuncOp function : order)
      declare(function, function == kernel);
    for (tt::FuncOp function : order) {
      if (function != kernel && !isNoinline(function)) continue; // its calls are its body
      FunctionEmitter emitter(state_, function);
      if (!emitter.function(state_.functions[function]->llvm)) return false;
      if (function == kernel && state_.touchesOtherCtas)
        for (llvm::Instruction* leaving : state_.kernelReturns) {
          emitter.b.SetInsertPoint(leaving);
          emitter.wholeClusterBarrier();
        }
      if (function == kernel && state_.groupsMeetCluster) {
        emitter.b.SetInsertPoint(state_.warpsBegin);
        beginGroupsOfCluster(emitter);
      }
    }
    for (tt::FuncOp function : order)
      if (auto* made = state_.functions[function]->llvm; function != kernel && made->use_empty())
        made->eraseFromParent();
    debug.finalize();
    const auto& whole = *state_.functions[kernel];
    facts.name = kernel.getName().str();
    facts.warps = state_.warps;
    facts.maxRegisters = state_.maxRegisters;
    facts.ctas = state_.ctas;
    facts.sharedBytes = whole.memory->bytes();
    if (whole.warpSpecializationOffset)
      facts.sharedBytes = whole.warpSpecializationOffset + warpSpecializationBytes(kernel);
    constexpr int64_t addressBytes = 4; // of tensor memory
    facts.tensorColumns = whole.tensorMemory->allocatedColumns();
    if (facts.tensorColumns)
      facts.sharedBytes = std::max(facts.sharedBytes, whole.tensorMemoryOffset + addressBytes);
    facts.globalScratchBytes = whole.globalScratchBytes;
    facts.globalScratchAlignment = chips::tensorMapBytes; // the only use of this memory
    if (facts.sharedBytes == 0 && state_.shared->use_empty()) state_.shared->eraseFromParent();
    return true;
  }

  passes::PassFailure failure() { return *state_.failure; }

private:
  bool failed(mlir::Operation* op, llvm::StringRef message) {
    state_.failure = passes::PassFailure{
        passes::FailureKind::Unsupported, op->getLoc(), message.str(), {}, {}, {}, "lowering"};
    return false;
  }

  // Passes leave every tensor with a layout that fits it; text that somebody wrote need not.
  bool haveLayouts() {
    llvm::SmallDenseSet<mlir::Type, 32> seen;
    auto fits = [&](mlir::Type type) {
      auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
      return !tensor || !seen.insert(type).second || ir::toLinearLayout(tensor).valid();
    };
    auto tell = [&](mlir::Operation* op, mlir::Type type) {
      std::string text = "a tensor has no layout: ";
      llvm::raw_string_ostream(text) << type;
      failed(op, text);
      return mlir::WalkResult::interrupt();
    };
    return !source_
                .walk([&](mlir::Operation* op) {
                  for (mlir::Type type : op->getResultTypes())
                    if (!fits(type)) return tell(op, type);
                  for (mlir::Region& region : op->getRegions())
                    for (mlir::Block& block : region)
                      for (mlir::Type type : block.getArgumentTypes())
                        if (!fits(type)) return tell(op, type);
                  return mlir::WalkResult::advance();
                })
                .wasInterrupted();
  }

  int64_t scratchOf(mlir::Operation* op) {
    if (auto call = mlir::dyn_cast<tt::CallOp>(op))
      if (auto callee = source_.lookupSymbol<tt::FuncOp>(call.getCallee()))
        if (auto found = state_.functions.find(callee); found != state_.functions.end())
          return found->second->memory->bytes();
    return scratchBytes(state_.handlers, op);
  }

  void prepare(tt::FuncOp function) {
    auto& made = state_.functions[function];
    made = std::make_unique<ModuleState::FunctionState>();
    made->memory = std::make_unique<passes::SharedMemory>(
        function, [&](mlir::Operation* op) { return scratchOf(op); });
    made->tensorMemory = std::make_unique<passes::TensorMemory>(function);
    made->synchronization =
        passes::synchronize(function, *made->memory, *made->tensorMemory,
                            state_.target.traits().hasAsyncPath, scratchIsWithinWarp);
    if (int64_t bytes = warpSpecializationBytes(function)) {
      made->warpSpecializationOffset =
          std::max<int64_t>(16, static_cast<int64_t>(llvm::alignTo(made->memory->bytes(), 16)));
      // Partitions read it at any time; where there are none, it is read before all other memory
      // is used.
      made->tensorMemoryOffset =
          static_cast<int64_t>(llvm::alignTo(made->warpSpecializationOffset + bytes, 16));
    }
    function.walk([&](ttg::GlobalScratchAllocOp scratch) {
      int64_t offset =
          static_cast<int64_t>(llvm::alignTo(made->globalScratchBytes, scratch.getAlignment()));
      made->globalScratch[scratch] = offset;
      made->globalScratchBytes = offset + scratch.getNbytes();
    });
  }

  unsigned warpsOf(tt::FuncOp kernel) {
    unsigned warps = ttg::lookupNumWarps(kernel).value_or(4), total = warps;
    kernel.walk([&](ttg::WarpSpecializeOp op) {
      auto starts = op.getWarpGroupStartIds();
      for (auto [i, count] : llvm::enumerate(op.getPartitionNumWarps())) {
        unsigned start = starts ? static_cast<unsigned>((*starts)[i]) : total;
        total = std::max(total, start + static_cast<unsigned>(count));
      }
    });
    if (total == warps) return warps;
    return static_cast<unsigned>(llvm::alignTo(total, state_.target.traits().warpUnit));
  }

  void declare(tt::FuncOp function, bool isKernel) {
    FunctionEmitter types(state_, function);
    llvm::SmallVector<llvm::Type*> parameters;
    for (mlir::Type type : function.getArgumentTypes())
      types.registerTypes(type, parameters);
    parameters.push_back(llvm::PointerType::get(state_.context, globalSpace)); // global scratch
    // A kernel gets the profiler's scratch, as Triton's launcher passes it; another function gets
    // the beginning of its shared memory.
    parameters.push_back(
        llvm::PointerType::get(state_.context, isKernel ? globalSpace : sharedSpace));
    llvm::SmallVector<llvm::Type*> results;
    for (mlir::Type type : function.getResultTypes())
      types.registerTypes(type, results);
    llvm::Type* result = llvm::Type::getVoidTy(state_.context);
    if (results.size() == 1) result = results.front();
    if (results.size() > 1) result = llvm::StructType::get(state_.context, results);
    auto* made = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                        isKernel ? llvm::GlobalValue::ExternalLinkage
                                                 : llvm::GlobalValue::InternalLinkage,
                                        function.getName(), state_.module);
    state_.functions[function]->llvm = made;
    made->addFnAttr(llvm::Attribute::NoUnwind);
    if (!isKernel) {
      made->addFnAttr(llvm::Attribute::NoInline);
      made->addFnAttr(llvm::Attribute::Convergent);
      return;
    }
    state_.kernel = made;
    if (auto limit = source_->getAttrOfType<mlir::IntegerAttr>(ttg::maxRegistersAttr))
      state_.maxRegisters = static_cast<unsigned>(limit.getInt());
    state_.target.declareKernel(state_, function.getArgumentTypes(), *made);
  }

  mlir::ModuleOp source_;
  passes::ModuleAxisInfo axes_;
  ModuleState state_;
};

} // namespace

tl::expected<Lowered, passes::PassFailure> lowerToLLVM(mlir::ModuleOp module,
                                                       const TargetEmitter& target,
                                                       llvm::LLVMContext& context,
                                                       const CancellationToken& token) {
  Lowered lowered;
  lowered.module = std::make_unique<llvm::Module>("gluond", context);
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  if (target.traits().convertsOperandsLate) copy = passes::withLateOperands(module);
  ModuleLowering lowering(copy ? *copy : module, target, context, *lowered.module, token);
  if (!lowering.run(lowered.facts)) return tl::make_unexpected(lowering.failure());
  return lowered;
}

} // namespace gluond::lowering

// What the functions of a module share while they are lowered: the LLVM module, the target, the
// launch, and what the analyses say of each function.
#pragma once

#include "lowering/TargetEmitter.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/failure/PassFailure.h"
#include "passes/memory/SharedMemory.h"
#include "passes/memory/Synchronization.h"
#include "passes/memory/TensorMemory.h"
#include "support/Cancellation.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <optional>

namespace gluond::lowering {

struct ModuleState {
  ModuleState(llvm::LLVMContext& llvmContext, llvm::Module& llvmModule, const TargetEmitter& chip,
              const passes::ModuleAxisInfo& axisInfo)
      : context(llvmContext), module(llvmModule), target(chip), handlers(chip.handlers()),
        axes(axisInfo), threadsPerWarp(chip.traits().warpSize) {}

  llvm::LLVMContext& context;
  llvm::Module& module;
  const TargetEmitter& target;
  const HandlerTable& handlers;
  const passes::ModuleAxisInfo& axes;
  const unsigned threadsPerWarp;
  unsigned ctas = 1;
  llvm::Function* kernel = nullptr;
  unsigned warps = 4;                     // that the kernel is launched with
  unsigned maxRegisters = 0;              // of a thread at launch; 0 if it is not limited
  llvm::GlobalVariable* shared = nullptr; // all of a CTA's dynamic shared memory
  llvm::DICompileUnit* unit = nullptr;
  llvm::DIBuilder* debug = nullptr;
  llvm::StringMap<llvm::DIFile*> files;
  bool touchesOtherCtas = false; // then none may end before all are done
  llvm::SmallVector<llvm::Instruction*, 2> kernelReturns;
  // The first instruction of a kernel with warp specialization, and whether groups of its warps
  // meet those of other CTAs.
  llvm::Instruction* warpsBegin = nullptr;
  bool groupsMeetCluster = false;
  CancellationToken cancellation;
  std::optional<passes::PassFailure> failure;
  // Address of what the kernel has of tensor memory, in the warps that begin it.
  llvm::Value* tensorMemory = nullptr;
  struct FunctionState {
    std::unique_ptr<passes::SharedMemory> memory;
    std::unique_ptr<passes::TensorMemory> tensorMemory;
    int64_t tensorMemoryOffset = 0; // in shared memory, of the address of tensor memory
    passes::Synchronization synchronization;
    llvm::Function* llvm = nullptr;
    int64_t warpSpecializationOffset = 0; // of captures and states, after the buffers
    int64_t globalScratchBytes = 0;       // what came before is the caller's
    llvm::DenseMap<mlir::Operation*, int64_t> globalScratch;
  };
  llvm::DenseMap<mlir::Operation*, std::unique_ptr<FunctionState>> functions;
};

} // namespace gluond::lowering

// AMD's GPUs, CDNA from gfx942 on and RDNA from gfx11 on: LLVM's amdgcn intrinsics.
#pragma once

#include "chips/CodeOptions.h"
#include "lowering/Handlers.h"

#include <memory>

namespace gluond::lowering::amd {

// Returns the handlers for all of AMD's chips. A handler fails if the chip lacks the instructions.
const HandlerTable& handlers();
// Makes the target of one chip, which must live as long as the target.
std::unique_ptr<TargetEmitter> makeTarget(const chips::Chip& chip,
                                          const chips::CodeOptions& code = {});

// The class itself is known to this folder only. Its functions are in files by what they are about.
class AmdTarget final : public TargetEmitter {
public:
  AmdTarget(const chips::Chip& chip, const chips::CodeOptions& code);
  bool has(chips::Feature feature) const { return chip_.has(feature); }
  const chips::Chip& chip() const { return chip_; }

  const HandlerTable& handlers() const override;
  std::string lacks(Feature feature) const override;
  void declareKernel(const ModuleState& state, mlir::TypeRange arguments,
                     llvm::Function& kernel) const override;
  bool beginKernel(FunctionEmitter& e) const override;
  llvm::Type* descriptorType(llvm::LLVMContext& context, mlir::Type type) const override;

  // Threads.cpp
  llvm::Value* threadOfCta(FunctionEmitter& e) const override;
  llvm::Value* blockOfCluster(FunctionEmitter& e) const override;
  llvm::Value* warpOfCta(FunctionEmitter& e, llvm::Value* thread) const override;
  llvm::Value* uniform(FunctionEmitter& e, llvm::Value* value) const override;
  llvm::Value* gridNumber(FunctionEmitter& e, GridNumber number, unsigned axis) const override;
  llvm::Value* nanoseconds(FunctionEmitter& e) const override;
  unsigned combinedAtOnce(llvm::StringRef combiner, llvm::Type* type) const override;
  llvm::Value* shuffle(FunctionEmitter& e, llvm::Value* word, llvm::Value* lane) const override;
  llvm::Value* shuffleXor(FunctionEmitter& e, llvm::Value* word, unsigned bits) const override;
  unsigned movesToLastLane(FunctionEmitter& e) const override;
  llvm::Value* movedToLastLane(FunctionEmitter& e, llvm::Value* word, unsigned move) const override;
  llvm::Value* wordOfLastLane(FunctionEmitter& e, llvm::Value* word) const override;

  // Meeting.cpp
  void barrier(FunctionEmitter& e, const WarpGroup& group) const override;
  void warpBarrier(FunctionEmitter& e) const override;
  void barrierOfAllWarps(FunctionEmitter& e) const override;
  void clusterBarrier(FunctionEmitter& e, bool isRelaxed) const override;
  void fence(FunctionEmitter& e, tt::MemSyncScope scope) const override;

  // Memory.cpp
  CacheHint cacheHint(FunctionEmitter& e, mlir::Attribute policy, bool isLoad) const override;
  RegisterList loadGlobal(FunctionEmitter& e, const GlobalAccess& access,
                          Registers others) const override;
  void storeGlobal(FunctionEmitter& e, const GlobalAccess& access, Registers values) const override;
  void storeShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address,
                   llvm::Value* word) const override;
  void countShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address) const override;

  // TransposedLoads.cpp
  bool loadMatrices(FunctionEmitter& e, const SharedPlace& place, llvm::Type* element,
                    llvm::MutableArrayRef<llvm::Value*> values,
                    OnlyOffsets onlyOffsets) const override;

  // Atomics.cpp
  unsigned atomicElements(tt::RMWOp kind, mlir::Type element) const override;
  RegisterList atomicUpdate(FunctionEmitter& e, const AtomicAccess& access, tt::RMWOp kind,
                            Registers values) const override;
  llvm::Value* compareAndSwap(FunctionEmitter& e, const AtomicAccess& access, llvm::Value* expected,
                              llvm::Value* value) const override;
  llvm::Value* atomicLoad(FunctionEmitter& e, const AtomicAccess& access,
                          llvm::Type* type) const override;
  void atomicStore(FunctionEmitter& e, const AtomicAccess& access,
                   llvm::Value* value) const override;
  bool orderTogether(FunctionEmitter& e, tt::MemSemantic order, tt::MemSyncScope scope,
                     bool isBefore) const override;

  // Math.cpp, Messages.cpp
  llvm::Value* math(FunctionEmitter& e, llvm::StringRef op, Registers operands) const override;
  void print(FunctionEmitter& e, llvm::StringRef format, Registers values) const override;
  void assertionFailed(FunctionEmitter& e, llvm::StringRef message,
                       const SourcePlace& place) const override;

private:
  const chips::Chip& chip_;
  const chips::CodeOptions code_;
};

} // namespace gluond::lowering::amd

// NVIDIA's GPUs from sm_75 on: LLVM's nvvm intrinsics, and PTX where there is none.
#pragma once

#include "chips/CodeOptions.h"
#include "lowering/Handlers.h"

#include <memory>

namespace gluond::lowering::nvidia {

// Returns the handlers for all of NVIDIA's chips. A handler fails if the chip lacks the
// instructions.
const HandlerTable& handlers();
// Makes the target of one chip, which must live as long as the target.
std::unique_ptr<TargetEmitter> makeTarget(const chips::Chip& chip,
                                          const chips::CodeOptions& code = {});

// The class itself is known to this folder only. Its functions are in files by what they are about.
class NvidiaTarget final : public TargetEmitter {
public:
  explicit NvidiaTarget(const chips::Chip& chip);
  bool has(chips::Feature feature) const { return chip_.has(feature); }
  const chips::Chip& chip() const { return chip_; }

  const HandlerTable& handlers() const override;
  std::string lacks(Feature feature) const override;
  void declareKernel(const ModuleState& state, mlir::TypeRange arguments,
                     llvm::Function& kernel) const override;

  // tcgen05/TensorMemory.cpp
  bool beginKernel(Emitter& e) const override;
  void endKernel(Emitter& e) const override;
  void finishTensorStores(Emitter& e) const override;

  // Threads.cpp
  llvm::Value* threadOfCta(Emitter& e) const override;
  llvm::Value* blockOfCluster(Emitter& e) const override;
  llvm::Value* uniform(Emitter& e, llvm::Value* value) const override;
  llvm::Value* gridNumber(Emitter& e, GridNumber number, unsigned axis) const override;
  llvm::Value* nanoseconds(Emitter& e) const override;
  void setRegisters(Emitter& e, unsigned registers, unsigned now) const override;
  llvm::Value* shuffle(Emitter& e, llvm::Value* word, llvm::Value* lane) const override;
  llvm::Value* shuffleXor(Emitter& e, llvm::Value* word, unsigned bits) const override;
  llvm::Value* shuffleBefore(Emitter& e, llvm::Value* word, int distance) const override;
  llvm::Value* reduceWarp(Emitter& e, llvm::StringRef combiner, llvm::Value* value) const override;

  // Meeting.cpp
  void barrier(Emitter& e, const WarpGroup& group) const override;
  void warpBarrier(Emitter& e) const override;
  void barrierOfAllWarps(Emitter& e) const override;
  void clusterBarrier(Emitter& e, bool isRelaxed) const override;
  void prepareGroupMeetings(Emitter& e, Registers places, llvm::Value* isFirst) const override;
  void meetGroupOfCluster(Emitter& e, llvm::Value* place) const override;
  void fenceInitializations(Emitter& e) const override;
  void fenceAsyncShared(Emitter& e, bool ofCluster) const override;
  void fence(Emitter& e, tt::MemSyncScope scope) const override;

  // GlobalMemory.cpp
  CacheHint cacheHint(Emitter& e, mlir::Attribute policy, bool isLoad) const override;
  RegisterList loadGlobal(Emitter& e, const GlobalAccess& access, Registers others) const override;
  void storeGlobal(Emitter& e, const GlobalAccess& access, Registers values) const override;

  // SharedMemory.cpp, Matrices.cpp
  llvm::Value* addressInBlock(Emitter& e, llvm::Value* address, llvm::Value* block) const override;
  void storeShared(Emitter& e, llvm::Value* predicate, llvm::Value* address,
                   llvm::Value* word) const override;
  void countShared(Emitter& e, llvm::Value* predicate, llvm::Value* address) const override;
  bool loadMatrices(Emitter& e, const SharedPlace& place, llvm::Type* element,
                    llvm::MutableArrayRef<llvm::Value*> values,
                    OnlyOffsets onlyOffsets) const override;
  bool storeMatrices(Emitter& e, const SharedPlace& place, Registers values,
                     OnlyOffsets onlyOffsets) const override;

  // Atomics.cpp
  unsigned atomicElements(tt::RMWOp kind, mlir::Type element) const override;
  RegisterList atomicUpdate(Emitter& e, const AtomicAccess& access, tt::RMWOp kind,
                            Registers values) const override;
  llvm::Value* compareAndSwap(Emitter& e, const AtomicAccess& access, llvm::Value* expected,
                              llvm::Value* value) const override;
  llvm::Value* atomicLoad(Emitter& e, const AtomicAccess& access, llvm::Type* type) const override;
  void atomicStore(Emitter& e, const AtomicAccess& access, llvm::Value* value) const override;

  // Math.cpp, Messages.cpp
  llvm::Value* math(Emitter& e, llvm::StringRef op, Registers operands) const override;
  void print(Emitter& e, llvm::StringRef format, Registers values) const override;
  void assertionFailed(Emitter& e, llvm::StringRef message,
                       const SourcePlace& place) const override;

private:
  const chips::Chip& chip_;
};

} // namespace gluond::lowering::nvidia

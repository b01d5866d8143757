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
  bool beginKernel(Emitter& e) const override;
  llvm::Type* descriptorType(llvm::LLVMContext& context, mlir::Type type) const override;

  // Threads.cpp
  llvm::Value* threadOfCta(Emitter& e) const override;
  llvm::Value* blockOfCluster(Emitter& e) const override;
  llvm::Value* uniform(Emitter& e, llvm::Value* value) const override;
  llvm::Value* gridNumber(Emitter& e, GridNumber number, unsigned axis) const override;
  llvm::Value* nanoseconds(Emitter& e) const override;
  llvm::Value* shuffle(Emitter& e, llvm::Value* word, llvm::Value* lane) const override;
  llvm::Value* shuffleXor(Emitter& e, llvm::Value* word, unsigned bits) const override;

  // Meeting.cpp
  void barrier(Emitter& e, const WarpGroup& group) const override;
  void warpBarrier(Emitter& e) const override;
  void barrierOfAllWarps(Emitter& e) const override;
  void clusterBarrier(Emitter& e, bool isRelaxed) const override;
  void fence(Emitter& e, tt::MemSyncScope scope) const override;

  // Memory.cpp
  CacheHint cacheHint(Emitter& e, mlir::Attribute policy, bool isLoad) const override;
  RegisterList loadGlobal(Emitter& e, const GlobalAccess& access, Registers others) const override;
  void storeGlobal(Emitter& e, const GlobalAccess& access, Registers values) const override;
  void storeShared(Emitter& e, llvm::Value* predicate, llvm::Value* address,
                   llvm::Value* word) const override;
  void countShared(Emitter& e, llvm::Value* predicate, llvm::Value* address) const override;

  // TransposedLoads.cpp
  bool loadMatrices(Emitter& e, const SharedPlace& place, llvm::Type* element,
                    llvm::MutableArrayRef<llvm::Value*> values,
                    OnlyOffsets onlyOffsets) const override;

  // Atomics.cpp
  unsigned atomicElements(tt::RMWOp kind, mlir::Type element) const override;
  RegisterList atomicUpdate(Emitter& e, const AtomicAccess& access, tt::RMWOp kind,
                            Registers values) const override;
  llvm::Value* compareAndSwap(Emitter& e, const AtomicAccess& access, llvm::Value* expected,
                              llvm::Value* value) const override;
  llvm::Value* atomicLoad(Emitter& e, const AtomicAccess& access, llvm::Type* type) const override;
  void atomicStore(Emitter& e, const AtomicAccess& access, llvm::Value* value) const override;
  bool orderTogether(Emitter& e, tt::MemSemantic order, tt::MemSyncScope scope,
                     bool isBefore) const override;

  // Math.cpp, Messages.cpp
  llvm::Value* math(Emitter& e, llvm::StringRef op, Registers operands) const override;
  void print(Emitter& e, llvm::StringRef format, Registers values) const override;
  void assertionFailed(Emitter& e, llvm::StringRef message,
                       const SourcePlace& place) const override;

private:
  const chips::Chip& chip_;
  const chips::CodeOptions code_;
};

} // namespace gluond::lowering::amd

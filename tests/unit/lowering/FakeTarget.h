// A target without a chip, for tests of what all targets share.
//
// What it is asked for becomes a call of a function that is only declared ("fake.shuffle_xor") and
// a line of `asked`, with the constants that matter ("shuffle_xor 16").
#pragma once

#include "lowering/TargetEmitter.h"

#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

namespace gluond::test {

class FakeTarget : public lowering::TargetEmitter {
public:
  using Emitter = lowering::Emitter;
  using Registers = lowering::Registers;
  using RegisterList = lowering::RegisterList;

  explicit FakeTarget(lowering::TargetTraits traits);

  mutable std::vector<std::string> asked;
  bool hasClusters = true;
  bool reducesWarps = false; // by an instruction of its own

  const lowering::HandlerTable& handlers() const override;
  std::string lacks(lowering::Feature feature) const override;
  void declareKernel(const lowering::ModuleState& state, mlir::TypeRange arguments,
                     llvm::Function& kernel) const override;

  llvm::Type* descriptorType(llvm::LLVMContext& context, mlir::Type type) const override;

  llvm::Value* threadOfCta(Emitter& e) const override;
  llvm::Value* blockOfCluster(Emitter& e) const override;
  llvm::Value* uniform(Emitter& e, llvm::Value* value) const override;
  llvm::Value* gridNumber(Emitter& e, lowering::GridNumber number, unsigned axis) const override;
  llvm::Value* nanoseconds(Emitter& e) const override;

  void barrier(Emitter& e, const lowering::WarpGroup& group) const override;
  void warpBarrier(Emitter& e) const override;
  void barrierOfAllWarps(Emitter& e) const override;
  void clusterBarrier(Emitter& e, bool isRelaxed) const override;
  void fence(Emitter& e, tt::MemSyncScope scope) const override;

  llvm::Value* shuffle(Emitter& e, llvm::Value* word, llvm::Value* lane) const override;
  llvm::Value* shuffleXor(Emitter& e, llvm::Value* word, unsigned bits) const override;
  llvm::Value* reduceWarp(Emitter& e, llvm::StringRef combiner, llvm::Value* value) const override;

  RegisterList loadGlobal(Emitter& e, const lowering::GlobalAccess& access,
                          Registers others) const override;
  void storeGlobal(Emitter& e, const lowering::GlobalAccess& access,
                   Registers values) const override;
  void storeShared(Emitter& e, llvm::Value* predicate, llvm::Value* address,
                   llvm::Value* word) const override;
  void countShared(Emitter& e, llvm::Value* predicate, llvm::Value* address) const override;

  unsigned atomicElements(tt::RMWOp kind, mlir::Type element) const override;
  RegisterList atomicUpdate(Emitter& e, const lowering::AtomicAccess& access, tt::RMWOp kind,
                            Registers values) const override;
  llvm::Value* compareAndSwap(Emitter& e, const lowering::AtomicAccess& access,
                              llvm::Value* expected, llvm::Value* value) const override;
  llvm::Value* atomicLoad(Emitter& e, const lowering::AtomicAccess& access,
                          llvm::Type* type) const override;
  void atomicStore(Emitter& e, const lowering::AtomicAccess& access,
                   llvm::Value* value) const override;

  llvm::Value* math(Emitter& e, llvm::StringRef op, Registers operands) const override;
  void print(Emitter& e, llvm::StringRef format, Registers values) const override;
  void assertionFailed(Emitter& e, llvm::StringRef message,
                       const SourcePlace& place) const override;

private:
  // A call of fake.NAME, noted as `name` with `detail` behind it.
  llvm::CallInst* call(Emitter& e, const std::string& name, llvm::Type* result, Registers operands,
                       const std::string& detail = "") const;
};

} // namespace gluond::test

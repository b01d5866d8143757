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
  using FunctionEmitter = lowering::FunctionEmitter;
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

  llvm::Value* threadOfCta(FunctionEmitter& e) const override;
  llvm::Value* blockOfCluster(FunctionEmitter& e) const override;
  llvm::Value* warpOfCta(FunctionEmitter& e, llvm::Value* thread) const override;
  llvm::Value* uniform(FunctionEmitter& e, llvm::Value* value) const override;
  llvm::Value* gridNumber(FunctionEmitter& e, lowering::GridNumber number,
                          unsigned axis) const override;
  llvm::Value* nanoseconds(FunctionEmitter& e) const override;

  void barrier(FunctionEmitter& e, const lowering::WarpGroup& group) const override;
  void warpBarrier(FunctionEmitter& e) const override;
  void barrierOfAllWarps(FunctionEmitter& e) const override;
  void clusterBarrier(FunctionEmitter& e, bool isRelaxed) const override;
  void fence(FunctionEmitter& e, tt::MemSyncScope scope) const override;

  llvm::Value* shuffle(FunctionEmitter& e, llvm::Value* word, llvm::Value* lane) const override;
  llvm::Value* shuffleXor(FunctionEmitter& e, llvm::Value* word, unsigned bits) const override;
  llvm::Value* reduceWarp(FunctionEmitter& e, llvm::StringRef combiner,
                          llvm::Value* value) const override;

  RegisterList loadGlobal(FunctionEmitter& e, const lowering::GlobalAccess& access,
                          Registers others) const override;
  void storeGlobal(FunctionEmitter& e, const lowering::GlobalAccess& access,
                   Registers values) const override;
  void storeShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address,
                   llvm::Value* word) const override;
  void countShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address) const override;

  unsigned atomicElements(tt::RMWOp kind, mlir::Type element) const override;
  RegisterList atomicUpdate(FunctionEmitter& e, const lowering::AtomicAccess& access,
                            tt::RMWOp kind, Registers values) const override;
  llvm::Value* compareAndSwap(FunctionEmitter& e, const lowering::AtomicAccess& access,
                              llvm::Value* expected, llvm::Value* value) const override;
  llvm::Value* atomicLoad(FunctionEmitter& e, const lowering::AtomicAccess& access,
                          llvm::Type* type) const override;
  void atomicStore(FunctionEmitter& e, const lowering::AtomicAccess& access,
                   llvm::Value* value) const override;

  llvm::Value* math(FunctionEmitter& e, llvm::StringRef op, Registers operands) const override;
  void print(FunctionEmitter& e, llvm::StringRef format, Registers values) const override;
  void assertionFailed(FunctionEmitter& e, llvm::StringRef message,
                       const SourcePlace& place) const override;

private:
  // A call of fake.NAME, noted as `name` with `detail` after it.
  llvm::CallInst* call(FunctionEmitter& e, const std::string& name, llvm::Type* result,
                       Registers operands, const std::string& detail = "") const;
};

} // namespace gluond::test

// Shared memory beyond loads and stores.
#include "lowering/Predicated.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

llvm::Value* NvidiaTarget::addressInBlock(FunctionEmitter& e, llvm::Value* address,
                                          llvm::Value* block) const {
  return e.intrinsic(llvm::Intrinsic::nvvm_mapa_shared_cluster, {}, {address, block});
}

void NvidiaTarget::storeShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address,
                               llvm::Value* word) const {
  address = e.b.CreatePtrToInt(address, e.b.getInt32Ty());
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(word->getType())) {
    RegisterList operands{predicate, address};
    std::string names, constraints = "b,r";
    for (unsigned k = 0; k < vector->getNumElements(); ++k) {
      operands.push_back(e.b.CreateExtractElement(word, k));
      names += (k ? ", $" : "$") + std::to_string(k + 2);
      constraints += ",r";
    }
    e.assembly("@$0 st.shared.v" + std::to_string(vector->getNumElements()) + ".b32 [$1], {" +
                   names + "};",
               constraints, operands);
    return;
  }
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(word))
    e.assembly("@$0 st.shared.b32 [$1], " + std::to_string(known->getZExtValue()) + ";", "b,r",
               {predicate, address});
  else
    e.assembly("@$0 st.shared.b32 [$1], $2;", "b,r,r", {predicate, address, word});
}

void NvidiaTarget::countShared(FunctionEmitter& e, llvm::Value* predicate,
                               llvm::Value* address) const {
  // Elements of one mask are counted in one branch: ptxas makes a branch of each predicated count.
  where(e, predicate, {}, [&]() -> RegisterList {
    e.assembly("red.shared.add.u32 [$0], 1;", "r", {e.b.CreatePtrToInt(address, e.b.getInt32Ty())});
    return {};
  });
}

} // namespace gluond::lowering::nvidia

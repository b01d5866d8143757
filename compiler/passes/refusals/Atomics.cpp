#include "passes/refusals/Atomics.h"

#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Ops.h"
#include "passes/failure/TypeNames.h"

namespace gluond::passes {
using namespace mlir;

// Names of the operations on bits.
static llvm::StringRef bitwiseName(tt::RMWOp operation) {
  return operation == tt::RMWOp::AND   ? "and"
         : operation == tt::RMWOp::OR  ? "or"
         : operation == tt::RMWOp::XOR ? "xor"
                                       : "";
}

std::string whyNoAtomic(Operation* op, bool isAmd) {
  if (auto update = dyn_cast<tt::AtomicRMWOp>(op); update && isAmd) {
    llvm::StringRef name = bitwiseName(update.getAtomicRmwOp());
    Type element = getElementTypeOrSelf(update.getType());
    if (!name.empty() && isa<FloatType>(element))
      return "there is no atomic '" + name.str() + "' of " + gluonName(element) +
             " values on AMD GPUs: use a pointer to integers of as many bits";
  }
  if (auto buffer = dyn_cast<amdg::BufferAtomicRMWOp>(op);
      buffer && buffer.getScope() == tt::MemSyncScope::SYSTEM)
    return "Triton has no buffer atomics of scope \"sys\": use scope \"gpu\", or `gl.atomic_add` "
           "and "
           "its like, which take pointers";
  auto update = dyn_cast<ttg::LocalAtomicScatterRMWOp>(op);
  if (!update || tt::bitWidth(getElementTypeOrSelf(update.getType())) != 8) return {};
  if (update.getAtomicRmwOp() == tt::RMWOp::FADD)
    return "there is no atomic addition of 8-bit floats: use elements of float16 or float32";
  if (isAmd) return {};
  return "NVIDIA's chips have no atomic operation on 8 bits of shared memory: use elements of 32 "
         "bits";
}

} // namespace gluond::passes

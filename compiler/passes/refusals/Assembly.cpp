#include "passes/refusals/Assembly.h"

#include "ir/tt/PackedElements.h"
#include "ir/tt/Types.h"
#include "support/Plural.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <mlir/IR/TypeUtilities.h>

namespace gluond::passes {
using namespace mlir;

namespace {

// The registers that `packed` elements of a type take: elements narrower than a word share one.
unsigned registersOf(Type type, unsigned packed) {
  Type element = getElementTypeOrSelf(type);
  unsigned bits = isa<tt::PointerType>(element) ? 64 : tt::bitWidth(element);
  unsigned perWord = tt::elementsPerWord(bits, packed);
  return (packed + perWord - 1) / perWord;
}

unsigned registersOf(TypeRange types, unsigned packed) {
  unsigned count = 0;
  for (Type type : types)
    count += registersOf(type, packed);
  return count;
}

} // namespace

std::string whyNoAssembly(tt::ElementwiseInlineAsmOp op) {
  llvm::StringRef constraints = op.getConstraints();
  if (constraints.contains('*')) return {}; // memory
  llvm::SmallVector<llvm::StringRef> each;
  constraints.split(each, ',');
  unsigned outputs = 0, inputs = 0;
  for (llvm::StringRef one : each) {
    one = one.trim();
    if (one.empty() || one.starts_with("~")) continue; // what the code destroys
    ++(one.starts_with("=") ? outputs : inputs);
  }
  auto packed = static_cast<unsigned>(op.getPackedElement());
  unsigned results = registersOf(op->getResultTypes(), packed),
           operands = registersOf(op->getOperandTypes(), packed);
  if (outputs == results && inputs == operands) return {};
  bool isOutput = outputs != results;
  unsigned has = isOutput ? outputs : inputs, wants = isOutput ? results : operands;
  return "the constraints '" + constraints.str() + "' of this inline assembly have " +
         counted(has, isOutput ? "output" : "input") + ", but " +
         (isOutput ? "its results take " : "its operands take ") + counted(wants, "register") +
         (packed > 1 ? " at a time, with pack=" + std::to_string(packed) : "");
}

} // namespace gluond::passes

// Where the first NaN and the first infinity come from.
//
// Every op that makes one of operands without is remembered with the elements. When an element is
// stored that is NaN, the earliest of these that the stored value was computed of is told: elements
// that no store keeps, such as those that a mask leaves out, are never named.
#include "simulate/machine/Machine.h"
#include "simulate/machine/OperationNames.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

#include <cmath>

namespace gluond::simulate {

namespace {

using Elements = std::vector<bool>; // empty: none

// Whether any of the numbers may be NaN or infinite: its exponent has all bits. Most tensors have
// none, and this is quick.
template <class T> bool anyHas(const std::byte* data, size_t count, T exponent) {
  const T* numbers = reinterpret_cast<const T*>(data);
  bool any = false;
  for (size_t i = 0; i < count; ++i)
    any |= (numbers[i] & exponent) == exponent;
  return any;
}
bool mayBeSpecial(Element element, const std::byte* data, size_t count) {
  switch (element) {
  case Element::F16:
    return anyHas<uint16_t>(data, count, 0x7c00);
  case Element::BF16:
    return anyHas<uint16_t>(data, count, 0x7f80);
  case Element::F32:
    return anyHas<uint32_t>(data, count, 0x7f800000);
  case Element::F64:
    return anyHas<uint64_t>(data, count, 0x7ff0000000000000);
  default:
    return true;
  }
}

Elements elementsOf(const Value& value, bool isNan) {
  const auto* tensor = std::get_if<TensorRef>(&value);
  const auto* scalar = std::get_if<Scalar>(&value);
  if (!tensor && !scalar) return {};
  Element element = tensor ? (*tensor)->element() : scalar->element;
  if (!isFloat(element)) return {};
  const std::byte* data =
      tensor ? (*tensor)->data() : reinterpret_cast<const std::byte*>(&scalar->bits);
  size_t count = tensor ? (*tensor)->count() : 1;
  if (!mayBeSpecial(element, data, count)) return {};
  Elements found;
  for (size_t i = 0; i < count; ++i) {
    double number = numberAt(element, data + i * bytesOf(element));
    if (isNan ? !std::isnan(number) : !std::isinf(number)) continue;
    if (found.empty()) found.resize(count);
    found[i] = true;
  }
  return found;
}

std::string textOf(const Value& value, size_t i) {
  const auto* tensor = std::get_if<TensorRef>(&value);
  const auto* scalar = std::get_if<Scalar>(&value);
  Element element = tensor ? (*tensor)->element() : scalar->element;
  const std::byte* data =
      tensor ? (*tensor)->data() : reinterpret_cast<const std::byte*>(&scalar->bits);
  double number = numberAt(element, data + i * bytesOf(element));
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

size_t firstOf(const Elements& elements) {
  return static_cast<size_t>(llvm::find(elements, true) - elements.begin());
}

// Values come from memory here.
bool isLoad(mlir::Operation* op) {
  llvm::StringRef name = op->getName().getStringRef();
  return llvm::is_contained({"tt.load", "amdg.buffer_load", "ttg.local_load", "ttng.tmem_load"},
                            name);
}

// The values that a value was computed from, within its function.
llvm::SetVector<mlir::Operation*> computedOf(mlir::Value value) {
  llvm::SetVector<mlir::Operation*> ops;
  llvm::SmallVector<mlir::Value> left{value};
  llvm::DenseSet<mlir::Value> seen;
  while (!left.empty()) {
    mlir::Value next = left.pop_back_val();
    if (!seen.insert(next).second) continue;
    if (mlir::Operation* op = next.getDefiningOp()) {
      ops.insert(op);
      left.append(op->operand_begin(), op->operand_end());
      // Results of loops and branches are what these yield.
      for (mlir::Region& region : op->getRegions())
        for (mlir::Block& block : region)
          if (!block.empty() && block.back().hasTrait<mlir::OpTrait::IsTerminator>())
            left.append(block.back().operand_begin(), block.back().operand_end());
      continue;
    }
    auto argument = llvm::cast<mlir::BlockArgument>(next);
    if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
        loop && argument.getArgNumber() > 0) {
      left.push_back(loop.getInits()[argument.getArgNumber() - 1]);
      left.push_back(loop.getBody()->getTerminator()->getOperand(argument.getArgNumber() - 1));
    }
  }
  return ops;
}

// The result of a product under way, which holds NaN until it ends.
bool isPromised(const Execution& execution) {
  if (execution.instruction.results != 1) return false;
  const Value& result = execution.thread.frames.back().registers[execution.resultRegister(0)];
  const auto* tensor = std::get_if<TensorRef>(&result);
  return tensor && llvm::any_of(execution.thread.products, [&](const Product& product) {
           return product.promised == *tensor;
         });
}

bool haveCommon(const Elements& a, const Elements& b) {
  if (a.size() != b.size()) return true; // between them elements were combined or spread
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i]) return true;
  return false;
}

} // namespace

void Machine::checkNumbers(Execution& execution) {
  const Instruction& instruction = execution.instruction;
  llvm::StringRef name = instruction.op->getName().getStringRef();
  if (instruction.role != Role::Operation || isPromised(execution)) return;
  bool isStore = name == "tt.store" || name == "amdg.buffer_store";
  for (bool isNan : {true, false}) {
    if (isStore || name == "ttg.local_store") {
      unsigned value = name == "tt.store" ? 1 : 0;
      Elements elements = elementsOf(execution.in(value), isNan);
      int mask = name == "tt.store" ? 2 : isStore ? 3 : -1;
      if (!elements.empty() && mask >= 0 && mask < int(instruction.operands)) {
        const auto* bits =
            reinterpret_cast<const uint8_t*>(execution.data(static_cast<unsigned>(mask)));
        for (size_t i = 0; i < elements.size(); ++i)
          elements[i] = elements[i] && (bits[i] & 1);
      }
      if (firstOf(elements) < elements.size())
        tellOrigin(execution, isNan, elements, isStore ? 0 : 1);
      continue;
    }
    if (instruction.results != 1 || name == "arith.constant") continue;
    const Value& result = execution.thread.frames.back().registers[execution.resultRegister(0)];
    Elements made = elementsOf(result, isNan);
    if (made.empty()) continue;
    bool isOld = false;
    for (unsigned i = 0; i < instruction.operands && !isOld; ++i) {
      // NaN of infinity is new, infinity of NaN is not.
      Elements had = elementsOf(execution.in(i), isNan);
      if (had.size() != made.size()) {
        isOld = !had.empty();
        continue;
      }
      for (size_t k = 0; k < made.size(); ++k)
        made[k] = made[k] && !had[k];
    }
    size_t first = firstOf(made);
    if (isOld || first == made.size()) continue;
    State& state = execution.state;
    auto known = llvm::find_if(state.origins, [&](const NumberOrigin& origin) {
      return origin.instruction == &instruction && origin.isNan == isNan;
    });
    if (known != state.origins.end()) {
      for (size_t k = 0; k < made.size() && k < known->elements.size(); ++k)
        known->elements[k] = known->elements[k] || made[k];
      continue;
    }
    Finding finding =
        isNan ? makeFinding(Id::FirstNan, instruction.op->getLoc(), operationName(*instruction.op))
              : makeFinding(Id::FirstInfinity, instruction.op->getLoc(),
                            operationName(*instruction.op), first);
    // Infinity may be meant, as that of an empty maximum.
    if (!isNan) finding.severity = diagnostics::Severity::Information;
    for (unsigned i = 0; i < instruction.operands; ++i) {
      const Value& operand = execution.in(i);
      const auto* tensor = std::get_if<TensorRef>(&operand);
      const auto* scalar = std::get_if<Scalar>(&operand);
      if ((!tensor || (*tensor)->count() != made.size()) && !scalar) continue;
      if (!isFloat(tensor ? (*tensor)->element() : scalar->element)) continue;
      size_t at = tensor ? first : 0;
      if (mlir::Operation* from = instruction.op->getOperand(i).getDefiningOp())
        finding.event(NoteId::OperandHolds, from->getLoc(), textOf(operand, at), at);
    }
    state.origins.push_back(
        {&instruction, isNan, isLoad(instruction.op), state.steps, made, finding});
  }
}

void Machine::tellOrigin(Execution& execution, bool isNan, const std::vector<bool>& elements,
                         unsigned rank) {
  State& state = execution.state;
  mlir::Operation* store = execution.instruction.op;
  unsigned value = store->getName().getStringRef() == "tt.store" ? 1 : 0;
  auto ops = computedOf(store->getOperand(value));
  for (const NumberOrigin& origin : state.origins) {
    if (origin.isNan != isNan || !ops.contains(origin.instruction->op) ||
        !haveCommon(origin.elements, elements))
      continue;
    if (origin.isInput) return;
    Finding finding = origin.finding;
    finding.rank = rank;
    // An infinity that it was made of has an origin, too.
    if (isNan)
      for (const NumberOrigin& earlier : state.origins)
        if (!earlier.isNan && ops.contains(earlier.instruction->op)) {
          finding.event(NoteId::FirstMadeHere, earlier.instruction->op->getLoc(), "infinity");
          break;
        }
    finding.event(NoteId::StoredLater, store->getLoc(), firstOf(elements));
    execution.note(std::move(finding));
    return;
  }
}

} // namespace gluond::simulate

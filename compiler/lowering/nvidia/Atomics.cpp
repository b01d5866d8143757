// Atomic operations on global memory, on a CTA's shared memory and on that of its cluster.
#include "lowering/memory/Atomics.h"

#include "lowering/Elementwise.h"
#include "lowering/Predicated.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"
#include "passes/analysis/AtomicWidth.h"

namespace gluond::lowering::nvidia {

namespace {

constexpr unsigned clusterSpace = 7; // shared memory of all CTAs of a cluster

// Registers of PTX for a value of so many bits.
struct Word {
  llvm::Type* type;
  char constraint;
};
Word wordOf(FunctionEmitter& e, unsigned bits) {
  if (bits == 64) return {e.b.getInt64Ty(), 'l'};
  if (bits == 32) return {e.b.getInt32Ty(), 'r'};
  return {e.b.getInt16Ty(), 'h'};
}
Word wordOf(FunctionEmitter& e, llvm::Type* type) {
  return wordOf(e, registerBits(type));
}

llvm::Value* toWord(FunctionEmitter& e, llvm::Value* value, const Word& word) {
  return value->getType()->isPointerTy() ? e.b.CreatePtrToInt(value, word.type)
                                         : e.b.CreateBitCast(value, word.type);
}

char addressConstraint(llvm::Value* address) {
  return address->getType()->getPointerAddressSpace() == globalSpace ? 'l' : 'r';
}

// The properties of an element's type on which the instruction depends.
struct Element {
  unsigned bits;
  bool isHalf, isBFloat;
};
Element elementOf(llvm::Type* type) {
  return {registerBits(type), type->isHalfTy(), type->isBFloatTy()};
}

// "add.f32", "min.s64"; empty where the chip has none for the type. Those of bf16 came with vector
// sums.
std::string nameOf(tt::RMWOp kind, const Element& element, const chips::Chip& chip) {
  unsigned bits = element.bits;
  std::string size = std::to_string(bits);
  using Op = tt::RMWOp;
  switch (kind) {
  case Op::FADD:
    if (element.isHalf) return "add.noftz.f16";
    if (element.isBFloat) return chip.has(chips::Feature::VectorSums) ? "add.noftz.bf16" : "";
    return "add.f" + size;
  case Op::XCHG:
    return bits < 32 ? "" : "exch.b" + size;
  case Op::AND:
    return bits < 32 ? "" : "and.b" + size;
  case Op::OR:
    return bits < 32 ? "" : "or.b" + size;
  case Op::XOR:
    return bits < 32 ? "" : "xor.b" + size;
  case Op::ADD:
    return bits < 32 ? "" : "add.u" + size;
  case Op::MAX:
    return bits < 32 ? "" : "max.s" + size;
  case Op::MIN:
    return bits < 32 ? "" : "min.s" + size;
  case Op::UMAX:
    return bits < 32 ? "" : "max.u" + size;
  case Op::UMIN:
    return bits < 32 ? "" : "min.u" + size;
  }
  return "";
}

// Returns the words before the operation's name: memory, order and scope.
std::string placeAndOrder(const AtomicAccess& access) {
  switch (access.address->getType()->getPointerAddressSpace()) {
  case sharedSpace:
    return "shared.cta.relaxed.";
  case clusterSpace:
    return "shared::cluster.cluster.relaxed.";
  default:
    return ("global." + tt::stringifyMemSemantic(access.order) + "." + scopeName(access.scope) +
            ".")
        .str();
  }
}

llvm::SyncScope::ID syncScope(FunctionEmitter& e, const AtomicAccess& access) {
  auto named = [&](llvm::StringRef name) { return e.state().context.getOrInsertSyncScopeID(name); };
  switch (access.address->getType()->getPointerAddressSpace()) {
  case sharedSpace:
    return named("block");
  case clusterSpace:
    return named("cluster");
  default:
    return access.scope == tt::MemSyncScope::CTA   ? named("block")
           : access.scope == tt::MemSyncScope::GPU ? named("device")
                                                   : llvm::SyncScope::System;
  }
}

// For updates that the chip has no instruction for: LLVM makes a loop that compares and swaps.
RegisterList updateByLoop(FunctionEmitter& e, const AtomicAccess& access, tt::RMWOp kind,
                          llvm::Value* value) {
  return where(e, access.predicate, {}, [&]() -> RegisterList {
    return {e.b.CreateAtomicRMW(operationOf(kind), access.address, value,
                                llvm::Align(registerBits(value->getType()) / 8),
                                ordering(access.order), syncScope(e, access))};
  });
}

// A reduction gives no result and orders nothing after it.
bool isReduction(const AtomicAccess& access) {
  return !access.isResultUsed &&
         (access.order == tt::MemSemantic::RELAXED || access.order == tt::MemSemantic::RELEASE);
}

// One predicated instruction with one result; `operands` follow the address. Zero where the
// predicate is false.
llvm::Value* withResult(FunctionEmitter& e, llvm::StringRef text, const AtomicAccess& access,
                        Registers operands, llvm::Type* type) {
  Word word = wordOf(e, type);
  std::string code = "@$2 " + text.str() + " $0, [$3]",
              constraints =
                  std::string("=") + word.constraint + ",0,b," + addressConstraint(access.address);
  // The tied input is operand 1.
  RegisterList all{llvm::Constant::getNullValue(word.type), access.predicate, access.address};
  unsigned next = 4;
  for (llvm::Value* operand : operands) {
    code += ", $" + std::to_string(next++);
    constraints += std::string(",") + word.constraint;
    all.push_back(toWord(e, operand, word));
  }
  llvm::Value* old = e.assembly(word.type, code + ";", constraints, all);
  if (type->isPointerTy()) return e.b.CreateIntToPtr(old, type);
  // No register is as narrow as a byte.
  unsigned bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  return e.b.CreateBitCast(e.b.CreateZExtOrTrunc(old, e.b.getIntNTy(bits)), type);
}

// The same without a result.
void withoutResult(FunctionEmitter& e, std::string name, const AtomicAccess& access,
                   llvm::Value* value) {
  std::string place = placeAndOrder(access);
  bool isShared = access.address->getType()->getPointerAddressSpace() != globalSpace;
  auto* one = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (isShared && one && one->isOne() && name == "add.u32") {
    // The hardware's own way to count: up to the largest number, then from 0.
    e.assembly("@$0 red." + place + "inc.u32 [$1], 0xffffffff;", "b,r",
               {access.predicate, access.address});
    return;
  }
  Word word = wordOf(e, value->getType());
  e.assembly("@$0 red." + place + name + " [$1], $2;",
             std::string("b,") + addressConstraint(access.address) + "," + word.constraint,
             {access.predicate, access.address, toWord(e, value, word)});
}

// ".v2.f32", ".noftz.v2.bf16x2": a sum of so many elements side by side.
std::string sumShape(llvm::Type* type, unsigned elements) {
  bool isHalf = type->isHalfTy() || type->isBFloatTy();
  unsigned words = isHalf ? elements / 2 : elements;
  std::string shape = isHalf ? ".noftz" : "";
  if (words > 1) shape += ".v" + std::to_string(words);
  return shape + (type->isHalfTy() ? ".f16x2" : isHalf ? ".bf16x2" : ".f32");
}

// A sum of neighbouring elements by one instruction.
RegisterList sumTogether(FunctionEmitter& e, const AtomicAccess& access, Registers values) {
  llvm::Type* type = values.front()->getType();
  RegisterList words = pack(e, values);
  auto count = static_cast<unsigned>(words.size());
  bool isBlind = isReduction(access);
  unsigned number = 0; // of an operand of the assembly
  std::string constraints;
  auto vector = [&](llvm::StringRef constraint) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) {
      text += (i ? ", $" : "$") + std::to_string(number++);
      constraints += (constraints.empty() ? "" : ",") + constraint.str();
    }
    return count == 1 ? text : "{" + text + "}";
  };
  RegisterList operands;
  std::string old;
  if (!isBlind) {
    old = vector("=r") + ", ";
    for (unsigned i = 0; i < count; ++i) { // zero where the predicate is false
      constraints += "," + std::to_string(i);
      operands.push_back(e.i32(0));
      ++number;
    }
  }
  constraints += constraints.empty() ? "b,l" : ",b,l";
  operands.append({access.predicate, access.address});
  std::string who = std::to_string(number++), where = std::to_string(number++);
  operands.append(words.begin(), words.end());
  std::string text = "@$" + who + (isBlind ? " red." : " atom.") + placeAndOrder(access) + "add" +
                     sumShape(type, static_cast<unsigned>(values.size())) + " " + old + "[$" +
                     where + "], " + vector("r") + ";";
  if (isBlind) {
    e.assembly(text, constraints, operands);
    return RegisterList(values.size(), llvm::PoisonValue::get(type));
  }
  llvm::Type* word = e.b.getInt32Ty();
  llvm::Value* result =
      e.assembly(count == 1 ? word
                            : llvm::StructType::get(e.state().context,
                                                    llvm::SmallVector<llvm::Type*>(count, word)),
                 text, constraints, operands);
  RegisterList results;
  for (unsigned i = 0; i < count; ++i)
    results.push_back(count == 1 ? result : e.b.CreateExtractValue(result, i));
  return unpack(e, results, type, static_cast<unsigned>(values.size()));
}

} // namespace

unsigned NvidiaTarget::atomicElements(tt::RMWOp kind, mlir::Type element) const {
  if (tt::bitWidth(element) < 16) return 0;
  return passes::atomicWidth(kind, element, chip_.target).most;
}

RegisterList NvidiaTarget::atomicUpdate(FunctionEmitter& e, const AtomicAccess& access,
                                        tt::RMWOp kind, Registers values) const {
  if (values.size() > 1) return sumTogether(e, access, values);
  llvm::Value* value = values.front();
  llvm::Type* type = value->getType();
  std::string name = nameOf(kind, elementOf(type), chip_);
  if (name.empty()) return updateByLoop(e, access, kind, value);
  if (isReduction(access) && kind != tt::RMWOp::XCHG) {
    withoutResult(e, name, access, value);
    return {llvm::PoisonValue::get(type)};
  }
  return {withResult(e, "atom." + placeAndOrder(access) + name, access, values, type)};
}

llvm::Value* NvidiaTarget::compareAndSwap(FunctionEmitter& e, const AtomicAccess& access,
                                          llvm::Value* expected, llvm::Value* value) const {
  llvm::Type* type = value->getType();
  return withResult(e,
                    "atom." + placeAndOrder(access) + "cas.b" + std::to_string(registerBits(type)),
                    access, {expected, value}, type);
}

llvm::Value* NvidiaTarget::atomicLoad(FunctionEmitter& e, const AtomicAccess& access,
                                      llvm::Type* type) const {
  return withResult(
      e,
      ("ld." + tt::stringifyMemSemantic(access.order) + "." + scopeName(access.scope) + ".global.b")
              .str() +
          std::to_string(std::max(8u, registerBits(type))),
      access, {}, type);
}

void NvidiaTarget::atomicStore(FunctionEmitter& e, const AtomicAccess& access,
                               llvm::Value* value) const {
  llvm::Type* type = value->getType();
  unsigned bits = type->isIntegerTy(1) ? 8 : registerBits(type);
  Word word = wordOf(e, bits);
  std::string text = ("@$0 st." + tt::stringifyMemSemantic(access.order) + "." +
                      scopeName(access.scope) + ".global.b")
                         .str() +
                     std::to_string(bits) + " [$1], $2;";
  value = type->isPointerTy() ? e.b.CreatePtrToInt(value, word.type)
                              : pack(e, Registers(value)).front();
  e.assembly(text, std::string("b,l,") + word.constraint,
             {access.predicate, access.address, e.b.CreateZExtOrBitCast(value, word.type)});
}

} // namespace gluond::lowering::nvidia

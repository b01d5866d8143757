// Atomic operations on global memory. Where several threads hold the same element, the first of
// them does it, and the others take its result from shared memory.
#include "lowering/memory/Atomics.h"

#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Elementwise.h"
#include "lowering/memory/GlobalMemory.h"
#include "passes/analysis/AtomicWidth.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

namespace {

llvm::StringRef scopeName(tt::MemSyncScope scope) {
  return scope == tt::MemSyncScope::CTA ? "cta" : scope == tt::MemSyncScope::SYSTEM ? "sys" : "gpu";
}

// Registers of PTX for a value of so many bits.
struct Word {
  llvm::Type* type;
  char constraint;
};
Word wordOf(Emitter& e, unsigned bits) {
  if (bits == 64) return {e.b.getInt64Ty(), 'l'};
  if (bits == 32) return {e.b.getInt32Ty(), 'r'};
  return {e.b.getInt16Ty(), 'h'};
}

} // namespace

std::string atomicInstruction(tt::RMWOp kind, llvm::Type* type) {
  unsigned bits = type->getPrimitiveSizeInBits();
  std::string size = std::to_string(bits);
  using Op = tt::RMWOp;
  switch (kind) {
  case Op::FADD:
    if (type->isHalfTy()) return "add.noftz.f16";
    if (type->isBFloatTy()) return "add.noftz.bf16";
    return "add.f" + size;
  case Op::XCHG:
    return "exch.b" + size;
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

namespace {

bool hasCopies(const LinearLayout& layout) {
  return layout.freeMask(Dim::Lane) || layout.freeMask(Dim::Warp) || layout.freeMask(Dim::Block);
}

} // namespace

bool reduces(Emitter& e, llvm::StringRef text, llvm::Value* predicate, llvm::Value* address,
             llvm::Value* operand, mlir::Operation* op) {
  if (!op->getResult(0).use_empty() || text.contains(".exch.") || text.contains(".acq"))
    return false;
  std::string code = ("@$0 red" + text.drop_front(llvm::StringRef("atom").size())).str();
  bool isShared = address->getType()->getPointerAddressSpace() != 1;
  auto* one = llvm::dyn_cast<llvm::ConstantInt>(operand);
  if (isShared && one && one->isOne() && text.ends_with(".add.u32")) {
    // The hardware's own way to count: up to the largest number, then from 0.
    code.replace(code.rfind(".add."), 5, ".inc.");
    e.assembly(code + " [$1], 0xffffffff;", "b,r", {predicate, address});
    return true;
  }
  Word word = wordOf(e, registerBits(operand->getType()));
  llvm::Value* bits = operand->getType()->isPointerTy() ? e.b.CreatePtrToInt(operand, word.type)
                                                        : e.b.CreateBitCast(operand, word.type);
  e.assembly(code + " [$1], $2;",
             std::string("b,") + (isShared ? "r" : "l") + "," + word.constraint,
             {predicate, address, bits});
  return true;
}

RegisterList shareAtomicResults(Emitter& e, mlir::Operation* op, mlir::Type type,
                                RegisterList results, llvm::Value* first) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (op->getResult(0).use_empty() || (tensor && !hasCopies(e.layoutOf(tensor)))) return results;
  llvm::Type* memory = e.memoryType(type);
  llvm::Value *base = e.scratch(op), *slot = e.i32(0), *source = e.i32(0);
  uint64_t otherBlocks = tensor               ? e.layoutOf(tensor).freeMask(Dim::Block)
                         : e.state().ctas > 1 ? e.state().ctas - 1
                                              : 0;
  unsigned threads = e.group().warps * e.state().threadsPerWarp;
  if (tensor) {
    const LinearLayout& layout = e.layoutOf(tensor);
    slot = e.thread();
    source = e.b.CreateAdd(
        e.b.CreateMul(
            e.b.CreateAnd(e.ownWarp(), e.i32(static_cast<int64_t>(~layout.freeMask(Dim::Warp)))),
            e.i32(e.state().threadsPerWarp)),
        e.b.CreateAnd(e.lane(), e.i32(static_cast<int64_t>(~layout.freeMask(Dim::Lane)))));
  }
  llvm::BasicBlock *write = e.newBlock("atomic.share"), *after = e.newBlock("atomic.shared");
  e.b.CreateCondBr(first, write, after);
  e.b.SetInsertPoint(write);
  for (auto [i, value] : llvm::enumerate(results))
    e.b.CreateStore(
        value,
        e.b.CreateGEP(memory, base, e.b.CreateAdd(slot, e.i32(static_cast<int64_t>(i) * threads))));
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
  if (otherBlocks) {
    e.clusterBarrier();
    base = e.inBlock(base, e.b.CreateAnd(e.block(), e.i32(~static_cast<int64_t>(otherBlocks))));
  } else {
    e.barrier();
  }
  for (auto [i, value] : llvm::enumerate(results))
    value = e.b.CreateLoad(
        memory, e.b.CreateGEP(memory, base,
                              e.b.CreateAdd(source, e.i32(static_cast<int64_t>(i) * threads))));
  if (otherBlocks) e.clusterBarrier(); // read: what is there may be written again
  return results;
}

llvm::Value* atomicOperation(Emitter& e, llvm::StringRef text, llvm::Value* predicate,
                             llvm::Value* address, Registers operands, llvm::Type* type) {
  Word word = wordOf(e, registerBits(type));
  bool isShared = address->getType()->getPointerAddressSpace() != 1;
  std::string code = "@$2 " + text.str() + " $0, [$3]",
              constraints = std::string("=") + word.constraint + ",0,b," + (isShared ? "r" : "l");
  RegisterList all{llvm::Constant::getNullValue(word.type), predicate, address};
  unsigned next = 4;
  for (llvm::Value* operand : operands) {
    code += ", $" + std::to_string(next++);
    constraints += std::string(",") + word.constraint;
    all.push_back(type->isPointerTy() ? e.b.CreatePtrToInt(operand, word.type)
                                      : e.b.CreateBitCast(operand, word.type));
  }
  // The tied input is operand 1.
  llvm::Value* old = e.assembly(word.type, code + ";", constraints, all);
  return type->isPointerTy() ? e.b.CreateIntToPtr(old, type) : e.b.CreateBitCast(old, type);
}

namespace {

llvm::Value* whoDoes(Emitter& e, mlir::Type type) {
  if (mlir::isa<mlir::RankedTensorType>(type)) return e.isFirstCopy(e.layoutOf(type));
  llvm::Value* isFirst = e.b.CreateICmpEQ(e.thread(), e.i32(0));
  if (e.state().ctas > 1) isFirst = e.b.CreateAnd(isFirst, e.b.CreateICmpEQ(e.block(), e.i32(0)));
  return isFirst;
}

void meetBefore(Emitter& e, tt::MemSemantic semantics) {
  if (semantics == tt::MemSemantic::RELEASE || semantics == tt::MemSemantic::ACQUIRE_RELEASE)
    e.barrier();
}
void meetAfter(Emitter& e, mlir::Operation* op, tt::MemSemantic semantics) {
  bool shared = e.memory().of(op) && !op->getResult(0).use_empty();
  if (!shared &&
      (semantics == tt::MemSemantic::ACQUIRE || semantics == tt::MemSemantic::ACQUIRE_RELEASE))
    e.barrier();
}

// How many neighbouring registers one instruction sums.
unsigned sumElements(Emitter& e, tt::AtomicRMWOp op) {
  unsigned most = passes::atomicElements(
      op.getAtomicRmwOp(), mlir::getElementTypeOrSelf(op.getType()), e.state().capability);
  return most == 1 ? 1 : std::min(most, accessElements(e, op.getPtr(), op.getMask()));
}

// ".v2.f32", ".noftz.v2.bf16x2": a sum of so many elements side by side.
std::string sumShape(llvm::Type* type, unsigned elements) {
  bool isHalf = type->isHalfTy() || type->isBFloatTy();
  unsigned words = isHalf ? elements / 2 : elements;
  std::string shape = isHalf ? ".noftz" : "";
  if (words > 1) shape += ".v" + std::to_string(words);
  return shape + (type->isHalfTy() ? ".f16x2" : isHalf ? ".bf16x2" : ".f32");
}

// A sum of neighbouring elements by one instruction; gives the old values, or poison where nobody
// asks for them.
RegisterList sumTogether(Emitter& e, tt::AtomicRMWOp op, llvm::Value* predicate,
                         llvm::Value* address, Registers values) {
  llvm::Type* type = values.front()->getType();
  RegisterList words = pack(e, values);
  auto count = static_cast<unsigned>(words.size());
  // Whoever wants no result and no order gets none.
  bool isReduction = op->getResult(0).use_empty() && (op.getSem() == tt::MemSemantic::RELAXED ||
                                                      op.getSem() == tt::MemSemantic::RELEASE);
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
  if (!isReduction) {
    old = vector("=r") + ", ";
    for (unsigned i = 0; i < count; ++i) { // zero where the predicate is false
      constraints += "," + std::to_string(i);
      operands.push_back(e.i32(0));
      ++number;
    }
  }
  constraints += constraints.empty() ? "b,l" : ",b,l";
  operands.append({predicate, address});
  std::string who = std::to_string(number++), where = std::to_string(number++);
  operands.append(words.begin(), words.end());
  std::string text = "@$" + who + (isReduction ? " red" : " atom") + ".global." +
                     tt::stringifyMemSemantic(op.getSem()).str() + "." +
                     scopeName(op.getScope()).str() + ".add" +
                     sumShape(type, static_cast<unsigned>(values.size())) + " " + old + "[$" +
                     where + "], " + vector("r") + ";";
  if (isReduction) {
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

bool readModifyWrite(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicRMWOp>(operation);
  llvm::Type* type = e.elementType(op.getType());
  std::string what = atomicInstruction(op.getAtomicRmwOp(), type);
  if (what.empty())
    return e.fail(op, "gluond cannot compile this atomic operation on narrow integers yet");
  meetBefore(e, op.getSem());
  llvm::Value* first = whoDoes(e, op.getType());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  std::string text = ("atom.global." + tt::stringifyMemSemantic(op.getSem()) + "." +
                      scopeName(op.getScope()) + ".")
                         .str() +
                     what;
  RegisterList results;
  unsigned run = sumElements(e, op);
  Registers pointers = e.get(op.getPtr()), values = e.get(op.getVal());
  for (size_t i = 0; i < pointers.size(); i += run) {
    llvm::Value *pointer = pointers[i], *value = values[i];
    llvm::Value* does = masks.empty() ? first : e.b.CreateAnd(first, masks[i]);
    if (run > 1)
      llvm::append_range(results, sumTogether(e, op, does, pointer, values.slice(i, run)));
    else if (reduces(e, text, does, pointer, value, op))
      results.push_back(llvm::PoisonValue::get(type));
    else
      results.push_back(atomicOperation(e, text, does, pointer, {value}, type));
  }
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  meetAfter(e, op, op.getSem());
  e.set(op.getResult(), results);
  return true;
}

bool compareAndSwap(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicCASOp>(operation);
  llvm::Type* type = e.elementType(op.getType());
  unsigned bits = registerBits(type);
  if (bits < 16) return e.fail(op, "compare-and-swap needs at least 16 bits");
  meetBefore(e, op.getSem());
  llvm::Value* first = whoDoes(e, op.getType());
  std::string text = ("atom.global." + tt::stringifyMemSemantic(op.getSem()) + "." +
                      scopeName(op.getScope()) + ".cas.b")
                         .str() +
                     std::to_string(bits);
  RegisterList results;
  for (auto [i, pointer] : llvm::enumerate(e.get(op.getPtr())))
    results.push_back(atomicOperation(e, text, first, pointer,
                                      {e.get(op.getCmp())[i], e.get(op.getVal())[i]}, type));
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  meetAfter(e, op, op.getSem());
  e.set(op.getResult(), results);
  return true;
}

bool atomicLoad(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicLoadOp>(operation);
  llvm::Type* type = e.elementType(op.getType());
  unsigned bits = registerBits(type);
  std::string text =
      ("ld." + tt::stringifyMemSemantic(op.getSem()) + "." + scopeName(op.getScope()) + ".global.b")
          .str() +
      std::to_string(bits);
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  RegisterList results;
  for (auto [i, pointer] : llvm::enumerate(e.get(op.getPtr())))
    results.push_back(
        atomicOperation(e, text, masks.empty() ? e.i1(true) : masks[i], pointer, {}, type));
  if (op.getSem() != tt::MemSemantic::RELAXED) e.barrier();
  e.set(op.getResult(), results);
  return true;
}

// Loads until the expected value is there, or time is out; the first of those that hold an element
// does it for all.
bool atomicPoll(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicPollOp>(operation);
  mlir::Type pointers = op.getPtr().getType();
  llvm::Type* type = e.elementType(op.getExpected().getType());
  std::string scope = scopeName(op.getScope()).str();
  std::string text =
      "ld.relaxed." + scope + ".global.b" + std::to_string(std::max(8u, registerBits(type)));
  auto now = [&] { return e.assembly(e.b.getInt64Ty(), "mov.u64 $0, %globaltimer;", "=l", {}); };
  llvm::Value* begin = op.getTimeout() ? now() : nullptr;
  llvm::Value* first = whoDoes(e, pointers);
  RegisterList results;
  for (auto [pointer, expected] : llvm::zip(e.get(op.getPtr()), e.get(op.getExpected()))) {
    llvm::BasicBlock *before = e.b.GetInsertBlock(), *poll = e.newBlock("poll"),
                     *again = e.newBlock("poll.again"), *after = e.newBlock("poll.end");
    e.b.CreateCondBr(first, poll, after);
    e.b.SetInsertPoint(poll);
    llvm::Value* value = atomicOperation(e, text, e.i1(true), pointer, {}, type);
    e.b.CreateCondBr(e.b.CreateICmpEQ(value, expected), after, again);
    e.b.SetInsertPoint(again);
    if (begin)
      e.b.CreateCondBr(e.b.CreateICmpULT(e.b.CreateSub(now(), begin), e.scalar(op.getTimeout())),
                       poll, after);
    else
      e.b.CreateBr(poll);
    e.b.SetInsertPoint(after);
    llvm::PHINode* found = e.b.CreatePHI(e.b.getInt8Ty(), 3);
    found->addIncoming(e.b.getInt8(0), before);
    found->addIncoming(e.b.getInt8(1), poll);
    if (begin) found->addIncoming(e.b.getInt8(0), again);
    results.push_back(found);
  }
  if (op.getSem() != tt::MemSemantic::RELAXED) e.assembly("fence.acq_rel." + scope + ";", "", {});
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  if (!e.memory().of(op)) e.barrier(); // otherwise they met to share
  for (llvm::Value*& result : results)
    result = e.b.CreateTrunc(result, e.b.getInt1Ty());
  e.set(op.getResult(), results);
  return true;
}

bool atomicStore(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AtomicStoreOp>(operation);
  mlir::Type type = op.getValue().getType();
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  Word word = wordOf(e, bits);
  if (op.getSem() != tt::MemSemantic::RELAXED) e.barrier();
  llvm::Value* first = whoDoes(e, type);
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  std::string text = ("@$0 st." + tt::stringifyMemSemantic(op.getSem()) + "." +
                      scopeName(op.getScope()) + ".global.b")
                         .str() +
                     std::to_string(bits) + " [$1], $2;";
  for (auto [i, pointer] : llvm::enumerate(e.get(op.getPtr()))) {
    llvm::Value* does = masks.empty() ? first : e.b.CreateAnd(first, masks[i]);
    llvm::Value* value = e.get(op.getValue())[i];
    value = value->getType()->isPointerTy() ? e.b.CreatePtrToInt(value, word.type)
                                            : pack(e, Registers(value)).front();
    e.assembly(text, std::string("b,l,") + word.constraint,
               {does, pointer, e.b.CreateZExtOrBitCast(value, word.type)});
  }
  return true;
}

} // namespace

int64_t atomicScratchBytes(mlir::Operation* op) {
  if (op->getResult(0).use_empty()) return 0;
  mlir::Type type = op->getResult(0).getType();
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor) return 16;
  LinearLayout layout = ir::toLinearLayout(tensor).removeZeroBases(Dim::Register);
  if (!hasCopies(layout)) return 0;
  return layout.inSize(Dim::Register) * layout.inSize(Dim::Lane) * layout.inSize(Dim::Warp) *
         elementBytes(type);
}

void addAtomics(HandlerTable& table) {
  table["tt.atomic_rmw"] = readModifyWrite;
  table["tt.atomic_cas"] = compareAndSwap;
  table["tt.atomic_load"] = atomicLoad;
  table["tt.atomic_poll"] = atomicPoll;
  table["tt.atomic_store"] = atomicStore;
}

} // namespace gluond::lowering

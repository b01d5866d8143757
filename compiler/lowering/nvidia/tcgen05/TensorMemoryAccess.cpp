// Between registers and tensor memory: tcgen05.ld and tcgen05.st.
#include "chips/BlackwellFeatures.h"
#include "chips/MemorySizes.h"
#include "ir/ttng/Ops.h"
#include "layout/instructions/TmemMessages.h"
#include "lowering/Elementwise.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"
#include "lowering/nvidia/tcgen05/TensorMemory.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

namespace {

using layout::TmemAtom;
using layout::TmemMessages;

struct Shape {
  llvm::StringLiteral name;
  unsigned words; // of a thread, in a message that is not repeated
};
Shape shapeOf(TmemAtom atom) {
  switch (atom) {
  case TmemAtom::I32x32b:
    return {"32x32b", 1};
  case TmemAtom::I16x64b:
    return {"16x64b", 1};
  case TmemAtom::I16x128b:
    return {"16x128b", 2};
  case TmemAtom::I16x256b:
    return {"16x256b", 4};
  case TmemAtom::I16x32bx2:
    return {"16x32bx2", 1};
  }
  return {"", 1};
}

int64_t cell(const layout::Coordinates& rowAndColumn) {
  return int64_t(rowAndColumn[0]) << 16 | rowAndColumn[1];
}

// A tensor's messages and the address from which their places count, in this warp.
struct Access {
  TmemMessages messages;
  llvm::Value* base;

  std::string name() const {
    Shape shape = shapeOf(messages.atom);
    return shape.name.str() + ".x" + std::to_string(messages.words / shape.words);
  }
  size_t count() const { return messages.order.size() / messages.words; }
  // Returns the text of the address of a message; the base is operand number `operand`.
  std::string address(size_t message, unsigned operand) const {
    LinearLayout::Place place[] = {{Dim::Register, message * messages.words}};
    std::string text = "[$" + std::to_string(operand) + " + " +
                       std::to_string(cell(messages.places.apply(place))) + "]";
    if (messages.atom == TmemAtom::I16x32bx2)
      text += ", " + std::to_string(cell(messages.secondHalf));
    return text;
  }
};

std::optional<Access> accessTo(FunctionEmitter& e, mlir::Operation* op,
                               mlir::RankedTensorType tensor, ttg::MemDescType memory,
                               llvm::Value* address) {
  auto messages = layout::tmemMessages(
      ir::toLinearLayout(tensor).removeZeroBases(Dim::Register), ir::toLinearLayout(memory),
      tt::bitWidth(memory.getElementType()), ttng::maxRegisters(op));
  if (!messages) {
    e.fail(op, "no instruction moves this layout between registers and tensor memory");
    return std::nullopt;
  }
  // Four warps have rows of their own; further ones lie where the layout says.
  constexpr int64_t rowsOfWarp = chips::tensorMemoryRowsOfWarp;
  llvm::Value* row = e.b.CreateShl(e.b.CreateAnd(e.warp(), e.i32(3)),
                                   e.i32(16 + llvm::Log2_32(static_cast<uint32_t>(rowsOfWarp))));
  llvm::Value* base = e.b.CreateAdd(address, row);
  if (messages->places.inBits(Dim::Warp) > 2) {
    RegisterList at = e.apply(messages->places.sublayout({Dim::Warp}, {Dim::Row, Dim::Col}),
                              {{Dim::Warp, e.warp()}});
    base = e.b.CreateAdd(base, e.disjointOr(e.b.CreateShl(at[0], e.i32(16)), at[1]));
  }
  return Access{std::move(*messages), base};
}

// The registers as the words of the messages, in their order; and back.
RegisterList toWords(FunctionEmitter& e, const TmemMessages& messages, Registers values) {
  RegisterList words;
  for (unsigned number : messages.order) {
    llvm::Value* word =
        pack(e, values.slice(size_t(number) * messages.perWord, messages.perWord)).front();
    words.push_back(e.b.CreateZExt(word, e.b.getInt32Ty()));
  }
  return words;
}

RegisterList fromWords(FunctionEmitter& e, const TmemMessages& messages, Registers words,
                       llvm::Type* element) {
  RegisterList values(words.size() * messages.perWord);
  llvm::Type* part = e.b.getIntNTy(registerBits(element) * messages.perWord);
  for (auto [number, word] : llvm::zip(messages.order, words)) {
    llvm::Value* own = e.b.CreateTrunc(word, part);
    for (auto [i, value] : llvm::enumerate(unpack(e, own, element, messages.perWord)))
      values[size_t(number) * messages.perWord + i] = value;
  }
  return values;
}

// A minimum or maximum of the rows that come.
struct Reduction {
  bool isMinimum, ofAbsolute, withNaN;
  std::string words(llvm::Type* element) const {
    std::string text = isMinimum ? ".min" : ".max";
    if (ofAbsolute) text += ".abs";
    if (withNaN) text += ".NaN";
    return text + (element->isFloatTy() ? ".f32" : ".s32");
  }
  llvm::Value* combine(FunctionEmitter& e, llvm::Value* a, llvm::Value* b) const {
    namespace In = llvm::Intrinsic;
    auto choose = [&](auto minimum, auto maximum) { return isMinimum ? minimum : maximum; };
    return e.b.CreateBinaryIntrinsic(!a->getType()->isFloatTy() ? choose(In::smin, In::smax)
                                     : withNaN                  ? choose(In::minimum, In::maximum)
                                                                : choose(In::minnum, In::maxnum),
                                     a, b);
  }
};

bool load(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TMEMLoadOp>(operation);
  auto access = accessTo(e, op, op.getType(), op.getSrc().getType(), e.scalar(op.getSrc()));
  if (!access) return false;
  llvm::Type* element = e.elementType(op.getType());
  std::optional<Reduction> reduction;
  if (auto kind = op.getRedOp()) {
    if (!chips::blackwellPartsOf(chipOf(e)).reducingLoads)
      return e.fail(op, "a load from tensor memory with a reduction needs sm_103 or later, and "
                        "this is " +
                            chipOf(e).name);
    reduction = {*kind == ttng::TMEMLoadReduceModifier::MIN, op.getAbs().value_or(false),
                 op.getNaN().value_or(false)};
  }
  // One piece of text for all messages and the wait for them, because nothing may use a register
  // before it.
  const unsigned words = access->messages.words;
  const unsigned perMessage = words + (reduction ? 1 : 0);
  const unsigned outputs = static_cast<unsigned>(access->count()) * perMessage;
  std::string text, constraints;
  for (unsigned message = 0; message < access->count(); ++message) {
    text +=
        (reduction ? "tcgen05.ld.red.sync.aligned." : "tcgen05.ld.sync.aligned.") + access->name();
    if (access->messages.unpacked) text += ".pack::16b";
    text += reduction ? reduction->words(element) : ".b32";
    text += " " + bracedOperands(message * perMessage, words);
    if (reduction) text += ", $" + std::to_string(message * perMessage + words);
    text += ", " + access->address(message, outputs) + ";\n\t";
  }
  for (unsigned i = 0; i < outputs; ++i)
    constraints += "=&r,";
  llvm::Type* word = e.b.getInt32Ty();
  llvm::Type* whole =
      outputs == 1
          ? word
          : llvm::StructType::get(e.b.getContext(), llvm::SmallVector<llvm::Type*>(outputs, word));
  llvm::Value* result =
      e.assembly(whole, text + "tcgen05.wait::ld.sync.aligned;", constraints + "r", {access->base});
  RegisterList loaded, reduced;
  for (unsigned i = 0; i < outputs; ++i) {
    llvm::Value* value = outputs == 1 ? result : e.b.CreateExtractValue(result, i);
    (i % perMessage < words ? loaded : reduced).push_back(value);
  }
  e.set(op.getResult(), fromWords(e, access->messages, loaded, element));
  if (!reduction) return true;
  for (llvm::Value*& value : reduced)
    value = e.b.CreateBitCast(value, element);
  while (reduced.size() > 1) {
    RegisterList half;
    for (size_t i = 0; i + 1 < reduced.size(); i += 2)
      half.push_back(reduction->combine(e, reduced[i], reduced[i + 1]));
    reduced = std::move(half);
  }
  e.set(op.getRed(), reduced.front());
  return true;
}

bool store(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::TMEMStoreOp>(operation);
  return storeTensor(e, op, op.getSrc().getType(), op.getDst().getType(), e.scalar(op.getDst()),
                     e.get(op.getSrc()), e.scalar(op.getPred()));
}

bool wait(FunctionEmitter& e, mlir::Operation* op) {
  bool isLoad = mlir::cast<ttng::TMEMWaitOp>(op).getKind() == ttng::TMEMWaitKind::LOAD;
  e.assembly(isLoad ? "tcgen05.wait::ld.sync.aligned;" : "tcgen05.wait::st.sync.aligned;", "", {});
  return true;
}

} // namespace

bool storeTensor(FunctionEmitter& e, mlir::Operation* op, mlir::RankedTensorType tensor,
                 ttg::MemDescType memory, llvm::Value* address, Registers values,
                 llvm::Value* predicate) {
  auto access = accessTo(e, op, tensor, memory, address);
  if (!access) return false;
  RegisterList words = toWords(e, access->messages, values);
  const unsigned perMessage = access->messages.words;
  for (unsigned message = 0; message < access->count(); ++message) {
    std::string text = "@$0 tcgen05.st.sync.aligned." + access->name();
    if (access->messages.unpacked) text += ".unpack::16b";
    text += ".b32 " + access->address(message, 1) + ", " + bracedOperands(2, perMessage) + ";";
    RegisterList operands{predicate, access->base};
    std::string constraints = "b,r";
    for (llvm::Value* word : Registers(words).slice(size_t(message) * perMessage, perMessage)) {
      operands.push_back(word);
      constraints += ",r";
    }
    e.assembly(text, constraints, operands);
  }
  return true;
}

void NvidiaTarget::finishTensorStores(FunctionEmitter& e) const {
  e.assembly("tcgen05.wait::st.sync.aligned;", "", {});
}

llvm::ArrayRef<OpRow> tensorMemoryAccessOps() {
  static constexpr OpRow rows[] = {
      {"ttng.tmem_load", load},
      {"ttng.tmem_store", store},
      {"ttng.tmem_wait", wait},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia

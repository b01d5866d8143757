// Assembly that the program brings.
#include "ir/tt/PackedElements.h"
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

#include <llvm/IR/InlineAsm.h>

namespace gluond::lowering {

namespace {

// `$0` in Gluon's text is LLVM's own notation; the text is taken as it is.
llvm::Value* callAssembly(FunctionEmitter& e, mlir::Operation* op, llvm::StringRef text,
                          llvm::StringRef constraints, bool pure, llvm::Type* result,
                          Registers operands) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* operand : operands)
    types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  if (llvm::Error error = llvm::InlineAsm::verify(type, constraints)) {
    e.fail(op, "the constraints of the inline assembly do not match its operands: " +
                   llvm::toString(std::move(error)));
    return nullptr;
  }
  llvm::CallInst* call =
      e.b.CreateCall(llvm::InlineAsm::get(type, text, constraints, !pure), operands);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  if (pure)
    call->setDoesNotAccessMemory();
  else
    call->addFnAttr(llvm::Attribute::Convergent);
  return call;
}

// Returns the type of the value that a call with these results has.
llvm::Type* typeOfAll(FunctionEmitter& e, llvm::ArrayRef<llvm::Type*> results) {
  if (results.empty()) return e.b.getVoidTy();
  if (results.size() == 1) return results.front();
  return llvm::StructType::get(e.b.getContext(), results);
}

// Elements narrower than a word travel together in words of 32 bits.
bool elementwiseAssembly(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::ElementwiseInlineAsmOp>(operation);
  unsigned packed = static_cast<unsigned>(op.getPackedElement());
  size_t count = 1;
  for (mlir::Value argument : op.getArgs())
    count = std::max(count, e.get(argument).size());
  for (mlir::Value result : op.getResult())
    count = std::max<size_t>(count, e.registerCount(result.getType()));
  llvm::SmallVector<llvm::Type*> resultTypes;
  struct Result {
    llvm::Type* element;
    unsigned words, perWord;
  };
  llvm::SmallVector<Result> shapes;
  for (mlir::Value result : op.getResult()) {
    llvm::Type* element = e.elementType(result.getType());
    unsigned bits = registerBits(element);
    unsigned perWord = tt::elementsPerWord(bits, packed);
    llvm::Type* type = perWord == 1 ? element : e.b.getIntNTy(bits * perWord);
    unsigned words = (packed + perWord - 1) / perWord;
    resultTypes.append(words, type);
    shapes.push_back({element, words, perWord});
  }
  llvm::Type* whole = typeOfAll(e, resultTypes);
  llvm::SmallVector<RegisterList> results(op.getNumResults());
  for (size_t first = 0; first < count; first += packed) {
    RegisterList operands;
    for (mlir::Value argument : op.getArgs()) {
      Registers registers = e.get(argument);
      RegisterList elements;
      for (unsigned k = 0; k < packed; ++k) // past the end the last one again
        elements.push_back(
            registers[std::min(registers.size() - 1, registers.size() == 1 ? 0 : first + k)]);
      llvm::Type* element = elements.front()->getType();
      unsigned bits = registerBits(element);
      if (bits >= 32 || packed == 1)
        llvm::append_range(operands, elements);
      else
        llvm::append_range(operands, pack(e, elements));
    }
    llvm::Value* value =
        callAssembly(e, op, op.getAsmString(), op.getConstraints(), op.getPure(), whole, operands);
    if (!value) return false;
    unsigned next = 0;
    for (auto [k, shape] : llvm::enumerate(shapes)) {
      RegisterList words;
      for (unsigned w = 0; w < shape.words; ++w)
        words.push_back(resultTypes.size() == 1 ? value : e.b.CreateExtractValue(value, next++));
      RegisterList elements = shape.perWord == 1 ? words : unpack(e, words, shape.element, packed);
      for (llvm::Value* element : elements)
        if (results[k].size() < e.registerCount(op.getResult()[k].getType()))
          results[k].push_back(element);
    }
  }
  for (auto [result, registers] : llvm::zip(op.getResult(), results))
    e.set(result, registers);
  return true;
}

// Once per thread, on all registers.
bool threadAssembly(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::InlineAsmOp>(operation);
  RegisterList operands;
  for (mlir::Value argument : op.getArgs()) {
    if (mlir::isa<ttg::MemDescType>(argument.getType())) {
      operands.push_back(e.viewBase(argument));
      continue;
    }
    Registers registers = e.get(argument);
    llvm::Type* type = registers.front()->getType();
    if (!type->isPointerTy() && type->getPrimitiveSizeInBits() < 32 && registers.size() > 1)
      llvm::append_range(operands, pack(e, registers));
    else
      llvm::append_range(operands, registers);
  }
  llvm::SmallVector<llvm::Type*> types;
  for (mlir::Value result : op.getResult()) {
    llvm::Type* element = e.elementType(result.getType());
    unsigned count = e.registerCount(result.getType());
    unsigned bits = registerBits(element);
    unsigned perWord = tt::elementsPerWord(bits, count);
    types.append(count / perWord, perWord == 1 ? element : e.b.getIntNTy(bits * perWord));
  }
  llvm::Type* whole = typeOfAll(e, types);
  llvm::Value* value =
      callAssembly(e, op, op.getAsmString(), op.getConstraints(), op.getPure(), whole, operands);
  if (!value) return false;
  unsigned next = 0;
  for (mlir::Value result : op.getResult()) {
    llvm::Type* element = e.elementType(result.getType());
    unsigned count = e.registerCount(result.getType());
    unsigned bits = registerBits(element);
    unsigned perWord = tt::elementsPerWord(bits, count);
    RegisterList words;
    for (unsigned w = 0; w < count / perWord; ++w)
      words.push_back(types.size() == 1 ? value : e.b.CreateExtractValue(value, next++));
    e.set(result, perWord == 1 ? words : unpack(e, words, element, count));
  }
  return true;
}

// A scalar region on `pack` elements at a time.
bool mapElementwise(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::MapElementwiseOp>(operation);
  unsigned pack = static_cast<unsigned>(op.getPack());
  size_t count = e.get(op.getSrcs().front()).size();
  if (count % pack)
    return e.fail(op, "the number of elements per thread is not a multiple of pack");
  mlir::Block& body = op.getScalarOp().front();
  llvm::SmallVector<RegisterList> results(op.getNumResults(), RegisterList(count));
  for (size_t first = 0; first < count; first += pack) {
    unsigned argument = 0;
    for (mlir::Value source : op.getSrcs())
      for (unsigned k = 0; k < pack; ++k)
        e.set(body.getArgument(argument++), e.get(source)[first + k]);
    RegisterList values;
    if (!op.getScalarOp().hasOneBlock()) {
      mlir::Operation* leaving = op.getScalarOp().back().getTerminator();
      for (mlir::Block& block : op.getScalarOp())
        if (block.hasNoSuccessors()) leaving = block.getTerminator();
      if (!e.inPlace(op.getScalarOp(), leaving->getOperandTypes(), values)) return false;
    } else {
      if (!e.region(body)) return false;
      values = e.flatten(body.getTerminator()->getOperands());
    }
    for (auto [i, value] : llvm::enumerate(values))
      results[i / pack][first + i % pack] = value;
  }
  for (auto [result, registers] : llvm::zip(op.getResult(), results))
    e.set(result, registers);
  return true;
}

bool leaveScalars(FunctionEmitter& e, mlir::Operation* op) {
  return op->getParentRegion()->hasOneBlock() || e.returnInlined(e.flatten(op->getOperands()));
}

} // namespace

llvm::ArrayRef<OpRow> assemblyOps() {
  static constexpr OpRow rows[] = {
      {"tt.elementwise_inline_asm", elementwiseAssembly},
      {"ttg.inline_asm", threadAssembly},
      {"tt.map_elementwise", mapElementwise},
      {"tt.map_elementwise.return", leaveScalars},
  };
  return rows;
}

} // namespace gluond::lowering

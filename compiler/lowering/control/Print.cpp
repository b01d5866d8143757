// device_print and device_assert.
#include "ir/tt/Ops.h"
#include "lowering/FunctionEmitter.h"
#include "lowering/Handlers.h"

namespace gluond::lowering {

namespace {

std::string escaped(llvm::StringRef prefix) {
  std::string out;
  for (char c : prefix)
    out += c == '%' ? "%%" : std::string(1, c);
  return out;
}

// Converts a value to the type that printf takes: floats to double, small integers to int.
std::pair<llvm::Value*, std::string> promoted(FunctionEmitter& e, llvm::Value* value, bool isSigned,
                                              bool hex) {
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return {e.b.CreateAddrSpaceCast(value, e.b.getPtrTy()), "%p"};
  if (type->isFloatingPointTy() && !hex)
    return {type->isDoubleTy() ? value : e.b.CreateFPExt(value, e.b.getDoubleTy()), "%f"};
  unsigned bits = type->getPrimitiveSizeInBits();
  value = e.b.CreateBitCast(value, e.b.getIntNTy(bits));
  llvm::Type* wide = bits > 32 ? e.b.getInt64Ty() : e.b.getInt32Ty();
  value = isSigned && bits > 1 && !hex ? e.b.CreateSExt(value, wide) : e.b.CreateZExt(value, wide);
  std::string letters = bits > 32 ? "ll" : "";
  if (hex) return {value, "0x%0" + std::to_string(bits / 4) + letters + "x"};
  return {value, "%" + letters + (isSigned ? "d" : "u")};
}

bool print(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::PrintOp>(operation);
  RegisterList ids;
  for (unsigned axis = 0; axis < 3; ++axis)
    ids.push_back(e.target().gridNumber(e, GridNumber::Cta, axis));
  std::string where = "pid (%u, %u, %u) ", prefix = escaped(op.getPrefix());
  if (op.getArgs().empty()) {
    llvm::BasicBlock *one = e.newBlock("print"), *after = e.newBlock("printed");
    e.b.CreateCondBr(e.b.CreateICmpEQ(e.thread(), e.i32(0)), one, after);
    e.b.SetInsertPoint(one);
    e.target().print(e, where + prefix + "\n", ids);
    e.b.CreateBr(after);
    e.b.SetInsertPoint(after);
    return true;
  }
  for (auto [k, argument] : llvm::enumerate(op.getArgs())) {
    bool isSigned = op.getIsSigned()[k] != 0;
    auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(argument.getType());
    std::string operand = op.getArgs().size() > 1 ? "(operand " + std::to_string(k) + ") " : "";
    llvm::Value* first =
        tensor ? e.isFirstCopy(e.layoutOf(tensor)) : e.b.CreateICmpEQ(e.thread(), e.i32(0));
    llvm::BasicBlock *one = e.newBlock("print"), *after = e.newBlock("printed");
    e.b.CreateCondBr(first, one, after);
    e.b.SetInsertPoint(one);
    for (auto [r, value] : llvm::enumerate(e.get(argument))) {
      RegisterList values = ids;
      std::string format = where;
      if (tensor) {
        format += "idx (";
        for (auto [i, coordinate] :
             llvm::enumerate(e.applyHere(e.layoutOf(tensor), e.i32(static_cast<int64_t>(r))))) {
          format += i ? ", %u" : "%u";
          values.push_back(coordinate);
        }
        format += ")";
      } else {
        format += "idx ()";
      }
      auto [number, spelled] = promoted(e, value, isSigned, op.getHex());
      values.push_back(number);
      e.target().print(e, format + " " + operand + prefix + spelled + "\n", values);
    }
    e.b.CreateBr(after);
    e.b.SetInsertPoint(after);
  }
  return true;
}

bool check(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::AssertOp>(operation);
  llvm::Value* all = nullptr;
  for (llvm::Value* condition : e.get(op.getCondition()))
    all = all ? e.b.CreateAnd(all, condition) : condition;
  llvm::BasicBlock *failed = e.newBlock("assert.failed"), *after = e.newBlock("assert.passed");
  e.b.CreateCondBr(all, after, failed);
  e.b.SetInsertPoint(failed);
  TargetEmitter::SourcePlace place{"unknown", e.function()->getName().str()};
  if (auto at = op->getLoc()->findInstanceOf<mlir::FileLineColRange>()) {
    place.file = at.getFilename().str();
    place.line = at.getStartLine();
  }
  e.target().assertionFailed(e, op.getMessage(), place);
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
  // The next op may depend on elements that other threads have checked; the condition of
  // a scalar, as in a combining function, is each thread's own.
  if (mlir::isa<mlir::RankedTensorType>(op.getCondition().getType())) e.barrier();
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> messageOps() {
  static constexpr OpRow rows[] = {
      {"tt.print", print},
      {"tt.assert", check},
  };
  return rows;
}

} // namespace gluond::lowering

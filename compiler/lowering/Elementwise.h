// Ops that do the same to every element.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Returns for each register of the op's result the first one that certainly holds the same value,
// which follows from the repetitions along the axes. Returns no registers if all may differ.
llvm::SmallVector<unsigned, 16> equalRegisters(FunctionEmitter& e, mlir::Operation* op);

// Calls `make` with the operands' values of each register in turn; a scalar operand goes with every
// register.
template <class Make> bool elementwise(FunctionEmitter& e, mlir::Operation* op, Make make) {
  size_t count = 1;
  llvm::SmallVector<Registers, 4> operands;
  for (mlir::Value operand : op->getOperands()) {
    operands.push_back(e.get(operand));
    count = std::max(count, operands.back().size());
  }
  RegisterList results;
  llvm::SmallVector<llvm::Value*, 4> values(operands.size());
  llvm::SmallVector<unsigned, 16> same;
  if (count > 1) same = equalRegisters(e, op);
  for (size_t i = 0; i < count; ++i) {
    if (!same.empty() && same[i] != i) {
      results.push_back(results[same[i]]);
      continue;
    }
    for (auto [value, registers] : llvm::zip(values, operands))
      value = registers[registers.size() == 1 ? 0 : i];
    llvm::Value* result = make(e, Registers(values));
    if (!result) return false;
    results.push_back(result);
  }
  e.set(op->getResult(0), results);
  return true;
}

// A call of a function of the target's device library, which the target links when it finds one.
llvm::Value* callLibrary(FunctionEmitter& e, llvm::StringRef name, llvm::Type* result,
                         Registers arguments);

// The float as one of another type that is no 8-bit one, rounded to nearest.
llvm::Value* castFloat(FunctionEmitter& e, llvm::Value* value, llvm::Type* to);

// ttg.fp4_to_fp: `convert` makes a vector of two floats of a byte, its lower half first.
bool convertFp4(FunctionEmitter& e, mlir::Operation* op,
                llvm::function_ref<llvm::Value*(llvm::Value* byte)> convert);
// The same with instructions that every target has.
bool convertFp4(FunctionEmitter& e, mlir::Operation* op);

// `registers` as words of 32 bits (16 or 8 when all of them together have no more), lowest first;
// and back.
RegisterList pack(FunctionEmitter& e, Registers registers);
RegisterList unpack(FunctionEmitter& e, Registers words, llvm::Type* element, unsigned count);

} // namespace gluond::lowering

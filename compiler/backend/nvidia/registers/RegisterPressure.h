// How many registers of 32 bits the values of a function take, as far as LLVM IR tells.
#pragma once

#include <llvm/IR/Function.h>

namespace gluond::backend::nvidia {

unsigned registersOf(llvm::Type* type, const llvm::DataLayout& layout);
// The most that are held at once in the order of the instructions: ptxas finds an order with fewer,
// mostly.
unsigned mostRegisters(llvm::Function& function);

} // namespace gluond::backend::nvidia

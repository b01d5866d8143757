// Adds a product of 32-bit numbers to an address by one instruction, mad.wide, which LLVM 22 does
// not know: it writes mul.wide and add. ptxas makes the same instructions of both, but orders them
// differently: loads whose addresses are such sums may begin one after the other.
//
// Runs after LLVM's last passes over addresses, right before instructions are selected.
#pragma once

namespace llvm {
class FunctionPass;
}

namespace gluond::backend::nvidia {

llvm::FunctionPass* createMadWidePass();

} // namespace gluond::backend::nvidia

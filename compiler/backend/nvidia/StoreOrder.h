// Values that only stores to global memory need are computed element by element, in the order of
// the stores, those of one sector together. An operation of a tensor is lowered for all elements of
// a thread at once, so that the values of one operation stand before those of the next. ptxas keeps
// much of the order that it is given, and with it a register for each of these values. Only in
// blocks that need notably fewer registers then: elsewhere the order decides how ptxas merges and
// delays loads.
#pragma once

namespace llvm {
class Function;
}

namespace gluond::backend::nvidia {

// `fusesMultiplyAdd`: products that a sum uses are part of it, and take no registers.
void orderByStores(llvm::Function& function, bool fusesMultiplyAdd);

} // namespace gluond::backend::nvidia

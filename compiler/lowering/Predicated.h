// Code that only some threads run.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Runs `make` where the predicate holds, or always if it is null. The result has the values that
// `make` returns there, and those of `otherwise` elsewhere, or zeros if that is empty.
RegisterList where(FunctionEmitter& e, llvm::Value* predicate, Registers otherwise,
                   llvm::function_ref<RegisterList()> make);

} // namespace gluond::lowering

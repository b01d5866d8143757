// Code that only some threads run.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Runs `make` where the predicate holds, or always if it is null. The result has the values that
// `make` returns there, and those of `otherwise` elsewhere, or zeros if that is empty.
RegisterList where(FunctionEmitter& e, llvm::Value* predicate, Registers otherwise,
                   llvm::function_ref<RegisterList()> make);

// Runs `usual` where the condition holds, as it nearly always does, and `rare` elsewhere. Both
// return values of the same types.
RegisterList choose(FunctionEmitter& e, llvm::Value* condition,
                    llvm::function_ref<RegisterList()> usual,
                    llvm::function_ref<RegisterList()> rare);

} // namespace gluond::lowering

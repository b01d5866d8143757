// What torch's functions that make tensors raise because of their arguments.
#pragma once

#include "evaluate/torch/Torch.h"

namespace gluond::evaluate {

// Each returns whether it has raised.
// For a misspelt keyword, a dtype as text, or a device that is none.
bool refusesKeywords(Interpreter& in, llvm::StringRef factory, const CallArguments& arguments);
// For a missing argument.
bool lacksArguments(Interpreter& in, llvm::StringRef factory, const CallArguments& arguments);
// For nested sequences of different lengths; `shape` is that of the first ones, `dim` their depth.
bool isRagged(Interpreter& in, Value data, llvm::ArrayRef<Extent> shape, size_t dim = 0);

// Raises the TypeError for a missing argument.
Value raiseMissing(Interpreter& in, llvm::StringRef factory, llvm::StringRef argument);

} // namespace gluond::evaluate

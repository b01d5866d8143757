// Fixes of launches with tensors that torch creates on the CPU.
#pragma once

#include "diagnostics/Reporter.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// Creates the tensors of the launch `call` on the GPU: those that are created by a call of torch
// without a device, in the launch or in a statement of the function around it.
void offerGpuTensors(diagnostics::InFlight& told, llvm::ArrayRef<const syntax::Node*> path,
                     const syntax::Call& call, const language::ModuleObject* module,
                     const syntax::SyntaxTree& tree);

// Copies the launch's tensor at this index to the GPU.
void offerGpuTensor(diagnostics::InFlight& told, const syntax::Call& call, int argument,
                    const text::SourceText& source);

} // namespace gluond::driver

// Fixes for the arguments of a launch: missing ones, a grid among them, options of CUDA; and the
// layout that a tensor descriptor lacks.
#pragma once

#include "diagnostics/Reporter.h"
#include "evaluate/interpreter/PythonError.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// A launch of `kernel` that raises an exception, on a chip with warps of `warpSize`
// threads.
void offerArgumentFixes(diagnostics::InFlight& told, const evaluate::ErrorCause& cause,
                        const syntax::Call& call, const language::FunctionObject& kernel,
                        const language::ModuleObject* module, const syntax::SyntaxTree& tree,
                        unsigned warpSize);

// An argument that a launch gives although it is given already: by position, or by an autotuner.
// An option of launches that is a parameter as well (num_warps) is given by its keyword.
void offerRemoval(diagnostics::InFlight& told, const syntax::Call& call, llvm::StringRef name,
                  const language::FunctionObject* kernel, const syntax::SyntaxTree& tree);

// The decorator of a kernel as the file writes it, `gluon.jit`; "" if it cannot be written.
std::string kernelDecorator(const language::ModuleObject* module, const syntax::SyntaxTree& tree);

// autotune or heuristics of a plain function: the kernel's decorator must be below theirs.
void offerJitBelowTuners(diagnostics::InFlight& told, text::Offset at,
                         const language::ModuleObject* module, const syntax::SyntaxTree& tree);

// TensorDescriptor.from_tensor(x, [64, 64]): the default layout for the elements' usual dtypes,
// through the name `gl` of Gluon's language.
void offerDescriptorLayout(diagnostics::InFlight& told, const syntax::Call& call,
                           llvm::StringRef gl, const text::SourceText& source);

} // namespace gluond::driver

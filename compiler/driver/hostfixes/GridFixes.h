// Fixes for a grid that Triton cannot launch, and for the configurations of an autotuner.
#pragma once

#include "diagnostics/Reporter.h"
#include "evaluate/interpreter/PythonError.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// A grid with quotients that are no integers, or a function of the grid without its parameter.
void offerGrid(diagnostics::InFlight& told, llvm::StringRef message,
               const syntax::Subscript& launcher, llvm::ArrayRef<const syntax::Node*> path,
               const language::ModuleObject* module, const syntax::SyntaxTree& tree);

// The keywords of a call Config(BLOCK=128) that it does not have, as the dict that it takes; empty
// if the call is another one.
std::vector<text::Edit> keysOfConfig(const syntax::Call& call, const evaluate::ErrorCause& cause,
                                     llvm::ArrayRef<llvm::StringLiteral> parameters,
                                     const text::SourceText& source, const Interner& names);

} // namespace gluond::driver

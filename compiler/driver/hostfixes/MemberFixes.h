// Fixes of names of Gluon that host code misspells, or reads from another module than theirs.
#pragma once

#include "codegen/suggestions/Suggest.h"
#include "diagnostics/Reporter.h"
#include "evaluate/interpreter/PythonError.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// Offers the closest name, if there is one, in the place of a text.
void offerName(diagnostics::InFlight& told, text::Range at, llvm::StringRef written,
               const codegen::Nearest& nearest);

// A misspelt member of Gluon, or a keyword that a class of its layouts lacks.
void offerMember(diagnostics::InFlight& told, const evaluate::PythonError& error,
                 llvm::ArrayRef<const syntax::Node*> path, const language::ModuleObject* module,
                 const syntax::SyntaxTree& tree);

} // namespace gluond::driver

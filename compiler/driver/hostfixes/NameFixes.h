// Fixes of names in host code: variables, keywords of the file's own functions, what torch has, and
// strings that name something.
#pragma once

#include "codegen/suggestions/Suggest.h"
#include "diagnostics/Reporter.h"
#include "evaluate/interpreter/PythonError.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// `path` leads to the place of the exception.
using Path = llvm::ArrayRef<const syntax::Node*>;

// A name that is not defined: a misspelt variable, a member of an imported module without its
// module, a missing import, or a constant as other languages write it.
void offerDefinedName(diagnostics::InFlight& told, Path path, const language::ModuleObject* module,
                      const syntax::SyntaxTree& tree, bool isCuda);

// A keyword that a function of the file lacks, or a parameter that its decorators name at the place
// `at`. Returns whether the exception is about one.
bool offerOwnKeyword(diagnostics::InFlight& told, const evaluate::ErrorCause& cause, Path path,
                     text::Range at, const language::ModuleObject* module,
                     const syntax::SyntaxTree& tree);

// A misspelt member of torch or of a tensor, keyword of a function that makes tensors, or device.
// Returns whether the exception is about one.
bool offerTorchName(diagnostics::InFlight& told, const evaluate::PythonError& error, Path path,
                    const syntax::SyntaxTree& tree);

// A string constant below a node that has this text; null if there is none.
const syntax::Constant* stringIn(const syntax::Node& node, llvm::StringRef text);
// Replaces the text of a string constant, in its quotes, by the most similar name.
void offerString(diagnostics::InFlight& told, const syntax::Constant* constant,
                 const text::SourceText& source, const codegen::Nearest& nearest);

} // namespace gluond::driver

#include "driver/notebooks/SyntaxErrors.h"

#include "driver/notebooks/NotebookFile.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

namespace {

bool isAwaited(const diagnostics::Diagnostic& error) {
  if (error.id != diagnostics::Id::OutsideFunction || error.arguments.empty()) return false;
  llvm::StringRef statement = error.arguments.front();
  return statement == "await" || statement.starts_with("async");
}

} // namespace

std::vector<diagnostics::Diagnostic> syntaxErrors(const syntax::SyntaxTree& tree,
                                                  llvm::StringRef path) {
  std::vector<diagnostics::Diagnostic> errors(tree.errors().begin(), tree.errors().end());
  if (isNotebook(path)) llvm::erase_if(errors, isAwaited);
  return errors;
}

bool hasSyntaxErrors(const syntax::SyntaxTree& tree, llvm::StringRef path) {
  return isNotebook(path) ? !llvm::all_of(tree.errors(), isAwaited) : !tree.errors().empty();
}

} // namespace gluond::driver

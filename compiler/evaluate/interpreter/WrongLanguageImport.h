// Imports that bind another module of Triton where the program means Gluon's language:
// `import triton.experimental.gluon as gl`, `import triton.language as gl`. Each use of it would be
// a mistake of its own, although there is one.
#pragma once

#include "support/Interner.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/SmallVector.h>

#include <string>

namespace gluond::evaluate {

struct WrongLanguageImport {
  const syntax::Alias* alias;
  std::string module; // that is imported
  Name lacking;       // a member that the file uses, and the module lacks
};

// Returns such imports at the top level of a file, if it does not import the language by any name,
// and uses nothing through them but what the language has.
llvm::SmallVector<WrongLanguageImport, 1>
wrongLanguageImports(llvm::ArrayRef<const syntax::Stmt*> body, const Interner& names);

// Whether two versions of a file have the same.
bool haveSameWrongLanguageImports(llvm::ArrayRef<const syntax::Stmt*> before,
                                  llvm::ArrayRef<const syntax::Stmt*> after, const Interner& names);

} // namespace gluond::evaluate

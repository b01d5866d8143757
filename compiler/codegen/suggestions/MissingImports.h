// The import statement that a name without a definition probably lacks.
#pragma once

#include "support/Interner.h"
#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

#include <optional>
#include <string>

namespace gluond::codegen {

struct MissingImport {
  text::Edit edit;       // an insertion
  std::string statement; // "from triton.experimental.gluon import language as gl"
};

// Returns how a file may import a name: in an import of its module, if the file has one, or else in
// a line of its own after the first imports. It knows the names that every Gluon program uses (gl,
// gluon, triton, torch, ..) and those of Gluon's modules, of which those for the target's vendor
// come first. Returns nullopt for any other name.
std::optional<MissingImport> missingImport(llvm::StringRef name, bool isCuda,
                                           syntax::Stmts statements, const Interner& names,
                                           const text::SourceText& source);

// The same for what the host code of programs uses: modules of Python's library (os, time), their
// well-known members (Path, partial), and the usual short names of packages (F, plt).
std::optional<MissingImport> missingHostImport(llvm::StringRef name, syntax::Stmts statements,
                                               const Interner& names,
                                               const text::SourceText& source);

} // namespace gluond::codegen

// ast_dump FILE...: prints each file's syntax errors and its tree, for compare_ast.py and for
// looking.
#include "diagnostics/Table.h"
#include "syntax/AstDump.h"
#include "syntax/SyntaxTree.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

int main(int argc, char** argv) {
  gluond::Interner interner;
  for (int i = 1; i < argc; ++i) {
    auto buffer = llvm::MemoryBuffer::getFile(argv[i]);
    if (!buffer) {
      llvm::errs() << argv[i] << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    auto source = std::make_shared<gluond::text::SourceText>((*buffer)->getBuffer().str());
    auto tree = gluond::syntax::SyntaxTree::parse(source, {}, interner);
    llvm::outs() << "== " << argv[i] << "\n";
    for (const auto& error : tree->errors()) {
      auto at = source->position(error.location.range.begin);
      llvm::outs() << "!! " << at.line + 1 << ":" << at.character + 1 << ": "
                   << gluond::diagnostics::severityName(error.severity) << ": " << error.message
                   << " [" << gluond::diagnostics::slug(error.id) << "]\n";
    }
    llvm::outs() << gluond::syntax::dump(*tree);
  }
}

// The outline of a file and its folding ranges: free functions over its syntax.
#pragma once

#include "driver/workspace/Workspace.h"
#include "syntax/SyntaxTree.h"

#include <string>
#include <vector>

namespace gluond::lsp {

enum class SymbolKind : uint8_t { Kernel, Function, Method, Class, Field, Constant, Variable };

struct OutlineSymbol {
  std::string name;
  std::string detail; // decorators ("gluon.jit"), the parameters
  SymbolKind kind;
  text::Range range, nameRange;
  std::vector<OutlineSymbol> children;
};
// The whole of a statement, with the decorators of a definition and the @ before them.
text::Range wholeRange(const syntax::Node& node, const text::SourceText& source);
// Functions, classes, their fields and methods, and module-level names.
std::vector<OutlineSymbol> symbolsOf(const syntax::SyntaxTree& tree);

// Returns definitions in the workspace's files that mention Gluon whose name contains the letters
// of `query` in order (all if it is empty): at most `most`, the best matches first.
struct WorkspaceSymbol {
  std::shared_ptr<const driver::File> file;
  OutlineSymbol symbol; // without children
  std::string container;
};
std::vector<WorkspaceSymbol> workspaceSymbols(const driver::Snapshot& snapshot,
                                              llvm::StringRef query, size_t most,
                                              CancellationToken token);

struct Fold {
  uint32_t firstLine, lastLine; // 0-based, both inclusive; the first one stays visible
  enum class Kind : uint8_t { Region, Comment, Imports } kind = Kind::Region;
};
// Blocks, bracketed expressions over several lines, docstrings, runs of comments and of imports.
std::vector<Fold> foldsOf(const syntax::SyntaxTree& tree);

} // namespace gluond::lsp

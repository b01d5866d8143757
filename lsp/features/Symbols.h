// The outline of a file and the parts of it that fold: free functions over its syntax.
#pragma once

#include "syntax/SyntaxTree.h"

#include <string>
#include <vector>

namespace gluond::lsp {

enum class SymbolKind : uint8_t { Kernel, Function, Method, Class, Field, Constant, Variable };

struct Symbol {
  std::string name;
  std::string detail; // decorators ("gluon.jit"), the parameters
  SymbolKind kind;
  text::Range range, nameRange;
  std::vector<Symbol> children;
};
// Functions, classes, their fields and methods, and module-level names.
std::vector<Symbol> symbolsOf(const syntax::SyntaxTree& tree);

struct Fold {
  uint32_t firstLine, lastLine; // 0-based, both inclusive; the first stays visible
  enum class Kind : uint8_t { Region, Comment, Imports } kind = Kind::Region;
};
// Blocks, bracketed expressions over several lines, docstrings, runs of comments and of imports.
std::vector<Fold> foldsOf(const syntax::SyntaxTree& tree);

} // namespace gluond::lsp

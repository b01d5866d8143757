// Decides which parts of a Python file gluond handles, by its syntax and imports alone (without
// evaluation), so that it also works in incomplete code. The rest is left to the editor's Python
// server (docs/editors.md).
#pragma once

#include "lsp/features/names/NameIndex.h"

namespace gluond::lsp {

// Returns whether the file mentions Gluon by name. This is cheap; other files are not even
// parsed.
bool mentionsGluon(llvm::StringRef text);

enum class GluonRole : uint8_t {
  None,
  Kernel,    // @gluon.jit, @triton.jit: compiled
  Constexpr, // @gluon.constexpr_function: evaluated at compile time
  Aggregate, // @gluon.aggregate
};
// Based on the decorators of a FunctionDef or ClassDef, with any alias of Gluon.
GluonRole roleOf(const syntax::SyntaxTree& tree, const NameIndex& index,
                 const syntax::Node& definition);

// Returns the outermost definition with a role around `offset`, including its decorators, or null
// if the place is in plain Python code.
const syntax::Node* gluonAround(const syntax::SyntaxTree& tree, const NameIndex& index,
                                text::Offset offset);

// The same for a cursor in unfinished code, where no range of the tree reaches so far: the blanks
// at the end of a line belong to the statement before them, and a blank line to the definition
// above it that is indented less.
struct Surroundings {
  const syntax::Node* definition; // null in plain Python code
  text::Offset place;             // within what the cursor belongs to, for queries of the tree
};
Surroundings surroundingsOf(const syntax::SyntaxTree& tree, const NameIndex& index,
                            const text::SourceText& source, text::Offset offset);

} // namespace gluond::lsp

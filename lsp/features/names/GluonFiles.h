// What of a Python file is gluond's business, told from its syntax and imports alone (no
// evaluation), so that it also holds in half-typed code. Everything else belongs to the Python
// server beside us (docs/editors.md).
#pragma once

#include "lsp/features/names/NameIndex.h"

namespace gluond::lsp {

// Whether the file has to do with Gluon at all: it mentions it by name. Cheap; the others are not
// even parsed.
bool mentionsGluon(llvm::StringRef text);

enum class GluonRole : uint8_t {
  None,
  Kernel,    // @gluon.jit, @triton.jit: compiled
  Constexpr, // @gluon.constexpr_function: run at compile time
  Aggregate, // @gluon.aggregate
};
// By the decorators of a FunctionDef or ClassDef, under whatever alias Gluon was imported.
GluonRole roleOf(const syntax::SyntaxTree& tree, const NameIndex& index,
                 const syntax::Node& definition);

// The outermost definition with a role around `offset`, its decorators included; null: plain Python
// stands there.
const syntax::Node* gluonAround(const syntax::SyntaxTree& tree, const NameIndex& index,
                                text::Offset offset);

} // namespace gluond::lsp

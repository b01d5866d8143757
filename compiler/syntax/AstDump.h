// The tree as text, one S-expression a statement: for tests, and for comparing with CPython's own
// `ast`.
#pragma once

#include "syntax/SyntaxTree.h"

#include <string>

namespace gluond::syntax {

struct DumpOptions {
  bool ranges = true; // each node followed by @begin-end
  bool ids = false;   // and #id
};
std::string dump(const SyntaxTree& tree, DumpOptions options = {});
std::string dump(const Node* node, const Interner& interner, DumpOptions options = {});

} // namespace gluond::syntax

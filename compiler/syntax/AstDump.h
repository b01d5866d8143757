// Prints the tree as text, one S-expression per statement: for tests, and for comparison with
// CPython's `ast`.
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

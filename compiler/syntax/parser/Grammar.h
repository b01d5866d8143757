// tree-sitter, wrapped: the Python grammar's node kinds as an enum, owned trees and parsers.
//
// Only this room knows tree-sitter. A TreeHandle may be read by many threads at once, but a tree
// that is to be edited or parsed from is copied first (ts_tree_copy, a reference count).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <tree_sitter/api.h>

#include <cstdint>
#include <memory>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace gluond::syntax {

// The grammar's visible nodes that the builder looks at; anything else is Other.
enum class Sym : uint8_t {
  Other,
  Error,
#define GLUOND_SYMBOL(Id, name) Id,
#include "syntax/parser/Symbols.def"
};

// Constant time: a table indexed by tree-sitter's symbol.
Sym symOf(TSNode node);

struct DeleteTree {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using TreeHandle = std::unique_ptr<TSTree, DeleteTree>;

// Asked now and then during a parse: true ends it.
using Stop = llvm::function_ref<bool()>;

// A longer text is read too as long as it is not dense: a tree takes up to 250 MB.
inline constexpr size_t longestRead = size_t{1} << 19;

// The tree of correct text; null for other text, for text that is too long, and when it was
// stopped. `previous` (already edited to match) speeds it up.
TreeHandle parseCorrect(llvm::StringRef text, Stop stop, const TSTree* previous = nullptr);

// The tree of any text, its errors in it. Null when it was stopped, is too long, when the work
// exceeded a budget in proportion to the text, or its lines step in further than the grammar's
// scanner can hold: only text with errors does the last two. Looking for errors takes ten times as
// long as reading correct text.
TreeHandle parseAny(llvm::StringRef text, Stop stop);

// Whether the tree is there and without errors.
bool isCorrect(const TSTree* tree);

} // namespace gluond::syntax

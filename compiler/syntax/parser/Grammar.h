// Wraps tree-sitter: the Python grammar's node kinds as an enum, owned trees and parsers.
//
// Only this room uses tree-sitter. Many threads may read a TreeHandle at once, but a tree that will
// be edited or parsed from must be copied first (ts_tree_copy, a reference count).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <tree_sitter/api.h>

#include <cstdint>
#include <memory>

extern "C" const TSLanguage* tree_sitter_python(void);

namespace gluond::syntax {

// The grammar's visible nodes that the builder uses; anything else is Other.
enum class Sym : uint8_t {
  Other,
  Error,
#define GLUOND_SYMBOL(Id, name) Id,
#include "syntax/parser/Symbols.def"
};

// Takes constant time: a table indexed by tree-sitter's symbol.
Sym symOf(TSNode node);

struct DeleteTree {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using TreeHandle = std::unique_ptr<TSTree, DeleteTree>;

// Called at intervals during a parse; true ends it.
using Stop = llvm::function_ref<bool()>;

// A longer text is also parsed if it is not dense: a tree takes up to 250 MB.
inline constexpr size_t longestRead = size_t{1} << 19;

// Parses correct text; returns null for text with errors or that is too long, and if it was
// stopped. `previous` (already edited to match) speeds it up.
TreeHandle parseCorrect(llvm::StringRef text, Stop stop, const TSTree* previous = nullptr);

// Parses any text; errors are in the tree. Returns null if it was stopped, the text is too long,
// the work exceeded a budget proportional to the text, or indentation is deeper than the grammar's
// scanner supports; the last two only occur in text with errors. Looking for errors takes ten times
// as long as parsing correct text.
TreeHandle parseAny(llvm::StringRef text, Stop stop);

// Returns whether there is a tree without errors.
bool isCorrect(const TSTree* tree);

} // namespace gluond::syntax

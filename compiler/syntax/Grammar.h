// tree-sitter, wrapped: the Python grammar's node kinds as an enum, owned trees and parsers.
//
// Only this room knows tree-sitter. A TreeHandle may be read by many threads at once, but a tree
// that is to be edited or parsed from is copied first (ts_tree_copy, a reference count). A Parser
// serves one thread.
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
#include "syntax/Symbols.def"
};

// Constant time: a table indexed by tree-sitter's symbol.
Sym symOf(TSNode node);

struct DeleteTree {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using TreeHandle = std::unique_ptr<TSTree, DeleteTree>;

// Owns a tree-sitter parser for Python.
class Parser {
public:
  Parser();
  ~Parser() { ts_parser_delete(parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Asked now and then while it parses: true ends it.
  using Stop = llvm::function_ref<bool()>;

  // The tree of `text`; `previous` (already edited to match) speeds it up. Null when it was
  // stopped, when the work exceeded a budget in proportion to the text, or its lines step in
  // further than the grammar's scanner can hold: only hostile text does either.
  // `onlyCorrect`: null also where the text has errors, which is known long before its tree is.
  TreeHandle parse(llvm::StringRef text, Stop stop, const TSTree* previous = nullptr,
                   bool onlyCorrect = true);

private:
  TSParser* parser_;
};

// This thread's parser: creating one costs more than parsing a line.
Parser& threadParser();

} // namespace gluond::syntax

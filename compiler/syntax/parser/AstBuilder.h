// Makes typed AST nodes from tree-sitter's nodes. Internal to the room.
//
// The grammar is more lenient than Python and differs from it in places; the builder corrects this:
// operators are associated as in Python, targets and keywords are checked, literals decoded.
// Mistakes become a diagnostic and an ErrorExpr or ErrorStmt.
//
// Ranges are CPython's: a parenthesised expression's range excludes the parentheses (a tuple's
// includes them), a definition's begins at `def` or `class`, not at its decorators.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/parser/Grammar.h"
#include "syntax/tree/Ast.h"
#include "syntax/tree/NodeArena.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace gluond::syntax {

// Bytes of the parsed text that are not in the file: inserted so that a broken piece can be parsed.
// Names in them are holes, which become ErrorExprs and empty Identifiers.
struct Insertion {
  uint32_t at, length; // in the parsed text
};

// Returns the operator of an augmented assignment's token, or null for another token.
const BinaryOp* augmentedOperator(Sym token);

class AstBuilder {
public:
  // `text` is the parsed text; without the insertions (in order), it begins at byte `base` of the
  // file.
  AstBuilder(llvm::StringRef text, text::Offset base, NodeArena& arena, Interner& interner,
             diagnostics::Reporter& emitter, llvm::ArrayRef<Insertion> insertions = {})
      : text_(text), base_(base), insertions_(insertions), arena_(arena), interner_(interner),
        emit_(emitter), cursor_(ts_tree_cursor_new(TSNode{})) {}
  ~AstBuilder() { ts_tree_cursor_delete(&cursor_); }
  AstBuilder(const AstBuilder&) = delete;
  AstBuilder& operator=(const AstBuilder&) = delete;

  // Appends the statements below a module, block or single statement node.
  using StmtList = llvm::SmallVectorImpl<Stmt*>;
  void statements(TSNode parent, StmtList& out);
  // Appends those in the block of the only statement of a module, as if they stood below `depth`
  // statements. Returns false if it is no such module.
  bool blockStatements(TSNode module, size_t depth, StmtList& out);

  // Expressions nested deeper than this become an ErrorExpr, so that code that walks the tree may
  // recurse.
  static constexpr unsigned maxDepth = 500;

private:
  struct Child {
    TSNode node;
    Sym sym;
  };
  using Children = llvm::SmallVector<Child, 8>;
  // A binary operator's operand and its extent, including parentheses.
  struct Operand {
    const Expr* value;
    text::Range range;
  };
  using Operands = llvm::SmallVector<Operand, 4>;

  // Returns its children without comments and the like.
  Children childrenOf(TSNode node);
  // Returns the place in the file of a byte of the parsed text.
  text::Offset place(uint32_t byte) const {
    uint32_t inserted = 0;
    for (const Insertion& insertion : insertions_) {
      if (byte <= insertion.at) break;
      inserted += std::min(byte - insertion.at, insertion.length);
    }
    return base_ + byte - inserted;
  }
  text::Range rangeOf(TSNode node) const {
    if (insertions_.empty()) return {base_ + ts_node_start_byte(node), base_ + endOf(node)};
    return {place(ts_node_start_byte(node)), place(endOf(node))};
  }
  uint32_t endOf(TSNode node) const {
    uint32_t end = ts_node_end_byte(node);
    return alias_.node && end == alias_.end ? alias_.contextEnd : end;
  }
  bool isHole(TSNode node) const {
    uint32_t byte = ts_node_start_byte(node);
    for (const Insertion& insertion : insertions_)
      if (byte >= insertion.at && byte < insertion.at + insertion.length) return true;
    return false;
  }
  llvm::StringRef textOf(TSNode node) const {
    return text_.slice(ts_node_start_byte(node), ts_node_end_byte(node));
  }
  Identifier identifier(TSNode node);
  // Returns whether this nests too deeply and is left out, and reports it. A flat node whose
  // `links` become a chain of nodes nests that much deeper.
  bool isTooDeep(TSNode node, size_t links = 0);
  template <typename T> T* make(text::Range range) { return arena_.make<T>(range); }

  // AstBuilderStmt.cpp
  void statement(TSNode node, Sym sym, StmtList& out);
  Stmt* simpleOrCompound(TSNode node, Sym sym);
  Stmts block(TSNode node, text::Offset& end);
  Stmts blockAfter(const Children& children, unsigned from, text::Offset& end);
  Stmt* errorStmt(TSNode node);
  Stmt* expressionStatement(TSNode node);
  Stmt* assignment(TSNode node);
  Stmt* augmentedAssignment(TSNode node);
  Stmt* importStatement(TSNode node);
  Stmt* importFrom(TSNode node, bool isFuture);
  void dottedAlias(ImportFrom& import, Alias& alias, bool isAlone);
  void aliases(const Children& children, unsigned from, llvm::SmallVectorImpl<Alias>& out);
  llvm::ArrayRef<Identifier> dottedName(TSNode node);
  Stmt* ifStatement(TSNode node);
  Stmts elseChain(const Children& children, unsigned index, text::Offset& end);
  Stmt* forStatement(TSNode node);
  Stmt* whileStatement(TSNode node);
  Stmt* tryStatement(TSNode node);
  Stmt* withStatement(TSNode node);
  void withItems(TSNode clause, llvm::function_ref<void(const Child&)> addItem);
  const Expr* tupleOfItems(TSNode clause);
  // Builds `context as name` of a with or an except, and moves what stands after `as` to `name`.
  // In `a if b else c as d` the grammar puts the alias into the conditional's end.
  const Expr* contextOf(llvm::ArrayRef<Child> items, std::optional<TSNode>& name);
  std::optional<TSNode> aliasAtEnd(Child item);
  Stmt* matchStatement(TSNode node);
  Stmt* functionDefinition(TSNode node, Exprs decorators);
  Stmt* classDefinition(TSNode node, Exprs decorators);
  Stmt* decoratedDefinition(TSNode node);
  Stmt* globalStatement(TSNode node, bool isNonlocal);
  llvm::StringRef docstring(Stmts body);

  // AstBuilderExpr.cpp
  const Expr* expr(TSNode node) { return expr(node, symOf(node)); }
  const Expr* expr(TSNode node, Sym sym);
  const Expr* exprOf(TSNode node, Sym sym);
  const Expr* errorExpr(text::Range range);
  const Expr* nameExpr(TSNode node);
  const Expr* sequence(TSNode node, Sym sym);
  const Expr* dictionary(TSNode node);
  const Expr* comprehension(TSNode node, ComprehensionKind kind);
  const Expr* subscript(TSNode node);
  const Expr* slice(TSNode node);
  const Expr* call(TSNode node);
  void arguments(TSNode list, llvm::SmallVectorImpl<const Expr*>& args,
                 llvm::SmallVectorImpl<Keyword>& keywords);
  const Expr* binary(TSNode node);
  void flatten(TSNode node, Operands& operands, llvm::SmallVectorImpl<BinaryOp>& ops);
  const Expr* boolean(TSNode node);
  const Expr* comparison(TSNode node);
  const Expr* unary(TSNode node, Sym sym);
  const Expr* await(TSNode node);
  const Expr* yield(TSNode node);
  const Expr* lambda(TSNode node);
  // A condition of `a if c else b` or of a comprehension: Python wants a conditional expression and
  // a lambda in parentheses there.
  const Expr* condition(const Child& child);
  static bool mayLackParentheses(TSNode named);
  const Expr* withoutStar(const Expr* inside);
  const Expr* starred(text::Range range, const Expr* value);
  const Starred* starredOperand(const Child& child, const Expr* value);
  const Expr* typeExpr(TSNode node);
  const Expr* chain(llvm::ArrayRef<Operand> operands, llvm::ArrayRef<BinaryOp> ops);
  // Returns the elements of a comma list, `children` with their commas (at least one child); a
  // single element without a comma is returned itself, otherwise a Tuple.
  const Expr* commaList(llvm::ArrayRef<Child> children);

  // AstBuilderParameters.cpp
  void parameters(TSNode node, llvm::SmallVectorImpl<Parameter>& out, bool isLambda);

  // AstBuilderPattern.cpp
  const Expr* casePattern(llvm::ArrayRef<Child> children); // what stands after `case`
  const Expr* pattern(TSNode node, Sym sym);
  const Expr* patternOf(TSNode node, Sym sym);
  const Expr* patternSequence(llvm::ArrayRef<Child> children, text::Range range);
  const Expr* namedPattern(const Expr* value, TSNode name, text::Range range);
  const Expr* signedNumber(llvm::ArrayRef<Child> children, text::Range range);
  const Expr* complexNumber(llvm::ArrayRef<Child> children, text::Range range);
  const Expr* starPattern(const Child& child);
  void checkKey(const Expr* key, llvm::ArrayRef<DictItem> earlier);
  bool isStarred(const Child& child);

  // AstBuilderLiteral.cpp
  const Expr* number(TSNode node, Sym sym);
  const Expr* string(TSNode node, Sym sym);
  struct StringParts;
  void stringPiece(TSNode node, StringParts& parts);
  // Adds {value!c:spec} to parts.
  void formattedValue(TSNode node, bool isRaw, StringParts& parts);
  const JoinedStr* formatSpec(TSNode node, bool isRaw);
  unsigned specs_ = 0; // around what is being built
  void literalText(uint32_t begin, uint32_t end, bool isRaw, bool isBytes, bool isFormat,
                   StringParts& parts);

  llvm::StringRef text_;
  text::Offset base_;
  llvm::ArrayRef<Insertion> insertions_;
  NodeArena& arena_;
  Interner& interner_;
  diagnostics::Reporter& emit_;
  TSTreeCursor cursor_;
  unsigned depth_ = 0;
  // The alias at the end of the context that is being built: nodes that end with it end before
  // `as`.
  struct {
    const void* node = nullptr;
    uint32_t end = 0, contextEnd = 0; // in the parsed text
  } alias_;
};

} // namespace gluond::syntax
